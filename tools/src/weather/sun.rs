//! When the sun rises and sets.

use crate::places::GeoPoint;
use jiff::Timestamp;
use jiff::civil::Date;

/// The Julian day number of 1 January 2000.
pub(super) const EPOCH_2000: i32 = 2_451_545;
/// The Julian date of the Unix epoch.
const UNIX_EPOCH: f64 = 2_440_587.5;
/// The sun's centre stands so far below the horizon when its upper edge is seen on it: refraction and half its width.
const HORIZON_DEGREES: f64 = -0.833;
/// How far the Earth's axis leans.
const OBLIQUITY_DEGREES: f64 = 23.4397;

/// What the sun does on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum SunTimes {
    /// It rises and sets.
    RisesAndSets {
        /// When it rises.
        sunrise: Timestamp,
        /// When it sets.
        sunset: Timestamp,
    },
    /// It is above the horizon all day.
    UpAllDay,
    /// It is below the horizon all day.
    DownAllDay,
}

/// When the sun rises and sets at a place on a local date, good to about two minutes up to 65 degrees of latitude.
///
/// The sunrise equation, as in <https://en.wikipedia.org/wiki/Sunrise_equation> (its terms from J. Meeus, *Astronomical
/// Algorithms*, chapters 25 and 15).
pub fn sun_times(at: GeoPoint, date: Date) -> SunTimes {
    let mean_noon = f64::from(julian_day(date) - EPOCH_2000) + 0.0009 - at.lon() / 360.0;
    let anomaly = (357.5291 + 0.985_600_28 * mean_noon).rem_euclid(360.0).to_radians();
    let centre = 1.9148 * anomaly.sin() + 0.02 * (2.0 * anomaly).sin() + 0.0003 * (3.0 * anomaly).sin();
    let longitude = (anomaly.to_degrees() + centre + 180.0 + 102.9372)
        .rem_euclid(360.0)
        .to_radians();
    let noon = f64::from(EPOCH_2000) + mean_noon + 0.0053 * anomaly.sin() - 0.0069 * (2.0 * longitude).sin();
    let declination = (longitude.sin() * OBLIQUITY_DEGREES.to_radians().sin()).asin();

    let lat = at.lat().to_radians();
    let cosine = (HORIZON_DEGREES.to_radians().sin() - lat.sin() * declination.sin()) / (lat.cos() * declination.cos());
    if cosine <= -1.0 {
        return SunTimes::UpAllDay;
    }
    if cosine >= 1.0 {
        return SunTimes::DownAllDay;
    }
    let half_day = cosine.acos().to_degrees() / 360.0;
    match (moment(noon - half_day), moment(noon + half_day)) {
        (Some(sunrise), Some(sunset)) => SunTimes::RisesAndSets { sunrise, sunset },
        // Beyond the years that can be told.
        _ => SunTimes::DownAllDay,
    }
}

/// The sine of the sun's height above the horizon at noon.
pub(super) fn noon_height(lat: f64, date: Date) -> f64 {
    let turn = std::f64::consts::TAU * (f64::from(date.day_of_year()) + 10.0) / 365.25;
    let declination = -OBLIQUITY_DEGREES * turn.cos();
    (90.0 - (lat - declination).abs()).to_radians().sin()
}

#[allow(clippy::cast_possible_truncation)] // out of range saturates and is refused
fn moment(julian: f64) -> Option<Timestamp> {
    Timestamp::from_second(((julian - UNIX_EPOCH) * 86_400.0).round() as i64).ok()
}

/// The Julian day number that begins at noon of the date.
pub(super) fn julian_day(date: Date) -> i32 {
    const FIRST: Date = Date::constant(2000, 1, 1);
    EPOCH_2000 + date.since(FIRST).map_or(0, |span| span.get_days())
}
