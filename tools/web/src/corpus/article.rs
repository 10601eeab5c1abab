//! One article, and the form of the files that hold them.
//!
//! A file is a run of articles; each begins with lines of what it is, between two lines of dashes:
//!
//! ```text
//! ---
//! id: west-lake-zh
//! title: 西湖
//! tags: 杭州 湖泊 世界遗产
//! updated: 2025
//! ---
//! 西湖在杭州市……
//! ```
//!
//! `updated` may be missing: then what the article says does not change.

use incar_core::Lang;

const DASHES: &str = "---";

/// An article of the corpus.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Article {
    id: &'static str,
    lang: Lang,
    title: &'static str,
    tags: &'static str,
    updated: Option<&'static str>,
    text: &'static str,
}

impl Article {
    /// The id, unique in the corpus.
    pub fn id(&self) -> &'static str {
        self.id
    }

    /// The language it is in.
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// The title.
    pub fn title(&self) -> &'static str {
        self.title
    }

    /// Other words by which it is looked for, with spaces between them.
    pub fn tags(&self) -> &'static str {
        self.tags
    }

    /// Of when it is, where what it says changes with time: a year, or a date.
    pub fn updated(&self) -> Option<&'static str> {
        self.updated
    }

    /// The text.
    pub fn text(&self) -> &'static str {
        self.text
    }
}

/// What is wrong with a file of articles.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ArticleFault {
    /// The file does not begin with a line of dashes.
    #[error("the file must begin with a line of dashes")]
    Start,
    /// An article has no text, or its lines of what it is have no end.
    #[error("`{0}`: the article is not whole")]
    Cut(String),
    /// A line of what it is has no known name.
    #[error("`{0}` is no line of what an article is")]
    Line(String),
    /// An article lacks what each must have.
    #[error("`{article}` has no {lacks}")]
    Lacking {
        /// What is known of the article.
        article: String,
        /// What it has not.
        lacks: &'static str,
    },
}

/// The articles of a file.
pub(super) fn read(lang: Lang, file: &'static str) -> Result<Vec<Article>, ArticleFault> {
    let (dashes, rest) = file.split_once('\n').ok_or(ArticleFault::Start)?;
    if dashes.trim_end() != DASHES {
        return Err(ArticleFault::Start);
    }
    let mut parts = rest.split("\n---\n");
    let mut articles = Vec::new();
    while let Some(head) = parts.next() {
        let text = parts.next().map(str::trim).filter(|text| !text.is_empty());
        let text = text.ok_or_else(|| ArticleFault::Cut(head.to_owned()))?;
        articles.push(article(lang, head, text)?);
    }
    Ok(articles)
}

fn article(lang: Lang, head: &'static str, text: &'static str) -> Result<Article, ArticleFault> {
    let (mut id, mut title, mut tags, mut updated) = (None, None, None, None);
    for line in head.lines() {
        let wrong = || ArticleFault::Line(line.to_owned());
        let (name, value) = line.split_once(": ").ok_or_else(wrong)?;
        let place = match name {
            "id" => &mut id,
            "title" => &mut title,
            "tags" => &mut tags,
            "updated" => &mut updated,
            _ => return Err(wrong()),
        };
        *place = Some(value.trim());
    }
    let lacking = |lacks| ArticleFault::Lacking {
        article: id.unwrap_or(head).to_owned(),
        lacks,
    };
    Ok(Article {
        id: id.ok_or_else(|| lacking("id"))?,
        lang,
        title: title.ok_or_else(|| lacking("title"))?,
        tags: tags.ok_or_else(|| lacking("tags"))?,
        updated,
        text,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_holds_articles() {
        let file = "---\nid: a\ntitle: A\ntags: x y\n---\nOne.\nTwo.\n\n---\nid: b\ntitle: B\ntags: z\nupdated: 2012\n---\nThree.\n";
        let articles = read(Lang::En, file).unwrap();
        let told: Vec<_> = articles
            .iter()
            .map(|article| (article.id(), article.tags(), article.updated(), article.text()))
            .collect();
        assert_eq!(
            told,
            [("a", "x y", None, "One.\nTwo."), ("b", "z", Some("2012"), "Three.")]
        );
    }

    #[test]
    fn what_is_wrong_with_a_file_is_told() {
        for (file, says) in [
            ("id: a\n", "begin with"),
            ("", "begin with"),
            ("---\nid: a\ntitle: A\ntags: x\n", "not whole"),
            ("---\nid: a\ntitle: A\ntags: x\n---\n\n", "not whole"),
            ("---\nid: a\nname: A\n---\ntext\n", "name: A"),
            ("---\nid: a\ntitle: A\n---\ntext\n", "`a` has no tags"),
        ] {
            let error = read(Lang::En, file).unwrap_err().to_string();
            assert!(error.contains(says), "{file}: {error}");
        }
    }
}
