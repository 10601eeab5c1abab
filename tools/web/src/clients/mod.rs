//! Services that search and read, as their own sites document them.

mod jina;
mod json;
mod searxng;
mod serpapi;
mod serper;
mod service;
mod tavily;

pub use jina::{JinaConfig, JinaReader};
pub use service::ApiKey;

use crate::config::ConfigError;
use crate::error::WebError;
use crate::search::{SearchQuery, SearchResults, Source, WebSearch};
use incar_core::{Lang, async_trait};
use serde::Deserialize;
use serde_json::Value;
use service::Service;
use std::time::Duration;

/// A search service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SearchService {
    /// SerpAPI: Google's results.
    SerpApi,
    /// Serper: Google's results.
    Serper,
    /// Tavily: made for models.
    Tavily,
    /// SearXNG: an instance of one's own, with the JSON format switched on.
    SearXng,
}

impl SearchService {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::SerpApi, Self::Serper, Self::Tavily, Self::SearXng];

    /// Its name in settings and results.
    pub fn name(self) -> &'static str {
        match self {
            Self::SerpApi => "serpapi",
            Self::Serper => "serper",
            Self::Tavily => "tavily",
            Self::SearXng => "searxng",
        }
    }

    /// The service of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|service| service.name() == name)
    }

    /// The variable of the environment in which its users keep their key; none where it needs none.
    pub fn key_variable(self) -> Option<&'static str> {
        match self {
            Self::SerpApi => Some("SERPAPI_API_KEY"),
            Self::Serper => Some("SERPER_API_KEY"),
            Self::Tavily => Some("TAVILY_API_KEY"),
            Self::SearXng => None,
        }
    }

    fn url(self) -> Option<&'static str> {
        match self {
            Self::SerpApi => Some("https://serpapi.com"),
            Self::Serper => Some("https://google.serper.dev"),
            Self::Tavily => Some("https://api.tavily.com"),
            Self::SearXng => None,
        }
    }
}

/// What a [`SearchClient`] is made from: a builder.
///
/// ```
/// use incar_web::{SearchConfig, SearchService};
/// let client = SearchConfig::new(SearchService::Tavily).with_key("tvly-…").build();
/// # assert!(client.is_err(), "… is in no key");
/// ```
#[derive(Debug, Clone)]
pub struct SearchConfig {
    service: SearchService,
    url: Option<String>,
    key: Option<String>,
    timeout: Duration,
}

impl SearchConfig {
    /// The defaults of `service`. SearXNG needs [`SearchConfig::with_url`], the others [`SearchConfig::with_key`].
    pub fn new(service: SearchService) -> Self {
        Self {
            service,
            url: None,
            key: None,
            timeout: Duration::from_secs(10),
        }
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
        self.key = Some(key.into());
        self
    }

    /// How long a search may take; 10 s unless set.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// The client.
    ///
    /// # Errors
    /// [`ConfigError`] where something is missing or unsafe.
    pub fn build(self) -> Result<SearchClient, ConfigError> {
        let name = self.service.name();
        let url = self
            .url
            .as_deref()
            .or(self.service.url())
            .ok_or(ConfigError::NoUrl(name))?;
        let key = self.key.as_deref().map(ApiKey::new).transpose()?;
        if let (None, Some(variable)) = (&key, self.service.key_variable()) {
            return Err(ConfigError::NoKey {
                service: name,
                variable: variable.to_owned(),
            });
        }
        Ok(SearchClient {
            kind: self.service,
            service: Service::new(url, key, self.timeout)?,
        })
    }
}

/// A client of a search service. Made by [`SearchConfig::build`]. Follows no redirect, so that the key goes nowhere else.
#[derive(Debug)]
pub struct SearchClient {
    kind: SearchService,
    service: Service,
}

#[async_trait]
impl WebSearch for SearchClient {
    async fn search(&self, query: &SearchQuery) -> Result<SearchResults, WebError> {
        let (request, read): (_, fn(&Value) -> Option<Found>) = match self.kind {
            SearchService::SerpApi => (serpapi::request(&self.service, query), serpapi::read),
            SearchService::Serper => (serper::request(&self.service, query), serper::read),
            SearchService::Tavily => (tavily::request(&self.service, query), tavily::read),
            SearchService::SearXng => (searxng::request(&self.service, query), searxng::read),
        };
        let reply = self.service.ask(request).await?;
        let found = read(&reply).ok_or_else(|| WebError::Unreadable("no results in the reply".to_owned()))?;
        let mut results = SearchResults::new(Source::Web(self.kind.name()), found.hits).with_answer(found.answer);
        results.hits.truncate(query.count);
        Ok(results)
    }
}

/// What a reply holds.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    answer: Option<crate::search::DirectAnswer>,
    hits: Vec<crate::search::SearchHit>,
}

/// The code by which Google's results are asked for in a language.
fn google_language(lang: Lang) -> &'static str {
    lang.pick("zh-cn", "en")
}
