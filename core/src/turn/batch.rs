//! The calls of one reply, on their way from the model to their results.

use super::Origin;
use crate::control::AskUser;
use crate::error::ErrorKind;
use crate::message::{AssistantMessage, ToolCall, ToolMessage};
use crate::outcome::Outcome;
use crate::private::Private;
use crate::provenance::Provenance;
use crate::spec::{Concurrency, Effect, ToolSpec};
use crate::tool::{Resolved, ToolError, ToolOutput};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A reply and its calls. The reply enters the history only with all results.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Batch {
    pub(crate) reply: AssistantMessage,
    pub(crate) entries: Vec<Entry>,
    /// Questions that the reply asked through `ask_user`, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) asks: Vec<AskUser>,
    /// Whether the first of them is code's own: it stands in no message yet.
    #[serde(default)]
    pub(crate) asked_by_code: bool,
}

/// One call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) call: ToolCall,
    /// The policy that added it; none: the model's reply did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) policy: Option<String>,
    /// Who outside the car wants it; none: somebody in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) outside: Option<String>,
    /// The arguments, parsed; the text itself where it is no JSON.
    #[serde(default)]
    pub(crate) arguments: Value,
    #[serde(default)]
    pub(crate) cleared: Cleared,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) provenance: BTreeMap<String, Provenance>,
    pub(crate) state: EntryState,
}

impl Entry {
    pub(crate) fn new(call: ToolCall, policy: Option<String>) -> Self {
        Self {
            call,
            policy,
            outside: None,
            arguments: Value::Null,
            cleared: Cleared::default(),
            provenance: BTreeMap::new(),
            state: EntryState::New,
        }
    }

    pub(crate) fn origin(&self) -> Origin {
        if self.policy.is_some() {
            Origin::Policy
        } else if self.outside.is_some() {
            Origin::Outside
        } else if self.cleared.confirmed {
            Origin::Driver
        } else {
            Origin::Model
        }
    }
}

/// What of a call's policies is settled already.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Cleared {
    /// The driver said yes to exactly this call.
    pub(crate) confirmed: bool,
    /// What policies add to it runs before it.
    pub(crate) amended: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum EntryState {
    /// Not looked at yet.
    New,
    /// May run.
    Ready {
        resolved: Resolved,
        concurrency: Concurrency,
    },
    /// Waits for the driver's yes.
    Held { question: String },
    /// Ended.
    Done(CallResult),
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct CallResult {
    /// The result, for the model and the host.
    pub value: Value,
    /// How it ended.
    pub outcome: Outcome,
    /// What to say of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub say: Option<String>,
    /// What the value has handles of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub private: Vec<Private>,
    /// What kind of failure it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorKind>,
    /// Whether the result is data from outside.
    #[serde(default)]
    pub untrusted: bool,
    /// What the call did, where it ran.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub effect: Option<Effect>,
}

impl CallResult {
    /// The tool did its work.
    pub fn ok(output: ToolOutput, effect: Effect) -> Self {
        let ToolOutput { value, say, private } = output;
        Self {
            value,
            outcome: Outcome::Ok,
            say,
            private,
            error: None,
            untrusted: false,
            effect: Some(effect),
        }
    }

    /// The tool did not.
    pub fn failed(error: &ToolError) -> Self {
        Self {
            value: error.to_value(),
            outcome: error.outcome(),
            say: Some(error.message.clone()),
            private: Vec::new(),
            error: Some(error.kind),
            untrusted: false,
            effect: None,
        }
    }

    /// The call never reached a tool: what is wrong with it, for the model, and what would fit.
    pub fn misfit(message: &str, schema: Option<&Value>) -> Self {
        let mut error = json!({"kind": ErrorKind::InvalidInput, "message": message});
        if let (Some(schema), Some(error)) = (schema, error.as_object_mut()) {
            error.insert("schema".into(), schema.clone());
        }
        Self {
            value: json!({ "error": error }),
            outcome: Outcome::Error,
            say: None,
            private: Vec::new(),
            error: Some(ErrorKind::InvalidInput),
            untrusted: false,
            effect: None,
        }
    }

    /// The call's arguments are no JSON ([`ToolCall::parsed`]).
    pub fn not_json(error: &serde_json::Error, schema: Option<&Value>) -> Self {
        Self::misfit(&format!("the arguments are not JSON: {error}"), schema)
    }

    /// The same result, marked as data from outside where those of its tool are.
    #[must_use]
    pub fn of_tool(mut self, tool: &ToolSpec) -> Self {
        self.untrusted = tool.untrusted;
        self
    }

    pub(crate) fn refused(kind: ErrorKind, outcome: Outcome, message: &str) -> Self {
        Self {
            value: json!({"error": {"kind": kind, "message": message}}),
            outcome,
            say: Some(message.to_owned()),
            private: Vec::new(),
            error: Some(kind),
            untrusted: false,
            effect: None,
        }
    }

    /// The call was called off before it ran, or talked over and dropped without having changed anything.
    pub fn cancelled() -> Self {
        Self {
            value: json!({"cancelled": true}),
            outcome: Outcome::Cancelled,
            say: None,
            private: Vec::new(),
            error: None,
            untrusted: false,
            effect: None,
        }
    }

    fn message(&self, call: &ToolCall) -> ToolMessage {
        // Not `Value::to_string`, which writes piece by piece. A value can always be written.
        let content = serde_json::to_string(&self.value).unwrap_or_default();
        let mut message = ToolMessage::new(call, content, self.outcome);
        message.say.clone_from(&self.say);
        message.private.clone_from(&self.private);
        message.untrusted = self.untrusted;
        message
    }
}

/// What to do next about a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Todo {
    Resolve(usize),
    Run(Vec<usize>),
    Held,
    Close,
}

