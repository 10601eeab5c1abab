//! What the team remembers: of this run in short, of earlier runs for long.

use crate::data::one_line;
use crate::record::RunRecord;
use incar_core::{Clock, Holder, Record, RecordStore, StoreError};
use incar_tools::full_text::FullText;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

/// So many events of a run are remembered.
const EVENTS: usize = 100;
/// So many characters of an event.
const EVENT: usize = 300;
/// The shelf on which answers are kept.
pub(crate) const RESEARCH_SHELF: &str = "research";
/// So many answers of a holder are kept; the oldest are forgotten first.
const ANSWERS: usize = 500;
/// A term of the question counts as so many of the answer.
const QUESTION_WEIGHT: f32 = 3.0;

/// What happened in a run, the newest last: the last hundred events.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct ShortTerm {
    events: VecDeque<String>,
}

impl ShortTerm {
    /// Remembers an event, on one line.
    pub(crate) fn remember(&mut self, event: &str) {
        if self.events.len() >= EVENTS {
            self.events.pop_front();
        }
        self.events.push_back(one_line(event, EVENT));
    }

    /// The last events, oldest first.
    pub(crate) fn recall(&self, most: usize) -> impl Iterator<Item = &str> {
        let skipped = self.events.len().saturating_sub(most);
        self.events.iter().skip(skipped).map(String::as_str)
    }
}

/// An answer of an earlier run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Recollection {
    pub(crate) question: String,
    pub(crate) answer: String,
    /// How sure it was, where that was computed.
    pub(crate) confidence: Option<f64>,
    /// The addresses that it rested on.
    pub(crate) sources: Vec<String>,
}

impl Recollection {
    /// What a run found.
    pub(crate) fn of(record: &RunRecord) -> Self {
        Self {
            question: record.question.clone(),
            answer: record.answer.clone(),
            confidence: record.verified.as_ref().map(|verified| verified.confidence),
            sources: record.cited_sources().map(|source| source.url.clone()).collect(),
        }
    }
}

/// What runs found, kept for later ones: durable as the store that it is on is, and searched by words.
#[derive(Debug, Clone)]
pub struct LongTermMemory {
    store: Arc<dyn RecordStore>,
    holder: Holder,
}

impl LongTermMemory {
    /// The memory of a holder, on a store of facts.
    pub fn new(store: Arc<dyn RecordStore>, holder: Holder) -> Self {
        Self { store, holder }
    }

    /// Keeps an answer under the run's name: a run that is taken up after it kept its answer keeps it once.
    pub(crate) async fn keep(&self, run: &str, answer: &Recollection, clock: &dyn Clock) -> Result<(), StoreError> {
        let value = serde_json::to_value(answer).map_err(|error| StoreError::Backend(error.to_string()))?;
        self.store
            .put(&self.holder, RESEARCH_SHELF, Record::new(run, value, clock.now()))
            .await?;
        let all = self.store.list(&self.holder, RESEARCH_SHELF).await?;
        for old in all.iter().take(all.len().saturating_sub(ANSWERS)) {
            self.store.delete(&self.holder, RESEARCH_SHELF, &old.key).await?;
        }
        Ok(())
    }

    /// The answers that have to do with a question, the best first.
    pub(crate) async fn search(&self, question: &str, most: usize) -> Result<Vec<Recollection>, StoreError> {
        let records = self.store.list(&self.holder, RESEARCH_SHELF).await?;
        // What an older version wrote otherwise is not recalled.
        let answers: Vec<Recollection> = records
            .into_iter()
            .filter_map(|record| serde_json::from_value(record.value).ok())
            .collect();
        let texts = |answer: &Recollection| [(answer.question.clone(), QUESTION_WEIGHT), (answer.answer.clone(), 1.0)];
        let texts: Vec<_> = answers.iter().map(texts).collect();
        let index = FullText::of(
            texts
                .iter()
                .map(|texts| texts.each_ref().map(|(text, weight)| (text.as_str(), *weight))),
        );
        let found = index.search(question, most).into_iter();
        Ok(found.filter_map(|found| answers.get(found.document).cloned()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incar_core::{ManualClock, Seat, Speaker, Timestamp};
    use incar_sessions::MemoryRecords;
    use std::time::Duration;

    #[test]
    fn of_many_events_the_last_hundred_are_remembered() {
        let mut memory = ShortTerm::default();
        for number in 0..250 {
            memory.remember(&format!("event\n{number}"));
        }
        let all: Vec<&str> = memory.recall(1_000).collect();
        assert_eq!((all.len(), all[0], all[99]), (100, "event 150", "event 249"));
        assert_eq!(memory.recall(2).collect::<Vec<_>>(), ["event 248", "event 249"]);
    }

    fn answer(question: &str, answer: &str) -> Recollection {
        Recollection {
            question: question.into(),
            answer: answer.into(),
            confidence: Some(0.9),
            sources: vec!["https://e.com/".into()],
        }
    }

    fn memory(store: &Arc<MemoryRecords>, car: &str) -> LongTermMemory {
        LongTermMemory::new(store.clone(), Speaker::new(car, Seat::Driver).holder())
    }

    #[tokio::test]
    async fn answers_are_found_again_by_words_and_by_nobody_else() {
        let (store, clock) = (Arc::new(MemoryRecords::default()), ManualClock::default());
        let mine = memory(&store, "car");
        let bridge = answer("胶州湾大桥有多长", "26.7公里");
        for (run, kept) in [("1", &bridge), ("2", &answer("西湖有几座桥", "很多座")), ("1", &bridge)] {
            mine.keep(run, kept, &clock).await.unwrap();
        }
        assert_eq!(
            mine.search("胶州湾大桥的长度是多少", 3).await.unwrap(),
            [bridge],
            "once, though kept twice"
        );
        assert_eq!(mine.search("who won", 3).await.unwrap(), []);
        assert_eq!(memory(&store, "other").search("胶州湾大桥", 3).await.unwrap(), []);
    }

    #[tokio::test]
    async fn of_too_many_answers_the_oldest_are_forgotten() {
        let (store, clock) = (
            Arc::new(MemoryRecords::default()),
            ManualClock::at(Timestamp::from_millis(1)),
        );
        let mine = memory(&store, "car");
        for number in 0..ANSWERS + 2 {
            clock.advance(Duration::from_secs(1));
            mine.keep(&number.to_string(), &answer("q", "a"), &clock).await.unwrap();
        }
        let kept = store.list(&mine.holder, RESEARCH_SHELF).await.unwrap();
        assert_eq!((kept.len(), kept[0].key.as_str()), (ANSWERS, "2"));
    }
}
