//! What the weather is and how it is told.

use super::*;
use crate::testing::at_once;
use incar_core::{
    ErrorKind, Lang, ManualClock, Refusal, Seat, Speaker, Timestamp, ToolContext, ToolError, ToolOutput, ToolRegistry,
};
use jiff::civil::date;
use jiff::tz::{Offset, TimeZone};
use proptest::prelude::*;
use serde_json::{Value, json};

#[derive(Debug)]
struct Beijing;

impl Locator for Beijing {
    fn position(&self) -> Option<GeoPoint> {
        GeoPoint::new(39.909, 116.397).ok()
    }
}

/// Forecasts that are known beforehand: the third day from today is wet.
#[derive(Debug)]
struct Fixed;

#[async_trait]
impl WeatherService for Fixed {
    fn source(&self) -> Source {
        Source::Forecast
    }

    async fn forecast(&self, _: GeoPoint, first: Date, last: Date) -> Result<Vec<DayWeather>, WeatherError> {
        let days = first.series(jiff::Span::new().days(1)).take_while(|day| *day <= last);
        Ok(days
            .map(|day| match day == date(2026, 6, 3) {
                true => DayWeather {
                    condition: Condition::LightRain,
                    rain_probability: 80,
                    precipitation_mm: 4.0,
                    ..DayWeather::clear(day)
                },
                false => DayWeather::clear(day),
            })
            .collect())
    }
}

fn call(weather: Arc<dyn WeatherService>, lang: Lang, arguments: &Value) -> Result<ToolOutput, Refusal> {
    // 2026-06-01 10:00 in Beijing, a Monday.
    let clock = ManualClock::at(Timestamp::from_millis(1_780_279_200_000));
    let locator: Arc<dyn Locator> = Arc::new(Beijing);
    let mut registry = ToolRegistry::new();
    for tool in tools(&weather, &locator) {
        registry.register_erased(tool).unwrap();
    }
    let speaker = Speaker::new("test", Seat::Driver);
    let context = ToolContext::new(&speaker, lang, &clock, "key");
    let tool = registry.get("get_weather").unwrap();
    let resolved = tool.resolve(arguments, context)?;
    Ok(at_once(tool.run(&resolved.arguments, context))?)
}

fn refused(arguments: &Value) -> ToolError {
    match call(Arc::new(Fixed), Lang::Zh, arguments) {
        Err(Refusal::Failed(error)) => error,
        other => panic!("{arguments}: {other:?}"),
    }
}

