//! What the tests of several families of tools need.

use incar_core::{Holder, Record, RecordStore, StoreError, async_trait};
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::task::{Context, Poll, Waker};

/// What a future gives that never waits: simulated services answer at once.
pub(crate) fn at_once<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("it waits"),
    }
}

/// Facts in a map: enough for one holder. A store proper is tested where it lives.
#[derive(Debug, Default)]
pub(crate) struct Shelf(Mutex<BTreeMap<(String, String), Record>>);

#[async_trait]
impl RecordStore for Shelf {
    async fn put(&self, _: &Holder, shelf: &str, record: Record) -> Result<(), StoreError> {
        let key = (shelf.to_owned(), record.key.clone());
        self.0.lock().unwrap().insert(key, record);
        Ok(())
    }

    async fn list(&self, _: &Holder, shelf: &str) -> Result<Vec<Record>, StoreError> {
        let records = self.0.lock().unwrap();
        let on_shelf = records.iter().filter(|((name, _), _)| name == shelf);
        let mut all: Vec<Record> = on_shelf.map(|(_, record)| record.clone()).collect();
        all.sort_by_key(|record| record.at);
        Ok(all)
    }

    async fn delete(&self, _: &Holder, shelf: &str, key: &str) -> Result<Option<Record>, StoreError> {
        Ok(self.0.lock().unwrap().remove(&(shelf.to_owned(), key.to_owned())))
    }

    async fn forget(&self, _: &Holder) -> Result<(), StoreError> {
        self.0.lock().unwrap().clear();
        Ok(())
    }
}

/// A store that is out of reach.
#[derive(Debug)]
pub(crate) struct Gone;

#[async_trait]
impl RecordStore for Gone {
    async fn put(&self, _: &Holder, _: &str, _: Record) -> Result<(), StoreError> {
        Err(StoreError::Backend("gone".into()))
    }

    async fn list(&self, _: &Holder, _: &str) -> Result<Vec<Record>, StoreError> {
        Err(StoreError::Backend("gone".into()))
    }

    async fn delete(&self, _: &Holder, _: &str, _: &str) -> Result<Option<Record>, StoreError> {
        Err(StoreError::Backend("gone".into()))
    }

    async fn forget(&self, _: &Holder) -> Result<(), StoreError> {
        Err(StoreError::Backend("gone".into()))
    }
}
