//! One exchange with a service: a request with its key, a bounded JSON reply.

use crate::config::ConfigError;
use crate::error::WebError;
use crate::http;
use incar_net::is_this_machine;
use reqwest::header::{HeaderMap, HeaderValue, RETRY_AFTER};
use reqwest::{RequestBuilder, StatusCode, Url};
use serde_json::Value;
use std::fmt;
use std::time::Duration;
use tokio::time::timeout;

/// The longest reply that is read, in bytes.
const LIMIT: usize = 4 << 20;
/// A service that is closed for longer than a day says nothing that anybody can wait for.
const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);
/// How long one exchange takes at most unless set.
const TIMEOUT: Duration = Duration::from_secs(10);

/// A key that can be sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ApiKey(HeaderValue);

impl ApiKey {
    /// A key; white space around it (the line end of a file) is dropped.
    fn new(key: &str) -> Result<Self, ConfigError> {
        let key = key.trim();
        let usable = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic());
        let mut value = HeaderValue::from_str(key)
            .ok()
            .filter(|_| usable)
            .ok_or(ConfigError::Key)?;
        value.set_sensitive(true);
        Ok(Self(value))
    }

    /// As a header's value.
    pub(super) fn header(&self) -> HeaderValue {
        self.0.clone()
    }

    /// As it is written. Goes into requests only.
    pub(super) fn plain(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }
}

/// Where a service is, and how one gets in: a builder.
#[derive(Debug, Clone, Default)]
pub struct Access {
    url: Option<String>,
    key: Option<Key>,
    timeout: Option<Duration>,
}

/// A key as it was given. `Debug` never shows it.
#[derive(Clone)]
struct Key(String);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key([redacted])")
    }
}

impl Access {
    /// As the service usually is, without a key.
    pub fn new() -> Self {
        Self::default()
    }

    /// Another address: of an instance of one's own, or of a gateway.
    #[must_use]
    pub fn with_url(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }

    /// A key. It is sent over https only, or to this machine.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(Key(key.into()));
        self
    }

    /// How long one exchange may take; 10 s unless set.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }
}

/// A service at its address.
#[derive(Debug)]
pub(super) struct Service {
    client: reqwest::Client,
    url: Url,
    key: Option<ApiKey>,
    timeout: Duration,
}

impl Service {
    /// The service at its usual address (or why it has none), or where `access` says.
    pub(super) fn new(usual: Result<&str, ConfigError>, access: &Access) -> Result<Self, ConfigError> {
        let url = base(access.url.as_deref().map_or(usual, Ok)?)?;
        let key = access.key.as_ref().map(|Key(key)| ApiKey::new(key)).transpose()?;
        if key.is_some() && url.scheme() == "http" && !is_this_machine(url.host_str().unwrap_or_default()) {
            return Err(ConfigError::KeyOverPlainHttp(
                url.host_str().unwrap_or_default().to_owned(),
            ));
        }
        Ok(Self {
            client: http::build(http::builder()?)?,
            url,
            key,
            timeout: access.timeout.unwrap_or(TIMEOUT),
        })
    }

    /// A GET for `path` below the service's address.
    pub(super) fn get(&self, path: &str, query: &[(&str, &str)]) -> RequestBuilder {
        let mut url = self.below(path);
        url.query_pairs_mut().extend_pairs(query);
        self.client.get(url)
    }

    /// A POST of JSON to `path` below the service's address.
    pub(super) fn post(&self, path: &str, body: &Value) -> RequestBuilder {
        let request = self.client.post(self.below(path));
        request
            .header("content-type", "application/json")
            .body(body.to_string())
    }

    pub(super) fn key(&self) -> Option<&ApiKey> {
        self.key.as_ref()
    }

    /// The request with the key as a bearer's.
    pub(super) fn bearer(&self, request: RequestBuilder) -> RequestBuilder {
        match &self.key {
            Some(key) => request.bearer_auth(key.plain()),
            None => request,
        }
    }

