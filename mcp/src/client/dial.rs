//! Opening a connection to a server: a child process, or HTTP.

use super::config::{ConfigError, ServerConfig, Transport};
use super::handler::Handler;
use async_trait::async_trait;
use incar_net::{Trust, is_this_machine, tls};
use process_wrap::tokio::{ChildWrapper, CommandWrap, ProcessGroup};
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::Policy;
use rmcp::RoleClient;
use rmcp::service::{ClientCacheConfig, RunningService, serve_client};
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::common::client_side_sse::ExponentialBackoff;
use rmcp::transport::streamable_http_client::{StreamableHttpClientTransport, StreamableHttpClientTransportConfig};
use std::fmt::{self, Debug};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::process::{ChildStderr, Command};

/// How long a TCP connection may take to be made.
const TCP_CONNECT: Duration = Duration::from_secs(10);

/// A connection on which a server speaks.
pub(super) struct Dialled {
    pub(super) service: RunningService<RoleClient, Handler>,
    _child: Option<Child>,
}

impl Debug for Dialled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dialled").finish_non_exhaustive()
    }
}

/// A connection could not be opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(super) struct DialError(pub(super) String);

impl DialError {
    pub(super) fn new(error: impl fmt::Display) -> Self {
        Self(error.to_string())
    }
}

/// Opens connections to one server.
#[async_trait]
pub(super) trait Dial: Send + Sync + Debug {
    async fn dial(&self, handler: Handler) -> Result<Dialled, DialError>;
}

impl Dialled {
    pub(super) async fn new(service: RunningService<RoleClient, Handler>, child: Option<Child>) -> Self {
        // What a server lists is asked for when it matters; an answer kept by its word would hide a change.
        let mut cache = ClientCacheConfig::default();
        cache.enabled = false;
        service.peer().set_response_cache_config(cache).await;
        Self { service, _child: child }
    }

    pub(super) fn is_closed(&self) -> bool {
        self.service.is_closed() || self.service.peer().is_transport_closed()
    }
}

/// How the server of a configuration is dialled; what it names in our environment is looked up now.
pub(super) fn dialler(
    config: &ServerConfig,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Result<Box<dyn Dial>, ConfigError> {
    config.check_name()?;
    let variable = |name: &str| {
        environment(name).ok_or_else(|| ConfigError::Environment {
            server: config.name.clone(),
            variable: name.to_owned(),
        })
    };
    match &config.transport {
        Transport::Stdio {
            command,
            args,
            pass_env,
        } => {
            let env: Result<Vec<_>, _> = pass_env
                .iter()
                .map(|name| Ok((name.clone(), variable(name)?)))
                .collect();
            Ok(Box::new(Process {
                server: config.name.clone(),
                command: command.clone(),
                args: args.clone(),
                env: env?,
                longest_message: config.longest_message,
            }))
        }
        Transport::Http {
            url,
            headers_from_env,
            token_from_env,
        } => {
            let url = endpoint(config, url)?;
            let mut headers = HeaderMap::new();
            for (header, from) in headers_from_env {
                let wrong = |_| ConfigError::Header {
                    server: config.name.clone(),
                    header: header.clone(),
                };
                let name = HeaderName::try_from(header.as_str()).map_err(|_| wrong(()))?;
                let mut value = HeaderValue::try_from(variable(from)?).map_err(|_| wrong(()))?;
                value.set_sensitive(true);
                headers.insert(name, value);
            }
            let token = token_from_env.as_deref().map(variable).transpose()?;
            Ok(Box::new(Http {
                client: http_client(&url)?,
                url,
                headers,
                token,
                longest_message: config.longest_message,
            }))
        }
    }
}

/// A server as a child process.
struct Process {
    server: String,
    command: String,
    args: Vec<String>,
    env: Vec<(String, String)>,
    longest_message: usize,
}

impl Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The environment holds keys.
        f.debug_struct("Process")
            .field("command", &self.command)
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl Dial for Process {
    async fn dial(&self, handler: Handler) -> Result<Dialled, DialError> {
        let mut command = Command::new(&self.command);
        command
            .args(&self.args)
            .env_clear()
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        let mut wrapped = CommandWrap::from(command);
        // `npx` starts the program itself as a child of its own: both end together.
        wrapped.wrap(ProcessGroup::leader());
        let mut child = Child(wrapped.spawn().map_err(DialError::new)?);
        let (Some(stdin), Some(stdout)) = (child.0.stdin().take(), child.0.stdout().take()) else {
            return Err(DialError::new("the process has no standard input and output"));
        };
        if let Some(stderr) = child.0.stderr().take() {
            tokio::spawn(log(stderr, self.server.clone()));
        }
        let transport = AsyncRwTransport::new_client(stdout, stdin).with_max_line_length(self.longest_message);
        let service = serve_client(handler, transport).await.map_err(DialError::new)?;
        Ok(Dialled::new(service, Some(child)).await)
    }
}

/// Reads what a child complains about, so that it is never kept waiting for a reader.
async fn log(mut stderr: ChildStderr, server: String) {
    let mut buffer = [0; 2048];
    while let Ok(read @ 1..) = stderr.read(&mut buffer).await {
        let said = String::from_utf8_lossy(buffer.get(..read).unwrap_or_default());
        tracing::debug!(server, stderr = said.trim_end(), "an MCP server complains");
    }
}

/// A child process with those it started; dropped, all are ended.
#[derive(Debug)]
pub(super) struct Child(Box<dyn ChildWrapper>);

impl Drop for Child {
    fn drop(&mut self) {
        if let Err(error) = self.0.start_kill() {
            tracing::debug!(%error, "an MCP server had ended already");
        }
    }
}

/// A server over HTTP.
struct Http {
    client: reqwest::Client,
    url: Url,
    headers: HeaderMap,
    token: Option<String>,
    longest_message: usize,
}

impl Debug for Http {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Http")
            .field("host", &self.url.host_str())
            .finish_non_exhaustive()
    }
}

