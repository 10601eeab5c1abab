//! What a server says a tool is, as it is pinned.

use super::config::Hints;
use super::schema::{Schema, SchemaFault, plain_text};
use incar_core::Effect;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How long a description may be, in characters.
const LONGEST_DESCRIPTION: usize = 1_024;
/// How long a server's own name for a tool may be, in bytes.
const LONGEST_NAME: usize = 128;

/// A tool as its server describes it: what the host pins, and compares.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolDefinition {
    /// What it does, in the server's words, shortened: untrusted text.
    pub description: String,
    /// The schema of its arguments, references resolved.
    pub schema: Value,
    /// The server's hint that it changes nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_only: Option<bool>,
    /// The server's hint that it may destroy something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub destructive: Option<bool>,
    /// The server's hint that doing it twice is doing it once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotent: Option<bool>,
}

/// Why a tool is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unfit {
    #[error("its name is empty or too long")]
    Name,
    #[error(transparent)]
    Schema(#[from] SchemaFault),
}

impl ToolDefinition {
    /// Reads what a server lists.
    pub(crate) fn read(tool: &rmcp::model::Tool) -> Result<Self, Unfit> {
        if tool.name.is_empty() || tool.name.len() > LONGEST_NAME {
            return Err(Unfit::Name);
        }
        let schema = Schema::read(&Value::Object((*tool.input_schema).clone()))?;
        let hints = tool.annotations.as_ref();
        Ok(Self {
            description: plain_text(tool.description.as_deref().unwrap_or_default(), LONGEST_DESCRIPTION),
            schema: schema.as_value().clone(),
            read_only: hints.and_then(|hints| hints.read_only_hint),
            destructive: hints.and_then(|hints| hints.destructive_hint),
            idempotent: hints.and_then(|hints| hints.idempotent_hint),
        })
    }

    /// What a call of it does; what nobody says is `act`.
    pub(crate) fn effect(&self, hints: Hints) -> Effect {
        match (hints, self.read_only, self.idempotent) {
            (Hints::Believed, Some(true), _) if self.destructive != Some(true) => Effect::Read,
            (Hints::Believed, Some(false) | None, Some(true)) => Effect::Set,
            (Hints::Believed | Hints::Ignored, _, _) => Effect::Act,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn hints_decide_the_effect_and_what_is_unknown_is_an_act() {
        let check = |hints: Value, believed: Effect| {
            let tool = json!({"name": "t", "inputSchema": {"type": "object"}, "annotations": hints});
            let definition = ToolDefinition::read(&serde_json::from_value(tool).unwrap()).unwrap();
            assert_eq!(definition.effect(Hints::Believed), believed, "{definition:?}");
            assert_eq!(definition.effect(Hints::Ignored), Effect::Act);
        };
        check(json!({}), Effect::Act);
        check(json!({"readOnlyHint": true}), Effect::Read);
        check(json!({"readOnlyHint": false}), Effect::Act);
        check(json!({"idempotentHint": true}), Effect::Set);
        check(json!({"idempotentHint": true, "destructiveHint": true}), Effect::Set);
        check(json!({"destructiveHint": false}), Effect::Act);
        // What says both is believed in neither.
        check(json!({"readOnlyHint": true, "destructiveHint": true}), Effect::Act);
    }
}
