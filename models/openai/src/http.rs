//! The HTTP client, and what may be sent where.

use crate::config::{Config, ConfigError, PlainHttp, Proxy};
use crate::dns::Adapter;
use crate::provider::Provider;
use incar_net::{Trust, is_this_machine, tls};
use reqwest::Url;
use reqwest::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue};
use reqwest::redirect::Policy;

/// Where requests go.
pub(crate) fn endpoint(config: &Config) -> Result<Url, ConfigError> {
    let mut url = parse(&config.base_url)?;
    let path = url.path().trim_end_matches('/');
    if !path.ends_with("/chat/completions") {
        let path = format!("{path}/chat/completions");
        url.set_path(&path);
    }
    let is_exposed =
        config.key.is_some() && url.scheme() == "http" && !is_this_machine(url.host_str().unwrap_or_default());
    match config.plain_http {
        PlainHttp::LoopbackOnly if is_exposed => Err(ConfigError::KeyOverPlainHttp {
            host: url.host_str().unwrap_or_default().to_owned(),
        }),
        PlainHttp::LoopbackOnly | PlainHttp::Allowed => Ok(url),
    }
}

/// The provider that a URL belongs to, so far as its host tells.
pub(crate) fn provider_at(url: &str) -> Result<Provider, ConfigError> {
    let url = parse(url)?;
    Ok(Provider::at(url.host_str().unwrap_or_default(), url.port()))
}

fn parse(text: &str) -> Result<Url, ConfigError> {
    let refused = |reason: &str| {
        Err(ConfigError::Url {
            url: shown(text),
            reason: reason.to_owned(),
        })
    };
    let url = match Url::parse(text.trim()) {
        Ok(url) => url,
        Err(error) => return refused(&error.to_string()),
    };
    match url.scheme() {
        "http" | "https" if url.host_str().is_none_or(str::is_empty) => refused("it names no host"),
        "http" | "https" if !url.username().is_empty() || url.password().is_some() => {
            refused("a key belongs in INCAR_API_KEY or with_key, not in the address")
        }
        "http" | "https" => Ok(url),
        _ => refused("it must begin with http:// or https://"),
    }
}

/// A URL as logs may show it: without user, password and query.
pub(crate) fn shown(text: &str) -> String {
    match Url::parse(text.trim()) {
        Ok(url) => format!("{}://{}{}", url.scheme(), authority(&url), url.path()),
        Err(_) => text.split(['?', '@']).next().unwrap_or_default().to_owned(),
    }
}

fn authority(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port()
        .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// The headers of every request.
pub(crate) fn headers(config: &Config) -> Result<HeaderMap, ConfigError> {
    let mut headers = HeaderMap::with_capacity(4);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream, application/json"));
    if let Some(key) = &config.key {
        headers.insert(AUTHORIZATION, key.clone()?.header()?);
    }
    Ok(headers)
}

/// The client. Redirects are left to the caller, who knows which are safe.
pub(crate) fn client(config: &Config, url: &Url) -> Result<reqwest::Client, ConfigError> {
    // An http address never comes to need TLS, since no redirect leaves its origin.
    let tls = tls(Trust::for_scheme(url.scheme())).map_err(|error| ConfigError::Tls(error.to_string()))?;
    let mut builder = reqwest::Client::builder()
        .tls_backend_preconfigured(tls)
        .redirect(Policy::none())
        .retry(reqwest::retry::never())
        .connect_timeout(config.timeouts.connect)
        .tcp_nodelay(true)
        .http1_only();
    if let Some(resolver) = &config.resolver {
        builder = builder.dns_resolver(Adapter(resolver.clone()));
    }
    builder = match config.proxy {
        Proxy::None => builder.no_proxy(),
        Proxy::Environment => builder,
    };
    builder.build().map_err(|error| ConfigError::Http(error.to_string()))
}

/// Whether two URLs are of the same scheme, host and port.
pub(crate) fn same_origin(one: &Url, other: &Url) -> bool {
    one.scheme() == other.scheme()
        && one.host_str() == other.host_str()
        && one.port_or_known_default() == other.port_or_known_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(url: &str) -> Config {
        Config::new(Provider::Custom).with_base_url(url).with_model("m")
    }

    #[test]
    fn requests_go_below_the_base_url() {
        for (base, expected) in [
            ("http://127.0.0.1:8000/v1", "http://127.0.0.1:8000/v1/chat/completions"),
            ("http://127.0.0.1:8000/v1/", "http://127.0.0.1:8000/v1/chat/completions"),
            ("https://api.deepseek.com", "https://api.deepseek.com/chat/completions"),
            ("https://a.b/v1/chat/completions", "https://a.b/v1/chat/completions"),
            (
                "https://a.b/v1?api-version=2",
                "https://a.b/v1/chat/completions?api-version=2",
            ),
        ] {
            assert_eq!(endpoint(&config(base)).unwrap().as_str(), expected);
        }
    }

    #[test]
    fn what_is_no_base_url_is_refused_without_showing_secrets() {
        for base in [
            "api.openai.com/v1",
            "ftp://a.b",
            "http://",
            "https://me:secret@a.b/v1",
            "file:///etc",
        ] {
            let error = endpoint(&config(base)).unwrap_err();
            assert!(matches!(error, ConfigError::Url { .. }), "{base}");
            assert!(!error.to_string().contains("secret"), "{error}");
        }
        let shown = format!("{:?}", config("https://a.b/v1?key=secret").with_key("sk-secret"));
        assert!(!shown.contains("secret"), "{shown}");
    }

    #[test]
    fn a_key_travels_encrypted_or_stays_on_this_machine() {
        for (base, safe) in [
            ("http://127.0.0.1:8000/v1", true),
            ("http://127.9.9.9/v1", true),
            ("http://localhost:8000/v1", true),
            ("http://[::1]:8000/v1", true),
            ("https://api.example.com/v1", true),
            ("http://api.example.com/v1", false),
            ("http://192.168.1.5:8000/v1", false),
            ("http://localhost.example.com/v1", false),
            ("http://127.0.0.1.example.com/v1", false),
        ] {
            let with_key = config(base).with_key("sk-1");
            assert_eq!(endpoint(&with_key).is_ok(), safe, "{base}");
            let allowed = with_key.with_plain_http(PlainHttp::Allowed);
            assert!(endpoint(&allowed).is_ok() && endpoint(&config(base)).is_ok(), "{base}");
        }
    }
}
