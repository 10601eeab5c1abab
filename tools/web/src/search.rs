//! Searching the web.

use crate::cut;
use crate::error::WebError;
use incar_core::{Lang, async_trait};
use serde_json::{Value, json};
use std::fmt::Debug;

/// So many words of a title, a snippet and an answer are kept.
pub(crate) const TITLE_WORDS: usize = 30;
const SNIPPET_WORDS: usize = 80;
pub(crate) const DATE_WORDS: usize = 10;
const ANSWER_WORDS: usize = 160;
/// An address that is longer is none that anybody reads.
pub(crate) const LONGEST_URL: usize = 2048;

/// A service that searches: on the web, or in the offline corpus.
#[async_trait]
pub trait WebSearch: Debug + Send + Sync {
    /// What is found for `query`, the best first, at most `query.count`. Nothing found is no error.
    ///
    /// # Errors
    /// [`WebError`] where nobody can tell.
    async fn search(&self, query: &SearchQuery) -> Result<SearchResults, WebError>;
}

/// What is searched for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchQuery {
    /// In the words of whoever asks.
    pub text: String,
    /// How many results at most.
    pub count: usize,
    /// The language of the speaker.
    pub lang: Lang,
}

impl SearchQuery {
    /// A query for five results.
    pub fn new(text: impl Into<String>, lang: Lang) -> Self {
        Self {
            text: text.into(),
            count: 5,
            lang,
        }
    }

    /// The same query for at most `count` results.
    #[must_use]
    pub fn with_count(mut self, count: usize) -> Self {
        self.count = count;
        self
    }
}

/// Where something comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// The web, by the service of that name.
    Web(&'static str),
    /// The offline corpus: incar's own short articles, not the web.
    Corpus,
}

impl Source {
    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Web(service) => service,
            Self::Corpus => "offline_corpus",
        }
    }
}

/// A page that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchHit {
    /// The title.
    pub title: String,
    /// The address, to read it by.
    pub url: String,
    /// What of it has to do with the query.
    pub snippet: String,
    /// Of when it is, where that is known, as the service writes it.
    pub date: Option<String>,
}

impl SearchHit {
    /// A hit, its texts on one line and bounded; none where the address is none.
    pub fn new(title: &str, url: &str, snippet: &str) -> Option<Self> {
        Some(Self {
            title: cut::line(title, TITLE_WORDS),
            url: usable(url)?.to_owned(),
            snippet: cut::line(snippet, SNIPPET_WORDS),
            date: None,
        })
    }

    /// The same hit, of that date.
    #[must_use]
    pub fn with_date(mut self, date: Option<&str>) -> Self {
        self.date = date
            .map(|date| cut::line(date, DATE_WORDS))
            .filter(|date| !date.is_empty());
        self
    }

    fn to_value(&self) -> Value {
        let mut value = json!({"title": self.title, "url": self.url, "snippet": self.snippet});
        if let Some(date) = &self.date {
            put(&mut value, "date", date.as_str());
        }
        value
    }
}

/// What a service answers directly: from its knowledge graph, its answer box, its model.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DirectAnswer {
    /// What it is about, where that is known.
    pub title: Option<String>,
    /// The answer.
    pub text: String,
    /// Where it stands, where that is known.
    pub url: Option<String>,
}

impl DirectAnswer {
    /// An answer, its text on one line and bounded; none where it is empty.
    pub fn new(text: &str) -> Option<Self> {
        let text = cut::line(text, ANSWER_WORDS);
        (!text.is_empty()).then_some(Self {
            title: None,
            text,
            url: None,
        })
    }

    /// The same answer about `title`.
    #[must_use]
    pub fn about(mut self, title: Option<&str>) -> Self {
        let title = title.map(|title| cut::line(title, TITLE_WORDS));
        self.title = title.filter(|title| !title.is_empty());
        self
    }

    /// The same answer, which stands at `url`.
    #[must_use]
    pub fn at(mut self, url: Option<&str>) -> Self {
        self.url = url.and_then(usable).map(str::to_owned);
        self
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchResults {
    /// Who found it.
    pub source: Source,
    /// The direct answer, where there is one.
    pub answer: Option<DirectAnswer>,
    /// The pages, the best first.
    pub hits: Vec<SearchHit>,
}

impl SearchResults {
    /// Pages that `source` found.
    pub fn new(source: Source, hits: Vec<SearchHit>) -> Self {
        Self {
            source,
            answer: None,
            hits,
        }
    }

    /// The same with a direct answer.
    #[must_use]
    pub fn with_answer(mut self, answer: Option<DirectAnswer>) -> Self {
        self.answer = answer;
        self
    }

    /// As a tool's result.
    pub(crate) fn to_value(&self, query: &str) -> Value {
        let mut value = json!({
            "query": query,
            "source": self.source.name(),
            "results": self.hits.iter().map(SearchHit::to_value).collect::<Vec<_>>(),
        });
        if let Some(answer) = &self.answer {
            let mut told = json!({"text": answer.text});
            if let Some(title) = &answer.title {
                put(&mut told, "title", title.as_str());
            }
            if let Some(url) = &answer.url {
                put(&mut told, "url", url.as_str());
            }
            put(&mut value, "answer", told);
        }
        value
    }
}

/// An address that can be read or shown, as it stands.
fn usable(url: &str) -> Option<&str> {
    let url = url.trim();
    let is_page = ["http://", "https://", "incar://"]
        .iter()
        .any(|scheme| url.starts_with(scheme));
    let is_plain = url.len() <= LONGEST_URL && !url.contains(|c: char| c.is_control() || c.is_whitespace());
    (is_page && is_plain).then_some(url)
}

/// Sets a field of an object.
pub(crate) fn put(object: &mut Value, name: &str, value: impl Into<Value>) {
    if let Value::Object(fields) = object {
        fields.insert(name.to_owned(), value.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_service_says_is_bounded() {
        let endless = "很长 ".repeat(100_000);
        let hit = SearchHit::new(&endless, "https://e.com/", &endless)
            .unwrap()
            .with_date(Some(&endless));
        let answer = DirectAnswer::new(&endless)
            .unwrap()
            .about(Some(&endless))
            .at(Some("https://e.com/"));
        let results = SearchResults::new(Source::Web("test"), vec![hit]).with_answer(Some(answer));
        assert!(results.to_value("q").to_string().len() < 4096);
    }

    #[test]
    fn only_addresses_of_pages_are_given_on() {
        let long = format!("https://e.com/{}", "x".repeat(LONGEST_URL));
        for (url, usable) in [
            ("https://e.com/a?b=c#d", true),
            (" http://e.com ", true),
            ("incar://corpus/west-lake-zh", true),
            ("javascript:alert(1)", false),
            ("data:text/html,x", false),
            ("e.com", false),
            ("", false),
            ("https://e.com/a b", false),
            ("https://e.com/\u{7}", false),
            (&long, false),
        ] {
            assert_eq!(SearchHit::new("t", url, "s").is_some(), usable, "{url}");
        }
    }
}
