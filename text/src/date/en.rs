//! English days and times.

mod clock;

pub(super) use clock::meridiem;

use jiff::civil::{Date, DateTime, Weekday};

use super::calendar::{self, Measure};
use super::{DayPart, Days, Granularity, Place, Said, written};
use crate::number::en::{below_hundred, cardinal, digit_run, rank};
use crate::{Gap, Text};

pub(super) fn said(text: &Text, at: usize, now: DateTime, place: Place) -> Option<(Said, usize)> {
    let found = match base(text.word(at)) {
        "on" => day_after_on(text, at + 1, now),
        "in" => in_phrase(text, at + 1, now),
        "at" => clock::after_at(text, at + 1),
        "the" => the_phrase(text, at + 1, now),
        _ => None,
    };
    found
        .or_else(|| later(text, at, now))
        .or_else(|| day(text, at, now))
        .or_else(|| part(text, at, now, place))
        .or_else(|| clock::time(text, at))
}

/// A word without its possessive: `today's` is `today`.
fn base(word: &str) -> &str {
    word.strip_suffix("'s").unwrap_or(word)
}

fn next(text: &Text, at: usize) -> &str {
    base(text.next_word(at))
}

fn weekday(word: &str) -> Option<Weekday> {
    Some(match base(word) {
        "monday" => Weekday::Monday,
        "tuesday" => Weekday::Tuesday,
        "wednesday" => Weekday::Wednesday,
        "thursday" => Weekday::Thursday,
        "friday" => Weekday::Friday,
        "saturday" => Weekday::Saturday,
        "sunday" => Weekday::Sunday,
        _ => return None,
    })
}

fn month(word: &str) -> Option<i8> {
    Some(match base(word) {
        "january" | "jan" => 1,
        "february" | "feb" => 2,
        "march" | "mar" => 3,
        "april" | "apr" => 4,
        "may" => 5,
        "june" | "jun" => 6,
        "july" | "jul" => 7,
        "august" | "aug" => 8,
        "september" | "sep" | "sept" => 9,
        "october" | "oct" => 10,
        "november" | "nov" => 11,
        "december" | "dec" => 12,
        _ => return None,
    })
}

fn measure(word: &str) -> Option<Measure> {
    Some(match word {
        "minute" | "minutes" | "mins" | "min" => Measure::Minute,
        "hour" | "hours" => Measure::Hour,
        "day" | "days" => Measure::Day,
        "week" | "weeks" => Measure::Week,
        "month" | "months" => Measure::Month,
        "year" | "years" => Measure::Year,
        _ => return None,
    })
}

fn one(day: Option<Date>, end: usize) -> Option<(Said, usize)> {
    Some((Said::day(day?), end))
}

/// `three days`, `half an hour`, `an hour and a half`, `a couple of weeks`.
fn duration(text: &Text, at: usize) -> Option<(f64, Measure, usize)> {
    let (amount, end) = match (text.word(at), text.next_word(at + 1)) {
        ("half", "a" | "an") => (0.5, at + 2),
        ("a" | "an", word) if measure(word).is_some() => (1.0, at + 1),
        ("a", "few") => (3.0, at + 2),
        ("a", "couple") if text.next_word(at + 2) == "of" => (2.0, at + 3),
        ("few", _) => (3.0, at + 1),
        (word, _) => match word.parse::<f64>() {
            Ok(value) if value.is_finite() => (value, at + 1),
            _ => cardinal(text, at)?,
        },
    };
    let halved = text.continues(end, &["and", "a", "half"]);
    let (amount, end) = if halved { (amount + 0.5, end + 3) } else { (amount, end) };
    let measure = measure(text.next_word(end))?;
    let end = end + 1;
    if !halved && text.continues(end, &["and", "a", "half"]) {
        return Some((amount + 0.5, measure, end + 3));
    }
    Some((amount, measure, end))
}

