//! What the tests of this crate share.

use crate::resources::Resources;
use incar_core::{ChatModel, ManualClock, Timestamp};
use std::sync::Arc;

/// A moment.
pub(crate) fn now() -> Timestamp {
    Timestamp::from_millis(1_800_000_000_000)
}

/// Resources over a model, at a moment.
pub(crate) fn run_with(model: Arc<dyn ChatModel>, at: Timestamp) -> Resources {
    Resources::new(model, Arc::new(ManualClock::at(at)))
}
