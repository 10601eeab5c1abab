//! The offline corpus behind a service.

use crate::corpus::Corpus;
use crate::error::WebError;
use crate::page::{Page, PageReader};
use crate::search::{SearchQuery, SearchResults, WebSearch};
use incar_core::async_trait;
use std::sync::Arc;

/// A search service; where it cannot be reached, the corpus answers, and the results say so.
#[derive(Debug)]
pub(crate) struct CorpusBehind {
    service: Arc<dyn WebSearch>,
    corpus: Arc<Corpus>,
}

impl CorpusBehind {
    pub(crate) fn new(service: Arc<dyn WebSearch>, corpus: Arc<Corpus>) -> Self {
        Self { service, corpus }
    }
}

#[async_trait]
impl WebSearch for CorpusBehind {
    async fn search(&self, query: &SearchQuery) -> Result<SearchResults, WebError> {
        match self.service.search(query).await {
            Err(error) if error.is_outage() => {
                let results = self.corpus.search(query).await?;
                // What the corpus does not know either is told as the outage that it is.
                (!results.hits.is_empty()).then_some(results).ok_or(error)
            }
            result => result,
        }
    }
}

/// A reader of the web, and the corpus for its own addresses.
#[derive(Debug)]
pub(crate) struct CorpusAside {
    service: Arc<dyn PageReader>,
    corpus: Arc<Corpus>,
}

impl CorpusAside {
    pub(crate) fn new(service: Arc<dyn PageReader>, corpus: Arc<Corpus>) -> Self {
        Self { service, corpus }
    }
}

#[async_trait]
impl PageReader for CorpusAside {
    async fn read(&self, url: &str) -> Result<Page, WebError> {
        if Corpus::has_form(url) {
            return self.corpus.read(url).await;
        }
        self.service.read(url).await
    }
}
