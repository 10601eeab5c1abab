//! Where a process stops, and waits to be killed.

use crate::child;
use incar::sessions::DurableStore;
use incar::{
    Checkpoints, Conclusion, Intent, Journal, JournalEntry, JournalError, Lease, Owner, SessionId, SessionRecord,
    SessionStore, StoreError, Timestamp, async_trait,
};
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::sync::Arc;

/// A point on the way of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Point {
    /// The turn was not saved with this call yet.
    BeforeCheckpoint,
    /// It was; the journal knows nothing.
    BeforeIntent,
    /// The intent is written.
    AfterIntent,
    /// The effect happened.
    AfterEffect,
    /// The result is written.
    AfterResult,
    /// The conversation is saved or closed; the host heard nothing.
    AfterSave,
}

/// A point of one tool's call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Stop {
    point: Point,
    tool: String,
}

impl Stop {
    pub(crate) fn new(point: Point, tool: &str) -> Self {
        Self {
            point,
            tool: tool.to_owned(),
        }
    }
}

/// Stops the process at one point.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stops(pub(crate) Option<Arc<Stop>>);

impl Stops {
    /// Where `text` (a tool's name, a key, a saved turn) is about the call and this is the point: says so, and
    /// stays until the process is killed.
    pub(crate) fn at(&self, point: Point, about: impl FnOnce(&str) -> bool) {
        if self
            .0
            .as_ref()
            .is_some_and(|stop| stop.point == point && about(&stop.tool))
        {
            println!("{}", child::REACHED);
            std::io::stdout().flush().unwrap();
            loop {
                std::thread::park();
            }
        }
    }
}

/// The durable store with stops before and after what it writes.
#[derive(Debug)]
pub(crate) struct StoppingStore {
    pub(crate) store: DurableStore,
    pub(crate) stops: Stops,
}

/// Whether a key or a tool's name is about `tool`.
fn is_of(key: &str, tool: &str) -> bool {
    key.split(':').nth(1) == Some(tool)
}

/// Whether the call of `tool` is the next to run in a saved turn.
fn runs_next(state: &str, tool: &str) -> bool {
    let state: serde_json::Value = serde_json::from_str(state).unwrap();
    let entries = state["turn"]["phase"]["batch"]["entries"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    entries
        .iter()
        .any(|entry| entry["call"]["name"] == tool && entry["state"]["ready"].is_object())
}

#[async_trait]
impl Journal for StoppingStore {
    async fn intend(&self, intent: Intent) -> Result<(), JournalError> {
        let key = intent.key.clone();
        self.stops.at(Point::BeforeIntent, |tool| is_of(&key, tool));
        self.store.intend(intent).await?;
        self.stops.at(Point::AfterIntent, |tool| is_of(&key, tool));
        Ok(())
    }

    async fn conclude(&self, owner: &Owner, key: &str, conclusion: Conclusion) -> Result<(), JournalError> {
        self.store.conclude(owner, key, conclusion).await?;
        self.stops.at(Point::AfterResult, |tool| is_of(key, tool));
        Ok(())
    }

    async fn find(&self, owner: &Owner, key: &str) -> Result<Option<JournalEntry>, JournalError> {
        self.store.find(owner, key).await
    }

    async fn forget(&self, owner: &Owner) -> Result<(), JournalError> {
        Journal::forget(&self.store, owner).await
    }
}

#[async_trait]
impl SessionStore for StoppingStore {
    async fn insert(&self, record: SessionRecord) -> Result<(), StoreError> {
        self.store.insert(record).await
    }

    async fn waiting(&self, owner: &Owner) -> Result<Option<SessionId>, StoreError> {
        self.store.waiting(owner).await
    }

    async fn claim(&self, id: &str, owner: &Owner, now: Timestamp) -> Result<Lease, StoreError> {
        self.store.claim(id, owner, now).await
    }

    async fn put_back(&self, lease: Lease, expires_at: Timestamp, state: Box<str>) -> Result<(), StoreError> {
        self.store.put_back(lease, expires_at, state).await?;
        self.stops.at(Point::AfterSave, |_| true);
        Ok(())
    }

    async fn release(&self, lease: Lease) -> Result<(), StoreError> {
        self.store.release(lease).await
    }

    async fn close(&self, lease: Lease) -> Result<(), StoreError> {
        self.store.close(lease).await?;
        self.stops.at(Point::AfterSave, |_| true);
        Ok(())
    }

    async fn list(&self, owner: &Owner) -> Result<Vec<(SessionId, Timestamp)>, StoreError> {
        SessionStore::list(&self.store, owner).await
    }

    async fn forget(&self, owner: &Owner) -> Result<(), StoreError> {
        SessionStore::forget(&self.store, owner).await
    }

    fn checkpoints(&self) -> Option<&dyn Checkpoints> {
        Some(self)
    }
}

#[async_trait]
impl Checkpoints for StoppingStore {
    async fn begin(&self, record: SessionRecord, now: Timestamp) -> Result<Lease, StoreError> {
        let state = record.state.clone();
        self.stops.at(Point::BeforeCheckpoint, |tool| runs_next(&state, tool));
        self.store.begin(record, now).await
    }

    async fn checkpoint(&self, lease: &Lease, state: Box<str>) -> Result<(), StoreError> {
        self.stops.at(Point::BeforeCheckpoint, |tool| runs_next(&state, tool));
        self.store.checkpoint(lease, state).await
    }

    async fn interrupted(&self, now: Timestamp) -> Result<Vec<Lease>, StoreError> {
        self.store.interrupted(now).await
    }
}
