//! The last turns of each speaker, so that "and tomorrow?" has something to refer to.

use crate::latest::Latest;
use incar_core::{CallShape, History, Owner, Timestamp};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The settings of [`ShortTermMemory`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShortTermSettings {
    /// How many utterances of a speaker are remembered, with all that followed each; four by
    /// default, none at zero.
    pub utterances: usize,
    /// How long; five minutes by default.
    pub ttl: Duration,
    /// Of how many speakers; 10,000 by default, at least one.
    pub owners: u64,
}

impl Default for ShortTermSettings {
    fn default() -> Self {
        Self {
            utterances: 4,
            ttl: Duration::from_secs(5 * 60),
            owners: 10_000,
        }
    }
}

impl ShortTermSettings {
    /// The same settings with so many utterances of a speaker.
    #[must_use]
    pub fn with_utterances(mut self, utterances: usize) -> Self {
        self.utterances = utterances;
        self
    }

    /// The same settings with what was said remembered for `ttl`.
    #[must_use]
    pub fn with_ttl(mut self, ttl: Duration) -> Self {
        self.ttl = ttl;
        self
    }

    /// The same settings with so many speakers.
    #[must_use]
    pub fn with_owners(mut self, owners: u64) -> Self {
        self.owners = owners;
        self
    }
}

/// Remembers the last turns of each speaker for a while; of too many speakers, those who spoke last.
///
/// ```
/// use incar_core::{AssistantMessage, History, Seat, Speaker, Timestamp};
/// use incar_sessions::ShortTermMemory;
/// let memory = ShortTermMemory::default();
/// let owner = Speaker::new("car", Seat::Driver).owner();
/// let mut history = History::default();
/// history.user("how is the weather?");
/// history.reply(AssistantMessage::text("Sunny."))?;
/// memory.remember(&owner, history.clone(), Timestamp::from_millis(0));
/// assert_eq!(memory.recall(&owner, Timestamp::from_millis(60_000)).history, history);
/// assert!(memory.recall(&owner, Timestamp::from_millis(300_000)).history.is_empty());
/// # Ok::<(), incar_core::HistoryError>(())
/// ```
pub struct ShortTermMemory {
    owners: Mutex<Latest<Owner, Remembered>>,
    utterances: usize,
    ttl: Duration,
}

/// What is remembered of a speaker.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Memory {
    /// The last turns; empty where none is remembered.
    pub history: History,
    /// What the last reply offered to do, and what is offered next once that is answered.
    pub offers: Vec<CallShape>,
}

impl From<History> for Memory {
    fn from(history: History) -> Self {
        Self {
            history,
            offers: Vec::new(),
        }
    }
}

impl Memory {
    /// The same, where the last reply offered to make the first of these calls.
    #[must_use]
    pub fn offering(mut self, offers: impl IntoIterator<Item = CallShape>) -> Self {
        self.offers = offers.into_iter().collect();
        self
    }
}

struct Remembered {
    memory: Memory,
    until: Timestamp,
}

impl ShortTermMemory {
    /// An empty memory.
    pub fn new(settings: ShortTermSettings) -> Self {
        Self {
            owners: Mutex::new(Latest::new(usize::try_from(settings.owners).unwrap_or(usize::MAX))),
            utterances: settings.utterances,
            ttl: settings.ttl,
        }
    }

    /// Remembers the end of a history and what its last reply offered, in the place of what was
    /// remembered of `owner`.
    pub fn remember(&self, owner: &Owner, memory: impl Into<Memory>, now: Timestamp) {
        let mut memory = memory.into();
        memory.history.keep_last(self.utterances);
        if memory.history.is_empty() {
            return self.forget(owner);
        }
        let remembered = Remembered {
            memory,
            until: now.plus(self.ttl),
        };
        self.owners().put(owner.clone(), remembered);
    }

    /// What is remembered of `owner`; empty where nothing is. What is too old is forgotten by this.
    pub fn recall(&self, owner: &Owner, now: Timestamp) -> Memory {
        let mut owners = self.owners();
        match owners.get(owner) {
            Some(remembered) if now < remembered.until => return remembered.memory.clone(),
            Some(_) => {}
            None => return Memory::default(),
        }
        owners.remove(owner);
        Memory::default()
    }

    /// Forgets `owner`.
    pub fn forget(&self, owner: &Owner) {
        self.owners().remove(owner);
    }

