//! What a listener is told of a reply while it comes, and takes back where it breaks off.

use crate::stream::Events;
use incar_core::{ModelEvent, SentenceKind};
use incar_text::{SentenceSplitter, sentences};

/// How much of a reply is judged while it comes, in bytes: each sentence with all before it. Nobody
/// listens that long; what is longer is told at the end.
const LONGEST_JUDGED: usize = 16 << 10;

/// What a listener was told of one reply. What does not stand in the end is taken back.
///
/// A sentence is told once the next one has begun: most models say one sentence beside their calls, and
/// that one is progress. And it is told only if the guards have nothing against the reply up to its end:
/// what is heard cannot be unsaid.
#[derive(Debug)]
pub(super) struct Told<'a> {
    events: &'a Events,
    splitter: SentenceSplitter,
    text: String,
    /// How much of the text is whole sentences, in bytes.
    whole: usize,
    /// How much of it was told as such.
    spoken: usize,
    stands: bool,
}

impl<'a> Told<'a> {
    pub(super) fn new(events: &'a Events) -> Self {
        Self {
            events,
            splitter: SentenceSplitter::default(),
            text: String::new(),
            whole: 0,
            spoken: 0,
            stands: false,
        }
    }

    /// Tells more of the reply; `fair` says whether a reply may be spoken.
    pub(super) fn tell(&mut self, event: &ModelEvent, fair: impl Fn(&str) -> bool) {
        match event {
            ModelEvent::Started(_) => {
                self.events.retract();
                *self = Self::new(self.events);
            }
            ModelEvent::Text(text) if self.events.are_heard() => {
                self.events.delta(text);
                self.text.push_str(text);
                for sentence in self.splitter.push(text) {
                    self.sentence(&sentence, &fair);
                }
            }
            _ => {}
        }
    }

    fn sentence(&mut self, sentence: &str, fair: &impl Fn(&str) -> bool) {
        let is_next = self.spoken == self.whole;
        self.whole += sentence.len();
        let so_far = self.text.get(..self.whole).unwrap_or_default();
        if is_next && self.whole <= LONGEST_JUDGED && fair(so_far) {
            self.spoken = self.whole;
            self.events.sentence(sentence, SentenceKind::Reply);
        }
    }

    /// The reply is whole, and its calls are to come.
    pub(super) fn was_progress(mut self) {
        self.stands = true;
        self.events.whole();
        if self.spoken > 0 {
            self.events.retract();
        }
        for sentence in sentences(self.text.get(self.spoken..).unwrap_or_default()) {
            self.events.sentence(&sentence, SentenceKind::Progress);
        }
    }

    /// The reply is whole, and all there is.
    pub(super) fn was_reply(mut self) {
        self.stands = true;
        self.events.whole();
    }
}

impl Drop for Told<'_> {
    fn drop(&mut self) {
        if !self.stands {
            self.events.retract();
        }
    }
}