#[async_trait]
impl Dial for Http {
    async fn dial(&self, handler: Handler) -> Result<Dialled, DialError> {
        let headers = self.headers.iter().map(|(name, value)| (name.clone(), value.clone()));
        let mut config = StreamableHttpClientTransportConfig::with_uri(self.url.as_str())
            .custom_headers(headers.collect())
            .max_sse_event_size(self.longest_message);
        config.retry_config = Arc::new(brief_retries());
        if let Some(token) = &self.token {
            config = config.auth_header(token.clone());
        }
        let transport = StreamableHttpClientTransport::with_client(self.client.clone(), config);
        let service = serve_client(handler, transport).await.map_err(DialError::new)?;
        Ok(Dialled::new(service, None).await)
    }
}

/// A stream that breaks off is taken up again if the server is still there: three tries in some 4 s. After
/// that its calls are lost, and that is told.
fn brief_retries() -> ExponentialBackoff {
    let mut retries = ExponentialBackoff::default();
    retries.max_times = Some(3);
    retries.base_duration = Duration::from_millis(500);
    retries
}

/// The address, where it may be used: what goes over the network is encrypted.
fn endpoint(config: &ServerConfig, text: &str) -> Result<Url, ConfigError> {
    let refused = |reason: &str| {
        Err(ConfigError::Url {
            server: config.name.clone(),
            reason: reason.to_owned(),
        })
    };
    let url = match Url::parse(text.trim()) {
        Ok(url) => url,
        Err(error) => return refused(&error.to_string()),
    };
    let here = is_this_machine(url.host_str().unwrap_or_default());
    match url.scheme() {
        _ if !url.username().is_empty() || url.password().is_some() => {
            refused("a key belongs in a variable of the environment, not in the address")
        }
        "https" => Ok(url),
        "http" if here => Ok(url),
        "http" => refused("plain http is only for this machine"),
        _ => refused("it must begin with https:// or http://"),
    }
}

/// The HTTP client. It follows no redirects: keys and arguments go to the configured address alone.
fn http_client(url: &Url) -> Result<reqwest::Client, ConfigError> {
    let failed = |error: &dyn fmt::Display| ConfigError::Tls(error.to_string());
    let tls = tls(Trust::for_scheme(url.scheme())).map_err(|error| failed(&error))?;
    reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .redirect(Policy::none())
        .connect_timeout(TCP_CONNECT)
        .no_proxy()
        .build()
        .map_err(|error| failed(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_encrypted_or_on_this_machine_and_holds_no_key() {
        for (url, fits) in [
            ("https://mcp.tavily.com/mcp", true),
            ("http://127.0.0.1:3001/mcp", true),
            ("http://[::1]:3001/mcp", true),
            ("http://localhost:3001/mcp", true),
            ("http://10.0.0.1/mcp", false),
            ("http://127.0.0.1.evil.example/mcp", false),
            ("https://key@mcp.example/mcp", false),
            ("file:///etc/passwd", false),
            ("mcp", false),
        ] {
            assert_eq!(ServerConfig::http("s", url).check(|_| None).is_ok(), fits, "{url}");
        }
    }

    #[test]
    fn what_a_configuration_names_must_be_there() {
        let nowhere = "INCAR_MCP_TEST_NOT_SET";
        for config in [
            ServerConfig::stdio("s", "true").pass_env([nowhere]),
            ServerConfig::http("s", "http://127.0.0.1/mcp").token_from_env(nowhere),
            ServerConfig::http("s", "http://127.0.0.1/mcp").header_from_env("x-key", nowhere),
        ] {
            let missing = config.check(|_| None).err();
            assert!(matches!(missing, Some(ConfigError::Environment { .. })), "{missing:?}");
            assert_eq!(
                config.check(|name| (name == nowhere).then(|| "there".to_owned())),
                Ok(())
            );
        }
        let header = ServerConfig::http("s", "http://127.0.0.1/mcp").header_from_env("x key", "PATH");
        let wrong = header.check(|_| Some("there".to_owned())).err();
        assert!(matches!(wrong, Some(ConfigError::Header { .. })));
    }
}
