//! Weather that is made up: the same at each asking, fitting place and season, changing smoothly from day to day.

use super::climate::{self, Usual};
use super::noise::smooth;
use super::{Compass, Condition, DayWeather, Source, WeatherError, WeatherService, sun};
use crate::places::GeoPoint;
use incar_core::async_trait;
use jiff::civil::Date;

/// More days than this are not asked for at once.
const MOST_DAYS: usize = 366;

/// A weather service for simulators and tests.
///
/// ```
/// use incar_tools::weather::SimulatedWeather;
/// use incar_tools::places::GeoPoint;
///
/// let beijing = GeoPoint::new(39.909, 116.397)?;
/// let weather = SimulatedWeather::new(7);
/// let summer = weather.day(beijing, jiff::civil::date(2026, 7, 15));
/// let winter = weather.day(beijing, jiff::civil::date(2026, 1, 15));
/// assert!(summer.low_c > winter.high_c);
/// # Ok::<(), incar_tools::places::OutOfRange>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct SimulatedWeather {
    seed: u64,
}

/// What is drawn for each day, apart from one another.
#[derive(Clone, Copy)]
enum Draw {
    Warmth = 1,
    Whim,
    Wet,
    Wind,
    WindFrom,
    Air,
    Mist,
}

impl SimulatedWeather {
    /// The weather of this seed: another seed is another year.
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }

    fn draw(self, what: Draw, at: GeoPoint, day: f64, span: f64) -> f64 {
        let seed = self.seed.wrapping_mul(31).wrapping_add(what as u64);
        smooth(seed, at.lat(), at.lon(), day, span)
    }

    /// The weather at a place on a day.
    pub fn day(&self, at: GeoPoint, date: Date) -> DayWeather {
        let day = f64::from(sun::julian_day(date) - sun::EPOCH_2000);
        let usual = climate::usual(at, f64::from(date.day_of_year()));
        let variable = 0.35 + at.lat().to_radians().sin().abs();
        let whims = 4.5 * self.draw(Draw::Warmth, at, day, 4.0) + 1.5 * self.draw(Draw::Whim, at, day, 1.5);
        let mean = usual.mean_c + variable * whims;

        let sky = Sky::of(self.draw(Draw::Wet, at, day, 2.0), usual);
        let wind_kmh = 5.0 + 22.0 * self.draw(Draw::Wind, at, day, 2.0).abs() + 12.0 * sky.intensity;
        let air = self.draw(Draw::Air, at, day, 3.0);
        let aqi = (30.0 + 170.0 * usual.haze * (1.0 + air) - wind_kmh) * if sky.is_wet() { 0.5 } else { 1.0 };
        let aqi = aqi.clamp(8.0, 400.0).round();
        let misty = self.draw(Draw::Mist, at, day, 1.0) > 0.55 && wind_kmh < 14.0 && (-3.0..16.0).contains(&mean);
        let condition = sky.condition(mean, aqi, misty);

        let half_range = (3.0 + 4.5 * (1.0 - usual.wetness)) * if sky.is_wet() { 0.6 } else { 1.0 };
        let melted = if sky.is_wet() { sky.millimetres(mean) } else { 0.0 };
        let clouds = sky.clouds();
        DayWeather {
            date,
            condition,
            low_c: (mean - half_range).round(),
            high_c: (mean + half_range).round(),
            rain_probability: whole(sky.probability()),
            precipitation_mm: tenths(melted),
            snow_cm: if condition.is_snow() {
                tenths(melted * snow_share(condition))
            } else {
                0.0
            },
            humidity: whole((38.0 + 45.0 * usual.wetness + 32.0 * (clouds - 0.4)).clamp(12.0, 98.0)),
            wind_kmh: wind_kmh.round(),
            wind_from: Compass::from_degrees(360.0 * self.draw(Draw::WindFrom, at, day, 4.0)),
            aqi: aqi as u16,
            uv_index: whole(
                (13.0 * sun::noon_height(at.lat(), date).max(0.0).powf(1.3) * (1.0 - 0.65 * clouds)).clamp(0.0, 14.0),
            ),
            visibility_km: visibility(condition, aqi),
        }
    }
}