/// `three days from now`, `a week from today`, `an hour later`, `two days ago`.
fn later(text: &Text, at: usize, now: DateTime) -> Option<(Said, usize)> {
    let (amount, measure, end) = duration(text, at)?;
    match (text.next_word(end), base(text.next_word(end + 1))) {
        ("from", "now" | "today") => Some((calendar::later(now, amount, measure)?, end + 2)),
        ("from", "tomorrow") => {
            let tomorrow = calendar::plus_days(now.date(), 1)?.to_datetime(now.time());
            Some((calendar::later(tomorrow, amount, measure)?, end + 2))
        }
        ("later", _) => Some((calendar::later(now, amount, measure)?, end + 1)),
        ("ago", _) => Some((calendar::later(now, -amount, measure)?, end + 1)),
        _ => None,
    }
}

fn in_phrase(text: &Text, at: usize, now: DateTime) -> Option<(Said, usize)> {
    if let Some((amount, measure, end)) = duration(text, at) {
        return Some((calendar::later(now, amount, measure)?, end));
    }
    if text.continues(at, &["the"]) {
        let part = part_word(next(text, at + 1))?;
        return Some((Said::part(part), at + 2));
    }
    month_phrase(text, at, now).or_else(|| {
        let days = calendar::named_month(now.date(), None, month(text.next_word(at))?)?;
        Some((Said::days(days), at + 1))
    })
}

fn the_phrase(text: &Text, at: usize, now: DateTime) -> Option<(Said, usize)> {
    match (next(text, at), text.next_word(at + 1)) {
        ("day", "after") if next(text, at + 2) == "tomorrow" => one(calendar::plus_days(now.date(), 2), at + 3),
        ("day", "before") if next(text, at + 2) == "yesterday" => one(calendar::plus_days(now.date(), -2), at + 3),
        ("weekend", _) => Some((Said::days(calendar::weekend(now.date(), 0)?), at + 1)),
        ("next" | "coming" | "following", _) => stretch(text, at, now),
        _ => rank_of_month(text, at, now),
    }
}

/// `next three days`, `coming week`.
fn stretch(text: &Text, at: usize, now: DateTime) -> Option<(Said, usize)> {
    let (amount, measure, end) = match measure(text.next_word(at + 1)) {
        Some(measure) if text.next_word(at) != "next" => (1.0, measure, at + 2),
        _ => duration(text, at + 1)?,
    };
    Some((Said::days(calendar::stretch(now.date(), 1, amount, measure)?), end))
}

fn day(text: &Text, at: usize, now: DateTime) -> Option<(Said, usize)> {
    let today = now.date();
    let ahead = |days: i64| calendar::plus_days(today, days);
    match (base(text.word(at)), next(text, at + 1)) {
        ("today", _) => one(Some(today), at + 1),
        ("tomorrow", _) => one(ahead(1), at + 1),
        ("yesterday", _) => one(ahead(-1), at + 1),
        ("tonight", _) => Some((Said::day(today).with(Said::part(DayPart::Night))?, at + 1)),
        ("day", "after") if next(text, at + 2) == "tomorrow" => one(ahead(2), at + 3),
        (word @ ("this" | "next" | "last" | "coming"), named) => relative(text, at, now, word, named),
        _ => holiday(text, at, now)
            .or_else(|| month_phrase(text, at, now))
            .or_else(|| rank_of_month(text, at, now))
            .or_else(|| {
                let weekday = weekday(text.word(at))?;
                one(calendar::coming_weekday(today, weekday), at + 1)
            })
            .or_else(|| lone_month(text, at, now)),
    }
}

