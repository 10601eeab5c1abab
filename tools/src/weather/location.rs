//! Where the car is.

use crate::places::GeoPoint;
use crate::vehicle::Vehicle;
use std::fmt::Debug;
use std::sync::Arc;

const LATITUDE: &str = "Vehicle.CurrentLocation.Latitude";
const LONGITUDE: &str = "Vehicle.CurrentLocation.Longitude";

/// Whoever knows where the car is.
pub trait Locator: Send + Sync + Debug {
    /// Where it is now; `None` where that is not known.
    fn position(&self) -> Option<GeoPoint>;
}

/// Where the car is by its own signals.
#[derive(Debug, Clone)]
pub struct VehicleLocator(Arc<dyn Vehicle>);

impl VehicleLocator {
    /// By the signals of this car.
    pub fn new(vehicle: Arc<dyn Vehicle>) -> Self {
        Self(vehicle)
    }
}

impl Locator for VehicleLocator {
    fn position(&self) -> Option<GeoPoint> {
        let number = |signal: &str| self.0.value(signal).ok()?.as_number();
        GeoPoint::new(number(LATITUDE)?, number(LONGITUDE)?).ok()
    }
}
