//! Events of a turn on their way to a host.

use futures_util::Stream;
use incar_core::TurnEvent;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::sync::mpsc;

/// The events of one turn, ending with [`TurnEvent::Done`]. A listener that is slow or gone never
/// holds the turn up: a turn's events are few, and they wait here until they are read.
#[derive(Debug)]
pub struct TurnStream {
    events: mpsc::UnboundedReceiver<TurnEvent>,
}

impl Stream for TurnStream {
    type Item = TurnEvent;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<TurnEvent>> {
        self.events.poll_recv(context)
    }
}

/// Where a turn's events go: to a listener, or nowhere.
#[derive(Debug, Clone, Default)]
pub(crate) struct Events(Option<mpsc::UnboundedSender<TurnEvent>>);

impl Events {
    /// Events that nobody hears.
    pub(crate) fn none() -> Self {
        Self(None)
    }

    /// Events and the stream that hears them.
    pub(crate) fn channel() -> (Self, TurnStream) {
        let (sender, events) = mpsc::unbounded_channel();
        (Self(Some(sender)), TurnStream { events })
    }

    /// Sends the event that `make` makes, if anyone listens.
    pub(crate) fn send(&self, make: impl FnOnce() -> TurnEvent) {
        if let Some(sender) = &self.0 {
            // A listener that went away is no concern of the turn.
            let _ = sender.send(make());
        }
    }
}
