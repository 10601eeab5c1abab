//! English numerals.

use super::{Number, NumberKind, with_percent};
use crate::{Text, UnitKind};

/// Before these, `one` is a pronoun.
const BEFORE_PRONOUN: [&str; 16] = [
    "this", "that", "which", "the", "other", "another", "last", "next", "any", "no", "each", "every", "some", "first",
    "second", "third",
];

/// After these, `last` is about time: `last week`.
const SPANS: [&str; 14] = [
    "week",
    "weekend",
    "month",
    "year",
    "night",
    "time",
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "christmas",
];

fn small(word: &str) -> Option<u32> {
    const WORDS: [&str; 20] = [
        "zero",
        "one",
        "two",
        "three",
        "four",
        "five",
        "six",
        "seven",
        "eight",
        "nine",
        "ten",
        "eleven",
        "twelve",
        "thirteen",
        "fourteen",
        "fifteen",
        "sixteen",
        "seventeen",
        "eighteen",
        "nineteen",
    ];
    position(&WORDS, word)
}

fn tens(word: &str) -> Option<u32> {
    const WORDS: [&str; 8] = [
        "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
    ];
    position(&WORDS, word).map(|at| (at + 2) * 10)
}

fn small_rank(word: &str) -> Option<u32> {
    const WORDS: [&str; 19] = [
        "first",
        "second",
        "third",
        "fourth",
        "fifth",
        "sixth",
        "seventh",
        "eighth",
        "ninth",
        "tenth",
        "eleventh",
        "twelfth",
        "thirteenth",
        "fourteenth",
        "fifteenth",
        "sixteenth",
        "seventeenth",
        "eighteenth",
        "nineteenth",
    ];
    position(&WORDS, word).map(|at| at + 1)
}

fn tens_rank(word: &str) -> Option<u32> {
    const WORDS: [&str; 8] = [
        "twentieth",
        "thirtieth",
        "fortieth",
        "fiftieth",
        "sixtieth",
        "seventieth",
        "eightieth",
        "ninetieth",
    ];
    position(&WORDS, word).map(|at| (at + 2) * 10)
}

fn position(words: &[&str], word: &str) -> Option<u32> {
    let at = words.iter().position(|candidate| *candidate == word)?;
    u32::try_from(at).ok()
}

pub(crate) fn is_oh(word: &str) -> bool {
    matches!(word, "oh" | "o")
}

/// The first word of a phrase stands where it stands; the others must follow without a pause.
fn word_from(text: &Text, start: usize, index: usize) -> &str {
    if index == start {
        text.word(index)
    } else {
        text.next_word(index)
    }
}

pub(super) fn number(text: &Text, at: usize) -> Option<(Number, usize)> {
    match text.word(at) {
        "minus" | "negative" => {
            let (number, end) = match text.kind(at + 1)? {
                UnitKind::Number => (Number::plain(text.word(at + 1).parse().ok()?), at + 2),
                UnitKind::Latin => magnitude(text, at + 1)?,
                UnitKind::Han | UnitKind::Other => return None,
            };
            let (number, end) = with_percent(text, number, end);
            Some((Number::new(-number.value, number.kind), end))
        }
        "last" => {
            let span = SPANS.contains(&text.next_word(at + 1));
            (!span).then(|| (Number::new(-1.0, NumberKind::Ordinal), at + 1))
        }
        "one" if is_pronoun(text, at) => None,
        _ => {
            if let Some((rank, end)) = rank(text, at) {
                return Some((Number::new(f64::from(rank), NumberKind::Ordinal), end));
            }
            if let Some((value, end)) = fraction(text, at) {
                return Some((Number::new(value, NumberKind::Fraction), end));
            }
            let (number, end) = magnitude(text, at)?;
            Some(with_percent(text, number, end))
        }
    }
}

fn is_pronoun(text: &Text, at: usize) -> bool {
    let alone = magnitude(text, at).is_none_or(|(_, end)| end == at + 1);
    alone
        && (BEFORE_PRONOUN.contains(&text.previous_word(at)) || text.next_word(at + 1) == "of")
        && text.next_word(at + 1) != "percent"
}

/// `second`, `twenty first`. After a number `second` is a time.
pub(crate) fn rank(text: &Text, at: usize) -> Option<(u32, usize)> {
    let word = text.word(at);
    if let Some(rank) = small_rank(word) {
        let before = text.previous_word(at);
        let counted = at > 0 && (small(before).is_some() || text.kind(at - 1) == Some(UnitKind::Number));
        return (!counted || rank != 2).then_some((rank, at + 1));
    }
    if let Some(rank) = tens_rank(word) {
        return Some((rank, at + 1));
    }
    let rank = small_rank(text.next_word(at + 1)).filter(|&rank| rank < 10)?;
    Some((tens(word)? + rank, at + 2))
}

/// `half`, `a quarter`, `two thirds`.
fn fraction(text: &Text, at: usize) -> Option<(f64, usize)> {
    let clock = |end: usize| matches!(text.next_word(end), "past" | "to" | "an" | "hour");
    let part = |word: &str| match word {
        "half" => Some(0.5),
        "third" => Some(1.0 / 3.0),
        "quarter" | "fourth" => Some(0.25),
        "fifth" => Some(0.2),
        "tenth" => Some(0.1),
        _ => None,
    };
    let parts = |word: &str| word.strip_suffix('s').and_then(part);
    let word = text.word(at);
    let next = text.next_word(at + 1);
    let (value, end) = match word {
        "halfway" => (0.5, at + 1),
        "half" if next == "way" => (0.5, at + 2),
        "half" | "quarter" => (part(word)?, at + 1),
        "a" | "one" => (part(next)?, at + 2),
        _ => {
            let count = small(word).filter(|count| (2..=9).contains(count))?;
            (f64::from(count) * parts(next)?, at + 2)
        }
    };
    (!clock(end)).then_some((value, end))
}

