//! Storage that ends with the process.

use super::{Storage, StorageError};
use crate::id::FileName;
use incar_core::async_trait;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Storage in memory.
#[derive(Debug, Default)]
pub struct MemoryStorage {
    texts: Mutex<BTreeMap<FileName, String>>,
}

impl MemoryStorage {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<FileName, String>> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl Storage for MemoryStorage {
    async fn put(&self, name: &FileName, text: &str) -> Result<(), StorageError> {
        self.lock().insert(name.clone(), text.to_owned());
        Ok(())
    }

    async fn get(&self, name: &FileName) -> Result<Option<String>, StorageError> {
        Ok(self.lock().get(name).cloned())
    }

    async fn remove(&self, name: &FileName) -> Result<(), StorageError> {
        self.lock().remove(name);
        Ok(())
    }

    async fn names(&self) -> Result<Vec<FileName>, StorageError> {
        Ok(self.lock().keys().cloned().collect())
    }
}
