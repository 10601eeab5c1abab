//! What of a conversation is kept between utterances.

use super::wait::Wait;
use crate::clock::Timestamp;
use crate::control::{ASK_USER, AskUser};
use crate::history::History;
use crate::json_fault::json_fault;
use crate::message::{AssistantMessage, Message, ToolCall, ToolMessage};
use crate::outcome::Outcome;
use crate::response::Pending;
use crate::sentences::join_sentences;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

/// The version of the serialised state. A reader refuses what is newer than it knows.
const SCHEMA: u16 = 1;

/// How deep questions may stack. One more closes the oldest.
pub(crate) const DEPTH: usize = 5;

/// A conversation between two utterances: its history, the questions that are open (the last one
/// is asked now), and those of the same utterance that are still to be asked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Dialogue {
    schema: u16,
    pub(crate) history: History,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) waits: Vec<Wait>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) queue: Vec<AskUser>,
    /// Whether a question was ever open: the end is then COMPLETED, not SUCCESS.
    #[serde(default)]
    pub(crate) waited: bool,
    /// Whether the open question was not heard to its end.
    #[serde(default, skip_serializing_if = "is_false")]
    pub(crate) unheard: bool,
    /// When something was asked last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) asked_at: Option<Timestamp>,
    /// What the flows that wait have gathered, by tool.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) flows: BTreeMap<String, Value>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(value: &bool) -> bool {
    !value
}

/// Why a saved conversation cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DialogueError {
    /// It is no conversation.
    #[error("the saved conversation cannot be read: {}", json_fault(.0))]
    Malformed(#[from] serde_json::Error),
    /// A newer version wrote it.
    #[error("the saved conversation has schema {found}; this version reads up to {known}")]
    Newer {
        /// Its schema.
        found: u16,
        /// The newest schema known here.
        known: u16,
    },
}

/// What kind of answer the open question wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenQuestion {
    /// A value.
    Value,
    /// Whatever the model asked for in words.
    Words,
    /// A yes or a no to a held call.
    Confirm,
}

impl Dialogue {
    /// A conversation that starts with what was said before (a speaker's short-term memory).
    pub fn new(history: History) -> Self {
        Self {
            schema: SCHEMA,
            history,
            waits: Vec::new(),
            queue: Vec::new(),
            waited: false,
            unheard: false,
            asked_at: None,
            flows: BTreeMap::new(),
        }
    }

    /// Reads a saved conversation.
    ///
    /// # Errors
    /// [`DialogueError`] where it is none or from a newer version.
    pub fn from_json(state: &str) -> Result<Self, DialogueError> {
        #[derive(Deserialize)]
        struct Head {
            schema: u16,
        }
        let Head { schema } = serde_json::from_str(state)?;
        if schema > SCHEMA {
            return Err(DialogueError::Newer {
                found: schema,
                known: SCHEMA,
            });
        }
        Ok(serde_json::from_str(state)?)
    }

    /// Keeps the last `utterances` utterances with all that followed each; what is open stays open.
    pub fn keep_last(&mut self, utterances: usize) {
        self.history.keep_last(utterances);
    }

    /// Writes the conversation for a store.
    ///
    /// # Errors
    /// Where a value in it is none that JSON has.
    pub fn to_json(&self) -> Result<String, serde_json::Error> {
        serde_json::to_string(self)
    }

    /// The messages.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The messages, for keeping them as memory.
    pub fn into_history(self) -> History {
        self.history
    }

    /// The kind of the question that is asked now; `None`: nothing waits.
    pub fn open_question(&self) -> Option<OpenQuestion> {
        use super::wait::WaitKind;
        self.waits.last().map(|wait| match wait.kind {
            WaitKind::Value(_) => OpenQuestion::Value,
            WaitKind::Words => OpenQuestion::Words,
            WaitKind::Confirm(_) => OpenQuestion::Confirm,
        })
    }

    /// The question that is asked now.
    pub fn prompt(&self) -> Option<&str> {
        self.waits.last().map(|wait| wait.prompt.as_str())
    }

    /// The last reply in words, where it is the last thing of the conversation.
    pub fn last_said(&self) -> Option<&str> {
        match self.history.messages().last()? {
            Message::Assistant(reply) => Some(&reply.content),
            _ => None,
        }
    }

    /// What the model said in answer to the last utterance, oldest first: where each reply stands, and
    /// the reply.
    pub fn replies(&self) -> impl Iterator<Item = (usize, &AssistantMessage)> {
        let messages = self.history.messages();
        let said = messages.iter().rposition(|message| matches!(message, Message::User(_)));
        let replies = messages.iter().enumerate().skip(said.map_or(0, |at| at + 1));
        replies.filter_map(|(at, message)| match message {
            Message::Assistant(reply) => Some((at, reply)),
            _ => None,
        })
    }

    /// The last of them.
    pub fn last_reply(&self) -> Option<(usize, &AssistantMessage)> {
        self.replies().last()
    }

    /// Of the reply at `index` only `heard` was heard: no more of it stays, and it is marked as cut off.
    /// What it called stays. Nothing, where there is no reply.
    pub fn cut(&mut self, index: usize, heard: String) {
        self.history.cut(index, heard);
    }

    /// The open question was not heard to its end: until it was asked again, a yes is no answer to it.
    pub fn leave_unheard(&mut self) {
        self.unheard = !self.waits.is_empty();
    }

    /// Whether the open question was not heard to its end.
    pub fn is_unheard(&self) -> bool {
        self.unheard
    }

    /// The tool that waits for the answer, where code knows it.
    pub fn waiting_tool(&self) -> Option<&str> {
        self.waits.last().and_then(Wait::tool)
    }

