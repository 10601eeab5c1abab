//! The time of a turn: when a word holds the speaker on, and when the turn must be answered.

use super::TurnScope;
use incar_core::{Clock, Effect, Owner, SentenceKind, Timestamp};
use incar_text::{Heard, heard_of};
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, Sleep};

/// While something is looked up, Chinese and English.
const LOOKING: [(&str, &str); 3] = [
    ("正在为您查询。", "Let me check."),
    ("稍等，我查一下。", "One moment, I'm looking it up."),
    ("我看一下，请稍等。", "Just a second, let me look."),
];
/// While anything else is slow.
const WAITING: [(&str, &str); 3] = [
    ("请稍等。", "One moment."),
    ("稍等一下。", "Just a moment."),
    ("马上，请稍等。", "Bear with me a moment."),
];

/// A time that a host set out of reach is this far away.
const A_DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// How many speakers are remembered to have been held on.
const MOST_SPEAKERS: usize = 256;

/// When a word holds a speaker on, and who had one lately.
#[derive(Debug)]
pub(crate) struct HoldingOn {
    after: Option<Duration>,
    apart: Duration,
    said: Mutex<VecDeque<(Owner, Timestamp)>>,
}

impl HoldingOn {
    pub(crate) fn new(after: Option<Duration>, apart: Duration) -> Self {
        Self {
            after,
            apart,
            said: Mutex::default(),
        }
    }

    /// Whether `owner` may be held on now; then the next time is only later.
    fn takes(&self, owner: Owner, now: Timestamp) -> bool {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        said.retain(|(_, at)| now.since(*at) < self.apart);
        if said.iter().any(|(held, _)| *held == owner) {
            return false;
        }
        if said.len() >= MOST_SPEAKERS {
            said.pop_front();
        }
        said.push_back((owner, now));
        true
    }
}

/// By when a turn that is served now must be answered.
pub(crate) fn deadline(after: Duration) -> Instant {
    Instant::now() + after.min(A_DAY)
}

/// What a turn waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Waiting {
    /// A model.
    Model,
    /// Calls that do at most this.
    Calls(Effect),
}

/// How long a turn goes on waiting. One timer serves all of it.
#[derive(Debug)]
pub(super) struct Patience<'a> {
    timer: Pin<&'a mut Sleep>,
    /// Whether the timer is set for a word to hold on with, not for the deadline.
    holds: bool,
    deadline: Instant,
}

impl<'a> Patience<'a> {
    /// Of a turn that begins now; `timer` becomes its own.
    pub(super) fn new(timer: Pin<&'a mut Sleep>, holding: &HoldingOn, scope: TurnScope<'_>) -> Self {
        let deadline = scope.deadline;
        let word = holding.after.filter(|_| scope.events.are_heard());
        let word = word
            .map(|after| Instant::now() + after.min(A_DAY))
            .filter(|at| *at < deadline);
        let mut patience = Self {
            timer,
            holds: word.is_some(),
            deadline,
        };
        if let Some(word) = word {
            patience.timer.as_mut().reset(word);
        }
        patience
    }

    /// A timer for [`Patience::new`]: nothing is woken by it unless it is waited for.
    pub(super) fn timer(scope: TurnScope<'_>) -> Sleep {
        tokio::time::sleep_until(scope.deadline)
    }

    /// Whether the time is up.
    pub(super) fn is_over(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// Returns when the time is up; says a word on the way, where that is due.
    pub(super) async fn end(&mut self, waiting: Waiting, holding: &HoldingOn, clock: &dyn Clock, scope: TurnScope<'_>) {
        if self.holds {
            self.timer.as_mut().await;
            self.holds = false;
            self.timer.as_mut().reset(self.deadline);
            // Who has heard something does not need to be held on.
            if !scope.events.have_begun() && holding.takes(scope.speaker.owner(), clock.now()) {
                let phrase = phrase(waiting, scope);
                scope.events.sentence(phrase, SentenceKind::Holding);
            }
        }
        self.timer.as_mut().await;
    }
}

/// One of the phrases that fit; which one differs from turn to turn.
fn phrase(waiting: Waiting, scope: TurnScope<'_>) -> &'static str {
    let phrases = match waiting {
        Waiting::Calls(Effect::Read) => &LOOKING,
        Waiting::Model | Waiting::Calls(Effect::Set | Effect::Act) => &WAITING,
    };
    let turn: usize = scope.turn.bytes().map(usize::from).sum();
    let (zh, en) = phrases
        .iter()
        .cycle()
        .nth(turn % phrases.len())
        .copied()
        .unwrap_or_default();
    scope.lang.pick(zh, en)
}

/// What a voice has spoken, without the phrase that held the speaker on before it.
pub(crate) fn without_holding(spoken: &str) -> &str {
    let phrases = LOOKING.iter().chain(&WAITING);
    let texts = phrases.flat_map(|(zh, en)| [(*zh, incar_text::Lang::Zh), (*en, incar_text::Lang::En)]);
    texts
        .filter_map(|(phrase, lang)| match heard_of(phrase, spoken, lang) {
            Heard::Whole { then } => spoken.get(then..),
            // It was cut in the phrase itself: nothing of the reply was heard.
            Heard::Part(_) => Some(""),
            Heard::Other => None,
        })
        .min_by_key(|rest| rest.len())
        .unwrap_or(spoken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use incar_core::{Seat, Speaker};

    #[test]
    fn a_speaker_is_not_held_on_twice_in_a_row_and_another_is() {
        let holding = HoldingOn::new(None, Duration::from_secs(30));
        let owner = |seat| Speaker::new("car", seat).owner();
        let at = Timestamp::from_millis;
        assert!(holding.takes(owner(Seat::Driver), at(0)));
        assert!(!holding.takes(owner(Seat::Driver), at(29_999)));
        assert!(holding.takes(owner(Seat::Passenger), at(29_999)));
        assert!(holding.takes(owner(Seat::Driver), at(30_000)));
    }

    #[test]
    fn a_phrase_that_held_on_is_no_part_of_the_reply() {
        for (spoken, rest) in [
            ("正在为您查询。今天晴", "今天晴"),
            ("One moment. It is", "It is"),
            ("One moment, I'm looking it up. It is", "It is"),
            ("It is", "It is"),
            ("Just a", ""),
        ] {
            assert_eq!(without_holding(spoken).trim(), rest, "{spoken}");
        }
    }
}
