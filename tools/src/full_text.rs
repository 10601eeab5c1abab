//! A full-text index for short texts in Chinese and English: words of English, pairs of neighbouring characters of
//! Chinese, ranked by BM25.

use incar_text::{Gap, Text, UnitKind};
use std::collections::{BTreeSet, HashMap};

/// BM25's usual parameters (Robertson, Zaragoza 2009): how fast repetition stops counting, how much length counts.
const SATURATION: f64 = 1.2;
const LENGTH_SHARE: f64 = 0.75;
/// A document that has less of the query than this, by weight, is not about it.
const LEAST_COVERAGE: f64 = 0.25;
/// A term that no document has at all tells little: most are chance pairs of characters and small talk.
const UNKNOWN_SHARE: f64 = 0.25;
/// A document far behind the best is not worth giving.
const LEAST_SHARE_OF_BEST: f64 = 0.35;

/// Documents, by the terms in them. A document is known by its place in the order in which it was indexed.
///
/// ```
/// use incar_tools::full_text::FullText;
///
/// let index = FullText::of([[("Tire pressure", 4.0), ("Check it cold.", 1.0)], [("车窗", 4.0), ("打开一半", 1.0)]]);
/// assert_eq!(index.search("how much pressure", 1)[0].document, 0);
/// assert_eq!(index.search("车窗怎么开", 1)[0].document, 1);
/// assert!(index.search("who won", 1).is_empty());
/// ```
#[derive(Debug, Clone, Default)]
pub struct FullText {
    /// For each term the documents that have it, with its weight there.
    postings: HashMap<String, Vec<(u32, f32)>>,
    lengths: Vec<f64>,
    mean_length: f64,
}

/// A document found.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Found {
    /// Its place in the order in which it was indexed.
    pub document: usize,
    /// How well it fits, to compare what one search found.
    pub score: f64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Score {
    bm25: f64,
    /// The rarity of the query's terms that the document has.
    covered: f64,
}

impl FullText {
    /// Indexes `documents`, each given as texts with what a term in them counts.
    pub fn of<'a, D: IntoIterator<Item = (&'a str, f32)>>(documents: impl IntoIterator<Item = D>) -> Self {
        let mut index = Self::default();
        for (document, texts) in (0u32..).zip(documents) {
            let mut weights: HashMap<String, f32> = HashMap::new();
            for (text, weight) in texts {
                for term in terms(text) {
                    *weights.entry(term).or_default() += weight;
                }
            }
            index.lengths.push(weights.values().copied().map(f64::from).sum());
            for (term, weight) in weights {
                index.postings.entry(term).or_default().push((document, weight));
            }
        }
        index.mean_length = index.lengths.iter().sum::<f64>() / (index.lengths.len().max(1) as f64);
        index
    }

    /// The documents that are about `query`, the best first, at most `limit`; none where no document says enough of it.
    pub fn search(&self, query: &str, limit: usize) -> Vec<Found> {
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
            for (document, weight) in self.postings.get(term).into_iter().flatten() {
                let (document, weight) = (*document as usize, f64::from(*weight));
                let length = self.lengths.get(document).copied().unwrap_or_default() / self.mean_length;
                let damping = SATURATION * (1.0 - LENGTH_SHARE + LENGTH_SHARE * length);
                let score = found.entry(document).or_default();
                score.bm25 += rarity * weight * (SATURATION + 1.0) / (weight + damping);
                score.covered += rarity;
            }
        }
        let enough = |(document, score): (usize, Score)| {
            let score = (score.covered >= LEAST_COVERAGE * all).then_some(score.bm25)?;
            Some(Found { document, score })
        };
        let mut found: Vec<Found> = found.into_iter().filter_map(enough).collect();
        found.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.document.cmp(&b.document)));
        let best = found.first().map_or(0.0, |found| found.score);
        found.retain(|found| found.score >= best * LEAST_SHARE_OF_BEST);
        found.truncate(limit);
        found
    }

    /// How much a term tells: the rarer, the more (BM25's inverse document frequency).
    fn rarity(&self, term: &str) -> f64 {
        let having = self.postings.get(term).map_or(0, Vec::len) as f64;
        let all = self.lengths.len() as f64;
        ((all - having + 0.5) / (having + 0.5)).ln_1p()
    }
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
pub fn terms(text: &str) -> Vec<String> {
    let text = Text::new(text);
    let mut terms = Vec::new();
    let is_content =
        |index: usize| text.kind(index) == Some(UnitKind::Han) && !STOP_CHARACTERS.contains(text.word(index));
    for index in 0..text.len() {
        let word = text.word(index);
        match text.kind(index) {
            Some(UnitKind::Han) if is_content(index) => {
                let joined = text.gap_before(index + 1) == Gap::None && is_content(index + 1);
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