    fn owners(&self) -> MutexGuard<'_, Latest<Owner, Remembered>> {
        // Every change is a whole one, so what a panic left behind is still sound.
        self.owners.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for ShortTermMemory {
    fn default() -> Self {
        Self::new(ShortTermSettings::default())
    }
}

/// Shows how much it holds, never what was said.
impl fmt::Debug for ShortTermMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ShortTermMemory")
            .field("owners", &self.owners().len())
            .field("utterances", &self.utterances)
            .field("ttl", &self.ttl)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incar_core::{AssistantMessage, Outcome, Seat, Speaker, ToolCall, ToolMessage};

    fn owner(car: &str, seat: Seat) -> Owner {
        Speaker::new(car, seat).owner()
    }

    fn at(millis: u64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    fn said(texts: &[&str]) -> History {
        let mut history = History::default();
        for text in texts {
            history.context(r#"{"speed":0}"#);
            history.user(*text);
            let call = ToolCall::new("c", "set_ac_power", r#"{"power":"on"}"#);
            let mut result = ToolMessage::new(&call, "{}", Outcome::Ok);
            result.say = Some("空调已打开 ❄".into());
            history
                .exchange(AssistantMessage::calls(vec![call]), vec![result])
                .unwrap();
            history.reply(AssistantMessage::text("好的")).unwrap();
        }
        history
    }

    #[test]
    fn the_last_utterances_come_back_whole() {
        let driver = owner("car", Seat::Driver);
        for (given, kept) in [
            (&["a"][..], &["a"][..]),
            (&["a", "b"], &["a", "b"]),
            (&["a", "b", "c"], &["b", "c"]),
            (&[], &[]),
        ] {
            let memory = ShortTermMemory::new(ShortTermSettings::default().with_utterances(2));
            memory.remember(&driver, said(&["before"]), at(0));
            memory.remember(&driver, said(given), at(0));
            assert_eq!(memory.recall(&driver, at(1)).history, said(kept), "{given:?}");
        }
    }

    #[test]
    fn it_lasts_for_its_time_by_the_given_clock_and_each_turn_renews_it() {
        let driver = owner("car", Seat::Driver);
        let memory = ShortTermMemory::new(ShortTermSettings::default().with_ttl(Duration::from_millis(100)));
        memory.remember(&driver, said(&["a"]), at(1_000));
        assert_eq!(memory.recall(&driver, at(1_099)).history, said(&["a"]));
        memory.remember(&driver, said(&["a", "b"]), at(1_099));
        assert_eq!(memory.recall(&driver, at(1_198)).history, said(&["a", "b"]));
        assert_eq!(memory.recall(&driver, at(1_199)), Memory::default());
        assert_eq!(memory.recall(&driver, at(0)), Memory::default(), "forgotten for good");
    }

    #[test]
    fn every_seat_has_its_own() {
        let memory = ShortTermMemory::default();
        let (driver, passenger) = (owner("car", Seat::Driver), owner("car", Seat::Passenger));
        let elsewhere = owner("other car", Seat::Driver);
        memory.remember(&driver, said(&["a"]), at(0));
        memory.remember(&passenger, said(&["b"]), at(0));
        assert_eq!(memory.recall(&driver, at(1)).history, said(&["a"]));
        assert_eq!(memory.recall(&passenger, at(1)).history, said(&["b"]));
        assert_eq!(memory.recall(&elsewhere, at(1)), Memory::default());
        memory.forget(&driver);
        assert_eq!(memory.recall(&driver, at(1)), Memory::default());
        assert_eq!(memory.recall(&passenger, at(1)).history, said(&["b"]));
    }

    #[test]
    fn of_too_many_speakers_those_who_spoke_last_are_remembered() {
        let memory = ShortTermMemory::new(ShortTermSettings::default().with_owners(2));
        let [a, b, c] = ["a", "b", "c"].map(|car| owner(car, Seat::Driver));
        memory.remember(&a, said(&["a"]), at(0));
        memory.remember(&b, said(&["b"]), at(0));
        memory.remember(&a, said(&["a"]), at(1));
        memory.remember(&c, said(&["c"]), at(2));
        assert_eq!(memory.recall(&a, at(3)).history, said(&["a"]));
        assert_eq!(memory.recall(&b, at(3)), Memory::default());
        assert_eq!(memory.recall(&c, at(3)).history, said(&["c"]));
    }

    #[test]
    fn no_utterances_is_no_memory() {
        let memory = ShortTermMemory::new(ShortTermSettings::default().with_utterances(0));
        let driver = owner("car", Seat::Driver);
        memory.remember(&driver, said(&["a"]), at(0));
        assert_eq!(memory.recall(&driver, at(0)), Memory::default());
    }
}
