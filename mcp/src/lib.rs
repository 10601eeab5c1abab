//! MCP both ways: the tools of any MCP server for incar's agents ([`client`]), and the car's tools for any MCP
//! client ([`server`]).
//!
//! One crate for both, because both keep rmcp's types inside; two modules, because they share nothing else.
//! The client needs nothing above core. The server calls the Assistant, which alone knows the policies, the
//! journal and the driver.

#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "server")]
pub mod server;
