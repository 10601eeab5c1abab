//! A team of agents: one plans, one executes, one verifies, and one coordinates them.

mod finding;
mod plan;
mod report;
mod verify;

pub use plan::{Plan, PlanFault, Step, StepId};
pub use report::StepReport;
pub use verify::Verdict;
