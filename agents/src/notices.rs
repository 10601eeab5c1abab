//! What is said unasked: a bounded queue of notices, and the questions that will lapse.

use futures_util::Stream;
use incar_core::{Clock, Lang, Notice, NoticePriority, Owner, SessionId, Speaker, Timestamp};
use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use tokio::time::Sleep;

/// How many notices wait for a reader; one more drops the oldest of the least priority.
const MOST_WAITING: usize = 64;
/// How many open questions are watched; one more leaves the oldest to its speaker's next utterance.
const MOST_WATCHED: usize = 256;

/// What an assistant has to say unasked, for as long as it lives: the stream never ends before.
///
/// Notices wait for a reader, at most 64: one more drops the oldest of the least priority, so a slow or
/// absent reader misses questions that lapsed before it misses anything else. Several readers share
/// them: each notice goes to one. Must be polled within a tokio runtime.
#[derive(Debug)]
pub struct NoticeStream {
    notices: Arc<Notices>,
    /// Until the next question lapses.
    timer: Option<Pin<Box<Sleep>>>,
}

/// The notices of an assistant.
#[derive(Debug)]
pub(crate) struct Notices {
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<Notice>,
    watched: VecDeque<Watched>,
    lapsed: u64,
    readers: Vec<Waker>,
    is_closed: bool,
}

/// A question that was left open.
#[derive(Debug, Clone)]
pub(crate) struct LeftOpen {
    pub(crate) session: SessionId,
    pub(crate) speaker: Speaker,
    pub(crate) lang: Lang,
    /// The question; empty where it is not known any more.
    pub(crate) question: Box<str>,
    /// When it lapses.
    pub(crate) until: Timestamp,
}

/// A question that waits for its answer.
#[derive(Debug)]
struct Watched {
    open: LeftOpen,
    /// Whether it was said that it has lapsed.
    is_told: bool,
}

impl LeftOpen {
    fn notice(&self) -> Notice {
        let text = match (self.lang, &*self.question) {
            (Lang::Zh, "") => "刚才的问题已经过期了，什么都没有做。".to_owned(),
            (Lang::En, "") => "The question I asked has lapsed; nothing was done.".to_owned(),
            (Lang::Zh, question) => format!("刚才问您的“{question}”已经过期了，什么都没有做。"),
            (Lang::En, question) => format!("My question “{question}” has lapsed; nothing was done."),
        };
        Notice::new(self.speaker.clone(), text)
            .with_id(new_id())
            .with_priority(NoticePriority::Low)
            .about(self.session.clone())
    }
}

fn new_id() -> String {
    uuid::Uuid::new_v4().simple().to_string()
}

