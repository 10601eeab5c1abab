//! Where requests may go.

use crate::config::{Config, ConfigError, PlainHttp};
use crate::provider::Provider;
use http::Uri;
use http::uri::{Authority, PathAndQuery, Scheme};
use incar_net::is_this_machine;

/// Where requests go.
pub(crate) fn endpoint(config: &Config) -> Result<Uri, ConfigError> {
    let base = parse(&config.base_url)?;
    let mut path = base.path().trim_end_matches('/').to_owned();
    if !path.ends_with("/chat/completions") {
        path.push_str("/chat/completions");
    }
    if let Some(query) = base.query() {
        path = format!("{path}?{query}");
    }
    let host = base.host().unwrap_or_default();
    let is_exposed = config.key.is_some() && !is_encrypted(&base) && !is_this_machine(host);
    match config.plain_http {
        PlainHttp::LoopbackOnly if is_exposed => Err(ConfigError::KeyOverPlainHttp { host: host.to_owned() }),
        PlainHttp::LoopbackOnly | PlainHttp::Allowed => {
            let at = path.parse().map_err(|error| refused(&config.base_url, &error))?;
            moved(&base, at).ok_or_else(|| refused(&config.base_url, &"it names no host"))
        }
    }
}

/// The provider that a URL belongs to, so far as its host tells.
pub(crate) fn provider_at(url: &str) -> Result<Provider, ConfigError> {
    let url = parse(url)?;
    let host = url.host().unwrap_or_default().to_ascii_lowercase();
    Ok(Provider::at(&host, url.port_u16()))
}

/// Where a `Location` leads, if that is the same scheme, host and port (RFC 9110, 10.2.2): a key goes nowhere else.
pub(crate) fn redirected(from: &Uri, location: &str) -> Option<Uri> {
    let to: Uri = match location {
        absolute if absolute.contains("://") => absolute.parse().ok()?,
        same_scheme if same_scheme.starts_with("//") => format!("{}:{same_scheme}", from.scheme()?).parse().ok()?,
        same_host if same_host.starts_with('/') => moved(from, same_host.parse().ok()?)?,
        beside => {
            let (folder, _) = from.path().rsplit_once('/')?;
            moved(from, format!("{folder}/{beside}").parse().ok()?)?
        }
    };
    same_origin(&to, from).then_some(to)
}

/// A URL as logs may show it: without user, password and query.
pub(crate) fn shown(text: &str) -> String {
    let Ok(url) = text.trim().parse::<Uri>() else {
        return text.split(['?', '@']).next().unwrap_or_default().to_owned();
    };
    let scheme = url.scheme().map_or_else(String::new, |scheme| format!("{scheme}://"));
    let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
    format!("{scheme}{}{port}{}", url.host().unwrap_or_default(), url.path())
}

/// Whether what is sent there is encrypted on the way.
pub(crate) fn is_encrypted(url: &Uri) -> bool {
    url.scheme() == Some(&Scheme::HTTPS)
}

fn same_origin(one: &Uri, other: &Uri) -> bool {
    let port = |url: &Uri| url.port_u16().unwrap_or(if is_encrypted(url) { 443 } else { 80 });
    let bare = |url: &Uri| url.authority().is_some_and(|authority| !has_user(authority));
    let host = |url: &Uri| url.host().map(str::to_ascii_lowercase);
    bare(one) && one.scheme() == other.scheme() && host(one) == host(other) && port(one) == port(other)
}

/// The same host at another path.
fn moved(from: &Uri, to: PathAndQuery) -> Option<Uri> {
    let mut parts = from.clone().into_parts();
    parts.path_and_query = Some(to);
    Uri::from_parts(parts).ok()
}

fn parse(text: &str) -> Result<Uri, ConfigError> {
    let url: Uri = match text.trim().parse() {
        Ok(url) => url,
        Err(_) if !text.is_ascii() => {
            return Err(refused(
                text,
                &"it may hold ASCII only: a host in other letters is written as xn--…",
            ));
        }
        Err(error) => return Err(refused(text, &error)),
    };
    match (url.scheme_str(), url.authority()) {
        (Some("http" | "https"), Some(authority)) if has_user(authority) => Err(refused(
            text,
            &"a key belongs in INCAR_API_KEY or with_key, not in the address",
        )),
        (Some("http" | "https"), Some(authority)) if authority.host().is_empty() => {
            Err(refused(text, &"it names no host"))
        }
        (Some("http" | "https"), Some(authority)) if has_unusable_port(authority) => {
            Err(refused(text, &"its port is none from 0 to 65535"))
        }
        (Some("http" | "https"), Some(_)) => Ok(url),
        _ => Err(refused(text, &"it must begin with http:// or https://")),
    }
}

fn has_user(authority: &Authority) -> bool {
    authority.as_str().contains('@')
}

/// Whether it names a port that cannot be one: it would be taken for none at all, which is another one.
fn has_unusable_port(authority: &Authority) -> bool {
    let after_host = authority
        .as_str()
        .rsplit_once(']')
        .map_or(authority.as_str(), |(_, after)| after);
    let names_one = after_host.rsplit_once(':').is_some_and(|(_, port)| !port.is_empty());
    names_one && authority.port_u16().is_none()
}

fn refused(url: &str, reason: &dyn ToString) -> ConfigError {
    ConfigError::Url {
        url: shown(url),
        reason: reason.to_string(),
    }
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
            assert_eq!(endpoint(&config(base)).unwrap().to_string(), expected);
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
            "http://a.b:0x50/v1",
            "http://a.b:99999/v1",
            "http://模型.example/v1",
            "https://a.b/v1 beta",
        ] {
            let error = endpoint(&config(base)).unwrap_err();
            assert!(matches!(error, ConfigError::Url { .. }), "{base}");
            assert!(!error.to_string().contains("secret"), "{error}");
        }
        let shown = format!("{:?}", config("https://a.b/v1?key=secret").with_key("sk-secret"));
        assert!(!shown.contains("secret"), "{shown}");
    }

    #[test]
    fn a_redirect_leads_within_the_service_or_nowhere() {
        let from: Uri = "https://a.b/v1/chat/completions".parse().unwrap();
        for (location, to) in [
            ("/v2/chat", Some("https://a.b/v2/chat")),
            ("/v2/chat?region=2", Some("https://a.b/v2/chat?region=2")),
            ("other", Some("https://a.b/v1/chat/other")),
            ("https://a.b/v2/chat", Some("https://a.b/v2/chat")),
            ("https://A.B:443/v2/chat", Some("https://a.b:443/v2/chat")),
            ("//a.b/v2/chat", Some("https://a.b/v2/chat")),
            ("http://a.b/v2/chat", None),
            ("https://a.b:8443/v2/chat", None),
            ("https://a.b@evil.example/v2/chat", None),
            ("https://key@a.b/v2/chat", None),
            ("//evil.example/v2/chat", None),
            ("https://evil.example/v2/chat", None),
            ("ftp://a.b/v2/chat", None),
            ("", Some("https://a.b/v1/chat/")),
            ("/ v2", None),
        ] {
            let redirected = redirected(&from, location).map(|to| to.to_string().to_ascii_lowercase());
            assert_eq!(redirected.as_deref(), to, "{location}");
        }
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
