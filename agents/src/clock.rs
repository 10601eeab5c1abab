//! The system's clock.

use incar_core::{Clock, Timestamp};
use std::time::{SystemTime, UNIX_EPOCH};

/// The clock of the machine it runs on.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    /// By the time zone of the machine; UTC where it has none.
    fn utc_offset(&self) -> i32 {
        jiff::tz::TimeZone::system().to_offset(jiff::Timestamp::now()).seconds() / 60
    }
}
