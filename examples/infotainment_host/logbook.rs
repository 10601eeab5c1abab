//! The journal of effects: each is written down before it happens and after. At the end it tells what is in doubt.

use incar::{Intent, Journal, JournalError, Outcome, async_trait};
use std::collections::HashMap;
use tokio::sync::watch;

/// A logbook in memory. A car writes to flash in [`Journal::intend`], and reads there after a crash which effects began
/// and never ended.
#[derive(Debug, Default)]
pub(crate) struct Logbook(watch::Sender<Pages>);

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
        self.0.send_modify(|pages| ended = std::mem::take(&mut pages.ended));
        let line = |(intent, outcome): (Intent, Outcome)| format!("{outcome:?}: {} {}", intent.tool, intent.arguments);
        ended.into_iter().map(line).collect()
    }

    /// How many effects ended.
    pub(crate) fn count(&self) -> usize {
        self.0.borrow().count
    }

    /// How many effects may or may not have happened.
    pub(crate) fn in_doubt(&self) -> usize {
        let pages = self.0.borrow();
        pages.in_doubt + pages.begun.len()
    }

    /// Waits until more than `count` effects have ended and none is under way.
    pub(crate) async fn settled_after(&self, count: usize) {
        let settled = |pages: &Pages| pages.count > count && pages.begun.is_empty();
        // It fails where the sender is gone, and that one is in `self`.
        let _ = self.0.subscribe().wait_for(settled).await;
    }
}

#[async_trait]
impl Journal for Logbook {
    async fn intend(&self, intent: Intent) -> Result<(), JournalError> {
        self.0
            .send_modify(|pages| drop(pages.begun.insert(intent.key.clone(), intent)));
        Ok(())
    }

    async fn conclude(&self, key: &str, outcome: Outcome, _: &str) -> Result<(), JournalError> {
        let found = self.0.send_if_modified(|pages| {
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use incar::{Effect, Timestamp};
    use serde_json::json;

    async fn begin(logbook: &Logbook, key: &str) {
        let at = Timestamp::from_millis(0);
        let intent = Intent::new(key.into(), "turn".into(), "tool".into(), json!({}), Effect::Set, at);
        logbook.intend(intent).await.unwrap();
    }

    #[tokio::test]
    async fn an_effect_is_in_doubt_until_its_outcome_is_certain_and_shown_once() {
        let logbook = Logbook::default();
        begin(&logbook, "a").await;
        begin(&logbook, "b").await;
        assert_eq!((logbook.count(), logbook.in_doubt()), (0, 2));
        logbook.conclude("a", Outcome::Ok, "{}").await.unwrap();
        logbook.conclude("b", Outcome::Unknown, "{}").await.unwrap();
        assert_eq!((logbook.count(), logbook.in_doubt()), (2, 1));
        assert_eq!(logbook.flush(), ["Ok: tool {}", "Unknown: tool {}"]);
        assert!(logbook.flush().is_empty());
        assert!(logbook.conclude("a", Outcome::Ok, "{}").await.is_err());
    }

    #[tokio::test]
    async fn it_is_settled_when_what_began_has_ended() {
        let logbook = Logbook::default();
        begin(&logbook, "a").await;
        let ((), ended) = tokio::join!(logbook.settled_after(0), logbook.conclude("a", Outcome::Ok, "{}"));
        ended.unwrap();
        assert_eq!(logbook.in_doubt(), 0);
    }
}
