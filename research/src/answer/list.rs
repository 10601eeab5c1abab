//! An answer that names several things.

use super::strip;

/// Between the last two of several things, or the only two. A name may have one too (战争与和平 without its title marks):
/// what the answer is compared with comes apart in the same way, so that equal answers stay equal.
const CONJUNCTIONS: [&str; 4] = [" and ", "以及", "和", "与"];
/// Words that have a conjunction's character in them.
const WORDS: [&str; 18] = [
    "共和", "和平", "和谐", "和解", "和田", "和尚", "和服", "呼和", "颐和", "太和", "中和", "永和", "总和", "饱和",
    "温和", "参与", "与会", "与众",
];
/// Marks that keep together what they enclose.
const ENCLOSING: [(char, char); 6] = [
    ('《', '》'),
    ('“', '”'),
    ('「', '」'),
    ('『', '』'),
    ('（', '）'),
    ('(', ')'),
];

/// The items of a list, each without its bullet, quotation marks and conjunction; empty ones are left out.
pub(super) fn items(text: &str) -> Vec<&str> {
    let mut items: Vec<&str> = text
        .lines()
        .flat_map(|line| split(unbulleted(line), separator))
        .collect();
    if let Some(last) = items.pop() {
        let last = last.trim();
        let led = last.strip_prefix("and ").or_else(|| last.strip_prefix("以及"));
        items.extend(split(led.unwrap_or(last), conjunction));
    }
    items
        .into_iter()
        .map(strip::bare)
        .filter(|item| !item.is_empty())
        .collect()
}

/// A line without `- `, `• ` or `2. ` before it.
fn unbulleted(line: &str) -> &str {
    let line = line.trim();
    if let Some(rest) = ["- ", "* ", "• "].iter().find_map(|bullet| line.strip_prefix(bullet)) {
        return rest;
    }
    let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
    match rest.strip_prefix(". ").or_else(|| rest.strip_prefix('、')) {
        Some(item) if rest.len() < line.len() => item,
        Some(_) | None => line,
    }
}

/// The text in parts. `between` is asked at each place that no marks enclose: how much of what follows there parts what
/// stands before it, from the last such place on, from the rest.
fn split<'a>(text: &'a str, between: impl Fn(&'a str, &'a str) -> Option<&'static str>) -> Vec<&'a str> {
    let mut items = Vec::new();
    let (mut from, mut enclosed_until) = (0, 0);
    for (at, sign) in text.char_indices() {
        let (Some(before), Some(rest)) = (text.get(from..at), text.get(at..)) else {
            continue;
        };
        if at < enclosed_until {
            continue;
        }
        let closing = ENCLOSING.iter().find(|(open, _)| *open == sign);
        if let Some(until) = closing.and_then(|(_, close)| rest.find(*close)) {
            enclosed_until = at + until;
        } else if let Some(between) = between(before, rest) {
            items.push(before);
            from = at + between.len();
            enclosed_until = from;
        }
    }
    items.extend(text.get(from..));
    items
}

/// A comma that groups the digits of a number is none.
fn separator(before: &str, rest: &str) -> Option<&'static str> {
    let sign = ["、", "，", "；", ";", ","]
        .into_iter()
        .find(|sign| rest.starts_with(sign))?;
    let digits = rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
    let groups = sign == "," && digits == 3 && before.ends_with(|c: char| c.is_ascii_digit());
    (!groups).then_some(sign)
}

/// A Chinese conjunction has words on both sides, and is not part of one.
fn conjunction(before: &str, rest: &str) -> Option<&'static str> {
    let word = CONJUNCTIONS.into_iter().find(|word| rest.starts_with(word))?;
    let after = rest.strip_prefix(word)?;
    let is_word = |side: &str| side.trim().chars().nth(1).is_some();
    let is_part = |whole: &str| {
        let mut parts = whole.match_indices(word);
        parts.any(|(at, _)| {
            whole
                .split_at_checked(at)
                .is_some_and(|(head, tail)| before.ends_with(head) && rest.starts_with(tail))
        })
    };
    (word == " and " || is_word(before) && is_word(after) && !WORDS.iter().any(|whole| is_part(whole))).then_some(word)
}
