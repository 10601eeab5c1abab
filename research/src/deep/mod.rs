//! Deep research: a task is split into a plan and a checklist of gaps; searches are followed up, what is not enough becomes
//! a deeper task, what was found becomes intermediate reports, and these the final one.

mod batch;
mod control;
mod machine;
mod outputs;
mod plan;
mod requests;
mod runner;

use crate::id::FileName;
use crate::run::Head;
use incar_core::{FinishReason, History};
use machine::{Phase, Written};
use plan::Subtask;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// A run of deep research on its way. See [`machine`] for what it does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct DeepRun {
    pub(crate) head: Head,
    /// How deep tasks may stack, the question included.
    max_depth: usize,
    /// The question as a task.
    root: Subtask,
    /// The tasks below it, each opened by the one before.
    stack: Vec<Subtask>,
    /// The intermediate reports.
    reports: Vec<Written>,
    /// Calls and results since the last of them.
    working: History,
    /// The calls that had a result: none is made again.
    made: BTreeSet<String>,
    /// Rounds in a row in which all calls failed.
    failing: u32,
    bound: Option<FinishReason>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    final_file: Option<FileName>,
    phase: Phase,
}
