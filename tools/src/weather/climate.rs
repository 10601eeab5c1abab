//! What is usual where and when: temperature, how often it rains, how clean the air is.
//!
//! Latitude and season give a rough picture; [`REGIONS`] corrects it where seas, mountains and monsoons make it wrong.
//! Good to some degrees: enough for a simulator to be believed.

use crate::places::GeoPoint;
use std::f64::consts::TAU;

/// The day of the year on which the north is coldest.
const COLDEST_DAY: f64 = 20.0;
const DAYS_A_YEAR: f64 = 365.25;
/// The seas keep the southern half of the globe more even.
const SOUTHERN_SWING: f64 = 0.6;

/// What is usual on one day of the year at one place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Usual {
    /// Mean temperature of the day, °C.
    pub(super) mean_c: f64,
    /// How many of such days are wet, 0 to 1.
    pub(super) wetness: f64,
    /// How dirty the air is, 0 (clean) to 1.
    pub(super) haze: f64,
}

/// How a part of the globe differs from what its latitude makes usual.
struct Region {
    lat: f64,
    lon: f64,
    /// Degrees to where it is felt by a third.
    reach: f64,
    /// °C warmer through the year.
    warmer: f64,
    /// How much stronger the seasons are.
    swing: f64,
    /// More wet days in summer and in winter, as a share of all days.
    summer: f64,
    winter: f64,
    haze: f64,
}

const fn region(at: (f64, f64), reach: f64, warmth: (f64, f64), wet: (f64, f64), haze: f64) -> Region {
    Region {
        lat: at.0,
        lon: at.1,
        reach,
        warmer: warmth.0,
        swing: warmth.1,
        summer: wet.0,
        winter: wet.1,
        haze,
    }
}

#[rustfmt::skip] // One region a line.
const REGIONS: [Region; 28] = [
    region((32.0, 116.0), 10.0, (0.0, 1.05), (0.15, -0.10), 0.25), // eastern China
    region((39.0, 115.5), 6.0, (0.5, 1.30), (0.05, -0.18), 0.35),  // northern China
    region((46.0, 127.0), 8.0, (-2.5, 1.45), (0.05, -0.15), 0.15), // north-eastern China
    region((23.0, 113.0), 6.0, (1.0, 0.85), (0.25, -0.05), 0.05),  // southern China
    region((29.5, 105.5), 4.0, (0.5, 0.85), (0.10, 0.02), 0.20),   // Sichuan basin
    region((25.0, 102.0), 3.5, (-2.0, 0.60), (0.20, -0.20), 0.0),  // Yunnan
    region((31.0, 90.0), 8.0, (-13.0, 0.90), (0.05, -0.25), 0.0),  // Tibet
    region((41.0, 85.0), 9.0, (-1.0, 1.25), (-0.22, -0.22), 0.15), // Xinjiang
    region((62.0, 110.0), 22.0, (-9.0, 1.60), (0.0, -0.05), 0.0),  // Siberia
    region((56.0, 40.0), 10.0, (0.0, 1.15), (0.0, 0.05), 0.0),     // Russia
    region((36.0, 138.0), 5.0, (1.0, 0.95), (0.08, 0.0), 0.0),     // Japan
    region((20.0, 78.0), 9.0, (2.0, 0.90), (0.25, -0.30), 0.30),   // India
    region((28.0, 77.0), 5.0, (1.0, 1.20), (0.05, -0.05), 0.45),   // northern India
    region((24.0, 15.0), 18.0, (3.0, 1.10), (-0.28, -0.20), 0.1),  // Sahara
    region((25.0, 47.0), 10.0, (4.0, 1.15), (-0.28, -0.18), 0.2),  // Arabia
    region((38.0, 64.0), 9.0, (1.0, 1.25), (-0.28, -0.05), 0.1),   // central Asia
    region((52.0, 2.0), 11.0, (4.5, 0.60), (0.0, 0.05), 0.0),      // north-western Europe
    region((61.0, 12.0), 8.0, (4.0, 0.85), (0.0, 0.03), 0.0),      // Scandinavia
    region((39.0, 15.0), 9.0, (2.5, 0.80), (-0.20, 0.05), 0.0),    // Mediterranean
    region((36.0, -121.0), 5.0, (1.0, 0.40), (-0.30, 0.0), 0.05),  // California
    region((48.0, -123.0), 5.0, (3.0, 0.50), (-0.18, 0.22), 0.0),  // Pacific Northwest
    region((40.0, -107.0), 6.0, (-3.0, 1.05), (-0.10, -0.10), 0.0), // Rocky Mountains
    region((33.0, -112.0), 4.0, (4.0, 1.05), (-0.22, -0.22), 0.05), // Arizona
    region((53.0, -98.0), 14.0, (-4.5, 1.50), (0.0, -0.05), 0.0),  // inner Canada
    region((20.0, -100.0), 4.0, (-5.0, 0.50), (0.20, -0.25), 0.15), // highlands of Mexico
    region((-15.0, -70.0), 5.0, (-10.0, 0.40), (0.05, -0.25), 0.0), // Andes
    region((-1.0, 37.0), 4.0, (-8.0, 0.60), (-0.15, -0.15), 0.0),  // East African highlands
    region((-25.0, 134.0), 9.0, (2.0, 1.50), (-0.20, -0.22), 0.0), // inner Australia
];

/// What is usual at a place on the day of the year, 1 to 366.
pub(super) fn usual(at: GeoPoint, day_of_year: f64) -> Usual {
    let (lat, lon) = (at.lat(), at.lon());
    let height = lat.to_radians().sin().abs();
    // −1 in the depth of winter, 1 in high summer.
    let northern = -(TAU * (day_of_year - COLDEST_DAY) / DAYS_A_YEAR).cos();
    let summer = if lat >= 0.0 { northern } else { -northern };

    let mut mean = 28.0 - 37.5 * height * height;
    let mut swing = 1.0 + 16.0 * height.powf(1.2);
    if lat < 0.0 {
        swing *= SOUTHERN_SWING;
    }
    let bump = |centre: f64, width: f64| (-((lat.abs() - centre) / width).powi(2)).exp();
    mean -= 20.0 * bump(90.0, 18.0);
    let mut wetness = 0.30 + 0.25 * bump(0.0, 10.0) - 0.05 * bump(25.0, 8.0) + 0.12 * bump(52.0, 14.0);
    let mut haze = 0.08;

    for region in &REGIONS {
        let east = (lon - region.lon + 180.0).rem_euclid(360.0) - 180.0;
        let distance = (lat - region.lat).hypot(east * lat.to_radians().cos());
        let felt = (-(distance / region.reach).powi(2)).exp();
        let winter_share = f64::midpoint(1.0, -summer);
        mean += felt * region.warmer;
        swing *= 1.0 + felt * (region.swing - 1.0);
        wetness += felt * (region.summer * (1.0 - winter_share) + region.winter * winter_share);
        // Stoves make winter's air worse.
        haze += felt * region.haze * (0.6 + 0.8 * winter_share);
    }
    Usual {
        mean_c: mean + swing * summer,
        wetness: wetness.clamp(0.02, 0.85),
        haze: haze.clamp(0.0, 1.0),
    }
}
