//! Whether a value will do for a slot.

use super::definition::{Slot, SlotKind};
use incar_core::{Lang, NameSource, Timestamp};
use incar_text::{Granularity, Name, Text, date_at, numbers};
use jiff::civil::{Date, DateTime};
use jiff::tz::Offset;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// What the engine is told of the world.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct FlowContext<'a> {
    /// The time.
    pub now: Timestamp,
    /// How many minutes local time is ahead of UTC.
    pub utc_offset: i32,
    /// The language to speak.
    pub lang: Lang,
    /// Where the names of [`SlotKind::Name`] come from, by slot.
    pub names: &'a BTreeMap<String, Arc<dyn NameSource>>,
}

impl fmt::Debug for FlowContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FlowContext")
            .field("now", &self.now)
            .field("utc_offset", &self.utc_offset)
            .field("lang", &self.lang)
            .finish_non_exhaustive()
    }
}

impl<'a> FlowContext<'a> {
    /// A context.
    pub fn new(now: Timestamp, utc_offset: i32, lang: Lang, names: &'a BTreeMap<String, Arc<dyn NameSource>>) -> Self {
        Self {
            now,
            utc_offset,
            lang,
            names,
        }
    }

    /// The local date and time. A clock beyond all calendars stands at their beginning.
    pub(super) fn local(&self) -> DateTime {
        let now = i64::try_from(self.now.as_millis()).unwrap_or(i64::MAX);
        let offset = Offset::from_seconds(self.utc_offset.saturating_mul(60)).unwrap_or(Offset::UTC);
        jiff::Timestamp::from_millisecond(now).map_or(DateTime::MIN, |now| offset.to_datetime(now))
    }
}

/// Why a value will not do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Problem {
    /// What to say of it, before the slot's question.
    pub(super) message: String,
    /// Whether it was understood, and only does not fit.
    pub(super) understood: bool,
}

fn misfit(message: String) -> Problem {
    Problem {
        message,
        understood: true,
    }
}

fn unclear(message: String) -> Problem {
    Problem {
        message,
        understood: false,
    }
}

/// `said` as the slot keeps it. What was checked before passes unchanged, unless time has passed it by.
pub(super) fn checked(slot: &Slot, said: &Value, context: &FlowContext<'_>) -> Result<Value, Problem> {
    let lang = context.lang;
    match &slot.kind {
        SlotKind::Date => day(said, context).map(|day| day.to_string().into()),
        SlotKind::Integer { least, most } => {
            let number = integer(said).ok_or_else(|| {
                unclear(lang.pick("没听清是多少。".to_owned(), "I didn't get the number.".to_owned()))
            })?;
            if (*least..=*most).contains(&number) {
                Ok(number.into())
            } else {
                Err(misfit(lang.pick(
                    format!("可以是{least}到{most}，{number}不行。"),
                    format!("It can be from {least} to {most}, not {number}."),
                )))
            }
        }
        SlotKind::Choice(choices) => {
            let said = text(said).unwrap_or_default();
            let chosen = choices.iter().find(|choice| {
                let alike = |name: &str| Text::new(name).words().eq(Text::new(&said).words());
                choice.value == said || alike(&choice.spoken.zh) || alike(&choice.spoken.en)
            });
            chosen.map(|choice| choice.value.as_str().into()).ok_or_else(|| {
                let all: Vec<&str> = choices.iter().map(|choice| choice.spoken.get(lang)).collect();
                unclear(lang.pick(
                    format!("可选的有{}。", all.join("、")),
                    format!("There are {}.", all.join(", ")),
                ))
            })
        }
        SlotKind::Name => name(slot, said, context),
        SlotKind::Text => text(said)
            .map(Value::String)
            .ok_or_else(|| unclear(lang.pick("没听清。", "I didn't get that.").to_owned())),
    }
}

fn text(said: &Value) -> Option<String> {
    match said {
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

fn integer(said: &Value) -> Option<i64> {
    match said {
        Value::Number(number) => number.as_i64().or_else(|| whole(number.as_f64()?)),
        Value::String(text) => {
            let text = Text::new(text);
            match numbers(&text).as_slice() {
                [(_, number)] => whole(number.value),
                _ => None,
            }
        }
        _ => None,
    }
}

fn whole(number: f64) -> Option<i64> {
    #[expect(clippy::cast_possible_truncation, reason = "whole and within bounds")]
    (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64)
}

fn day(said: &Value, context: &FlowContext<'_>) -> Result<Date, Problem> {
    let lang = context.lang;
    let now = context.local();
    let said = said.as_str().unwrap_or_default().trim();
    let written = said.get(..10).unwrap_or(said).parse::<Date>().ok();
    let day = match written {
        Some(day) => day,
        None => {
            let text = Text::new(said);
            let spoken = (0..text.len()).find_map(|at| date_at(&text, at, now));
            let (span, _) =
                spoken.ok_or_else(|| unclear(lang.pick("没听清是哪一天。", "I didn't get the day.").to_owned()))?;
            match span.granularity {
                Granularity::Week | Granularity::Month | Granularity::Year => {
                    let message = lang.pick("请说具体的一天。", "I need the exact day.");
                    return Err(misfit(message.to_owned()));
                }
                // Of several days the first that is still to come: a weekend's Saturday.
                _ if span.end >= now.date() => span.start.max(now.date()),
                _ => span.start,
            }
        }
    };
    if day < now.date() {
        let message = lang.pick("这一天已经过去了。", "That day is past.");
        return Err(misfit(message.to_owned()));
    }
    Ok(day)
}

/// The name as its source has it. A slot whose tool has no source takes any.
fn name(slot: &Slot, said: &Value, context: &FlowContext<'_>) -> Result<Value, Problem> {
    let lang = context.lang;
    let said =
        text(said).ok_or_else(|| unclear(lang.pick("没听清。".to_owned(), "I didn't get the name.".to_owned())))?;
    let Some(source) = context.names.get(&slot.name) else {
        return Ok(said.into());
    };
    let known = source.look_up(&said, lang);
    let heard = Name::new(&said);
    // A source may know several; the one that was said wins over one that is found first.
    let own = known
        .iter()
        .find(|known| heard.similarity(&Name::new(&known.name)) > 0.99);
    own.or_else(|| known.first())
        .map(|known| known.name.as_str().into())
        .ok_or_else(|| unclear(lang.pick(format!("没有找到“{said}”。"), format!("I don't know “{said}”."))))
}
