//! Where incar keeps what outlives a turn: waiting conversations, the journal of effects and the
//! last turns of each speaker; and flows, which gather what a call needs over several of them.

pub mod flow;
mod id;
mod journal;
mod memory;
mod records;
mod short_term;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;

pub use id::new_session_id;
pub use journal::{Conclusion, JournalEntry, MemoryJournal};
pub use memory::{Bound, MemorySettings, MemoryStore};
pub use records::MemoryRecords;
pub use short_term::{Memory, ShortTermMemory, ShortTermSettings};
