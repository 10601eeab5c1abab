//! Where an argument's value comes from.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a call's argument has its value from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Provenance {
    /// What the speaker just said: the value itself, a synonym, another form of the number.
    Utterance,
    /// Something said or done earlier in the conversation.
    EarlierTurn,
    /// A tool's result.
    Result,
    /// The state of the car as the cabin context tells it.
    State,
    /// What the speaker prefers, as it was stored.
    Preference,
    /// What the tool fills in unasked: its default, or what the state of the car decides.
    Completion,
    /// The model concluded it from words that the device cannot read, or from the answer to a
    /// question about it.
    Inferred,
}

impl Provenance {
    /// Its name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Utterance => "utterance",
            Self::EarlierTurn => "earlier_turn",
            Self::Result => "result",
            Self::State => "state",
            Self::Preference => "preference",
            Self::Completion => "completion",
            Self::Inferred => "inferred",
        }
    }
}
