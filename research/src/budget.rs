//! What a run may spend, and what it spent.

use crate::react::ReactLimits;
use crate::record::Method;
use incar_core::{FinishReason, Limits, Timestamp, Usage};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a run may spend. At a bound it ends with what is known by then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Budget {
    /// Rounds: replies of the model that may call tools.
    pub rounds: u32,
    /// Tool calls.
    pub calls: u32,
    /// Tokens of all requests and replies together.
    pub tokens: u64,
    /// Estimated tokens of one request.
    pub request_tokens: u64,
    /// Time that the run works; what lies between a crash and taking it up again does not count.
    pub time: Duration,
}

impl Default for Budget {
    /// For multi-round research: 10 rounds, 40 calls, 200,000 tokens, of which 32,000 in one request, 5 minutes.
    fn default() -> Self {
        Self {
            rounds: 10,
            calls: 40,
            tokens: 200_000,
            request_tokens: 32_000,
            time: Duration::from_secs(5 * 60),
        }
    }
}

impl Budget {
    /// What a run by `method` may spend unless said.
    pub fn of(method: Method) -> Self {
        match method {
            Method::Rounds => Self::default(),
            Method::Deep => Self::deep(),
            Method::Team => Self::team(),
            Method::React => ReactLimits::default().budget(),
        }
    }

    /// For deep research: 30 rounds, 80 calls, 600,000 tokens, 15 minutes.
    pub fn deep() -> Self {
        Self {
            rounds: 30,
            calls: 80,
            tokens: 600_000,
            time: Duration::from_secs(15 * 60),
            ..Self::default()
        }
    }

    /// For the team: 60 questions to the model, 60 calls, 400,000 tokens, 10 minutes.
    pub fn team() -> Self {
        Self {
            rounds: 60,
            calls: 60,
            tokens: 400_000,
            time: Duration::from_secs(10 * 60),
            ..Self::default()
        }
    }

    /// The same with so many rounds.
    #[must_use]
    pub fn with_rounds(mut self, rounds: u32) -> Self {
        self.rounds = rounds;
        self
    }

    /// The same with so many tool calls.
    #[must_use]
    pub fn with_calls(mut self, calls: u32) -> Self {
        self.calls = calls;
        self
    }

    /// The same with so many tokens of all requests and replies together.
    #[must_use]
    pub fn with_tokens(mut self, tokens: u64) -> Self {
        self.tokens = tokens;
        self
    }

    /// The same with so many estimated tokens in one request.
    #[must_use]
    pub fn with_request_tokens(mut self, tokens: u64) -> Self {
        self.request_tokens = tokens;
        self
    }

    /// The same with so much time.
    #[must_use]
    pub fn with_time(mut self, time: Duration) -> Self {
        self.time = time;
        self
    }

    /// The bounds of a turn that may spend this.
    pub(crate) fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        limits.rounds = self.rounds;
        limits.calls = self.calls;
        limits.total_tokens = self.tokens;
        limits.input_tokens = self.request_tokens;
        limits.time = self.time;
        limits
    }

    /// The bound that was reached, if one was.
    pub fn reached(&self, spent: &Spent) -> Option<FinishReason> {
        if spent.rounds >= self.rounds {
            Some(FinishReason::RoundLimit)
        } else if spent.calls >= self.calls {
            Some(FinishReason::CallLimit)
        } else if spent.usage.total() >= self.tokens {
            Some(FinishReason::TokenLimit)
        } else if spent.time >= self.time {
            Some(FinishReason::TimeLimit)
        } else {
            None
        }
    }

    /// What is left of it.
    pub fn left(&self, spent: &Spent) -> Left {
        Left {
            rounds: self.rounds.saturating_sub(spent.rounds),
            calls: self.calls.saturating_sub(spent.calls),
            tokens: self.tokens.saturating_sub(spent.usage.total()),
            time: self.time.saturating_sub(spent.time),
        }
    }
}

/// What a run spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Spent {
    /// Rounds.
    pub rounds: u32,
    /// Tool calls.
    pub calls: u32,
    /// Tokens; estimated where the model's service does not count them.
    pub usage: Usage,
    /// Time.
    pub time: Duration,
}

impl Spent {
    /// Adds tokens.
    pub fn add(&mut self, usage: Usage) {
        self.usage = self.usage.plus(usage);
    }
}

/// What is left of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Left {
    /// Rounds.
    pub rounds: u32,
    /// Tool calls.
    pub calls: u32,
    /// Tokens.
    pub tokens: u64,
    /// Time.
    pub time: Duration,
}

/// Counts the time that a run works.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch {
    began: Timestamp,
    before: Duration,
}

impl Stopwatch {
    /// Goes on counting at `before`.
    pub(crate) fn resume(before: Duration, now: Timestamp) -> Self {
        Self { began: now, before }
    }

    /// All time so far.
    pub(crate) fn read(&self, now: Timestamp) -> Duration {
        self.before.saturating_add(now.since(self.began))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_bound_is_noticed_and_what_is_left_is_told() {
        let budget = Budget::default()
            .with_rounds(2)
            .with_calls(3)
            .with_tokens(100)
            .with_time(Duration::from_secs(60));
        let spent = |change: fn(&mut Spent)| {
            let mut spent = Spent::default();
            change(&mut spent);
            spent
        };
        for (spent, reached) in [
            (spent(|_| {}), None),
            (spent(|s| s.rounds = 2), Some(FinishReason::RoundLimit)),
            (spent(|s| s.calls = 3), Some(FinishReason::CallLimit)),
            (spent(|s| s.add(Usage::new(60, 40))), Some(FinishReason::TokenLimit)),
            (spent(|s| s.add(Usage::new(60, 39))), None),
            (
                spent(|s| s.time = Duration::from_secs(60)),
                Some(FinishReason::TimeLimit),
            ),
        ] {
            assert_eq!(budget.reached(&spent), reached, "{spent:?}");
        }
        let left = budget.left(&spent(|s| {
            s.rounds = 5;
            s.add(Usage::new(10, 5));
        }));
        assert_eq!((left.rounds, left.calls, left.tokens), (0, 3, 85));
    }

    #[test]
    fn time_between_a_crash_and_going_on_does_not_count() {
        let at = Timestamp::from_millis;
        let first = Stopwatch::resume(Duration::ZERO, at(1_000)).read(at(4_000));
        let second = Stopwatch::resume(first, at(90_000_000)).read(at(90_002_000));
        assert_eq!(second, Duration::from_secs(5));
    }
}
