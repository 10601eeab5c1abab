//! When something was, as exactly as it is said.

use incar_text::{Text, UnitKind};
use std::cmp::Ordering;

/// A year, a month of it or a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    /// Negative before the common era.
    pub(super) year: i32,
    month: Option<u32>,
    day: Option<u32>,
}

/// What stands before or after a year that is counted backwards.
const BEFORE: [&str; 3] = ["公元前", "bc", "bce"];

impl Moment {
    /// `2016`, `2016-12`, `2016-12-28`, `2016年12月28日`, `公元前256年`; `None` for anything else, and for a day that no
    /// calendar has.
    pub(super) fn read(text: &str) -> Option<Self> {
        let text = Text::new(text);
        let words: Vec<&str> = text.words().collect();
        let is_before = BEFORE.iter().any(|mark| words.concat().contains(mark));
        let mut numbers = Vec::new();
        for (index, word) in words.iter().enumerate() {
            match text.kind(index) {
                Some(UnitKind::Number) => numbers.push(word.parse::<u32>().ok()?),
                _ if [
                    "年", "月", "日", "号", "公", "元", "前", "bc", "bce", "ad", "ce", "-", "约", "c",
                ]
                .contains(word) => {}
                _ => return None,
            }
        }
        let mut numbers = numbers.into_iter();
        let year = i32::try_from(numbers.next()?).ok()?;
        let (month, day) = (numbers.next(), numbers.next());
        let fits = numbers.next().is_none()
            && year <= 9_999
            && month.is_none_or(|month| (1..=12).contains(&month))
            && day.is_none_or(|day| (1..=31).contains(&day));
        fits.then_some(Self {
            year: if is_before { -year } else { year },
            month,
            day,
        })
    }

    /// Which was first, as far as both are known: a year is neither before nor after a month of it.
    pub(super) fn order(self, other: Self) -> Ordering {
        let known = |one: Option<u32>, other: Option<u32>| match (one, other) {
            (Some(one), Some(other)) => one.cmp(&other),
            _ => Ordering::Equal,
        };
        let months = known(self.month, other.month);
        let days = match (self.month, other.month) {
            (Some(_), Some(_)) => known(self.day, other.day),
            _ => Ordering::Equal,
        };
        self.year.cmp(&other.year).then(months).then(days)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_read_and_ordered_as_far_as_they_are_known() {
        for (one, other, order) in [
            ("2016", "2017", Ordering::Less),
            ("2016", "2016年12月28日", Ordering::Equal),
            ("2016-12-28", "2016年12月29日", Ordering::Less),
            ("2016-12", "2016-11-30", Ordering::Greater),
            ("公元前256年", "1935", Ordering::Less),
            ("256 BC", "公元前200年", Ordering::Less),
        ] {
            let (one, other) = (Moment::read(one).unwrap(), Moment::read(other).unwrap());
            assert_eq!(
                (one.order(other), other.order(one)),
                (order, order.reverse()),
                "{one:?} {other:?}"
            );
        }
        for none in [
            "",
            "西湖",
            "2016-13",
            "2016-12-32",
            "26.7公里",
            "12345",
            "in 1937 or so",
        ] {
            assert_eq!(Moment::read(none), None, "{none}");
        }
    }
}
