//! An answer that is one number.

use super::units::is_unit;
use incar_text::{NumberKind, Text, number_at};
use std::fmt;

/// What may stand before a number without changing it.
const BEFORE: [&str; 14] = [
    "about",
    "approximately",
    "around",
    "roughly",
    "大约",
    "大概",
    "约",
    "近",
    "~",
    "≈",
    "$",
    "€",
    "£",
    "¥",
];
/// From here on not every whole number is one of `f64`.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A number in decimal, exact however long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decimal {
    negative: bool,
    /// Digits without leading zeros; empty for zero.
    whole: String,
    /// Digits without trailing zeros.
    fraction: String,
}

/// The number that `text` is as a whole: written in digits or words, with a unit or not. `None` where it says
/// anything else.
pub(super) fn whole(text: &str) -> Option<Decimal> {
    let folded: String = text.chars().map(half_width).collect::<String>().to_lowercase();
    let mut text = folded.trim();
    while let Some(rest) = BEFORE.iter().find_map(|word| text.strip_prefix(word)) {
        text = rest.trim_start();
    }
    written(text).or_else(|| spoken(text))
}

fn half_width(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        _ => c,
    }
}

/// `-1,234.56 km`
fn written(text: &str) -> Option<Decimal> {
    let (negative, text) = match text.strip_prefix(['-', '−']) {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let end = |text: &str| {
        text.find(|c: char| !c.is_ascii_digit() && c != ',')
            .unwrap_or(text.len())
    };
    let (grouped, rest) = text.split_at_checked(end(text))?;
    let whole = ungrouped(grouped)?;
    let (fraction, rest) = match rest.strip_prefix('.') {
        Some(rest) => rest.split_at_checked(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()))?,
        None => ("", rest),
    };
    is_rest(rest).then(|| Decimal::new(negative, &whole, fraction))
}

/// The digits of `1234` or `1,234`; `None` for anything else, such as `12,34`.
fn ungrouped(digits: &str) -> Option<String> {
    let mut groups = digits.split(',');
    let first = groups.next()?;
    let rest: Vec<&str> = groups.collect();
    let is_grouped = first.len() <= 3 && rest.iter().all(|group| group.len() == 3);
    (!first.is_empty() && (rest.is_empty() || is_grouped)).then(|| format!("{first}{}", rest.concat()))
}

/// `一百四十公里`, `1.5亿`, `two hundred`
fn spoken(text: &str) -> Option<Decimal> {
    let read = Text::new(text);
    let (number, units) = number_at(&read, 0)?;
    let is_amount = matches!(
        number.kind,
        NumberKind::Cardinal | NumberKind::Decimal | NumberKind::Percent
    );
    let rest = read.normal(units..read.len());
    // Written by Rust: digits, perhaps a point and a sign.
    let value = number.value.to_string();
    (is_amount && number.value.abs() < EXACT && is_rest(&rest))
        .then(|| written(&value))
        .flatten()
}

/// Whether nothing follows an amount but its unit.
fn is_rest(text: &str) -> bool {
    let text = text.trim();
    text.is_empty() || is_unit(text)
}

impl Decimal {
    fn new(negative: bool, whole: &str, fraction: &str) -> Self {
        Self {
            negative,
            whole: whole.trim_start_matches('0').to_owned(),
            fraction: fraction.trim_end_matches('0').to_owned(),
        }
    }

    /// The nearest whole number, halves away from zero.
    pub(super) fn rounded(&self) -> String {
        let up = self.fraction.starts_with(|digit| ('5'..='9').contains(&digit));
        let whole = if up {
            incremented(&self.whole)
        } else {
            self.whole.clone()
        };
        Self::new(self.negative, &whole, "").to_string()
    }
}

/// The digits of the next whole number.
fn incremented(digits: &str) -> String {
    let kept = digits.trim_end_matches('9');
    let zeros = "0".repeat(digits.len() - kept.len());
    let mut kept: Vec<char> = kept.chars().collect();
    let last = kept.pop().and_then(|digit| digit.to_digit(10)).unwrap_or_default();
    kept.extend(char::from_digit(last + 1, 10));
    kept.into_iter().collect::<String>() + &zeros
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_zero = self.whole.is_empty() && self.fraction.is_empty();
        if self.negative && !is_zero {
            f.write_str("-")?;
        }
        f.write_str(if self.whole.is_empty() { "0" } else { &self.whole })?;
        if self.fraction.is_empty() {
            return Ok(());
        }
        write!(f, ".{}", self.fraction)
    }
}
