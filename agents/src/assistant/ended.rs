//! Turns that are over, while a voice may still be speaking their replies.

use crate::stream::Queue;
use incar_core::{Lang, Owner, SessionId};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError, Weak};
use uuid::Uuid;

/// How many turns are known after they ended, and how much of their text, in bytes. A reply is spoken
/// within a minute; this is enough for hundreds of cars.
const MOST_TURNS: usize = 1_024;
const MOST_TEXT: usize = 1 << 20;

/// A turn that is over.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) turn: Uuid,
    pub(super) owner: Owner,
    pub(super) lang: Lang,
    pub(super) kept: Kept,
    /// The whole message as it was written; `None` where it was the reply's own words and asks nothing.
    pub(super) message: Option<Box<str>>,
    /// Whether it was a question that was asked before, and nothing else.
    pub(super) again: bool,
    /// Whether the reply can be answered with a yes.
    pub(super) asks: bool,
    /// What its listener has not read yet.
    pub(super) unread: Weak<Queue>,
}

/// Where the conversation is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kept {
    /// Nowhere: nothing was said to it that would be remembered.
    Nowhere,
    /// In the speaker's short-term memory.
    Memory,
    /// In the store, under this id.
    Session(SessionId),
}

/// The turns that ended last.
#[derive(Debug, Default)]
pub(super) struct EndedTurns(Mutex<Turns>);

#[derive(Debug, Default)]
struct Turns {
    turns: VecDeque<Ended>,
    /// How much text they have.
    text: usize,
}

impl EndedTurns {
    pub(super) fn push(&self, ended: Ended) {
        let mut known = self.lock();
        known.text += ended.text();
        known.turns.push_back(ended);
        while known.turns.len() > MOST_TURNS || (known.text > MOST_TEXT && known.turns.len() > 1) {
            known.remove(0);
        }
    }

    /// The turn, if it is the last that its speaker's conversation knows: what came before the next
    /// utterance cannot be unsaid. It is not found again, but still comes after those before it.
    pub(super) fn take(&self, turn: Uuid) -> Option<Ended> {
        let mut known = self.lock();
        let at = known.last(turn)?;
        let known = &mut *known;
        let ended = known.turns.get_mut(at)?;
        known.text -= ended.text();
        Some(Ended {
            turn: std::mem::replace(&mut ended.turn, Uuid::nil()),
            owner: ended.owner.clone(),
            kept: ended.kept.clone(),
            message: ended.message.take(),
            unread: std::mem::take(&mut ended.unread),
            ..*ended
        })
    }

    /// What `look` makes of the turn, if [`EndedTurns::take`] would find it.
    pub(super) fn with<T>(&self, turn: Uuid, look: impl FnOnce(&Ended) -> T) -> Option<T> {
        let known = self.lock();
        known.turns.get(known.last(turn)?).map(look)
    }

    /// Forgets what was said to `owner`.
    pub(super) fn forget(&self, owner: &Owner) {
        let mut known = self.lock();
        known.turns.retain(|ended| ended.owner != *owner);
        known.text = known.turns.iter().map(Ended::text).sum();
    }

    fn lock(&self) -> MutexGuard<'_, Turns> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turns {
    fn remove(&mut self, at: usize) -> Option<Ended> {
        let ended = self.turns.remove(at)?;
        self.text -= ended.text();
        Some(ended)
    }

    /// Where the turn stands, unless a later one of its speaker is known.
    fn last(&self, turn: Uuid) -> Option<usize> {
        let at = self.turns.iter().rposition(|ended| ended.turn == turn)?;
        let owner = &self.turns.get(at)?.owner;
        let mut later = self.turns.iter().skip(at + 1);
        let superseded = later.any(|later| later.owner == *owner && later.kept != Kept::Nowhere);
        (!superseded).then_some(at)
    }
}

/// What was said to the speaker, as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said<'a> {
    /// The last reply's own words, and no more.
    LastWords,
    /// This, of which the last reply's words are a part.
    Message(&'a str),
    /// A question that was asked before: the conversation has it only once.
    Again(&'a str),
}

impl Ended {
    pub(super) fn said(&self) -> Said<'_> {
        match (&self.message, self.again) {
            (Some(message), true) => Said::Again(message),
            (Some(message), false) => Said::Message(message),
            (None, _) => Said::LastWords,
        }
    }

    fn text(&self) -> usize {
        self.message.as_ref().map_or(0, |message| message.len())
    }
}
