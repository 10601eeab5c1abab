//! From words to wishes: the parse, and what spans more than one frame: corrections, shared verbs
//! and what was refused.

use crate::confidence::{Band, Confidence};
use crate::frame::{Bind, Frame, Named, Said};
use crate::generic::Class;
use crate::lattice::{Hearing, Lattice, Reading};
use crate::lexicon::{Lexicon, Use};
use crate::resolve;
use crate::search::{Parse, Search, search};
use crate::unwished::{Unwished, unwished};
use incar_core::{Effect, Seat};
use incar_text::{Gap, Text};
use serde_json::{Map, Value};

/// How many places are tried as corrections.
const MOST_CORRECTIONS: usize = 3;
/// How much work understanding may take before nothing more is tried.
const MOST_WORK: usize = 20_000;
/// How many beginnings of a broken-off wish are tried.
const MOST_BEGINNINGS: usize = 6;

/// One wish: a tool and what was said of its arguments.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Wish {
    pub(crate) tool: usize,
    pub(crate) arguments: Map<String, Value>,
    /// The words that said it.
    pub(crate) words: String,
    /// The words as they were understood, where some only sound like that and the deed cannot be undone.
    pub(crate) heard: Option<String>,
    /// An argument that it named without saying it.
    pub(crate) wants: Option<usize>,
    /// How its tool was named.
    pub(crate) named: Named,
    /// Whether it rests on free text that no word of a phrase led up to.
    pub(crate) untold: bool,
    /// Whether it holds any free text.
    pub(crate) free: bool,
    /// Whether some of its words only sound like what they were taken for.
    pub(crate) mended: bool,
}

/// What an utterance was understood as.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Understood {
    /// The wishes, in the order said.
    pub(crate) wishes: Vec<Wish>,
    /// Whether something was said not to be done, and is therefore none of the wishes.
    pub(crate) refused: bool,
    /// Why what was spoken of is none of the wishes, where it is not to be done now.
    pub(crate) unwished: Option<Unwished>,
    /// How sure this is.
    pub(crate) confidence: Confidence,
    /// What the cheapest reading costs for each unit of the utterance.
    pub(crate) cost: f32,
    /// How many readings were looked at.
    pub(crate) work: usize,
}

/// What the conversation adds to an utterance: a tool that it may be about without naming it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Implied {
    /// The tool.
    pub(crate) tool: usize,
    /// What taking it costs.
    pub(crate) cost: f32,
}

/// Understands `source`, said from `seat`: it may be misheard.
pub(crate) fn understand(lexicon: &Lexicon, source: &str, seat: Seat, implied: Option<Implied>) -> Understood {
    understand_as(lexicon, source, seat, implied, Hearing::BySound)
}

/// Understands `source`, said from `seat`, as it was heard.
pub(crate) fn understand_as(
    lexicon: &Lexicon,
    source: &str,
    seat: Seat,
    implied: Option<Implied>,
    hearing: Hearing,
) -> Understood {
    let text = Text::new(source);
    if text.is_empty() || text.len() > crate::lattice::LONGEST {
        return Understood::default();
    }
    let lattice = Lattice::new(lexicon, &text, implied.map(|implied| implied.tool), hearing);
    let mut best = parsed(lexicon, &lattice, seat, implied);
    let mut work = best.work;
    // What follows a condition waits with it.
    if best.unwished == Some(Unwished::Later) {
        return best;
    }
    if best.confidence.band() != Band::Act
        && let Some(clause) = after_talk(lexicon, &lattice, source, seat)
    {
        work += clause.work;
        best = clause;
    }
    for (before, after) in corrections(lexicon, &lattice, source) {
        if work > MOST_WORK {
            break;
        }
        let Some(other) = mended(lexicon, source, seat, before, after) else {
            continue;
        };
        work += other.work;
        if other.cost < best.cost - 0.01 || !other.wishes.is_empty() && best.wishes.is_empty() {
            best = other;
        }
    }
    Understood { work, ..best }
}

