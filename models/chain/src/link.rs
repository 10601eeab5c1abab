//! One model of a chain, and how patient the chain is with it.

use crate::breaker::{Breaker, BreakerSettings};
use incar_core::{ChatModel, ChatRequest, DeviceModel};
use std::sync::Arc;
use std::time::Duration;

/// One model of a chain, and how patient the chain is with it.
#[derive(Debug)]
pub struct Link {
    place: Place,
    pub(crate) deadlines: Deadlines,
    pub(crate) retry: Retry,
    pub(crate) breaker: Breaker,
}

#[derive(Debug)]
enum Place {
    Cloud(Arc<dyn ChatModel>),
    Device(Arc<dyn DeviceModel>),
}

/// By when a model must answer; then the next one is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Deadlines {
    /// The first event of the reply, retries and the waits before them included. Default 5 s.
    pub first: Duration,
    /// The end of the reply. Default 20 s.
    pub whole: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self::new(Duration::from_secs(5), Duration::from_secs(20))
    }
}

impl Deadlines {
    /// Deadlines, both counted from the moment the model is asked.
    pub fn new(first: Duration, whole: Duration) -> Self {
        Self { first, whole }
    }
}

/// How often a model that failed before its first event is asked again before the next one is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retry {
    /// How often, at most. Default 1. A client that asks again by itself needs none here.
    pub times: u32,
    /// The wait before it, where the service does not say (`Retry-After`). Default 200 ms.
    pub wait: Duration,
    /// The longest wait. A service that wants a longer one is passed over, and left alone for as long
    /// as it said. Default 1 s.
    pub longest_wait: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self::new(1, Duration::from_millis(200), Duration::from_secs(1))
    }
}

impl Retry {
    /// Retries.
    pub fn new(times: u32, wait: Duration, longest_wait: Duration) -> Self {
        Self {
            times,
            wait,
            longest_wait,
        }
    }

    /// None.
    pub fn never() -> Self {
        Self::new(0, Duration::ZERO, Duration::ZERO)
    }

    /// The wait before retry number `made` (from 0); `None`: ask another model.
    pub(crate) fn wait(&self, made: u32, asked: Option<Duration>) -> Option<Duration> {
        let wait = asked.unwrap_or(self.wait);
        (made < self.times && wait <= self.longest_wait).then_some(wait)
    }
}

impl Link {
    /// A model on a network: in the cloud or on your own server.
    pub fn cloud(model: Arc<dyn ChatModel>) -> Self {
        Self::new(Place::Cloud(model))
    }

    /// A model on the device.
    pub fn device(model: Arc<dyn DeviceModel>) -> Self {
        Self::new(Place::Device(model))
    }

    fn new(place: Place) -> Self {
        Self {
            place,
            deadlines: Deadlines::default(),
            retry: Retry::default(),
            breaker: Breaker::new(BreakerSettings::default()),
        }
    }

    /// The same with these deadlines.
    #[must_use]
    pub fn with_deadlines(mut self, deadlines: Deadlines) -> Self {
        self.deadlines = deadlines;
        self
    }

    /// The same with these retries.
    #[must_use]
    pub fn with_retry(mut self, retry: Retry) -> Self {
        self.retry = retry;
        self
    }

    /// The same with this circuit breaker.
    #[must_use]
    pub fn with_breaker(mut self, settings: BreakerSettings) -> Self {
        self.breaker = Breaker::new(settings);
        self
    }

    pub(crate) fn is_on_device(&self) -> bool {
        matches!(self.place, Place::Device(_))
    }

    pub(crate) fn model(&self) -> &dyn ChatModel {
        match &self.place {
            Place::Cloud(model) => &**model,
            Place::Device(model) => &**model,
        }
    }

    /// How sure the model is of `request`; one on a network cannot say.
    pub(crate) fn confidence(&self, request: ChatRequest<'_>) -> f32 {
        match &self.place {
            Place::Cloud(_) => 0.0,
            Place::Device(model) => model.confidence(&self.fitted(request)),
        }
    }

    /// `request` with all tools, where the model takes them.
    pub(crate) fn fitted<'a>(&self, request: ChatRequest<'a>) -> ChatRequest<'a> {
        match (request.tools, request.all_tools) {
            (Some(_), Some(all)) if all.specs().len() < self.model().most_tools() => request.with_tools(all),
            _ => request,
        }
    }
}
