//! Pages of the web, fetched by incar itself.

mod address;
mod charset;
mod dns;
mod readable;
mod url;

pub use address::{Network, NetworkFault};
pub use dns::HostResolver;
pub use url::Ports;

use crate::config::ConfigError;
use crate::error::WebError;
use crate::http;
use crate::page::{Page, PageReader};
use crate::search::Source;
use dns::{CheckedDns, Gate, NotAdmitted, SystemResolver};
use incar_core::async_trait;
use reqwest::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName, LOCATION};
use reqwest::{Response, StatusCode, Url};
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// How many redirects are followed.
const REDIRECTS: usize = 5;
/// What a server learns of who asks.
const AGENT: &str = concat!("incar/", env!("CARGO_PKG_VERSION"));
/// What can be read.
const ACCEPTED: &str = "text/html, application/xhtml+xml, text/plain, text/markdown, application/json;q=0.5";

/// What a [`Fetcher`] is made from: a builder.
///
/// ```
/// use incar_web::FetchConfig;
/// let fetcher = FetchConfig::default().with_limit(1 << 20).build();
/// ```
#[derive(Debug, Clone)]
pub struct FetchConfig {
    limit: usize,
    timeout: Duration,
    ports: Ports,
    allowed: Vec<Network>,
    resolver: Arc<dyn HostResolver>,
}

impl Default for FetchConfig {
    fn default() -> Self {
        Self {
            limit: 2 << 20,
            timeout: Duration::from_secs(10),
            ports: Ports::default(),
            allowed: Vec::new(),
            resolver: Arc::new(SystemResolver),
        }
    }
}

impl FetchConfig {
    /// The longest page that is read, in bytes; 2 MiB unless set.
    #[must_use]
    pub fn with_limit(mut self, bytes: usize) -> Self {
        self.limit = bytes;
        self
    }

    /// How long a page may take, redirects included; 10 s unless set.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Which ports pages are read from.
    #[must_use]
    pub fn with_ports(mut self, ports: Ports) -> Self {
        self.ports = ports;
        self
    }

    /// Allows a network that is not the public web, such as a company's own.
    #[must_use]
    pub fn with_allowed(mut self, network: Network) -> Self {
        self.allowed.push(network);
        self
    }

    /// Sets who looks up host names. By default the system.
    #[must_use]
    pub fn with_resolver(mut self, resolver: Arc<dyn HostResolver>) -> Self {
        self.resolver = resolver;
        self
    }

    /// The fetcher.
    ///
    /// # Errors
    /// [`ConfigError`] where TLS cannot be set up.
    pub fn build(self) -> Result<Fetcher, ConfigError> {
        let gate = Arc::new(Gate(self.allowed));
        let dns = CheckedDns {
            resolver: self.resolver,
            gate: gate.clone(),
        };
        // No connection is kept: each page's host is looked up and checked anew.
        let builder = http::builder()?
            .dns_resolver(dns)
            .pool_max_idle_per_host(0)
            .user_agent(AGENT);
        Ok(Fetcher {
            client: http::build(builder)?,
            gate,
            limit: self.limit,
            timeout: self.timeout,
            ports: self.ports,
        })
    }
}

/// Reads pages of the public web: http and https only, from addresses that were checked after the name was looked up and
/// after every redirect, bounded in size, type and time. Sends no cookie, no key and no address of another page.
#[derive(Debug, Clone)]
pub struct Fetcher {
    client: reqwest::Client,
    gate: Arc<Gate>,
    limit: usize,
    timeout: Duration,
    ports: Ports,
}

/// An address that somebody else is told to read, if it is one of the public web so far as it tells by itself.
pub(crate) fn public_url(text: &str) -> Result<String, WebError> {
    let url = url::parse(text, Ports::Web, &Gate::default())?;
    match url.host_str() {
        Some(host) if host == "localhost" || !host.contains(['.', ':']) => {
            Err(WebError::NotPublic { host: host.to_owned() })
        }
        _ => Ok(url.into()),
    }
}

