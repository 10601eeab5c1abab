//! The control tool `ask_user`: a model's way to ask the driver. It has no effect and is never
//! counted as a call.

use crate::lang::Bilingual;
use crate::spec::{Effect, ToolCategory, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::sync::{Arc, OnceLock};

/// The control tool's name.
pub const ASK_USER: &str = "ask_user";

/// What `ask_user` is called with.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct AskUser {
    /// The question, as it is to be spoken.
    pub question: String,
    /// The answers to choose from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// The tool that waits for the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The argument of that tool which the answer fills.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slot: Option<String>,
    /// What else is missing, to be asked for later.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The waiting tool's arguments so far. Not offered to cloud models; the embedded brain gives
    /// them, so that a host can show what is pending.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub arguments: Map<String, Value>,
}

impl AskUser {
    /// A question.
    pub fn new(question: impl Into<String>) -> Self {
        Self {
            question: question.into(),
            ..Self::default()
        }
    }
}

/// The control tool as models see it.
pub fn ask_user_spec() -> &'static Arc<ToolSpec> {
    static SPEC: OnceLock<Arc<ToolSpec>> = OnceLock::new();
    SPEC.get_or_init(|| {
        let mut spec = ToolSpec::new(
            ASK_USER,
            ToolCategory::new("control"),
            Effect::Read,
            Bilingual::new(
                "信息不足、需要选择或确认时，用它向说话人提问。不要用它闲聊。",
                "Ask the speaker when information is missing or a choice is needed. Not for small talk.",
            ),
        );
        spec.parameters = json!({
            "type": "object",
            "properties": {
                "question": {"type": "string", "description": "The question, short, as it is to be spoken."},
                "choices": {"type": "array", "items": {"type": "string"}, "description": "The answers to choose from, if few."},
                "tool": {"type": "string", "description": "The tool that waits for the answer."},
                "slot": {"type": "string", "description": "The argument of that tool which the answer fills."}
            },
            "required": ["question"],
            "additionalProperties": false
        });
        Arc::new(spec)
    })
}
