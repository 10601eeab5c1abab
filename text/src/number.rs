//! Spoken and written numbers, Chinese and English.

mod ascii;
pub(crate) mod en;
pub(crate) mod zh;

use std::ops::Range;

use crate::{Text, UnitKind};

/// How a [`Number`] was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NumberKind {
    /// A whole number: `二十二`, `two hundred`.
    Cardinal,
    /// With a fractional part: `二十二点五`, `two and a half`.
    Decimal,
    /// In percent: 30 for `百分之三十`, `三成`, `thirty percent`.
    Percent,
    /// A part of one: 0.5 for `一半`, `half`; a third for `三分之一`.
    Fraction,
    /// A rank, from one: `第二`, `second`. From the end it is negative: -1 for `最后一`, `last`.
    Ordinal,
    /// Said digit by digit: a phone number, a year, a channel. [`Number::spelled`] keeps leading zeros.
    Digits,
}

/// A number somebody said.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Number {
    /// Its value; percent in percent.
    pub value: f64,
    /// How it was said.
    pub kind: NumberKind,
    digits: Option<String>,
}

impl Number {
    /// A number that is not a string of digits.
    pub fn new(value: f64, kind: NumberKind) -> Self {
        Self {
            value,
            kind,
            digits: None,
        }
    }

    /// Cardinal or decimal, as the value is whole or not.
    fn plain(value: f64) -> Self {
        let kind = if value.fract() == 0.0 {
            NumberKind::Cardinal
        } else {
            NumberKind::Decimal
        };
        Self::new(value, kind)
    }

    fn digits(digits: String) -> Self {
        Self {
            value: digits.parse().unwrap_or_default(),
            kind: NumberKind::Digits,
            digits: Some(digits),
        }
    }

    /// The digits as said for [`NumberKind::Digits`], else the value in decimal: `0571`, `22.5`.
    pub fn spelled(&self) -> String {
        self.digits.clone().unwrap_or_else(|| self.value.to_string())
    }
}

/// The longest number that begins at a unit, and how many units it takes.
///
/// Only what is a number by its grammar: not the 一 of 一点, 一下 or 统一, not the `one` of `this one`. Whether a name
/// such as 五一路 holds a number is for the caller to judge. 半 is left alone: see [`half_at`]. So is the counted
/// thing: 第二个 takes two units. The start is taken as given: in 二十三 there is also a number at 十.
///
/// ```
/// use incar_text::{Text, number_at};
///
/// let text = Text::new("调到二十二点五度");
/// let (number, units) = number_at(&text, 2).ok_or("no number")?;
/// assert_eq!((number.value, units), (22.5, 5));
/// # Ok::<(), &str>(())
/// ```
pub fn number_at(text: &Text, index: usize) -> Option<(Number, usize)> {
    let (number, end) = match text.kind(index)? {
        UnitKind::Han => zh::number(text, index),
        UnitKind::Latin => en::number(text, index),
        UnitKind::Number | UnitKind::Other => ascii::number(text, index),
    }?;
    Some((number, end - index))
}

/// All numbers of a text from left to right, each the longest at its place, none within another.
pub fn numbers(text: &Text) -> Vec<(Range<usize>, Number)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        match number_at(text, at) {
            Some((number, units)) => {
                found.push((at..at + units, number));
                at += units;
            }
            None => at += 1,
        }
    }
    found
}

/// A half that begins at a unit, as a fraction, and how many units it takes: 半, `half`, `a half`, `and a half`.
///
/// For what follows a counted thing (二十二度半, 三个半小时, 两点半, `two hours and a half`) and for 半 where the caller
/// knows that an amount is meant.
pub fn half_at(text: &Text, index: usize) -> Option<(Number, usize)> {
    let units = match text.word(index) {
        "半" | "half" | "½" => 1,
        "a" if text.continues(index + 1, &["half"]) => 2,
        "and" if text.continues(index + 1, &["a", "half"]) => 3,
        _ => return None,
    };
    Some((Number::new(0.5, NumberKind::Fraction), units))
}

/// Turns a magnitude into a percentage where the next words say so.
fn with_percent(text: &Text, number: Number, end: usize) -> (Number, usize) {
    let units = match text.next_word(end) {
        "%" | "percent" => 1,
        "per" if text.continues(end + 1, &["cent"]) => 2,
        "个" if text.continues(end + 1, &["百", "分", "点"]) => 4,
        _ => return (number, end),
    };
    (Number::new(number.value, NumberKind::Percent), end + units)
}

#[cfg(test)]
mod tests;