#[async_trait]
impl PageReader for Fetcher {
    async fn read(&self, url: &str) -> Result<Page, WebError> {
        let url = url::parse(url, self.ports, &self.gate)?;
        timeout(self.timeout, self.fetch(url))
            .await
            .map_err(|_| WebError::Late)?
    }
}

impl Fetcher {
    async fn fetch(&self, mut url: Url) -> Result<Page, WebError> {
        for _ in 0..=REDIRECTS {
            let request = self.client.get(url.clone());
            let request = request.header(ACCEPT, ACCEPTED).header(ACCEPT_ENCODING, "identity");
            let response = request.send().await.map_err(|error| refused(&error))?;
            match response.status() {
                StatusCode::OK => return self.page(url, response).await,
                status if status.is_redirection() => {
                    url = next(&url, response.headers()).ok_or(WebError::Redirects)?;
                    url::check(&url, self.ports, &self.gate)?;
                }
                StatusCode::NOT_FOUND | StatusCode::GONE => return Err(WebError::NoPage),
                status => return Err(WebError::Status(status.as_u16())),
            }
        }
        Err(WebError::Redirects)
    }

    async fn page(&self, url: Url, response: Response) -> Result<Page, WebError> {
        let header = |name: HeaderName| {
            let value = response.headers().get(name).and_then(|value| value.to_str().ok());
            value.unwrap_or_default().to_owned()
        };
        let encoding = header(CONTENT_ENCODING);
        if !matches!(encoding.as_str(), "" | "identity") {
            return Err(WebError::NotText(shown(&encoding)));
        }
        let content_type = header(CONTENT_TYPE);
        let form = Form::of(&content_type).ok_or_else(|| WebError::NotText(shown(&content_type)))?;
        let body = http::body(response, self.limit).await?;
        // Reading a large page takes a while: not on a thread that others wait for.
        let reading =
            tokio::task::spawn_blocking(move || read(&url, form, &body, charset::of_content_type(&content_type)));
        reading.await.map_err(|error| WebError::Unreadable(error.to_string()))?
    }
}

/// The form of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Html,
    Plain,
}

impl Form {
    fn of(content_type: &str) -> Option<Self> {
        let kind = content_type
            .split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase();
        match kind.as_str() {
            "text/html" | "application/xhtml+xml" => Some(Self::Html),
            "text/plain" | "text/markdown" | "application/json" => Some(Self::Plain),
            _ => None,
        }
    }
}

fn read(url: &Url, form: Form, body: &[u8], charset: Option<&str>) -> Result<Page, WebError> {
    let text = charset::decode(body, charset);
    if text.contains('\0') {
        return Err(WebError::NotText("binary data".to_owned()));
    }
    let source = Source::Web("fetch");
    Ok(match form {
        Form::Html => {
            let page = readable::readable(&text);
            Page::new(source, url.as_str(), page.title, page.text)
        }
        Form::Plain => Page::new(source, url.as_str(), "", text),
    })
}

/// Where a redirect leads.
fn next(from: &Url, headers: &HeaderMap) -> Option<Url> {
    from.join(headers.get(LOCATION)?.to_str().ok()?).ok()
}

/// A content type as an error shows it.
fn shown(content_type: &str) -> String {
    match content_type.split(';').next().unwrap_or_default().trim() {
        "" => "of no known type".to_owned(),
        kind => kind.chars().take(80).collect(),
    }
}

/// Why a page was not reached; a host that may not be reached is told as that.
fn refused(error: &reqwest::Error) -> WebError {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(inner) = cause {
        if let Some(NotAdmitted(host)) = inner.downcast_ref() {
            return WebError::NotPublic { host: host.clone() };
        }
        cause = inner.source();
    }
    http::unreachable(error)
}