#[test]
fn each_item_is_told_in_a_sentence() {
    for (arguments, zh, en) in [
        (
            json!({}),
            "今天晴，15到25度，现在20度。",
            "Today: clear, 15 to 25 degrees, 20 now.",
        ),
        (
            json!({"location": "上海", "date": "明天"}),
            "上海明天晴，15到25度。",
            "Shanghai, tomorrow: clear, 15 to 25 degrees.",
        ),
        (
            json!({"item": "temperature", "date": "this afternoon"}),
            "今天15到25度，15点约25度。",
            "Today: 15 to 25 degrees, about 25 at 15:00.",
        ),
        (json!({"item": "rain"}), "今天没有雨，晴。", "Today: no rain, clear."),
        (
            json!({"item": "rain", "date": "2026-06-03"}),
            "后天有雨，小雨，概率80%。",
            "Wednesday: yes, light rain, 80% likely.",
        ),
        (json!({"item": "snow"}), "今天没有雪，晴。", "Today: no snow, clear."),
        (
            json!({"item": "wind"}),
            "今天南风2级，每小时8公里。",
            "Today: southerly wind, 8 kilometres an hour.",
        ),
        (json!({"item": "humidity"}), "今天湿度50%。", "Today: 50% humidity."),
        (
            json!({"item": "air_quality"}),
            "今天空气质量优，指数40。",
            "Today: air quality good, index 40.",
        ),
        (
            json!({"item": "uv"}),
            "今天紫外线中等，指数5。",
            "Today: UV moderate, index 5.",
        ),
        (
            json!({"item": "visibility"}),
            "今天晴，能见度20公里。",
            "Today: clear, visibility 20 kilometres.",
        ),
        (
            json!({"item": "clothing"}),
            "今天15到25度，穿长袖就可以。",
            "Today: 15 to 25 degrees, long sleeves will do.",
        ),
        (
            json!({"item": "umbrella", "date": "后天"}),
            "后天小雨，要带伞。",
            "Wednesday: light rain, take an umbrella.",
        ),
        (
            json!({"item": "umbrella"}),
            "今天晴，不用带伞。",
            "Today: clear, no umbrella needed.",
        ),
        (
            json!({"item": "car_wash"}),
            "今天晴，过两天有雨雪，洗车要看情况。",
            "Today: clear, it gets wet in two days, so washing the car may not last.",
        ),
        (
            json!({"item": "car_wash", "date": "周四"}),
            "周四晴，适合洗车。",
            "Thursday: clear, a good day to wash the car.",
        ),
        (
            json!({"item": "activity"}),
            "今天晴，适合户外活动。",
            "Today: clear, a good day to be outside.",
        ),
        (
            json!({"item": "umbrella", "date": "周末"}),
            "周六晴，不用带伞；周日晴，不用带伞。",
            "Saturday clear, no umbrella needed; Sunday clear, no umbrella needed.",
        ),
        (
            json!({"date": "这周"}),
            "这7天15到25度，后天有雨。",
            "7 days of 15 to 25 degrees, rain Wednesday.",
        ),
    ] {
        for (lang, said) in [(Lang::Zh, zh), (Lang::En, en)] {
            let output = call(Arc::new(Fixed), lang, &arguments).unwrap_or_else(|error| panic!("{arguments}: {error}"));
            assert_eq!(output.say.as_deref(), Some(said), "{arguments}");
            assert_eq!(output.value["simulated"], json!(false));
        }
    }
}

#[test]
fn what_cannot_be_told_is_asked_about() {
    for (arguments, kind, argument) in [
        (json!({"location": "不存在的地方名字"}), ErrorKind::NotFound, None),
        (json!({"date": "昨天"}), ErrorKind::OutOfRange, Some("date")),
        (json!({"date": "2026-06-17"}), ErrorKind::OutOfRange, Some("date")),
        (json!({"date": "随便"}), ErrorKind::InvalidInput, Some("date")),
    ] {
        let error = refused(&arguments);
        assert_eq!(
            (error.kind, error.argument.as_deref()),
            (kind, argument),
            "{arguments}: {error}"
        );
    }
    let error = refused(&json!({"location": "Springfield"}));
    assert!(error.choices.len() >= 2, "{error}");
}

#[test]
fn a_day_is_reckoned_where_it_is_asked_about() {
    // It is 10 o'clock on Monday in Beijing and still Sunday in Los Angeles.
    for (location, today) in [("Los Angeles", "2026-05-31"), ("Tokyo", "2026-06-01")] {
        let output = call(
            Arc::new(SimulatedWeather::default()),
            Lang::En,
            &json!({"location": location}),
        )
        .unwrap();
        assert_eq!(output.value["days"][0]["date"], json!(today), "{location}");
        assert_eq!(output.value["simulated"], json!(true));
    }
}

