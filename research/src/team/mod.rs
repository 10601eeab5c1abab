//! A team of agents: one plans, one executes, one verifies, and one coordinates them.

mod finding;
mod plan;
mod verify;

pub use plan::{Plan, PlanFault, Step, StepId};
pub use verify::Verdict;
