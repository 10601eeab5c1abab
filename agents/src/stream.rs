//! Events of a turn on their way to a host.

use futures_util::Stream;
use incar_core::{Lang, SentenceKind, TurnEvent};
use incar_text::{Speech, sentences, speakable};
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll, Waker};
use uuid::Uuid;

/// How much text of deltas, and as much of sentences, waits for a listener that does not read, in bytes.
const MOST_UNREAD: usize = 1 << 20;

/// The events of one turn, ending with [`TurnEvent::Done`]. A listener that is slow or gone never
/// holds the turn up: events wait here until they are read, deltas put together. Of deltas and of
/// sentences a mebibyte each waits; what comes beyond that is in the response alone.
///
/// Once the turn is [interrupted](crate::Assistant::interrupt), no word of it comes any more, not even
/// one that had waited here: only how its calls and the turn itself ended.
#[derive(Debug)]
pub struct TurnStream {
    turn: Uuid,
    queue: Arc<Queue>,
}

impl TurnStream {
    /// The id of the turn.
    pub fn turn_id(&self) -> String {
        self.turn.simple().to_string()
    }
}

impl Stream for TurnStream {
    type Item = TurnEvent;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<TurnEvent>> {
        self.queue.poll(context)
    }
}

impl Drop for TurnStream {
    fn drop(&mut self) {
        let mut waiting = self.queue.waiting();
        waiting.reader = Reader::Gone;
        waiting.events.clear();
    }
}

/// Events between a turn and its listener.
#[derive(Debug, Default)]
pub(crate) struct Queue(Mutex<Waiting>);

#[derive(Debug, Default)]
struct Waiting {
    events: VecDeque<TurnEvent>,
    /// How many bytes of deltas and of sentences are among them.
    deltas: usize,
    sentences: usize,
    reader: Reader,
    /// Whether the turn is over.
    over: bool,
    /// Who waits for the next one.
    waker: Option<Waker>,
}

/// Who reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Reader {
    /// A listener to the turn.
    #[default]
    Listens,
    /// One who talked over it: words are not for them any more.
    TalkedOver,
    /// Nobody.
    Gone,
}

/// Whether an event is for a voice and a screen that go along with the reply.
fn is_words(event: &TurnEvent) -> bool {
    matches!(
        event,
        TurnEvent::Delta { .. } | TurnEvent::Sentence { .. } | TurnEvent::Retracted | TurnEvent::Question { .. }
    )
}

impl Queue {
    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn poll(&self, context: &Context<'_>) -> Poll<Option<TurnEvent>> {
        let mut waiting = self.waiting();
        match waiting.events.pop_front() {
            Some(event) => {
                match &event {
                    TurnEvent::Delta { text } => waiting.deltas -= text.len(),
                    TurnEvent::Sentence { text, .. } => waiting.sentences -= text.len(),
                    _ => {}
                }
                Poll::Ready(Some(event))
            }
            None if waiting.over => Poll::Ready(None),
            None => {
                waiting.waker = Some(context.waker().clone());
                Poll::Pending
            }
        }
    }

    fn send(&self, event: TurnEvent) {
        let mut waiting = self.waiting();
        match waiting.reader {
            Reader::Gone => return,
            Reader::TalkedOver if is_words(&event) => return,
            Reader::TalkedOver | Reader::Listens => {}
        }
        if !waiting.put(event) {
            return;
        }
        let waker = waiting.waker.take();
        drop(waiting);
        if let Some(waker) = waker {
            waker.wake();
        }
    }

    /// No word comes any more, and those that wait are dropped.
    pub(crate) fn silence(&self) {
        let mut waiting = self.waiting();
        if waiting.reader == Reader::Listens {
            waiting.reader = Reader::TalkedOver;
            waiting.events.retain(|event| !is_words(event));
            (waiting.deltas, waiting.sentences) = (0, 0);
        }
    }

