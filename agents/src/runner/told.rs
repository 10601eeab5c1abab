//! What a listener is told of a reply while it comes, and takes back where it breaks off.

use crate::stream::Events;
use incar_core::{ModelEvent, TurnEvent};

/// What a listener was told of one reply. What does not stand in the end is taken back.
#[derive(Debug)]
pub(super) struct Told<'a> {
    events: &'a Events,
    said: bool,
}

impl<'a> Told<'a> {
    pub(super) fn new(events: &'a Events) -> Self {
        Self { events, said: false }
    }

    /// Tells more of the reply.
    pub(super) fn tell(&mut self, event: &ModelEvent) {
        match event {
            ModelEvent::Started(_) => self.take_back(),
            ModelEvent::Text(text) => {
                self.said = true;
                self.events.send(|| TurnEvent::Delta { text: text.clone() });
            }
            _ => {}
        }
    }

    /// The reply is whole.
    pub(super) fn stands(mut self) {
        self.said = false;
    }

    fn take_back(&mut self) {
        if std::mem::take(&mut self.said) {
            self.events.send(|| TurnEvent::Retracted);
        }
    }
}

impl Drop for Told<'_> {
    fn drop(&mut self) {
        self.take_back();
    }
}