/// The places where a speaker may take back what was said: (end of the part before, start of the
/// part after), in bytes.
fn corrections(lexicon: &Lexicon, lattice: &Lattice<'_>, source: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    for edge in lattice.edges.iter().flatten() {
        let Reading::Word(word) = edge.reading else { continue };
        if !lexicon.uses(word).contains(&Use::Class(Class::Correct)) || edge.start == 0 {
            continue;
        }
        let before = lattice.text.unit(edge.start).map(|unit| unit.start);
        let after = lattice.text.unit(edge.end).map(|unit| unit.start);
        if let (Some(before), Some(after)) = (before, after)
            && after < source.len()
        {
            found.push((before, after));
        }
    }
    // 二十三不二十五度: between two numbers 不 takes the first one back.
    for at in 1..lattice.len {
        let number_after = lattice
            .at(at + 1)
            .iter()
            .any(|edge| matches!(edge.reading, Reading::Number { .. }));
        if lattice.text.word(at) == "不"
            && number_after
            && let (Some(unit), Some(next)) = (lattice.text.unit(at), lattice.text.unit(at + 1))
        {
            found.push((unit.start, next.start));
        }
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(MOST_CORRECTIONS);
    found
}

/// The reading in which the part after a correction replaces the last wish of the part before.
fn mended(lexicon: &Lexicon, source: &str, seat: Seat, before: usize, after: usize) -> Option<Understood> {
    let (first, second) = (source.get(..before)?, source.get(after..)?);
    let mut kept = understand_plain(lexicon, first, seat, None);
    let last = kept.wishes.last().cloned();
    let implied = last.as_ref().map(|wish| Implied {
        tool: wish.tool,
        cost: 0.1,
    });
    let new = understand_plain(lexicon, second, seat, implied);
    let replacement = new.wishes.first().cloned();
    let (Some(last), Some(replacement)) = (last, replacement) else {
        return resumed(lexicon, first, second, seat);
    };
    kept.wishes.pop();
    let mut wish = replacement;
    // 打开车窗，不对，天窗: another thing, and what was begun with the first goes for it.
    if wish.tool != last.tool
        && let Some(other) = resumed(lexicon, first, second, seat)
        && other.cost < kept.cost.max(new.cost)
    {
        return Some(other);
    }
    if wish.tool == last.tool {
        let group = amounts(lexicon, &wish);
        let mut merged = last.arguments.clone();
        if !group.is_empty() {
            merged.retain(|key, _| !group_of(lexicon, last.tool).contains(key));
        }
        merged.extend(std::mem::take(&mut wish.arguments));
        wish.arguments = merged;
    }
    kept.wishes.push(wish);
    kept.wishes.extend(new.wishes.into_iter().skip(1));
    kept.confidence = kept.confidence.least(new.confidence);
    kept.cost = kept.cost.max(new.cost);
    kept.work += new.work;
    Some(kept)
}

/// What was begun was no wish yet: of its beginnings the one that goes on best with what follows.
/// "Open the left, no, the right rear window" goes on after "open".
fn resumed(lexicon: &Lexicon, first: &str, second: &str, seat: Seat) -> Option<Understood> {
    let text = Text::new(first);
    let starts = text.units().iter().take(MOST_BEGINNINGS).map(|unit| unit.start);
    let mut best: Option<Understood> = None;
    let mut work = 0;
    for start in starts {
        let whole = format!("{}, {second}", first.get(..start)?);
        let understood = understand_plain(lexicon, &whole, seat, None);
        work += understood.work;
        let better = best.as_ref().is_none_or(|best| understood.cost < best.cost);
        if better && !understood.wishes.is_empty() {
            best = Some(understood);
        }
        if work > MOST_WORK {
            break;
        }
    }
    best.filter(|best| best.confidence >= Confidence::ACT)
        .map(|best| Understood { work, ..best })
}

/// A whole wish in the last clause, where what stands before it is only talk: 昨天那谁又迟到了，把空调打开.
fn after_talk(lexicon: &Lexicon, lattice: &Lattice<'_>, source: &str, seat: Seat) -> Option<Understood> {
    let paused = |at: &usize| lattice.text.gap_before(*at) >= Gap::Comma;
    let last = (1..lattice.len).rev().find(paused)?;
    // 他说，把空调打开: somebody else is quoted.
    if REPORTS.contains(&lattice.text.word(last - 1)) {
        return None;
    }
    let clause = source.get(lattice.text.unit(last)?.start..)?;
    let wish = understand_plain(lexicon, clause, seat, None);
    let whole = wish.confidence >= Confidence::WHOLE && !wish.wishes.is_empty();
    let plain = wish.wishes.iter().all(|wish| !wish.free && wish.named >= Named::Topic);
    (whole && plain).then_some(wish)
}

/// Words that end a clause which quotes somebody.
const REPORTS: &[&str] = &[
    "说", "讲", "问", "道", "喊", "said", "says", "asked", "told", "him", "her", "them", "like",
];

