//! What scenario authors need: a scripted model, a simulated car with everything in it, and a
//! harness that plays scenario files.

mod check;
mod model;
mod research;
mod scenario;
mod simulator;

pub use check::{Failure, Stage, play};
pub use model::{Asked, RawCall, ScriptedError, ScriptedModel, ScriptedParts, ScriptedReply};
pub use research::{ResearchStep, ScriptedResearcher};
pub use scenario::{Expect, LoadError, Mode, Scenario, Step};
pub use simulator::{Parts, Simulator, SimulatorBuilder, SimulatorError};
