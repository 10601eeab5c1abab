//! The tools from plain settings, as a configuration file has them.

use crate::clients::{Access, JinaReader, SearchClient, SearchService};
use crate::config::ConfigError;
use crate::corpus::Corpus;
use crate::fetch::FetchConfig;
use crate::page::PageReader;
use crate::tools::{Lifetimes, WebTools};
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;

/// A search or a page may take so many seconds: the turn goes on after it.
const LONGEST: u64 = 25;

/// Who reads pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Reader {
    /// incar itself.
    #[default]
    Fetch,
    /// Jina Reader.
    Jina,
}

/// Settings of the web tools. All have defaults; with none set, the tools work on the offline corpus alone.
///
/// ```toml
/// search = "tavily"             # serpapi, serper, tavily, searxng; left out: the offline corpus alone
/// key_env = "TAVILY_API_KEY"    # the variable that holds the key; left out: the service's usual one
/// reader = "fetch"              # fetch, jina
/// page_words = 5000
/// allow = ["192.168.10.0/24"]   # networks that pages may be read from beside the public web
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct WebSettings {
    /// The search service; none: the offline corpus alone.
    pub search: Option<SearchService>,
    /// Where it is, if not where it usually is. SearXNG needs it.
    pub url: Option<String>,
    /// The variable of the environment that holds its key, if not the usual one.
    pub key_env: Option<String>,
    /// Who reads pages.
    pub reader: Reader,
    /// Where Jina Reader is, if not where it usually is.
    pub reader_url: Option<String>,
    /// The variable of the environment that holds Jina Reader's key, if not the usual one. It works without.
    pub reader_key_env: Option<String>,
    /// How long a search or a page may take, in seconds, at most 25; 10.
    pub timeout: u64,
    /// So many words of a page are given; 5,000.
    pub page_words: usize,
    /// The longest page that is read, in bytes; 2 MiB.
    pub page_bytes: usize,
    /// How long a search's results are kept, in seconds; 600.
    pub keep_search: u64,
    /// How long a page is kept, in seconds; 3,600.
    pub keep_page: u64,
    /// Networks that pages may be read from beside the public web, such as `10.0.0.0/8`.
    pub allow: Vec<String>,
    /// Whether the offline corpus answers where the service cannot be reached; true.
    pub offline_fallback: bool,
}

impl Default for WebSettings {
    fn default() -> Self {
        let kept = Lifetimes::default();
        Self {
            search: None,
            url: None,
            key_env: None,
            reader: Reader::default(),
            reader_url: None,
            reader_key_env: None,
            timeout: 10,
            page_words: 5000,
            page_bytes: 2 << 20,
            keep_search: kept.search.as_secs(),
            keep_page: kept.page.as_secs(),
            allow: Vec::new(),
            offline_fallback: true,
        }
    }
}

impl WebSettings {
    /// The tools that these settings ask for. Keys are looked up in the process's environment.
    ///
    /// # Errors
    /// As [`WebSettings::build_with`].
    pub fn build(&self) -> Result<WebTools, ConfigError> {
        self.build_with(|name| std::env::var(name).ok())
    }

    /// The tools that these settings ask for, keys looked up by `lookup`. Empty ones count as missing.
    ///
    /// # Errors
    /// [`ConfigError`] where something is missing, out of form or unsafe.
    pub fn build_with(&self, lookup: impl Fn(&str) -> Option<String>) -> Result<WebTools, ConfigError> {
        self.check()?;
        let tools = match self.search {
            None => WebTools::offline(),
            Some(service) => {
                let tools = WebTools::new(
                    Arc::new(self.search_client(service, &lookup)?),
                    self.page_reader(&lookup)?,
                );
                match self.offline_fallback {
                    true => tools.with_corpus(Arc::new(Corpus::embedded())),
                    false => tools,
                }
            }
        };
        let kept = Lifetimes::new(
            Duration::from_secs(self.keep_search),
            Duration::from_secs(self.keep_page),
        );
        Ok(tools.with_page_words(self.page_words).with_lifetimes(kept))
    }

    fn check(&self) -> Result<(), ConfigError> {
        for (name, fits, range) in [
            ("timeout", (1..=LONGEST).contains(&self.timeout), "1 to 25 seconds"),
            ("page_words", self.page_words > 0, "1 or more"),
            ("page_bytes", self.page_bytes > 0, "1 or more"),
        ] {
            if !fits {
                return Err(ConfigError::OutOfRange { name, range });
            }
        }
        Ok(())
    }

