//! Waiting conversations in memory.

mod settings;
mod shelf;
mod tombstones;
mod waits;

#[cfg(test)]
mod model_test;
#[cfg(test)]
mod tests;

pub use settings::{Bound, MemorySettings};

use async_trait::async_trait;
use incar_core::{Lease, Owner, SessionId, SessionRecord, SessionStore, StoreError, Timestamp};
use shelf::Shelf;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Keeps waiting conversations in memory, the least recently used giving way to new ones.
///
/// A session that had to give way is answered [`StoreError::Expired`] once. One that is claimed
/// then is not lost: giving it back admits it again.
///
/// Everything happens under one lock, held for microseconds and never across an `.await`, so the
/// operations are linearizable.
///
/// ```
/// use incar_core::{Seat, SessionRecord, SessionStore, Speaker, StoreError, Timestamp};
/// use incar_sessions::{MemoryStore, new_session_id};
/// # async fn example() -> Result<(), StoreError> {
/// let store = MemoryStore::default();
/// let (id, owner) = (new_session_id(), Speaker::new("car", Seat::Driver).owner());
/// let expires_at = Timestamp::from_millis(300_000);
/// store.insert(SessionRecord::new(id.clone(), owner.clone(), expires_at, "{}")).await?;
///
/// let lease = store.claim(&id, &owner, Timestamp::from_millis(1_000)).await?;
/// assert_eq!(&*lease.record.state, "{}");
/// store.close(lease).await?;
/// # Ok(())
/// # }
/// ```
pub struct MemoryStore {
    shelf: Mutex<Shelf>,
}

impl MemoryStore {
    /// An empty store.
    pub fn new(settings: MemorySettings) -> Self {
        Self {
            shelf: Mutex::new(Shelf::new(settings)),
        }
    }

    /// How many sessions wait, claimed and expired ones included.
    pub fn len(&self) -> usize {
        self.shelf().len()
    }

    /// Whether none does.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn shelf(&self) -> MutexGuard<'_, Shelf> {
        self.shelf.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new(MemorySettings::default())
    }
}

/// Shows the number of sessions, never what was said in them.
impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore")
            .field("sessions", &self.len())
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl SessionStore for MemoryStore {
    async fn insert(&self, record: SessionRecord) -> Result<(), StoreError> {
        self.shelf().insert(record)
    }

    async fn waiting(&self, owner: &Owner) -> Result<Option<SessionId>, StoreError> {
        Ok(self.shelf().newest_first(owner).next().map(|(id, _)| id))
    }

    async fn claim(&self, id: &str, owner: &Owner, now: Timestamp) -> Result<Lease, StoreError> {
        self.shelf().claim(id, owner, now)
    }

    async fn put_back(&self, lease: Lease, expires_at: Timestamp, state: Box<str>) -> Result<(), StoreError> {
        self.shelf().put_back(lease, expires_at, state)
    }

    async fn release(&self, lease: Lease) -> Result<(), StoreError> {
        self.shelf().release(lease)
    }

    async fn close(&self, lease: Lease) -> Result<(), StoreError> {
        self.shelf().close(lease)
    }

    async fn list(&self, owner: &Owner) -> Result<Vec<(SessionId, Timestamp)>, StoreError> {
        Ok(self.shelf().newest_first(owner).collect())
    }

    async fn forget(&self, owner: &Owner) -> Result<(), StoreError> {
        self.shelf().forget(owner);
        Ok(())
    }
}
