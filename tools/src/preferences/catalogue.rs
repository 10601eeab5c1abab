//! What can be preferred, and how a value is said.

use crate::data_file::{DataError, DataProblem};
use crate::features::named;
use crate::names::{Fit, NameIndex, Partial};
use incar_core::{Lang, Preference, PreferredValue};
use incar_text::{Text, half_at, numbers};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;

const FILE: &str = "preferences.toml";

/// Everything that can be preferred.
#[derive(Debug, Clone)]
pub(super) struct PreferenceCatalogue {
    subjects: Vec<Subject>,
    names: NameIndex<usize>,
}

/// One thing that can be preferred: an argument of a tool.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Subject {
    pub(super) id: String,
    zh: Vec<String>,
    en: Vec<String>,
    pub(super) tool: String,
    pub(super) argument: String,
    #[serde(default)]
    instead: Vec<String>,
    #[serde(default)]
    beside: Map<String, Value>,
    value: Values,
}

/// What values it takes.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Values {
    Number {
        number: [i32; 2],
        #[serde(default)]
        text: bool,
    },
    Words {
        words: BTreeMap<String, Vec<String>>,
    },
    Free {
        #[allow(dead_code)] // There to be read: it tells this form from the others.
        free: bool,
    },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    preference: Vec<Subject>,
}

impl PreferenceCatalogue {
    pub(super) fn embedded() -> Result<Self, DataError> {
        Self::parse(include_str!("../../data/preferences.toml"))
    }

    fn parse(text: &str) -> Result<Self, DataError> {
        let File { preference: subjects } = toml::from_str(text).map_err(|error| DataError::syntax(FILE, &error))?;
        for subject in &subjects {
            let fault = |column, value: String| DataError::new(FILE, &subject.id, DataProblem::Value { column, value });
            match &subject.value {
                Values::Number {
                    number: [least, most], ..
                } if least > most => {
                    return Err(fault("number", format!("{least} to {most}")));
                }
                Values::Words { words } if words.values().any(Vec::is_empty) => {
                    return Err(fault("words", String::new()));
                }
                Values::Number { .. } | Values::Words { .. } | Values::Free { .. } => {}
            }
        }
        let names = named(
            FILE,
            subjects.iter().map(|subject| (&subject.id, &subject.zh, &subject.en)),
        )?;
        Ok(Self { subjects, names })
    }

    /// The subject that `said` names, or whose id it is.
    pub(super) fn find(&self, said: &str) -> Option<&Subject> {
        self.get(said.trim()).or_else(|| Some(self.named(said)?.0))
    }

    /// The only subject that `said` names, and how.
    pub(super) fn named(&self, said: &str) -> Option<(&Subject, Fit)> {
        let found = self.names.lookup(said, Partial::MostOfName)?;
        let [only] = found.ids.as_slice() else { return None };
        Some((self.subjects.get(*only)?, found.fit))
    }

    pub(super) fn get(&self, id: &str) -> Option<&Subject> {
        self.subjects.iter().find(|subject| subject.id == id)
    }

    #[cfg(test)]
    pub(super) fn subjects(&self) -> &[Subject] {
        &self.subjects
    }
}

impl Subject {
    /// What to call it.
    pub(super) fn name(&self, lang: Lang) -> &str {
        let names = lang.pick(&self.zh, &self.en);
        names.first().map_or(&*self.id, String::as_str)
    }

    /// What `said` decides; `None` where it is no value of this.
    pub(super) fn decide(&self, said: &str) -> Option<PreferredValue> {
        let value = self.value(said)?;
        Some(
            PreferredValue::new(&*self.tool, &*self.argument, value)
                .unless(self.instead.clone())
                .only_beside(self.beside.clone()),
        )
    }

    fn value(&self, said: &str) -> Option<Value> {
        match &self.value {
            Values::Number {
                number: [least, most],
                text,
            } => {
                let value = only_number(&Text::new(said))?;
                if !(f64::from(*least)..=f64::from(*most)).contains(&value) {
                    return None;
                }
                Some(if *text { value.to_string().into() } else { value.into() })
            }
            Values::Words { words } => {
                let heard = plain(said);
                let fits = |(value, names): (&String, &Vec<String>)| {
                    let known = *value == heard || names.iter().any(|name| plain(name) == heard);
                    known.then(|| Value::String(value.clone()))
                };
                words.iter().find_map(fits)
            }
            Values::Free { .. } => Some(said.trim().into()).filter(|_| !said.trim().is_empty()),
        }
    }

    /// How to say what was preferred: a value that goes by names, by its name in `lang`.
    pub(super) fn spoken<'a>(&'a self, preference: &'a Preference, lang: Lang) -> &'a str {
        let value = preference.decides.as_ref().and_then(|decided| decided.value.as_str());
        match (&self.value, value) {
            (Values::Words { words }, Some(value)) => words.get(value).and_then(|names| own_name(names, lang)),
            _ => None,
        }
        .unwrap_or(&preference.said)
    }

    /// What values it takes, to be asked for.
    pub(super) fn question(&self, lang: Lang) -> String {
        let name = self.name(lang);
        match &self.value {
            Values::Number {
                number: [least, most], ..
            } => lang.pick(
                format!("{name}可以是{least}到{most}，您要多少？"),
                format!("The {name} can be {least} to {most}. What would you like?"),
            ),
            Values::Words { words } => {
                let all: Vec<&str> = words.values().filter_map(|names| own_name(names, lang)).collect();
                lang.pick(
                    format!("{name}可以是{}，您要哪种？", all.join("、")),
                    format!("The {name} can be: {}. Which would you like?", all.join(", ")),
                )
            }
            Values::Free { .. } => lang.pick(format!("{name}您喜欢什么样的？"), format!("What {name} do you prefer?")),
        }
    }
}

/// The first name in `lang`; else the first.
fn own_name(names: &[String], lang: Lang) -> Option<&str> {
    let of_lang = |name: &&String| Lang::of_text(name) == Some(lang);
    names.iter().find(of_lang).or(names.first()).map(String::as_str)
}

/// The only number of a text, with the half that may follow its unit (二十二度半).
fn only_number(said: &Text) -> Option<f64> {
    let found = numbers(said);
    let [(place, number)] = found.as_slice() else {
        return None;
    };
    let half = half_at(said, place.end + 1).map_or(0.0, |(half, _)| half.value);
    Some(number.value + half)
}

/// Written in one way: width, case, traditional characters and spaces do not count.
fn plain(said: &str) -> String {
    let text = Text::new(said);
    text.normal(0..text.len())
}
