//! Dates and times in digits: `2020-08-08`, `10/21/2024`, `8:30 pm`.

use jiff::civil::{Date, DateTime};

use super::{Clock, Said, SaidTime, calendar, en};
use crate::{Gap, Text, UnitKind};

pub(super) fn said(text: &Text, at: usize, now: DateTime) -> Option<(Said, usize)> {
    date(text, at, now).or_else(|| time(text, at))
}

/// A whole number written in digits.
pub(super) fn whole(text: &Text, at: usize) -> Option<i64> {
    let word = text.word(at);
    (text.kind(at) == Some(UnitKind::Number)).then(|| word.parse().ok())?
}

fn date(text: &Text, at: usize, now: DateTime) -> Option<(Said, usize)> {
    let joined = |index: usize, gap: Gap| text.gap_before(index) == gap && index < text.len();
    let narrow = |value: i64| i8::try_from(value).ok();
    let first = whole(text, at)?;
    for gap in [Gap::Hyphen, Gap::Slash] {
        if !joined(at + 1, gap) {
            continue;
        }
        let second = whole(text, at + 1)?;
        if !joined(at + 2, gap) {
            // Without a year it may be a fraction or a score: only where a preposition says it is a day.
            let day = matches!(text.previous_word(at), "on" | "for" | "by") && gap == Gap::Slash;
            let date = calendar::day_of_year(now.date(), None, narrow(first)?, narrow(second)?).filter(|_| day)?;
            return Some((Said::day(date), at + 2));
        }
        let third = whole(text, at + 2)?;
        let (year, month, day) = if text.word(at).len() == 4 {
            (first, second, third)
        } else if text.word(at + 2).len() == 4 {
            // Month first, unless it cannot be one.
            if first > 12 {
                (third, second, first)
            } else {
                (third, first, second)
            }
        } else {
            return None;
        };
        let date = Date::new(i16::try_from(year).ok()?, narrow(month)?, narrow(day)?).ok()?;
        return Some((Said::day(date), at + 3));
    }
    None
}

/// `8:30`, `20:15`, `8:30 pm`.
fn time(text: &Text, at: usize) -> Option<(Said, usize)> {
    let hour = whole(text, at)?;
    if text.gap_before(at + 1) != Gap::Colon || text.word(at + 1).len() != 2 {
        return None;
    }
    let minute = whole(text, at + 1)?;
    if let Some((time, end)) = en::meridiem(text, at + 2, hour, minute) {
        return Some((Said::time(time), end));
    }
    let clock = if text.word(at).starts_with('0') {
        Clock::Exact
    } else {
        Clock::Vague
    };
    Some((Said::time(SaidTime::new(hour, minute, clock)?), at + 2))
}
