//! Where incar keeps what outlives a turn: waiting conversations, the journal of effects and the
//! last turns of each speaker; and flows, which gather what a call needs over several of them.

mod claim;
pub mod flow;
mod id;
mod journal;
#[cfg(any(feature = "redb", feature = "redis"))]
mod keys;
mod latest;
mod memory;
mod records;
#[cfg(feature = "redb")]
mod redb;
#[cfg(feature = "redis")]
mod redis;
mod short_term;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;

#[cfg(feature = "redb")]
pub use self::redb::{DurableSettings, DurableStore, OpenError};
#[cfg(feature = "redis")]
pub use self::redis::{RedisSettings, RedisStore};
pub use id::new_session_id;
pub use journal::MemoryJournal;
pub use memory::{Bound, MemorySettings, MemoryStore};
pub use records::MemoryRecords;
pub use short_term::{Memory, ShortTermMemory, ShortTermSettings};
