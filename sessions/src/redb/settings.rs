//! How long a store on disk keeps what.

use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The settings of a [`DurableStore`](super::DurableStore).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DurableSettings {
    /// How long a claim is good against others of the same process, by the time that callers give;
    /// two minutes by default. Longer than any turn takes: it only frees sessions whose turn died.
    pub claim_age: Duration,
    /// How long journal entries are kept; seven days by default. Longer than any turn may lie
    /// interrupted and still be taken up.
    pub journal_age: Duration,
    /// How long after its end an expired session is remembered, without what was said in it, so that
    /// its speaker can be told; thirty days by default.
    pub tombstone_age: Duration,
    /// How much of the file is cached in memory, in bytes; 4 MiB by default.
    pub cache: usize,
}

impl Default for DurableSettings {
    fn default() -> Self {
        Self {
            claim_age: Duration::from_secs(2 * 60),
            journal_age: 7 * DAY,
            tombstone_age: 30 * DAY,
            cache: 4 << 20,
        }
    }
}

impl DurableSettings {
    /// The same settings with claims good for `claim_age`.
    #[must_use]
    pub fn with_claim_age(mut self, claim_age: Duration) -> Self {
        self.claim_age = claim_age;
        self
    }

    /// The same settings with journal entries kept for `journal_age`.
    #[must_use]
    pub fn with_journal_age(mut self, journal_age: Duration) -> Self {
        self.journal_age = journal_age;
        self
    }

    /// The same settings with expired sessions remembered for `tombstone_age`.
    #[must_use]
    pub fn with_tombstone_age(mut self, tombstone_age: Duration) -> Self {
        self.tombstone_age = tombstone_age;
        self
    }

    /// The same settings with `bytes` of cache.
    #[must_use]
    pub fn with_cache(mut self, bytes: usize) -> Self {
        self.cache = bytes;
        self
    }
}
