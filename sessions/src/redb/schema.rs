//! The tables, their version, and how a file is opened.

use super::file::open_private;
use super::settings::DurableSettings;
use ::redb::backends::FileBackend;
use ::redb::{Builder, Database, DatabaseError, ReadableTable, StorageError, TableDefinition, TableError, TableHandle};
use std::io;
use std::path::Path;

/// The version of the tables. A change of a table's shape or of a key's writing is a new version,
/// with a step in [`prepare`] and a fixture of the old one.
pub(super) const SCHEMA: u64 = 1;

/// "schema": the version; "next": the next number for sessions and claims.
pub(super) const META: TableDefinition<'_, &str, u64> = TableDefinition::new("meta");
pub(super) const SCHEMA_KEY: &str = "schema";
pub(super) const NEXT_KEY: &str = "next";

/// Owner and number, in the order of insertion.
pub(super) type SessionKey = (&'static str, u64);
/// Id, expiry, stage, token of the claim (0: none), time of the claim.
pub(super) type SessionHead = (&'static str, u64, u8, u64, u64);
pub(super) const SESSIONS: TableDefinition<'_, SessionKey, SessionHead> = TableDefinition::new("sessions");
/// The number of each session by owner and id.
pub(super) const IDS: TableDefinition<'_, (&str, &str), u64> = TableDefinition::new("ids");
/// What was said. An expired session has none any more.
pub(super) const STATES: TableDefinition<'_, SessionKey, &str> = TableDefinition::new("states");

/// By owner and key: time, intent as JSON, outcome as JSON (empty: none yet), result.
pub(super) type JournalRow = (u64, &'static str, &'static str, &'static str);
pub(super) const JOURNAL: TableDefinition<'_, (&str, &str), JournalRow> = TableDefinition::new("journal");

/// By holder, shelf and key: time, value as JSON.
pub(super) const RECORDS: TableDefinition<'_, (&str, &str, &str), (u64, &str)> = TableDefinition::new("records");

/// Why a store's file cannot be used. It is left as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The file system refused.
    #[error("the store's file cannot be opened: {message}")]
    Io {
        /// What kind of refusal.
        kind: io::ErrorKind,
        /// In the system's words.
        message: String,
    },
    /// A directory, a link or a device.
    #[error("the store's path is no plain file")]
    NotAFile,
    /// Another process, or another store of this one, has it open.
    #[error("the store is in use")]
    InUse,
    /// It is not a store of incar.
    #[error("the file is not a store of incar")]
    Foreign,
    /// A newer version wrote it.
    #[error("the store has schema {found}; this version reads up to {known}")]
    Newer {
        /// Its schema.
        found: u64,
        /// The newest schema known here.
        known: u64,
    },
    /// It is a store, but what is in it cannot be read.
    #[error("the store is damaged: {0}")]
    Damaged(String),
}

impl OpenError {
    pub(super) fn io(error: io::Error) -> Self {
        Self::Io {
            kind: error.kind(),
            message: error.to_string(),
        }
    }

    fn damaged(error: impl Into<::redb::Error>) -> Self {
        Self::Damaged(error.into().to_string())
    }
}

impl From<DatabaseError> for OpenError {
    fn from(error: DatabaseError) -> Self {
        match error {
            DatabaseError::DatabaseAlreadyOpen | DatabaseError::LockProtocolMismatch => Self::InUse,
            DatabaseError::Storage(StorageError::Io(error)) => match error.kind() {
                io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => Self::Foreign,
                _ => Self::io(error),
            },
            error => Self::damaged(error),
        }
    }
}

/// What every file of the database engine begins with.
const MAGIC: &[u8] = b"redb\x1a\x0a\xa9\x0d\x0a";

pub(super) fn open(path: &Path, settings: &DurableSettings) -> Result<Database, OpenError> {
    let file = open_private(path)?;
    let mut head = Vec::new();
    io::Read::read_to_end(&mut io::Read::take(&file, MAGIC.len() as u64), &mut head).map_err(OpenError::io)?;
    if !head.is_empty() && head != MAGIC {
        return Err(OpenError::Foreign);
    }
    let database = Builder::new()
        .set_cache_size(settings.cache)
        // A damaged file is an error then, not a panic at some later read.
        .set_check_integrity_on_open(true)
        .create_with_backend(FileBackend::new(file)?)?;
    prepare(&database)?;
    Ok(database)
}

#[cfg(any(test, feature = "testkit"))]
pub(super) fn in_memory() -> Result<Database, OpenError> {
    let database = Builder::new().create_with_backend(::redb::backends::InMemoryBackend::new())?;
    prepare(&database)?;
    Ok(database)
}

/// Makes the tables of a new file, and brings those of an older one up to date.
fn prepare(database: &Database) -> Result<(), OpenError> {
    let transaction = database.begin_write().map_err(OpenError::damaged)?;
    let tables: Vec<String> = transaction
        .list_tables()
        .map_err(OpenError::damaged)?
        .map(|table| table.name().to_owned())
        .collect();
    if !tables.is_empty() && !tables.iter().any(|table| table == META.name()) {
        return Err(OpenError::Foreign);
    }
    {
        let mut meta = transaction.open_table(META).map_err(foreign)?;
        let found = meta
            .get(SCHEMA_KEY)
            .map_err(OpenError::damaged)?
            .map(|found| found.value());
        match found {
            Some(SCHEMA) => {}
            Some(found) if found > SCHEMA => return Err(OpenError::Newer { found, known: SCHEMA }),
            // The step from each older version stands here, once there is one.
            Some(_) => return Err(OpenError::Foreign),
            None if tables.is_empty() => drop(meta.insert(SCHEMA_KEY, SCHEMA).map_err(OpenError::damaged)?),
            None => return Err(OpenError::Foreign),
        }
    }
    // Every table is there from the start, so that readers need not ask.
    transaction.open_table(SESSIONS).map_err(foreign)?;
    transaction.open_table(IDS).map_err(foreign)?;
    transaction.open_table(STATES).map_err(foreign)?;
    transaction.open_table(JOURNAL).map_err(foreign)?;
    transaction.open_table(RECORDS).map_err(foreign)?;
    transaction.commit().map_err(OpenError::damaged)
}

/// A table by a name of ours that is not ours.
fn foreign(error: TableError) -> OpenError {
    match error {
        TableError::Storage(error) => OpenError::damaged(error),
        _ => OpenError::Foreign,
    }
}
