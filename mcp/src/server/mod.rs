//! The car's tools for MCP clients, on standard input and output or over HTTP.
//!
//! A client is a program outside the car: it has no seat, and is offered only what the host allows
//! ([`Access`]), by default only what reads. Its calls take the same way as a turn's: resolved, judged by the
//! policies, journaled, run. What needs a yes waits for the words of somebody in the car; no message of the
//! protocol can give it. See `docs/mcp.md`.

mod access;
mod answer;
mod handler;
mod http;

pub use access::Access;
pub use http::HttpServer;
pub use incar_net::{BearerToken, WeakToken};

use handler::Handler;
use incar_agents::Assistant;
use incar_core::{Lang, Seat, Speaker};
use rmcp::service::serve_server;
use rmcp::transport::async_rw::AsyncRwTransport;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};

/// How long one message of a client may be, in bytes.
const LONGEST_MESSAGE: usize = 256 * 1024;

type QuestionHook = dyn Fn(&Speaker, &str) + Send + Sync;

/// Offers an assistant's tools to MCP clients.
///
/// ```no_run
/// # async fn example(assistant: incar_agents::Assistant) -> Result<(), incar_mcp::server::ServeError> {
/// use incar_mcp::server::{Access, BearerToken, McpServer};
///
/// let token = BearerToken::new(std::env::var("CAR_MCP_TOKEN").unwrap_or_default())?;
/// let server = McpServer::new(assistant, Access::default());
/// let listening = server.serve_http(([127, 0, 0, 1], 8737).into(), token).await?;
/// println!("{}", listening.url());
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct McpServer {
    door: Door,
}

/// What a client comes through.
#[derive(Clone)]
pub(crate) struct Door {
    assistant: Assistant,
    access: Access,
    caller: String,
    asks: Speaker,
    lang: Lang,
    on_question: Option<Arc<QuestionHook>>,
    role: Option<Arc<str>>,
}

impl fmt::Debug for Door {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Door")
            .field("caller", &self.caller)
            .field("access", &self.access)
            .finish_non_exhaustive()
    }
}

/// Why a server does not serve.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address can be reached from other machines.
    #[error("{0} can be reached from other machines; listen on 127.0.0.1 or ::1")]
    NotLoopback(SocketAddr),
    /// The token can be guessed, or no header can have it.
    #[error(transparent)]
    Token(#[from] WeakToken),
    /// The system refused.
    #[error("{0}")]
    Io(String),
    /// The client did not begin as the protocol wants.
    #[error("the client did not begin properly: {0}")]
    Protocol(String),
}

impl ServeError {
    fn io(error: std::io::Error) -> Self {
        Self::Io(error.to_string())
    }
}

impl McpServer {
    /// Offers what `access` allows of `assistant`'s tools. Questions go to the driver of car `car`, in Chinese.
    pub fn new(assistant: Assistant, access: Access) -> Self {
        Self {
            door: Door {
                assistant,
                access,
                caller: "mcp".to_owned(),
                asks: Speaker::new("car", Seat::Driver),
                lang: Lang::default(),
                on_question: None,
                role: None,
            },
        }
    }

    /// The same for clients that are called `caller`: in reports, and for asking what came of a call. Two
    /// servers with tokens of their own should have names of their own.
    #[must_use]
    pub fn named(mut self, caller: impl Into<String>) -> Self {
        self.door.caller = caller.into();
        self
    }

    /// The same; where a yes is needed, `speaker` is asked.
    #[must_use]
    pub fn asking(mut self, speaker: Speaker) -> Self {
        self.door.asks = speaker;
        self
    }

    /// The same for clients that the permissions know by `role`; a role that none names may only read.
    #[must_use]
    pub fn with_role(mut self, role: impl Into<Arc<str>>) -> Self {
        self.door.role = Some(role.into());
        self
    }

    /// The same in `lang`: descriptions, questions and errors.
    #[must_use]
    pub fn in_lang(mut self, lang: Lang) -> Self {
        self.door.lang = lang;
        self
    }

    /// The same; `hook` hears of each call that begins to wait: who is to be asked, and what. The question
    /// is put at the end of their next turn; a host that would have it put at once lets the assistant handle
    /// an utterance of nothing by that speaker and speaks the response. The hook must not block.
    #[must_use]
    pub fn on_question(mut self, hook: impl Fn(&Speaker, &str) + Send + Sync + 'static) -> Self {
        self.door.on_question = Some(Arc::new(hook));
        self
    }

    /// Serves one client on standard input and output until it leaves. Nothing else may write there.
    ///
    /// # Errors
    /// [`ServeError::Protocol`] where the client does not begin as the protocol wants.
    pub async fn serve_stdio(self) -> Result<(), ServeError> {
        self.serve(tokio::io::stdin(), tokio::io::stdout()).await
    }

    /// Serves one client on a pipe of the host's own, one JSON message a line, until it leaves.
    ///
    /// # Errors
    /// [`ServeError::Protocol`] where the client does not begin as the protocol wants.
    pub async fn serve<R, W>(self, read: R, write: W) -> Result<(), ServeError>
    where
        R: AsyncRead + Send + Unpin + 'static,
        W: AsyncWrite + Send + Unpin + 'static,
    {
        let transport = AsyncRwTransport::new_server(read, write).with_max_line_length(LONGEST_MESSAGE);
        let serving = serve_server(Handler(Arc::new(self.door)), transport).await;
        let serving = serving.map_err(|error| ServeError::Protocol(error.to_string()))?;
        serving
            .waiting()
            .await
            .map_err(|error| ServeError::Io(error.to_string()))?;
        Ok(())
    }

    /// Serves clients over HTTP at `/mcp` of `address`, which must be a loopback address, until the returned
    /// value is dropped. Every request must show `token`.
    ///
    /// # Errors
    /// [`ServeError::NotLoopback`], and [`ServeError::Io`] where the address cannot be listened on.
    pub async fn serve_http(self, address: SocketAddr, token: BearerToken) -> Result<HttpServer, ServeError> {
        HttpServer::start(Arc::new(self.door), address, token).await
    }
}
