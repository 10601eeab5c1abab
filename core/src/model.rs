//! Who thinks: anything that answers messages with text or tool calls.

use crate::choice::ModelChoice;
use crate::error::ErrorKind;
use crate::lang::Lang;
use crate::message::{AssistantMessage, Message, Reasoning, ToolCall};
use crate::preferences::Preferences;
use crate::registry::ToolSet;
use crate::speaker::Speaker;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use serde::{Deserialize, Serialize};
use std::fmt::{self, Debug};
use std::time::Duration;

/// What a model is asked: the whole conversation and the tools it may call.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ChatRequest<'a> {
    /// The system prompt.
    pub system: &'a str,
    /// The conversation, oldest first.
    pub messages: &'a [Message],
    /// The tools it may call; `None`: it must answer in words.
    pub tools: Option<&'a ToolSet>,
    /// All tools of the assistant, where `tools` is but a shortlist of them: for a model that takes
    /// them all, among several of which another does not.
    pub all_tools: Option<&'a ToolSet>,
    /// The turn's id, the same in each of its rounds; empty outside a turn. Stays on the device.
    pub turn: &'a str,
    /// The speaker's language.
    pub lang: Lang,
    /// Who spoke. Stays on the device.
    pub speaker: &'a Speaker,
    /// What the speaker wants where nothing else is said. Stays on the device.
    pub preferences: &'a Preferences,
}

impl<'a> ChatRequest<'a> {
    /// A request.
    pub fn new(system: &'a str, messages: &'a [Message], speaker: &'a Speaker, lang: Lang) -> Self {
        Self {
            system,
            messages,
            tools: None,
            all_tools: None,
            turn: "",
            lang,
            speaker,
            preferences: Preferences::NONE,
        }
    }

    /// The same request with tools offered.
    #[must_use]
    pub fn with_tools(mut self, tools: &'a ToolSet) -> Self {
        self.tools = Some(tools);
        self
    }

    /// The same request with all tools of the assistant, of which those offered are a shortlist.
    #[must_use]
    pub fn with_all_tools(mut self, tools: &'a ToolSet) -> Self {
        self.all_tools = Some(tools);
        self
    }

    /// The same request within this turn.
    #[must_use]
    pub fn in_turn(mut self, id: &'a str) -> Self {
        self.turn = id;
        self
    }

    /// The same request with the speaker's preferences.
    #[must_use]
    pub fn with_preferences(mut self, preferences: &'a Preferences) -> Self {
        self.preferences = preferences;
        self
    }
}

/// A piece of a model's reply, in the order it came.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ModelEvent {
    /// This model answers from here on. What came before is void: it was another's reply that broke
    /// off. Sent by those who choose among models; a single one need not.
    Started(ModelChoice),
    /// More of the text.
    Text(String),
    /// More of the reasoning.
    Reasoning(Reasoning),
    /// A call, whole: clients put the pieces of a wire together.
    ToolCall(ToolCall),
    /// What it cost so far; the last one counts.
    Usage(Usage),
    /// Why it stopped; always the last event of a whole reply.
    Finish(ModelFinish),
}

/// Why a model stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ModelFinish {
    /// It said all it had to say.
    Stop,
    /// It calls tools.
    ToolCalls,
    /// The bound on its output was reached.
    Length,
    /// The service's filter cut it.
    ContentFilter,
    /// It understood that this is nothing for it (side talk, a function the car lacks).
    Declined,
    /// It took the utterance for talk (a greeting, thanks): no wish, and no failed answer to the
    /// question that waits.
    Aside,
}

/// Tokens of a request and its reply, as the service counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens in.
    pub input_tokens: u64,
    /// Tokens out.
    pub output_tokens: u64,
}

impl Usage {
    /// Tokens in and out.
    pub fn new(input_tokens: u64, output_tokens: u64) -> Self {
        Self {
            input_tokens,
            output_tokens,
        }
    }

    /// Tokens in and out together.
    pub fn total(self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
        }
    }
}

/// A stream of a reply. It ends after [`ModelEvent::Finish`] or the first error.
pub type ModelStream<'a> = BoxStream<'a, Result<ModelEvent, ModelError>>;

/// A model: the one primitive is a stream; a blocking reply is its fold ([`ModelReply::collect`]).
///
/// Dropping the stream cancels the request.
pub trait ChatModel: Send + Sync + Debug {
    /// The model's name, for logs and responses.
    fn name(&self) -> &str;

    /// Whose service it is, for traces (`gen_ai.provider.name`); `custom` by default. Of several models it
    /// is the one to be asked first.
    fn provider(&self) -> &str {
        "custom"
    }

