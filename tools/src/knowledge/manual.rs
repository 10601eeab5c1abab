//! The owner's manual, searched by what is in it.

use crate::data_file::{DataError, DataProblem, Owners};
use incar_core::Bilingual;
use incar_text::{Text, UnitKind};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};

const FILE: &str = "manual.toml";

/// BM25's usual parameters (Robertson, Zaragoza 2009): how fast repetition stops counting, how much length counts.
const SATURATION: f64 = 1.2;
const LENGTH_SHARE: f64 = 0.75;
/// A term in the title or among the keywords counts as so many in the text.
const TITLE_WEIGHT: f64 = 4.0;
const KEYWORD_WEIGHT: f64 = 3.0;
/// A section that has less of the query than this, by weight, is not about it.
const LEAST_COVERAGE: f64 = 0.25;
/// A term that the manual does not have at all tells little: most are chance pairs of characters and small talk.
const UNKNOWN_SHARE: f64 = 0.25;
/// A section far behind the best is not worth giving.
const LEAST_SHARE_OF_BEST: f64 = 0.35;

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

/// An owner's manual in Chinese and English, with a full-text index over both: words of English, pairs of neighbouring
/// characters of Chinese.
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
    /// For each term the sections that have it, with its weight there.
    postings: HashMap<String, Vec<(usize, f64)>>,
    lengths: Vec<f64>,
    mean_length: f64,
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
        let mut postings: HashMap<String, Vec<(usize, f64)>> = HashMap::new();
        let mut lengths = Vec::with_capacity(sections.len());
        for (index, section) in sections.iter().enumerate() {
            let mut weights: HashMap<String, f64> = HashMap::new();
            let mut add = |text: &str, weight: f64| {
                for term in terms(text) {
                    *weights.entry(term).or_default() += weight;
                }
            };
            for (wording, weight) in [(&section.title, TITLE_WEIGHT), (&section.text, 1.0)] {
                add(&wording.zh, weight);
                add(&wording.en, weight);
            }
            for keyword in &section.keywords {
                add(keyword, KEYWORD_WEIGHT);
            }
            lengths.push(weights.values().sum());
            for (term, weight) in weights {
                postings.entry(term).or_default().push((index, weight));
            }
        }
        let mean_length = lengths.iter().sum::<f64>() / (lengths.len().max(1) as f64);
        Self {
            sections,
            postings,
            lengths,
            mean_length,
        }
    }

    /// All sections.
    pub fn sections(&self) -> &[ManualSection] {
        &self.sections
    }

    /// The sections that are about `query`, the best first, at most `limit`; none where the manual says nothing of it.
    pub fn search(&self, query: &str, limit: usize) -> Vec<ManualHit<'_>> {
        // In order, so that sums of floats come out the same each time.
        let wanted: BTreeSet<String> = terms(query).into_iter().collect();
        let weight = |term: &String| match self.postings.contains_key(term) {
            true => self.rarity(term),
            false => self.rarity(term) * UNKNOWN_SHARE,
        };
        let all: f64 = wanted.iter().map(weight).sum();
        let mut found: HashMap<usize, Score> = HashMap::new();
        for term in &wanted {
            let rarity = self.rarity(term);
            for (section, weight) in self.postings.get(term).into_iter().flatten() {
                let length = self.lengths.get(*section).copied().unwrap_or_default() / self.mean_length;
                let damping = SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * length);
                let score = found.entry(*section).or_default();
                score.bm25 += rarity * weight * (SATURATION + 1.0) / (weight + damping);
                score.covered += rarity;
            }
        }
        let mut hits: Vec<(usize, f64)> = found
            .into_iter()
            .filter(|(_, score)| score.covered >= LEAST_COVERAGE * all)
            .map(|(section, score)| (section, score.bm25))
            .collect();
        hits.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let best = hits.first().map_or(0.0, |hit| hit.1);
        hits.into_iter()
            .take_while(|(_, score)| *score >= best * LEAST_SHARE_OF_BEST)
            .take(limit)
            .filter_map(|(section, score)| {
                let section = self.sections.get(section)?;
                Some(ManualHit { section, score })
            })
            .collect()
    }

    /// How much a term tells: the rarer, the more (BM25's inverse document frequency).
    fn rarity(&self, term: &str) -> f64 {
        let having = self.postings.get(term).map_or(0, Vec::len) as f64;
        let all = self.sections.len() as f64;
        ((all - having + 0.5) / (having + 0.5)).ln_1p()
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Score {
    bm25: f64,
    /// The rarity of the query's terms that the section has.
    covered: f64,
}

/// Words that tell nothing of what is asked about.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "at", "be", "by", "can", "car", "do", "does", "for", "from", "has", "have", "how", "i",
    "if", "in", "is", "it", "its", "me", "mean", "my", "of", "on", "or", "please", "should", "tell", "that", "the",
    "there", "this", "to", "was", "what", "what's", "when", "where", "which", "who", "why", "will", "with", "you",
    "your", "about", "much", "many", "need", "right", "use", "work",
];

/// Characters that only make a question or bind words.
const STOP_CHARACTERS: &str = "的了吗呢吧啊么怎什如何哪请我你您是在有要把和与就都也个一该为这那";

/// What a text is searched by: English words without their endings, pairs of Chinese characters.
fn terms(text: &str) -> Vec<String> {
    let text = Text::new(text);
    let mut terms = Vec::new();
    let is_content =
        |index: usize| text.kind(index) == Some(UnitKind::Han) && !STOP_CHARACTERS.contains(text.word(index));
    for index in 0..text.len() {
        let word = text.word(index);
        match text.kind(index) {
            Some(UnitKind::Han) if is_content(index) => {
                let joined = text.gap_before(index + 1) == incar_text::Gap::None && is_content(index + 1);
                if joined {
                    terms.push(format!("{word}{}", text.word(index + 1)));
                } else if index == 0 || !is_content(index - 1) {
                    terms.push(word.to_owned());
                }
            }
            Some(UnitKind::Latin) if !STOP_WORDS.contains(&word) => terms.push(stem(word)),
            Some(UnitKind::Number) => terms.push(word.to_owned()),
            _ => {}
        }
    }
    terms
}

/// An English word without the endings of number and tense, so that "charging" finds "charge".
fn stem(word: &str) -> String {
    let word = word.strip_suffix("'s").unwrap_or(word);
    let cut = ["ies", "ing", "ed", "es", "s", "e", "y"]
        .into_iter()
        .find_map(|ending| {
            word.strip_suffix(ending)
                .filter(|stem| stem.len() >= 3 && !(ending == "s" && stem.ends_with('s')))
        });
    let stem = cut.unwrap_or(word);
    // "wipped" and "wipe": a doubled consonant is one.
    match stem.as_bytes() {
        [.., a, b] if a == b && stem.len() > 4 && !matches!(a, b'l' | b's') => {
            stem.get(..stem.len() - 1).unwrap_or(stem).to_owned()
        }
        _ => stem.to_owned(),
    }
}
