//! An answer that names several things.

use super::strip;

/// The items of a list, each without its bullet, quotation marks and conjunction; empty ones are left out.
pub(super) fn items(text: &str) -> Vec<&str> {
    let mut items: Vec<&str> = text.lines().flat_map(|line| split(unbulleted(line))).collect();
    if items.len() > 1
        && let Some((first, last)) = items.pop().and_then(split_conjunction)
    {
        items.extend(first);
        items.push(last);
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

/// Splits at separators. A comma that groups the digits of a number is none.
fn split(line: &str) -> Vec<&str> {
    let mut items = Vec::new();
    let mut from = 0;
    for (at, sign) in line.char_indices() {
        let after = at + sign.len_utf8();
        let (Some(before), Some(rest)) = (line.get(..at), line.get(after..)) else {
            continue;
        };
        let separates = match sign {
            '、' | '，' | '；' | ';' => true,
            ',' => !groups_digits(before, rest),
            _ => false,
        };
        if separates {
            items.extend(line.get(from..at));
            from = after;
        }
    }
    items.extend(line.get(from..));
    items
}

fn groups_digits(before: &str, after: &str) -> bool {
    let digits = after.bytes().take_while(u8::is_ascii_digit).count();
    digits == 3 && before.ends_with(|c: char| c.is_ascii_digit())
}

/// The last item of several: `milk and honey` is two, `and honey` is one.
fn split_conjunction(item: &str) -> Option<(Option<&str>, &str)> {
    let item = item.trim();
    if let Some(last) = item.strip_prefix("and ").or_else(|| item.strip_prefix("以及")) {
        return Some((None, last));
    }
    Some(match item.split_once(" and ") {
        Some((first, last)) => (Some(first), last),
        None => (None, item),
    })
}