impl Batch {
    pub(crate) fn new(reply: AssistantMessage) -> Self {
        let entries = reply
            .tool_calls
            .iter()
            .map(|call| Entry::new(call.clone(), None))
            .collect();
        Self {
            reply,
            entries,
            asks: Vec::new(),
            asked_by_code: false,
        }
    }

    /// Calls are looked at in order. Those that may run beside others are gathered and run
    /// together; before one that may not, the gathered ones run first, then it alone, so that
    /// each call is judged against the state after the earlier ones.
    pub(crate) fn todo(&self) -> Todo {
        let mut gathered = Vec::new();
        for (index, entry) in self.entries.iter().enumerate() {
            match &entry.state {
                EntryState::Done(_) | EntryState::Held { .. } => {}
                EntryState::Ready {
                    concurrency: Concurrency::Concurrent,
                    ..
                } => gathered.push(index),
                EntryState::Ready {
                    concurrency: Concurrency::Serial,
                    ..
                } if gathered.is_empty() => {
                    return Todo::Run(vec![index]);
                }
                EntryState::Ready {
                    concurrency: Concurrency::Serial,
                    ..
                } => return Todo::Run(gathered),
                EntryState::New => return Todo::Resolve(index),
            }
        }
        if !gathered.is_empty() {
            Todo::Run(gathered)
        } else if self.held().is_some() {
            Todo::Held
        } else {
            Todo::Close
        }
    }

    /// How many equal calls before this one are still to be done.
    pub(crate) fn pending_before(&self, index: usize, tool: &str, arguments: &Value) -> usize {
        let pending = |other: &&Entry| {
            matches!(other.state, EntryState::Held { .. } | EntryState::Ready { .. })
                && other.call.name == tool
                && other.arguments == *arguments
        };
        self.entries.iter().take(index).filter(pending).count()
    }

    pub(crate) fn held(&self) -> Option<&Entry> {
        self.entries
            .iter()
            .find(|entry| matches!(entry.state, EntryState::Held { .. }))
    }

    pub(crate) fn held_mut(&mut self) -> Option<&mut Entry> {
        self.entries
            .iter_mut()
            .find(|entry| matches!(entry.state, EntryState::Held { .. }))
    }

    /// What a flow made of earlier calls of this reply gives way to what it makes of the one at
    /// `index`: that knows what they said.
    pub(crate) fn supersede(&mut self, tool: &str, index: usize) {
        self.asks.retain(|ask| ask.tool.as_deref() != Some(tool));
        for entry in self.entries.iter_mut().take(index) {
            if entry.call.name == tool && matches!(entry.state, EntryState::Held { .. }) {
                entry.state = EntryState::Done(CallResult::cancelled());
            }
        }
    }

    /// Ends every call that has not ended: nothing of it runs.
    pub(crate) fn cancel_open(&mut self) {
        for entry in &mut self.entries {
            if !matches!(entry.state, EntryState::Done(_)) {
                entry.state = EntryState::Done(CallResult::cancelled());
            }
        }
    }

    /// The reply and the results of its own calls, in the order called, for the history. What
    /// policies added is told with the call it was added for.
    pub(crate) fn into_exchange(self) -> (AssistantMessage, Vec<ToolMessage>, Vec<AskUser>) {
        let mut results = Vec::with_capacity(self.reply.tool_calls.len());
        let mut added: Vec<Value> = Vec::new();
        for entry in self.entries {
            let result = match entry.state {
                EntryState::Done(result) => result,
                EntryState::New | EntryState::Ready { .. } | EntryState::Held { .. } => CallResult::cancelled(),
            };
            if let Some(policy) = entry.policy {
                added.push(json!({"tool": entry.call.name, "arguments": entry.arguments, "by": policy, "outcome": result.outcome}));
                continue;
            }
            let mut message = result.message(&entry.call);
            if !added.is_empty() {
                let mut value = result.value;
                if let Some(object) = value.as_object_mut() {
                    object.insert("also".into(), std::mem::take(&mut added).into());
                    message.content = value.to_string();
                }
            }
            results.push(message);
        }
        (self.reply, results, self.asks)
    }
}
