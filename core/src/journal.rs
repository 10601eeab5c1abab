//! What was about to be done, and what came of it: written before and after every effect.

use crate::clock::Timestamp;
use crate::outcome::Outcome;
use crate::speaker::Owner;
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
    /// Whose utterance wanted it.
    pub owner: Owner,
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
    pub fn new(
        key: String,
        owner: Owner,
        turn_id: String,
        tool: String,
        arguments: Value,
        effect: Effect,
        at: Timestamp,
    ) -> Self {
        Self {
            key,
            owner,
            turn_id,
            tool,
            arguments,
            effect,
            at,
        }
    }
}

/// An intent and what came of it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct JournalEntry {
    /// What was about to be done.
    pub intent: Intent,
    /// What came of it; none while it runs, and where the turn died in between.
    pub conclusion: Option<Conclusion>,
}

impl JournalEntry {
    /// An entry; made by journals.
    pub fn new(intent: Intent, conclusion: Option<Conclusion>) -> Self {
        Self { intent, conclusion }
    }

    /// Whether the effect may or may not have happened.
    pub fn in_doubt(&self) -> bool {
        match &self.conclusion {
            None => true,
            Some(conclusion) => conclusion.outcome == Outcome::Unknown,
        }
    }
}

/// What came of an intent.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Conclusion {
    /// How the call ended.
    pub outcome: Outcome,
    /// Its result ([`CallResult`](crate::turn::CallResult)) as JSON text.
    pub result: String,
}

impl Conclusion {
    /// A conclusion.
    pub fn new(outcome: Outcome, result: impl Into<String>) -> Self {
        Self {
            outcome,
            result: result.into(),
        }
    }
}

/// A journal that could not be written or read: the effect must not happen then.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the journal failed: {0}")]
pub struct JournalError(pub String);

/// The journal. An intent without an outcome is an effect in doubt.
///
/// Entries are by owner and key: a key means nothing to another owner.
#[async_trait]
pub trait Journal: Send + Sync + Debug {
    /// Writes an intent; returns once it is as safe as the journal makes it. One that comes again
    /// with the key of one in doubt is another try of the same call, and takes its place.
    ///
    /// # Errors
    /// Where it was not written: the call does not run then.
    async fn intend(&self, intent: Intent) -> Result<(), JournalError>;

    /// Writes what came of an intent that is in doubt.
    ///
    /// # Errors
    /// Where it was not written: the effect is in doubt after a crash.
    async fn conclude(&self, owner: &Owner, key: &str, conclusion: Conclusion) -> Result<(), JournalError>;

    /// The latest entry with this key; `None` where nothing was intended, or too long ago.
    ///
    /// # Errors
    /// Where the journal cannot be read.
    async fn find(&self, owner: &Owner, key: &str) -> Result<Option<JournalEntry>, JournalError>;

    /// Deletes all entries of `owner`.
    ///
    /// # Errors
    /// Where that failed; some may be left then.
    async fn forget(&self, owner: &Owner) -> Result<(), JournalError>;
}
