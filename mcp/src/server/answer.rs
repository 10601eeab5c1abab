//! What came of a call, as an MCP client reads it.

use incar_agents::{OutsideAnswer, OutsideState};
use incar_core::{Outcome, ToolCallReport};
use rmcp::model::CallToolResult;
use serde_json::{Value, json};

/// The answer to a call.
pub(super) fn answered(answer: OutsideAnswer) -> CallToolResult {
    match answer {
        OutsideAnswer::Ended(mut calls) => match calls.pop() {
            Some(call) => ended(&call, &calls),
            None => CallToolResult::structured_error(json!({"error": {"kind": "internal"}})),
        },
        OutsideAnswer::Waits { id, question } => CallToolResult::structured(waiting(&id, &question)),
        OutsideAnswer::Refused(error) => {
            CallToolResult::structured_error(json!({"error": {"kind": error.kind, "message": error.message}}))
        }
        other => {
            CallToolResult::structured_error(json!({"error": {"kind": "internal", "message": format!("{other:?}")}}))
        }
    }
}

/// How a call stands that waited.
pub(super) fn stands(id: &str, state: OutsideState) -> CallToolResult {
    match state {
        OutsideState::Waits { question } => CallToolResult::structured(waiting(id, &question)),
        OutsideState::Ended(call) => ended(&call, &[]),
        OutsideState::Declined => CallToolResult::structured(json!({"status": "declined", "done": false})),
        OutsideState::Expired => CallToolResult::structured(json!({"status": "expired", "done": false})),
        other => {
            CallToolResult::structured_error(json!({"error": {"kind": "internal", "message": format!("{other:?}")}}))
        }
    }
}

fn waiting(id: &str, question: &str) -> Value {
    json!({"status": "waiting_for_a_person", "id": id, "question": question})
}

/// A call that ended, and what the policies had done before it.
fn ended(call: &ToolCallReport, added: &[ToolCallReport]) -> CallToolResult {
    let mut value = json!({"status": "ended", "outcome": call.outcome, "result": call.result});
    if !added.is_empty()
        && let Some(value) = value.as_object_mut()
    {
        let added = added
            .iter()
            .map(|call| json!({"tool": call.name, "by": call.by, "outcome": call.outcome}));
        value.insert("also".into(), added.collect());
    }
    match call.outcome {
        Outcome::Ok => CallToolResult::structured(value),
        Outcome::Error | Outcome::Denied | Outcome::Cancelled | Outcome::Unknown => {
            CallToolResult::structured_error(value)
        }
    }
}
