//! A connection to the service: straight, or by a proxy.

use crate::address::is_encrypted;
use crate::config::{Config, ConfigError, Proxy};
use crate::dns::Names;
use futures_util::future::BoxFuture;
use http::{HeaderValue, Uri};
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper_rustls::HttpsConnector;
use hyper_util::client::legacy::connect::proxy::Tunnel;
use hyper_util::client::legacy::connect::{Connected, HttpConnector};
use hyper_util::client::proxy::matcher::{Intercept, Matcher};
use incar_net::{Trust, tls};
use std::error::Error;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::timeout;
use tower_service::Service;

/// After how long of silence a connection is probed, and how often: one that a car has driven away from is given up
/// before the next question needs it. The intervals are those of the reqwest crate.
const KEEP_ALIVE: Duration = Duration::from_secs(15);
const PROBES: u32 = 3;
/// After how long data that nobody acknowledges ends a connection.
#[cfg(target_os = "linux")]
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);

/// By what way a service is reached.
#[derive(Debug)]
pub(crate) enum Route {
    Straight,
    Proxied(Intercept),
}

impl Route {
    /// The way to `url`, as the configuration and the environment say.
    pub(crate) fn to(url: &Uri, config: &Config) -> Result<Self, ConfigError> {
        match config.proxy {
            Proxy::None => Ok(Self::Straight),
            Proxy::Environment => Self::by(&Matcher::from_env(), url),
        }
    }

    pub(crate) fn by(proxies: &Matcher, url: &Uri) -> Result<Self, ConfigError> {
        match proxies.intercept(url) {
            None => Ok(Self::Straight),
            Some(proxy) => match proxy.uri().scheme_str() {
                Some("http" | "https") => Ok(Self::Proxied(proxy)),
                other => Err(ConfigError::Proxy(other.unwrap_or_default().to_owned())),
            },
        }
    }

    /// What a proxy that reads each request wants to know of who asks. One that tunnels is told when the connection
    /// is made.
    pub(crate) fn authorization(&self, url: &Uri) -> Option<HeaderValue> {
        match self {
            Self::Proxied(proxy) if !is_encrypted(url) => proxy.basic_auth().cloned(),
            Self::Straight | Self::Proxied(_) => None,
        }
    }
}

type Tls<C> = HttpsConnector<C>;
type Tcp = HttpConnector<Names>;

/// Makes connections to one service.
#[derive(Clone)]
pub(crate) struct Connector {
    way: Way,
    timeout: Duration,
}

#[derive(Clone)]
enum Way {
    Straight(Tls<Tcp>),
    /// The proxy reads the requests and sends them on.
    Forwarded {
        proxy: Uri,
        to_proxy: Tls<Tcp>,
    },
    /// The proxy passes on bytes that it cannot read.
    Tunnelled(Tls<Tunnel<Tls<Tcp>>>),
}

impl Connector {
    /// For the service at `url`.
    pub(crate) fn new(url: &Uri, route: Route, config: &Config) -> Result<Self, ConfigError> {
        let timeout = config.timeouts.connect;
        let mut tcp = HttpConnector::new_with_resolver(Names::of(config.resolver.clone()));
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        // A host of several addresses: the time is shared out among them.
        tcp.set_connect_timeout(Some(timeout));
        tcp.set_keepalive(Some(KEEP_ALIVE));
        tcp.set_keepalive_interval(Some(KEEP_ALIVE));
        tcp.set_keepalive_retries(Some(PROBES));
        #[cfg(target_os = "linux")]
        tcp.set_tcp_user_timeout(Some(UNACKNOWLEDGED));

        let proxy_is_encrypted = matches!(&route, Route::Proxied(proxy) if is_encrypted(proxy.uri()));
        // An http address never comes to need TLS, since no redirect leaves its origin.
        let trust = if is_encrypted(url) || proxy_is_encrypted {
            Trust::Platform
        } else {
            Trust::Nobody
        };
        let tls = tls(trust).map_err(|error| ConfigError::Tls(error.to_string()))?;
        let first = HttpsConnector::from((tcp, tls.clone()));
        let way = match route {
            Route::Straight => Way::Straight(first),
            Route::Proxied(proxy) if is_encrypted(url) => {
                let tunnel = Tunnel::new(proxy.uri().clone(), first);
                let tunnel = match proxy.basic_auth() {
                    Some(authorization) => tunnel.with_auth(authorization.clone()),
                    None => tunnel,
                };
                Way::Tunnelled(HttpsConnector::from((tunnel, tls)))
            }
            Route::Proxied(proxy) => Way::Forwarded {
                proxy: proxy.uri().clone(),
                to_proxy: first,
            },
        };
        Ok(Self { way, timeout })
    }
}

