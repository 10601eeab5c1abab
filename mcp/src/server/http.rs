//! Streamable HTTP on this machine alone: a bearer token, and no pages of a browser.

use super::handler::Handler;
use super::{Door, ServeError};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, HeaderValue, WWW_AUTHENTICATE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use incar_net::BearerToken;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::task::{JoinHandle, JoinSet};

/// Where the endpoint is.
const PATH: &str = "/mcp";
/// How many connections there may be at once.
const MOST_CONNECTIONS: usize = 16;
/// How long a request may be, in bytes.
const LONGEST_REQUEST: usize = 256 * 1024;
/// How long a client may take to send its headers.
const HEADERS_WITHIN: Duration = Duration::from_secs(5);

type Reply = Response<BoxBody<Bytes, Infallible>>;
type Service = StreamableHttpService<Handler, NeverSessionManager>;

/// A server that listens; dropped, it stops, and its connections are closed.
#[derive(Debug)]
pub struct HttpServer {
    address: SocketAddr,
    running: JoinHandle<()>,
}

impl HttpServer {
    /// Where it listens; with port 0, which port it was given.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of the endpoint.
    pub fn url(&self) -> String {
        format!("http://{}{PATH}", self.address)
    }

    pub(super) async fn start(door: Arc<Door>, address: SocketAddr, token: BearerToken) -> Result<Self, ServeError> {
        if !address.ip().is_loopback() {
            return Err(ServeError::NotLoopback(address));
        }
        let listener = TcpListener::bind(address).await.map_err(ServeError::io)?;
        let address = listener.local_addr().map_err(ServeError::io)?;
        // No sessions: nothing is kept for a client between two requests. Hosts other than this machine's
        // own names are refused (a name that was rebound to 127.0.0.1), and so is every page of a browser.
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .with_max_request_body_bytes(LONGEST_REQUEST)
            .enforce_origin_validation();
        let service = Service::new(move || Ok(Handler(door.clone())), Arc::default(), config);
        let running = tokio::spawn(accept(listener, service, token));
        Ok(Self { address, running })
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        self.running.abort();
    }
}

async fn accept(listener: TcpListener, service: Service, token: BearerToken) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    let mut connections = JoinSet::new();
    loop {
        let Ok(place) = places.clone().acquire_owned().await else {
            return;
        };
        while connections.try_join_next().is_some() {}
        match listener.accept().await {
            Ok((stream, _)) => {
                let (service, token) = (service.clone(), token.clone());
                connections.spawn(async move {
                    serve(stream, service, token).await;
                    drop(place);
                });
            }
            Err(error) => {
                tracing::warn!(%error, "a connection was not accepted");
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

async fn serve(stream: TcpStream, service: Service, token: BearerToken) {
    let answer = service_fn(move |request: Request<Incoming>| {
        let (service, token) = (service.clone(), token.clone());
        async move { Ok::<_, Infallible>(answer(request, &service, &token).await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS_WITHIN)
        .serve_connection(TokioIo::new(stream), answer);
    if let Err(error) = connection.await {
        tracing::debug!(%error, "a connection ended");
    }
}

async fn answer(request: Request<Incoming>, service: &Service, token: &BearerToken) -> Reply {
    // Before anything of the request is read.
    let shown = request.headers().get_all(AUTHORIZATION).iter();
    if !token.is_shown(shown.map(HeaderValue::as_bytes)) {
        let mut reply = refused(StatusCode::UNAUTHORIZED);
        let wanted = HeaderValue::from_static("Bearer");
        reply.headers_mut().insert(WWW_AUTHENTICATE, wanted);
        return reply;
    }
    if request.uri().path() != PATH {
        return refused(StatusCode::NOT_FOUND);
    }
    service.handle(request).await
}

fn refused(status: StatusCode) -> Reply {
    let mut reply = Response::new(Empty::new().boxed());
    *reply.status_mut() = status;
    reply
}