    fn end(&self) {
        let mut waiting = self.waiting();
        waiting.over = true;
        let waker = waiting.waker.take();
        drop(waiting);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl Waiting {
    /// Whether the event waits now: what nobody reads does not grow without end.
    fn put(&mut self, event: TurnEvent) -> bool {
        match &event {
            TurnEvent::Delta { text } => {
                if self.deltas + text.len() > MOST_UNREAD {
                    return false;
                }
                self.deltas += text.len();
                if let Some(TurnEvent::Delta { text: last }) = self.events.back_mut() {
                    last.push_str(text);
                    return true;
                }
            }
            TurnEvent::Sentence { text, .. } => {
                if self.sentences + text.len() > MOST_UNREAD {
                    return false;
                }
                self.sentences += text.len();
            }
            _ => {}
        }
        self.events.push_back(event);
        true
    }
}

/// Where a turn's events go: to a listener, or nowhere.
#[derive(Debug, Clone, Default)]
pub(crate) struct Events(Option<Arc<Listener>>);

#[derive(Debug)]
struct Listener {
    queue: Arc<Queue>,
    lang: Lang,
    told: Mutex<Told>,
}

/// What the listener was told of the reply so far.
#[derive(Debug)]
struct Told {
    /// Whether anything was ever told: the turn is not silent.
    begun: bool,
    /// Whether deltas came of a reply that is not whole.
    deltas: bool,
    /// The sentences, as they were written.
    sentences: String,
    /// What puts them into words.
    speech: Speech,
}

impl Told {
    fn new(lang: Lang) -> Self {
        Self {
            begun: false,
            deltas: false,
            sentences: String::new(),
            speech: Speech::new(spoken_lang(lang)),
        }
    }
}

/// The language, for a voice.
pub(crate) fn spoken_lang(lang: Lang) -> incar_text::Lang {
    lang.pick(incar_text::Lang::Zh, incar_text::Lang::En)
}

impl Listener {
    fn told(&self) -> MutexGuard<'_, Told> {
        self.told.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.queue.end();
    }
}

impl Events {
    /// Events that nobody hears.
    pub(crate) fn none() -> Self {
        Self(None)
    }

    /// Events of a turn and the stream that hears them.
    pub(crate) fn channel(turn: Uuid, lang: Lang) -> (Self, TurnStream) {
        let queue = Arc::new(Queue::default());
        let listener = Listener {
            queue: queue.clone(),
            lang,
            told: Mutex::new(Told::new(lang)),
        };
        (Self(Some(Arc::new(listener))), TurnStream { turn, queue })
    }

    /// Whether anyone listens.
    pub(crate) fn are_heard(&self) -> bool {
        self.0.is_some()
    }

    /// Whether a listener was told anything of a reply yet.
    pub(crate) fn have_begun(&self) -> bool {
        self.0.as_ref().is_some_and(|listener| listener.told().begun)
    }

    /// What waits for the listener, for as long as anyone has it.
    pub(crate) fn queue(&self) -> Weak<Queue> {
        self.0
            .as_ref()
            .map_or_else(Weak::new, |listener| Arc::downgrade(&listener.queue))
    }

    /// Not a word comes any more.
    pub(crate) fn silence(&self) {
        if let Some(listener) = &self.0 {
            listener.queue.silence();
        }
    }

    /// Sends the event that `make` makes, if anyone listens.
    pub(crate) fn send(&self, make: impl FnOnce() -> TurnEvent) {
        if let Some(listener) = &self.0 {
            listener.queue.send(make());
        }
    }

    /// More text of a reply that may yet break off.
    pub(crate) fn delta(&self, text: &str) {
        if let Some(listener) = &self.0 {
            let mut told = listener.told();
            (told.begun, told.deltas) = (true, true);
            listener.queue.send(TurnEvent::Delta { text: text.to_owned() });
        }
    }

    /// The text of a reply is whole.
    pub(crate) fn whole(&self) {
        if let Some(listener) = &self.0 {
            listener.told().deltas = false;
        }
    }

    /// A sentence to be spoken, as it was written.
    pub(crate) fn sentence(&self, written: &str, kind: SentenceKind) {
        let Some(listener) = &self.0 else { return };
        let mut told = listener.told();
        told.begun = true;
        let text = match kind {
            SentenceKind::Reply => {
                told.sentences.push_str(written);
                told.speech.next(written)
            }
            _ => speakable(written, spoken_lang(listener.lang)),
        };
        let is_said = match kind {
            SentenceKind::Reply => !text.is_empty(),
            _ => !text.trim().is_empty(),
        };
        if is_said {
            let text = text.into_owned();
            listener.queue.send(TurnEvent::Sentence { text, kind });
        }
    }

    /// Takes back what came of the reply, if anything did.
    pub(crate) fn retract(&self) {
        let Some(listener) = &self.0 else { return };
        let mut told = listener.told();
        let begun = told.begun;
        let before = std::mem::replace(
            &mut *told,
            Told {
                begun,
                ..Told::new(listener.lang)
            },
        );
        if before.deltas || !before.sentences.is_empty() {
            listener.queue.send(TurnEvent::Retracted);
        }
    }

    /// The turn is over and `message`, as it was written, is what is to be spoken: sends what of it was not sent yet.
    pub(crate) fn conclude(&self, message: &str) {
        let Some(listener) = &self.0 else { return };
        let said = listener.told().sentences.trim().to_owned();
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
