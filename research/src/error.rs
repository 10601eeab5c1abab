//! Why there is no answer.

use crate::ask::AskError;
use crate::id::RunId;
use crate::storage::StorageError;
use incar_core::{ErrorKind, ModelError};
use serde_json::{Value, json};

/// The longest question, in characters.
pub const LONGEST_QUESTION: usize = 8_000;

/// Why there is no answer. What a run had done by then is kept: it can be resumed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ResearchError {
    /// Nothing was asked.
    #[error("the question is empty")]
    NoQuestion,
    /// The question is a text, not a question.
    #[error("the question has {characters} characters; {LONGEST_QUESTION} are read")]
    QuestionTooLong {
        /// How long it is.
        characters: usize,
    },
    /// The model did not answer.
    #[error("the model did not answer: {0}")]
    Model(#[from] ModelError),
    /// The model's answer could not be used, not even after it was told what was wrong.
    #[error("the model's answer cannot be used: {fault}")]
    Unusable {
        /// What was wrong.
        fault: String,
        /// The beginning of the answer.
        reply: String,
    },
    /// Nothing could be written or read.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// There is no such run.
    #[error("there is no run `{0}`")]
    UnknownRun(RunId),
    /// What was kept of the run is none of this version.
    #[error("the run `{id}` cannot be read: {reason}")]
    Unreadable {
        /// The run.
        id: RunId,
        /// Why.
        reason: String,
    },
}

impl ResearchError {
    /// The kind of failure, as responses name it.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::NoQuestion | Self::QuestionTooLong { .. } => ErrorKind::InvalidInput,
            Self::Model(error) => error.kind,
            Self::Unusable { .. } => ErrorKind::ModelRejected,
            Self::Storage(_) => ErrorKind::Store,
            Self::UnknownRun(_) => ErrorKind::NotFound,
            Self::Unreadable { .. } => ErrorKind::Internal,
        }
    }
}

impl From<AskError> for ResearchError {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Model(error) => Self::Model(error),
            AskError::Unusable { fault, reply } => Self::Unusable { fault, reply },
        }
    }
}

/// A failure as programs are told it.
pub(crate) fn failure(kind: ErrorKind, message: &str) -> Value {
    json!({"error": {"kind": kind, "message": message}})
}

/// A question that can be researched, without the blanks around it.
pub(crate) fn checked(question: &str) -> Result<&str, ResearchError> {
    let question = question.trim();
    if question.is_empty() {
        return Err(ResearchError::NoQuestion);
    }
    match question.chars().count() {
        characters if characters > LONGEST_QUESTION => Err(ResearchError::QuestionTooLong { characters }),
        _ => Ok(question),
    }
}