/// `this weekend`, `next friday`, `last week`, `next three days`.
fn relative(text: &Text, at: usize, now: DateTime, word: &str, named: &str) -> Option<(Said, usize)> {
    let today = now.date();
    let offset = match word {
        "next" => 1,
        "last" => -1,
        _ => 0,
    };
    let days = match named {
        "week" => calendar::week(today, offset)?,
        "weekend" => calendar::weekend(today, offset)?,
        "month" => calendar::month(today, offset)?,
        "year" => calendar::year(today, offset)?,
        "night" if offset < 0 => {
            let day = Said::day(calendar::plus_days(today, -1)?);
            return Some((day.with(Said::part(DayPart::Night))?, at + 2));
        }
        _ => {
            if let Some(weekday) = weekday(named).or_else(|| short_weekday(named)) {
                let date = match word {
                    "last" => calendar::past_weekday(today, weekday),
                    "next" => calendar::weekday_of(today, weekday, offset),
                    _ => calendar::coming_weekday(today, weekday),
                };
                return one(date, at + 2);
            }
            if let Some(part) = part_word(named).filter(|_| word == "this") {
                return Some((Said::day(today).with(Said::part(part))?, at + 2));
            }
            return if matches!(word, "next" | "coming") {
                stretch(text, at, now)
            } else {
                None
            };
        }
    };
    Some((Said::days(days), at + 2))
}

/// Abbreviations, where a word before makes them days: `sun` and `sat` are words too.
fn short_weekday(word: &str) -> Option<Weekday> {
    Some(match word {
        "mon" => Weekday::Monday,
        "tue" | "tues" => Weekday::Tuesday,
        "wed" => Weekday::Wednesday,
        "thu" | "thur" | "thurs" => Weekday::Thursday,
        "fri" => Weekday::Friday,
        "sat" => Weekday::Saturday,
        "sun" => Weekday::Sunday,
        _ => return None,
    })
}

fn day_after_on(text: &Text, at: usize, now: DateTime) -> Option<(Said, usize)> {
    let today = now.date();
    if let Some(weekday) = short_weekday(next(text, at)) {
        return one(calendar::coming_weekday(today, weekday), at + 1);
    }
    let start = at + usize::from(text.continues(at, &["the"]));
    if text.next_word(start).is_empty() {
        return None;
    }
    if let Some(found) = rank_of_month(text, start, now) {
        return Some(found);
    }
    if start > at
        && let Some((day, end)) = day_number(text, start)
    {
        // `on the second floor` is no day.
        let ends = matches!(text.gap_before(end), Gap::Comma | Gap::Stop) || end >= text.len();
        if ends || matches!(text.next_word(end), "at" | "in" | "for" | "of" | "around" | "please") {
            return one(calendar::coming_day_of_month(today, day), end);
        }
        return None;
    }
    day(text, at, now)
        .filter(|_| text.next_word(at) != "the")
        .or_else(|| written_day(text, at, now))
}

fn written_day(text: &Text, at: usize, now: DateTime) -> Option<(Said, usize)> {
    let found = written::said(text, at, now)?;
    found.0.days.is_some().then_some(found)
}

/// The day of a month: `eighth`, `8th`, `8`, `twenty one`.
fn day_number(text: &Text, at: usize) -> Option<(i8, usize)> {
    let (day, end) = match written::whole(text, at) {
        Some(day) => {
            let ordinal =
                text.gap_before(at + 1) == Gap::None && matches!(text.word(at + 1), "st" | "nd" | "rd" | "th");
            (day, at + 1 + usize::from(ordinal))
        }
        None => match rank(text, at) {
            Some((day, end)) => (i64::from(day), end),
            None => {
                let (day, end) = below_hundred(text, at, at)?;
                (i64::from(day), end)
            }
        },
    };
    let day = i8::try_from(day).ok().filter(|day| (1..=31).contains(day))?;
    Some((day, end))
}

/// `eighth of july`, `8th of july`, `8 july`.
fn rank_of_month(text: &Text, at: usize, now: DateTime) -> Option<(Said, usize)> {
    let (day, end) = day_number(text, at)?;
    let of = text.next_word(end) == "of";
    let named = end + usize::from(of);
    let month = month(text.next_word(named)).filter(|&month| of || month != 5)?;
    dated(text, named + 1, now, month, day)
}

