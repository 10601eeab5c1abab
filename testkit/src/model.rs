//! A model that says what the script says, and remembers what it was asked.

use futures_util::{StreamExt, stream};
use incar_core::{
    AssistantMessage, ChatModel, ChatRequest, Message, ModelError, ModelEvent, ModelFinish, ModelStream, Reasoning,
    ToolCall, Usage,
};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// One reply of a script.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum ScriptedReply {
    /// Text alone.
    Text(String),
    /// Anything else.
    Full(ScriptedParts),
}

/// The parts of a scripted reply.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct ScriptedParts {
    /// What it thinks before it says anything.
    pub reasoning: String,
    /// The text.
    pub text: String,
    /// The calls, each `{ tool_name = { argument = value } }`.
    pub calls: Vec<Map<String, Value>>,
    /// Calls whose arguments are written as the model wrote them, JSON or not.
    pub raw_calls: Vec<RawCall>,
    /// Why the model stopped; by default what the reply looks like.
    pub finish: Option<ModelFinish>,
    /// Input and output tokens as the service reports them.
    pub usage: Option<(u64, u64)>,
    /// The service cannot be reached (`unavailable`) or refuses (`rejected`).
    pub error: Option<ScriptedError>,
}

/// A call with its arguments as text.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RawCall {
    /// The tool.
    pub name: String,
    /// The arguments.
    pub arguments: String,
}

/// How a scripted model fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ScriptedError {
    /// It cannot be reached.
    Unavailable,
    /// It refuses.
    Rejected,
}

impl ScriptedReply {
    /// A reply that calls one tool.
    pub fn call(name: &str, arguments: Value) -> Self {
        let mut call = Map::new();
        call.insert(name.to_owned(), arguments);
        Self::Full(ScriptedParts {
            calls: vec![call],
            ..ScriptedParts::default()
        })
    }

    fn events(self, first_id: usize) -> Vec<Result<ModelEvent, ModelError>> {
        let parts = match self {
            Self::Text(text) => ScriptedParts {
                text,
                ..ScriptedParts::default()
            },
            Self::Full(parts) => parts,
        };
        match parts.error {
            Some(ScriptedError::Unavailable) => return vec![Err(ModelError::unavailable("scripted"))],
            Some(ScriptedError::Rejected) => return vec![Err(ModelError::rejected("scripted"))],
            None => {}
        }
        let mut events = Vec::new();
        if !parts.reasoning.is_empty() {
            events.push(Ok(ModelEvent::Reasoning(Reasoning {
                field: "reasoning_content".to_owned(),
                text: parts.reasoning,
            })));
        }
        if !parts.text.is_empty() {
            events.push(Ok(ModelEvent::Text(parts.text)));
        }
        let typed = parts
            .calls
            .into_iter()
            .flatten()
            .map(|(name, arguments)| (name, arguments.to_string()));
        let raw = parts.raw_calls.into_iter().map(|call| (call.name, call.arguments));
        let mut called = false;
        for (n, (name, arguments)) in typed.chain(raw).enumerate() {
            called = true;
            events.push(Ok(ModelEvent::ToolCall(ToolCall::new(
                format!("call_{}", first_id + n),
                name,
                arguments,
            ))));
        }
        if let Some((input, output)) = parts.usage {
            events.push(Ok(ModelEvent::Usage(Usage::new(input, output))));
        }
        let finish = parts.finish.unwrap_or(if called {
            ModelFinish::ToolCalls
        } else {
            ModelFinish::Stop
        });
        events.push(Ok(ModelEvent::Finish(finish)));
        events
    }
}

/// What a scripted model was asked.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Asked {
    /// The system prompt.
    pub system: String,
    /// The conversation.
    pub messages: Vec<Message>,
    /// The names of the offered tools; `None`: no tools.
    pub tools: Option<Vec<String>>,
}

#[derive(Debug, Default)]
struct State {
    replies: VecDeque<ScriptedReply>,
    asked: Vec<Asked>,
    calls: usize,
}

/// A model that answers from a script. Asked past its end it fails, and the test sees that.
///
/// ```
/// use incar_testkit::{ScriptedModel, ScriptedReply};
/// let model = ScriptedModel::default();
/// model.push(ScriptedReply::Text("Where would you like to go?".into()));
/// ```
#[derive(Debug, Default)]
pub struct ScriptedModel {
    state: Mutex<State>,
}

impl ScriptedModel {
    /// Adds a reply to the script.
    pub fn push(&self, reply: ScriptedReply) {
        self.lock().replies.push_back(reply);
    }

    /// Replies that were not asked for yet.
    pub fn left(&self) -> usize {
        self.lock().replies.len()
    }

    /// Forgets the script and what was asked.
    pub fn clear(&self) {
        *self.lock() = State::default();
    }

    /// What it was asked since this was last called.
    pub fn take_asked(&self) -> Vec<Asked> {
        std::mem::take(&mut self.lock().asked)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ChatModel for ScriptedModel {
    fn name(&self) -> &str {
        "scripted"
    }

    fn stream<'a>(&'a self, request: ChatRequest<'a>) -> ModelStream<'a> {
        let mut state = self.lock();
        state.asked.push(Asked {
            system: request.system.to_owned(),
            messages: request.messages.to_vec(),
            tools: request
                .tools
                .map(|tools| tools.specs().iter().map(|spec| spec.name.to_string()).collect()),
        });
        let events = match state.replies.pop_front() {
            Some(reply) => {
                let events = reply.events(state.calls);
                state.calls += events.len();
                events
            }
            None => vec![Err(ModelError::rejected("the script is over"))],
        };
        stream::iter(events).boxed()
    }
}

impl From<AssistantMessage> for ScriptedReply {
    fn from(message: AssistantMessage) -> Self {
        let raw_calls = message
            .tool_calls
            .into_iter()
            .map(|call| RawCall {
                name: call.name,
                arguments: call.arguments,
            })
            .collect();
        Self::Full(ScriptedParts {
            text: message.content,
            raw_calls,
            ..ScriptedParts::default()
        })
    }
}
