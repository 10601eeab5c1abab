//! The bounds of a turn.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Bounds of one turn. At a bound the model is asked once more, without tools, so that the driver
/// always gets a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Limits {
    /// Rounds (replies of the model that may call tools). Default 5.
    pub rounds: u32,
    /// Tool calls. Default 10.
    pub calls: u32,
    /// Estimated input tokens of one request. Default 32,000.
    pub input_tokens: u64,
    /// Tokens of all requests and replies together, as the service reports them. No bound by default.
    pub total_tokens: u64,
    /// Wall time before the next round starts. Default 30 s.
    pub time: Duration,
    /// How often the very same calls may be made one reply after another. Default 2: the third
    /// does not run.
    pub same_calls: u32,
    /// Rounds in a row in which every call failed. Default 3.
    pub failing_rounds: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rounds: 5,
            calls: 10,
            input_tokens: 32_000,
            total_tokens: u64::MAX,
            time: Duration::from_secs(30),
            same_calls: 2,
            failing_rounds: 3,
        }
    }
}
