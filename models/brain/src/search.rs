//! The search for the cheapest sequence of frames that reads the whole utterance.

use crate::frame::{Frame, closing, take};
use crate::generic::Class;
use crate::lattice::{Edge, Lattice, Reading};
use crate::lexicon::{Lexicon, Use};
use std::rc::Rc;

/// How many readings are kept at each place.
const BEAM: usize = 28;
/// What a frame costs by being there.
const OPENING: f32 = 0.3;

/// A whole reading of an utterance.
#[derive(Debug, Clone)]
pub(crate) struct Parse {
    /// The wishes, in the order said.
    pub(crate) frames: Vec<Frame>,
    /// What it costs.
    pub(crate) cost: f32,
    /// How much of that is words that were left out.
    pub(crate) skipped: f32,
    /// How many readings were looked at.
    pub(crate) work: usize,
}

#[derive(Clone)]
struct Hypothesis {
    cost: f32,
    skipped: f32,
    open: Option<Frame>,
    done: Option<Rc<Done>>,
}

struct Done {
    frame: Frame,
    before: Option<Rc<Done>>,
}

/// The readings of an utterance, cheapest first; `implied` is a frame whose tool the conversation
/// gives.
pub(crate) fn search(lexicon: &Lexicon, lattice: &Lattice<'_>, implied: Option<Frame>) -> Vec<Parse> {
    let mut beams: Vec<Vec<Hypothesis>> = vec![Vec::new(); lattice.len + 1];
    let fresh = Hypothesis {
        cost: 0.0,
        skipped: 0.0,
        open: None,
        done: None,
    };
    if let Some(first) = beams.first_mut() {
        if let Some(frame) = implied {
            first.push(Hypothesis {
                cost: OPENING,
                open: Some(frame),
                ..fresh.clone()
            });
        }
        first.push(fresh);
    }
    let mut work = 0;
    let mut frames = Vec::new();
    for at in 0..lattice.len {
        let Some(beam) = beams.get_mut(at).map(std::mem::take) else {
            break;
        };
        for hypothesis in prune(beam) {
            let closed = close(lexicon, &hypothesis);
            let bases = [Some(&hypothesis), closed.as_ref()];
            for base in bases.into_iter().flatten() {
                skip(lattice, base, at, &mut beams);
                for edge in lattice.at(at) {
                    step(lexicon, base, edge, &mut frames);
                    work += frames.len() + 1;
                    for next in frames.drain(..) {
                        if let Some(beam) = beams.get_mut(edge.end) {
                            beam.push(next);
                        }
                    }
                }
            }
        }
    }
    let last = beams.pop().unwrap_or_default();
    let mut ends: Vec<Hypothesis> = last
        .iter()
        .filter_map(|end| {
            if end.open.is_some() {
                close(lexicon, end)
            } else {
                Some(end.clone())
            }
        })
        .collect();
    ends.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    ends.truncate(6);
    ends.iter()
        .map(|end| Parse {
            frames: frames_of(end),
            cost: end.cost,
            skipped: end.skipped,
            work,
        })
        .collect()
}

fn frames_of(hypothesis: &Hypothesis) -> Vec<Frame> {
    let mut frames = Vec::new();
    let mut at = hypothesis.done.as_ref();
    while let Some(done) = at {
        frames.push(done.frame.clone());
        at = done.before.as_ref();
    }
    frames.reverse();
    frames
}

/// The cheapest of a beam, no two of which stand alike.
fn prune(mut beam: Vec<Hypothesis>) -> Vec<Hypothesis> {
    beam.sort_by(|a, b| total(a).total_cmp(&total(b)));
    let mut kept: Vec<Hypothesis> = Vec::with_capacity(BEAM.min(beam.len()));
    for hypothesis in beam {
        if kept.len() == BEAM {
            break;
        }
        if !kept.iter().any(|other| alike(other, &hypothesis)) {
            kept.push(hypothesis);
        }
    }
    kept
}

fn total(hypothesis: &Hypothesis) -> f32 {
    hypothesis.cost + hypothesis.open.as_ref().map_or(0.0, |frame| frame.cost)
}