fn understand_plain(lexicon: &Lexicon, source: &str, seat: Seat, implied: Option<Implied>) -> Understood {
    let text = Text::new(source);
    let lattice = Lattice::new(lexicon, &text, implied.map(|implied| implied.tool), Hearing::BySound);
    parsed(lexicon, &lattice, seat, implied)
}

fn parsed(lexicon: &Lexicon, lattice: &Lattice<'_>, seat: Seat, implied: Option<Implied>) -> Understood {
    let given = implied.map(|implied| Frame::implied(implied.tool, implied.cost));
    let Search { best, work } = search(lexicon, lattice, given);
    let understood = best.map_or_else(Understood::default, |best| finish(lexicon, lattice, seat, best));
    Understood {
        work: work + lattice.steps,
        ..understood
    }
}

/// The arguments of a tool of which one excludes the others: a number, its change and its extremes.
pub(crate) fn group_of(lexicon: &Lexicon, tool: usize) -> Vec<String> {
    use incar_core::words::ValueKind;
    let Some(tool) = lexicon.tools.get(tool) else {
        return Vec::new();
    };
    let amount = |kind: ValueKind| matches!(kind, ValueKind::Number | ValueKind::Change | ValueKind::Level);
    tool.arguments
        .iter()
        .filter(|argument| amount(argument.kind))
        .map(|argument| argument.name.clone())
        .collect()
}

fn amounts(lexicon: &Lexicon, wish: &Wish) -> Vec<String> {
    let group = group_of(lexicon, wish.tool);
    group
        .into_iter()
        .filter(|name| wish.arguments.contains_key(name))
        .collect()
}

fn finish(lexicon: &Lexicon, lattice: &Lattice<'_>, seat: Seat, parse: Parse) -> Understood {
    let Parse {
        mut frames,
        cost,
        skipped,
    } = parse;
    share_verbs(lexicon, lattice, &mut frames);
    if frames.iter().any(|frame| !frame.hint) {
        frames.retain(|frame| !frame.hint);
    }
    let mut understood = Understood {
        unwished: unwished(lexicon, lattice, &frames),
        ..Understood::default()
    };
    // 后备箱关好了没 asks about a state, and moves nothing.
    let asked = |frame: &Frame| {
        let tool = frame.tool.and_then(|tool| lexicon.tools.get(tool));
        let acts = tool.is_some_and(|tool| !tool.reads);
        let moved = frame.named == Named::Topic && matches!(frame.verb, Some(Class::Open | Class::Close));
        // 锁车了吗: whether it has come about.
        acts && (moved && lattice.asks_about(lexicon, &frame.span) || lattice.asks_whether_done())
    };
    let doubtful = frames.len() == 1 && frames.iter().any(asked);
    let wished = if understood.unwished.is_none() {
        frames.as_slice()
    } else {
        &[]
    };
    for frame in wished {
        match refusal(lexicon, frame) {
            Refusal::None => {}
            Refusal::Dropped => {
                understood.refused = true;
                continue;
            }
            Refusal::Turned(frame) => {
                push(lexicon, lattice, seat, &frame, &mut understood.wishes);
                continue;
            }
        }
        push(lexicon, lattice, seat, frame, &mut understood.wishes);
    }
    let units = lattice.len as f32;
    let odd = cost - 0.3 * frames.len() as f32;
    understood.cost = odd / (units + 2.0);
    understood.confidence = if wished.is_empty() || doubtful {
        Confidence::NONE
    } else {
        let sure = Confidence::new(1.0 - (odd + 0.5 * skipped) / (0.55 * units + 1.0));
        // What speaks of things that no car has is at most asked about.
        if lattice.is_alien(lexicon) {
            sure.least(Confidence::DOUBT)
        } else {
            sure
        }
    };
    understood
}

fn push(lexicon: &Lexicon, lattice: &Lattice<'_>, seat: Seat, frame: &Frame, wishes: &mut Vec<Wish>) {
    let Some(tool) = frame.tool else { return };
    for arguments in resolve::arguments(lexicon, lattice, frame, seat) {
        let wish = Wish {
            tool,
            arguments,
            words: resolve::words_of(lattice, &frame.span),
            heard: misheard(lexicon, lattice, frame),
            wants: frame.wants,
            named: frame.named,
            untold: frame.untold,
            free: frame.binds.iter().any(|bind| matches!(bind.said, Said::Text(_))),
            mended: !frame.mends.is_empty(),
        };
        wishes.push(wish);
    }
}

