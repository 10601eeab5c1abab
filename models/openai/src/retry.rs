//! When a request is made again, and after what wait.

use http::header::{DATE, HeaderMap, RETRY_AFTER};
use std::time::Duration;

/// When a request is made again. Only a request that brought nothing yet is: what was heard is
/// never said twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RetryPolicy {
    /// How often, at most, after the first request.
    pub retries: u32,
    /// The wait before the first retry; each further one is twice as long.
    pub first_wait: Duration,
    /// The longest wait. A service that wants a longer one (`Retry-After`) is not asked again.
    pub longest_wait: Duration,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        Self::new(2, Duration::from_millis(250), Duration::from_secs(4))
    }
}

impl RetryPolicy {
    /// A policy.
    pub fn new(retries: u32, first_wait: Duration, longest_wait: Duration) -> Self {
        Self {
            retries,
            first_wait,
            longest_wait,
        }
    }

    /// No retries.
    pub fn never() -> Self {
        Self::new(0, Duration::ZERO, Duration::ZERO)
    }

    /// How long to wait before retry number `made` (from 0); `None`: do not retry.
    pub(crate) fn wait(&self, made: u32, asked: Option<Duration>) -> Option<Duration> {
        if made >= self.retries {
            return None;
        }
        match asked {
            Some(wait) if wait > self.longest_wait => None,
            Some(wait) => Some(wait),
            None => Some(
                self.first_wait
                    .saturating_mul(2u32.saturating_pow(made))
                    .min(self.longest_wait),
            ),
        }
    }
}

/// The wait that a response asks for. A date counts from the response's own `Date`: a car's clock
/// may be wrong.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| headers.get(name)?.to_str().ok().map(str::trim);
    let after = text(RETRY_AFTER)?;
    if let Ok(seconds) = after.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let then = httpdate::parse_http_date(after).ok()?;
    let now = httpdate::parse_http_date(text(DATE)?).ok()?;
    Some(then.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_wait_is_twice_the_last_up_to_a_bound() {
        let ms = Duration::from_millis;
        let policy = RetryPolicy::new(4, ms(250), ms(800));
        let waits: Vec<_> = (0..5).map(|made| policy.wait(made, None)).collect();
        assert_eq!(
            waits,
            [Some(ms(250)), Some(ms(500)), Some(ms(800)), Some(ms(800)), None]
        );
        assert_eq!(policy.wait(0, Some(ms(700))), Some(ms(700)));
        assert_eq!(policy.wait(0, Some(ms(900))), None, "longer than we wait");
        assert_eq!(RetryPolicy::never().wait(0, Some(ms(0))), None);
        let many = RetryPolicy::new(u32::MAX, ms(1), ms(800));
        assert_eq!(many.wait(u32::MAX - 1, None), Some(ms(800)));
    }

    #[test]
    fn a_service_says_when_in_seconds_or_as_a_date() {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT";
        for (after, sent, wait) in [
            (Some("3"), None, Some(3)),
            (Some(" 0 "), None, Some(0)),
            (Some("Sun, 06 Nov 1994 08:49:41 GMT"), Some(date), Some(4)),
            (Some("Sun, 06 Nov 1994 08:49:30 GMT"), Some(date), Some(0)),
            (Some("Sun, 06 Nov 1994 08:49:41 GMT"), None, None),
            (Some("soon"), Some(date), None),
            (Some("-1"), Some(date), None),
            (None, Some(date), None),
        ] {
            let mut headers = HeaderMap::new();
            if let Some(after) = after {
                headers.insert(RETRY_AFTER, after.parse().unwrap());
            }
            if let Some(sent) = sent {
                headers.insert(DATE, sent.parse().unwrap());
            }
            assert_eq!(retry_after(&headers), wait.map(Duration::from_secs), "{after:?}");
        }
    }
}
