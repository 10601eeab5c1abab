//! The search for the cheapest sequence of frames that reads the whole utterance.

use crate::frame::{Frame, Named, closing};
use crate::generic::Class;
use crate::lattice::{Edge, Lattice, Reading};
use crate::lexicon::{Lexicon, Use};
use crate::take::take;
use std::rc::Rc;

/// How many readings are kept at each place.
const BEAM: usize = 24;
/// How much work is done with the whole beam; a longer utterance goes on with a narrow one.
const AMPLE: usize = 12_000;
/// How many readings a narrow beam keeps.
const NARROW: usize = 6;
/// How much dearer than the cheapest a reading may be to be kept.
const MARGIN: f32 = 2.0;
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
}

/// What a search came to.
#[derive(Debug)]
pub(crate) struct Search {
    /// The cheapest reading, if there is any.
    pub(crate) best: Option<Parse>,
    /// How many readings were looked at.
    pub(crate) work: usize,
}

#[derive(Clone)]
struct Hypothesis {
    /// What it costs without the wish that it stands within.
    cost: f32,
    skipped: f32,
    /// How many units were left out in a row, up to here.
    row: u8,
    open: Option<Rc<Frame>>,
    done: Option<Rc<Done>>,
}

struct Done {
    frame: Rc<Frame>,
    before: Option<Rc<Done>>,
}

/// The cheapest reading of an utterance; `implied` is a frame whose tool the conversation gives.
pub(crate) fn search(lexicon: &Lexicon, lattice: &Lattice<'_>, implied: Option<Frame>) -> Search {
    let mut beams: Vec<Vec<Hypothesis>> = vec![Vec::new(); lattice.len + 1];
    let fresh = Hypothesis {
        cost: 0.0,
        skipped: 0.0,
        row: 0,
        open: None,
        done: None,
    };
    if let Some(first) = beams.first_mut() {
        if let Some(frame) = implied {
            first.push(Hypothesis {
                cost: OPENING,
                open: Some(Rc::new(frame)),
                ..fresh.clone()
            });
        }
        first.push(fresh);
    }
    let mut work = 0;
    let mut best = vec![f32::INFINITY; lattice.len + 1];
    let mut frames = Vec::new();
    for at in 0..lattice.len {
        let Some(beam) = beams.get_mut(at).map(std::mem::take) else {
            break;
        };
        let width = if work < AMPLE { BEAM } else { NARROW };
        for base in prune(with_closed(lexicon, prune(beam, width)), width) {
            let so_far = total(&base);
            skip(lattice, &base, at, &mut beams, &mut best);
            for edge in lattice.at(at) {
                let (Some(beam), Some(best)) = (beams.get_mut(edge.end), best.get_mut(edge.end)) else {
                    continue;
                };
                // Nothing gets cheaper by going on.
                if so_far + edge.cost >= *best + MARGIN {
                    continue;
                }
                step(lexicon, &base, edge, &mut frames);
                work += frames.len() + 1;
                for next in frames.drain(..) {
                    let cost = total(&next);
                    if cost < *best + MARGIN {
                        *best = best.min(cost);
                        beam.push(next);
                    }
                }
            }
        }
    }
    let last = beams.pop().unwrap_or_default();
    let ends = last.into_iter().filter_map(|end| match end.open {
        Some(_) => close(lexicon, &end),
        None => Some(end),
    });
    let best = ends.min_by(|a, b| a.cost.total_cmp(&b.cost)).map(|end| Parse {
        frames: frames_of(&end),
        cost: end.cost,
        skipped: end.skipped,
    });
    Search { best, work }
}

/// The readings, and each that stands within a wish also with that wish ended.
fn with_closed(lexicon: &Lexicon, mut beam: Vec<Hypothesis>) -> Vec<Hypothesis> {
    let closed: Vec<Hypothesis> = beam
        .iter()
        .filter_map(|hypothesis| close(lexicon, hypothesis))
        .collect();
    beam.extend(closed);
    beam
}

fn frames_of(hypothesis: &Hypothesis) -> Vec<Frame> {
    let mut frames = Vec::new();
    let mut at = hypothesis.done.as_ref();
    while let Some(done) = at {
        frames.push((*done.frame).clone());
        at = done.before.as_ref();
    }
    frames.reverse();
    frames
}

/// The cheapest of a beam, no two of which stand alike.
fn prune(beam: Vec<Hypothesis>, width: usize) -> Vec<Hypothesis> {
    let mut ranked: Vec<(f32, Hypothesis)> = beam.into_iter().map(|each| (total(&each), each)).collect();
    ranked.sort_by(|a, b| a.0.total_cmp(&b.0));
    let most = ranked.first().map_or(0.0, |(cheapest, _)| cheapest + MARGIN);
    let mut kept: Vec<Hypothesis> = Vec::with_capacity(width.min(ranked.len()));
    let mut outlines: Vec<Outline> = Vec::with_capacity(width.min(ranked.len()));
    let mut between = false;
    for (cost, hypothesis) in ranked {
        // What stands between two wishes can go on in any way; some of it must be left.
        let full = kept.len() >= width || cost > most;
        if full && between {
            break;
        }
        if full && hypothesis.open.is_some() {
            continue;
        }
        let outline = Outline::of(&hypothesis);
        let mut others = kept.iter().zip(&outlines);
        if !others.any(|(other, drawn)| *drawn == outline && alike(other, &hypothesis)) {
            between |= hypothesis.open.is_none();
            kept.push(hypothesis);
            outlines.push(outline);
        }
    }
    kept
}

