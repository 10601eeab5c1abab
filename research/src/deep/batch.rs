//! The calls of one reply.

use super::control::{self, Control};
use incar_core::turn::CallResult;
use incar_core::{AssistantMessage, Outcome, ToolCall, ToolMessage};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The calls of one reply, and what they come to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Batch {
    reply: AssistantMessage,
    pub(super) entries: Vec<Entry>,
    /// What the model wants once the calls have ended.
    pub(super) control: Option<Control>,
    pub(super) purpose: Purpose,
}

/// What calls are made for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Purpose {
    /// The model wants them.
    Reply,
    /// A page is read because what a search found was not enough.
    FollowUp {
        /// What was searched for.
        query: String,
        /// What is still to be found out.
        subtask: String,
    },
}

/// One call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Entry {
    pub(super) call: ToolCall,
    pub(super) arguments: Value,
    pub(super) state: EntryState,
}

/// How far a call is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum EntryState {
    /// Not looked at yet.
    New,
    /// May run.
    Ready,
    /// It ran.
    Ran(CallResult),
    /// It has a result without having run.
    Answered(CallResult),
}

/// What is to be done about a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Todo {
    Resolve(usize),
    Run(Vec<usize>),
    Close,
}

impl Batch {
    /// The calls of a reply; the first of those that steer is heard, and of the others so many may run.
    pub(super) fn of(reply: AssistantMessage, allowed: u32, purpose: Purpose) -> Self {
        let mut control = None;
        let mut left = allowed;
        let mut entry = |call: &ToolCall| {
            let state = match control::read(call) {
                Some(Err(misfit)) => EntryState::Answered(misfit),
                Some(Ok(_)) if control.is_some() => EntryState::Answered(CallResult::misfit(
                    "one thing at a time: another call of this reply says what comes next",
                    None,
                )),
                Some(Ok(wish)) => {
                    control = Some(wish);
                    EntryState::Answered(control::noted())
                }
                None if left == 0 => {
                    EntryState::Answered(CallResult::misfit("not run: too many calls in this run", None))
                }
                None => {
                    left -= 1;
                    EntryState::New
                }
            };
            Entry {
                call: call.clone(),
                arguments: Value::Null,
                state,
            }
        };
        let entries = reply.tool_calls.iter().map(&mut entry).collect();
        Self {
            reply,
            entries,
            control,
            purpose,
        }
    }

    pub(super) fn todo(&self) -> Todo {
        let at = |wanted: fn(&EntryState) -> bool| {
            let entries = self.entries.iter().enumerate();
            entries.filter_map(move |(index, entry)| wanted(&entry.state).then_some(index))
        };
        if let Some(index) = at(|state| matches!(state, EntryState::New)).next() {
            return Todo::Resolve(index);
        }
        match at(|state| matches!(state, EntryState::Ready)).collect::<Vec<_>>() {
            ready if ready.is_empty() => Todo::Close,
            ready => Todo::Run(ready),
        }
    }

    /// Whether an earlier call of the batch asks the very same.
    pub(super) fn has_before(&self, index: usize, name: &str, arguments: &Value) -> bool {
        self.entries
            .iter()
            .take(index)
            .any(|entry| entry.call.name == name && entry.arguments == *arguments)
    }

    /// Whether there were calls of tools, and all of them failed.
    pub(super) fn all_failed(&self) -> bool {
        let mut own = self
            .entries
            .iter()
            .filter(|entry| control::read(&entry.call).is_none())
            .peekable();
        own.peek().is_some()
            && own.all(|entry| match &entry.state {
                EntryState::Ran(result) | EntryState::Answered(result) => result.outcome != Outcome::Ok,
                EntryState::New | EntryState::Ready => true,
            })
    }

    /// The reply and its results, in the order called.
    pub(super) fn into_exchange(self) -> (AssistantMessage, Vec<ToolMessage>) {
        let message = |entry: Entry| {
            let result = match entry.state {
                EntryState::Ran(result) | EntryState::Answered(result) => result,
                EntryState::New | EntryState::Ready => CallResult::cancelled(),
            };
            let mut message = ToolMessage::new(&entry.call, result.value.to_string(), result.outcome);
            message.untrusted = result.untrusted;
            message
        };
        let results = self.entries.into_iter().map(message).collect();
        (self.reply, results)
    }
}
