//! Servers that give tools, connected.

use crate::{Config, Diagnostics};
use incar_core::Tool;
#[cfg(feature = "mcp")]
use incar_mcp::client::McpClient;
use std::sync::Arc;

/// The servers of a configuration that are called once, before an assistant is put together, and that outlive it: those
/// of `[mcp]`. None where there is no such section.
///
/// Cheap to clone. Assistants that are built one after the other share one.
#[derive(Debug, Clone, Default)]
pub struct Connections {
    mcp: Option<Arc<McpClient>>,
}

impl Config {
    /// Starts and calls the servers of `[mcp]`; nothing where there are none. Needs a tokio runtime.
    ///
    /// A server that cannot be reached is no error ([`Connections::faults`] tells of it): it is tried again when one of
    /// its tools is called.
    ///
    /// # Errors
    /// Where a server cannot be one, which was tried when the configuration was read.
    pub async fn connect(&self) -> Result<Connections, Diagnostics> {
        #[cfg(feature = "mcp")]
        if let Some(mcp) = &self.mcp {
            let mcp = Some(Arc::new(mcp.connect().await?));
            return Ok(Connections { mcp });
        }
        Ok(Connections::default())
    }
}

impl Connections {
    /// The tools of all servers.
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        self.mcp.as_ref().map(|mcp| mcp.tools()).unwrap_or_default()
    }

    /// The tools of one server, by its name.
    pub fn tools_of(&self, server: &str) -> Vec<Arc<dyn Tool>> {
        let tools = self.mcp.as_ref().map(|mcp| mcp.tools_of(server));
        tools.unwrap_or_default()
    }

    /// What is wrong with the servers, each in one line for whoever looks after the car: who cannot be reached, which
    /// tools are off or not taken.
    pub fn faults(&self) -> Vec<String> {
        self.mcp.as_ref().map(|mcp| faults(mcp)).unwrap_or_default()
    }

    /// The servers of `[mcp]`: what they list otherwise than it was accepted, and to accept that.
    #[cfg(feature = "mcp")]
    pub fn mcp(&self) -> Option<&Arc<McpClient>> {
        self.mcp.as_ref()
    }
}

#[cfg(feature = "mcp")]
fn faults(mcp: &McpClient) -> Vec<String> {
    let mut faults = Vec::new();
    for server in mcp.report() {
        let of = format!("the MCP server `{}`", server.name);
        faults.extend(server.fault.map(|fault| format!("{of}: {fault}")));
        let refused = server.refused.into_iter();
        faults.extend(refused.map(|tool| format!("{of}: its tool `{}` is not taken: {}", tool.tool, tool.reason)));
    }
    faults.extend(mcp.changes().into_iter().map(|change| {
        let what = match (&change.accepted, &change.listed) {
            (Some(_), Some(_)) => "has changed",
            (Some(_), None) => "is gone",
            (None, _) => "is new",
        };
        let (server, tool) = (change.server, change.tool);
        format!("the MCP server `{server}`: its tool `{tool}` {what} and is off until that is accepted")
    }));
    faults
}

/// The client of a build without servers: there is none.
#[cfg(not(feature = "mcp"))]
#[derive(Debug)]
enum McpClient {}

#[cfg(not(feature = "mcp"))]
impl McpClient {
    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        match *self {}
    }

    fn tools_of(&self, _: &str) -> Vec<Arc<dyn Tool>> {
        match *self {}
    }
}

#[cfg(not(feature = "mcp"))]
fn faults(mcp: &McpClient) -> Vec<String> {
    match *mcp {}
}
