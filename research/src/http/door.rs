//! Who may come in.

use super::Reach;
use super::reply::Refusal;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, HeaderMap, HeaderValue, ORIGIN};
use axum::middleware::Next;
use axum::response::Response;
use incar_net::{BearerToken, is_this_machine};
use std::sync::Arc;

/// Who may come in.
#[derive(Debug)]
pub(super) struct Door {
    pub(super) reach: Reach,
    pub(super) token: Option<BearerToken>,
}

impl Door {
    fn judge(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        // A page of a browser, whoever wrote it.
        if headers.contains_key(ORIGIN) {
            return Err(Refusal::Page);
        }
        let host = headers
            .get(HOST)
            .and_then(|host| host.to_str().ok())
            .unwrap_or_default();
        if self.reach == Reach::ThisMachine && !is_this_machine(without_port(host)) {
            return Err(Refusal::OtherHost);
        }
        let shown = headers.get_all(AUTHORIZATION).iter().map(HeaderValue::as_bytes);
        match &self.token {
            Some(token) if !token.is_shown(shown) => Err(Refusal::Unknown),
            Some(_) | None => Ok(()),
        }
    }
}

/// Lets a request pass before anything of it is read.
pub(super) async fn pass(State(door): State<Arc<Door>>, request: Request, next: Next) -> Response {
    match door.judge(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into(),
    }
}

/// The host of `host:port`, of `[::1]:port` with its brackets.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_is_known_with_and_without_its_port() {
        for (host, name) in [
            ("localhost:80", "localhost"),
            ("localhost", "localhost"),
            ("127.0.0.1:8738", "127.0.0.1"),
            ("[::1]:8738", "[::1]"),
            ("[::1]", "[::1]"),
            ("", ""),
        ] {
            assert_eq!(without_port(host), name, "{host}");
        }
    }
}
