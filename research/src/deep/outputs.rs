//! What the model answers in deep research, as types.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A task split up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Decomposition {
    /// What is not known yet and the task needs, each in one sentence.
    #[schemars(length(min = 1, max = 8))]
    pub(super) knowledge_gaps: Vec<Gap>,
    /// The steps, in order.
    #[schemars(length(min = 3, max = 5))]
    pub(super) working_plan: Vec<String>,
}

/// Something that is not known yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Gap {
    /// What is not known, in one sentence.
    pub(super) text: String,
    /// Whether the answer needs it.
    pub(super) kind: GapKind,
    /// Whether it is known by now.
    #[serde(default)]
    #[schemars(skip)]
    pub(super) closed: bool,
}

/// Whether an answer needs something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum GapKind {
    /// It does.
    Required,
    /// It would make the answer fuller.
    Perspective,
}

/// Whether what a search found is enough.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Extension {
    /// Why.
    pub(super) reasoning: String,
    /// Whether more is needed than the search gave.
    pub(super) need_more_information: bool,
    /// The title of the page to read, as the search gave it.
    pub(super) title: Option<String>,
    /// The address of the page to read, as the search gave it.
    pub(super) url: Option<String>,
    /// What is still to be found out, in one sentence.
    pub(super) subtask: Option<String>,
}

/// Whether what there is now is enough.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Sufficiency {
    /// Why.
    pub(super) reasoning: String,
    /// Whether it is.
    pub(super) is_sufficient: bool,
}

/// What to do about a step that failed. There is one remedy, so that a step is never rephrased and decomposed at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Reflection {
    /// Why the step failed.
    pub(super) reasoning: String,
    /// The remedy.
    pub(super) remedy: Remedy,
    /// The number of the step, from 1.
    pub(super) step: usize,
    /// The better step, or the subtask.
    pub(super) text: Option<String>,
}

/// What can be done about a step that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Remedy {
    /// It is put in other words.
    Rephrase,
    /// It becomes a subtask of its own.
    Decompose,
    /// It is skipped.
    Neither,
}

/// A text that says something.
pub(super) fn said(text: Option<&String>) -> Option<&str> {
    text.map(|text| text.trim()).filter(|text| !text.is_empty())
}
