//! The service over HTTP: what it is sent, and how its answer begins.

use crate::config::{Config, ConfigError};
use crate::connect::{Connector, Route};
use crate::{address, error, retry};
use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderValue, LOCATION, PROXY_AUTHORIZATION};
use http::{Method, Request, Response, Uri};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper_util::client::legacy::Client;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use incar_core::ModelError;
use std::time::Duration;

/// How many redirects within the service are followed.
const REDIRECTS: u32 = 3;
/// How much of an error's body is read.
const ERROR_BODY: usize = 64 << 10;
/// How long a connection is kept for the next request.
const IDLE: Duration = Duration::from_secs(90);

/// A service, reached by connections that are used again.
pub(crate) struct Service {
    client: Client<Connector, Full<Bytes>>,
    url: Uri,
    headers: HeaderMap,
}

impl Service {
    pub(crate) fn new(config: &Config) -> Result<Self, ConfigError> {
        let url = address::endpoint(config)?;
        let route = Route::to(&url, config)?;
        Self::by(route, url, config)
    }

    fn by(route: Route, url: Uri, config: &Config) -> Result<Self, ConfigError> {
        let mut headers = headers(config)?;
        if let Some(authorization) = route.authorization(&url) {
            headers.insert(PROXY_AUTHORIZATION, authorization);
        }
        let connector = Connector::new(&url, route, config)?;
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(IDLE)
            .build(connector);
        Ok(Self { client, url, headers })
    }

    /// Where it is, without what may be secret.
    pub(crate) fn address(&self) -> String {
        address::shown(&self.url.to_string())
    }

    /// Sends the body; answers with the beginning of a successful reply.
    pub(crate) async fn post(&self, body: &Bytes) -> Result<Response<Incoming>, ModelError> {
        let mut url = self.url.clone();
        for _ in 0..=REDIRECTS {
            let mut request = Request::new(Full::new(body.clone()));
            *request.method_mut() = Method::POST;
            *request.uri_mut() = url.clone();
            *request.headers_mut() = self.headers.clone();
            let response = self.client.request(request).await.map_err(error::unanswered)?;
            match response.status().as_u16() {
                200..=299 => return Ok(response),
                307 | 308 => url = redirected(&response, &url)?,
                300..=399 => return Err(refused_redirect(&response)),
                _ => return Err(failure(response).await),
            }
        }
        Err(ModelError::rejected("the service redirects in a circle"))
    }
}

/// The next bytes of a reply; `None` at its end.
pub(crate) async fn chunk(body: &mut Incoming) -> Result<Option<Bytes>, hyper::Error> {
    while let Some(frame) = body.frame().await {
        // What is no data is a trailer, which says nothing to us.
        if let Ok(bytes) = frame?.into_data() {
            return Ok(Some(bytes));
        }
    }
    Ok(None)
}

/// The headers of every request.
fn headers(config: &Config) -> Result<HeaderMap, ConfigError> {
    let mut headers = HeaderMap::with_capacity(6);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(ACCEPT, HeaderValue::from_static("text/event-stream, application/json"));
    if let Some(key) = &config.key {
        headers.insert(AUTHORIZATION, key.clone()?.header()?);
    }
    Ok(headers)
}

/// Where a redirect leads, if that is the same origin: the key goes nowhere else.
fn redirected(response: &Response<Incoming>, from: &Uri) -> Result<Uri, ModelError> {
    let target = response.headers().get(LOCATION).and_then(|to| to.to_str().ok());
    target
        .and_then(|to| address::redirected(from, to))
        .ok_or_else(|| refused_redirect(response))
}

fn refused_redirect(response: &Response<Incoming>) -> ModelError {
    let status = response.status().as_u16();
    ModelError::rejected(format!(
        "the service answered {status}: it redirects elsewhere, which is not followed"
    ))
    .with_status(status)
}

async fn failure(response: Response<Incoming>) -> ModelError {
    let status = response.status().as_u16();
    let wait = retry::retry_after(response.headers());
    let mut incoming = response.into_body();
    let mut body = Vec::new();
    // A broken body still leaves its status to tell.
    while let Ok(Some(more)) = chunk(&mut incoming).await {
        body.extend_from_slice(&more);
        if body.len() >= ERROR_BODY {
            body.truncate(ERROR_BODY);
            break;
        }
    }
    error::status(status, &body, wait)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::Provider;
    use hyper_util::client::proxy::matcher::Matcher;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    /// What a proxy is sent first when the service at `url` is asked, and what becomes of its `answer`.
    /// `None` on a machine without any trusted certificate.
    async fn by_proxy(url: &str, answer: &'static str) -> Option<(String, Result<u16, ModelError>)> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy = format!("http://me:pw@{}", listener.local_addr().unwrap());
        let serving = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let mut head = Vec::new();
            while !head.windows(4).any(|end| end == b"\r\n\r\n") {
                let mut byte = [0];
                stream.read_exact(&mut byte).await.unwrap();
                head.extend_from_slice(&byte);
            }
            stream.write_all(answer.as_bytes()).await.unwrap();
            String::from_utf8(head).unwrap()
        });
        let config = Config::new(Provider::Custom).with_base_url(url).with_model("m");
        let url = address::endpoint(&config).unwrap();
        let route = Route::by(&Matcher::builder().all(proxy).build(), &url).unwrap();
        let service = match Service::by(route, url, &config) {
            Err(ConfigError::Tls(_)) => return None,
            made => made.unwrap(),
        };
        let answered = service.post(&Bytes::from_static(b"{}")).await;
        let head = serving.await.unwrap().to_ascii_lowercase();
        Some((head, answered.map(|response| response.status().as_u16())))
    }

    #[tokio::test]
    async fn a_proxy_sends_plain_requests_on() {
        let ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";
        let (head, answered) = by_proxy("http://api.example.test/v1", ok).await.unwrap();
        assert!(
            head.starts_with("post http://api.example.test/v1/chat/completions http/1.1\r\n"),
            "{head}"
        );
        assert!(head.contains("\r\nhost: api.example.test\r\n"), "{head}");
        assert!(head.contains("\r\nproxy-authorization: basic bwu6chc=\r\n"), "{head}");
        assert_eq!(answered, Ok(200));
    }

    #[tokio::test]
    async fn a_proxy_passes_on_what_is_encrypted_without_reading_it() {
        let refusal = "HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n";
        let Some((head, answered)) = by_proxy("https://api.example.test/v1", refusal).await else {
            return;
        };
        assert!(head.starts_with("connect api.example.test:443 http/1.1\r\n"), "{head}");
        assert!(head.contains("proxy-authorization: basic bwu6chc=\r\n"), "{head}");
        assert!(!head.contains("completions"), "{head}");
        let error = answered.unwrap_err();
        assert!(
            error.retryable && error.message.contains("proxy authorization required"),
            "{error}"
        );
    }
}
