//! Arithmetic on the calendar; `None` where it ends.

use jiff::Span;
use jiff::civil::{Date, DateTime, Weekday};

use super::{Days, Granularity, Said};

/// Which week or month, counted from the present one.
pub(super) type Offset = i64;

/// A span of time as it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

pub(super) fn plus_days(day: Date, days: i64) -> Option<Date> {
    day.checked_add(Span::new().try_days(days).ok()?).ok()
}

fn plus_months(day: Date, months: i64) -> Option<Date> {
    day.checked_add(Span::new().try_months(months).ok()?).ok()
}

fn plus_minutes(moment: DateTime, minutes: i64) -> Option<DateTime> {
    moment.checked_add(Span::new().try_minutes(minutes).ok()?).ok()
}

fn monday(day: Date) -> Option<Date> {
    plus_days(day, -i64::from(day.weekday().to_monday_zero_offset()))
}

pub(super) fn week(today: Date, offset: Offset) -> Option<Days> {
    let first = plus_days(monday(today)?, 7 * offset)?;
    Some(Days {
        start: if offset == 0 { today } else { first },
        end: plus_days(first, 6)?,
        granularity: Granularity::Week,
    })
}

pub(super) fn weekend(today: Date, offset: Offset) -> Option<Days> {
    let first = plus_days(monday(today)?, 7 * offset + 5)?;
    Some(Days {
        start: first,
        end: plus_days(first, 1)?,
        granularity: Granularity::Weekend,
    })
}

pub(super) fn month(today: Date, offset: Offset) -> Option<Days> {
    let first = plus_months(today.first_of_month(), offset)?;
    Some(Days {
        start: if offset == 0 { today } else { first },
        end: first.last_of_month(),
        granularity: Granularity::Month,
    })
}

/// A month of the year: the given year's, or the next one to come that is not over.
pub(super) fn named_month(today: Date, year: Option<i16>, month: i8) -> Option<Days> {
    let year = match year {
        Some(year) => year,
        None if month < today.month() => today.year().checked_add(1)?,
        None => today.year(),
    };
    let first = Date::new(year, month, 1).ok()?;
    Some(Days {
        start: first,
        end: first.last_of_month(),
        granularity: Granularity::Month,
    })
}

pub(super) fn year(today: Date, offset: Offset) -> Option<Days> {
    let year = today.year().checked_add(i16::try_from(offset).ok()?)?;
    let first = Date::new(year, 1, 1).ok()?;
    Some(Days {
        start: if offset == 0 { today } else { first },
        end: Date::new(year, 12, 31).ok()?,
        granularity: Granularity::Year,
    })
}

/// A weekday of the week at an offset.
pub(super) fn weekday_of(today: Date, weekday: Weekday, offset: Offset) -> Option<Date> {
    plus_days(monday(today)?, 7 * offset + i64::from(weekday.to_monday_zero_offset()))
}

/// The next such weekday, today included.
pub(super) fn coming_weekday(today: Date, weekday: Weekday) -> Option<Date> {
    let ahead = weekday.to_monday_zero_offset() - today.weekday().to_monday_zero_offset();
    plus_days(today, i64::from(ahead.rem_euclid(7)))
}

/// The last such weekday, today excluded.
pub(super) fn past_weekday(today: Date, weekday: Weekday) -> Option<Date> {
    plus_days(coming_weekday(today, weekday)?, -7)
}

/// The next such day of a month, today included.
pub(super) fn coming_day_of_month(today: Date, day: i8) -> Option<Date> {
    (0..12)
        .filter_map(|offset| day_of_month(today, offset, day))
        .find(|date| *date >= today)
}

pub(super) fn day_of_month(today: Date, offset: Offset, day: i8) -> Option<Date> {
    let first = plus_months(today.first_of_month(), offset)?;
    Date::new(first.year(), first.month(), day).ok()
}

/// A day of a year: the given year's, or the next to come, today included.
pub(super) fn day_of_year(today: Date, year: Option<i16>, month: i8, day: i8) -> Option<Date> {
    match year {
        Some(year) => Date::new(year, month, day).ok(),
        // Eight years always hold a 29 February.
        None => (0..=8)
            .filter_map(|ahead| Date::new(today.year().checked_add(ahead)?, month, day).ok())
            .find(|date| *date >= today),
    }
}

/// The next n-th weekday of a month, today included.
pub(super) fn coming_nth_weekday(today: Date, month: i8, nth: i8, weekday: Weekday) -> Option<Date> {
    (0..=1)
        .filter_map(|ahead| {
            let first = Date::new(today.year().checked_add(ahead)?, month, 1).ok()?;
            first.nth_weekday_of_month(nth, weekday).ok()
        })
        .find(|date| *date >= today)
}

/// So much later than now (earlier if negative). Hours and minutes give a moment, the rest a day.
pub(super) fn later(now: DateTime, count: f64, measure: Measure) -> Option<Said> {
    const LONGEST: f64 = 1_000_000.0;
    if count.abs() > LONGEST {
        return None;
    }
    let whole = |scale: f64| (count * scale).round() as i64;
    let day = match measure {
        Measure::Minute => return Said::moment(plus_minutes(now, whole(1.0))?),
        Measure::Hour => return Said::moment(plus_minutes(now, whole(60.0))?),
        Measure::Day => plus_days(now.date(), whole(1.0))?,
        Measure::Week => plus_days(now.date(), whole(7.0))?,
        Measure::Month if count.fract() != 0.0 => plus_days(now.date(), whole(30.0))?,
        Measure::Month => plus_months(now.date(), whole(1.0))?,
        Measure::Year => plus_months(now.date(), whole(12.0))?,
    };
    Some(Said::day(day))
}

/// So many days, beginning at an offset from today.
pub(super) fn stretch(today: Date, first: i64, count: f64, measure: Measure) -> Option<Days> {
    let days = match measure {
        Measure::Day => count,
        Measure::Week => count * 7.0,
        Measure::Month => count * 30.0,
        Measure::Minute | Measure::Hour | Measure::Year => return None,
    };
    if !(1.0..=3_660.0).contains(&days) {
        return None;
    }
    let start = plus_days(today, first)?;
    Some(Days {
        start,
        end: plus_days(start, days.round() as i64 - 1)?,
        granularity: Granularity::Days,
    })
}
