//! The tools, and how a host puts them together.

mod read_page;
mod search_web;
#[cfg(test)]
mod tests;

use crate::cache::ReadCache;
use crate::corpus::Corpus;
use crate::fallback::{CorpusAside, CorpusBehind};
use crate::page::PageReader;
use crate::search::{Source, WebSearch};
use incar_core::words::ToolWords;
use incar_core::{Bilingual, Effect, Erased, Tool, ToolCategory, ToolOutput, ToolSpec};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// A call may take so long; services have their own, shorter deadlines.
const TIMEOUT: Duration = Duration::from_secs(30);
/// So many bytes of results are kept.
const CACHE: u64 = 1 << 20;

/// `search_web` and `read_page`, put together.
#[derive(Debug, Clone)]
pub struct WebTools {
    search: Arc<dyn WebSearch>,
    reader: Arc<dyn PageReader>,
    page_words: usize,
    kept: Lifetimes,
    cache: ReadCache,
}

/// How long results are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lifetimes {
    /// What a search found.
    pub search: Duration,
    /// A page that was read.
    pub page: Duration,
}

impl Default for Lifetimes {
    fn default() -> Self {
        Self::new(Duration::from_secs(10 * 60), Duration::from_secs(60 * 60))
    }
}

impl Lifetimes {
    /// Lifetimes; nothing is kept for zero.
    pub fn new(search: Duration, page: Duration) -> Self {
        Self { search, page }
    }
}

impl WebTools {
    /// The tools over these services, and nothing behind them.
    pub fn new(search: Arc<dyn WebSearch>, reader: Arc<dyn PageReader>) -> Self {
        Self {
            search,
            reader,
            page_words: 5000,
            kept: Lifetimes::default(),
            cache: ReadCache::of_bytes(CACHE),
        }
    }

    /// The tools over the offline corpus alone: no network is used.
    pub fn offline() -> Self {
        let corpus = Arc::new(Corpus::embedded());
        Self::new(corpus.clone(), corpus)
    }

    /// The same tools with the offline corpus behind them: it answers where the search service cannot be reached, and
    /// its articles can be read.
    #[must_use]
    pub fn with_corpus(mut self, corpus: Arc<Corpus>) -> Self {
        self.search = Arc::new(CorpusBehind::new(self.search, corpus.clone()));
        self.reader = Arc::new(CorpusAside::new(self.reader, corpus));
        self
    }

    /// The same tools, pages cut after so many words; 5,000 unless set.
    #[must_use]
    pub fn with_page_words(mut self, words: usize) -> Self {
        self.page_words = words;
        self
    }

    /// The same tools, their results kept for so long; ten minutes for a search and an hour for a page unless set.
    #[must_use]
    pub fn with_lifetimes(mut self, lifetimes: Lifetimes) -> Self {
        self.kept = lifetimes;
        self
    }

    /// The tools, to be registered.
    pub fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let search = Erased::new(search_web::SearchWeb(self.search.clone()));
        let read = Erased::new(read_page::ReadPage {
            reader: self.reader.clone(),
            words: self.page_words,
        });
        vec![
            self.keeping(Arc::new(search), self.kept.search),
            self.keeping(Arc::new(read), self.kept.page),
        ]
    }

    fn keeping(&self, tool: Arc<dyn Tool>, lifetime: Duration) -> Arc<dyn Tool> {
        // Both tools only read, so that both can be kept.
        self.cache.around_if(tool.clone(), lifetime, is_of_web).unwrap_or(tool)
    }
}

/// What the corpus answered costs nothing to ask again, and must not outlive an outage of the web.
fn is_of_web(output: &ToolOutput) -> bool {
    output
        .value
        .get("source")
        .is_some_and(|source| source != Source::Corpus.name())
}

/// A spec of this crate, with the tool's words. Whatever these tools say was written by others.
fn spec(name: &'static str, zh: &str, en: &str) -> ToolSpec {
    ToolSpec::new(name, ToolCategory::KNOWLEDGE, Effect::Read, Bilingual::new(zh, en))
        .with_timeout(TIMEOUT)
        .with_words(words(name))
        .untrusted()
}

fn words(tool: &str) -> Arc<ToolWords> {
    static WORDS: OnceLock<HashMap<String, Arc<ToolWords>>> = OnceLock::new();
    // A test holds that the file can be read.
    let words = WORDS.get_or_init(|| toml::from_str(include_str!("../../words.toml")).unwrap_or_default());
    words.get(tool).cloned().unwrap_or_default()
}
