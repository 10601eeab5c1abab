//! How far and how long by road, estimated: there is no road network here.

use super::geo::GeoPoint;
use serde::{Deserialize, Serialize};

/// Road distance over great-circle distance. Published circuity factors are about 1.2 for the United States, 1.26
/// for South Korea and 1.3 to 1.4 for China and much of Europe; one factor for all is right to within about a fifth.
const ROAD_FACTOR: f64 = 1.3;
/// The speed model, for each leg: its first kilometres are in town, then on main roads, the rest on motorways.
/// Length of each stretch in metres of road (the last has none), and speed in km/h, stops included.
const STRETCHES: [(f64, f64); 3] = [(10_000.0, 28.0), (40_000.0, 55.0), (f64::INFINITY, 90.0)];
/// Points that a drawn line has at most.
const MOST_POINTS: usize = 2_000;

/// An estimate by great circle, road factor and speed model. To be said as one: "about".
/// It knows no roads, traffic or water: a leg across a sea gets an estimate too.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RouteEstimate {
    /// Distance by road in metres.
    pub distance_m: f64,
    /// Time in seconds.
    pub duration_s: f64,
}

/// Where a route leads: from, over stops, to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RoutePlan {
    stops: Vec<GeoPoint>,
}

impl RoutePlan {
    /// From a point over others to a last one.
    pub fn new(from: GeoPoint, via: &[GeoPoint], to: GeoPoint) -> Self {
        let stops = [from].into_iter().chain(via.iter().copied()).chain([to]).collect();
        Self { stops }
    }

    /// Start, stops and destination, in order.
    pub fn stops(&self) -> &[GeoPoint] {
        &self.stops
    }

    /// Distance and time for the whole route.
    pub fn estimate(&self) -> RouteEstimate {
        let legs = self.legs().map(|(_, _, road_m)| (road_m, leg_seconds(road_m)));
        let (distance_m, duration_s) = legs.fold((0.0, 0.0), |(m, s), (leg_m, leg_s)| (m + leg_m, s + leg_s));
        RouteEstimate { distance_m, duration_s }
    }

    /// The point reached after so many metres of road; beyond the end, the destination. `None` never happens for a
    /// plan made by [`RoutePlan::new`]; a plan read from storage may be empty.
    pub fn point_at(&self, road_m: f64) -> Option<GeoPoint> {
        let mut left = road_m.max(0.0);
        for (from, to, length) in self.legs() {
            if left <= length && length > 0.0 {
                return Some(from.between(to, left / length));
            }
            left -= length;
        }
        self.stops.last().copied()
    }

    /// Points along the route from start to destination, so many metres of road apart (more on very long routes).
    pub fn line(&self, spacing_m: f64) -> Vec<GeoPoint> {
        let total = self.estimate().distance_m;
        let spacing = spacing_m.max(1.0).max(total / MOST_POINTS as f64);
        let points = (total / spacing).ceil() as usize;
        let between = (0..points).filter_map(|index| self.point_at(index as f64 * spacing));
        between.chain(self.stops.last().copied()).collect()
    }

    /// The distance of a point to the route as the crow flies, in metres; `None` for an empty plan.
    pub fn distance_to_m(&self, point: GeoPoint) -> Option<f64> {
        point.distance_to_line_m(&self.stops)
    }

    fn legs(&self) -> impl Iterator<Item = (GeoPoint, GeoPoint, f64)> {
        self.stops.windows(2).filter_map(|pair| match pair {
            [from, to] => Some((*from, *to, from.distance_m(*to) * ROAD_FACTOR)),
            _ => None,
        })
    }
}

fn leg_seconds(road_m: f64) -> f64 {
    let mut left = road_m;
    let mut seconds = 0.0;
    for (stretch_m, kmh) in STRETCHES {
        let here = left.min(stretch_m);
        seconds += here / (kmh / 3.6);
        left -= here;
    }
    seconds
}
