//! The car behind Eclipse KUKSA's databroker: [`KuksaVehicle`] is incar's vehicle on `kuksa.val.v2`, and with the feature
//! `server` [`server::CarServer`] is the simulated car as such a broker.
//!
//! Tools keep speaking of signals by their own names, which are those of the Vehicle Signal Specification; where a car
//! differs from these, a table and a maker's [`Overlay`] say so. No type of the protocol is in a public signature.

mod actuate;
mod client;
mod config;
mod error;
mod link;
mod mirror;
mod proto;
mod routes;
#[cfg(all(test, feature = "server"))]
mod scripted;
#[cfg(feature = "server")]
pub mod server;
mod vehicle;
mod wire;

pub use config::{KuksaConfig, Token};
pub use error::KuksaError;
pub use routes::{Overlay, OverlayError};
pub use vehicle::KuksaVehicle;
