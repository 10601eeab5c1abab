//! What is traced of a turn: `tracing` spans and fields with the names that OpenTelemetry's conventions
//! for generative AI give them, so that any back end that knows those understands them.
//!
//! `invoke_agent` is a turn; below it are `chat`, one for each round, and `execute_tool`, one for each
//! call that runs. What was said, called with and answered is recorded only where the host wants it
//! ([`TracedContents`]). Without a subscriber a span costs the look at one static.

mod contents;

use crate::assistant::Utterance;
use contents::{arguments_json, input_json, output_json};
use incar_core::turn::{CallResult, RunnableCall, Turn};
use incar_core::{
    AgentResponse, AssistantMessage, ChatModel, Message, ModelChoice, ModelError, ModelEvent, ModelReply, Outcome,
    ToolRegistry, Usage,
};
use std::time::Instant;
use tracing::Span;
use tracing::field::Empty;

/// A session's id is shorter; anything longer that a host's caller names is none.
const LONGEST_ID: usize = 64;

/// Whether spans record what was said, what tools were called with and what they answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum TracedContents {
    /// Names, counts, times and outcomes alone.
    #[default]
    Withheld,
    /// The contents too, in the fields that the conventions have for them (`gen_ai.input.messages`,
    /// `gen_ai.tool.call.arguments`, …). Whoever reads the traces then reads what was said in the car.
    Recorded,
}

impl TracedContents {
    /// Whether `span` is to have contents.
    fn are_for(self, span: &Span) -> bool {
        self == Self::Recorded && !span.is_disabled()
    }
}

/// The span of a turn.
#[derive(Debug)]
pub(crate) struct Invocation {
    pub(crate) span: Span,
    contents: TracedContents,
}

impl Invocation {
    pub(crate) fn begin(turn_id: &str, utterance: &Utterance, contents: TracedContents) -> Self {
        let span = tracing::info_span!(
            "invoke_agent",
            otel.kind = "internal",
            otel.status_code = Empty,
            error.type = Empty,
            gen_ai.operation.name = "invoke_agent",
            gen_ai.agent.name = Empty,
            gen_ai.conversation.id = utterance.session_id.as_deref().filter(|id| id.len() <= LONGEST_ID),
            gen_ai.usage.input_tokens = Empty,
            gen_ai.usage.output_tokens = Empty,
            gen_ai.response.model = Empty,
            gen_ai.input.messages = Empty,
            gen_ai.output.messages = Empty,
            incar.turn.id = turn_id,
            incar.seat = utterance.speaker.seat.as_str(),
            incar.language = utterance.lang.pick("zh", "en"),
            incar.status = Empty,
            incar.rounds = Empty,
        );
        if contents.are_for(&span) {
            let said = Message::user(utterance.text.as_str());
            span.record("gen_ai.input.messages", input_json("", &[said]));
        }
        Self { span, contents }
    }

    pub(crate) fn ended(&self, response: &AgentResponse) {
        let span = &self.span;
        if span.is_disabled() {
            return;
        }
        // Only now is it known whose turn it was, and exporters take no name of a span that has begun.
        span.record("gen_ai.agent.name", response.agent.as_str());
        span.record("gen_ai.conversation.id", response.session_id.as_deref());
        span.record(
            "gen_ai.response.model",
            response.model.as_ref().map(|model| model.name.as_str()),
        );
        spent(span, response.usage);
        span.record("incar.status", response.status.as_str());
        span.record("incar.rounds", response.data.rounds);
        if let Some(error) = &response.error {
            failed(span, error.kind.as_str());
        }
        if self.contents.are_for(span) {
            let said = AssistantMessage::text(response.message.as_str());
            span.record("gen_ai.output.messages", output_json(&said));
        }
    }
}

/// The span of one round: a request to the model and its reply.
#[derive(Debug)]
pub(crate) struct Chat {
    pub(crate) span: Span,
    /// Since when the first event is waited for; `None`: it came, or nobody wants to know.
    waiting_since: Option<Instant>,
    contents: TracedContents,
}

