//! English times of day.

use jiff::civil::DateTime;

use crate::date::{Clock, DayPart, Said, SaidTime, written};
use crate::number::en::{below_hundred, is_oh};
use crate::{Gap, Text, UnitKind};

/// What follows `at`.
pub(super) fn after_at(text: &Text, at: usize) -> Option<(Said, usize)> {
    if text.next_word(at) == "night" {
        return Some((Said::part(DayPart::Night), at + 1));
    }
    if let Some(found) = time(text, at) {
        return Some(found);
    }
    // `at seven`, `at seven thirty`; `at 7 percent` is an amount.
    let (hour, minute, end) = hour_and_minute(text, at)?;
    let amount = matches!(
        text.next_word(end),
        "degrees"
            | "degree"
            | "percent"
            | "per"
            | "point"
            | "and"
            | "miles"
            | "km"
            | "hundred"
            | "thousand"
            | "dollars"
    ) || text.kind(end) == Some(UnitKind::Other);
    let time = SaidTime::new(hour, minute, Clock::Vague).filter(|_| !amount && (1..=12).contains(&hour))?;
    Some((Said::time(time), end))
}

/// `noon`, `half past six`, `quarter to nine`, `eight o'clock`, `seven thirty pm`, `8pm`.
pub(super) fn time(text: &Text, at: usize) -> Option<(Said, usize)> {
    let exact = |hour: i64| SaidTime::new(hour, 0, Clock::Exact).map(|time| (Said::time(time), at + 1));
    match text.word(at) {
        "noon" | "midday" => return exact(12),
        "midnight" => return exact(24),
        _ => {}
    }
    if let Some(found) = past_or_to(text, at) {
        return Some(found);
    }
    if let Some(hour) = written::whole(text, at)
        && text.gap_before(at + 1) == Gap::Colon
    {
        let (said, end) = written::said(text, at, DateTime::default())?;
        return (hour <= 24 && said.time.is_some()).then_some((said, end));
    }
    let (hour, minute, end) = hour_and_minute(text, at)?;
    if text.next_word(end) == "o'clock" && minute == 0 {
        let after = end + 1;
        let (time, end) = meridiem(text, after, hour, minute)
            .or_else(|| Some((SaidTime::new(hour, minute, Clock::Vague)?, after)))?;
        return Some((Said::time(time), end));
    }
    let (time, end) = meridiem(text, end, hour, minute)?;
    Some((Said::time(time), end))
}

/// The hour and what may follow it: `seven`, `seven thirty`, `seven oh five`, `7`.
fn hour_and_minute(text: &Text, at: usize) -> Option<(i64, i64, usize)> {
    if let Some(hour) = written::whole(text, at) {
        return match written::whole(text, at + 1).filter(|_| text.gap_before(at + 1) == Gap::Colon) {
            Some(minute) => Some((hour, minute, at + 2)),
            None => Some((hour, 0, at + 1)),
        };
    }
    let (hour, end) = below_hundred(text, at, at).filter(|(hour, _)| *hour <= 24)?;
    let hour = i64::from(hour);
    let next = text.next_word(end);
    if is_oh(next)
        && let Some((minute, after)) = below_hundred(text, at, end + 1).filter(|(minute, _)| *minute < 10)
    {
        return Some((hour, i64::from(minute), after));
    }
    match below_hundred(text, at, end).filter(|(minute, _)| (10..60).contains(minute)) {
        Some((minute, after)) if !next.is_empty() => Some((hour, i64::from(minute), after)),
        _ => Some((hour, 0, end)),
    }
}

/// `am` or `pm` after an hour, and the time they make.
pub(in crate::date) fn meridiem(text: &Text, at: usize, hour: i64, minute: i64) -> Option<(SaidTime, usize)> {
    let (shift, end) = match (text.next_word(at), text.next_word(at + 1)) {
        ("am", _) => (0, at + 1),
        ("pm", _) => (12, at + 1),
        ("a", "m") => (0, at + 2),
        ("p", "m") => (12, at + 2),
        _ => return None,
    };
    let hour = match hour {
        0..=12 => hour % 12 + shift,
        _ => hour,
    };
    Some((SaidTime::new(hour, minute, Clock::Exact)?, end))
}

/// `half past six`, `a quarter to nine`, `ten minutes past three`.
fn past_or_to(text: &Text, at: usize) -> Option<(Said, usize)> {
    let (minutes, end) = match (text.word(at), text.next_word(at + 1)) {
        ("half", _) => (30, at + 1),
        ("quarter", _) => (15, at + 1),
        ("a", "quarter") => (15, at + 2),
        _ => {
            let (minutes, end) = match written::whole(text, at) {
                Some(minutes) => (minutes, at + 1),
                None => below_hundred(text, at, at).map(|(minutes, end)| (i64::from(minutes), end))?,
            };
            (minutes, end + usize::from(text.next_word(end) == "minutes"))
        }
    };
    let spelled_out = text.word(at) != "half" && matches!(text.word(end - 1), "quarter" | "minutes");
    let before = match text.next_word(end) {
        "past" | "after" => false,
        // `from ten to five` is no time.
        "to" | "before" if spelled_out || text.previous_word(at) == "at" => true,
        _ => return None,
    };
    let start = end + 1;
    let (hour, end) = match written::whole(text, start) {
        Some(hour) => (hour, start + 1),
        None => below_hundred(text, start, start).map(|(hour, end)| (i64::from(hour), end))?,
    };
    if text.next_word(start).is_empty() || !(1..=12).contains(&hour) || !(1..60).contains(&minutes) {
        return None;
    }
    let (hour, minute) = match (before, hour) {
        (false, _) => (hour, minutes),
        (true, 1) => (12, 60 - minutes),
        (true, _) => (hour - 1, 60 - minutes),
    };
    match meridiem(text, end, hour, minute) {
        Some((time, end)) => Some((Said::time(time), end)),
        None => Some((Said::time(SaidTime::new(hour, minute, Clock::Vague)?), end)),
    }
}
