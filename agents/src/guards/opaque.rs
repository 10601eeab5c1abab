//! An opaque id must come from a result: a model that makes one up books, cancels or plays something
//! else.

use super::evidence::Evidence;
use incar_core::ToolSpec;
use incar_core::words::Told;
use serde_json::{Map, Value};

/// The guard's id.
pub(super) const ID: &str = "opaque-id";

/// Whether nobody says values of this argument: its words say so, or its name does.
pub(super) fn is_opaque(spec: &ToolSpec, argument: &str) -> bool {
    match spec.words.arguments.get(argument).map(|words| words.told) {
        Some(Told::Never) => true,
        Some(Told::Plainly) => false,
        _ => ["_id", "_ids", "Id"].iter().any(|ending| argument.ends_with(ending)) || matches!(argument, "id" | "ids"),
    }
}

/// The first argument with an id that no result of the conversation, no context and no words of the
/// speaker gave. (Who reads an id out means it.)
pub(super) fn unknown_id<'a>(
    spec: &ToolSpec,
    arguments: &'a Map<String, Value>,
    evidence: &Evidence<'_>,
) -> Option<&'a str> {
    let opaque = arguments.iter().filter(|(name, _)| is_opaque(spec, name));
    opaque
        .filter(|(_, value)| !known(value, evidence))
        .map(|(name, _)| name.as_str())
        .next()
}

fn known(value: &Value, evidence: &Evidence<'_>) -> bool {
    match value {
        Value::Array(items) => items.iter().all(|item| known(item, evidence)),
        Value::String(id) => evidence.stands_anywhere(id.trim()),
        Value::Number(id) => evidence.stands_anywhere(&id.to_string()),
        Value::Null | Value::Bool(_) | Value::Object(_) => true,
    }
}