    /// How many tools it works well with at once, the control tool included. A model that is offered
    /// more chooses worse and costs more; 25 by default.
    fn most_tools(&self) -> usize {
        25
    }

    /// Asks the model.
    fn stream<'a>(&'a self, request: ChatRequest<'a>) -> ModelStream<'a>;
}

/// A model on the device, which can say beforehand how sure it is.
pub trait DeviceModel: ChatModel {
    /// How sure it is of what it would answer, from 0 to 1: 0 where it does not understand, where
    /// another model would do better, or where it could only guess.
    fn confidence(&self, request: &ChatRequest<'_>) -> f32;
}

/// Why a model did not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {message}")]
#[non_exhaustive]
pub struct ModelError {
    /// `model_unavailable`, `model_rejected`, `deadline`, …
    pub kind: ErrorKind,
    /// What happened, for whoever mends it. Never contains a key; for a log take [`ModelError::loggable`].
    pub message: String,
    /// Whether `message` repeats words of the service, which may repeat what was said in the car.
    pub quotes_service: bool,
    /// Whether the same request may succeed later.
    pub retryable: bool,
    /// When the service wants to be asked again.
    pub retry_after: Option<Duration>,
    /// The HTTP status, where there was one.
    pub status: Option<u16>,
}

impl ModelError {
    /// No model could be reached; asking again may help.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self {
            kind: ErrorKind::ModelUnavailable,
            message: message.into(),
            quotes_service: false,
            retryable: true,
            retry_after: None,
            status: None,
        }
    }

    /// The service refused; asking again will not help.
    pub fn rejected(message: impl Into<String>) -> Self {
        Self {
            kind: ErrorKind::ModelRejected,
            retryable: false,
            ..Self::unavailable(message)
        }
    }

    /// The same error, whose message repeats words of the service.
    #[must_use]
    pub fn quoting_service(mut self) -> Self {
        self.quotes_service = true;
        self
    }

    /// What of it may stand in a log: everything but the service's own words.
    ///
    /// ```
    /// use incar_core::ModelError;
    /// let error = ModelError::rejected("no such city: Springfield").quoting_service().with_status(400);
    /// assert_eq!(error.loggable().to_string(), "model_rejected: the service answered 400");
    /// ```
    pub fn loggable(&self) -> impl fmt::Display + '_ {
        fmt::from_fn(|f| match (self.quotes_service, self.status) {
            (false, _) => write!(f, "{}: {}", self.kind, self.message),
            (true, Some(status)) => write!(f, "{}: the service answered {status}", self.kind),
            (true, None) => write!(f, "{}: the service sent an error", self.kind),
        })
    }

    /// The same error with the HTTP status it came with.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = Some(status);
        self
    }

    /// The same error with the time to wait before asking again.
    #[must_use]
    pub fn with_retry_after(mut self, wait: Option<Duration>) -> Self {
        self.retry_after = wait;
        self
    }
}

/// A whole reply: the fold of a stream.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ModelReply {
    /// What it said and called.
    pub message: AssistantMessage,
    /// What it cost, if the service says so.
    pub usage: Option<Usage>,
    /// Why it stopped, if it says so.
    pub finish: Option<ModelFinish>,
    /// Which of several models it was, if they say so.
    pub model: Option<ModelChoice>,
}

impl ModelReply {
    /// A reply that is `message`.
    pub fn new(message: AssistantMessage, finish: ModelFinish) -> Self {
        Self {
            message,
            usage: None,
            finish: Some(finish),
            model: None,
        }
    }

    /// Adds one event.
    pub fn push(&mut self, event: ModelEvent) {
        match event {
            ModelEvent::Started(choice) => {
                *self = Self {
                    model: Some(choice),
                    ..Self::default()
                };
            }
            ModelEvent::Text(text) if self.message.content.is_empty() => self.message.content = text,
            ModelEvent::Text(text) => self.message.content.push_str(&text),
            ModelEvent::Reasoning(more) => match &mut self.message.reasoning {
                Some(reasoning) => reasoning.text.push_str(&more.text),
                none => *none = Some(more),
            },
            ModelEvent::ToolCall(call) => self.message.tool_calls.push(call),
            ModelEvent::Usage(usage) => self.usage = Some(usage),
            ModelEvent::Finish(finish) => self.finish = Some(finish),
        }
    }

    /// Folds a stream.
    ///
    /// # Errors
    /// The stream's error; what came before it is dropped, so that nothing half-said is kept.
    pub async fn collect(mut stream: ModelStream<'_>) -> Result<Self, ModelError> {
        let mut reply = Self::default();
        while let Some(event) = stream.next().await {
            reply.push(event?);
        }
        Ok(reply)
    }
}
