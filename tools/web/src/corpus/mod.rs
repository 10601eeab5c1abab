//! The offline corpus: short articles of incar's own that stand in for the web where there is no network.

mod article;
#[cfg(test)]
mod tests;

pub use article::Article;

use crate::cut;
use crate::error::WebError;
use crate::page::{Page, PageReader};
use crate::search::{SearchHit, SearchQuery, SearchResults, Source, WebSearch};
use incar_core::{Lang, async_trait};
use incar_tools::full_text::{FullText, terms};
use std::collections::HashSet;
use std::fmt;
use std::sync::OnceLock;

/// What the address of an article begins with; its id follows.
const ADDRESS: &str = "incar://corpus/";

/// A term in the title or among the tags counts as so many in the text.
const TITLE_WEIGHT: f32 = 4.0;
const TAG_WEIGHT: f32 = 3.0;
/// So many words of an article are shown with a hit.
const SNIPPET_WORDS: usize = 60;

/// The articles in files by subject. Each file has the form that [`article`] reads.
const FILES: [(Lang, &str); 14] = [
    (Lang::Zh, include_str!("../../corpus/cars.zh.md")),
    (Lang::En, include_str!("../../corpus/cars.en.md")),
    (Lang::Zh, include_str!("../../corpus/charging.zh.md")),
    (Lang::En, include_str!("../../corpus/charging.en.md")),
    (Lang::Zh, include_str!("../../corpus/law.zh.md")),
    (Lang::En, include_str!("../../corpus/law.en.md")),
    (Lang::Zh, include_str!("../../corpus/places.zh.md")),
    (Lang::En, include_str!("../../corpus/places.en.md")),
    (Lang::Zh, include_str!("../../corpus/routes.zh.md")),
    (Lang::En, include_str!("../../corpus/routes.en.md")),
    (Lang::Zh, include_str!("../../corpus/travel.zh.md")),
    (Lang::En, include_str!("../../corpus/travel.en.md")),
    (Lang::Zh, include_str!("../../corpus/weather.zh.md")),
    (Lang::En, include_str!("../../corpus/weather.en.md")),
];

/// Short articles in Chinese and English on places, routes, charging, cars, traffic law, travel and weather, with a
/// full-text index over them. They are part of the program; they are parsed and indexed when they are first used.
///
/// Each has an address (`incar://corpus/west-lake`), so that it can be found by [`WebSearch`] and read by [`PageReader`]
/// as a page of the web can. Results say that they come from here ([`Source::Corpus`]).
#[derive(Default)]
pub struct Corpus {
    shelf: OnceLock<Shelf>,
}

struct Shelf {
    articles: Vec<Article>,
    index: FullText,
}

impl fmt::Debug for Corpus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Corpus").finish_non_exhaustive()
    }
}

impl Corpus {
    /// The corpus that ships. Costs nothing before it is used.
    pub fn embedded() -> Self {
        Self::default()
    }

    /// All articles.
    pub fn articles(&self) -> &[Article] {
        &self.shelf().articles
    }

    /// The article at an address, or with an id.
    pub fn article(&self, address: &str) -> Option<&Article> {
        let id = address.strip_prefix(ADDRESS).unwrap_or(address).trim_end_matches('/');
        self.articles().iter().find(|article| article.id() == id)
    }

    /// Whether an address is one of a corpus, and not of the web.
    pub(crate) fn has_form(address: &str) -> bool {
        address.starts_with(ADDRESS)
    }

    fn shelf(&self) -> &Shelf {
        self.shelf.get_or_init(|| {
            // A test reads every file, so that none is left out here.
            let read = |(lang, text)| article::read(lang, text).ok();
            let articles: Vec<Article> = FILES.into_iter().filter_map(read).flatten().collect();
            let index = FullText::of(articles.iter().map(|article| {
                [
                    (article.title(), TITLE_WEIGHT),
                    (article.tags(), TAG_WEIGHT),
                    (article.text(), 1.0),
                ]
            }));
            Shelf { articles, index }
        })
    }

    fn hit(article: &Article, query: &str) -> Option<SearchHit> {
        let hit = SearchHit::new(article.title(), &address(article), &passage(article.text(), query))?;
        Some(hit.with_date(article.updated()))
    }
}

fn address(article: &Article) -> String {
    format!("{ADDRESS}{}", article.id())
}

/// What a text says about the query: from the sentence on that has most of its terms.
fn passage(text: &str, query: &str) -> String {
    let wanted: HashSet<String> = terms(query).into_iter().collect();
    let sentences = incar_text::sentences(text);
    let told = |sentence: &String| {
        let found: HashSet<String> = terms(sentence).into_iter().collect();
        found.intersection(&wanted).count()
    };
    let most = sentences.iter().map(told).max().unwrap_or_default();
    let mut passage = String::new();
    let mut words = 0;
    for sentence in sentences.iter().skip_while(|sentence| told(sentence) < most) {
        words += cut::beginning(sentence, 0).words;
        if words > SNIPPET_WORDS && !passage.is_empty() {
            break;
        }
        passage.push_str(sentence);
    }
    passage
}

#[async_trait]
impl WebSearch for Corpus {
    async fn search(&self, query: &SearchQuery) -> Result<SearchResults, WebError> {
        let shelf = self.shelf();
        let found = shelf.index.search(&query.text, query.count).into_iter();
        let articles = found.filter_map(|found| shelf.articles.get(found.document));
        let hits = articles.filter_map(|article| Self::hit(article, &query.text)).collect();
        Ok(SearchResults::new(Source::Corpus, hits))
    }
}

#[async_trait]
impl PageReader for Corpus {
    async fn read(&self, url: &str) -> Result<Page, WebError> {
        let article = self.article(url).ok_or(WebError::Offline)?;
        let page = Page::new(Source::Corpus, address(article), article.title(), article.text());
        Ok(page.with_updated(article.updated().map(str::to_owned)))
    }
}