/// What was only heard by its sound is not enough for what cannot be undone: the words to ask about.
fn misheard(lexicon: &Lexicon, lattice: &Lattice<'_>, frame: &Frame) -> Option<String> {
    let tool = frame.tool.and_then(|tool| lexicon.tools.get(tool))?;
    let doubtful = !frame.mends.is_empty() && tool.spec.effect == Effect::Act;
    doubtful.then(|| lattice.retold(&frame.span, &frame.mends))
}

enum Refusal {
    None,
    /// Said not to be done: nothing is to be done.
    Dropped,
    /// Not wanted any more: the opposite is to be done.
    Turned(Box<Frame>),
}

/// What a negation makes of a frame: 别开空调 asks for nothing, 不用加热了 switches off.
fn refusal(lexicon: &Lexicon, frame: &Frame) -> Refusal {
    if !frame.negated {
        return Refusal::None;
    }
    let Some(tool) = frame.tool.and_then(|tool| lexicon.tools.get(tool)) else {
        return Refusal::Dropped;
    };
    let close = tool.by_class.iter().find(|(class, ..)| *class == Class::Close);
    match (frame.verb, close) {
        (None, Some((_, argument, value))) if frame.bound(*argument).is_none() => {
            let Some(said) = tool
                .arguments
                .get(*argument)
                .and_then(|argument| argument.values.get(*value))
            else {
                return Refusal::Dropped;
            };
            let mut turned = frame.clone();
            turned.negated = false;
            turned.binds.push(Bind {
                argument: *argument,
                said: Said::Value(said.clone()),
                end: frame.span.end,
                own: true,
            });
            Refusal::Turned(Box::new(turned))
        }
        _ => Refusal::Dropped,
    }
}

/// A frame without a verb takes that of the frame before it, else of the one after it:
/// 打开雾灯后视镜内循环, "windows and sunroof closed".
fn share_verbs(lexicon: &Lexicon, lattice: &Lattice<'_>, frames: &mut [Frame]) {
    // A phrase of its own, 打开内循环, begins with the verb of what follows too: 和座椅通风.
    let begins = |frame: &Frame| {
        let words = lattice.words_at(frame.span.start);
        let mut classes = words
            .flat_map(|(word, _)| lexicon.uses(word))
            .filter_map(|meaning| match meaning {
                Use::Class(class) => Some(class),
                _ => None,
            });
        classes
            .find(|class| matches!(class, Class::Open | Class::Close))
            .copied()
    };
    let mut verbs: Vec<Option<Class>> = frames
        .iter()
        .map(|frame| frame.verb.or_else(|| begins(frame)))
        .collect();
    for index in 0..frames.len() {
        let before = index
            .checked_sub(1)
            .and_then(|before| verbs.get(before).copied().flatten());
        let after = verbs.get(index + 1).copied().flatten();
        let Some(frame) = frames.get_mut(index) else { continue };
        let quiet = frame.verb.is_none() && !frame.question && is_quiet(lexicon, frame);
        let Some(tool) = frame.tool.and_then(|tool| lexicon.tools.get(tool)).filter(|_| quiet) else {
            continue;
        };
        for class in [before, after].into_iter().flatten() {
            let value = tool
                .by_class
                .iter()
                .find(|(other, argument, _)| *other == class && frame.bound(*argument).is_none());
            if let Some((_, argument, value)) = value
                && let Some(said) = tool
                    .arguments
                    .get(*argument)
                    .and_then(|argument| argument.values.get(*value))
            {
                frame.binds.push(Bind {
                    argument: *argument,
                    said: Said::Value(said.clone()),
                    end: frame.span.end,
                    own: true,
                });
                frame.verb = Some(class);
                if let Some(verb) = verbs.get_mut(index) {
                    *verb = Some(class);
                }
                break;
            }
        }
    }
}

/// Whether a frame says of what it wants something but not what: only where, or less.
fn is_quiet(lexicon: &Lexicon, frame: &Frame) -> bool {
    let Some(tool) = frame.tool.and_then(|tool| lexicon.tools.get(tool)) else {
        return false;
    };
    let amount = frame.number.is_some() || frame.direction.is_some() || frame.extreme.is_some();
    let lacking =
        |(index, argument): (usize, &crate::lexicon::Argument)| argument.required && frame.bound(index).is_none();
    let places = frame
        .binds
        .iter()
        .filter(|bind| bind.own)
        .all(|bind| matches!(bind.said, Said::Places(_)));
    !amount && (places || tool.arguments.iter().enumerate().any(lacking))
}
