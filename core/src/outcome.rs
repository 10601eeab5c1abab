//! How a call of a tool ended.

use serde::{Deserialize, Serialize};

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It did what it says.
    Ok,
    /// It failed; nothing changed, or the result says what did.
    Error,
    /// A policy refused it; nothing changed.
    Denied,
    /// The speaker called it off before it ran; nothing changed.
    Cancelled,
    /// It may or may not have happened.
    Unknown,
}

impl Outcome {
    /// The outcome's name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Denied => "denied",
            Self::Cancelled => "cancelled",
            Self::Unknown => "unknown",
        }
    }
}
