//! What both the services' clients and the page fetcher need of HTTP.

use crate::config::ConfigError;
use crate::error::WebError;
use incar_net::{Trust, innermost};
use reqwest::redirect::Policy;
use reqwest::{ClientBuilder, Response};
use std::time::Duration;

/// How long a connection may take, TLS included.
const CONNECT: Duration = Duration::from_secs(5);

/// A client that follows no redirect, uses no proxy and sends nothing twice.
pub(crate) fn builder() -> Result<ClientBuilder, ConfigError> {
    let tls = incar_net::tls(Trust::Platform).map_err(|error| ConfigError::Tls(error.to_string()))?;
    let builder = reqwest::Client::builder().tls_backend_preconfigured(tls);
    Ok(builder
        .redirect(Policy::none())
        .no_proxy()
        .retry(reqwest::retry::never())
        .connect_timeout(CONNECT)
        .http1_only())
}

/// The client.
pub(crate) fn build(builder: ClientBuilder) -> Result<reqwest::Client, ConfigError> {
    builder.build().map_err(|error| ConfigError::Http(error.to_string()))
}

/// Why no reply came. The outermost errors repeat the address, which may hold a key, so only the innermost is told.
pub(crate) fn unreachable(error: &reqwest::Error) -> WebError {
    if error.is_timeout() {
        return WebError::Late;
    }
    let cause = innermost(error);
    WebError::Unreachable(match cause.is::<reqwest::Error>() {
        true => "the connection broke".to_owned(),
        false => cause.to_string(),
    })
}

/// The body, up to `limit` bytes; a longer one is not read to its end.
pub(crate) async fn body(mut response: Response, limit: usize) -> Result<Vec<u8>, WebError> {
    let told = response.content_length().unwrap_or_default();
    if told > limit as u64 {
        return Err(WebError::TooLarge { limit });
    }
    let mut body = Vec::new();
    while let Some(more) = response.chunk().await.map_err(|error| unreachable(&error))? {
        if body.len() + more.len() > limit {
            return Err(WebError::TooLarge { limit });
        }
        body.extend_from_slice(&more);
    }
    Ok(body)
}
