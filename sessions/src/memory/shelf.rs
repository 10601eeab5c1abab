//! What a [`MemoryStore`](super::MemoryStore) has under its lock.

use super::settings::{Bound, MemorySettings};
use super::tombstones::Tombstones;
use super::waits::{Wait, Waits};
use crate::claim::Claim;
use incar_core::{Lease, Owner, SessionId, SessionRecord, StoreError, Timestamp};
use moka::policy::EvictionPolicy;
use moka::sync::Cache;
use std::collections::VecDeque;
use std::mem;
use std::num::NonZeroU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What a session takes beside its texts, rounded up from measurements.
const OVERHEAD: u64 = 600;

/// How many claimed sessions without a state are remembered.
const PARKED: usize = 1_024;

/// moka refuses more.
const LONGEST_IDLE: Duration = Duration::from_secs(1_000 * 365 * 24 * 60 * 60);

/// Names a session. Owner and id together: an id means nothing without its owner.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    owner: Owner,
    id: SessionId,
}

impl Key {
    fn of(record: &SessionRecord) -> Self {
        Self {
            owner: record.owner.clone(),
            id: record.id.clone(),
        }
    }
}

/// The sessions. `states` decides which stay, `waits` knows all else about them; whatever the cache
/// evicts is taken out of `waits` before the operation that caused it ends.
pub(super) struct Shelf {
    states: Cache<Key, Arc<str>>,
    /// What the cache evicted and `waits` was not told yet. The listener has no other way in: it
    /// runs inside the cache's calls, while the store's lock is held.
    evicted: Arc<Mutex<Vec<Arc<Key>>>>,
    waits: Waits,
    /// Sessions evicted while claimed: their lease has the state, so giving it back revives them.
    parked: VecDeque<Arc<Key>>,
    tombstones: Tombstones,
    next_token: NonZeroU64,
    settings: MemorySettings,
}

