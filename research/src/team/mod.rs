//! A team of agents: one plans, one executes, one verifies, and one coordinates them.

mod coordination;
#[cfg(test)]
mod coordination_tests;
mod finding;
mod memory;
mod plan;
mod report;
mod settings;
mod state;
mod synthesis;
mod verify;

pub use memory::LongTermMemory;
pub use plan::{Plan, PlanFault, Step, StepId};
pub use report::StepReport;
pub use settings::TeamSettings;
pub use verify::Verdict;
