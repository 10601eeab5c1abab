//! Services that fail in every way there is, on this machine: through the chain of the cloud and the
//! embedded brain the driver gets a right answer in time, and nothing is done twice.
//!
//! Deadlines are real but short. What is asserted is who answered, what was done and in which order,
//! never how long it took; a test that hangs shows an unbounded wait.

#[cfg(test)]
mod faults;
#[cfg(test)]
mod rounds;
#[cfg(test)]
#[allow(dead_code, reason = "the client's own suite uses the rest")]
#[path = "../../models/openai/tests/wire/server.rs"]
mod server;
#[cfg(test)]
mod support;
