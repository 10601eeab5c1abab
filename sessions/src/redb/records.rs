//! Lasting facts.

use super::DurableStore;
use super::schema::RECORDS;
use crate::keys;
use async_trait::async_trait;
use incar_core::{Holder, Record, RecordStore, StoreError, Timestamp, json_fault};

fn record(key: &str, (at, value): (u64, &str)) -> Result<Record, StoreError> {
    let value = serde_json::from_str(value)
        .map_err(|error| StoreError::Backend(format!("a fact cannot be read: {}", json_fault(&error))))?;
    Ok(Record::new(key, value, Timestamp::from_millis(at)))
}

#[async_trait]
impl RecordStore for DurableStore {
    async fn put(&self, holder: &Holder, shelf: &str, record: Record) -> Result<(), StoreError> {
        let (holder, shelf) = (keys::of_holder(holder), shelf.to_owned());
        self.run(move |inner| {
            inner.write(|transaction| {
                let mut records = transaction.open_table(RECORDS)?;
                let value = record.value.to_string();
                records.insert((&*holder, &*shelf, &*record.key), (record.at.as_millis(), &*value))?;
                Ok(Ok(()))
            })
        })
        .await
    }

    async fn list(&self, holder: &Holder, shelf: &str) -> Result<Vec<Record>, StoreError> {
        let (holder, shelf) = (keys::of_holder(holder), shelf.to_owned());
        let mut records = self
            .run(move |inner| {
                inner.read(|transaction| {
                    let records = transaction.open_table(RECORDS)?;
                    let mut found = Vec::new();
                    for row in records.range((&*holder, &*shelf, "")..)? {
                        let (key, value) = row?;
                        let (of, on, key) = key.value();
                        if (of, on) != (&*holder, &*shelf) {
                            break;
                        }
                        match record(key, value.value()) {
                            Ok(record) => found.push(record),
                            Err(error) => return Ok(Err(error)),
                        }
                    }
                    Ok(Ok(found))
                })
            })
            .await?;
        // By key they are already.
        records.sort_by_key(|record| record.at);
        Ok(records)
    }

    async fn delete(&self, holder: &Holder, shelf: &str, key: &str) -> Result<Option<Record>, StoreError> {
        let (holder, shelf, key) = (keys::of_holder(holder), shelf.to_owned(), key.to_owned());
        self.run(move |inner| {
            inner.write(|transaction| {
                let mut records = transaction.open_table(RECORDS)?;
                let removed = records.remove((&*holder, &*shelf, &*key))?;
                Ok(removed.map(|row| record(&key, row.value())).transpose())
            })
        })
        .await
    }

    async fn forget(&self, holder: &Holder) -> Result<(), StoreError> {
        let holder = keys::of_holder(holder);
        self.run(move |inner| {
            inner.write(|transaction| {
                let mut records = transaction.open_table(RECORDS)?;
                records.retain_in((&*holder, "", "").., |(of, ..), _| of != holder)?;
                Ok(Ok(()))
            })
        })
        .await
    }
}
