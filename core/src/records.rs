//! Small facts that outlive conversations: preferences, bookings, trips.

use crate::clock::Timestamp;
use crate::session::StoreError;
use crate::speaker::{Holder, Owner};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Debug;

/// One fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Record {
    /// Its name, unique on a shelf of one holder.
    pub key: String,
    /// What it says.
    pub value: Value,
    /// When it was written.
    pub at: Timestamp,
}

impl Record {
    /// The fact that `key` is `value`, as of `at`.
    pub fn new(key: impl Into<String>, value: Value, at: Timestamp) -> Self {
        Self {
            key: key.into(),
            value,
            at,
        }
    }
}

/// Keeps facts by holder and shelf ("preferences", "bookings"), until they are deleted.
///
/// Nobody reads another holder's facts.
#[async_trait]
pub trait RecordStore: Send + Sync + Debug {
    /// Writes a fact, in place of the one with its key.
    ///
    /// # Errors
    /// [`StoreError::Backend`].
    async fn put(&self, holder: &Holder, shelf: &str, record: Record) -> Result<(), StoreError>;

    /// All facts on a shelf, oldest first; those of one moment by key.
    ///
    /// # Errors
    /// [`StoreError::Backend`].
    async fn list(&self, holder: &Holder, shelf: &str) -> Result<Vec<Record>, StoreError>;

    /// Deletes a fact and returns it; `None` where there is none.
    ///
    /// # Errors
    /// [`StoreError::Backend`].
    async fn delete(&self, holder: &Holder, shelf: &str, key: &str) -> Result<Option<Record>, StoreError>;

    /// Deletes everything of a holder.
    ///
    /// # Errors
    /// [`StoreError::Backend`].
    async fn forget(&self, holder: &Holder) -> Result<(), StoreError>;
}

impl From<Owner> for Holder {
    fn from(owner: Owner) -> Self {
        Self::Seat(owner)
    }
}
