//! Which days are asked about.

use incar_core::{ErrorKind, Lang, ToolError};
use incar_text::{DateSpan, DayPart, Text, date_at};
use jiff::ToSpan;
use jiff::civil::{Date, DateTime, Weekday};

/// So many days ahead, today not counted.
const HORIZON_DAYS: i32 = 15;

/// The days, and the hour where a time of day was said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct When {
    pub(super) first: Date,
    pub(super) last: Date,
    pub(super) hour: Option<i8>,
}

impl When {
    /// What `said` means: the driver's words or ISO 8601, a day, a moment or an interval; today where nothing was said.
    /// `now` is the local time there.
    ///
    /// # Errors
    /// A question where it is no date, is past, or is too far ahead.
    pub(super) fn parse(said: Option<&str>, now: DateTime, lang: Lang) -> Result<Self, ToolError> {
        let today = now.date();
        let Some(said) = said.map(str::trim).filter(|said| !said.is_empty()) else {
            return Ok(Self::day(today));
        };
        let when = written(said).or_else(|| spoken(said, now)).ok_or_else(|| {
            ask(
                ErrorKind::InvalidInput,
                lang.pick("要查哪一天的天气？", "Which day do you mean?"),
            )
        })?;
        when.within_reach(today, lang)
    }

    fn day(day: Date) -> Self {
        Self {
            first: day,
            last: day,
            hour: None,
        }
    }

    /// As ISO 8601: what [`When::parse`] reads back.
    pub(super) fn iso(self) -> String {
        match self.hour {
            Some(hour) => format!("{}T{hour:02}:00", self.first),
            None if self.first == self.last => self.first.to_string(),
            None => format!("{}/{}", self.first, self.last),
        }
    }

    /// The part of it that there is a forecast for.
    fn within_reach(mut self, today: Date, lang: Lang) -> Result<Self, ToolError> {
        let horizon = today.saturating_add(HORIZON_DAYS.days());
        if self.last < today {
            return Err(ask(
                ErrorKind::OutOfRange,
                lang.pick(
                    "过去的天气我查不到，要看今天起哪一天的？",
                    "I have no weather of the past. Which day from today on would you like?",
                ),
            ));
        }
        if self.first > horizon {
            let message = lang.pick(
                format!("只能查今天起{HORIZON_DAYS}天内的天气，要看哪一天？"),
                format!("I can only look {HORIZON_DAYS} days ahead. Which day would you like?"),
            );
            return Err(ask(ErrorKind::OutOfRange, message));
        }
        self.first = self.first.max(today);
        self.last = self.last.min(horizon);
        Ok(self)
    }
}

fn ask(kind: ErrorKind, question: impl Into<String>) -> ToolError {
    ToolError::ask(kind, "date", question)
}

/// ISO 8601: `2026-11-22T15:00`, `2026-11-22/2026-11-24`.
fn written(said: &str) -> Option<When> {
    let Some((first, last)) = said.split_once('/') else {
        let moment: DateTime = said.parse().ok().filter(|_| said.contains(['T', 't']))?;
        return Some(When {
            hour: Some(moment.hour()),
            ..When::day(moment.date())
        });
    };
    let (first, last): (Date, Date) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
    (first <= last).then_some(When {
        first,
        last,
        hour: None,
    })
}

/// The first date among the words.
fn spoken(said: &str, now: DateTime) -> Option<When> {
    let text = Text::new(said);
    let (span, _) = (0..text.len()).find_map(|at| date_at(&text, at, now))?;
    Some(When {
        first: span.start,
        last: span.end,
        hour: (span.start == span.end).then(|| hour(&span)).flatten(),
    })
}

fn hour(span: &DateSpan) -> Option<i8> {
    if let Some(time) = span.time {
        return Some(time.hour);
    }
    span.part.map(|part| match part {
        DayPart::EarlyMorning => 4,
        DayPart::Morning => 9,
        DayPart::Noon => 12,
        DayPart::Afternoon => 15,
        DayPart::Evening => 19,
        DayPart::Night => 22,
    })
}

/// How a day is called, seen from today.
pub(super) fn day_name(day: Date, today: Date, lang: Lang) -> String {
    let ahead = today.until(day).map_or(i32::MAX, |span| span.get_days());
    match ahead {
        0 => lang.pick("今天", "today").to_owned(),
        1 => lang.pick("明天", "tomorrow").to_owned(),
        2 if lang == Lang::Zh => "后天".to_owned(),
        2..=6 => weekday_name(day.weekday(), lang).to_owned(),
        _ => date_name(day, lang),
    }
}

/// A date without its year.
pub(crate) fn date_name(day: Date, lang: Lang) -> String {
    match lang {
        Lang::Zh => format!("{}月{}日", day.month(), day.day()),
        Lang::En => day.strftime("%B %-d").to_string(),
    }
}

/// A day of the week.
pub(crate) fn weekday_name(day: Weekday, lang: Lang) -> &'static str {
    match day {
        Weekday::Monday => lang.pick("周一", "Monday"),
        Weekday::Tuesday => lang.pick("周二", "Tuesday"),
        Weekday::Wednesday => lang.pick("周三", "Wednesday"),
        Weekday::Thursday => lang.pick("周四", "Thursday"),
        Weekday::Friday => lang.pick("周五", "Friday"),
        Weekday::Saturday => lang.pick("周六", "Saturday"),
        Weekday::Sunday => lang.pick("周日", "Sunday"),
    }
}
