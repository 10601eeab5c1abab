//! What the numbers mean for whoever is out in them.

use super::DayWeather;
use incar_core::Lang;
use serde::Serialize;

/// The wind takes about a degree for each six km/h above a breeze.
const BREEZE_KMH: f64 = 12.0;
const KMH_A_DEGREE: f64 = 6.0;

/// Whether something is a good idea.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Answer {
    Yes,
    Maybe,
    No,
}

/// What to wear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Clothing {
    DownJacket,
    WarmCoat,
    Jacket,
    LongSleeves,
    ShortSleeves,
    LightAndCool,
}

impl Clothing {
    /// For the middle of the day's temperatures, the wind reckoned in.
    pub(super) fn of(day: &DayWeather) -> Self {
        let chill = (day.wind_kmh - BREEZE_KMH).max(0.0) / KMH_A_DEGREE;
        match f64::midpoint(day.low_c, day.high_c) - chill.min(6.0) {
            felt if felt < 2.0 => Self::DownJacket,
            felt if felt < 10.0 => Self::WarmCoat,
            felt if felt < 16.0 => Self::Jacket,
            felt if felt < 22.0 => Self::LongSleeves,
            felt if felt < 28.0 => Self::ShortSleeves,
            _ => Self::LightAndCool,
        }
    }

    pub(super) fn words(self, lang: Lang) -> &'static str {
        match self {
            Self::DownJacket => lang.pick("建议穿羽绒服", "wear a down jacket"),
            Self::WarmCoat => lang.pick("建议穿厚外套", "wear a warm coat"),
            Self::Jacket => lang.pick("建议穿夹克或薄外套", "wear a jacket"),
            Self::LongSleeves => lang.pick("穿长袖就可以", "long sleeves will do"),
            Self::ShortSleeves => lang.pick("穿短袖就可以", "short sleeves will do"),
            Self::LightAndCool => lang.pick("穿轻薄透气的衣服", "wear something light and cool"),
        }
    }
}

/// Whether to take an umbrella; snow needs none.
pub(super) fn umbrella(day: &DayWeather) -> Answer {
    match (day.condition.is_rain(), day.rain_probability) {
        (true, _) => Answer::Yes,
        (false, 35..) if !day.condition.is_snow() => Answer::Maybe,
        _ => Answer::No,
    }
}

/// Whether a washed car stays clean: `days` are the day itself and those after it.
pub(super) fn car_wash(days: &[DayWeather]) -> Answer {
    match days {
        [day, ..] if day.is_wet() => Answer::No,
        [_, next, ..] if next.is_wet() => Answer::No,
        // What may need an umbrella may spoil a wash.
        [day, ..] if umbrella(day) == Answer::Maybe => Answer::Maybe,
        [_, _, third, ..] if third.is_wet() => Answer::Maybe,
        _ => Answer::Yes,
    }
}

/// Whether it is a day to be outside.
pub(super) fn activity(day: &DayWeather) -> Answer {
    let unpleasant = day.high_c < 3.0 || day.high_c > 33.0 || day.wind_kmh > 30.0 || day.aqi > 100;
    if day.precipitation_mm > 2.0 || day.high_c < -8.0 || day.high_c > 37.0 || day.wind_kmh > 45.0 || day.aqi > 150 {
        Answer::No
    } else if unpleasant || day.is_wet() || day.uv_index >= 9 {
        Answer::Maybe
    } else {
        Answer::Yes
    }
}

/// How clean air of this index is, by the levels of HJ 633-2012 and the US EPA, which agree but for the wording.
pub(super) fn air_quality(aqi: u16, lang: Lang) -> &'static str {
    match aqi {
        0..=50 => lang.pick("优", "good"),
        51..=100 => lang.pick("良", "moderate"),
        101..=150 => lang.pick("轻度污染", "unhealthy for sensitive groups"),
        151..=200 => lang.pick("中度污染", "unhealthy"),
        201..=300 => lang.pick("重度污染", "very unhealthy"),
        _ => lang.pick("严重污染", "hazardous"),
    }
}

/// How strong the sun burns, by the WHO's levels.
pub(super) fn uv(index: u8, lang: Lang) -> &'static str {
    match index {
        0..=2 => lang.pick("弱", "low"),
        3..=5 => lang.pick("中等", "moderate"),
        6..=7 => lang.pick("强", "high"),
        8..=10 => lang.pick("很强", "very high"),
        _ => lang.pick("极强", "extreme"),
    }
}

/// Upper ends of the Beaufort forces 0 to 11, in km/h.
const BEAUFORT_KMH: [f64; 12] = [1.0, 5.0, 11.0, 19.0, 28.0, 38.0, 49.0, 61.0, 74.0, 88.0, 102.0, 117.0];

/// The wind's force on the Beaufort scale.
pub(super) fn beaufort(kmh: f64) -> usize {
    BEAUFORT_KMH.iter().filter(|upper| kmh > **upper).count()
}
