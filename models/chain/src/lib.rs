//! The fallback chain of incar: several models as one.
//!
//! A car drives through tunnels. A [`Chain`] asks the cloud first and falls back to the embedded
//! brain, or asks the brain first where it is sure, or never leaves the car; see [`Mode`].

mod breaker;
mod chain;
mod fault;
mod link;
mod run;

pub use breaker::BreakerSettings;
pub use chain::{Chain, Mode};
pub use link::{Deadlines, Link, Retry};
