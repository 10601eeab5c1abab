//! How much a store in memory holds, and for how long.

use std::time::Duration;

/// How much a [`MemoryStore`](crate::MemoryStore) holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Bound {
    /// That many sessions, at least one.
    Sessions(u64),
    /// That many bytes of memory, the store's own overhead estimated. A session that alone is
    /// larger is refused.
    Bytes(u64),
}

/// The settings of a [`MemoryStore`](crate::MemoryStore).
///
/// ```
/// use incar_sessions::{Bound, MemorySettings, MemoryStore};
/// let store = MemoryStore::new(MemorySettings::default().with_bound(Bound::Bytes(16 << 20)));
/// assert!(store.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemorySettings {
    /// How much it holds; 10,000 sessions by default.
    pub bound: Bound,
    /// How long a claim is good against others, by the time that callers give; two minutes by
    /// default. Longer than any turn takes: it only frees sessions whose turn died.
    pub claim_age: Duration,
    /// How long a session nobody touches stays in memory, by the machine's own clock; eight days by
    /// default. It must be longer than any wait, and bounds memory only: whether a wait has expired
    /// is judged by its `expires_at`.
    pub idle: Duration,
}

impl Default for MemorySettings {
    fn default() -> Self {
        Self {
            bound: Bound::Sessions(10_000),
            claim_age: Duration::from_secs(2 * 60),
            idle: Duration::from_secs(8 * 24 * 60 * 60),
        }
    }
}

impl MemorySettings {
    /// The same settings with this bound.
    #[must_use]
    pub fn with_bound(mut self, bound: Bound) -> Self {
        self.bound = bound;
        self
    }

    /// The same settings with claims good for `claim_age`.
    #[must_use]
    pub fn with_claim_age(mut self, claim_age: Duration) -> Self {
        self.claim_age = claim_age;
        self
    }

    /// The same settings with untouched sessions kept in memory for `idle`.
    #[must_use]
    pub fn with_idle(mut self, idle: Duration) -> Self {
        self.idle = idle;
        self
    }
}
