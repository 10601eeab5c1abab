//! Values of signals.

use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use std::fmt;

/// The value of a signal.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum SignalValue {
    /// On or off, open or shut.
    Bool(bool),
    /// A number in the signal's unit.
    Number(f64),
    /// A text or one of the signal's allowed names.
    Text(String),
}

impl SignalValue {
    /// The number, if it is one.
    pub fn as_number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Bool(_) | Self::Text(_) => None,
        }
    }

    /// The boolean, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            Self::Number(_) | Self::Text(_) => None,
        }
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Bool(_) | Self::Number(_) => None,
        }
    }
}

/// A number as JSON: whole numbers without a fraction.
#[allow(clippy::cast_possible_truncation)] // a float of that size is whole and fits
pub(crate) fn number(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 9.0e15 {
        Value::from(number as i64)
    } else {
        Value::from(number)
    }
}

impl From<&SignalValue> for Value {
    fn from(value: &SignalValue) -> Self {
        match value {
            SignalValue::Bool(value) => Self::from(*value),
            SignalValue::Number(value) => number(*value),
            SignalValue::Text(value) => Self::from(value.as_str()),
        }
    }
}

impl Serialize for SignalValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Value::from(self).serialize(serializer)
    }
}

impl fmt::Display for SignalValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Number(value) => write!(f, "{value}"),
            Self::Text(value) => f.write_str(value),
        }
    }
}

impl From<bool> for SignalValue {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<f64> for SignalValue {
    fn from(value: f64) -> Self {
        Self::Number(value)
    }
}

impl From<&str> for SignalValue {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for SignalValue {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

/// A JSON value that no signal can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a signal is a boolean, a number or a text, not {0}")]
pub struct NoSignalValue(String);

impl TryFrom<&Value> for SignalValue {
    type Error = NoSignalValue;

    fn try_from(value: &Value) -> Result<Self, Self::Error> {
        match value {
            Value::Bool(value) => Ok(Self::Bool(*value)),
            Value::Number(value) => value.as_f64().map_or_else(
                || Err(NoSignalValue(value.to_string())),
                |value| Ok(Self::Number(value)),
            ),
            Value::String(value) => Ok(Self::Text(value.clone())),
            Value::Null | Value::Array(_) | Value::Object(_) => Err(NoSignalValue(value.to_string())),
        }
    }
}
