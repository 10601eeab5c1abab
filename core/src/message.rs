//! The messages of a conversation.

use crate::outcome::Outcome;
use crate::private::Private;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One message of a conversation. The system prompt is none of them: it belongs to the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Message {
    /// What the car knew when the next utterance was said (seat, speed, what is on), as JSON.
    Context(TextMessage),
    /// What the speaker said.
    User(TextMessage),
    /// What the model said or called.
    Assistant(AssistantMessage),
    /// What a tool answered.
    Tool(ToolMessage),
}

/// A message that is only text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextMessage {
    /// The text.
    pub content: String,
}

/// What the model said, thought and called in one reply.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AssistantMessage {
    /// The text; empty where the model only called tools.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub content: String,
    /// The reasoning that came with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<Reasoning>,
    /// The calls, in the order the model made them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tool_calls: Vec<ToolCall>,
    /// Whether the speaker cut it off: `content` is then what was heard of it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub interrupted: bool,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_false(value: &bool) -> bool {
    !value
}

impl AssistantMessage {
    /// A reply that is text alone.
    pub fn text(content: impl Into<String>) -> Self {
        Self {
            content: content.into(),
            ..Self::default()
        }
    }

    /// A reply that calls tools.
    pub fn calls(tool_calls: Vec<ToolCall>) -> Self {
        Self {
            tool_calls,
            ..Self::default()
        }
    }

    /// The same message with `content` beside its calls.
    #[must_use]
    pub fn with_content(mut self, content: impl Into<String>) -> Self {
        self.content = content.into();
        self
    }
}

/// Reasoning text and the wire field it came in, so that it can be sent back under the same name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reasoning {
    /// The field: `reasoning_content` (DeepSeek, DashScope) or `reasoning` (Ollama, vLLM, OpenRouter).
    pub field: String,
    /// The text.
    pub text: String,
}

/// A tool call as the model made it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The call's id, unique within its reply.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments as the model wrote them: JSON text that may be wrong. It is kept byte for byte.
    pub arguments: String,
    /// The question to be answered with yes before the call runs, where the model doubts that it is what was meant:
    /// "Did you mean …?"
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unsure: Option<String>,
}

impl ToolCall {
    /// A call.
    pub fn new(id: impl Into<String>, name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            name: name.into(),
            arguments: arguments.into(),
            unsure: None,
        }
    }

    /// The arguments as JSON. A call without arguments may come as an empty text; anything else must be JSON.
    ///
    /// # Errors
    /// Where it is not.
    pub fn parsed(&self) -> Result<Value, serde_json::Error> {
        if self.arguments.trim().is_empty() {
            return Ok(Value::Object(Map::new()));
        }
        serde_json::from_str(&self.arguments)
    }

    /// The call with a question to be answered with yes before it runs.
    #[must_use]
    pub fn unsure(mut self, question: impl Into<String>) -> Self {
        self.unsure = Some(question.into());
        self
    }
}

/// What a tool answered to one call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolMessage {
    /// The call it answers.
    pub call_id: String,
    /// The tool's name.
    pub name: String,
    /// The result as JSON text: what a model reads.
    pub content: String,
    /// How the call ended.
    pub outcome: Outcome,
    /// What the tool would say of it, in the speaker's language. Read by the embedded brain and by
    /// replies that code makes; never sent to a model's service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub say: Option<String>,
    /// What the content has handles of. Never sent to a model's service.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub private: Vec<Private>,
    /// Whether the content came from outside (a page, a message, an MCP server): data, never
    /// instructions.
    #[serde(default, skip_serializing_if = "is_false")]
    pub untrusted: bool,
}

impl ToolMessage {
    /// The answer `content` to `call`.
    pub fn new(call: &ToolCall, content: impl Into<String>, outcome: Outcome) -> Self {
        Self {
            call_id: call.id.clone(),
            name: call.name.clone(),
            content: content.into(),
            outcome,
            say: None,
            private: Vec::new(),
            untrusted: false,
        }
    }
}

impl Message {
    /// An utterance.
    pub fn user(content: impl Into<String>) -> Self {
        Self::User(TextMessage {
            content: content.into(),
        })
    }

    /// Cabin context.
    pub fn context(content: impl Into<String>) -> Self {
        Self::Context(TextMessage {
            content: content.into(),
        })
    }

    /// The message's text.
    pub fn content(&self) -> &str {
        match self {
            Self::Context(text) | Self::User(text) => &text.content,
            Self::Assistant(reply) => &reply.content,
            Self::Tool(result) => &result.content,
        }
    }
}
