//! What the line does and has done.

use incar_core::Timestamp;
use serde::Serialize;

/// The telephone's one line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Line {
    /// The call there is, if any.
    pub call: Option<LineCall>,
    /// Whether calls are heard from the loudspeakers.
    pub speaker: bool,
}

impl Line {
    /// A line with this call on it.
    pub fn new(call: Option<LineCall>, speaker: bool) -> Self {
        Self { call, speaker }
    }
}

/// A call that goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LineCall {
    /// The other side's number.
    pub number: String,
    /// Who called whom.
    pub direction: CallDirection,
    /// How far it has come.
    pub state: CallState,
    /// Since when it has been in this state.
    pub since: Timestamp,
    /// Whether the microphone is off.
    pub muted: bool,
}

impl LineCall {
    /// A call that has come to `state` at `since`, its microphone live.
    pub fn new(number: impl Into<String>, direction: CallDirection, state: CallState, since: Timestamp) -> Self {
        Self {
            number: number.into(),
            direction,
            state,
            since,
            muted: false,
        }
    }
}

/// Who called whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // The names say it.
pub enum CallDirection {
    Incoming,
    Outgoing,
}

/// How far a call has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CallState {
    /// The number is being dialled.
    Dialing,
    /// It rings: there, or here where the call comes in.
    Ringing,
    /// Both sides can talk.
    Active,
}

impl CallState {
    /// Its name in results.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Dialing => "dialing",
            Self::Ringing => "ringing",
            Self::Active => "active",
        }
    }
}

/// A call that is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CallRecord {
    /// The other side's number.
    pub number: String,
    /// Who called whom.
    pub direction: CallDirection,
    /// How it ended.
    pub end: CallEnd,
    /// When it began to ring or was dialled.
    pub at: Timestamp,
}

impl CallRecord {
    /// A call of `number` that began `at`.
    pub fn new(number: impl Into<String>, direction: CallDirection, end: CallEnd, at: Timestamp) -> Self {
        Self {
            number: number.into(),
            direction,
            end,
            at,
        }
    }

    /// Whether somebody called and was neither answered nor refused.
    pub fn is_missed(&self) -> bool {
        self.direction == CallDirection::Incoming && self.end == CallEnd::Unanswered
    }
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CallEnd {
    /// The two sides talked.
    Talked,
    /// Nobody took it.
    Unanswered,
    /// It was refused.
    Rejected,
}

/// A message that was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SentMessage {
    /// To which number.
    pub number: String,
    /// What it says.
    pub text: String,
    /// When.
    pub at: Timestamp,
}

impl SentMessage {
    /// A message sent to `number` `at` that time.
    pub fn new(number: impl Into<String>, text: impl Into<String>, at: Timestamp) -> Self {
        Self {
            number: number.into(),
            text: text.into(),
            at,
        }
    }
}