    fn search_client(
        &self,
        service: SearchService,
        lookup: &impl Fn(&str) -> Option<String>,
    ) -> Result<SearchClient, ConfigError> {
        let mut access = self.access(self.url.as_deref());
        if let Some(variable) = self.key_env.as_deref().or(service.key_variable()) {
            let key = lookup(variable).filter(|key| !key.trim().is_empty());
            access = access.with_key(key.ok_or_else(|| ConfigError::NoKey {
                service: service.name(),
                variable: variable.to_owned(),
            })?);
        }
        SearchClient::new(service, &access)
    }

    fn access(&self, url: Option<&str>) -> Access {
        let access = Access::new().with_timeout(Duration::from_secs(self.timeout));
        url.map_or(access.clone(), |url| access.with_url(url))
    }

    fn page_reader(&self, lookup: &impl Fn(&str) -> Option<String>) -> Result<Arc<dyn PageReader>, ConfigError> {
        match self.reader {
            Reader::Fetch => {
                let timeout = Duration::from_secs(self.timeout);
                let mut config = FetchConfig::default().with_timeout(timeout).with_limit(self.page_bytes);
                for network in &self.allow {
                    config = config.with_allowed(network.parse()?);
                }
                Ok(Arc::new(config.build()?))
            }
            Reader::Jina => {
                let mut access = self.access(self.reader_url.as_deref());
                let variable = self.reader_key_env.as_deref().unwrap_or(JinaReader::KEY_VARIABLE);
                if let Some(key) = lookup(variable).filter(|key| !key.trim().is_empty()) {
                    access = access.with_key(key);
                }
                Ok(Arc::new(JinaReader::new(&access)?))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(settings: &str, variables: &[(&str, &str)]) -> Result<(), String> {
        let settings: WebSettings = toml::from_str(settings).map_err(|error| error.message().to_owned())?;
        let lookup = |name: &str| {
            let found = variables.iter().find(|(variable, _)| *variable == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        let built = settings
            .build_with(lookup)
            .map(|tools| assert_eq!(tools.tools().len(), 2));
        built.map_err(|error| error.to_string())
    }

    #[test]
    fn settings_make_the_tools() {
        for (settings, variables) in [
            ("", &[] as &[(&str, &str)]),
            ("search = 'tavily'", &[("TAVILY_API_KEY", "k")]),
            ("search = 'serper'\nkey_env = 'MINE'\nreader = 'jina'", &[("MINE", "k")]),
            (
                "search = 'serpapi'\nreader = 'jina'",
                &[("SERPAPI_API_KEY", "k"), ("JINA_API_KEY", "j")],
            ),
            (
                "search = 'searxng'\nurl = 'http://10.0.0.5:8888'\nallow = ['10.0.0.0/8']\noffline_fallback = false",
                &[],
            ),
        ] {
            assert_eq!(build(settings, variables), Ok(()), "{settings}");
        }
    }

    #[test]
    fn what_is_wrong_with_settings_is_told() {
        for (settings, says) in [
            ("search = 'bing'", "unknown variant `bing`"),
            ("search = 'tavily'", "set TAVILY_API_KEY"),
            ("search = 'tavily'\nkey_env = 'EMPTY'", "set EMPTY"),
            ("search = 'searxng'", "searxng needs the address"),
            ("search = 'searxng'\nurl = 'nas'", "no address of a service"),
            ("search = 'searxng'\nurl = 'http://a.b'\nkey_env = 'KEY'", "plain http"),
            (
                "search = 'searxng'\nurl = 'http://a.b'\nallow = ['lan']",
                "`lan` is no network",
            ),
            ("serach = 'tavily'", "unknown field `serach`"),
            ("page_words = -1", "invalid value"),
            ("page_words = 0", "page_words is out of range"),
            ("timeout = 0", "timeout is out of range"),
            ("timeout = 26", "timeout is out of range"),
        ] {
            let error = build(settings, &[("KEY", "k"), ("EMPTY", " ")]).unwrap_err();
            assert!(error.contains(says), "{settings}: {error}");
        }
    }
}
