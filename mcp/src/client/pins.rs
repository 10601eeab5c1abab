//! What the host has accepted of each server.

use super::definition::ToolDefinition;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The accepted tools of a server, by the server's names.
pub type Pins = BTreeMap<String, ToolDefinition>;

/// The pins could not be read or written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("what was accepted of MCP servers cannot be read or written: {0}")]
pub struct PinError(pub String);

/// Keeps what was accepted, beyond the life of the process where the host wants that.
pub trait PinStore: Send + Sync + Debug {
    /// What was accepted of `server`; `None` where it was never seen.
    ///
    /// # Errors
    /// [`PinError`] where that cannot be told; the server's tools are off then.
    fn load(&self, server: &str) -> Result<Option<Pins>, PinError>;

    /// Keeps what was accepted of `server`, in place of what was before.
    ///
    /// # Errors
    /// [`PinError`] where it was not written.
    fn save(&self, server: &str, pins: &Pins) -> Result<(), PinError>;
}

/// Pins for the life of the process: every start is a first meeting.
#[derive(Debug, Default)]
pub struct MemoryPins(Mutex<BTreeMap<String, Pins>>);

impl PinStore for MemoryPins {
    fn load(&self, server: &str) -> Result<Option<Pins>, PinError> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(all.get(server).cloned())
    }

    fn save(&self, server: &str, pins: &Pins) -> Result<(), PinError> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(server.to_owned(), pins.clone());
        Ok(())
    }
}

/// Pins in one JSON file, which a host may also ship or review.
#[derive(Debug)]
pub struct FilePins {
    path: PathBuf,
    writing: Mutex<()>,
}

impl FilePins {
    /// Pins in the file at `path`, which need not be there yet; its folder must.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            writing: Mutex::default(),
        }
    }

    fn read(&self) -> Result<BTreeMap<String, Pins>, PinError> {
        match std::fs::read(&self.path) {
            Ok(written) => serde_json::from_slice(&written).map_err(|error| PinError(error.to_string())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(BTreeMap::new()),
            Err(error) => Err(PinError(error.to_string())),
        }
    }

    fn write(&self, all: &BTreeMap<String, Pins>) -> std::io::Result<()> {
        let written = serde_json::to_vec_pretty(all)?;
        let beside = self.path.with_extension("new");
        let mut file = std::fs::File::create(&beside)?;
        file.write_all(&written)?;
        file.sync_all()?;
        // Whoever reads sees the old file or the new one, never half of it.
        std::fs::rename(beside, &self.path)
    }
}

impl PinStore for FilePins {
    fn load(&self, server: &str) -> Result<Option<Pins>, PinError> {
        Ok(self.read()?.remove(server))
    }

    fn save(&self, server: &str, pins: &Pins) -> Result<(), PinError> {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = self.read()?;
        all.insert(server.to_owned(), pins.clone());
        self.write(&all).map_err(|error| PinError(error.to_string()))
    }
}
