//! Where the search for a phrase stands, and what it took so far.

use crate::lattice::{Capture, Edge, Mend, Reading};
use crate::lexicon::{Lexicon, Limit, Slot};
use incar_core::words::Force;

/// Where the search stands.
pub(super) struct Spot<'s> {
    pub(super) node: u32,
    pub(super) at: usize,
    pub(super) cost: f32,
    /// How many units were taken as the phrase's own words, and where the last of them ends.
    pub(super) literal: usize,
    pub(super) literal_end: usize,
    /// How many of them are more than carrier words.
    pub(super) telling: usize,
    /// How many other words of its own it only sounds like, and which.
    pub(super) slips: usize,
    pub(super) slipped: Option<&'s Slipped<'s>>,
    pub(super) captures: Option<&'s Captured<'s>>,
}

/// The units of a phrase that were misheard so far, last first.
pub(super) struct Slipped<'s> {
    pub(super) heard: Misheard<'s>,
    pub(super) before: Option<&'s Slipped<'s>>,
}

/// What was misheard.
#[derive(Clone, Copy)]
pub(super) enum Misheard<'s> {
    /// A unit for a symbol.
    Unit { at: usize, symbol: u32 },
    /// A word.
    Word(&'s [Mend]),
}

/// What the places of a phrase took so far, last first.
pub(super) struct Captured<'s> {
    pub(super) slot: Slot,
    pub(super) capture: Capture,
    pub(super) before: Option<&'s Captured<'s>>,
}

/// What a phrase says, and of which words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Claim {
    span: (usize, usize),
    tool: Option<usize>,
    arguments: Vec<usize>,
    whole: bool,
}

impl Claim {
    pub(super) fn of(lexicon: &Lexicon, edge: &Edge) -> Self {
        let mut claim = Self {
            span: (edge.start, edge.end),
            tool: None,
            arguments: Vec::new(),
            whole: false,
        };
        if let Reading::Phrase { entry, captures, .. } = &edge.reading
            && let Some(entry) = lexicon.entries.get(*entry)
        {
            claim.tool = Some(entry.tool);
            claim.whole = entry.force == Force::Wish;
            let set = entry.set.iter().map(|(argument, _)| *argument);
            claim.arguments = captures.iter().map(|(argument, _)| *argument).chain(set).collect();
            claim.arguments.sort_unstable();
        }
        claim
    }
}

pub(super) fn mends(lexicon: &Lexicon, end: &Spot<'_>) -> Vec<Mend> {
    let mut all = Vec::new();
    let mut next = end.slipped;
    while let Some(slipped) = next {
        match slipped.heard {
            Misheard::Unit { at, symbol } => all.push(Mend {
                at,
                said: lexicon.spelled(symbol).to_owned(),
            }),
            Misheard::Word(mends) => all.extend_from_slice(mends),
        }
        next = slipped.before;
    }
    all
}

pub(super) fn captures(end: &Spot<'_>) -> Vec<(usize, Capture)> {
    let mut all = Vec::new();
    let mut at = end.captures;
    while let Some(captured) = at {
        let capture = match (captured.slot.limit, &captured.capture) {
            (Limit::Whole, Capture::Text(range)) => Capture::Text(range.start..range.end.max(end.literal_end)),
            (_, capture) => capture.clone(),
        };
        all.push((captured.slot.argument, capture));
        at = captured.before;
    }
    all.reverse();
    all
}
