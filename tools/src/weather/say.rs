//! The weather in a sentence.

use super::DayWeather;
use super::advice::{self, Answer, Clothing};
use super::sun::{SunTimes, sun_times};
use super::tool::Item;
use super::when::day_name;
use crate::places::GeoPoint;
use incar_core::Lang;
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// Up to so many days are told one by one.
const ONE_BY_ONE: usize = 3;

/// What is spoken of.
pub(super) struct Report<'a> {
    pub(super) place: Option<&'a str>,
    pub(super) item: Item,
    pub(super) today: Date,
    /// The days asked about; never empty.
    pub(super) days: &'a [DayWeather],
    /// The day asked about and those after it.
    pub(super) ahead: &'a [DayWeather],
    /// The temperature at the time asked about, or now.
    pub(super) at_time: Option<(Moment, f64)>,
    pub(super) point: GeoPoint,
    pub(super) zone: TimeZone,
}

/// Which moment a temperature is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    Now,
    Hour(i8),
}

impl Report<'_> {
    pub(super) fn sentence(&self, lang: Lang) -> String {
        let place = self.place.unwrap_or_default();
        match self.days {
            [day] => {
                let when = day_name(day.date, self.today, lang);
                let what = self.of_day(day, lang);
                match lang {
                    Lang::Zh => format!("{place}{when}{what}。"),
                    Lang::En if place.is_empty() => format!("{}: {what}.", capital(&when)),
                    Lang::En => format!("{place}, {when}: {what}."),
                }
            }
            days => {
                let what = if days.len() <= ONE_BY_ONE {
                    self.each(days, lang)
                } else {
                    self.altogether(days, lang)
                };
                match lang {
                    Lang::Zh if place.is_empty() => format!("{what}。"),
                    Lang::Zh => format!("{place}{what}。"),
                    Lang::En if place.is_empty() => format!("{}.", capital(&what)),
                    Lang::En => format!("{place}: {what}."),
                }
            }
        }
    }

    fn each(&self, days: &[DayWeather], lang: Lang) -> String {
        let told: Vec<String> = days
            .iter()
            .map(|day| {
                let (when, what) = (day_name(day.date, self.today, lang), self.of_day(day, lang));
                lang.pick(format!("{when}{what}"), format!("{when} {what}"))
            })
            .collect();
        told.join(lang.pick("；", "; "))
    }

    /// Many days: how warm it gets, and which of them are wet.
    fn altogether(&self, days: &[DayWeather], lang: Lang) -> String {
        let low = days.iter().map(|day| day.low_c).fold(f64::INFINITY, f64::min);
        let high = days.iter().map(|day| day.high_c).fold(f64::NEG_INFINITY, f64::max);
        let names = |keep: fn(&DayWeather) -> bool| -> Vec<String> {
            days.iter()
                .filter(|day| keep(day))
                .map(|day| day_name(day.date, self.today, lang))
                .collect()
        };
        let (rain, snow) = (
            names(|day| day.condition.is_rain()),
            names(|day| day.condition.is_snow()),
        );
        let fall = |days: &[String], zh: &str, en: &str| match days {
            [] => String::new(),
            days => lang.pick(
                format!("，{}有{zh}", days.join("、")),
                format!(", {en} {}", days.join(", ")),
            ),
        };
        let dry = if rain.is_empty() && snow.is_empty() {
            lang.pick("，没有雨雪", ", dry")
        } else {
            ""
        };
        let count = days.len();
        let (rain, snow) = (fall(&rain, "雨", "rain"), fall(&snow, "雪", "snow"));
        lang.pick(
            format!("这{count}天{low}到{high}度{rain}{snow}{dry}"),
            format!("{count} days of {low} to {high} degrees{rain}{snow}{dry}"),
        )
    }

    fn of_day(&self, day: &DayWeather, lang: Lang) -> String {
        let condition = day.condition.name(lang);
        let (low, high) = (day.low_c, day.high_c);
        match self.item {
            Item::Weather => lang.pick(
                format!("{condition}，{low}到{high}度{}", self.moment(lang)),
                format!("{condition}, {low} to {high} degrees{}", self.moment(lang)),
            ),
            Item::Temperature => lang.pick(
                format!("{low}到{high}度{}", self.moment(lang)),
                format!("{low} to {high} degrees{}", self.moment(lang)),
            ),
            Item::Rain => fall(day, day.condition.is_rain(), ("雨", "rain"), lang),
            Item::Snow => fall(day, day.condition.is_snow(), ("雪", "snow"), lang),
            Item::Wind => {
                let (name, force) = (day.wind_from.wind_name(lang), advice::beaufort(day.wind_kmh));
                lang.pick(
                    format!("{name}{force}级，每小时{}公里", day.wind_kmh),
                    format!("{name} wind, {} kilometres an hour", day.wind_kmh),
                )
            }
            Item::Humidity => lang.pick(format!("湿度{}%", day.humidity), format!("{}% humidity", day.humidity)),
            Item::AirQuality => {
                let level = advice::air_quality(day.aqi, lang);
                lang.pick(
                    format!("空气质量{level}，指数{}", day.aqi),
                    format!("air quality {level}, index {}", day.aqi),
                )
            }
            Item::Uv => {
                let level = advice::uv(day.uv_index, lang);
                lang.pick(
                    format!("紫外线{level}，指数{}", day.uv_index),
                    format!("UV {level}, index {}", day.uv_index),
                )
            }
            Item::Visibility => lang.pick(
                format!("{condition}，能见度{}公里", day.visibility_km),
                format!("{condition}, visibility {} kilometres", day.visibility_km),
            ),
            Item::SunriseSunset => self.sun(day.date, lang),
            Item::Clothing => {
                let words = Clothing::of(day).words(lang);
                lang.pick(
                    format!("{low}到{high}度，{words}"),
                    format!("{low} to {high} degrees, {words}"),
                )
            }
            Item::Umbrella => answered(
                advice::umbrella(day),
                condition,
                [
                    ("要带伞", "take an umbrella"),
                    ("可能下雨，最好带伞", "it may rain, so better take an umbrella"),
                    ("不用带伞", "no umbrella needed"),
                ],
                lang,
            ),
            Item::CarWash => answered(
                advice::car_wash(self.from(day)),
                condition,
                [
                    ("适合洗车", "a good day to wash the car"),
                    (
                        "过两天有雨雪，洗车要看情况",
                        "it gets wet in two days, so washing the car may not last",
                    ),
                    (
                        "不适合洗车，这两天有雨雪",
                        "not a day to wash the car, rain or snow is coming",
                    ),
                ],
                lang,
            ),
            Item::Activity => answered(
                advice::activity(day),
                condition,
                [
                    ("适合户外活动", "a good day to be outside"),
                    ("户外活动要注意天气", "mind the weather when you are outside"),
                    ("不太适合户外活动", "not a good day to be outside"),
                ],
                lang,
            ),
        }
    }

    /// A day of the forecast and those after it.
    fn from(&self, day: &DayWeather) -> &[DayWeather] {
        let index = self
            .ahead
            .iter()
            .position(|other| other.date == day.date)
            .unwrap_or_default();
        self.ahead.get(index..).unwrap_or_default()
    }

    fn moment(&self, lang: Lang) -> String {
        match self.at_time {
            None => String::new(),
            Some((Moment::Now, degrees)) => lang.pick(format!("，现在{degrees}度"), format!(", {degrees} now")),
            Some((Moment::Hour(hour), degrees)) => lang.pick(
                format!("，{hour}点约{degrees}度"),
                format!(", about {degrees} at {hour}:00"),
            ),
        }
    }

    fn sun(&self, date: Date, lang: Lang) -> String {
        match sun_times(self.point, date) {
            SunTimes::RisesAndSets { sunrise, sunset } => {
                let clock = |at: Timestamp| self.zone.to_datetime(at).strftime("%-H:%M").to_string();
                let (sunrise, sunset) = (clock(sunrise), clock(sunset));
                lang.pick(
                    format!("{sunrise}日出，{sunset}日落"),
                    format!("sunrise at {sunrise}, sunset at {sunset}"),
                )
            }
            SunTimes::UpAllDay => lang.pick("太阳整天不落", "the sun does not set").to_owned(),
            SunTimes::DownAllDay => lang.pick("太阳整天不升起", "the sun does not rise").to_owned(),
        }
    }
}

fn fall(day: &DayWeather, falls: bool, (zh, en): (&str, &str), lang: Lang) -> String {
    let (condition, chance) = (day.condition.name(lang), day.rain_probability);
    if falls {
        lang.pick(
            format!("有{zh}，{condition}，概率{chance}%"),
            format!("yes, {condition}, {chance}% likely"),
        )
    } else {
        lang.pick(format!("没有{zh}，{condition}"), format!("no {en}, {condition}"))
    }
}

/// The condition and one of three answers: yes, maybe, no.
fn answered(answer: Answer, condition: &str, words: [(&str, &str); 3], lang: Lang) -> String {
    let [yes, maybe, no] = words.map(|(zh, en)| lang.pick(zh, en));
    let words = match answer {
        Answer::Yes => yes,
        Answer::Maybe => maybe,
        Answer::No => no,
    };
    lang.pick(format!("{condition}，{words}"), format!("{condition}, {words}"))
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}
