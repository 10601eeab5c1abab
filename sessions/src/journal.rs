//! A journal in memory: for showing what was done, and what is in doubt while the process lives.

use async_trait::async_trait;
use incar_core::{Conclusion, Intent, Journal, JournalEntry, JournalError, Owner};
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Keeps the latest intents with their outcomes. What must go first is the oldest whose outcome is
/// certain; one in doubt goes only where all are.
///
/// An intent that comes again with the key of one in doubt is another try of the same call, and
/// takes its place.
pub struct MemoryJournal {
    entries: Mutex<VecDeque<JournalEntry>>,
    capacity: usize,
}

impl MemoryJournal {
    /// An empty journal that holds `capacity` intents, at least one.
    pub fn new(capacity: usize) -> Self {
        Self {
            entries: Mutex::default(),
            capacity: capacity.max(1),
        }
    }

    /// All entries, oldest first.
    pub fn entries(&self) -> Vec<JournalEntry> {
        self.lock().iter().cloned().collect()
    }

    /// The intents of a turn that may or may not have happened, oldest first.
    pub fn in_doubt(&self, turn_id: &str) -> Vec<Intent> {
        self.lock()
            .iter()
            .filter(|entry| entry.intent.turn_id == turn_id && entry.in_doubt())
            .map(|entry| entry.intent.clone())
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<JournalEntry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A journal of 256 intents.
impl Default for MemoryJournal {
    fn default() -> Self {
        Self::new(256)
    }
}

impl fmt::Debug for MemoryJournal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryJournal")
            .field("entries", &self.lock().len())
            .field("capacity", &self.capacity)
            .finish()
    }
}

#[async_trait]
impl Journal for MemoryJournal {
    async fn intend(&self, intent: Intent) -> Result<(), JournalError> {
        let mut entries = self.lock();
        entries.retain(|entry| !(entry.in_doubt() && is(entry, &intent.owner, &intent.key)));
        if entries.len() >= self.capacity {
            let oldest = entries.iter().position(|entry| !entry.in_doubt()).unwrap_or(0);
            entries.remove(oldest);
        }
        entries.push_back(JournalEntry::new(intent, None));
        Ok(())
    }

    async fn conclude(&self, owner: &Owner, key: &str, conclusion: Conclusion) -> Result<(), JournalError> {
        let mut entries = self.lock();
        match entries.iter_mut().rev().find(|entry| is(entry, owner, key)) {
            Some(entry) if entry.in_doubt() => {
                entry.conclusion = Some(conclusion);
                Ok(())
            }
            Some(_) => Err(JournalError(format!("`{key}` is concluded already"))),
            None => Err(JournalError(format!("there is no intent `{key}`"))),
        }
    }

    async fn find(&self, owner: &Owner, key: &str) -> Result<Option<JournalEntry>, JournalError> {
        let entries = self.lock();
        Ok(entries.iter().rev().find(|entry| is(entry, owner, key)).cloned())
    }

    async fn forget(&self, owner: &Owner) -> Result<(), JournalError> {
        self.lock().retain(|entry| entry.intent.owner != *owner);
        Ok(())
    }
}

fn is(entry: &JournalEntry, owner: &Owner, key: &str) -> bool {
    entry.intent.key == key && entry.intent.owner == *owner
}

#[cfg(test)]
mod tests {
    use super::*;
    use incar_core::{Effect, Outcome, Seat, Speaker, Timestamp};

    fn owner() -> Owner {
        Speaker::new("car", Seat::Driver).owner()
    }

    async fn conclude(journal: &MemoryJournal, key: &str, outcome: Outcome, result: &str) -> Result<(), JournalError> {
        journal.conclude(&owner(), key, Conclusion::new(outcome, result)).await
    }

    fn intent(key: &str, turn: &str) -> Intent {
        Intent::new(
            key.into(),
            owner(),
            turn.into(),
            "control_window".into(),
            serde_json::json!({"window": "driver", "percentage": 100}),
            Effect::Set,
            Timestamp::from_millis(1),
        )
    }

    fn keys(journal: &MemoryJournal) -> Vec<String> {
        journal.entries().into_iter().map(|entry| entry.intent.key).collect()
    }

    fn doubts(journal: &MemoryJournal, turn: &str) -> Vec<String> {
        journal.in_doubt(turn).into_iter().map(|intent| intent.key).collect()
    }

    #[tokio::test]
    async fn an_intent_is_in_doubt_until_its_outcome_is_certain() {
        let journal = MemoryJournal::default();
        for (key, turn) in [("a", "t1"), ("b", "t1"), ("c", "t2"), ("d", "t1")] {
            journal.intend(intent(key, turn)).await.unwrap();
        }
        conclude(&journal, "a", Outcome::Ok, r#"{"position":100}"#)
            .await
            .unwrap();
        conclude(&journal, "b", Outcome::Unknown, "{}").await.unwrap();
        assert_eq!(doubts(&journal, "t1"), ["b", "d"]);
        assert_eq!(doubts(&journal, "t2"), ["c"]);
        assert_eq!(doubts(&journal, "t3"), [""; 0]);
        conclude(&journal, "b", Outcome::Error, "{}").await.unwrap();
        assert_eq!(doubts(&journal, "t1"), ["d"]);

        let entries = journal.entries();
        assert_eq!(entries[0].intent, intent("a", "t1"));
        let conclusion = entries[0].conclusion.as_ref().unwrap();
        assert_eq!(
            (conclusion.outcome, conclusion.result.as_str()),
            (Outcome::Ok, r#"{"position":100}"#)
        );
    }

    #[tokio::test]
    async fn another_try_takes_the_place_of_the_one_in_doubt() {
        let journal = MemoryJournal::default();
        journal.intend(intent("a", "t1")).await.unwrap();
        journal.intend(intent("a", "t1")).await.unwrap();
        assert_eq!(keys(&journal), ["a"]);
        conclude(&journal, "a", Outcome::Ok, "{}").await.unwrap();
        assert_eq!(doubts(&journal, "t1"), [""; 0]);
        // What is certain stays on record when the call is tried once more.
        journal.intend(intent("a", "t1")).await.unwrap();
        assert_eq!(keys(&journal), ["a", "a"]);
    }

    #[tokio::test]
    async fn it_conforms() {
        crate::testkit::journals(&MemoryJournal::default()).await;
    }

    #[tokio::test]
    async fn a_full_journal_drops_the_oldest_that_is_certain_and_doubts_last() {
        let journal = MemoryJournal::new(3);
        for key in ["a", "b", "c"] {
            journal.intend(intent(key, "t")).await.unwrap();
        }
        conclude(&journal, "b", Outcome::Ok, "{}").await.unwrap();
        journal.intend(intent("d", "t")).await.unwrap();
        assert_eq!(keys(&journal), ["a", "c", "d"]);
        journal.intend(intent("e", "t")).await.unwrap();
        assert_eq!(keys(&journal), ["c", "d", "e"]);
    }
}
