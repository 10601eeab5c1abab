//! Storage in a folder.

use super::{Storage, StorageError};
use crate::id::FileName;
use incar_core::async_trait;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tokio::task::spawn_blocking;

/// Storage in one folder, a file for each text.
///
/// A text is written to a hidden file beside its place, synced, and moved there in one step.
#[derive(Debug, Clone)]
pub struct FolderStorage {
    folder: PathBuf,
}

impl FolderStorage {
    /// Storage in the folder at `path`, which is made where it is not there.
    ///
    /// # Errors
    /// Where it can be neither found nor made.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Self> {
        let folder = path.into();
        fs::create_dir_all(&folder)?;
        Ok(Self { folder })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.folder
    }
}

#[async_trait]
impl Storage for FolderStorage {
    async fn put(&self, name: &FileName, text: &str) -> Result<(), StorageError> {
        let (folder, name, text) = (self.folder.clone(), name.clone(), text.to_owned());
        on_disk(move || put(&folder, name.as_str(), &text)).await
    }

    async fn get(&self, name: &FileName) -> Result<Option<String>, StorageError> {
        let path = self.folder.join(name.as_str());
        on_disk(move || match fs::read_to_string(path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        })
        .await
    }

    async fn remove(&self, name: &FileName) -> Result<(), StorageError> {
        let path = self.folder.join(name.as_str());
        on_disk(move || match fs::remove_file(path) {
            Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        })
        .await
    }

    async fn names(&self) -> Result<Vec<FileName>, StorageError> {
        let folder = self.folder.clone();
        on_disk(move || names(&folder)).await
    }
}

fn put(folder: &Path, name: &str, text: &str) -> io::Result<()> {
    let (written, place) = (folder.join(format!(".{name}.new")), folder.join(name));
    let mut file = File::create(&written)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&written, &place)?;
    // The name is on the disk when the folder is.
    File::open(folder)?.sync_all()
}

fn names(folder: &Path) -> io::Result<Vec<FileName>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        // What is none of ours (hidden, half written, a folder) has no name here.
        let name = entry
            .file_name()
            .into_string()
            .ok()
            .and_then(|name| FileName::new(name).ok());
        if entry.file_type()?.is_file() {
            names.extend(name);
        }
    }
    names.sort();
    Ok(names)
}

/// Works on the disk where waiting for it holds nobody else up.
async fn on_disk<T: Send + 'static>(work: impl FnOnce() -> io::Result<T> + Send + 'static) -> Result<T, StorageError> {
    match spawn_blocking(work).await {
        Ok(done) => done.map_err(|error| StorageError(error.to_string())),
        Err(error) => Err(StorageError(error.to_string())),
    }
}
