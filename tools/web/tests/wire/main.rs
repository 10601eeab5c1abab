//! Services and pages over real sockets on this machine.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

mod pages;
mod services;
mod site;
