//! `[store]`: where waiting conversations, the journal and lasting facts are kept.

use crate::reading::{self, Reading};
use crate::secret::{self, Secret};
use incar_core::{Journal, RecordStore, SessionStore, Timestamp};
use incar_sessions::{MemoryJournal, MemoryRecords, MemoryStore};
use incar_tools::toml_file::{Code, Diagnostic, Diagnostics, Place, Section};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Where things are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Store {
    /// What keeps them.
    pub kind: Kind,
    place: Place,
}

/// What keeps things.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// The memory of the process: all is gone with it.
    Memory,
    /// One file (feature `redb`): conversations, the journal, bookings and preferences.
    Redb {
        /// The file; its folder must be there.
        file: PathBuf,
    },
    /// A Redis server (feature `redis`): conversations and the journal. Bookings and preferences stay in memory.
    Redis {
        /// Its address, which may hold a password.
        url: Secret,
        /// What every key begins with.
        prefix: String,
        /// How long an answer may take.
        deadline: Duration,
    },
}

/// Open stores.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Stores {
    /// Waiting conversations.
    pub sessions: Arc<dyn SessionStore>,
    /// What was about to be done, and was done.
    pub journal: Arc<dyn Journal>,
    /// Lasting facts: bookings, preferences.
    pub records: Arc<dyn RecordStore>,
    /// Runs of research, and their reports.
    #[cfg(feature = "research")]
    pub runs: Arc<dyn incar_research::Storage>,
}

impl Stores {
    /// Stores in memory.
    pub fn in_memory() -> Self {
        Self {
            sessions: Arc::new(MemoryStore::default()),
            journal: Arc::new(MemoryJournal::default()),
            records: Arc::new(MemoryRecords::default()),
            #[cfg(feature = "research")]
            runs: Arc::new(incar_research::MemoryStorage::default()),
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Named {
    Memory,
    Redb,
    Redis,
}

const KINDS: [(&str, Named); 3] = [
    ("memory", Named::Memory),
    ("redb", Named::Redb),
    ("redis", Named::Redis),
];

pub(crate) fn read(section: Section<'_>, reading: Reading<'_>) -> Option<Store> {
    let named = section.one_of("kind", &KINDS);
    if !section.has("kind") {
        section.missing("kind", "kind = \"memory\"");
    }
    let file = reading.path(&section, "file");
    let address = address(&section, reading);
    let (prefix, deadline) = (section.text("prefix"), section.millis("deadline_ms"));
    let unused = |keys: &[&'static str], kind: &str| {
        let fix = "leave it out, or write another kind";
        reading::unused(&section, keys, &format!("a store of kind {kind}"), fix);
    };
    let redis_keys = ["url", "url_env", "url_file", "prefix", "deadline_ms"];
    let kind = match named {
        None => None,
        Some(Named::Memory) => {
            unused(&["file"], "memory");
            unused(&redis_keys, "memory");
            Some(Kind::Memory)
        }
        Some(Named::Redb) => {
            unused(&redis_keys, "redb");
            if !section.has("file") {
                section.missing("file", "file = \"incar.redb\"");
            }
            file.map(|file| {
                supported(&section, "redb", cfg!(feature = "redb"));
                Kind::Redb { file }
            })
        }
        Some(Named::Redis) => {
            unused(&["file"], "redis");
            if !redis_keys.iter().take(3).any(|key| section.has(key)) {
                section.missing("url", "url = \"redis://127.0.0.1/\"");
            }
            address.map(|url| {
                supported(&section, "redis", cfg!(feature = "redis"));
                Kind::Redis {
                    url,
                    prefix: prefix.unwrap_or_else(|| "incar".to_owned()),
                    deadline: deadline.unwrap_or(Duration::from_secs(2)),
                }
            })
        }
    };
    let place = section.place_of("kind");
    section.finish();
    kind.map(|kind| Store { kind, place })
}

fn supported(section: &Section<'_>, feature: &str, built: bool) {
    if !built {
        let message = format!("this program was built without {feature}");
        let fix = format!("build it with --features {feature}, or write kind = \"memory\"");
        section.fault("kind", Code::Unsupported, message, fix);
    }
}

/// The server's address: in the file where nothing of it is secret.
fn address(section: &Section<'_>, reading: Reading<'_>) -> Option<Secret> {
    let hidden = secret::read(section, reading, secret::URL);
    let Some(url) = section.text("url") else {
        return hidden;
    };
    if url.contains('@') {
        let fix = "put the address in an environment variable and write `url_env = \"ITS_NAME\"`, or in a file of its own and write `url_file = \"path\"`";
        section.fault("url", Code::InlineSecret, "there is a password in the address", fix);
        return None;
    }
    if !["redis://", "unix://", "redis+unix://"]
        .iter()
        .any(|scheme| url.starts_with(scheme))
    {
        let fix = "write: url = \"redis://127.0.0.1/\"";
        section.fault("url", Code::UnknownValue, "it must begin with redis://", fix);
        return None;
    }
    Some(Secret::new(&url))
}

impl Store {
    /// Opens it; `now` is the time.
    ///
    /// # Errors
    /// Where it cannot be opened: the file is in use or damaged, this build has no such store.
    pub fn open(&self, now: Timestamp) -> Result<Stores, Diagnostics> {
        match &self.kind {
            Kind::Memory => Ok(Stores::in_memory()),
            Kind::Redb { file } => self.open_redb(file, now),
            Kind::Redis { url, prefix, deadline } => self.open_redis(url, prefix, *deadline),
        }
    }

    fn failed(&self, code: Code, message: String, fix: &str) -> Diagnostics {
        Diagnostic::new(self.place.clone(), "store", code, message, fix).into()
    }

    #[cfg(feature = "redb")]
    fn open_redb(&self, file: &std::path::Path, now: Timestamp) -> Result<Stores, Diagnostics> {
        use incar_sessions::{DurableSettings, DurableStore};
        let store = DurableStore::open(file, DurableSettings::default(), now).map_err(|error| {
            let fix = "check the path; one process at a time has the file";
            self.failed(Code::Unusable, format!("{}: {error}", file.display()), fix)
        })?;
        Ok(Stores {
            sessions: Arc::new(store.clone()),
            journal: Arc::new(store.clone()),
            records: Arc::new(store),
            ..Stores::in_memory()
        })
    }

    #[cfg(not(feature = "redb"))]
    fn open_redb(&self, _: &std::path::Path, _: Timestamp) -> Result<Stores, Diagnostics> {
        let message = "this program was built without redb".to_owned();
        Err(self.failed(Code::Unsupported, message, "build it with --features redb"))
    }

    #[cfg(feature = "redis")]
    fn open_redis(&self, url: &Secret, prefix: &str, deadline: Duration) -> Result<Stores, Diagnostics> {
        use incar_sessions::{RedisSettings, RedisStore};
        let settings = RedisSettings::default().with_prefix(prefix).with_deadline(deadline);
        let store = RedisStore::new(url.expose(), settings).map_err(|error| {
            let fix = "check the address: redis://host:port/database";
            self.failed(Code::Unusable, error.to_string(), fix)
        })?;
        Ok(Stores {
            sessions: Arc::new(store.clone()),
            journal: Arc::new(store),
            ..Stores::in_memory()
        })
    }

    #[cfg(not(feature = "redis"))]
    fn open_redis(&self, _: &Secret, _: &str, _: Duration) -> Result<Stores, Diagnostics> {
        let message = "this program was built without redis".to_owned();
        Err(self.failed(Code::Unsupported, message, "build it with --features redis"))
    }
}
