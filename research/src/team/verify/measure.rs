//! Values that can be compared: numbers with units, dates, words.

use super::moment::Moment;
use crate::answer::{AnswerKind, normalize, number_of};
use std::cmp::Ordering;

/// Values that differ by less than this share are one value, differently rounded.
const ROUNDING: f64 = 0.01;

/// What a unit measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quantity {
    Length,
    Mass,
    Duration,
    Temperature,
    Percent,
    Count,
}

/// Units, what they measure, and how many of the quantity's base unit they are.
const UNITS: [(&[&str], Quantity, f64); 15] = [
    (
        &[
            "公里",
            "千米",
            "km",
            "kilometers",
            "kilometres",
            "kilometer",
            "kilometre",
        ],
        Quantity::Length,
        1_000.0,
    ),
    (&["厘米", "cm"], Quantity::Length, 0.01),
    (&["毫米", "mm"], Quantity::Length, 0.001),
    (
        &["米", "m", "meters", "metres", "meter", "metre"],
        Quantity::Length,
        1.0,
    ),
    (&["英里", "miles", "mile"], Quantity::Length, 1_609.344),
    (&["英尺", "feet", "ft"], Quantity::Length, 0.304_8),
    (&["公斤", "千克", "kg", "kilograms"], Quantity::Mass, 1.0),
    (&["吨", "tons", "tonnes"], Quantity::Mass, 1_000.0),
    (&["小时", "hours", "hour", "h"], Quantity::Duration, 3_600.0),
    (&["分钟", "minutes", "minute", "min"], Quantity::Duration, 60.0),
    (&["秒", "seconds"], Quantity::Duration, 1.0),
    (&["天", "days", "day"], Quantity::Duration, 86_400.0),
    (&["摄氏度", "℃", "°c"], Quantity::Temperature, 1.0),
    (&["%", "percent"], Quantity::Percent, 1.0),
    (
        &[
            "个", "人", "位", "名", "座", "条", "次", "辆", "家", "所", "部", "首", "people",
        ],
        Quantity::Count,
        1.0,
    ),
];

/// A number in the base unit of what it measures, where its unit is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Measure {
    pub(super) value: f64,
    pub(super) quantity: Option<Quantity>,
}

impl Measure {
    /// The number that a text is, with its unit.
    pub(super) fn read(text: &str) -> Option<Self> {
        let value = number_of(text)?;
        let text = text.trim().to_lowercase();
        let is_unit = |unit: &&str| {
            let before = text.strip_suffix(*unit)?.trim_end();
            // `km` does not end in the unit `m`.
            (!before.ends_with(|c: char| c.is_ascii_alphabetic())).then_some(())
        };
        let unit = UNITS
            .iter()
            .find(|(names, ..)| names.iter().any(|name| is_unit(name).is_some()));
        Some(match unit {
            Some((_, quantity, factor)) => Self {
                value: value * factor,
                quantity: Some(*quantity),
            },
            None => Self { value, quantity: None },
        })
    }
}

/// Whether two values say the same; `None` where that cannot be told, as with two names of one thing.
pub(super) fn agree(one: &str, other: &str) -> Option<bool> {
    let normal = |text: &str| normalize(text, AnswerKind::Text);
    if normal(one) == normal(other) {
        return Some(true);
    }
    if let (Some(one), Some(other)) = (date(one), date(other)) {
        return Some(one.order(other) == Ordering::Equal);
    }
    let (of_one, of_other) = (Measure::read(one)?, Measure::read(other)?);
    let is_same = |one: f64, other: f64| (one - other).abs() <= one.abs().max(other.abs()) * ROUNDING;
    match (of_one.quantity, of_other.quantity) {
        // A number without a unit has that of the other.
        (None, _) | (_, None) => Some(is_same(number_of(one)?, number_of(other)?)),
        (Some(quantity), Some(other)) if quantity == other => Some(is_same(of_one.value, of_other.value)),
        (Some(_), Some(_)) => None,
    }
}

/// A moment; a bare number is one only if it could be a year of today's books.
fn date(text: &str) -> Option<Moment> {
    let is_bare = text.trim().bytes().all(|byte| byte.is_ascii_digit());
    Moment::read(text).filter(|moment| !is_bare || (1_000..2_200).contains(&moment.year))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_agree_across_units_and_rounding() {
        for (one, other, same) in [
            ("26.7公里", "26700米", Some(true)),
            ("26.7 km", "26.65公里", Some(true)),
            ("26.7公里", "36.5公里", Some(false)),
            ("26.7公里", "26.7", Some(true)),
            ("26.7公里", "36.5", Some(false)),
            ("10 miles", "16.1 km", Some(true)),
            ("3天", "72小时", Some(true)),
            ("3天", "3公里", None),
            ("2016年", "2017年", Some(false)),
            ("2016年", "2016年12月28日", Some(true)),
            ("1937", "1938", Some(false)),
            ("37", "1938", Some(false)),
            ("8001", "8002", Some(true)),
            ("1,200", "1200", Some(true)),
            ("West Lake", "west lake", Some(true)),
            ("西湖", "West Lake", None),
        ] {
            assert_eq!((agree(one, other), agree(other, one)), (same, same), "{one} {other}");
        }
    }
}
