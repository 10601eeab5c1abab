//! Claims on sessions.

use incar_core::Timestamp;
use std::num::NonZeroU64;
use std::time::Duration;

/// Who goes on with a session at the moment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claim {
    /// Never zero, so that a wait without a claim takes no more room.
    pub(crate) token: NonZeroU64,
    pub(crate) since: Timestamp,
}

impl Claim {
    /// Whether it is good against another claim at `now`. Distance counts in both directions: a
    /// clock that was set back must not hold a session for ever.
    pub(crate) fn is_good(self, now: Timestamp, age: Duration) -> bool {
        now.since(self.since).max(self.since.since(now)) < age
    }
}
