//! What the configuration has of the world outside, from the file to a call: services and servers on this machine.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

mod example;
mod mcp;
mod research;
#[allow(dead_code, reason = "shared with the tests of incar-web")]
#[path = "../../../tools/web/tests/wire/site.rs"]
mod site;
mod support;
mod web;
