//! Numbers written in digits, and the signs that go with them.

use super::{Number, NumberKind, with_percent, zh};
use crate::{Gap, Text, UnitKind};

/// So many digits in one run are a phone number or an account, never an amount.
const LONG: usize = 7;

pub(super) fn number(text: &Text, at: usize) -> Option<(Number, usize)> {
    match text.word(at) {
        "-" if text.kind(at + 1) == Some(UnitKind::Number) && text.gap_before(at + 1) == Gap::None => {
            let (number, end) = written(text, at + 1)?;
            let signed = |number: Number| Number::new(-number.value, number.kind);
            match number.kind {
                NumberKind::Digits | NumberKind::Ordinal | NumberKind::Fraction => None,
                NumberKind::Cardinal | NumberKind::Decimal | NumberKind::Percent => Some((signed(number), end)),
            }
        }
        "½" => Some((Number::new(0.5, NumberKind::Fraction), at + 1)),
        "¼" => Some((Number::new(0.25, NumberKind::Fraction), at + 1)),
        "¾" => Some((Number::new(0.75, NumberKind::Fraction), at + 1)),
        "⅓" => Some((Number::new(1.0 / 3.0, NumberKind::Fraction), at + 1)),
        "⅔" => Some((Number::new(2.0 / 3.0, NumberKind::Fraction), at + 1)),
        _ => written(text, at),
    }
}

fn written(text: &Text, at: usize) -> Option<(Number, usize)> {
    if text.kind(at) != Some(UnitKind::Number) {
        return None;
    }
    let word = text.word(at);
    let end = at + 1;
    if let Some(found) = grouped_digits(text, at).or_else(|| fraction(text, at)) {
        return Some(found);
    }
    let leading_zero = word.len() > 1 && word.starts_with('0') && !word.contains('.');
    if leading_zero || (word.len() >= LONG && !word.contains('.')) {
        return Some((Number::digits(word.to_owned()), end));
    }
    let value: f64 = word.parse().ok()?;
    if text.gap_before(end) == Gap::None {
        if matches!(text.word(end), "st" | "nd" | "rd" | "th") && value.fract() == 0.0 {
            return Some((Number::new(value, NumberKind::Ordinal), end + 1));
        }
        if text.kind(end) == Some(UnitKind::Han) {
            return Some(zh::after_magnitude(text, value, end));
        }
        if matches!(text.word(end), "½") {
            return Some((Number::new(value + 0.5, NumberKind::Decimal), end + 1));
        }
    }
    Some(with_percent(text, Number::plain(value), end))
}

/// `138 0013 8000`, `555-0123`: runs of digits that make one phone number.
fn grouped_digits(text: &Text, at: usize) -> Option<(Number, usize)> {
    let whole = |index: usize| {
        text.kind(index) == Some(UnitKind::Number) && text.word(index).len() >= 2 && !text.word(index).contains('.')
    };
    let mut end = at;
    let mut digits = String::new();
    while whole(end) && (end == at || matches!(text.gap_before(end), Gap::Space | Gap::Hyphen)) {
        digits.push_str(text.word(end));
        end += 1;
    }
    let is_date = end == at + 3 && text.word(at + 1).len() == 2 && text.word(at + 2).len() == 2;
    (end > at + 1 && digits.len() >= LONG && !is_date).then(|| (Number::digits(digits), end))
}

/// `1/3`: a part of one. A date such as `10/21/2024` or `8/21` is not.
fn fraction(text: &Text, at: usize) -> Option<(Number, usize)> {
    let slash = |index: usize| text.gap_before(index) == Gap::Slash && index < text.len();
    if !slash(at + 1) || slash(at + 2) || slash(at) {
        return None;
    }
    let part: f64 = text.word(at).parse().ok()?;
    let of: f64 = text.word(at + 1).parse().ok()?;
    let proper = part >= 1.0 && part < of && of <= 10.0 && part.fract() == 0.0 && of.fract() == 0.0;
    proper.then(|| (Number::new(part / of, NumberKind::Fraction), at + 2))
}
