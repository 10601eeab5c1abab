//! Tools of MCP servers, as tools of the registry.
//!
//! A server is not trusted. Its tools are named `server__tool` and never replace one of ours; a call that may
//! change something waits for the driver's yes; arguments that miss the schema never leave; what comes back is
//! bounded and marked as untrusted data; a tool that the server describes otherwise than when it was accepted
//! is off. See `docs/mcp.md`.

mod call;
mod config;
mod definition;
mod dial;
mod form;
mod handler;
mod link;
mod name;
mod pins;
mod result;
mod schema;
mod server;
#[cfg(test)]
mod tests;
mod tool;
mod waiting;

pub use config::{ConfigError, Elicitation, Hints, ServerConfig, Transport};
pub use definition::ToolDefinition;
pub use pins::{FilePins, MemoryPins, PinError, PinStore, Pins};
pub use server::{RefusedTool, ToolChange};

use dial::{Dial, dialler};
use incar_core::Tool;
use server::{Server, Servers};
use std::sync::Arc;
use tool::OutsideTool;

/// The MCP servers of a host.
///
/// ```no_run
/// # async fn example() -> Result<(), incar_mcp::client::ConfigError> {
/// use incar_mcp::client::{FilePins, McpClient, ServerConfig};
/// use std::sync::Arc;
///
/// let tavily = ServerConfig::stdio("tavily", "npx")
///     .args(["-y", "tavily-mcp"])
///     .pass_env(["PATH", "HOME", "TAVILY_API_KEY"]);
/// let client = McpClient::connect([tavily], Arc::new(FilePins::new("/var/lib/car/mcp.json"))).await?;
/// for change in client.changes() {
///     println!("{} has changed and is off: see it, then client.accept(&change)", change.tool);
/// }
/// let tools = client.tools(); // for AssistantBuilder::with_tools
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct McpClient {
    servers: Servers,
}

/// How a server does.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ServerReport {
    /// The server.
    pub name: String,
    /// The names of its tools, as they are registered.
    pub tools: Vec<String>,
    /// Tools that are not taken, and why; the first 32.
    pub refused: Vec<RefusedTool>,
    /// What went wrong last, if something did and it did not go well since.
    pub fault: Option<String>,
}

impl McpClient {
    /// Connects to all servers at once and lists their tools. A server that cannot be reached now is tried
    /// again when one of its tools is called; until it is reached for the first time it has none.
    ///
    /// Needs a tokio runtime.
    ///
    /// # Errors
    /// [`ConfigError`] where a configuration is wrong. A server that is down or misbehaves is none; see
    /// [`McpClient::report`].
    pub async fn connect(
        servers: impl IntoIterator<Item = ServerConfig>,
        pins: Arc<dyn PinStore>,
    ) -> Result<Self, ConfigError> {
        Self::connect_in(servers, pins, |name| std::env::var(name).ok()).await
    }

    /// The same, the variables that the configurations name looked up by `environment` instead of in that of the
    /// process.
    ///
    /// # Errors
    /// As [`McpClient::connect`].
    pub async fn connect_in(
        servers: impl IntoIterator<Item = ServerConfig>,
        pins: Arc<dyn PinStore>,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, ConfigError> {
        let dialled: Result<Vec<_>, ConfigError> = servers
            .into_iter()
            .map(|config| Ok((dialler(&config, &environment)?, config)))
            .collect();
        Self::connect_with(dialled?, pins).await
    }

    async fn connect_with(
        dialled: Vec<(Box<dyn Dial>, ServerConfig)>,
        pins: Arc<dyn PinStore>,
    ) -> Result<Self, ConfigError> {
        let mut servers = Servers::new();
        let mut connecting = Vec::new();
        for (dial, config) in dialled {
            let name = config.name.clone();
            let server = Arc::new(Server::new(config, dial, pins.clone()));
            if servers.insert(name.clone(), server.clone()).is_some() {
                return Err(ConfigError::SameName(name));
            }
            connecting.push(tokio::spawn(async move { server.ready().await.map(drop) }));
        }
        for server in connecting {
            // What went wrong is kept with the server.
            let _ = server.await;
        }
        Ok(Self { servers })
    }

    /// The tools that may be called: those accepted, of servers that list them as they were accepted or
    /// were not reached yet. Register them once, when the assistant is built.
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        self.servers.values().flat_map(tools_of).collect()
    }

    /// Those of one server; none where there is no such server.
    pub fn tools_of(&self, server: &str) -> Vec<Arc<dyn Tool>> {
        self.servers.get(server).map(tools_of).unwrap_or_default()
    }

    /// What servers list otherwise than the host accepted. These tools are off.
    pub fn changes(&self) -> Vec<ToolChange> {
        self.servers.values().flat_map(|server| server.changes()).collect()
    }

    /// Accepts a change as it was shown. What a model is told of a tool is fixed when it is registered:
    /// the tool is on again once the assistant is built anew with [`McpClient::tools`].
    ///
    /// # Errors
    /// [`PinError`] where it could not be kept; nothing is accepted then.
    pub fn accept(&self, change: &ToolChange) -> Result<(), PinError> {
        match self.servers.get(&change.server) {
            Some(server) => server.accept(change),
            None => Err(PinError(format!("there is no server `{}`", change.server))),
        }
    }

    /// How the servers do, by name.
    pub fn report(&self) -> Vec<ServerReport> {
        let of_server = |server: &Arc<Server>| ServerReport {
            name: server.config.name.clone(),
            tools: server
                .tools()
                .iter()
                .map(|(tool, _)| name::local_name(&server.config.name, tool))
                .collect(),
            refused: server.refused(),
            fault: server.fault(),
        };
        self.servers.values().map(of_server).collect()
    }
}

fn tools_of(server: &Arc<Server>) -> Vec<Arc<dyn Tool>> {
    let tools = server.tools().into_iter();
    let tools = tools.filter_map(|(name, definition)| OutsideTool::new(server, name, definition));
    tools.map(|tool| Arc::new(tool) as Arc<dyn Tool>).collect()
}