/// `july eighth`, `july the 8th`, `aug. 8, 2020`.
fn month_phrase(text: &Text, at: usize, now: DateTime) -> Option<(Said, usize)> {
    let month = month(text.word(at))?;
    // The stop of an abbreviation stands between the month and its day.
    let abbreviated = text.word(at).len() <= 4 && text.gap_before(at + 1) == Gap::Stop;
    let follows = abbreviated || !text.next_word(at + 1).is_empty();
    let start = at + 1 + usize::from(text.word(at + 1) == "the");
    let (day, end) = day_number(text, start).filter(|_| follows)?;
    dated(text, end, now, month, day)
}

/// A month and day with the year that may follow.
fn dated(text: &Text, end: usize, now: DateTime, month: i8, day: i8) -> Option<(Said, usize)> {
    let (year, end) = match year(text, end) {
        Some((year, end)) => (Some(year), end),
        None => (None, end),
    };
    one(calendar::day_of_year(now.date(), year, month, day), end)
}

fn year(text: &Text, at: usize) -> Option<(i16, usize)> {
    if text.gap_before(at) > Gap::Comma {
        return None;
    }
    let (year, end) = match written::whole(text, at) {
        Some(year) => (year, at + 1),
        None => {
            let counted = cardinal(text, at).map(|(value, end)| (value as i64, end));
            let spelled = digit_run(text, at).and_then(|(digits, end)| Some((digits.parse().ok()?, end)));
            spelled.or(counted)?
        }
    };
    let year = i16::try_from(year).ok().filter(|year| (1900..=2199).contains(year))?;
    Some((year, end))
}

/// A month alone. `may` and `march` are words too, and abbreviations need a day.
fn lone_month(text: &Text, at: usize, now: DateTime) -> Option<(Said, usize)> {
    let word = base(text.word(at));
    let month = month(word).filter(|_| word.len() > 3 && !matches!(word, "march" | "sept"))?;
    let named = calendar::named_month(now.date(), None, month)?;
    Some((Said::days(named), at + 1))
}

fn holiday(text: &Text, at: usize, now: DateTime) -> Option<(Said, usize)> {
    let today = now.date();
    let fixed = |month: i8, day: i8, end: usize| one(calendar::day_of_year(today, None, month, day), end);
    match (base(text.word(at)), next(text, at + 1), next(text, at + 2)) {
        ("christmas", "eve", _) => fixed(12, 24, at + 2),
        ("christmas", "day", _) => fixed(12, 25, at + 2),
        ("christmas", "music" | "song" | "songs" | "carols" | "tree" | "market" | "playlist" | "album", _) => None,
        ("christmas", ..) => fixed(12, 25, at + 1),
        ("new", "year" | "years", "eve") => fixed(12, 31, at + 3),
        ("new", "year" | "years", "day") => fixed(1, 1, at + 3),
        ("valentine" | "valentines", "day", _) => fixed(2, 14, at + 2),
        ("independence", "day", _) => fixed(7, 4, at + 2),
        ("halloween", ..) => fixed(10, 31, at + 1),
        ("thanksgiving", ..) => one(calendar::coming_nth_weekday(today, 11, 4, Weekday::Thursday), at + 1),
        _ => None,
    }
}

fn part_word(word: &str) -> Option<DayPart> {
    Some(match word {
        "morning" => DayPart::Morning,
        "afternoon" => DayPart::Afternoon,
        "evening" => DayPart::Evening,
        "night" => DayPart::Night,
        _ => return None,
    })
}

/// `morning` after a day; `good morning` and `night mode` are no times.
fn part(text: &Text, at: usize, now: DateTime, place: Place) -> Option<(Said, usize)> {
    match (place, base(text.word(at))) {
        (Place::Later, word) => Some((Said::part(part_word(word)?), at + 1)),
        (Place::First, "morning") if text.continues(at + 1, &["of"]) => {
            let start = at + 2 + usize::from(text.continues(at + 2, &["the"]));
            let (said, end) = day(text, start, now).filter(|_| !text.next_word(start).is_empty())?;
            let one_day = said.days.is_some_and(|days: Days| days.granularity == Granularity::Day);
            Some((said.with(Said::part(DayPart::Morning))?, end)).filter(|_| one_day)
        }
        (Place::First, _) => None,
    }
}