/// Any number that counts or measures.
fn magnitude(text: &Text, at: usize) -> Option<(Number, usize)> {
    if text.word(at) == "point" {
        let (digits, end) = decimals(text, at)?;
        return Some((Number::plain(format!("0.{digits}").parse().ok()?), end));
    }
    let (whole, end) = cardinal(text, at)?;
    let run = digit_run(text, at).filter(|(_, run_end)| *run_end > end);
    let (number, end) = match run {
        Some((digits, end)) => (Number::digits(digits), end),
        None => (Number::plain(whole), end),
    };
    if let Some((digits, end)) = decimals(text, end) {
        return Some((
            Number::plain(format!("{}.{digits}", number.spelled()).parse().ok()?),
            end,
        ));
    }
    if number.kind == NumberKind::Cardinal && text.next_word(end) == "and" {
        let more = match (text.next_word(end + 1), text.next_word(end + 2)) {
            ("a", "half") => Some(0.5),
            ("a", "quarter") => Some(0.25),
            ("three", "quarters") => Some(0.75),
            _ => None,
        };
        if let Some(more) = more {
            return Some((Number::plain(number.value + more), end + 3));
        }
    }
    Some((number, end))
}

/// `point five`, `point twenty five`.
fn decimals(text: &Text, at: usize) -> Option<(String, usize)> {
    if text.word(at) != "point" {
        return None;
    }
    let mut digits = String::new();
    let mut end = at + 1;
    loop {
        let word = text.next_word(end);
        if is_oh(word) {
            digits.push('0');
            end += 1;
        } else if let Some((value, after)) = below_hundred(text, at, end) {
            digits.push_str(&value.to_string());
            end = after;
        } else {
            break;
        }
    }
    (!digits.is_empty()).then_some((digits, end))
}

/// `seven`, `nineteen`, `twenty one`.
pub(crate) fn below_hundred(text: &Text, start: usize, at: usize) -> Option<(u32, usize)> {
    let word = word_from(text, start, at);
    if let Some(value) = small(word) {
        return Some((value, at + 1));
    }
    let round = tens(word)?;
    match small(text.next_word(at + 1)).filter(|digit| (1..=9).contains(digit)) {
        Some(digit) => Some((round + digit, at + 2)),
        None => Some((round, at + 1)),
    }
}

/// Groups said one after another that make one string of digits: `five oh five`, `nineteen ninety four`, `one two zero`.
pub(crate) fn digit_run(text: &Text, at: usize) -> Option<(String, usize)> {
    let mut digits = String::new();
    let mut groups = 0;
    let mut end = at;
    loop {
        let word = word_from(text, at, end);
        if is_oh(word) && groups > 0 && small(text.next_word(end + 1)).is_some_and(|next| next < 10) {
            digits.push('0');
            end += 1;
        } else if let Some((value, after)) = below_hundred(text, at, end) {
            if matches!(text.next_word(after), "hundred" | "thousand" | "million") {
                break;
            }
            digits.push_str(&value.to_string());
            end = after;
        } else {
            break;
        }
        groups += 1;
    }
    (groups >= 2).then_some((digits, end))
}

/// `twenty one`, `a hundred and five`, `two thousand twenty four`.
pub(crate) fn cardinal(text: &Text, at: usize) -> Option<(f64, usize)> {
    if text.word(at) == "a" {
        match text.next_word(at + 1) {
            "dozen" => return Some((12.0, at + 2)),
            "couple" => return Some((2.0, at + 2)),
            "hundred" | "thousand" | "million" => {}
            _ => return None,
        }
    }
    let (mut total, mut end) = (0.0, at);
    let mut last_scale = f64::INFINITY;
    loop {
        let start = if end > at && text.next_word(end) == "and" {
            end + 1
        } else {
            end
        };
        let Some((value, after)) = below_thousand(text, at, start) else {
            break;
        };
        let scale = match text.next_word(after) {
            "thousand" => 1_000.0,
            "million" => 1_000_000.0,
            _ => 1.0,
        };
        let fits = scale < last_scale && f64::from(value) < last_scale;
        if !fits || (start > end && scale > 1.0) {
            break;
        }
        total += f64::from(value) * scale;
        last_scale = scale;
        end = if scale > 1.0 { after + 1 } else { after };
        if scale <= 1.0 {
            break;
        }
    }
    (end > at).then_some((total, end))
}

/// `five`, `a hundred`, `two hundred and five`, `twelve hundred`.
fn below_thousand(text: &Text, start: usize, at: usize) -> Option<(u32, usize)> {
    let (value, end) = match word_from(text, start, at) {
        "a" => (1, at + 1),
        _ => below_hundred(text, start, at)?,
    };
    if text.next_word(end) != "hundred" || value == 0 {
        let bare_article = text.word(at) == "a" && !matches!(text.next_word(end), "thousand" | "million");
        return (!bare_article).then_some((value, end));
    }
    let hundreds = value * 100;
    let end = end + 1;
    let rest = if text.next_word(end) == "and" { end + 1 } else { end };
    match below_hundred(text, start, rest) {
        Some((value, end)) if value > 0 => Some((hundreds + value, end)),
        _ => Some((hundreds, end)),
    }
}