    fn below(&self, path: &str) -> Url {
        let mut url = self.url.clone();
        let whole = format!("{}/{path}", url.path().trim_end_matches('/'));
        url.set_path(&whole);
        url
    }

    /// Sends a request; the JSON of a successful reply.
    pub(super) async fn ask(&self, request: RequestBuilder) -> Result<Value, WebError> {
        timeout(self.timeout, self.exchange(request))
            .await
            .map_err(|_| WebError::Late)?
    }

    async fn exchange(&self, request: RequestBuilder) -> Result<Value, WebError> {
        let response = request.send().await.map_err(|error| http::unreachable(&error))?;
        let status = response.status();
        if !status.is_success() {
            return Err(self.failure(status, response.headers()));
        }
        let body = http::body(response, LIMIT).await?;
        serde_json::from_slice(&body).map_err(|_| WebError::Unreadable("the reply is no JSON".to_owned()))
    }

    fn failure(&self, status: StatusCode, headers: &HeaderMap) -> WebError {
        match status.as_u16() {
            // Without a key it is no question of keys: an instance that does not offer JSON, for one.
            status @ (401 | 403) if self.key.is_some() => WebError::Key(status),
            429 => WebError::TooOften {
                retry_after: retry_after(headers),
            },
            // What was paid for is used up: payment required, and what one service answers then.
            402 | 432 | 433 => WebError::UsedUp,
            300..=399 => WebError::Redirects,
            status => WebError::Status(status),
        }
    }
}

fn base(text: &str) -> Result<Url, ConfigError> {
    // A key may stand before an `@` or after a `?`.
    let fault = || {
        let host = text.rsplit('@').next().unwrap_or_default();
        ConfigError::Url(host.split('?').next().unwrap_or_default().to_owned())
    };
    let url = Url::parse(text.trim()).map_err(|_| fault())?;
    let plain = url.username().is_empty() && url.password().is_none() && url.query().is_none();
    match url.scheme() {
        "http" | "https" if plain && url.host_str().is_some_and(|host| !host.is_empty()) => Ok(url),
        _ => Err(fault()),
    }
}

/// The wait that a service asks for, in seconds. (It may be a date; a car's clock may be wrong, so a date is no wait.)
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let seconds = headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok()?;
    Some(Duration::from_secs(seconds)).filter(|wait| *wait <= LONGEST_WAIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_travels_encrypted_or_stays_on_this_machine() {
        let build = |url: &str, key: Option<&str>| {
            let access = Access::new().with_url(url);
            let access = key.map_or(access.clone(), |key| access.with_key(key));
            assert!(!format!("{access:?}").contains("k-1"));
            Service::new(Err(ConfigError::NoUrl("x")), &access).map(drop)
        };
        for (url, safe) in [
            ("https://api.example.com", true),
            ("http://127.0.0.1:9/", true),
            ("http://[::1]:9/", true),
            ("http://localhost:9", true),
            ("http://api.example.com", false),
            ("http://192.168.1.5", false),
            ("http://localhost.example.com", false),
        ] {
            let refused = matches!(build(url, Some("k-1")), Err(ConfigError::KeyOverPlainHttp(_)));
            assert_eq!(refused, !safe, "{url}");
            assert!(build(url, None).is_ok(), "{url}");
        }
        for bad in [
            "",
            "api.example.com",
            "ftp://a.b",
            "https://k@a.b",
            "https://secret@a.b",
            "https://user:secret@a.b/path",
            "https://a.b?api_key=secret",
            "http://",
        ] {
            let error = build(bad, None).unwrap_err();
            assert!(
                matches!(&error, ConfigError::Url(_)) && !error.to_string().contains("secret"),
                "{error}"
            );
        }
        for bad in ["", " ", "two words", "schlüssel", "line\nbreak"] {
            assert_eq!(ApiKey::new(bad), Err(ConfigError::Key), "{bad:?}");
        }
        let key = ApiKey::new(" secret\n").unwrap();
        assert_eq!(key.header(), "secret");
        assert!(!format!("{key:?} {:?}", key.header()).contains("secret"));
    }
}
