//! A journey of the simulator: where on its route the car is after so many metres.

use crate::places::{GeoPoint, Place, RouteEstimate, RoutePlan};

/// So near to the destination the car has arrived.
const ARRIVAL_M: f64 = 30.0;

/// From where, over which stops, to where, and what the odometer read at the start.
#[derive(Debug, Clone)]
pub(super) struct Journey {
    from: GeoPoint,
    via: Vec<Place>,
    pub(super) destination: Place,
    odometer_m: f64,
}

/// How far a journey has come.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Progress {
    pub(super) position: GeoPoint,
    /// The stops still ahead.
    pub(super) via: Vec<Place>,
    pub(super) left: RouteEstimate,
    pub(super) arrived: bool,
}

impl Journey {
    pub(super) fn new(from: GeoPoint, via: Vec<Place>, destination: Place, odometer_m: f64) -> Self {
        Self {
            from,
            via,
            destination,
            odometer_m,
        }
    }

    /// Where it stands when the odometer reads so many metres.
    pub(super) fn at(&self, odometer_m: f64) -> Progress {
        let driven = (odometer_m - self.odometer_m).max(0.0);
        let stops: Vec<GeoPoint> = self.via.iter().map(|place| place.position).collect();
        let passed = (0..stops.len())
            .take_while(|&stop| self.road_m(&stops, stop) <= driven)
            .count();
        let position = RoutePlan::new(self.from, &stops, self.destination.position)
            .point_at(driven)
            .unwrap_or(self.from);
        let via: Vec<Place> = self.via.iter().skip(passed).cloned().collect();
        let left = ahead(position, &via, &self.destination).estimate();
        Progress {
            position,
            left,
            // A journey to where the car stands already is over only when it drives off.
            arrived: via.is_empty() && left.distance_m <= ARRIVAL_M && driven > 0.0,
            via,
        }
    }

    /// The road from the start to a stop.
    fn road_m(&self, stops: &[GeoPoint], stop: usize) -> f64 {
        let before = stops.get(..stop).unwrap_or_default();
        stops.get(stop).map_or(f64::INFINITY, |&to| {
            RoutePlan::new(self.from, before, to).estimate().distance_m
        })
    }
}

/// The route from a point over stops to a destination.
pub(super) fn ahead(from: GeoPoint, via: &[Place], destination: &Place) -> RoutePlan {
    let stops: Vec<GeoPoint> = via.iter().map(|place| place.position).collect();
    RoutePlan::new(from, &stops, destination.position)
}
