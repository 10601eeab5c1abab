//! Everything that outlives a turn in one file, for a car.

mod file;
mod journal;
mod purge;
mod records;
mod schema;
mod sessions;
mod settings;

#[cfg(test)]
mod tests;

pub use schema::OpenError;
pub use settings::DurableSettings;

use ::redb::{Database, ReadTransaction, ReadableDatabase, WriteTransaction};
use incar_core::{StoreError, Timestamp};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Waiting conversations, turns on their way, the journal and lasting facts in one file on disk. It
/// is a `SessionStore` with `Checkpoints`, a `Journal` and a `RecordStore`: hand clones of it to each.
///
/// Every write is on disk when it returns. The file belongs to one process at a time and is
/// readable by its user alone. Claims end with the process that made them.
///
/// The methods need a tokio runtime: the file is read and written on its blocking threads. A future
/// that is dropped does not stop what it began.
///
/// ```
/// use incar_core::{Clock, Seat, SessionRecord, SessionStore, Speaker, Timestamp};
/// use incar_sessions::{DurableSettings, DurableStore, new_session_id};
/// # async fn example(directory: &std::path::Path) -> Result<(), Box<dyn std::error::Error>> {
/// let now = Timestamp::from_millis(1_000);
/// let store = DurableStore::open(directory.join("incar.redb"), DurableSettings::default(), now)?;
/// let owner = Speaker::new("car", Seat::Driver).owner();
/// store.insert(SessionRecord::new(new_session_id(), owner, Timestamp::from_millis(300_000), "{}")).await?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct DurableStore {
    inner: Arc<Inner>,
}

struct Inner {
    database: Database,
    settings: DurableSettings,
    path: PathBuf,
    /// When it was purged last, in milliseconds.
    purged: AtomicU64,
}

impl DurableStore {
    /// Opens the file at `path`, or makes it where there is none; its directory must be there. Brings
    /// an older version's file up to date, ends the claims of the process before and purges what is
    /// too old at `now`. Blocks while it checks the file.
    ///
    /// # Errors
    /// [`OpenError`]. A file that cannot be opened is left as it is.
    pub fn open(path: impl AsRef<Path>, settings: DurableSettings, now: Timestamp) -> Result<Self, OpenError> {
        let path = path.as_ref();
        let database = schema::open(path, &settings)?;
        let inner = Inner {
            database,
            settings,
            path: path.to_owned(),
            purged: AtomicU64::new(now.as_millis()),
        };
        inner
            .write(|transaction| {
                sessions::end_claims(transaction)?;
                purge::purge(transaction, &inner.settings, now)?;
                Ok(Ok(()))
            })
            .map_err(|error| OpenError::Damaged(error.to_string()))?;
        Ok(Self { inner: Arc::new(inner) })
    }

    /// A store that keeps everything in memory and is gone with its last clone: for tests.
    ///
    /// # Errors
    /// [`OpenError`]; there is no file that could cause one.
    #[cfg(any(test, feature = "testkit"))]
    pub fn in_memory(settings: DurableSettings, now: Timestamp) -> Result<Self, OpenError> {
        let inner = Inner {
            database: schema::in_memory()?,
            settings,
            path: PathBuf::new(),
            purged: AtomicU64::new(now.as_millis()),
        };
        Ok(Self { inner: Arc::new(inner) })
    }

    /// Deletes what is too old at `now`: states of expired sessions, traces of those told never, old
    /// journal entries. Happens by itself at opening and every hour of use.
    ///
    /// # Errors
    /// [`StoreError::Backend`].
    pub async fn purge(&self, now: Timestamp) -> Result<(), StoreError> {
        self.run(move |inner| inner.purge(now)).await
    }

    /// Runs `work` where it may block.
    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Inner) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let inner = self.inner.clone();
        match tokio::task::spawn_blocking(move || work(&inner)).await {
            Ok(result) => result,
            Err(error) => Err(StoreError::Backend(error.to_string())),
        }
    }
}

/// Shows where it is, never what was said.
impl fmt::Debug for DurableStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DurableStore")
            .field("path", &self.inner.path)
            .finish_non_exhaustive()
    }
}

/// What work in a transaction comes to: the outer error is the file's.
type Outcome<T> = Result<Result<T, StoreError>, ::redb::Error>;

impl Inner {
    fn read<T>(&self, work: impl FnOnce(&ReadTransaction) -> Outcome<T>) -> Result<T, StoreError> {
        let attempt = || work(&self.database.begin_read()?);
        attempt().unwrap_or_else(|error| Err(backend(&error)))
    }

    /// Commits what `work` did where it went well, and where it found an expired session, which is
    /// removed by being told.
    fn write<T>(&self, work: impl FnOnce(&WriteTransaction) -> Outcome<T>) -> Result<T, StoreError> {
        let attempt = || {
            let transaction = self.database.begin_write()?;
            let result = work(&transaction)?;
            match &result {
                Ok(_) | Err(StoreError::Expired) => transaction.commit()?,
                Err(_) => transaction.abort()?,
            }
            Ok(result)
        };
        attempt().unwrap_or_else(|error: ::redb::Error| Err(backend(&error)))
    }
}

fn backend(error: &::redb::Error) -> StoreError {
    StoreError::Backend(error.to_string())
}
