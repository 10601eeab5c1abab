//! How a store on a server keeps what, and for how long.

use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The settings of a [`RedisStore`](super::RedisStore). Workers that share a server must agree on all
/// but the deadline.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct RedisSettings {
    /// What every key begins with; "incar" by default.
    pub prefix: String,
    /// How long an answer may take; two seconds by default.
    pub deadline: Duration,
    /// How long a claim is good against others, by the time that callers give; two minutes by
    /// default. Longer than any turn takes: a worker that died frees its sessions so.
    pub claim_age: Duration,
    /// How long after its end an expired session stays, by the server's time, so that its speaker can
    /// be told; a day by default. Also the slack between the workers' clocks and the server's.
    pub expired_age: Duration,
    /// How long journal entries are kept, by the server's time; seven days by default.
    pub journal_age: Duration,
}

impl Default for RedisSettings {
    fn default() -> Self {
        Self {
            prefix: "incar".into(),
            deadline: Duration::from_secs(2),
            claim_age: Duration::from_secs(2 * 60),
            expired_age: DAY,
            journal_age: 7 * DAY,
        }
    }
}

impl RedisSettings {
    /// The same settings with keys that begin with `prefix`.
    #[must_use]
    pub fn with_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// The same settings with this deadline for an answer.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// The same settings with claims good for `claim_age`.
    #[must_use]
    pub fn with_claim_age(mut self, claim_age: Duration) -> Self {
        self.claim_age = claim_age;
        self
    }

    /// The same settings with expired sessions kept for `expired_age`.
    #[must_use]
    pub fn with_expired_age(mut self, expired_age: Duration) -> Self {
        self.expired_age = expired_age;
        self
    }

    /// The same settings with journal entries kept for `journal_age`.
    #[must_use]
    pub fn with_journal_age(mut self, journal_age: Duration) -> Self {
        self.journal_age = journal_age;
        self
    }
}

/// Whole milliseconds, as scripts count.
pub(super) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
