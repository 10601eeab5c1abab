//! Streamable HTTP on this machine alone: a bearer token, and no pages of a browser.

use super::handler::Handler;
use super::{Door, ServeError};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, HeaderMap, HeaderValue, WWW_AUTHENTICATE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::convert::Infallible;
use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use subtle::ConstantTimeEq;
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
/// How long a token is at least: one that can be guessed is none.
const SHORTEST_TOKEN: usize = 16;

type Reply = Response<BoxBody<Bytes, Infallible>>;
type Service = StreamableHttpService<Handler, NeverSessionManager>;

/// The secret that a client shows.
#[derive(Clone)]
pub struct BearerToken(Arc<str>);

impl fmt::Debug for BearerToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BearerToken(..)")
    }
}

impl BearerToken {
    /// The token `secret`.
    ///
    /// # Errors
    /// [`ServeError::Token`] where it has fewer than 16 bytes, or some that no header can have.
    pub fn new(secret: impl Into<Arc<str>>) -> Result<Self, ServeError> {
        let secret: Arc<str> = secret.into();
        let fits = secret.len() >= SHORTEST_TOKEN && secret.bytes().all(|byte| byte.is_ascii_graphic());
        if fits { Ok(Self(secret)) } else { Err(ServeError::Token) }
    }

    /// Whether a request shows it; takes as long whatever part of it is right.
    fn is_shown(&self, headers: &HeaderMap) -> bool {
        let mut shown = headers.get_all(AUTHORIZATION).iter();
        let (Some(shown), None) = (shown.next(), shown.next()) else {
            return false;
        };
        let shown = shown.as_bytes();
        let Some((scheme, secret)) = shown.split_at_checked("Bearer ".len()) else {
            return false;
        };
        scheme.eq_ignore_ascii_case(b"Bearer ") && bool::from(secret.ct_eq(self.0.as_bytes()))
    }
}

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
    if !token.is_shown(request.headers()) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_is_the_token() {
        let token = BearerToken::new("0123456789abcdef").unwrap();
        let check = |shown: &[&str], expected: bool| {
            let mut headers = HeaderMap::new();
            for value in shown {
                headers.append(AUTHORIZATION, HeaderValue::from_str(value).unwrap());
            }
            assert_eq!(token.is_shown(&headers), expected, "{shown:?}");
        };
        check(&["Bearer 0123456789abcdef"], true);
        check(&["bearer 0123456789abcdef"], true);
        check(&["Bearer 0123456789abcdeF"], false);
        check(&["Bearer 0123456789abcde"], false);
        check(&["Bearer 0123456789abcdef0"], false);
        check(&["Basic 0123456789abcdef"], false);
        check(&["Bearer "], false);
        check(&["Bear"], false);
        check(&[""], false);
        check(&[], false);
        // Two are none: nobody says which of them counts.
        check(&["Bearer wrong", "Bearer 0123456789abcdef"], false);
        check(&["Bearer 0123456789abcdef", "Bearer wrong"], false);
    }

    #[test]
    fn a_token_that_can_be_guessed_is_none() {
        for secret in [
            "",
            "short",
            "0123456789abcde",
            "0123456789abcde f",
            "0123456789abcdef\n",
        ] {
            assert!(BearerToken::new(secret).is_err(), "{secret:?}");
        }
    }
}
