//! What can be seen of an assistant from outside: traces, counters, notices, and what leaves the car.
#![allow(
    clippy::expect_used,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

mod capture;
mod counters;
mod notices;
#[allow(dead_code, reason = "the client's own suite uses the rest")]
#[path = "../../models/openai/tests/wire/server.rs"]
mod server;
mod setup;
mod traces;
mod wire;
mod withheld;
