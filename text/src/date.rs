//! Days and times of day as people say them, Chinese and English.

mod calendar;
mod en;
mod written;
mod zh;

use jiff::civil::{Date, DateTime, Time};

use crate::{Text, UnitKind};

/// A part of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DayPart {
    /// After midnight: 凌晨.
    EarlyMorning,
    /// 早上, 上午, `morning`.
    Morning,
    /// 中午, `noon`.
    Noon,
    /// 下午, `afternoon`.
    Afternoon,
    /// 傍晚, 晚上, `evening`.
    Evening,
    /// 夜里, `night`, `tonight`.
    Night,
}

impl DayPart {
    /// The hour by which it is over.
    fn last_hour(self) -> i8 {
        match self {
            Self::EarlyMorning => 6,
            Self::Morning => 12,
            Self::Noon => 14,
            Self::Afternoon => 18,
            Self::Evening | Self::Night => 24,
        }
    }
}

/// A time of day on the 24-hour clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TimeOfDay {
    /// 0 to 23.
    pub hour: i8,
    /// 0 to 59.
    pub minute: i8,
}

/// How exactly a [`DateSpan`] was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Granularity {
    /// A time of day.
    Minute,
    /// A part of a day.
    DayPart,
    /// One day.
    Day,
    /// Several days: `the next three days`, `monday to friday`.
    Days,
    /// A Saturday and a Sunday.
    Weekend,
    /// A week from Monday to Sunday, or what is left of it.
    Week,
    /// A month of the calendar, or what is left of it.
    Month,
    /// A year of the calendar, or what is left of it.
    Year,
}

/// The days somebody spoke of, and the time of day where one was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DateSpan {
    /// First day.
    pub start: Date,
    /// Last day; the first again where one day is meant.
    pub end: Date,
    /// Time of day on the first day.
    pub time: Option<TimeOfDay>,
    /// Part of the day, also beside a time.
    pub part: Option<DayPart>,
    /// How exactly it was said.
    pub granularity: Granularity,
}

impl DateSpan {
    /// One whole day.
    pub fn day(day: Date) -> Self {
        Self {
            start: day,
            end: day,
            time: None,
            part: None,
            granularity: Granularity::Day,
        }
    }

    /// The first day, or with a time the moment: `2020-08-08`, `2020-08-08T15:00`.
    pub fn iso(&self) -> String {
        match self.time {
            Some(time) => format!("{}T{:02}:{:02}", self.start, time.hour, time.minute),
            None => self.start.to_string(),
        }
    }

    /// As [`Self::iso`] for one day; several days as an interval: `2020-08-08/2020-08-10`.
    pub fn iso_interval(&self) -> String {
        if self.start == self.end {
            self.iso()
        } else {
            format!("{}/{}", self.start, self.end)
        }
    }

    /// Its first moment, where it is known to the minute.
    pub fn moment(&self) -> Option<DateTime> {
        let time = self.time?;
        let time = Time::new(time.hour, time.minute, 0, 0).ok()?;
        Some(self.start.to_datetime(time))
    }
}

