//! Points on the globe and distances between them.

use serde::{Deserialize, Serialize};

/// Mean radius of the Earth in metres (IUGG).
const EARTH_RADIUS_M: f64 = 6_371_008.8;
/// Up to here the Earth is taken as flat when the distance to a line is measured.
const FLAT_M: f64 = 20_000.0;

/// A point on the globe (WGS 84). Not the tool surface's `Position`, which is a seat.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Degrees", into = "Degrees")]
pub struct GeoPoint {
    lat: f64,
    lon: f64,
}

/// A latitude outside −90…90, a longitude outside −180…180, or not a number.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("no such point on the globe: latitude {lat}, longitude {lon}")]
pub struct OutOfRange {
    /// The latitude given, in degrees.
    pub lat: f64,
    /// The longitude given, in degrees.
    pub lon: f64,
}

#[derive(Serialize, Deserialize)]
struct Degrees {
    lat: f64,
    lon: f64,
}

impl TryFrom<Degrees> for GeoPoint {
    type Error = OutOfRange;
    fn try_from(degrees: Degrees) -> Result<Self, OutOfRange> {
        Self::new(degrees.lat, degrees.lon)
    }
}

impl From<GeoPoint> for Degrees {
    fn from(point: GeoPoint) -> Self {
        Self {
            lat: point.lat,
            lon: point.lon,
        }
    }
}

impl GeoPoint {
    /// The point at a latitude and longitude in degrees, north and east positive.
    ///
    /// # Errors
    /// [`OutOfRange`] where there is no such point.
    pub fn new(lat: f64, lon: f64) -> Result<Self, OutOfRange> {
        if (-90.0..=90.0).contains(&lat) && (-180.0..=180.0).contains(&lon) {
            Ok(Self { lat, lon })
        } else {
            Err(OutOfRange { lat, lon })
        }
    }

    /// The nearest valid point: latitude clamped, longitude wrapped around.
    pub(super) fn wrapped(lat: f64, lon: f64) -> Self {
        Self {
            lat: lat.clamp(-90.0, 90.0),
            lon: (lon + 180.0).rem_euclid(360.0) - 180.0,
        }
    }

    /// Latitude in degrees.
    pub fn lat(self) -> f64 {
        self.lat
    }

    /// Longitude in degrees.
    pub fn lon(self) -> f64 {
        self.lon
    }

    /// The great-circle distance to another point, in metres (haversine).
    pub fn distance_m(self, other: Self) -> f64 {
        let (lat1, lat2) = (self.lat.to_radians(), other.lat.to_radians());
        let half_lat = ((lat2 - lat1) / 2.0).sin();
        let half_lon = ((other.lon - self.lon).to_radians() / 2.0).sin();
        let h = half_lat * half_lat + lat1.cos() * lat2.cos() * half_lon * half_lon;
        2.0 * EARTH_RADIUS_M * h.clamp(0.0, 1.0).sqrt().asin()
    }

    /// The point at `fraction` (0…1) of the great circle from here to `other`.
    pub fn between(self, other: Self, fraction: f64) -> Self {
        let angle = self.distance_m(other) / EARTH_RADIUS_M;
        let sine = angle.sin();
        if sine.abs() < 1e-12 {
            return if fraction < 0.5 { self } else { other };
        }
        let fraction = fraction.clamp(0.0, 1.0);
        let (a, b) = (((1.0 - fraction) * angle).sin() / sine, (fraction * angle).sin() / sine);
        let ([x1, y1, z1], [x2, y2, z2]) = (self.unit_vector(), other.unit_vector());
        let (x, y, z) = (a * x1 + b * x2, a * y1 + b * y2, a * z1 + b * z2);
        Self::wrapped(z.atan2(x.hypot(y)).to_degrees(), y.atan2(x).to_degrees())
    }

    fn unit_vector(self) -> [f64; 3] {
        let (lat, lon) = (self.lat.to_radians(), self.lon.to_radians());
        [lat.cos() * lon.cos(), lat.cos() * lon.sin(), lat.sin()]
    }

    /// The distance to the nearest point of a line, in metres; `None` for a line without points.
    pub fn distance_to_line_m(self, line: &[Self]) -> Option<f64> {
        let nearest_vertex = line
            .iter()
            .map(|&vertex| self.distance_m(vertex))
            .min_by(f64::total_cmp)?;
        let segments = line.windows(2).filter_map(|pair| match pair {
            // A segment cannot come nearer than its start by more than its length.
            [from, to] if self.distance_m(*from) - from.distance_m(*to) > nearest_vertex => None,
            [from, to] => Some(self.distance_to_segment_m(*from, *to)),
            _ => None,
        });
        segments.chain([nearest_vertex]).min_by(f64::total_cmp)
    }

    fn distance_to_segment_m(self, from: Self, to: Self) -> f64 {
        let length = from.distance_m(to);
        if length < FLAT_M && self.distance_m(from) < FLAT_M {
            return self.distance_to_flat_segment_m(from, to);
        }
        // Ternary search: the distance along a segment shorter than half the globe has one minimum.
        let (mut low, mut high) = (0.0_f64, 1.0_f64);
        let steps = if length < 1.0 { 0 } else { 48 };
        for _ in 0..steps {
            let third = (high - low) / 3.0;
            let (left, right) = (low + third, high - third);
            if self.distance_m(from.between(to, left)) <= self.distance_m(from.between(to, right)) {
                high = right;
            } else {
                low = left;
            }
        }
        self.distance_m(from.between(to, f64::midpoint(low, high)))
    }

    /// On a map around this point that is flat, which does for short distances and is a hundred times faster.
    fn distance_to_flat_segment_m(self, from: Self, to: Self) -> f64 {
        let metres = EARTH_RADIUS_M.to_radians();
        let flat = |point: Self| {
            let east = (point.lon - self.lon + 180.0).rem_euclid(360.0) - 180.0;
            (
                east * self.lat.to_radians().cos() * metres,
                (point.lat - self.lat) * metres,
            )
        };
        let ((x1, y1), (x2, y2)) = (flat(from), flat(to));
        let (dx, dy) = (x2 - x1, y2 - y1);
        let square = dx * dx + dy * dy;
        let part = if square > 0.0 {
            (-(x1 * dx + y1 * dy) / square).clamp(0.0, 1.0)
        } else {
            0.0
        };
        (x1 + part * dx).hypot(y1 + part * dy)
    }
}
