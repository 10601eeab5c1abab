//! Jina Reader: a service that fetches a page and makes it readable, also one that needs a browser.

use super::json;
use super::service::{ApiKey, Service};
use crate::config::ConfigError;
use crate::error::WebError;
use crate::fetch;
use crate::page::{Page, PageReader};
use crate::search::Source;
use incar_core::async_trait;
use std::time::Duration;

/// What a [`JinaReader`] is made from: a builder.
#[derive(Debug, Clone)]
pub struct JinaConfig {
    url: String,
    key: Option<String>,
    timeout: Duration,
}

impl Default for JinaConfig {
    fn default() -> Self {
        Self {
            url: "https://r.jina.ai".to_owned(),
            key: None,
            timeout: Duration::from_secs(10),
        }
    }
}

impl JinaConfig {
    /// The variable of the environment in which its users keep their key.
    pub const KEY_VARIABLE: &str = "JINA_API_KEY";

    /// Another address: of an instance of one's own.
    #[must_use]
    pub fn with_url(mut self, url: impl Into<String>) -> Self {
        self.url = url.into();
        self
    }

    /// A key. The service also works without one, more slowly.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }

    /// How long a page may take; 10 s unless set.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The reader.
    ///
    /// # Errors
    /// [`ConfigError`] where the address or the key is none, or would be unsafe.
    pub fn build(self) -> Result<JinaReader, ConfigError> {
        let key = self.key.as_deref().map(ApiKey::new).transpose()?;
        Ok(JinaReader(Service::new(&self.url, key, self.timeout)?))
    }
}

/// A client of Jina Reader. Made by [`JinaConfig::build`]. Only addresses of the public web are told to it.
#[derive(Debug)]
pub struct JinaReader(Service);

#[async_trait]
impl PageReader for JinaReader {
    async fn read(&self, url: &str) -> Result<Page, WebError> {
        let page = fetch::public_url(url)?;
        let body = serde_json::json!({"url": page});
        let request = self.0.post("", &body).header("accept", "application/json");
        let reply = self.0.ask(self.0.bearer(request)).await?;
        let data = reply.get("data").unwrap_or(&reply);
        let text = json::first_text(data, &["content", "text"]);
        let text = text.ok_or_else(|| WebError::Unreadable("no text in the reply".to_owned()))?;
        let read = json::first_text(data, &["url"]).unwrap_or(&page);
        let found = Page::new(Source::Web("jina"), read, json::text(data, "title"), text);
        Ok(found.with_updated(json::first_text(data, &["publishedTime"]).map(str::to_owned)))
    }
}