/// Whether two readings can only go on alike: then the cheaper one is enough.
fn alike(a: &Hypothesis, b: &Hypothesis) -> bool {
    let same_tools = |a: &Option<Rc<Done>>, b: &Option<Rc<Done>>| match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => Rc::ptr_eq(a, b) || a.frame.tool == b.frame.tool && a.frame.binds == b.frame.binds,
        _ => false,
    };
    match (&a.open, &b.open) {
        (None, None) => same_tools(&a.done, &b.done),
        (Some(x), Some(y)) => {
            let cost = x.cost;
            let same = Frame {
                cost,
                span: x.span.clone(),
                ..y.clone()
            } == *x;
            same && same_tools(&a.done, &b.done)
        }
        _ => false,
    }
}

fn skip(lattice: &Lattice<'_>, base: &Hypothesis, at: usize, beams: &mut [Vec<Hypothesis>]) {
    let price = lattice.skip.get(at).copied().unwrap_or(1.0);
    let mut next = base.clone();
    next.cost += price;
    next.skipped += price;
    if let Some(beam) = beams.get_mut(at + 1) {
        beam.push(next);
    }
}

fn close(lexicon: &Lexicon, hypothesis: &Hypothesis) -> Option<Hypothesis> {
    let frame = hypothesis.open.as_ref()?;
    let price = closing(lexicon, frame)?;
    Some(Hypothesis {
        cost: hypothesis.cost + frame.cost + price,
        skipped: hypothesis.skipped,
        open: None,
        done: Some(Rc::new(Done {
            frame: frame.clone(),
            before: hypothesis.done.clone(),
        })),
    })
}

fn step(lexicon: &Lexicon, base: &Hypothesis, edge: &Edge, out: &mut Vec<Hypothesis>) {
    let mut frames = Vec::new();
    match &base.open {
        Some(frame) => take(lexicon, frame, edge, &mut frames),
        None => {
            if let Some(price) = passing(lexicon, edge) {
                let mut next = base.clone();
                next.cost += price;
                out.push(next);
            }
            take(lexicon, &Frame::new(edge.start), edge, &mut frames);
            // What says only a value may belong to the tool of the wish before.
            if let Some(done) = &base.done
                && let Some(tool) = done.frame.tool
                && !matches!(edge.reading, Reading::Phrase { .. })
            {
                let implied = Frame {
                    span: edge.start..edge.start,
                    ..Frame::implied(tool, 0.35)
                };
                take(lexicon, &implied, edge, &mut frames);
            }
        }
    }
    let opening = if base.open.is_some() { 0.0 } else { OPENING };
    out.extend(
        frames
            .into_iter()
            .filter(|frame| base.open.is_some() || !is_empty(frame))
            .map(|frame| Hypothesis {
                cost: base.cost + opening,
                skipped: base.skipped,
                open: Some(frame),
                done: base.done.clone(),
            }),
    );
}

/// Whether a frame took nothing but carriers, so that opening it says nothing.
fn is_empty(frame: &Frame) -> bool {
    *frame
        == Frame {
            cost: frame.cost,
            span: frame.span.clone(),
            named: frame.named,
            tool: frame.tool,
            ..Frame::new(frame.span.start)
        }
        && matches!(frame.named, crate::frame::Named::No | crate::frame::Named::Implied)
}

/// What a word between two wishes costs, if it may stand there.
fn passing(lexicon: &Lexicon, edge: &Edge) -> Option<f32> {
    let Reading::Word(word) = edge.reading else { return None };
    lexicon
        .uses(word)
        .iter()
        .filter_map(|meaning| match meaning {
            Use::Class(Class::Glue | Class::Filler) => Some(0.04),
            Use::Class(Class::Join) => Some(0.02),
            Use::Class(Class::Also | Class::Some | Class::Set) => Some(0.3),
            Use::Class(Class::Question) => Some(0.5),
            _ => None,
        })
        .min_by(f32::total_cmp)
}