impl Notices {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            clock,
            state: Mutex::default(),
        }
    }

    /// Hands over a notice; returns its id.
    pub(crate) fn push(&self, mut notice: Notice) -> String {
        if notice.id.is_empty() {
            notice.id = new_id();
        }
        let id = notice.id.clone();
        self.change(|state| state.push(notice));
        id
    }

    /// Takes a notice back that nobody has taken yet; whether there was one.
    pub(crate) fn withdraw(&self, id: &str) -> bool {
        let mut state = self.lock();
        let before = state.waiting.len();
        state.waiting.retain(|notice| notice.id != id);
        state.waiting.len() < before
    }

    /// Takes the notices for one car.
    pub(crate) fn take(&self, car: &str) -> Vec<Notice> {
        let mut state = self.lock();
        state.lapse(self.clock.now());
        let (taken, left) = std::mem::take(&mut state.waiting)
            .into_iter()
            .partition(|notice| &*notice.speaker.car == car);
        state.waiting = left;
        Vec::from(taken)
    }

    /// A question waits for its answer.
    pub(crate) fn watch(&self, open: LeftOpen) {
        self.change(|state| {
            if state.watched.len() >= MOST_WATCHED {
                state.watched.pop_front();
            }
            state.watched.push_back(Watched { open, is_told: false });
        });
    }

    /// The question of this session does not wait any more: it is being answered.
    pub(crate) fn unwatch(&self, session: &SessionId) {
        self.lock().watched.retain(|watched| watched.open.session != *session);
    }

    /// An utterance finds that a question has lapsed. Returns what is to be said of it, unless that was
    /// said: the question as it was left open, where that is known, else as `found`.
    pub(crate) fn found_lapsed(&self, found: LeftOpen) -> Option<LeftOpen> {
        let mut state = self.lock();
        let same = |watched: &Watched| watched.open.session == found.session;
        let watched = state.watched.iter().position(same);
        let open = match watched.and_then(|at| state.watched.remove(at)) {
            Some(Watched { is_told: true, .. }) => return None,
            Some(Watched { open, .. }) => open,
            None => found,
        };
        state.lapsed += 1;
        Some(open)
    }

    /// Says that a question has lapsed.
    pub(crate) fn tell_lapsed(&self, open: &LeftOpen) {
        self.change(|state| state.push(open.notice()));
    }

    /// How many questions have lapsed so far.
    pub(crate) fn lapsed(&self) -> u64 {
        let mut state = self.lock();
        state.lapse(self.clock.now());
        state.lapsed
    }

    /// Forgets what concerns a seat.
    pub(crate) fn forget(&self, owner: &Owner) {
        let mut state = self.lock();
        state.watched.retain(|watched| watched.open.speaker.owner() != *owner);
        state.waiting.retain(|notice| notice.speaker.owner() != *owner);
    }

    fn close(&self) {
        self.change(|state| state.is_closed = true);
    }

    /// Changes the state; whoever reads is woken once the lock is free again.
    fn change(&self, change: impl FnOnce(&mut State)) {
        let readers = {
            let mut state = self.lock();
            change(&mut state);
            std::mem::take(&mut state.readers)
        };
        readers.into_iter().for_each(Waker::wake);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn push(&mut self, notice: Notice) {
        self.waiting.push_back(notice);
        if self.waiting.len() > MOST_WAITING {
            // The first of several equals is the oldest.
            let least = self
                .waiting
                .iter()
                .enumerate()
                .min_by_key(|(_, notice)| notice.priority);
            if let Some(index) = least.map(|(index, _)| index) {
                self.waiting.remove(index);
            }
        }
    }

    /// Tells of the questions whose time is over.
    fn lapse(&mut self, now: Timestamp) {
        let over = |watched: &&mut Watched| !watched.is_told && watched.open.until <= now;
        let mut notices = Vec::new();
        for watched in self.watched.iter_mut().filter(over) {
            watched.is_told = true;
            notices.push(watched.open.notice());
        }
        for notice in notices {
            self.lapsed += 1;
            self.push(notice);
        }
    }

    /// When the next question lapses.
    fn next(&self) -> Option<Timestamp> {
        let untold = self.watched.iter().filter(|watched| !watched.is_told);
        untold.map(|watched| watched.open.until).min()
    }
}

/// Ends the streams once the assistant is gone.
#[derive(Debug)]
pub(crate) struct NoticeOwner(Arc<Notices>);

impl NoticeOwner {
    pub(crate) fn new(clock: Arc<dyn Clock>) -> Self {
        Self(Arc::new(Notices::new(clock)))
    }

    pub(crate) fn shared(&self) -> Arc<Notices> {
        self.0.clone()
    }

    pub(crate) fn stream(&self) -> NoticeStream {
        NoticeStream {
            notices: self.0.clone(),
            timer: None,
        }
    }
}

impl std::ops::Deref for NoticeOwner {
    type Target = Notices;

    fn deref(&self) -> &Notices {
        &self.0
    }
}

impl Drop for NoticeOwner {
    fn drop(&mut self) {
        self.0.close();
    }
}

impl Stream for NoticeStream {
    type Item = Notice;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Notice>> {
        let this = &mut *self;
        loop {
            let now = this.notices.clock.now();
            let next = {
                let mut state = this.notices.lock();
                state.lapse(now);
                if let Some(notice) = state.waiting.pop_front() {
                    return Poll::Ready(Some(notice));
                }
                if state.is_closed {
                    return Poll::Ready(None);
                }
                if !state.readers.iter().any(|reader| reader.will_wake(context.waker())) {
                    state.readers.push(context.waker().clone());
                }
                state.next()
            };
            let Some(next) = next else {
                this.timer = None;
                return Poll::Pending;
            };
            // The clock may be one that moves otherwise than time does: it is asked again then.
            let mut timer = Box::pin(tokio::time::sleep(next.since(now)));
            let over = timer.as_mut().poll(context).is_ready();
            this.timer = Some(timer);
            if !over {
                return Poll::Pending;
            }
        }
    }
}
