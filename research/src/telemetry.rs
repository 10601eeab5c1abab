//! What is traced of a run: spans with the names and fields that OpenTelemetry's conventions for generative AI give them,
//! as those of a turn. Names, counts and outcomes alone: what was asked, found and answered stands in no trace and no log.

use crate::record::{Method, RunRecord};
use crate::run::Head;
use incar_core::turn::CallResult;
use incar_core::{ChatModel, ErrorKind, ModelError, ModelReply, Outcome};
use tracing::Span;
use tracing::field::Empty;

/// The span of a run.
pub(crate) fn run(head: &Head, method: Method) -> Span {
    tracing::info_span!(
        "invoke_agent",
        otel.kind = "internal",
        otel.status_code = Empty,
        error.type = Empty,
        gen_ai.operation.name = "invoke_agent",
        gen_ai.agent.name = "research",
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        incar.run.id = head.id.as_str(),
        incar.run.method = method.as_str(),
        incar.language = head.lang.pick("zh", "en"),
        incar.rounds = Empty,
    )
}

/// A run ended.
pub(crate) fn ended(span: &Span, came: Result<&RunRecord, ErrorKind>) {
    match came {
        Ok(record) => {
            span.record("gen_ai.usage.input_tokens", record.spent.usage.input_tokens);
            span.record("gen_ai.usage.output_tokens", record.spent.usage.output_tokens);
            span.record("incar.rounds", record.spent.rounds);
        }
        Err(kind) => failed(span, kind.as_str()),
    }
}

/// The span of a request to the model.
pub(crate) fn chat(model: &dyn ChatModel) -> Span {
    tracing::info_span!(
        "chat",
        otel.name = %format_args!("chat {}", model.name()),
        otel.kind = "client",
        otel.status_code = Empty,
        error.type = Empty,
        gen_ai.operation.name = "chat",
        gen_ai.provider.name = model.provider(),
        gen_ai.request.model = model.name(),
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
    )
}

/// The model answered, or did not.
pub(crate) fn replied(span: &Span, reply: &Result<ModelReply, ModelError>) {
    match reply {
        Ok(reply) => {
            let usage = reply.usage.unwrap_or_default();
            span.record("gen_ai.usage.input_tokens", usage.input_tokens);
            span.record("gen_ai.usage.output_tokens", usage.output_tokens);
        }
        Err(error) => failed(span, error.kind.as_str()),
    }
}

/// The span of a call of a registered tool.
pub(crate) fn call(tool: &str, id: &str) -> Span {
    tracing::info_span!(
        "execute_tool",
        otel.name = %format_args!("execute_tool {tool}"),
        otel.kind = "internal",
        otel.status_code = Empty,
        error.type = Empty,
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = tool,
        gen_ai.tool.type = "function",
        gen_ai.tool.call.id = id,
        incar.outcome = Empty,
    )
}

/// A call ended.
pub(crate) fn answered(span: &Span, result: &CallResult) {
    span.record("incar.outcome", result.outcome.as_str());
    match result.outcome {
        Outcome::Ok | Outcome::Cancelled => {}
        Outcome::Error | Outcome::Denied | Outcome::Unknown => {
            failed(span, result.error.map_or("_OTHER", ErrorKind::as_str));
        }
    }
}

fn failed(span: &Span, kind: &str) {
    span.record("otel.status_code", "ERROR");
    span.record("error.type", kind);
}
