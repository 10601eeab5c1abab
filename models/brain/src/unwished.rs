//! What is spoken of and is not to be done now: what waits for a condition or a time, and what is only told.

use crate::frame::{Frame, Named, Said};
use crate::generic::Class;
use crate::lattice::{Edge, Lattice, Reading};
use crate::lexicon::{Lexicon, Tool, Use};
use incar_core::ToolCategory;
use incar_text::Gap;
use std::ops::Range;

/// Why what was understood is not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unwished {
    /// It is to happen later, or if something else does: 如果下雨就关窗, "in ten minutes".
    Later,
    /// It is told, not wished: 我以为窗户关了.
    Told,
    /// It is asked how to do it: "how do I open the trunk".
    How,
}

/// Why the wishes of an utterance are none for now, if they are not. Looking something up is always for now.
pub(crate) fn unwished(lexicon: &Lexicon, lattice: &Lattice<'_>, frames: &[Frame]) -> Option<Unwished> {
    let acting: Vec<&Frame> = frames.iter().filter(|frame| acts(lexicon, frame)).collect();
    if asks_how(lexicon, lattice, frames) {
        return Some(Unwished::How);
    }
    if acting.is_empty() {
        return None;
    }
    if plain_words(lexicon, lattice, frames, Class::Later).next().is_some() || has_delay(lattice, frames) {
        return Some(Unwished::Later);
    }
    let tells = |word: Range<usize>| acting.iter().any(|frame| same_clause(lattice, &word, &frame.span));
    let is_told = plain_words(lexicon, lattice, frames, Class::Told).any(tells)
        || acting
            .iter()
            .any(|frame| is_denied(lattice, frame) || asks_with_name(lexicon, lattice, frame));
    is_told.then_some(Unwished::Told)
}

/// The tool that a frame calls.
fn tool_of<'l>(lexicon: &'l Lexicon, frame: &Frame) -> Option<&'l Tool> {
    frame.tool.and_then(|tool| lexicon.tools.get(tool))
}

/// Whether a frame does something, rather than to look something up.
fn acts(lexicon: &Lexicon, frame: &Frame) -> bool {
    tool_of(lexicon, frame).is_some_and(|tool| !tool.reads)
}

/// Whether a complaint is denied: 我不冷, 屏幕不太亮 ask for nothing warmer or darker. 屏幕不亮 complains.
fn is_denied(lattice: &Lattice<'_>, frame: &Frame) -> bool {
    let word = |at: usize| lattice.text.word(at);
    let denies = |at: usize| {
        let is_state = frame.named != Named::Topic && STATES.contains(&word(at + 1));
        // 冷不冷 asks.
        let asks = at.checked_sub(1).is_some_and(|before| word(before) == word(at + 1));
        word(at) == "不" && (word(at + 1) == "太" || is_state && !asks)
    };
    (frame.span.start.saturating_sub(1)..frame.span.end).any(denies)
}

/// What somebody in a car complains of in one character.
const STATES: [&str; 12] = ["冷", "热", "闷", "吵", "烫", "晒", "困", "黑", "暗", "凉", "冻", "累"];

/// Whether what was taken for a name ends in a question: 从天安门到颐和园要多久 leads nowhere.
fn asks_with_name(lexicon: &Lexicon, lattice: &Lattice<'_>, frame: &Frame) -> bool {
    let tool = tool_of(lexicon, frame);
    let asks = |word: usize| lexicon.uses(word).contains(&Use::Class(Class::Question));
    frame.binds.iter().any(|bind| {
        let Said::Text(text) = &bind.said else { return false };
        let argument = tool.and_then(|tool| tool.arguments.get(bind.argument));
        let is_name = tool
            .zip(argument)
            .is_some_and(|(tool, argument)| tool.spec.names.contains_key(argument.name.as_str()));
        // A question in two words at least: 谁 may be part of a name.
        let ends_asking = |at: usize| {
            lattice
                .words_at(at)
                .any(|(word, end)| end == text.end && end > at + 1 && asks(word))
        };
        is_name && (text.start + 1..text.end).any(ends_asking)
    })
}

