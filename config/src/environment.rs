//! The environment, as it was when it was looked at.

use std::collections::BTreeMap;
use std::fmt;

/// Environment variables. Empty ones count as unset. `Debug` shows names alone: values may be secrets.
#[derive(Clone, Default)]
pub struct Environment(BTreeMap<String, String>);

/// What the variables of incar begin with.
const PREFIX: &str = "INCAR_";

impl Environment {
    /// The environment of this process; variables that are no text are left out.
    pub fn process() -> Self {
        let texts =
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        texts.collect()
    }

    /// The value of a variable.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.trim().is_empty())
    }

    /// The variables that set a key of one of `sections`: the section, the key, the variable and its value.
    pub(crate) fn settings<'a>(
        &'a self,
        sections: &'a [&'static str],
    ) -> impl Iterator<Item = (&'static str, String, &'a str, &'a str)> {
        self.0.keys().filter_map(|name| {
            let value = self.get(name)?;
            let rest = name.strip_prefix(PREFIX)?.to_lowercase();
            sections.iter().find_map(|section| {
                let key = rest.strip_prefix(section)?.strip_prefix('_')?;
                Some((*section, key.to_owned(), name.as_str(), value))
            })
        })
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Environment {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(variables: I) -> Self {
        let variables = variables.into_iter();
        Self(variables.map(|(name, value)| (name.into(), value.into())).collect())
    }
}

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
