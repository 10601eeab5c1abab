//! What a driver wants unless told otherwise: consulted before asking.

use crate::records::Record;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The shelf of a [`crate::RecordStore`] on which preferences stand.
pub const PREFERENCES_SHELF: &str = "preferences";

/// One preference: in the driver's words, and as what it decides of a tool's call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Preference {
    /// What it is about.
    #[serde(skip)]
    pub key: String,
    /// What is preferred, in the driver's words.
    pub said: String,
    /// What it decides; `None`: it is only remembered and told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decides: Option<PreferredValue>,
}

/// The value that an argument gets where it is not said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PreferredValue {
    /// The tool.
    pub tool: String,
    /// The argument.
    pub argument: String,
    /// Its value.
    pub value: Value,
    /// Arguments that, where one is said, stand instead ("two degrees warmer").
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instead: Vec<String>,
    /// Arguments that, where said, must be this ("on": a level is nothing to switching off).
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub beside: Map<String, Value>,
}

impl PreferredValue {
    /// `argument` of `tool` is `value` where nothing else is said.
    pub fn new(tool: impl Into<String>, argument: impl Into<String>, value: Value) -> Self {
        Self {
            tool: tool.into(),
            argument: argument.into(),
            value,
            instead: Vec::new(),
            beside: Map::new(),
        }
    }

    /// The same, unless one of these arguments is said.
    #[must_use]
    pub fn unless(mut self, instead: Vec<String>) -> Self {
        self.instead = instead;
        self
    }

    /// The same, only where these arguments, if said, are so.
    #[must_use]
    pub fn only_beside(mut self, beside: Map<String, Value>) -> Self {
        self.beside = beside;
        self
    }

    fn applies(&self, tool: &str, arguments: &Map<String, Value>) -> bool {
        let fits = |(name, wanted): (&String, &Value)| arguments.get(name).is_none_or(|said| said == wanted);
        self.tool == tool
            && !arguments.contains_key(&self.argument)
            && !self.instead.iter().any(|name| arguments.contains_key(name))
            && self.beside.iter().all(fits)
    }
}

impl Preference {
    /// A preference about `key`, as said, and what it decides.
    pub fn new(key: impl Into<String>, said: impl Into<String>, decides: Option<PreferredValue>) -> Self {
        Self {
            key: key.into(),
            said: said.into(),
            decides,
        }
    }

    /// The preference that `record` holds; `None` where it is of another make.
    pub fn from_record(record: Record) -> Option<Self> {
        let preference: Self = serde_json::from_value(record.value).ok()?;
        Some(Self {
            key: record.key,
            ..preference
        })
    }
}

/// The preferences of one speaker.
///
/// ```
/// use incar_core::{Preference, Preferences, PreferredValue};
/// use serde_json::json;
///
/// let second = PreferredValue::new("set_seat_heating", "level", json!("2")).unless(vec!["change".into()]);
/// let preferences = Preferences::new(vec![Preference::new("seat_heating", "二档", Some(second))]);
/// let mut arguments = json!({"power": "on"}).as_object().cloned().unwrap_or_default();
/// preferences.complete("set_seat_heating", &mut arguments);
/// assert_eq!(arguments["level"], "2");
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Preferences(Vec<Preference>);

impl Preferences {
    /// No preferences.
    pub const NONE: &'static Self = &Self(Vec::new());

    /// These preferences; where two decide the same argument, the first counts.
    pub fn new(all: Vec<Preference>) -> Self {
        Self(all)
    }

    /// Whether nothing is preferred.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Preference> {
        self.0.iter()
    }

    /// Adds to the `arguments` of `tool` what is preferred and was not said.
    pub fn complete(&self, tool: &str, arguments: &mut Map<String, Value>) {
        for preferred in self.0.iter().filter_map(|preference| preference.decides.as_ref()) {
            if preferred.applies(tool, arguments) {
                arguments.insert(preferred.argument.clone(), preferred.value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timestamp;
    use serde_json::json;

    fn heating() -> Preference {
        let beside = Map::from_iter([("power".to_owned(), json!("on"))]);
        let level = PreferredValue::new("set_seat_heating", "level", json!("2"))
            .unless(vec!["change".into()])
            .only_beside(beside);
        Preference::new("seat_heating", "二档", Some(level))
    }

    #[test]
    fn a_preference_fills_what_was_not_said_and_nothing_else() {
        let note = Preference::new("parking", "B2", None);
        let preferences = Preferences::new(vec![note, heating()]);
        let check = |tool: &str, said: Value, completed: Value| {
            let mut arguments = said.as_object().cloned().unwrap();
            preferences.complete(tool, &mut arguments);
            assert_eq!(Value::Object(arguments), completed, "{tool} {said}");
        };
        check("set_seat_heating", json!({}), json!({"level": "2"}));
        check(
            "set_seat_heating",
            json!({"power": "on"}),
            json!({"power": "on", "level": "2"}),
        );
        check("set_seat_heating", json!({"power": "off"}), json!({"power": "off"}));
        check("set_seat_heating", json!({"level": "3"}), json!({"level": "3"}));
        check("set_seat_heating", json!({"change": -1}), json!({"change": -1}));
        check("set_seat_ventilation", json!({}), json!({}));
    }

    #[test]
    fn a_preference_is_kept_as_a_record() {
        let value = serde_json::to_value(heating()).unwrap();
        let record = Record::new("seat_heating", value, Timestamp::from_millis(1));
        assert_eq!(Preference::from_record(record), Some(heating()));
        let foreign = Record::new("seat_heating", json!(3), Timestamp::from_millis(1));
        assert_eq!(Preference::from_record(foreign), None);
    }
}