#[test]
fn the_sun_rises_and_sets_when_almanacs_say() {
    // Latitude, longitude, date, hours from UTC, sunrise and sunset: timeanddate.com and the US Naval Observatory.
    for (lat, lon, day, hours, rises, sets) in [
        (39.91, 116.40, date(2024, 6, 21), 8, (4, 46), (19, 46)),
        (51.51, -0.13, date(2024, 12, 21), 0, (8, 4), (15, 53)),
        (40.71, -74.01, date(2024, 3, 20), -4, (6, 59), (19, 8)),
        (-33.87, 151.21, date(2024, 12, 22), 11, (5, 41), (20, 5)),
    ] {
        let zone = TimeZone::fixed(Offset::constant(hours));
        let SunTimes::RisesAndSets { sunrise, sunset } = sun_times(GeoPoint::new(lat, lon).unwrap(), day) else {
            panic!("{lat}: no sunrise")
        };
        for (found, (hour, minute)) in [(sunrise, rises), (sunset, sets)] {
            let found = zone.to_datetime(found);
            let expected = day.at(hour, minute, 0, 0);
            let apart = found.duration_until(expected).as_secs().abs();
            assert!(apart <= 180, "{lat}: {found}, not {expected}");
        }
    }
    let tromso = GeoPoint::new(69.65, 18.96).unwrap();
    assert_eq!(sun_times(tromso, date(2024, 6, 21)), SunTimes::UpAllDay);
    assert_eq!(sun_times(tromso, date(2024, 12, 21)), SunTimes::DownAllDay);
}

#[test]
fn climates_are_those_of_their_places() {
    let weather = SimulatedWeather::new(1);
    let mean = |lat: f64, lon: f64, month: i8| {
        let at = GeoPoint::new(lat, lon).unwrap();
        let days = (1..=28).map(|day| weather.day(at, date(2026, month, day)));
        days.map(|day| f64::midpoint(day.low_c, day.high_c)).sum::<f64>() / 28.0
    };
    // Mean temperatures of January and July, from climate tables, good to five degrees.
    for (name, lat, lon, january, july) in [
        ("Beijing", 39.9, 116.4, -3.0, 27.0),
        ("Shanghai", 31.2, 121.5, 5.0, 29.0),
        ("Guangzhou", 23.1, 113.3, 14.0, 29.0),
        ("Harbin", 45.8, 126.5, -18.0, 23.0),
        ("Singapore", 1.3, 103.8, 27.0, 28.0),
        ("London", 51.5, -0.1, 5.5, 18.5),
        ("New York", 40.7, -74.0, 1.0, 25.0),
        ("Sydney", -33.9, 151.2, 23.0, 13.0),
    ] {
        for (month, expected) in [(1, january), (7, july)] {
            let found = mean(lat, lon, month);
            assert!(
                (found - expected).abs() < 6.0,
                "{name}, month {month}: {found:.1}, not {expected}"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn weather_stays_within_what_nature_does_and_is_the_same_each_time(
        lat in -90.0..=90.0_f64, lon in -180.0..=180.0_f64, days in 0..20_000_i64, seed: u64
    ) {
        let at = GeoPoint::new(lat, lon).unwrap();
        let day = date(2000, 1, 1).saturating_add(jiff::Span::new().days(days));
        let weather = SimulatedWeather::new(seed);
        let found = weather.day(at, day);
        prop_assert_eq!(&found, &weather.day(at, day));
        prop_assert!(found.low_c <= found.high_c && found.low_c > -80.0 && found.high_c < 55.0, "{:?}", found);
        prop_assert!(found.rain_probability <= 100 && found.humidity <= 100 && found.uv_index <= 14);
        prop_assert!(found.wind_kmh >= 0.0 && found.wind_kmh < 60.0 && found.visibility_km > 0.0);
        prop_assert_eq!(found.is_wet(), found.condition.is_rain() || found.condition.is_snow());
        prop_assert_eq!(found.is_wet(), found.rain_probability > 50);
        prop_assert!(!found.condition.is_snow() || found.low_c < 6.0);
        let tomorrow = weather.day(at, day.tomorrow().unwrap());
        let change = f64::midpoint(tomorrow.low_c, tomorrow.high_c) - f64::midpoint(found.low_c, found.high_c);
        prop_assert!(change.abs() < 13.0, "{:?} {:?}", found, tomorrow);
        for hour in 0..24 {
            let degrees = found.temperature_at(f64::from(hour));
            prop_assert!(degrees >= found.low_c - 1e-9 && degrees <= found.high_c + 1e-9);
        }
        let _ = sun_times(at, day);
    }
}