/// What is in the sky: how much wetter the day is than it takes for rain.
#[derive(Clone, Copy)]
struct Sky {
    /// Above zero it rains or snows; −1 to 1.
    excess: f64,
    /// Of the wet days: how wet, 0 to 1.
    intensity: f64,
}

impl Sky {
    fn of(noise: f64, usual: Usual) -> Self {
        // The noise is heaped round zero; this spreads it about evenly from 0 to 1.
        let even = 1.0 / (1.0 + (-5.0 * noise).exp());
        let excess = even - (1.0 - usual.wetness);
        Self {
            excess,
            intensity: (excess / usual.wetness).clamp(0.0, 1.0),
        }
    }

    fn is_wet(self) -> bool {
        self.excess > 0.0
    }

    /// In percent, in steps of five; above 50 on wet days.
    fn probability(self) -> f64 {
        let percent = 50.0 + 50.0 * (4.0 * self.excess).tanh();
        let step = (percent / 5.0).round() * 5.0;
        if self.is_wet() { step.max(55.0) } else { step.min(45.0) }.clamp(0.0, 100.0)
    }

    /// How much of the sky is covered, 0 to 1.
    fn clouds(self) -> f64 {
        (1.0 + self.excess * 1.6).clamp(0.0, 1.0)
    }

    /// Warm air holds more water.
    fn millimetres(self, mean_c: f64) -> f64 {
        let holds = (0.35 + mean_c / 30.0).clamp(0.25, 1.3);
        0.3 + 45.0 * self.intensity.powi(3) * holds + 4.0 * self.intensity
    }

    fn condition(self, mean_c: f64, aqi: f64, misty: bool) -> Condition {
        if self.is_wet() {
            let mm = self.millimetres(mean_c);
            return match mean_c {
                cold if cold < 0.5 && mm < 2.5 => Condition::LightSnow,
                cold if cold < 0.5 && mm < 5.0 => Condition::Snow,
                cold if cold < 0.5 => Condition::HeavySnow,
                cool if cool < 2.5 => Condition::Sleet,
                warm if warm > 22.0 && self.intensity > 0.5 => Condition::Thunderstorm,
                _ if mm < 6.0 => Condition::LightRain,
                _ if mm < 22.0 => Condition::Rain,
                _ => Condition::HeavyRain,
            };
        }
        match self.clouds() {
            _ if misty => Condition::Fog,
            _ if aqi > 150.0 => Condition::Haze,
            clouds if clouds > 0.8 => Condition::Overcast,
            clouds if clouds > 0.55 => Condition::Cloudy,
            clouds if clouds > 0.3 => Condition::PartlyCloudy,
            _ => Condition::Clear,
        }
    }
}

/// Centimetres of snow from a millimetre of water.
fn snow_share(condition: Condition) -> f64 {
    if condition == Condition::Sleet { 0.2 } else { 1.0 }
}

fn visibility(condition: Condition, aqi: f64) -> f64 {
    let clear_air = (28.0 - aqi / 8.0).clamp(6.0, 28.0);
    match condition {
        Condition::Fog => 0.5,
        Condition::Haze => (9.0 - aqi / 50.0).clamp(1.0, 6.0).round(),
        Condition::HeavyRain | Condition::Snow => 3.0,
        Condition::HeavySnow => 1.0,
        Condition::Thunderstorm | Condition::Rain | Condition::Sleet | Condition::LightSnow => 6.0,
        Condition::LightRain => 10.0,
        Condition::Clear | Condition::PartlyCloudy | Condition::Cloudy | Condition::Overcast => clear_air.round(),
    }
}

fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

/// A number from 0 to 255, rounded.
fn whole(value: f64) -> u8 {
    value.round() as u8
}

#[async_trait]
impl WeatherService for SimulatedWeather {
    fn source(&self) -> Source {
        Source::Simulated
    }

    async fn forecast(&self, at: GeoPoint, first: Date, last: Date) -> Result<Vec<DayWeather>, WeatherError> {
        let days: Vec<Date> = first
            .series(jiff::Span::new().days(1))
            .take_while(|day| *day <= last)
            .take(MOST_DAYS + 1)
            .collect();
        if days.is_empty() || days.len() > MOST_DAYS {
            return Err(WeatherError::Days);
        }
        Ok(days.into_iter().map(|day| self.day(at, day)).collect())
    }
}
