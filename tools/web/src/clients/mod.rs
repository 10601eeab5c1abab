//! Services that search and read, as their own sites document them.

mod jina;
mod json;
mod searxng;
mod serpapi;
mod serper;
mod service;
mod tavily;

pub use jina::JinaReader;
pub use service::Access;

use crate::config::ConfigError;
use crate::error::WebError;
use crate::search::{SearchQuery, SearchResults, Source, WebSearch};
use incar_core::{Lang, async_trait};
use serde::Deserialize;
use serde_json::Value;
use service::Service;

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

/// A client of a search service. Follows no redirect, so that the key goes nowhere else.
///
/// ```
/// use incar_web::{Access, SearchClient, SearchService};
/// let client = SearchClient::new(SearchService::Tavily, &Access::new().with_key("tvly-1"));
/// # assert!(client.is_ok());
/// ```
#[derive(Debug)]
pub struct SearchClient {
    kind: SearchService,
    service: Service,
}

impl SearchClient {
    /// A client. SearXNG needs [`Access::with_url`], the others [`Access::with_key`].
    ///
    /// # Errors
    /// [`ConfigError`] where something is missing or unsafe.
    pub fn new(kind: SearchService, access: &Access) -> Result<Self, ConfigError> {
        let name = kind.name();
        let service = Service::new(kind.url().ok_or(ConfigError::NoUrl(name)), access)?;
        match (service.key(), kind.key_variable()) {
            (None, Some(variable)) => Err(ConfigError::NoKey {
                service: name,
                variable: variable.to_owned(),
            }),
            _ => Ok(Self { kind, service }),
        }
    }
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
