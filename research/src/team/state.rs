//! How far each step is.

use super::finding::{Finding, Observed};
use super::verify::{Correction, Fault, Verification, Witness};
use incar_core::ErrorKind;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A call that a step makes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Call {
    /// Unique in the run.
    pub(crate) id: String,
    pub(crate) tool: String,
    pub(crate) arguments: Value,
    /// How often it was made and failed.
    pub(crate) tries: u32,
}

/// Why a step came to nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "error", rename_all = "snake_case")]
pub(crate) enum StepError {
    /// The agent says that it cannot be done.
    #[error("it cannot be done: {why}")]
    Stuck { why: String },
    /// The model's replies could not be used.
    #[error("the model's reply could not be used: {fault}")]
    Unusable { fault: String },
    /// It was not done within the calls and thoughts that a step may have; the last call's failure, if it failed.
    #[error("it was not done within its bounds{}", after(.last))]
    Bounds { last: Option<ErrorKind> },
    /// The run's budget was spent before it was done.
    #[error("the budget was spent")]
    Budget,
}

fn after(kind: &Option<ErrorKind>) -> String {
    kind.map_or_else(String::new, |kind| format!("; its last call failed: {kind}"))
}

impl StepError {
    /// Whether the same step may succeed at another try.
    pub(crate) fn retryable(&self) -> bool {
        match self {
            Self::Stuck { .. } | Self::Budget => false,
            Self::Unusable { .. } => true,
            Self::Bounds { last } => last.is_some_and(is_retryable),
        }
    }
}

/// Whether a call that failed so may succeed if it is made again as it is.
pub(crate) fn is_retryable(kind: ErrorKind) -> bool {
    match kind {
        ErrorKind::Busy
        | ErrorKind::ToolFailed
        | ErrorKind::ToolTimeout
        | ErrorKind::ModelUnavailable
        | ErrorKind::Deadline => true,
        // Also what a newer core knows: the agent hears of it and decides.
        _ => false,
    }
}

/// What a step is at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Stage {
    /// It waits for others, or for its turn.
    Waiting,
    /// The execution agent decides what is next.
    Thinking,
    /// A tool is called for it.
    Calling(Call),
    /// The verification agent looks for another source.
    Seeking,
    /// A tool is called for that.
    Checking(Call),
    /// The verification agent hears what that says.
    Judging,
    /// It was found and verified.
    Done(Verification),
    /// It came to nothing.
    Failed(StepError),
}

/// A step on its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct StepRun {
    pub(crate) stage: Stage,
    /// The calls of the execution agent.
    pub(crate) observed: Vec<Observed>,
    /// How often it thought.
    pub(crate) thoughts: usize,
    /// What it was told after its last thought.
    pub(crate) told: Vec<Fault>,
    /// Whether it was told once what is wrong with what it found.
    pub(crate) warned: bool,
    /// What was found.
    pub(crate) finding: Option<Finding>,
    /// What is wrong with that still.
    pub(crate) faults: Vec<Fault>,
    /// The sources that were heard on it.
    pub(crate) witnesses: Vec<Witness>,
    /// The calls of the verification agent.
    pub(crate) checked: Vec<Observed>,
    /// The value that sources refuted, where another took its place.
    pub(crate) refuted: Option<String>,
}

impl Default for StepRun {
    fn default() -> Self {
        Self {
            stage: Stage::Waiting,
            observed: Vec::new(),
            thoughts: 0,
            told: Vec::new(),
            warned: false,
            finding: None,
            faults: Vec::new(),
            witnesses: Vec::new(),
            checked: Vec::new(),
            refuted: None,
        }
    }
}

impl StepRun {
    /// Whether something is being done for it.
    pub(crate) fn is_active(&self) -> bool {
        match self.stage {
            Stage::Thinking | Stage::Calling(_) | Stage::Seeking | Stage::Checking(_) | Stage::Judging => true,
            Stage::Waiting | Stage::Done(_) | Stage::Failed(_) => false,
        }
    }

    /// What was found, with the verdict on it.
    pub(crate) fn done(&self) -> Option<(&Finding, &Verification)> {
        match &self.stage {
            Stage::Done(verification) => Some((self.finding.as_ref()?, verification)),
            _ => None,
        }
    }

    pub(crate) fn failed(&self) -> Option<&StepError> {
        match &self.stage {
            Stage::Failed(error) => Some(error),
            _ => None,
        }
    }

    /// Whether this very call was made already, and gave a result.
    pub(crate) fn has_made(&self, tool: &str, arguments: &Value) -> bool {
        let mut made = self.observed.iter().chain(&self.checked);
        made.any(|seen| seen.error.is_none() && seen.tool == tool && seen.arguments == *arguments)
    }

    /// Puts what sources agree on in the place of what they refute.
    pub(crate) fn correct(&mut self, correction: &Correction) {
        let Some(finding) = &mut self.finding else { return };
        finding.answer = match &finding.about {
            Some(about) => format!("{about}: {} [{}]", correction.value, correction.source),
            None => format!("{} [{}]", correction.quote, correction.source),
        };
        self.refuted = finding.value.replace(correction.value.clone());
    }
}