/// The date or time of day that begins at a unit, and how many units it takes.
///
/// `now` is the speaker's local date and time. The rules where speech is vague:
/// - A weekday or a day of a month or year without more (or with `this`) is its next occurrence, today included. With
///   这周 or 本周 it is this week's, even if past. 下周五 and `next friday` are next week's; weeks begin on Monday.
/// - A part of the day alone (早上) is today's, or tomorrow's once it is over.
/// - An hour up to twelve without a part of the day: alone, the next time the clock shows it; on a named day, one to
///   five are afternoon, others as said (today, twelve hours later if that is still to come).
/// - An hour from twelve to four in the evening or at night falls on the following day.
/// - 未来三天 and `the next three days` begin tomorrow; 这三天 begins today.
///
/// 一点 alone is "a bit", no time; 三点五 is a decimal; 63号 is no date. What is a name (五一路, 明天会更好) is for the
/// caller to judge.
///
/// ```
/// use incar_text::{Text, date_at};
///
/// let now = jiff::civil::date(2024, 5, 15).at(10, 0, 0, 0);
/// let (span, units) = date_at(&Text::new("后天下午三点开会"), 0, now).ok_or("no date")?;
/// assert_eq!((span.iso().as_str(), units), ("2024-05-17T15:00", 6));
/// # Ok::<(), &str>(())
/// ```
pub fn date_at(text: &Text, index: usize, now: DateTime) -> Option<(DateSpan, usize)> {
    let (mut said, mut end) = said_at(text, index, now, Place::First)?;
    loop {
        let start = if text.next_word(end) == "的" { end + 1 } else { end };
        if text.next_word(start).is_empty() {
            break;
        }
        let more = said_at(text, start, now, Place::Later).and_then(|(more, end)| Some((said.with(more)?, end)));
        let Some((merged, after)) = more else { break };
        said = merged;
        end = after;
    }
    if let Some((until, after)) = last_day(text, end, now, &said) {
        said.days = Some(until);
        end = after;
    }
    Some((said.resolve(now)?, end - index))
}

/// `到周五`, `to friday`: the end of a span of days.
fn last_day(text: &Text, at: usize, now: DateTime, said: &Said) -> Option<(Days, usize)> {
    if !matches!(text.next_word(at), "到" | "至" | "to" | "through" | "until") {
        return None;
    }
    let first = said.days.filter(|_| said.time.is_none() && said.part.is_none())?;
    let (until, end) = said_at(text, at + 1, now, Place::Later)?;
    let until_days = until.days.filter(|_| until.time.is_none() && until.part.is_none())?;
    // 周一到周五 on a Wednesday: next Monday to the Friday after it.
    let week_later = calendar::plus_days(until_days.end, 7)?;
    let days = Days {
        end: if until_days.end < first.start {
            week_later
        } else {
            until_days.end
        },
        granularity: Granularity::Days,
        ..first
    };
    (days.end > days.start).then_some((days, end))
}

/// Where in an expression a part of it stands: some words mean a time only after a day (明天早, `tomorrow morning`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    First,
    Later,
}

fn said_at(text: &Text, at: usize, now: DateTime, place: Place) -> Option<(Said, usize)> {
    match text.kind(at)? {
        UnitKind::Han => zh::said(text, at, now, place),
        UnitKind::Latin => en::said(text, at, now, place),
        UnitKind::Number => written::said(text, at, now)
            .or_else(|| zh::said(text, at, now, place))
            .or_else(|| en::said(text, at, now, place)),
        UnitKind::Other => None,
    }
}

/// Some days.
#[derive(Clone, Copy, Debug)]
struct Days {
    start: Date,
    end: Date,
    granularity: Granularity,
}

impl Days {
    fn one(day: Date) -> Self {
        Self {
            start: day,
            end: day,
            granularity: Granularity::Day,
        }
    }
}

/// How an hour was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Clock {
    /// Perhaps twelve hours early: `eight`, 八点.
    Vague,
    /// On the 24-hour clock: `15:00`, `8 pm`.
    Exact,
}

#[derive(Clone, Copy, Debug)]
struct SaidTime {
    hour: i8,
    minute: i8,
    clock: Clock,
}

impl SaidTime {
    /// `None` where the clock has no such time. 24:00 is not kept apart from 0:00.
    fn new(hour: i64, minute: i64, clock: Clock) -> Option<Self> {
        let hour = i8::try_from(hour).ok().filter(|hour| (0..=24).contains(hour))?;
        let minute = i8::try_from(minute).ok().filter(|minute| (0..60).contains(minute))?;
        let clock = if (1..=12).contains(&hour) { clock } else { Clock::Exact };
        Some(Self { hour, minute, clock })
    }
}

