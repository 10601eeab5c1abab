//! Asking for the weather.

use super::advice::{self, Clothing};
use super::place::{self, Spot};
use super::say::{Moment, Report};
use super::sun::{SunTimes, sun_times};
use super::when::When;
use super::{DayWeather, Locator, Source, WeatherError, WeatherService};
use crate::knowledge::zone_at;
use incar_core::{
    Bilingual, Clock, Effect, ErrorKind, Lang, ToolCategory, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool,
    async_trait,
};
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(10);
/// Whether a washed car stays clean depends on so many days after.
const DAYS_AFTER: i32 = 2;

/// `get_weather`.
#[derive(Debug)]
pub(super) struct GetWeather {
    weather: Arc<dyn WeatherService>,
    locator: Arc<dyn Locator>,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The place's name, in the driver's words; where the car is, if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    location: Option<String>,
    /// The day or days: ISO 8601, or the driver's words; today where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    /// What about it; the weather as a whole where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    item: Option<Item>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Item {
    Weather,
    Temperature,
    Rain,
    Snow,
    Wind,
    Humidity,
    AirQuality,
    Uv,
    Visibility,
    SunriseSunset,
    Clothing,
    Umbrella,
    CarWash,
    Activity,
}

/// What is asked, made exact.
struct Asked {
    spot: Spot,
    zone: TimeZone,
    now: DateTime,
    when: When,
    item: Item,
}

impl GetWeather {
    pub(super) fn new(weather: Arc<dyn WeatherService>, locator: Arc<dyn Locator>) -> Self {
        Self { weather, locator }
    }

    fn asked(&self, args: &Args, cx: ToolContext<'_>) -> Result<Asked, ToolError> {
        let spot = place::find(args.location.as_deref(), &*self.locator, cx.lang)?;
        let zone = zone_at(spot.point);
        let now = local_time(cx.clock, &zone, cx.lang)?;
        Ok(Asked {
            when: When::parse(args.date.as_deref(), now, cx.lang)?,
            item: args.item.unwrap_or(Item::Weather),
            spot,
            zone,
            now,
        })
    }
}

#[async_trait]
impl TypedTool for GetWeather {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        let description = Bilingual::new(
            "查询天气：温度、雨雪、风、空气、日出日落，以及穿衣、带伞、洗车、户外活动的建议",
            "Get the weather: temperature, rain, snow, wind, air, sunrise and sunset, and advice on clothing, umbrella, car wash and outdoor activity",
        );
        ToolSpec::new("get_weather", ToolCategory::WEATHER, Effect::Read, description)
            .with_timeout(TIMEOUT)
            .with_words(crate::words::of("get_weather"))
    }

    fn resolve(&self, args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let asked = self.asked(&args, cx)?;
        let resolved = Args {
            date: Some(asked.when.iso()),
            item: Some(asked.item),
            location: args.location,
        };
        Ok((resolved, Effect::Read))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let Asked {
            spot,
            zone,
            now,
            when,
            item,
        } = self.asked(&args, cx)?;
        let last = when.last.saturating_add(DAYS_AFTER.days());
        let ahead = self
            .weather
            .forecast(spot.point, when.first, last)
            .await
            .map_err(|error| failed(error, cx.lang))?;
        let days: Vec<DayWeather> = ahead.iter().filter(|day| day.date <= when.last).cloned().collect();
        let Some(first) = days.first() else {
            return Err(failed(WeatherError::Days, cx.lang));
        };
        let at_time = match when.hour {
            Some(hour) => Some((Moment::Hour(hour), first.temperature_at(f64::from(hour)).round())),
            None if when.first == now.date() && days.len() == 1 => {
                let hour = f64::from(now.hour()) + f64::from(now.minute()) / 60.0;
                Some((Moment::Now, first.temperature_at(hour).round()))
            }
            None => None,
        };
        let mut result = Map::new();
        result.insert("location".into(), location(&spot));
        result.insert("item".into(), json!(item));
        result.insert("date".into(), when.iso().into());
        result.insert("days".into(), json!(days));
        result.insert("simulated".into(), (self.weather.source() == Source::Simulated).into());
        if let Some((_, degrees)) = at_time {
            result.insert("temperature".into(), crate::vehicle::number(degrees));
        }
        if let Some(advice) = advice_value(item, first, &ahead) {
            result.insert("advice".into(), advice);
        }
        if item == Item::SunriseSunset {
            result.insert("sun".into(), sun_value(sun_times(spot.point, when.first), &zone));
        }
        let report = Report {
            place: spot.name.as_deref(),
            item,
            today: now.date(),
            days: &days,
            ahead: &ahead,
            at_time,
            point: spot.point,
            zone,
        };
        Ok(ToolOutput::new(result)?.say(report.sentence(cx.lang)))
    }
}

/// The time now at a place in this zone.
pub(crate) fn local_time(clock: &dyn Clock, zone: &TimeZone, lang: Lang) -> Result<DateTime, ToolError> {
    i64::try_from(clock.now().as_millis())
        .ok()
        .and_then(|millis| Timestamp::from_millisecond(millis).ok())
        .map(|now| zone.to_datetime(now))
        .ok_or_else(|| {
            ToolError::new(
                ErrorKind::Internal,
                lang.pick("车上的时间不对。", "The car's clock is wrong."),
            )
        })
}

/// The place by its name; where the car is has none, and its coordinates are no model's business.
fn location(spot: &Spot) -> Value {
    json!({"name": spot.name})
}

fn advice_value(item: Item, day: &DayWeather, ahead: &[DayWeather]) -> Option<Value> {
    Some(match item {
        Item::Clothing => json!(Clothing::of(day)),
        Item::Umbrella => json!(advice::umbrella(day)),
        Item::CarWash => json!(advice::car_wash(ahead)),
        Item::Activity => json!(advice::activity(day)),
        Item::Weather
        | Item::Temperature
        | Item::Rain
        | Item::Snow
        | Item::Wind
        | Item::Humidity
        | Item::AirQuality
        | Item::Uv
        | Item::Visibility
        | Item::SunriseSunset => return None,
    })
}

fn sun_value(times: SunTimes, zone: &TimeZone) -> Value {
    let local = |at: Timestamp| zone.to_datetime(at).strftime("%Y-%m-%dT%H:%M").to_string();
    match times {
        SunTimes::RisesAndSets { sunrise, sunset } => json!({"sunrise": local(sunrise), "sunset": local(sunset)}),
        SunTimes::UpAllDay => json!("up_all_day"),
        SunTimes::DownAllDay => json!("down_all_day"),
    }
}

fn failed(error: WeatherError, lang: Lang) -> ToolError {
    match error {
        WeatherError::Days => ToolError::ask(
            ErrorKind::OutOfRange,
            "date",
            lang.pick(
                "查不到那几天的天气，要看哪一天？",
                "There is no forecast for that. Which day would you like?",
            ),
        ),
        WeatherError::Unavailable => ToolError::new(
            ErrorKind::ToolFailed,
            lang.pick(
                "天气服务暂时连不上。",
                "The weather service cannot be reached right now.",
            ),
        ),
    }
}
