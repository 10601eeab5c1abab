//! The client against scripted services on this machine: what it asks, what it makes of the answers,
//! and what it does when they fail.

#[cfg(test)]
mod failures;
#[cfg(test)]
mod replies;
#[cfg(test)]
mod requests;
#[cfg(test)]
mod safety;
#[cfg(test)]
#[allow(dead_code, reason = "other suites use it too")]
mod server;
#[cfg(test)]
mod service;