impl Service<Uri> for Connector {
    type Response = Connection;
    type Error = Box<dyn Error + Send + Sync>;
    type Future = BoxFuture<'static, Result<Connection, Self::Error>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        match &mut self.way {
            Way::Straight(tcp) | Way::Forwarded { to_proxy: tcp, .. } => tcp.poll_ready(cx),
            Way::Tunnelled(tunnel) => tunnel.poll_ready(cx),
        }
    }

    fn call(&mut self, to: Uri) -> Self::Future {
        let limit = self.timeout;
        match &mut self.way {
            Way::Straight(tcp) => within(limit, tcp.call(to), Reader::Service),
            Way::Forwarded { proxy, to_proxy } => within(limit, to_proxy.call(proxy.clone()), Reader::Proxy),
            Way::Tunnelled(tunnel) => within(limit, tunnel.call(to), Reader::Service),
        }
    }
}

/// The connection that `connecting` comes to, if that is soon.
fn within<S: Socket + 'static>(
    limit: Duration,
    connecting: impl Future<Output = Result<S, Box<dyn Error + Send + Sync>>> + Send + 'static,
    reader: Reader,
) -> BoxFuture<'static, Result<Connection, Box<dyn Error + Send + Sync>>> {
    Box::pin(async move {
        let socket = timeout(limit, connecting)
            .await
            .map_err(|_| io::Error::new(io::ErrorKind::TimedOut, "no connection in time"))??;
        Ok(Connection {
            socket: Box::new(socket),
            reader,
        })
    })
}

trait Socket: Read + Write + Send + Unpin {}

impl<S: Read + Write + Send + Unpin> Socket for S {}

/// Who reads the requests of a connection first.
#[derive(Debug, Clone, Copy)]
enum Reader {
    Service,
    Proxy,
}

/// A connection, by whatever way.
pub(crate) struct Connection {
    socket: Box<dyn Socket>,
    reader: Reader,
}

impl hyper_util::client::legacy::connect::Connection for Connection {
    fn connected(&self) -> Connected {
        Connected::new().proxy(matches!(self.reader, Reader::Proxy))
    }
}

impl Read for Connection {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: ReadBufCursor<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_read(cx, buffer)
    }
}

impl Write for Connection {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write_vectored(cx, slices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(proxies: &str, url: &str, expected: Result<Option<&str>, ConfigError>) {
        let proxies = Matcher::builder()
            .all(proxies.to_owned())
            .no("127.0.0.1,quiet.example")
            .build();
        let route = Route::by(&proxies, &url.parse().unwrap());
        let by = route.map(|route| match route {
            Route::Straight => None,
            Route::Proxied(proxy) => Some(proxy.uri().to_string()),
        });
        assert_eq!(by, expected.map(|by| by.map(str::to_owned)), "{proxies:?} {url}");
    }

    #[test]
    fn the_environment_names_the_proxy() {
        let through = "http://10.0.0.1:3128/";
        check("10.0.0.1:3128", "https://api.example.com/v1", Ok(Some(through)));
        check(
            "http://me:pw@10.0.0.1:3128",
            "http://api.example.com/v1",
            Ok(Some(through)),
        );
        check("10.0.0.1:3128", "http://127.0.0.1:8000/v1", Ok(None));
        check("10.0.0.1:3128", "https://api.quiet.example/v1", Ok(None));
        check("", "https://api.example.com/v1", Ok(None));
        let unspoken = Err(ConfigError::Proxy("socks5".to_owned()));
        check("socks5://10.0.0.1:1080", "https://api.example.com/v1", unspoken);
    }

    #[test]
    fn only_a_proxy_that_reads_the_requests_is_told_in_them_who_asks() {
        let proxies = Matcher::builder().all("http://me:pw@10.0.0.1:3128").build();
        for (url, told) in [
            ("http://api.example.com/v1", true),
            ("https://api.example.com/v1", false),
        ] {
            let url = url.parse().unwrap();
            let authorization = Route::by(&proxies, &url).unwrap().authorization(&url);
            assert_eq!(authorization.is_some_and(|value| value.is_sensitive()), told, "{url}");
        }
    }
}
