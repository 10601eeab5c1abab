//! Time is injected: core reads no clock.

use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A point in time: milliseconds since the Unix epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(u64);

impl Timestamp {
    /// From milliseconds since the Unix epoch.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the Unix epoch.
    pub const fn as_millis(self) -> u64 {
        self.0
    }

    /// This point plus `duration`, saturating.
    #[must_use]
    pub fn plus(self, duration: Duration) -> Self {
        Self(
            self.0
                .saturating_add(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)),
        )
    }

    /// How long after `earlier` this is; zero where it is not.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}

/// Where the time comes from.
pub trait Clock: Send + Sync + Debug {
    /// The time now.
    fn now(&self) -> Timestamp;

    /// How many minutes local time is ahead of UTC now: what "tomorrow" depends on. By default none.
    fn utc_offset(&self) -> i32 {
        0
    }
}

impl<C: Clock + ?Sized> Clock for Arc<C> {
    fn now(&self) -> Timestamp {
        (**self).now()
    }

    fn utc_offset(&self) -> i32 {
        (**self).utc_offset()
    }
}

/// A clock that moves only when it is told to: for simulators and tests.
///
/// ```
/// use incar_core::{Clock, ManualClock, Timestamp};
/// use std::time::Duration;
/// let clock = ManualClock::at(Timestamp::from_millis(1_000));
/// clock.advance(Duration::from_secs(2));
/// assert_eq!(clock.now().as_millis(), 3_000);
/// ```
#[derive(Debug, Default)]
pub struct ManualClock {
    millis: AtomicU64,
    utc_offset: i32,
}

impl ManualClock {
    /// A clock that stands at `start`; its local time is UTC.
    pub fn at(start: Timestamp) -> Self {
        Self {
            millis: AtomicU64::new(start.as_millis()),
            utc_offset: 0,
        }
    }

    /// The same clock with a local time so many minutes ahead of UTC.
    #[must_use]
    pub fn ahead_of_utc(mut self, minutes: i32) -> Self {
        self.utc_offset = minutes;
        self
    }

    /// Moves the clock forward.
    pub fn advance(&self, by: Duration) {
        let millis = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
        self.millis.fetch_add(millis, Ordering::SeqCst);
    }

    /// Puts the clock to `time`, which may be earlier (a simulator's reset).
    pub fn set(&self, time: Timestamp) {
        self.millis.store(time.as_millis(), Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.millis.load(Ordering::SeqCst))
    }

    fn utc_offset(&self) -> i32 {
        self.utc_offset
    }
}
