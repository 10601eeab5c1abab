//! Events of a turn on their way to a host.

use futures_util::Stream;
use incar_core::{SentenceKind, TurnEvent};
use incar_text::sentences;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
pub(crate) struct Events(Option<Arc<Listener>>);

#[derive(Debug)]
struct Listener {
    events: mpsc::UnboundedSender<TurnEvent>,
    heard: Mutex<Heard>,
}

/// What the listener has of the reply so far.
#[derive(Debug, Default)]
struct Heard {
    /// Whether deltas came of a reply that is not whole.
    deltas: bool,
    /// The sentences.
    sentences: String,
}

impl Listener {
    fn send(&self, event: TurnEvent) {
        // A listener that went away is no concern of the turn.
        let _ = self.events.send(event);
    }

    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Events {
    /// Events that nobody hears.
    pub(crate) fn none() -> Self {
        Self(None)
    }

    /// Events and the stream that hears them.
    pub(crate) fn channel() -> (Self, TurnStream) {
        let (sender, events) = mpsc::unbounded_channel();
        let listener = Listener {
            events: sender,
            heard: Mutex::default(),
        };
        (Self(Some(Arc::new(listener))), TurnStream { events })
    }

    /// Whether anyone listens.
    pub(crate) fn are_heard(&self) -> bool {
        self.0.is_some()
    }

    /// Sends the event that `make` makes, if anyone listens.
    pub(crate) fn send(&self, make: impl FnOnce() -> TurnEvent) {
        if let Some(listener) = &self.0 {
            listener.send(make());
        }
    }

    /// More text of a reply that may yet break off.
    pub(crate) fn delta(&self, text: &str) {
        if let Some(listener) = &self.0 {
            listener.heard().deltas = true;
            listener.send(TurnEvent::Delta { text: text.to_owned() });
        }
    }

    /// The text of a reply is whole.
    pub(crate) fn whole(&self) {
        if let Some(listener) = &self.0 {
            listener.heard().deltas = false;
        }
    }

    /// A sentence to be spoken.
    pub(crate) fn sentence(&self, text: &str, kind: SentenceKind) {
        let Some(listener) = &self.0 else { return };
        match kind {
            SentenceKind::Reply => listener.heard().sentences.push_str(text),
            _ if text.trim().is_empty() => return,
            _ => {}
        }
        let text = text.to_owned();
        listener.send(TurnEvent::Sentence { text, kind });
    }

    /// Takes back what came of the reply, if anything did.
    pub(crate) fn retract(&self) {
        let Some(listener) = &self.0 else { return };
        let heard = std::mem::take(&mut *listener.heard());
        if heard.deltas || !heard.sentences.is_empty() {
            listener.send(TurnEvent::Retracted);
        }
    }

    /// The turn is over and `message` is what is to be spoken: sends what of it was not sent yet.
    pub(crate) fn conclude(&self, message: &str) {
        let Some(listener) = &self.0 else { return };
        let said = listener.heard().sentences.trim().to_owned();
        let missing = match message.split_once(&said) {
            Some((before, after)) => [before, after],
            None => {
                self.retract();
                ["", message]
            }
        };
        for sentence in missing.into_iter().flat_map(|text| sentences(text.trim_start())) {
            self.sentence(&sentence, SentenceKind::Reply);
        }
    }
}