impl Chat {
    pub(crate) fn begin(model: &dyn ChatModel, turn: &Turn, system: &str, contents: TracedContents) -> Self {
        let span = tracing::info_span!(
            "chat",
            otel.name = %format_args!("chat {}", model.name()),
            otel.kind = "client",
            otel.status_code = Empty,
            error.type = Empty,
            gen_ai.operation.name = "chat",
            gen_ai.provider.name = model.provider(),
            gen_ai.request.model = model.name(),
            gen_ai.request.stream = true,
            gen_ai.response.model = Empty,
            gen_ai.response.time_to_first_chunk = Empty,
            gen_ai.usage.input_tokens = Empty,
            gen_ai.usage.output_tokens = Empty,
            gen_ai.input.messages = Empty,
            gen_ai.output.messages = Empty,
            incar.round = turn.round(),
            incar.model.why = Empty,
            incar.model.passed = Empty,
        );
        if contents.are_for(&span) {
            span.record("gen_ai.input.messages", input_json(system, turn.messages()));
        }
        let waiting_since = (!span.is_disabled()).then(Instant::now);
        Self {
            span,
            waiting_since,
            contents,
        }
    }

    /// An event of the reply came.
    pub(crate) fn heard(&mut self, event: &ModelEvent) {
        // Who answers is said by whoever chooses among models, and is no chunk of the reply.
        if matches!(event, ModelEvent::Started(_)) {
            return;
        }
        if let Some(since) = self.waiting_since.take() {
            self.span
                .record("gen_ai.response.time_to_first_chunk", since.elapsed().as_secs_f64());
        }
    }

    pub(crate) fn replied(&self, reply: &ModelReply) {
        let span = &self.span;
        if span.is_disabled() {
            return;
        }
        if let Some(ModelChoice { name, why, passed, .. }) = &reply.model {
            span.record("gen_ai.response.model", name.as_str());
            span.record("incar.model.why", why.as_str());
            span.record("incar.model.passed", passed.len());
        }
        spent(span, reply.usage);
        if self.contents.are_for(span) {
            span.record("gen_ai.output.messages", output_json(&reply.message));
        }
    }

    pub(crate) fn failed(&self, error: &ModelError) {
        if self.span.is_disabled() {
            return;
        }
        match error.status {
            Some(status) => failed(&self.span, &status.to_string()),
            None => failed(&self.span, error.kind.as_str()),
        }
    }

    /// It was not listened to any more, because of `what`: that is no fault of the model.
    pub(crate) fn broken_off(&self, what: &'static str) {
        self.span.record("error.type", what);
    }
}

/// The span of a call that runs.
#[derive(Debug)]
pub(crate) struct Execution {
    pub(crate) span: Span,
    contents: TracedContents,
}

impl Execution {
    pub(crate) fn begin(runnable: &RunnableCall<'_>, contents: TracedContents) -> Self {
        let call = runnable.call;
        let span = tracing::info_span!(
            "execute_tool",
            otel.name = %format_args!("execute_tool {}", call.name),
            otel.kind = "internal",
            otel.status_code = Empty,
            error.type = Empty,
            gen_ai.operation.name = "execute_tool",
            gen_ai.tool.name = call.name,
            gen_ai.tool.type = "function",
            gen_ai.tool.call.id = call.id,
            gen_ai.tool.call.arguments = Empty,
            gen_ai.tool.call.result = Empty,
            incar.outcome = Empty,
        );
        if contents.are_for(&span) {
            span.record(
                "gen_ai.tool.call.arguments",
                arguments_json(&runnable.resolved.arguments),
            );
        }
        Self { span, contents }
    }

    pub(crate) fn ended(&self, result: &CallResult) {
        let span = &self.span;
        if span.is_disabled() {
            return;
        }
        span.record("incar.outcome", result.outcome.as_str());
        match result.outcome {
            Outcome::Ok | Outcome::Cancelled => {}
            Outcome::Error | Outcome::Denied | Outcome::Unknown => {
                failed(span, result.error.map_or("_OTHER", |kind| kind.as_str()));
            }
        }
        if self.contents.are_for(span) {
            span.record("gen_ai.tool.call.result", result.value.to_string());
        }
    }
}

fn spent(span: &Span, usage: Option<Usage>) {
    if let Some(usage) = usage {
        span.record("gen_ai.usage.input_tokens", usage.input_tokens);
        span.record("gen_ai.usage.output_tokens", usage.output_tokens);
    }
}

fn failed(span: &Span, kind: &str) {
    span.record("otel.status_code", "ERROR");
    span.record("error.type", kind);
}

/// A called tool's name for a log: a name that no tool has was made up by a model, of whatever it heard.
pub(crate) fn loggable<'a>(tool: &'a str, registry: &ToolRegistry) -> &'a str {
    if tool == incar_core::ASK_USER || registry.get(tool).is_some() {
        tool
    } else {
        "(unknown)"
    }
}
