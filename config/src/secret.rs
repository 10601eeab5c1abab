//! What must not be seen.

use crate::reading::Reading;
use incar_tools::toml_file::{Code, Section};
use std::fmt;

/// A key, a token, or an address that holds one. Neither `Debug` nor an error shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A secret; white space around it (the line end of a file) is dropped.
    pub fn new(secret: &str) -> Self {
        Self(secret.trim().to_owned())
    }

    /// The secret itself, for whoever it is meant for.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret([redacted])")
    }
}

/// The keys that say where a secret is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Whereabouts {
    pub(crate) env: &'static str,
    pub(crate) file: &'static str,
}

/// Where a key is.
pub(crate) const KEY: Whereabouts = Whereabouts {
    env: "key_env",
    file: "key_file",
};
/// Where a token is.
pub(crate) const TOKEN: Whereabouts = Whereabouts {
    env: "token_env",
    file: "token_file",
};
/// Where an address with a password in it is.
pub(crate) const URL: Whereabouts = Whereabouts {
    env: "url_env",
    file: "url_file",
};

/// The secret that the section points at.
pub(crate) fn read(section: &Section<'_>, reading: Reading<'_>, at: Whereabouts) -> Option<Secret> {
    let (variable, file) = (section.text(at.env), reading.file(section, at.file));
    match (variable, file) {
        (Some(_), Some(_)) => {
            let message = format!("`{}` and `{}` are both there", at.env, at.file);
            section.fault(at.file, Code::Conflict, message, "keep one of them");
            None
        }
        (Some(variable), None) => {
            let value = reading.environment.get(&variable).map(Secret::new);
            if value.is_none() {
                let message = "the environment variable that it names is not set";
                let fix = format!("set it before the program starts, or write `{} = \"path\"`", at.file);
                section.fault(at.env, Code::MissingSecret, message, fix);
            }
            value
        }
        (None, Some(path)) => {
            let fault = |message: String| {
                section.fault(
                    at.file,
                    Code::MissingSecret,
                    message,
                    "write the secret into the file, and nothing else",
                );
            };
            match std::fs::read_to_string(&path) {
                Ok(text) if text.trim().is_empty() => {
                    fault("the file is empty".to_owned());
                    None
                }
                Ok(text) => Some(Secret::new(&text)),
                Err(error) => {
                    fault(format!("the file cannot be read: {error}"));
                    None
                }
            }
        }
        (None, None) => None,
    }
}

/// The secret that the section points at, else what stands in `usual`, the variable where people keep it.
pub(crate) fn read_or_usual(
    section: &Section<'_>,
    reading: Reading<'_>,
    at: Whereabouts,
    usual: Option<&str>,
) -> Option<Secret> {
    let said = read(section, reading, at);
    if section.has(at.env) || section.has(at.file) {
        return said;
    }
    reading.environment.get(usual?).map(Secret::new)
}

/// Tells that what `key` chooses, `who`, needs a key, which people keep in the variable `usual`; nothing where the section
/// points at one, for what is wrong with that is told already.
pub(crate) fn missing_key(section: &Section<'_>, key: &'static str, who: &str, usual: Option<&str>) {
    if section.has(KEY.env) || section.has(KEY.file) {
        return;
    }
    let set = usual.map(|variable| format!("set {variable}, or ")).unwrap_or_default();
    let fix = format!("{set}write {} = \"A_VARIABLE\" or {} = \"path\"", KEY.env, KEY.file);
    section.fault(key, Code::MissingSecret, format!("{who} needs a key"), fix);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_does_not_show_itself() {
        let secret = Secret::new(" sk-abc\n");
        assert_eq!(secret.expose(), "sk-abc");
        assert_eq!(format!("{secret:?}"), "Secret([redacted])");
    }
}
