//! What was about to be done, and what came of it: written before and after every effect.

use crate::clock::Timestamp;
use crate::outcome::Outcome;
use crate::spec::Effect;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Debug;

/// An effect about to happen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Intent {
    /// The idempotency key: the same for each try of one call, different for every other call.
    pub key: String,
    /// The turn.
    pub turn_id: String,
    /// The tool.
    pub tool: String,
    /// The resolved arguments.
    pub arguments: Value,
    /// What it does.
    pub effect: Effect,
    /// When.
    pub at: Timestamp,
}

impl Intent {
    /// An intent.
    pub fn new(key: String, turn_id: String, tool: String, arguments: Value, effect: Effect, at: Timestamp) -> Self {
        Self {
            key,
            turn_id,
            tool,
            arguments,
            effect,
            at,
        }
    }
}

/// A journal that could not be written: the effect must not happen then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the journal failed: {0}")]
pub struct JournalError(pub String);

/// The journal. An intent without an outcome is an effect in doubt.
#[async_trait]
pub trait Journal: Send + Sync + Debug {
    /// Writes an intent; returns once it is as safe as the journal makes it.
    ///
    /// # Errors
    /// Where it was not written: the call does not run then.
    async fn intend(&self, intent: Intent) -> Result<(), JournalError>;

    /// Writes what came of it.
    ///
    /// # Errors
    /// Where it was not written: the effect is in doubt after a crash.
    async fn conclude(&self, key: &str, outcome: Outcome, result: &str) -> Result<(), JournalError>;
}