/// Whether it is asked how something is done that the car would do. How to get somewhere is what navigation is for.
fn asks_how(lexicon: &Lexicon, lattice: &Lattice<'_>, frames: &[Frame]) -> bool {
    let done_by_car =
        |frame: &&Frame| tool_of(lexicon, frame).is_some_and(|tool| tool.spec.category != ToolCategory::NAVIGATION);
    plain_words(lexicon, lattice, frames, Class::How).any(|word| {
        // 怎么这么热, 怎么还没开 wonder why.
        let wonders = WONDERS.contains(&lattice.text.word(word.end));
        // 怎么打开后备箱 could be asking how the trunk is, but for its verb.
        let moves = lattice.words_at(word.end).any(|(next, _)| {
            let uses = lexicon.uses(next);
            uses.contains(&Use::Class(Class::Open)) || uses.contains(&Use::Class(Class::Close))
        });
        let meant = |frame: &Frame| same_clause(lattice, &word, &frame.span) && (acts(lexicon, frame) || moves);
        !wonders && frames.iter().filter(done_by_car).any(meant)
    })
}

/// What follows 怎么 where it asks why.
const WONDERS: [&str; 9] = ["还", "不", "没", "这", "那", "又", "是", "了", "回"];

/// Where words of a class stand that are no part of a longer word, of a thing's name, or of free text: 如果云知道 is a song.
fn plain_words(
    lexicon: &Lexicon,
    lattice: &Lattice<'_>,
    frames: &[Frame],
    class: Class,
) -> impl Iterator<Item = Range<usize>> {
    let of_class = move |edge: &&Edge| match edge.reading {
        Reading::Word(word) => {
            let uses = lexicon.uses(word);
            let named = |meaning: &Use| matches!(meaning, Use::Topic { .. } | Use::Value { .. });
            edge.mends.is_empty() && uses.contains(&Use::Class(class)) && !uses.iter().any(named)
        }
        _ => false,
    };
    let longer = move |inner: &Edge| {
        lattice.edges.iter().flatten().any(|edge| {
            let around = edge.start <= inner.start && edge.end >= inner.end;
            let word = matches!(edge.reading, Reading::Word(_)) && edge.mends.is_empty();
            word && around && edge.end - edge.start > inner.end - inner.start
        })
    };
    lattice
        .edges
        .iter()
        .flatten()
        .filter(of_class)
        .filter(move |edge| !longer(edge))
        .map(|edge| edge.start..edge.end)
        .filter(move |word| !is_text(frames, word))
}

/// Whether a stretch is part of some frame's free text.
fn is_text(frames: &[Frame], stretch: &Range<usize>) -> bool {
    let mut binds = frames.iter().flat_map(|frame| &frame.binds);
    binds.any(|bind| match &bind.said {
        Said::Text(text) => text.start <= stretch.start && stretch.end <= text.end,
        _ => false,
    })
}

/// Whether no pause stands between two stretches.
fn same_clause(lattice: &Lattice<'_>, one: &Range<usize>, other: &Range<usize>) -> bool {
    let between = one.start.min(other.start) + 1..one.end.max(other.start + 1);
    between.into_iter().all(|at| lattice.text.gap_before(at) < Gap::Comma)
}

/// Whether a stretch of time says when: 十分钟后, "in ten minutes", 过五分钟.
fn has_delay(lattice: &Lattice<'_>, frames: &[Frame]) -> bool {
    lattice.edges.iter().flatten().any(|edge| {
        let Reading::Number { unit: None, .. } = edge.reading else {
            return false;
        };
        let Some(end) = time_unit(lattice, edge.end) else {
            return false;
        };
        let before = edge.start.checked_sub(1).map_or("", |at| lattice.text.word(at));
        let after = lattice.text.word(end);
        let behind =
            matches!(after, "后" | "later") || after == "之" || after == "以" && lattice.text.word(end + 1) == "后";
        (behind || matches!(before, "in" | "after" | "过")) && !is_text(frames, &(edge.start..end))
    })
}

/// Where a unit of time that begins at `at` ends.
fn time_unit(lattice: &Lattice<'_>, at: usize) -> Option<usize> {
    let word = |offset: usize| lattice.text.word(at + offset);
    match (word(0), word(1), word(2)) {
        ("个", "小", "时") => Some(at + 3),
        ("秒" | "分", "钟", _) | ("小", "时", _) => Some(at + 2),
        ("秒" | "分" | "second" | "seconds" | "minute" | "minutes" | "hour" | "hours", ..) => Some(at + 1),
        _ => None,
    }
}
