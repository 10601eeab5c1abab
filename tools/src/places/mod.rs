//! The embedded gazetteer: where named places are, what is near, and about how far it is.
//!
//! Cities, districts and countries are from GeoNames, airports from `airportsdata`, landmarks and stations
//! are written by hand. Everyday places (fuel, coffee, car parks …) are simulated: made up, but the same ones
//! each time at the same spot, and marked [`Place::simulated`]. `data/places/README.md` says what is from where.
//!
//! Nothing is read at run time and nothing is built at the start: the tables are compiled in, sorted, and
//! searched where they lie.
//!
//! ```
//! use incar_tools::places::{Gazetteer, GeoPoint, Query};
//!
//! let gazetteer = Gazetteer::embedded();
//! let car = GeoPoint::new(39.909, 116.397)?;
//!
//! let hits = gazetteer.search(&Query::new("北京故宫").near(car));
//! assert_eq!(hits[0].place.name.en, "Forbidden City");
//!
//! let fuel = gazetteer.search(&Query::new("gas station").near(car).limit(3));
//! assert!(fuel.iter().all(|hit| hit.place.simulated));
//! # Ok::<(), incar_tools::places::OutOfRange>(())
//! ```

mod candidate;
mod category;
mod gazetteer;
mod geo;
mod key;
mod letters;
mod lines;
mod place;
mod query;
mod region;
mod route;
mod search;
mod simulate;
#[cfg(test)]
mod tests;

pub use category::Category;
pub use gazetteer::Gazetteer;
pub use geo::{GeoPoint, OutOfRange};
pub use place::{Place, PlaceId, PlaceKind};
pub use query::{Hit, Matched, Query, clear_winner};
pub use route::{RouteEstimate, RoutePlan};
