//! The time zone of a place on the globe.

use crate::places::GeoPoint;
use jiff::tz::{Offset, TimeZone};
use std::sync::LazyLock;

/// Made by `data/time_zones/build.py`: the zone of the nearest point is the zone.
static POINTS: LazyLock<Vec<Point>> = LazyLock::new(|| {
    include_str!("../../data/time_zones/points.tsv")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(Point::parse)
        .collect()
});

struct Point {
    at: GeoPoint,
    zone: &'static str,
}

impl Point {
    fn parse(line: &'static str) -> Option<Self> {
        let mut fields = line.split('\t');
        let (lat, lon) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
        Some(Self {
            at: GeoPoint::new(lat, lon).ok()?,
            zone: fields.next()?,
        })
    }
}

/// The time zone at a place, with its rules of summer time; at sea, that of the nearest land.
pub(crate) fn zone_at(point: GeoPoint) -> TimeZone {
    // A squared chord grows with the distance and is far cheaper.
    let vector = |point: GeoPoint| {
        let (lat, lon) = (point.lat().to_radians(), point.lon().to_radians());
        [lat.cos() * lon.cos(), lat.cos() * lon.sin(), lat.sin()]
    };
    let here = vector(point);
    let chord = |at: GeoPoint| {
        let there = vector(at);
        here.iter().zip(there).map(|(a, b)| (a - b).powi(2)).sum::<f64>()
    };
    let nearest = POINTS
        .iter()
        .map(|known| (chord(known.at), known.zone))
        .min_by(|a, b| a.0.total_cmp(&b.0));
    nearest
        .and_then(|(_, zone)| TimeZone::get(zone).ok())
        .unwrap_or_else(|| by_the_sun(point))
}

/// The zone that the sun would give.
#[allow(clippy::cast_possible_truncation)] // −12 to 12
fn by_the_sun(point: GeoPoint) -> TimeZone {
    let hours = (point.lon() / 15.0).round() as i32;
    TimeZone::fixed(Offset::from_seconds(hours * 3_600).unwrap_or(Offset::UTC))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn towns_are_in_their_zones_and_have_summer_time_where_there_is_one() {
        // Latitude, longitude, hours from UTC in January and in July 2026.
        for (name, lat, lon, january, july) in [
            ("Beijing", 39.909, 116.397, 8.0, 8.0),
            ("Ürümqi", 43.80, 87.60, 6.0, 6.0),
            ("London", 51.51, -0.13, 0.0, 1.0),
            ("Paris", 48.85, 2.35, 1.0, 2.0),
            ("New York", 40.71, -74.01, -5.0, -4.0),
            ("Phoenix", 33.45, -112.07, -7.0, -7.0),
            ("Denver", 39.74, -104.98, -7.0, -6.0),
            ("El Paso", 31.76, -106.49, -7.0, -6.0),
            ("Honolulu", 21.31, -157.86, -10.0, -10.0),
            ("Delhi", 28.65, 77.23, 5.5, 5.5),
            ("Kathmandu", 27.70, 85.32, 5.75, 5.75),
            ("Sydney", -33.87, 151.21, 11.0, 10.0),
            ("Brisbane", -27.47, 153.03, 10.0, 10.0),
            ("Auckland", -36.85, 174.76, 13.0, 12.0),
            ("São Paulo", -23.55, -46.63, -3.0, -3.0),
        ] {
            let zone = zone_at(GeoPoint::new(lat, lon).unwrap());
            for (month, hours) in [(1, january), (7, july)] {
                let noon = jiff::civil::date(2026, month, 15)
                    .at(12, 0, 0, 0)
                    .to_zoned(zone.clone())
                    .unwrap();
                assert_eq!(
                    f64::from(noon.offset().seconds()) / 3_600.0,
                    hours,
                    "{name} in month {month}"
                );
            }
        }
    }

    #[test]
    fn every_zone_of_the_table_has_its_rules() {
        assert!(POINTS.len() > 1_000);
        for point in POINTS.iter() {
            assert!(TimeZone::get(point.zone).is_ok(), "{}", point.zone);
        }
    }
}
