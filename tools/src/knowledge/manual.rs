//! The owner's manual, searched by what is in it.

use crate::data_file::{DataError, DataProblem, Owners};
use crate::full_text::FullText;
use incar_core::Bilingual;
use serde::{Deserialize, Serialize};

const FILE: &str = "manual.toml";

/// A term in the title or among the keywords counts as so many in the text.
const TITLE_WEIGHT: f32 = 4.0;
const KEYWORD_WEIGHT: f32 = 3.0;

/// A section of the manual.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ManualSection {
    /// The id.
    pub id: String,
    /// What it is about.
    pub title: Bilingual,
    /// What it says.
    pub text: Bilingual,
    /// Other words by which it is looked for.
    #[serde(default)]
    pub keywords: Vec<String>,
}

/// A section found.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ManualHit<'a> {
    /// The section.
    pub section: &'a ManualSection,
    /// How well it fits, to compare hits of one search.
    pub score: f64,
}

/// An owner's manual in Chinese and English, with a full-text index over both.
///
/// ```
/// use incar_tools::knowledge::Manual;
///
/// let manual = Manual::embedded()?;
/// assert_eq!(manual.search("胎压多少合适", 1)[0].section.id, "tire_pressure");
/// assert!(manual.search("who won the match yesterday", 1).is_empty());
/// # Ok::<(), incar_tools::DataError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Manual {
    sections: Vec<ManualSection>,
    index: FullText,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    section: Vec<ManualSection>,
}

impl Manual {
    /// The sample manual that ships with the crate: a car like the simulated one.
    ///
    /// # Errors
    /// [`DataError`] where the data file is at fault; the crate's tests hold that it is not.
    pub fn embedded() -> Result<Self, DataError> {
        Self::parse(include_str!("../../data/manual/manual.toml"))
    }

    /// Reads a manual in the format of `manual.toml`.
    ///
    /// # Errors
    /// [`DataError`] names the section and what is wrong with it: an id used twice, a title or text that is empty.
    pub fn parse(text: &str) -> Result<Self, DataError> {
        let File { section: sections } = toml::from_str(text).map_err(|error| DataError::syntax(FILE, &error))?;
        let mut ids = Owners::default();
        for section in &sections {
            let at = |problem| DataError::new(FILE, &section.id, problem);
            ids.claim(&section.id, &section.id).map_err(at)?;
            for (column, wording) in [("title", &section.title), ("text", &section.text)] {
                if wording.zh.trim().is_empty() || wording.en.trim().is_empty() {
                    return Err(at(DataProblem::Empty { column }));
                }
            }
        }
        Ok(Self::index(sections))
    }

    fn index(sections: Vec<ManualSection>) -> Self {
        let index = FullText::of(sections.iter().map(|section| {
            let keywords = section
                .keywords
                .iter()
                .map(|keyword| (keyword.as_str(), KEYWORD_WEIGHT));
            let wordings = [(&section.title, TITLE_WEIGHT), (&section.text, 1.0)];
            let wordings = wordings.map(|(text, weight)| [(text.zh.as_str(), weight), (text.en.as_str(), weight)]);
            wordings.into_iter().flatten().chain(keywords)
        }));
        Self { sections, index }
    }

    /// All sections.
    pub fn sections(&self) -> &[ManualSection] {
        &self.sections
    }

    /// The sections that are about `query`, the best first, at most `limit`; none where the manual says nothing of it.
    pub fn search(&self, query: &str, limit: usize) -> Vec<ManualHit<'_>> {
        let found = self.index.search(query, limit).into_iter();
        let hits = found.filter_map(|found| {
            let section = self.sections.get(found.document)?;
            Some(ManualHit {
                section,
                score: found.score,
            })
        });
        hits.collect()
    }
}
