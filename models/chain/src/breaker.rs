//! A circuit breaker: a model that keeps failing is left alone for a while.

use incar_core::{Clock, Timestamp};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The longest that a service's `Retry-After` is believed: then it is tried again.
const LONGEST_REST: Duration = Duration::from_secs(10 * 60);

/// When a model is left alone, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct BreakerSettings {
    /// After how many failures in a row. Default 3.
    pub failures: u32,
    /// How long; then one request probes it, and the others go on leaving it alone until that one
    /// is answered. Default 30 s.
    pub cool_down: Duration,
}

impl Default for BreakerSettings {
    fn default() -> Self {
        Self::new(3, Duration::from_secs(30))
    }
}

impl BreakerSettings {
    /// Settings. 0 failures count as 1.
    pub fn new(failures: u32, cool_down: Duration) -> Self {
        Self { failures, cool_down }
    }
}

/// The breaker of one model.
#[derive(Debug)]
pub(crate) struct Breaker {
    settings: BreakerSettings,
    state: Mutex<State>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// It is asked; so many requests in a row have failed.
    Closed { failures: u32 },
    /// It is left alone.
    Open { until: Timestamp },
    /// One request probes it.
    Probing { since: Timestamp },
}

/// The leave to ask, to be given back with what came of it. Dropped without (the driver talked over
/// the request), it says nothing about the model.
#[derive(Debug)]
#[must_use]
pub(crate) struct Permit<'a> {
    breaker: &'a Breaker,
    /// Since when it probes, where it does.
    probe: Option<Timestamp>,
}

impl Breaker {
    pub(crate) fn new(settings: BreakerSettings) -> Self {
        Self {
            settings,
            state: Mutex::new(State::Closed { failures: 0 }),
        }
    }

    /// Leave to ask.
    ///
    /// # Errors
    /// How long the model is still left alone.
    pub(crate) fn admit(&self, clock: &dyn Clock) -> Result<Permit<'_>, Duration> {
        let mut state = self.lock();
        let probe = match *state {
            State::Closed { .. } => None,
            State::Open { until } => {
                let now = clock.now();
                if now < until {
                    return Err(until.since(now));
                }
                *state = State::Probing { since: until };
                Some(until)
            }
            State::Probing { .. } => return Err(Duration::ZERO),
        };
        Ok(Permit { breaker: self, probe })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Permit<'_> {
    /// The model is well.
    pub(crate) fn succeeded(mut self) {
        self.probe = None;
        *self.breaker.lock() = State::Closed { failures: 0 };
    }

    /// The model failed; `rest` is how long its service wants to be left alone, if it says so.
    pub(crate) fn failed(mut self, clock: &dyn Clock, rest: Option<Duration>) {
        let probed = self.probe.take().is_some();
        let mut state = self.breaker.lock();
        let BreakerSettings { failures, cool_down } = self.breaker.settings;
        let so_far = match *state {
            State::Closed { failures } => failures.saturating_add(1),
            // It was opened, or is being probed, since this request began: it has nothing to add.
            State::Open { .. } | State::Probing { .. } if !probed => return,
            State::Open { .. } | State::Probing { .. } => failures,
        };
        let rest = rest.filter(|rest| !rest.is_zero()).map(|rest| rest.min(LONGEST_REST));
        *state = if so_far >= failures.max(1) {
            let cool_down = rest.map_or(cool_down, |rest| rest.max(cool_down));
            State::Open {
                until: clock.now().plus(cool_down),
            }
        } else if let Some(rest) = rest {
            State::Open {
                until: clock.now().plus(rest),
            }
        } else {
            State::Closed { failures: so_far }
        };
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        if let Some(since) = self.probe {
            let mut state = self.breaker.lock();
            if *state == (State::Probing { since }) {
                *state = State::Open { until: since };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incar_core::ManualClock;

    const COOL: Duration = Duration::from_secs(30);

    fn breaker() -> (Breaker, ManualClock) {
        (Breaker::new(BreakerSettings::new(2, COOL)), ManualClock::default())
    }

    fn fail(breaker: &Breaker, clock: &ManualClock, rest: Option<u64>) {
        let permit = breaker.admit(clock).unwrap();
        permit.failed(clock, rest.map(Duration::from_secs));
    }

    #[test]
    fn it_opens_after_failures_in_a_row_only() {
        let (breaker, clock) = breaker();
        fail(&breaker, &clock, None);
        breaker.admit(&clock).unwrap().succeeded();
        fail(&breaker, &clock, None);
        drop(breaker.admit(&clock).unwrap());
        fail(&breaker, &clock, None);
        assert_eq!(breaker.admit(&clock).unwrap_err(), COOL);
    }

    #[test]
    fn one_request_probes_after_the_cool_down() {
        let (breaker, clock) = breaker();
        fail(&breaker, &clock, None);
        fail(&breaker, &clock, None);
        clock.advance(COOL - Duration::from_millis(1));
        assert_eq!(breaker.admit(&clock).unwrap_err(), Duration::from_millis(1));
        clock.advance(Duration::from_millis(1));
        let probe = breaker.admit(&clock).unwrap();
        assert!(breaker.admit(&clock).is_err(), "the others wait for it");
        probe.failed(&clock, None);
        assert_eq!(breaker.admit(&clock).unwrap_err(), COOL, "anew");
        clock.advance(COOL);
        breaker.admit(&clock).unwrap().succeeded();
        fail(&breaker, &clock, None);
        assert!(breaker.admit(&clock).is_ok(), "the count begins anew");
    }

    #[test]
    fn a_probe_that_is_broken_off_lets_the_next_one_probe() {
        let (breaker, clock) = breaker();
        fail(&breaker, &clock, None);
        fail(&breaker, &clock, None);
        clock.advance(COOL);
        drop(breaker.admit(&clock).unwrap());
        let probe = breaker.admit(&clock).unwrap();
        assert!(breaker.admit(&clock).is_err());
        probe.succeeded();
        assert!(breaker.admit(&clock).is_ok());
    }

    #[test]
    fn a_service_that_wants_to_be_left_alone_is() {
        for (asked, rests) in [(5, 5), (90, 90), (1_000_000, 600)] {
            let (breaker, clock) = breaker();
            fail(&breaker, &clock, Some(asked));
            assert_eq!(
                breaker.admit(&clock).unwrap_err(),
                Duration::from_secs(rests),
                "{asked}"
            );
        }
        let (breaker, clock) = breaker();
        fail(&breaker, &clock, Some(0));
        assert!(breaker.admit(&clock).is_ok(), "no wait is none");
    }

    #[test]
    fn a_request_from_before_it_opened_adds_nothing() {
        let (breaker, clock) = breaker();
        let late = breaker.admit(&clock).unwrap();
        fail(&breaker, &clock, None);
        fail(&breaker, &clock, None);
        clock.advance(COOL / 2);
        late.failed(&clock, None);
        assert_eq!(breaker.admit(&clock).unwrap_err(), COOL / 2);
    }
}
