//! Servers that give tools, connected.

use crate::{Config, Diagnostics};
use incar_core::Tool;
use std::sync::Arc;

/// The servers of a configuration that are called once, before an assistant is put together, and that outlive it: those
/// of `[mcp]`. None where there is no such section.
///
/// Cheap to clone. Assistants that are built one after the other share one.
#[derive(Debug, Clone, Default)]
pub struct Connections {
    #[cfg(feature = "mcp")]
    mcp: Option<Arc<incar_mcp::client::McpClient>>,
}

impl Config {
    /// Starts and calls the servers of `[mcp]`; nothing where there are none. Needs a tokio runtime.
    ///
    /// A server that cannot be reached is no error ([`Connections::faults`] tells of it): it is tried again when one of
    /// its tools is called.
    ///
    /// # Errors
    /// Where a server cannot be one, which was tried when the configuration was read.
    #[cfg_attr(not(feature = "mcp"), allow(clippy::unused_async, reason = "other builds wait"))]
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
        #[cfg(feature = "mcp")]
        if let Some(mcp) = &self.mcp {
            return mcp.tools();
        }
        Vec::new()
    }

    /// What is wrong with the servers, each in one line for whoever looks after the car: who cannot be reached, which
    /// tools are off or not taken.
    pub fn faults(&self) -> Vec<String> {
        #[cfg(feature = "mcp")]
        if let Some(mcp) = &self.mcp {
            return faults(mcp);
        }
        Vec::new()
    }
}

#[cfg(feature = "mcp")]
mod mcp {
    use super::Connections;
    use incar_core::Tool;
    use incar_mcp::client::McpClient;
    use std::sync::Arc;

    impl Connections {
        /// The servers of `[mcp]`: what they list otherwise than it was accepted, and to accept that.
        pub fn mcp(&self) -> Option<&Arc<McpClient>> {
            self.mcp.as_ref()
        }

        /// The tools of one server.
        #[cfg(feature = "research")]
        pub(crate) fn tools_of(&self, server: &str) -> Vec<Arc<dyn Tool>> {
            self.mcp.as_ref().map(|mcp| mcp.tools_of(server)).unwrap_or_default()
        }
    }

    pub(super) fn faults(mcp: &McpClient) -> Vec<String> {
        let mut faults = Vec::new();
        for server in mcp.report() {
            let name = &server.name;
            faults.extend(server.fault.map(|fault| format!("the MCP server `{name}`: {fault}")));
            faults.extend(server.refused.into_iter().map(|refused| {
                let tool = refused.tool;
                format!(
                    "the MCP server `{name}`: its tool `{tool}` is not taken: {}",
                    refused.reason
                )
            }));
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
}

#[cfg(feature = "mcp")]
use mcp::faults;
