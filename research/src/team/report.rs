//! What the steps of a plan came to, for whoever reads the answer.

use super::plan::StepId;
use super::verify::Verdict;
use serde::{Deserialize, Serialize};

/// What a step came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StepReport {
    /// The step.
    pub id: StepId,
    /// What was to be found out.
    pub task: String,
    /// What was found, corrected where sources refuted it; empty where nothing was.
    pub answer: String,
    /// The bare value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
    /// The value that was refuted, where another took its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refuted: Option<String>,
    /// What verification says of it; `None` where it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// How likely the value is right, 0 to 1.
    pub confidence: f64,
    /// The numbers of the sources that bear it out.
    pub sources: Vec<u32>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}