/// What was understood so far.
#[derive(Clone, Copy, Debug, Default)]
struct Said {
    days: Option<Days>,
    part: Option<DayPart>,
    time: Option<SaidTime>,
}

impl Said {
    fn days(days: Days) -> Self {
        Self {
            days: Some(days),
            ..Self::default()
        }
    }

    fn day(day: Date) -> Self {
        Self::days(Days::one(day))
    }

    fn part(part: DayPart) -> Self {
        Self {
            part: Some(part),
            ..Self::default()
        }
    }

    fn time(time: SaidTime) -> Self {
        Self {
            time: Some(time),
            ..Self::default()
        }
    }

    fn moment(moment: DateTime) -> Option<Self> {
        let time = SaidTime::new(i64::from(moment.hour()), i64::from(moment.minute()), Clock::Exact)?;
        Some(Self {
            time: Some(time),
            ..Self::day(moment.date())
        })
    }

    /// Both together, unless they say the same kind of thing twice.
    fn with(self, other: Self) -> Option<Self> {
        fn either<T>(a: Option<T>, b: Option<T>) -> Option<Option<T>> {
            match (a, b) {
                (Some(_), Some(_)) => None,
                (a, b) => Some(a.or(b)),
            }
        }
        Some(Self {
            days: either(self.days, other.days)?,
            part: either(self.part, other.part)?,
            time: either(self.time, other.time)?,
        })
    }

    fn resolve(self, now: DateTime) -> Option<DateSpan> {
        let today = now.date();
        let Some(time) = self.time else {
            let days = match (self.days, self.part) {
                (Some(days), _) => days,
                (None, Some(part)) if now.hour() >= part.last_hour() => Days::one(calendar::plus_days(today, 1)?),
                (None, _) => Days::one(today),
            };
            return Some(DateSpan {
                start: days.start,
                end: days.end,
                time: None,
                part: self.part,
                granularity: self.part.map_or(days.granularity, |_| Granularity::DayPart),
            });
        };
        let day = self.days.map(|days| days.start);
        let (shift, hour) = on_clock(time, self.part, day, now);
        let start = calendar::plus_days(day.unwrap_or(today), shift)?;
        Some(DateSpan {
            start,
            end: start,
            time: Some(TimeOfDay {
                hour,
                minute: time.minute,
            }),
            part: self.part,
            granularity: Granularity::Minute,
        })
    }
}

/// The days to go on and the hour on the 24-hour clock.
fn on_clock(time: SaidTime, part: Option<DayPart>, day: Option<Date>, now: DateTime) -> (i64, i8) {
    let to_come = |hour: i8| (hour, time.minute) > (now.hour(), now.minute());
    let hour = time.hour;
    if hour == 24 {
        return (1, 0);
    }
    if time.clock == Clock::Exact {
        let passed = day.is_none() && part.is_none() && !to_come(hour);
        return (i64::from(passed), hour);
    }
    let half_day = hour % 12;
    match part {
        Some(DayPart::EarlyMorning) => (0, half_day),
        Some(DayPart::Morning) => (0, hour),
        Some(DayPart::Noon) => (0, if hour <= 2 { hour + 12 } else { hour }),
        Some(DayPart::Afternoon) => (0, half_day + 12),
        Some(DayPart::Evening | DayPart::Night) if half_day <= 4 => (1, half_day),
        Some(DayPart::Evening | DayPart::Night) => (0, half_day + 12),
        None => {
            let usual = if hour <= 5 { hour + 12 } else { hour };
            match day {
                None if to_come(half_day) => (0, half_day),
                None if to_come(half_day + 12) => (0, half_day + 12),
                None => (1, half_day),
                Some(day) if day == now.date() && !to_come(usual) && to_come(half_day + 12) => (0, half_day + 12),
                Some(_) => (0, usual),
            }
        }
    }
}

#[cfg(test)]
mod tests;
