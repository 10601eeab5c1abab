//! What the car knows when something is said.

use crate::registry::ToolSet;
use crate::speaker::Speaker;
use std::fmt::Debug;

/// Gives the cabin context of an utterance: seat, speed, what is on. It becomes a message of its
/// own before the utterance and is stored with it, so the system prompt stays the same.
pub trait CabinContext: Send + Sync + Debug {
    /// The context as a JSON object, only what `tools` need: those offered whose agents the utterance
    /// concerns, all of them where the device cannot tell. `None`: nothing to say. It leaves the car with
    /// the request to a model in the cloud, so nobody's position belongs in it: tools know where they are.
    fn describe(&self, speaker: &Speaker, tools: &ToolSet) -> Option<String>;
}
