//! Which model answered, and why that one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which model answered, and why that one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ModelChoice {
    /// Its name.
    pub name: String,
    /// Why it was asked.
    pub why: ModelReason,
    /// Those that came before it and did not answer, in the order in which they were to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub passed: Vec<PassedModel>,
}

impl ModelChoice {
    /// A choice and its reason.
    pub fn new(name: impl Into<String>, why: ModelReason) -> Self {
        Self {
            name: name.into(),
            why,
            passed: Vec::new(),
        }
    }

    /// The same choice after these were passed over.
    #[must_use]
    pub fn after(mut self, passed: Vec<PassedModel>) -> Self {
        self.passed = passed;
        self
    }
}

/// Why a model was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelReason {
    /// It is the assistant's only one.
    Configured,
    /// It is the first of several.
    First,
    /// Those before it did not answer.
    Fallback,
    /// It is on the device and sure of what was said.
    Sure,
    /// Only models on the device may be asked.
    DeviceOnly,
}

impl ModelReason {
    /// The reason's name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Configured => "configured",
            Self::First => "first",
            Self::Fallback => "fallback",
            Self::Sure => "sure",
            Self::DeviceOnly => "device_only",
        }
    }
}

/// A model that did not answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct PassedModel {
    /// Its name.
    pub name: String,
    /// Why it did not.
    pub why: PassedReason,
}

impl PassedModel {
    /// A model and why it did not answer.
    pub fn new(name: impl Into<String>, why: PassedReason) -> Self {
        Self { name: name.into(), why }
    }
}

/// Why a model did not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PassedReason {
    /// It failed too often a short while ago, or wants to be left alone, and was not asked.
    Resting,
    /// It could not be reached, failed, or sent what is no reply.
    Unavailable,
    /// It took too long.
    Late,
    /// Its service turned the caller away: a wrong key, an unknown model, an unpaid bill.
    Refused,
}

impl PassedReason {
    /// The reason's name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Resting => "resting",
            Self::Unavailable => "unavailable",
            Self::Late => "late",
            Self::Refused => "refused",
        }
    }
}
