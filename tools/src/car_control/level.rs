//! Levels with three steps: "1", "2", "3", "max", "min"; integers are accepted.

use super::wish::Extreme;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// A level as it was said: a number, which may be out of range, or an extreme.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Level {
    Step(f64),
    End(Extreme),
}

impl Level {
    /// As a value and an extreme, of which one is there.
    pub(super) fn split(self) -> (Option<f64>, Option<Extreme>) {
        match self {
            Self::Step(step) => (Some(step), None),
            Self::End(end) => (None, Some(end)),
        }
    }
}

impl Serialize for Level {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Step(step) => serializer.serialize_str(&step.to_string()),
            Self::End(end) => end.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Number(f64),
            End(Extreme),
            Text(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Number(step) => Ok(Self::Step(step)),
            Written::End(end) => Ok(Self::End(end)),
            Written::Text(text) => text.trim().parse().map(Self::Step).map_err(|_| {
                serde::de::Error::custom(format!(
                    "`level` must be \"1\", \"2\", \"3\", \"max\" or \"min\", not {text:?}"
                ))
            }),
        }
    }
}

impl JsonSchema for Level {
    fn schema_name() -> Cow<'static, str> {
        "Level".into()
    }

    /// No `enum`: a level outside it must reach the tool, which asks the driver.
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": ["string", "integer"],
            "description": "\"1\", \"2\", \"3\", \"max\" or \"min\"."
        })
    }

    fn inline_schema() -> bool {
        true
    }
}
