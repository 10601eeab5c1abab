//! Which addresses of pages are read at all.

use super::dns::Gate;
use crate::error::{UrlFault, WebError};
use crate::search::LONGEST_URL;
use reqwest::Url;
use std::net::IpAddr;

/// Which ports pages may be read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Ports {
    /// The web's: 80, 443, 8080 and 8443. Nobody is made to talk to a mail server.
    #[default]
    Web,
    /// All.
    Any,
}

/// The URL in `text`, if it may be asked for. A host that is an address is judged here; one that is a name, when it
/// is looked up.
pub(super) fn parse(text: &str, ports: Ports, gate: &Gate) -> Result<Url, WebError> {
    let url = Url::parse(text.trim()).map_err(|_| WebError::Url(UrlFault::Malformed))?;
    check(&url, ports, gate)?;
    Ok(url)
}

/// Whether `url` may be asked for.
pub(super) fn check(url: &Url, ports: Ports, gate: &Gate) -> Result<(), WebError> {
    let fault = |fault| Err(WebError::Url(fault));
    if url.as_str().len() > LONGEST_URL {
        return fault(UrlFault::Malformed);
    }
    if !matches!(url.scheme(), "http" | "https") {
        return fault(UrlFault::Scheme);
    }
    if !url.username().is_empty() || url.password().is_some() {
        return fault(UrlFault::Credentials);
    }
    let Some(host) = url.host_str().filter(|host| !host.is_empty()) else {
        return fault(UrlFault::Malformed);
    };
    let port = url.port_or_known_default();
    if ports == Ports::Web && !matches!(port, Some(80 | 443 | 8080 | 8443)) {
        return fault(UrlFault::Port);
    }
    let address = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
    match address {
        Ok(address) if !gate.admits(address) => Err(WebError::NotPublic { host: host.to_owned() }),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_pages_of_the_public_web_are_asked_for() {
        let refused = |host: &str| Err(WebError::NotPublic { host: host.to_owned() });
        let long = format!("https://example.com/{}", "x".repeat(LONGEST_URL));
        for (url, expected) in [
            (long.as_str(), Err(WebError::Url(UrlFault::Malformed))),
            ("https://example.com/a?b=c", Ok(())),
            ("http://example.com:8080/", Ok(())),
            ("https://1.1.1.1/", Ok(())),
            ("https://[2606:4700:4700::1111]/", Ok(())),
            ("example.com", Err(WebError::Url(UrlFault::Malformed))),
            ("", Err(WebError::Url(UrlFault::Malformed))),
            ("http://", Err(WebError::Url(UrlFault::Malformed))),
            ("file:///etc/passwd", Err(WebError::Url(UrlFault::Scheme))),
            ("ftp://example.com/", Err(WebError::Url(UrlFault::Scheme))),
            ("data:text/html,hi", Err(WebError::Url(UrlFault::Scheme))),
            ("javascript:alert(1)", Err(WebError::Url(UrlFault::Scheme))),
            ("gopher://example.com/", Err(WebError::Url(UrlFault::Scheme))),
            ("http://me@example.com/", Err(WebError::Url(UrlFault::Credentials))),
            ("http://me:pass@example.com/", Err(WebError::Url(UrlFault::Credentials))),
            (
                "http://public.com:x@127.0.0.1/",
                Err(WebError::Url(UrlFault::Credentials)),
            ),
            ("http://example.com:25/", Err(WebError::Url(UrlFault::Port))),
            ("http://example.com:6379/", Err(WebError::Url(UrlFault::Port))),
            ("http://127.0.0.1/", refused("127.0.0.1")),
            ("http://127.1/", refused("127.0.0.1")),
            ("http://2130706433/", refused("127.0.0.1")),
            ("http://0x7f.0.0.1/", refused("127.0.0.1")),
            ("http://0177.0.0.1/", refused("127.0.0.1")),
            ("http://①②⑦.0.0.1/", refused("127.0.0.1")),
            ("http://169.254.169.254/latest/meta-data/", refused("169.254.169.254")),
            ("http://[::1]/", refused("[::1]")),
            ("http://[::ffff:10.0.0.1]/", refused("[::ffff:a00:1]")),
            ("http://[fd00:ec2::254]/", refused("[fd00:ec2::254]")),
        ] {
            let found = parse(url, Ports::Web, &Gate::default()).map(drop);
            assert_eq!(found, expected, "{url}");
        }
        let gate = Gate(vec!["127.0.0.0/8".parse().unwrap()]);
        assert!(parse("http://127.0.0.1:9999/", Ports::Any, &gate).is_ok());
        assert!(parse("http://10.0.0.1:9999/", Ports::Any, &gate).is_err());
    }
}
