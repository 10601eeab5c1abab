//! Facts in memory.

use async_trait::async_trait;
use incar_core::{Holder, Record, RecordStore, StoreError};
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

type Shelves = HashMap<String, BTreeMap<String, Record>>;

/// Keeps facts in memory: for tests and simulators, and for hosts that want nothing on disk.
///
/// ```
/// use incar_core::{Record, RecordStore, Seat, Speaker, StoreError, Timestamp};
/// use incar_sessions::MemoryRecords;
/// # async fn example() -> Result<(), StoreError> {
/// let records = MemoryRecords::default();
/// let holder = Speaker::new("car", Seat::Driver).with_person("anna").holder();
/// let fact = Record::new("seat_heating", 2.into(), Timestamp::from_millis(0));
/// records.put(&holder, "preferences", fact.clone()).await?;
/// assert_eq!(records.list(&holder, "preferences").await?, [fact]);
/// # Ok(())
/// # }
/// ```
#[derive(Default)]
pub struct MemoryRecords {
    holders: Mutex<HashMap<Holder, Shelves>>,
}

impl MemoryRecords {
    fn holders(&self) -> MutexGuard<'_, HashMap<Holder, Shelves>> {
        self.holders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Shows how many hold facts, never what they say.
impl fmt::Debug for MemoryRecords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryRecords")
            .field("holders", &self.holders().len())
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl RecordStore for MemoryRecords {
    async fn put(&self, holder: &Holder, shelf: &str, record: Record) -> Result<(), StoreError> {
        let mut holders = self.holders();
        let shelves = holders.entry(holder.clone()).or_default();
        let shelf = shelves.entry(shelf.to_owned()).or_default();
        shelf.insert(record.key.clone(), record);
        Ok(())
    }

    async fn list(&self, holder: &Holder, shelf: &str) -> Result<Vec<Record>, StoreError> {
        let holders = self.holders();
        let shelf = holders.get(holder).and_then(|shelves| shelves.get(shelf));
        let mut records: Vec<_> = shelf.into_iter().flat_map(BTreeMap::values).cloned().collect();
        // Stable: those of one moment stay in the order of their keys.
        records.sort_by_key(|record| record.at);
        Ok(records)
    }

    async fn delete(&self, holder: &Holder, shelf: &str, key: &str) -> Result<Option<Record>, StoreError> {
        let mut holders = self.holders();
        let shelf = holders.get_mut(holder).and_then(|shelves| shelves.get_mut(shelf));
        Ok(shelf.and_then(|shelf| shelf.remove(key)))
    }

    async fn forget(&self, holder: &Holder) -> Result<(), StoreError> {
        self.holders().remove(holder);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testkit;

    #[tokio::test]
    async fn the_memory_store_of_facts_conforms() {
        testkit::records(&MemoryRecords::default()).await;
    }
}
