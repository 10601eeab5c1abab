//! Reading a page.

use crate::cut;
use crate::error::WebError;
use crate::search::{DATE_WORDS, Source, TITLE_WORDS};
use incar_core::async_trait;
use std::fmt::Debug;

/// A service that reads pages: from the web, or from the offline corpus.
#[async_trait]
pub trait PageReader: Debug + Send + Sync {
    /// The readable text of the page at `url`.
    ///
    /// # Errors
    /// [`WebError`] where it cannot be read or may not be.
    async fn read(&self, url: &str) -> Result<Page, WebError>;
}

/// A page's readable text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// Who read it.
    pub source: Source,
    /// Its address, after redirects.
    pub url: String,
    /// Its title; may be empty.
    pub title: String,
    /// Its text, paragraphs on lines of their own.
    pub text: String,
    /// Of when it is, where that is known: a date, or a year.
    pub updated: Option<String>,
}

impl Page {
    /// A page; its title on one line and bounded. Its text is bounded by who reads it out.
    pub fn new(source: Source, url: impl Into<String>, title: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            source,
            url: url.into(),
            title: cut::line(&title.into(), TITLE_WORDS),
            text: text.into(),
            updated: None,
        }
    }

    /// The same page, of that date.
    #[must_use]
    pub fn with_updated(mut self, updated: Option<String>) -> Self {
        self.updated = updated.map(|date| cut::line(&date, DATE_WORDS));
        self
    }
}