/// What of a reading is compared at a glance: two that are alike have the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Outline {
    done: Option<Glance>,
    open: Option<Glance>,
}

/// A frame at a glance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Glance {
    tool: Option<usize>,
    named: Named,
    verb: Option<Class>,
    binds: usize,
    pending: usize,
}

impl Outline {
    fn of(hypothesis: &Hypothesis) -> Self {
        // Of what is done only the tool and what was bound goes on to matter.
        let done = hypothesis.done.as_ref().map(|done| Glance {
            named: Named::No,
            verb: None,
            ..Glance::of(&done.frame)
        });
        Self {
            done,
            open: hypothesis.open.as_deref().map(Glance::of),
        }
    }
}

impl Glance {
    fn of(frame: &Frame) -> Self {
        Self {
            tool: frame.tool,
            named: frame.named,
            verb: frame.verb,
            binds: frame.binds.len(),
            pending: frame.pending.len(),
        }
    }
}

fn total(hypothesis: &Hypothesis) -> f32 {
    hypothesis.cost + hypothesis.open.as_ref().map_or(0.0, |frame| frame.cost)
}

/// Whether two readings can only go on alike: then the cheaper one is enough.
fn alike(a: &Hypothesis, b: &Hypothesis) -> bool {
    let same_tools = match (&a.done, &b.done) {
        (None, None) => true,
        (Some(a), Some(b)) => Rc::ptr_eq(a, b) || a.frame.tool == b.frame.tool && a.frame.binds == b.frame.binds,
        _ => false,
    };
    same_tools
        && match (&a.open, &b.open) {
            (None, None) => true,
            (Some(x), Some(y)) => Rc::ptr_eq(x, y) || x.goes_on_like(y),
            _ => false,
        }
}

fn skip(lattice: &Lattice<'_>, base: &Hypothesis, at: usize, beams: &mut [Vec<Hypothesis>], best: &mut [f32]) {
    // Side talk comes in runs: once in one, the next word costs less to leave out.
    let price = lattice.skip.get(at).copied().unwrap_or(1.0) * if base.row >= 2 { 0.7 } else { 1.0 };
    let mut next = base.clone();
    next.row = next.row.saturating_add(1);
    next.cost += price;
    next.skipped += price;
    if let (Some(beam), Some(best)) = (beams.get_mut(at + 1), best.get_mut(at + 1)) {
        let cost = total(&next);
        if cost < *best + MARGIN {
            *best = best.min(cost);
            beam.push(next);
        }
    }
}

fn close(lexicon: &Lexicon, hypothesis: &Hypothesis) -> Option<Hypothesis> {
    let frame = hypothesis.open.as_ref()?;
    // After a wish with a verb, a bare topic shares that verb: 打开雾灯后视镜.
    let follows = hypothesis.done.as_ref().is_some_and(|done| done.frame.verb.is_some());
    let mut price = closing(lexicon, frame)? * if follows { 0.4 } else { 1.0 };
    // 说明书里查冬季轮胎: a bare thing right after free text is rather part of it.
    let adjoins = |done: &Rc<Done>| done.frame.open_end > 0 && done.frame.open_end == frame.span.start;
    if hypothesis.done.as_ref().is_some_and(adjoins)
        && frame.verb.is_none()
        && !frame.question
        && !frame.says_something()
    {
        price += 0.6;
    }
    Some(Hypothesis {
        cost: hypothesis.cost + frame.cost + price,
        skipped: hypothesis.skipped,
        row: hypothesis.row,
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
                next.row = 0;
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
            // A phrase that says a part of a wish may come before the rest: 外面 of 外面下雨了吗.
            .filter(|frame| base.open.is_some() || !is_empty(frame) || matches!(edge.reading, Reading::Phrase { .. }))
            .map(|frame| Hypothesis {
                cost: base.cost + opening,
                skipped: base.skipped,
                row: 0,
                open: Some(Rc::new(frame)),
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
        && matches!(frame.named, Named::No | Named::Implied)
}

/// What a word between two wishes costs, if it may stand there.
fn passing(lexicon: &Lexicon, edge: &Edge) -> Option<f32> {
    let Reading::Word(word) = edge.reading else { return None };
    lexicon
        .uses(word)
        .iter()
        .filter_map(|meaning| match meaning {
            Use::Class(Class::Glue | Class::Filler) => Some(0.06),
            Use::Class(Class::Join) => Some(0.02),
            Use::Class(Class::Also | Class::Some | Class::Set) => Some(0.3),
            Use::Class(Class::Question) => Some(0.9),
            _ => None,
        })
        .min_by(f32::total_cmp)
}
