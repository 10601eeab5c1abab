//! Flows: what an agent gathers over several utterances, as data, and the engine that says what
//! comes next. The engine does nothing itself: no I/O, no clock, no waiting.
//!
//! A flow is a tool with discipline about its arguments. The turn machine keeps the question, the
//! digressions, the confirmation and the expiry as for any other tool; this says which value to ask
//! for, whether a value will do, and when all are there.

mod check;
mod definition;
mod fault;
mod speak;
mod state;
mod step;
#[cfg(test)]
mod tests;

pub use check::FlowContext;
pub use definition::{Choice, FlowDefinition, Need, Slot, SlotKind};
pub use fault::FlowFault;
pub use state::FlowState;
pub use step::{FlowInput, FlowStep};
