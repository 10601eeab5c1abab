//! What time and what day it is.

use super::{spec, zone_at};
use crate::weather::{Locator, date_name, find_place, local_time, weekday_name};
use incar_core::{Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use incar_text::{Text, date_at};
use jiff::Span;
use jiff::civil::{DateTime, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// `get_datetime`.
#[derive(Debug)]
pub(super) struct GetDatetime(pub(super) Arc<dyn Locator>);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The place whose time is asked for; where the car is, if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    /// How far from now: the driver's words ("in two hours", 后天), or an ISO 8601 duration ("P3D", "-PT2H").
    #[serde(default, skip_serializing_if = "Option::is_none")]
    offset: Option<String>,
}

#[async_trait]
impl TypedTool for GetDatetime {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "get_datetime",
            "查询当前或某地的时间、日期和星期，或推算之后、之前的日期",
            "Get the time, date and day of the week, here or elsewhere, now or some time from now",
        )
    }

    fn resolve(&self, args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        // Asked about before anything runs: a place that is not known, an offset that is none.
        find_place(args.location.as_deref(), &*self.0, cx.lang)?;
        Ok((args, Effect::Read))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let spot = find_place(args.location.as_deref(), &*self.0, cx.lang)?;
        let zone = zone_at(spot.point);
        let now = local_time(cx.clock, &zone, cx.lang)?;
        let offset = args
            .offset
            .as_deref()
            .map(str::trim)
            .filter(|offset| !offset.is_empty());
        let asked = match offset {
            Some(offset) => shifted(offset, now).ok_or_else(|| {
                ToolError::ask(
                    ErrorKind::InvalidInput,
                    "offset",
                    cx.lang.pick("是什么时候？", "Which time do you mean?"),
                )
            })?,
            None => Asked { at: now, exact: true },
        };
        let utc_offset = asked
            .at
            .to_zoned(zone.clone())
            .map(|zoned| zoned.strftime("%:z").to_string())
            .unwrap_or_default();
        let result = json!({
            "location": spot.name,
            "date": asked.at.date(),
            "time": asked.exact.then(|| asked.at.strftime("%H:%M").to_string()),
            "weekday": asked.at.strftime("%A").to_string().to_lowercase(),
            "utc_offset": utc_offset,
            "time_zone": zone.iana_name(),
        });
        let say = say(spot.name.as_deref(), asked, now, cx.lang);
        Ok(ToolOutput::new(result)?.say(say))
    }
}

/// A moment, or a day.
#[derive(Debug, Clone, Copy)]
struct Asked {
    at: DateTime,
    /// Whether the time of day is meant too.
    exact: bool,
}

/// What lies so far from now.
fn shifted(offset: &str, now: DateTime) -> Option<Asked> {
    if let Ok(span) = offset.parse::<Span>() {
        let exact = span.get_hours() != 0 || span.get_minutes() != 0 || span.get_seconds() != 0;
        let at = now.checked_add(span).ok()?;
        return Some(Asked { at, exact });
    }
    let text = Text::new(offset);
    let (span, _) = (0..text.len()).find_map(|at| date_at(&text, at, now))?;
    Some(match span.moment() {
        Some(at) => Asked { at, exact: true },
        None => Asked {
            at: span.start.to_datetime(Time::midnight()),
            exact: false,
        },
    })
}

fn say(place: Option<&str>, asked: Asked, now: DateTime, lang: Lang) -> String {
    let (at, place) = (asked.at, place.unwrap_or_default());
    let (weekday, day) = (weekday_name(at.weekday(), lang), date_name(at.date(), lang));
    let year = at.year();
    let day = match (at.year() == now.year(), lang) {
        (true, _) => day,
        (false, Lang::Zh) => format!("{year}年{day}"),
        (false, Lang::En) => format!("{day}, {year}"),
    };
    let time = at.strftime("%-H:%M").to_string();
    match (lang, asked.exact) {
        (Lang::Zh, true) => format!(
            "{place}{}{day}{weekday}，{time}。",
            if at == now { "现在是" } else { "是" }
        ),
        (Lang::Zh, false) => format!("是{day}{weekday}。"),
        (Lang::En, true) if place.is_empty() => format!("It is {time} on {weekday}, {day}."),
        (Lang::En, true) => format!("In {place} it is {time} on {weekday}, {day}."),
        (Lang::En, false) => format!("That is {weekday}, {day}."),
    }
}
