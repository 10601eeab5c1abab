//! The connection to a server: opened when it is needed, and opened again when it broke, ever less often.

use super::config::ServerConfig;
use super::dial::{Dial, DialError, Dialled};
use super::handler::{Desk, Handler};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time::Instant;

/// How long after the first failure the next try is made; twice as long after each further one.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
/// How long between two tries at most.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// A connection that lived so long was a good one.
const GOOD: Duration = Duration::from_secs(60);

/// Why there is no connection.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum Down {
    /// It was tried a moment ago.
    #[error("it failed a moment ago and is tried again later")]
    Pausing,
    /// It was tried and failed.
    #[error("{0}")]
    Failed(String),
}

#[derive(Debug)]
pub(super) struct Link {
    dial: Box<dyn Dial>,
    handler: Handler,
    connect_timeout: Duration,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    up: Option<(Arc<Dialled>, Instant)>,
    failures: u32,
    not_before: Option<Instant>,
}

impl State {
    fn failed(&mut self) {
        let pause = FIRST_PAUSE
            .saturating_mul(2_u32.saturating_pow(self.failures))
            .min(LONGEST_PAUSE);
        self.failures = self.failures.saturating_add(1);
        self.not_before = Some(Instant::now() + pause);
    }

    /// Forgets a connection that is closed. One that did not live long counts as a failed try.
    fn closed(&mut self) {
        let Some((_, since)) = self.up.take() else { return };
        if since.elapsed() < GOOD {
            self.failed();
        } else {
            (self.failures, self.not_before) = (0, None);
        }
    }
}

impl Link {
    pub(super) fn new(dial: Box<dyn Dial>, config: &ServerConfig) -> Self {
        let handler = Handler {
            elicitation: config.elicitation,
            question_wait: config.question_wait,
            desk: Arc::new(Desk::default()),
        };
        Self {
            dial,
            handler,
            connect_timeout: config.connect_timeout,
            state: Mutex::default(),
        }
    }

    pub(super) fn desk(&self) -> &Arc<Desk> {
        &self.handler.desk
    }

    /// The connection, opened if need be; the second value says whether it is a new one.
    pub(super) async fn get(&self) -> Result<(Arc<Dialled>, Freshness), Down> {
        let mut state = self.state.lock().await;
        if let Some((dialled, _)) = &state.up {
            if !dialled.is_closed() {
                return Ok((dialled.clone(), Freshness::Known));
            }
            state.closed();
        }
        if state.not_before.is_some_and(|moment| Instant::now() < moment) {
            return Err(Down::Pausing);
        }
        let dialling = tokio::time::timeout(self.connect_timeout, self.dial.dial(self.handler.clone()));
        let dialled = dialling
            .await
            .unwrap_or_else(|_| Err(DialError::new("it did not answer in time")));
        match dialled {
            Ok(dialled) => {
                let dialled = Arc::new(dialled);
                state.up = Some((dialled.clone(), Instant::now()));
                Ok((dialled, Freshness::New))
            }
            Err(error) => {
                state.failed();
                Err(Down::Failed(error.0))
            }
        }
    }

    /// Gives a connection up that failed.
    pub(super) async fn give_up(&self, failed: &Arc<Dialled>) {
        let mut state = self.state.lock().await;
        if state
            .up
            .as_ref()
            .is_some_and(|(dialled, _)| Arc::ptr_eq(dialled, failed))
        {
            state.closed();
        }
    }
}

/// Whether a connection was there before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Freshness {
    Known,
    New,
}
