//! What the car knows when something is said.

use crate::registry::ToolSet;
use crate::speaker::Speaker;
use std::fmt::Debug;

/// Gives the cabin context of an utterance: seat, speed, what is on. It becomes a message of its
/// own before the utterance and is stored with it, so the system prompt stays the same.
pub trait CabinContext: Send + Sync + Debug {
    /// The context as a JSON object, only what the offered tools need; `None`: nothing to say.
    fn describe(&self, speaker: &Speaker, tools: &ToolSet) -> Option<String>;
}
