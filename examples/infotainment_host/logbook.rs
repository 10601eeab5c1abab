//! The journal of effects: each is written down before it happens and after. At the end it tells what is in doubt.

use incar::sessions::MemoryJournal;
use incar::{Conclusion, Intent, Journal, JournalEntry, JournalError, Outcome, Owner, async_trait};
use std::collections::HashMap;
use tokio::sync::watch;

/// A logbook beside a journal in memory. A car keeps a durable journal ([`incar::sessions`]): it tells after a crash
/// which effects began and never ended.
#[derive(Debug, Default)]
pub(crate) struct Logbook {
    pages: watch::Sender<Pages>,
    journal: MemoryJournal,
}

#[derive(Debug, Default)]
struct Pages {
    /// Effects under way, by their keys.
    begun: HashMap<String, Intent>,
    /// Effects that ended and were not shown yet.
    ended: Vec<(Intent, Outcome)>,
    /// How many ended, and of how many it is not known whether they happened.
    count: usize,
    in_doubt: usize,
}

impl Logbook {
    /// Effects that ended since the last time, a line each.
    pub(crate) fn flush(&self) -> Vec<String> {
        let mut ended = Vec::new();
        self.pages.send_modify(|pages| ended = std::mem::take(&mut pages.ended));
        let line = |(intent, outcome): (Intent, Outcome)| format!("{outcome:?}: {} {}", intent.tool, intent.arguments);
        ended.into_iter().map(line).collect()
    }

    /// How many effects ended.
    pub(crate) fn count(&self) -> usize {
        self.pages.borrow().count
    }

    /// How many effects may or may not have happened.
    pub(crate) fn in_doubt(&self) -> usize {
        let pages = self.pages.borrow();
        pages.in_doubt + pages.begun.len()
    }

    /// Waits until more than `count` effects have ended and none is under way.
    pub(crate) async fn settled_after(&self, count: usize) {
        let settled = |pages: &Pages| pages.count > count && pages.begun.is_empty();
        // It fails where the sender is gone, and that one is in `self`.
        let _ = self.pages.subscribe().wait_for(settled).await;
    }
}

#[async_trait]
impl Journal for Logbook {
    async fn intend(&self, intent: Intent) -> Result<(), JournalError> {
        self.journal.intend(intent.clone()).await?;
        self.pages
            .send_modify(|pages| drop(pages.begun.insert(intent.key.clone(), intent)));
        Ok(())
    }

    async fn conclude(&self, owner: &Owner, key: &str, conclusion: Conclusion) -> Result<(), JournalError> {
        let outcome = conclusion.outcome;
        self.journal.conclude(owner, key, conclusion).await?;
        let found = self.pages.send_if_modified(|pages| {
            let Some(intent) = pages.begun.remove(key) else {
                return false;
            };
            pages.ended.push((intent, outcome));
            pages.count += 1;
            pages.in_doubt += usize::from(outcome == Outcome::Unknown);
            true
        });
        found
            .then_some(())
            .ok_or_else(|| JournalError(format!("nothing began under the key {key}")))
    }

    async fn find(&self, owner: &Owner, key: &str) -> Result<Option<JournalEntry>, JournalError> {
        self.journal.find(owner, key).await
    }

    async fn forget(&self, owner: &Owner) -> Result<(), JournalError> {
        self.journal.forget(owner).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incar::{Effect, Seat, Speaker, Timestamp};
    use serde_json::json;

    fn owner() -> Owner {
        Speaker::new("car", Seat::Driver).owner()
    }

    async fn end(logbook: &Logbook, key: &str, outcome: Outcome) -> Result<(), JournalError> {
        logbook.conclude(&owner(), key, Conclusion::new(outcome, "{}")).await
    }

    async fn begin(logbook: &Logbook, key: &str) {
        let at = Timestamp::from_millis(0);
        let intent = Intent::new(
            key.into(),
            owner(),
            "turn".into(),
            "tool".into(),
            json!({}),
            Effect::Set,
            at,
        );
        logbook.intend(intent).await.unwrap();
    }

    #[tokio::test]
    async fn an_effect_is_in_doubt_until_its_outcome_is_certain_and_shown_once() {
        let logbook = Logbook::default();
        begin(&logbook, "a").await;
        begin(&logbook, "b").await;
        assert_eq!((logbook.count(), logbook.in_doubt()), (0, 2));
        end(&logbook, "a", Outcome::Ok).await.unwrap();
        end(&logbook, "b", Outcome::Unknown).await.unwrap();
        assert_eq!((logbook.count(), logbook.in_doubt()), (2, 1));
        assert_eq!(logbook.flush(), ["Ok: tool {}", "Unknown: tool {}"]);
        assert!(logbook.flush().is_empty());
        assert!(end(&logbook, "a", Outcome::Ok).await.is_err());
    }

    #[tokio::test]
    async fn it_is_settled_when_what_began_has_ended() {
        let logbook = Logbook::default();
        begin(&logbook, "a").await;
        let ((), ended) = tokio::join!(logbook.settled_after(0), end(&logbook, "a", Outcome::Ok));
        ended.unwrap();
        assert_eq!(logbook.in_doubt(), 0);
    }
}
