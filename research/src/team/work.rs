//! What the coordination agent says is to be done, and what it is told came of it.

use super::finding::{Finding, Observed};
use super::memory::Recollection;
use super::plan::{Plan, StepId};
use super::state::StepError;
use super::synthesis::Synthesis;
use super::verify::Witness;
use serde::{Deserialize, Serialize};

/// Something to be done now. What is needed for it is in the state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Work {
    Recall,
    Plan,
    /// The execution agent decides what is next for a step.
    Think(StepId),
    /// A tool is called: for a step, or to check what it found.
    Call(StepId),
    /// The verification agent chooses a call that finds another source.
    Seek(StepId),
    /// The verification agent hears what that source says.
    Judge(StepId),
    Synthesise,
    Remember,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Report {
    Recalled(Vec<Recollection>),
    Planned(Plan),
    /// A new plan could not be made.
    NotPlanned(String),
    /// A step wants a call.
    Acts {
        step: StepId,
        tool: String,
        arguments: serde_json::Value,
    },
    /// A step found something, which rests on these sources.
    Found {
        step: StepId,
        finding: Finding,
        witnesses: Vec<Witness>,
    },
    /// A step cannot be done.
    GaveUp {
        step: StepId,
        error: StepError,
    },
    Called {
        step: StepId,
        observed: Observed,
    },
    /// The call that finds another source; `None` where there is no such.
    Sought {
        step: StepId,
        call: Option<(String, serde_json::Value)>,
    },
    Judged {
        step: StepId,
        witnesses: Vec<Witness>,
    },
    /// `None`: the model gave no answer that could be used.
    Synthesised(Option<Synthesis>),
    Remembered,
}
