//! Where the prompt keeps bookings and preferences: one file that outlives it.

use incar::sessions::{DurableSettings, DurableStore, MemoryRecords};
use incar::{Clock, RecordStore, SystemClock};
use std::path::PathBuf;
use std::sync::Arc;

/// What to keep them in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Data {
    /// The usual file below the user's data folder.
    Usual,
    /// This file.
    File(PathBuf),
    /// Nothing: they end with the program.
    Nothing,
}

impl Data {
    /// The store, and where it is, in words. A file that cannot be used is told and not touched.
    pub(crate) fn open(&self) -> (Arc<dyn RecordStore>, String) {
        let nothing = || {
            (
                Arc::new(MemoryRecords::default()) as Arc<dyn RecordStore>,
                "nowhere".to_owned(),
            )
        };
        let path = match self {
            Self::Nothing => return nothing(),
            Self::File(path) => path.clone(),
            Self::Usual => match usual() {
                Some(path) => path,
                None => return nothing(),
            },
        };
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        let opened = made.map_err(|error| error.to_string()).and_then(|()| {
            DurableStore::open(&path, DurableSettings::default(), SystemClock.now()).map_err(|error| error.to_string())
        });
        match opened {
            Ok(store) => (Arc::new(store), path.display().to_string()),
            Err(error) => {
                eprintln!(
                    "repl: {} cannot be used: {error}. Bookings and preferences end with this run.",
                    path.display()
                );
                nothing()
            }
        }
    }
}

/// `incar/repl.redb` below the folder that the XDG base directory specification names for data.
fn usual() -> Option<PathBuf> {
    let set = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let folder = set("XDG_DATA_HOME").or_else(|| Some(set("HOME")?.join(".local").join("share")))?;
    Some(folder.join("incar").join("repl.redb"))
}
