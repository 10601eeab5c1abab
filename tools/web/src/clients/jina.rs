//! Jina Reader: a service that fetches a page and makes it readable, also one that needs a browser.

use super::json;
use super::service::{Access, Service};
use crate::config::ConfigError;
use crate::error::WebError;
use crate::fetch;
use crate::page::{Page, PageReader};
use crate::search::Source;
use incar_core::async_trait;

/// A client of Jina Reader. Only addresses of the public web are told to it. Works without a key, more slowly.
#[derive(Debug)]
pub struct JinaReader(Service);

impl JinaReader {
    /// The variable of the environment in which its users keep their key.
    pub const KEY_VARIABLE: &str = "JINA_API_KEY";

    /// A client.
    ///
    /// # Errors
    /// [`ConfigError`] where the address or the key is none, or would be unsafe.
    pub fn new(access: &Access) -> Result<Self, ConfigError> {
        Ok(Self(Service::new(Ok("https://r.jina.ai"), access)?))
    }
}

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
