//! The weather of one day.

use incar_core::Lang;
use jiff::civil::Date;
use serde::Serialize;
use std::f64::consts::PI;

/// When a day is coldest and warmest, in hours.
const COLDEST_HOUR: f64 = 5.0;
const WARMEST_HOUR: f64 = 15.0;

/// The weather of one day at one place.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DayWeather {
    /// The local date.
    pub date: Date,
    /// In a word.
    pub condition: Condition,
    /// Lowest temperature, °C.
    pub low_c: f64,
    /// Highest temperature, °C.
    pub high_c: f64,
    /// How likely rain or snow is, in percent.
    pub rain_probability: u8,
    /// Rain and melted snow, millimetres.
    pub precipitation_mm: f64,
    /// New snow, centimetres.
    pub snow_cm: f64,
    /// Relative humidity, percent.
    pub humidity: u8,
    /// Wind, km/h.
    pub wind_kmh: f64,
    /// Where the wind comes from.
    pub wind_from: Compass,
    /// Air quality index, 0 (clean) to 500.
    pub aqi: u16,
    /// UV index at noon, 0 to 14.
    pub uv_index: u8,
    /// How far one sees, kilometres.
    pub visibility_km: f64,
}

impl DayWeather {
    /// A mild, dry, clear day: a back end sets what it knows.
    pub fn clear(date: Date) -> Self {
        Self {
            date,
            condition: Condition::Clear,
            low_c: 15.0,
            high_c: 25.0,
            rain_probability: 0,
            precipitation_mm: 0.0,
            snow_cm: 0.0,
            humidity: 50,
            wind_kmh: 8.0,
            wind_from: Compass::South,
            aqi: 40,
            uv_index: 5,
            visibility_km: 20.0,
        }
    }

    /// About how warm it is at an hour of the day (0 to 24), °C.
    pub fn temperature_at(&self, hour: f64) -> f64 {
        let hour = hour.rem_euclid(24.0);
        // From the coldest to the warmest hour it takes ten hours, back again fourteen.
        let rises = WARMEST_HOUR - COLDEST_HOUR;
        let phase = if (COLDEST_HOUR..WARMEST_HOUR).contains(&hour) {
            (hour - COLDEST_HOUR) / rises - 1.0
        } else {
            (hour - WARMEST_HOUR).rem_euclid(24.0) / (24.0 - rises)
        };
        let warmth = f64::midpoint(1.0, (PI * phase).cos());
        self.low_c + (self.high_c - self.low_c) * warmth
    }

    /// Whether anything falls from the sky.
    pub fn is_wet(&self) -> bool {
        self.precipitation_mm > 0.0
    }
}

/// The weather in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
#[allow(missing_docs)] // The names say it.
pub enum Condition {
    Clear,
    PartlyCloudy,
    Cloudy,
    Overcast,
    Fog,
    Haze,
    LightRain,
    Rain,
    HeavyRain,
    Thunderstorm,
    Sleet,
    LightSnow,
    Snow,
    HeavySnow,
}

impl Condition {
    /// Its name.
    pub fn name(self, lang: Lang) -> &'static str {
        match self {
            Self::Clear => lang.pick("晴", "clear"),
            Self::PartlyCloudy => lang.pick("晴间多云", "partly cloudy"),
            Self::Cloudy => lang.pick("多云", "cloudy"),
            Self::Overcast => lang.pick("阴", "overcast"),
            Self::Fog => lang.pick("雾", "foggy"),
            Self::Haze => lang.pick("霾", "hazy"),
            Self::LightRain => lang.pick("小雨", "light rain"),
            Self::Rain => lang.pick("中雨", "rain"),
            Self::HeavyRain => lang.pick("大雨", "heavy rain"),
            Self::Thunderstorm => lang.pick("雷阵雨", "thunderstorms"),
            Self::Sleet => lang.pick("雨夹雪", "sleet"),
            Self::LightSnow => lang.pick("小雪", "light snow"),
            Self::Snow => lang.pick("中雪", "snow"),
            Self::HeavySnow => lang.pick("大雪", "heavy snow"),
        }
    }

    /// Whether snow falls, also mixed with rain.
    pub fn is_snow(self) -> bool {
        matches!(self, Self::Sleet | Self::LightSnow | Self::Snow | Self::HeavySnow)
    }

    /// Whether rain falls, also mixed with snow.
    pub fn is_rain(self) -> bool {
        matches!(
            self,
            Self::LightRain | Self::Rain | Self::HeavyRain | Self::Thunderstorm | Self::Sleet
        )
    }
}

/// A direction of the compass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)] // The names say it.
pub enum Compass {
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
    NorthWest,
}

impl Compass {
    /// The direction nearest to degrees clockwise from north.
    pub fn from_degrees(degrees: f64) -> Self {
        match degrees.rem_euclid(360.0) {
            d if d < 22.5 => Self::North,
            d if d < 67.5 => Self::NorthEast,
            d if d < 112.5 => Self::East,
            d if d < 157.5 => Self::SouthEast,
            d if d < 202.5 => Self::South,
            d if d < 247.5 => Self::SouthWest,
            d if d < 292.5 => Self::West,
            d if d < 337.5 => Self::NorthWest,
            _ => Self::North,
        }
    }

    /// The name of the wind from there.
    pub fn wind_name(self, lang: Lang) -> &'static str {
        match self {
            Self::North => lang.pick("北风", "northerly"),
            Self::NorthEast => lang.pick("东北风", "north-easterly"),
            Self::East => lang.pick("东风", "easterly"),
            Self::SouthEast => lang.pick("东南风", "south-easterly"),
            Self::South => lang.pick("南风", "southerly"),
            Self::SouthWest => lang.pick("西南风", "south-westerly"),
            Self::West => lang.pick("西风", "westerly"),
            Self::NorthWest => lang.pick("西北风", "north-westerly"),
        }
    }
}
