//! Where runs keep what must outlive them: their state, their record, their reports.

mod folder;
mod memory;
#[cfg(test)]
mod tests;

pub use folder::FolderStorage;
pub use memory::MemoryStorage;

use crate::id::FileName;
use incar_core::async_trait;
use std::fmt::Debug;

/// Named texts, each replaced as a whole. A run that is kept in one is worked on by one process at a time.
#[async_trait]
pub trait Storage: Debug + Send + Sync {
    /// Writes a text in place of what has that name. It is there when this returns, also after a crash; and a reader sees
    /// the old text or the new one, never a part.
    ///
    /// # Errors
    /// Where it was not written. What was there before is still there.
    async fn put(&self, name: &FileName, text: &str) -> Result<(), StorageError>;

    /// The text of that name; `None` where there is none.
    ///
    /// # Errors
    /// Where it cannot be read.
    async fn get(&self, name: &FileName) -> Result<Option<String>, StorageError>;

    /// Removes the text of that name; nothing where there is none.
    ///
    /// # Errors
    /// Where it is still there.
    async fn remove(&self, name: &FileName) -> Result<(), StorageError>;

    /// All names, sorted.
    ///
    /// # Errors
    /// Where they cannot be read.
    async fn names(&self) -> Result<Vec<FileName>, StorageError>;
}

/// A text that could not be written or read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the storage of runs failed: {0}")]
pub struct StorageError(pub String);