impl Shelf {
    pub(super) fn new(settings: MemorySettings) -> Self {
        let evicted = Arc::new(Mutex::new(Vec::new()));
        let listener = Arc::clone(&evicted);
        let states = Cache::builder()
            .eviction_policy(EvictionPolicy::lru())
            .time_to_idle(settings.idle.min(LONGEST_IDLE))
            .eviction_listener(move |key, _, cause| {
                if cause.was_evicted() {
                    listener.lock().unwrap_or_else(PoisonError::into_inner).push(key);
                }
            });
        let states = match settings.bound {
            Bound::Sessions(sessions) => states.max_capacity(sessions.max(1)),
            Bound::Bytes(bytes) => states
                .max_capacity(bytes)
                .weigher(|key: &Key, state: &Arc<str>| u32::try_from(weight(key, state)).unwrap_or(u32::MAX)),
        };
        Self {
            states: states.build(),
            evicted,
            waits: Waits::default(),
            parked: VecDeque::new(),
            tombstones: Tombstones::default(),
            next_token: NonZeroU64::MIN,
            settings,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.waits.len()
    }

    pub(super) fn newest_first(&self, owner: &Owner) -> impl Iterator<Item = (SessionId, Timestamp)> {
        self.waits
            .of(owner)
            .iter()
            .rev()
            .map(|wait| (wait.id.clone(), wait.expires_at))
    }

    pub(super) fn insert(&mut self, record: SessionRecord) -> Result<(), StoreError> {
        let key = Key::of(&record);
        if self.waits.find(&key.owner, &key.id).is_some() {
            return Err(StoreError::Taken);
        }
        self.check_size(&key, &record.state)?;
        self.tombstones.take(&key.owner, &key.id);
        let wait = Wait {
            id: record.id,
            expires_at: record.expires_at,
            claim: None,
        };
        self.waits.push(record.owner, wait);
        self.admit(key, record.state);
        Ok(())
    }

    pub(super) fn claim(&mut self, id: &str, owner: &Owner, now: Timestamp) -> Result<Lease, StoreError> {
        let Some(wait) = self.waits.find_mut(owner, id) else {
            return Err(if self.tombstones.take(owner, id) {
                StoreError::Expired
            } else {
                StoreError::Unknown
            });
        };
        if wait
            .claim
            .is_some_and(|claim| claim.is_good(now, self.settings.claim_age))
        {
            return Err(StoreError::Busy);
        }
        let key = Key {
            owner: owner.clone(),
            id: wait.id.clone(),
        };
        let state = if now < wait.expires_at {
            self.states.get(&key)
        } else {
            None
        };
        let Some(state) = state else {
            self.remove(&key);
            return Err(StoreError::Expired);
        };
        let token = self.next_token;
        self.next_token = token.saturating_add(1);
        wait.claim = Some(Claim { token, since: now });
        let record = SessionRecord::new(key.id, key.owner, wait.expires_at, &*state);
        Ok(Lease::new(record, token.get()))
    }

    pub(super) fn put_back(&mut self, lease: Lease, expires_at: Timestamp, state: Box<str>) -> Result<(), StoreError> {
        let key = Key::of(&lease.record);
        if let Err(error) = self.check_size(&key, &state) {
            self.release(lease)?;
            return Err(error);
        }
        let wait = self.claimed_by(&lease)?;
        wait.claim = None;
        wait.expires_at = expires_at;
        // An entry that is overwritten would keep its old key beside the new one.
        self.states.invalidate(&key);
        self.admit(key, state);
        Ok(())
    }

    pub(super) fn release(&mut self, lease: Lease) -> Result<(), StoreError> {
        self.claimed_by(&lease)?.claim = None;
        let key = Key::of(&lease.record);
        if !self.states.contains_key(&key) {
            self.admit(key, lease.record.state);
        }
        Ok(())
    }

    pub(super) fn close(&mut self, lease: Lease) -> Result<(), StoreError> {
        self.claimed_by(&lease)?;
        self.remove(&Key::of(&lease.record));
        Ok(())
    }

    pub(super) fn forget(&mut self, owner: &Owner) {
        for wait in self.waits.remove_all(owner) {
            let key = Key {
                owner: owner.clone(),
                id: wait.id,
            };
            self.states.invalidate(&key);
        }
    }

    fn claimed_by(&mut self, lease: &Lease) -> Result<&mut Wait, StoreError> {
        self.waits
            .find_mut(&lease.record.owner, &lease.record.id)
            .filter(|wait| wait.claim.is_some_and(|claim| claim.token.get() == lease.token))
            .ok_or(StoreError::Lost)
    }

    fn check_size(&self, key: &Key, state: &str) -> Result<(), StoreError> {
        match self.settings.bound {
            Bound::Bytes(bytes) if weight(key, state) > bytes => Err(StoreError::Backend(format!(
                "a session of {} bytes is larger than the whole store",
                weight(key, state)
            ))),
            Bound::Bytes(_) | Bound::Sessions(_) => Ok(()),
        }
    }

    fn remove(&mut self, key: &Key) {
        self.waits.remove(&key.owner, &key.id);
        self.states.invalidate(key);
    }

    /// Puts a state into the cache and lets go of whatever had to give way for it.
    fn admit(&mut self, key: Key, state: Box<str>) {
        self.states.insert(key, state.into());
        self.states.run_pending_tasks();
        let evicted = mem::take(&mut *self.evicted.lock().unwrap_or_else(PoisonError::into_inner));
        for key in evicted {
            // What was written again after its eviction is there.
            if self.states.contains_key(&*key) {
                continue;
            }
            match self.waits.find(&key.owner, &key.id) {
                Some(Wait { claim: Some(_), .. }) => self.park(key),
                Some(Wait { claim: None, .. }) => self.bury(&key),
                None => {}
            }
        }
    }

    fn park(&mut self, key: Arc<Key>) {
        self.parked.push_back(key);
        if self.parked.len() > PARKED
            && let Some(oldest) = self.parked.pop_front()
            && !self.states.contains_key(&*oldest)
            && self.waits.find(&oldest.owner, &oldest.id).is_some()
        {
            self.bury(&oldest);
        }
    }

    fn bury(&mut self, key: &Key) {
        self.waits.remove(&key.owner, &key.id);
        self.tombstones.add(&key.owner, &key.id);
    }
}

fn weight(key: &Key, state: &str) -> u64 {
    let texts = key.owner.car.len() + key.id.len() + state.len();
    OVERHEAD.saturating_add(u64::try_from(texts).unwrap_or(u64::MAX))
}
