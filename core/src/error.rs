//! The kinds of failure a host can tell apart.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What went wrong, as `error.kind` of a response says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorKind {
    /// A policy or permission refused it.
    Denied,
    /// The car or the back end cannot do it.
    Unsupported,
    /// The input was not usable (empty id, too long, arguments that miss the schema).
    InvalidInput,
    /// The session id is unknown, finished or somebody else's.
    UnknownSession,
    /// Another utterance of the same session or speaker is being served.
    Busy,
    /// A value outside what the tool accepts.
    OutOfRange,
    /// Nothing by that name.
    NotFound,
    /// A tool failed.
    ToolFailed,
    /// A tool did not answer in time; what it did is unknown.
    ToolTimeout,
    /// No model could be reached.
    ModelUnavailable,
    /// The model's service refused the request or the content.
    ModelRejected,
    /// The turn's time ran out.
    Deadline,
    /// The session store failed.
    Store,
    /// A fault of incar or its host.
    Internal,
}

impl ErrorKind {
    /// The kind's name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Denied => "denied",
            Self::Unsupported => "unsupported",
            Self::InvalidInput => "invalid_input",
            Self::UnknownSession => "unknown_session",
            Self::Busy => "busy",
            Self::OutOfRange => "out_of_range",
            Self::NotFound => "not_found",
            Self::ToolFailed => "tool_failed",
            Self::ToolTimeout => "tool_timeout",
            Self::ModelUnavailable => "model_unavailable",
            Self::ModelRejected => "model_rejected",
            Self::Deadline => "deadline",
            Self::Store => "store",
            Self::Internal => "internal",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
