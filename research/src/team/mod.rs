//! A team of agents: one plans, one executes, one verifies, and one coordinates them.

mod briefs;
mod coordination;
#[cfg(test)]
mod coordination_tests;
mod execution;
mod finding;
mod memory;
mod plan;
mod planning;
mod report;
mod run;
mod settings;
mod state;
mod synthesis;
mod verify;
mod work;

pub(crate) use briefs::tools as describe_tools;
pub use memory::LongTermMemory;
pub use plan::{Plan, PlanFault, Step, StepId};
pub use report::StepReport;
pub(crate) use run::TeamRun;
pub use settings::TeamSettings;
pub use verify::Verdict;