    /// What waits for the answer, as a response shows it.
    pub fn pending(&self) -> Option<Pending> {
        self.waits.last().and_then(Wait::pending)
    }

    /// What the flow of `tool` has gathered, while it waits; only the flow knows the form.
    pub fn gathered(&self, tool: &str) -> Option<&Value> {
        self.flows.get(tool)
    }

    /// Lets the questions expire that wait no longer than `wait`, where a flow that does keeps the
    /// conversation: a yes to one of them, days later, is none.
    pub fn expire(&mut self, now: Timestamp, wait: Duration) {
        let stale = self.asked_at.is_some_and(|asked| now.since(asked) >= wait);
        if self.flows.is_empty() || !stale {
            return;
        }
        let before = self.waits.len();
        for index in (0..before).rev() {
            let tool = self.waits.get(index).and_then(Wait::tool);
            if !tool.is_some_and(|tool| self.flows.contains_key(tool)) {
                self.drop_wait(index);
            }
        }
        let flows = &self.flows;
        let flow = |ask: &AskUser| ask.tool.as_deref().is_some_and(|tool| flows.contains_key(tool));
        self.queue.retain(flow);
        // What waits now must be the last thing asked.
        if self.waits.len() < before
            && let Some(ask) = self.waits.last().and_then(Wait::as_ask)
        {
            self.enter_question("", &ask);
        }
    }

    /// Puts a question into the history, after `said`.
    pub(crate) fn enter_question(&mut self, said: &str, ask: &AskUser) {
        let arguments = serde_json::to_string(ask).unwrap_or_else(|_| "{}".into());
        let call = ToolCall::new(format!("ask_{}", self.history.messages().len()), ASK_USER, arguments);
        let result = ToolMessage::new(&call, r#"{"asked":true}"#, Outcome::Ok);
        let reply = AssistantMessage::calls(vec![call]).with_content(said);
        self.enter(reply, vec![result]);
    }

    /// Drops what flows gathered that do not wait any more.
    pub(crate) fn forget_ended_flows(&mut self) {
        let (waits, queue) = (&self.waits, &self.queue);
        let waiting = |tool: &str| {
            waits.iter().any(|wait| wait.tool() == Some(tool))
                || queue.iter().any(|ask| ask.tool.as_deref() == Some(tool))
        };
        self.flows.retain(|tool, _| waiting(tool));
    }

    /// Ends a confirmation of a call of `tool`: something about it is asked again.
    pub(crate) fn drop_held(&mut self, tool: &str) {
        let held = |wait: &Wait| matches!(wait.kind, super::wait::WaitKind::Confirm(_)) && wait.tool() == Some(tool);
        if let Some(index) = self.waits.iter().position(held) {
            self.drop_wait(index);
        }
    }

    /// The cabin context, with the call that waits for a yes: it stands nowhere else in the messages,
    /// and "no, the front one" can only be understood beside it.
    pub(crate) fn context_with_pending(&self, context: Option<String>) -> Option<String> {
        let Some(Pending::Confirm { confirm }) = self.pending() else {
            return context;
        };
        let parsed = context.as_deref().map(serde_json::from_str::<Map<String, Value>>);
        let mut object = match parsed {
            Some(Ok(object)) => object,
            None => Map::new(),
            // A host's context that is no object stays as it is.
            Some(Err(_)) => return context,
        };
        let mut pending = json!({ "confirm": confirm });
        if self.flows.contains_key(&confirm.tool)
            && let Some(pending) = pending.as_object_mut()
        {
            // What a flow gathered can still be changed, value by value.
            pending.insert("flow".into(), true.into());
        }
        object.insert("pending".into(), pending);
        Some(Value::Object(object).to_string())
    }

    pub(crate) fn queued(&self) -> Vec<Pending> {
        self.queue
            .iter()
            .cloned()
            .map(Wait::from_ask)
            .filter_map(|wait| wait.pending())
            .collect()
    }

    /// Ends a wait without its answer: a held call is answered in the history as cancelled.
    /// Drops the question that is open.
    pub(crate) fn drop_last_wait(&mut self) {
        if let Some(last) = self.waits.len().checked_sub(1) {
            self.drop_wait(last);
        }
    }

    pub(crate) fn drop_wait(&mut self, index: usize) {
        if index >= self.waits.len() {
            return;
        }
        if let super::wait::WaitKind::Confirm(mut batch) = self.waits.remove(index).kind {
            batch.cancel_open();
            let (reply, results, asks) = batch.into_exchange();
            self.enter(reply, results);
            self.queue.extend(asks);
        }
    }

    /// Adds a reply and its results, which fit by construction of the batch. Should they not, the
    /// reply's text is kept: the history stays valid and nothing that was said is lost.
    pub(crate) fn enter(&mut self, reply: AssistantMessage, results: Vec<ToolMessage>) {
        let content = reply.content.clone();
        if self.history.exchange(reply, results).is_err() {
            debug_assert!(false, "a batch's results did not fit its calls");
            self.say(content);
        }
    }

    /// Adds what was said without calls.
    pub(crate) fn say(&mut self, content: String) {
        self.enter_reply(AssistantMessage::text(content));
    }

    /// Adds to what was said last: an offer after the answer.
    pub fn say_more(&mut self, more: &str) {
        if !self.history.reword_last_reply(|said| join_sentences([said, more])) {
            self.say(more.to_owned());
        }
    }

    /// Adds a reply without calls.
    pub(crate) fn enter_reply(&mut self, reply: AssistantMessage) {
        let said = self.history.reply(reply);
        debug_assert!(said.is_ok(), "a text reply has no calls");
    }
}
