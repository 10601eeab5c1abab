//! Waiting conversations, turns on their way and the journal on a Redis server, for a fleet's cloud.

mod journal;
mod scripts;
mod sessions;
mod settings;

pub use settings::RedisSettings;

use crate::keys;
use ::redis::aio::{ConnectionManager, ConnectionManagerConfig};
use ::redis::{Client, FromRedisValue, RedisError, ScriptInvocation};
use incar_core::{Owner, StoreError};
use std::fmt;
use std::sync::Arc;

/// Conversations, turns on their way and the journal on one Redis server that many workers share. It
/// is a `SessionStore` with `Checkpoints` and a `Journal`: hand clones of it to each.
///
/// Every operation is one script on the server, so it happens whole or not at all, and claims exclude
/// each other between workers. Whether a wait has expired is judged by the time that callers give;
/// the server's own time only clears away what nobody came for. What the server keeps is as safe as
/// the server makes it: set `appendonly yes` and `appendfsync always` where it must outlive that.
///
/// One server, or a primary with replicas; not Redis Cluster. A server that is away or slow is
/// [`StoreError::Backend`] within [`RedisSettings::deadline`]; what was asked may have happened then.
///
/// ```no_run
/// use incar_sessions::{RedisSettings, RedisStore};
/// # fn example() -> Result<(), incar_core::StoreError> {
/// let store = RedisStore::new("redis://127.0.0.1/", RedisSettings::default())?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct RedisStore {
    connection: ConnectionManager,
    settings: Arc<RedisSettings>,
}

impl RedisStore {
    /// A store on the server at `url` (`redis://user:password@host:port/database`). It connects when
    /// it is used first, and again when the connection was lost. Must be called within a tokio
    /// runtime with I/O and time enabled.
    ///
    /// # Errors
    /// [`StoreError::Backend`] where `url` is none.
    pub fn new(url: &str, settings: RedisSettings) -> Result<Self, StoreError> {
        let client = Client::open(url).map_err(|error| failed(&error))?;
        let config = ConnectionManagerConfig::new()
            .set_number_of_retries(1)
            .set_response_timeout(Some(settings.deadline))
            .set_connection_timeout(Some(settings.deadline));
        let connection = ConnectionManager::new_lazy_with_config(client, config).map_err(|error| failed(&error))?;
        Ok(Self {
            connection,
            settings: Arc::new(settings),
        })
    }

    /// A key of `owner`: what it is comes first, the owner last.
    fn key(&self, what: &str, owner: &Owner) -> String {
        format!("{}:{what}:{}", self.settings.prefix, keys::of_owner(owner))
    }

    /// Runs a script within the deadline.
    async fn invoke<T: FromRedisValue>(&self, script: &ScriptInvocation<'_>) -> Result<T, StoreError> {
        let mut connection = self.connection.clone();
        let answer = tokio::time::timeout(self.settings.deadline, script.invoke_async(&mut connection));
        match answer.await {
            Ok(answer) => answer.map_err(|error| failed(&error)),
            Err(_) => Err(StoreError::Backend(format!(
                "the server did not answer within {:?}",
                self.settings.deadline
            ))),
        }
    }
}

fn failed(error: &RedisError) -> StoreError {
    StoreError::Backend(error.to_string())
}

/// What a script answers that this version does not know.
fn strange(answer: &str) -> StoreError {
    StoreError::Backend(format!("the server answered `{answer}`"))
}

/// Shows its settings, never the server's address, which may hold a password.
impl fmt::Debug for RedisStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisStore")
            .field("settings", &self.settings)
            .finish_non_exhaustive()
    }
}
