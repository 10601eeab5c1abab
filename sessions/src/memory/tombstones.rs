//! What is left of sessions that had to give way.

use incar_core::Owner;
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use std::fmt;
use std::hash::{BuildHasher, RandomState};

const CAPACITY: u64 = 4_096;

/// Remembers the latest evicted sessions by a keyed hash of owner and id.
pub(super) struct Tombstones {
    hashes: Cache<u64, ()>,
    hasher: RandomState,
}

impl Tombstones {
    pub(super) fn add(&self, owner: &Owner, id: &str) {
        self.hashes.insert(self.hash(owner, id), ());
    }

    /// Removes a tombstone; whether there was one.
    pub(super) fn take(&self, owner: &Owner, id: &str) -> bool {
        self.hashes.remove(&self.hash(owner, id)).is_some()
    }

    fn hash(&self, owner: &Owner, id: &str) -> u64 {
        self.hasher.hash_one((owner, id))
    }
}

impl Default for Tombstones {
    fn default() -> Self {
        Self {
            hashes: Cache::builder()
                .max_capacity(CAPACITY)
                .eviction_policy(EvictionPolicy::lru())
                .build(),
            hasher: RandomState::new(),
        }
    }
}

impl fmt::Debug for Tombstones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tombstones").finish_non_exhaustive()
    }
}
