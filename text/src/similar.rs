//! Names that look alike.

use strsim::{generic_damerau_levenshtein, jaro_winkler};

use crate::Text;

/// How alike two names look, from 0 (nothing in common) to 1 (the same after normalising).
///
/// Slips of one letter, swapped letters and a missing space or article cost little; a different word costs much.
///
/// ```
/// use incar_text::similarity;
///
/// assert_eq!(similarity("Forbidden City", "forbidden  city"), 1.0);
/// assert!(similarity("forbiden city", "Forbidden City") > 0.9);
/// assert!(similarity("forbidden city", "temple of heaven") < 0.5);
/// ```
pub fn similarity(a: &str, b: &str) -> f64 {
    Name::new(a).similarity(&Name::new(b))
}

/// The candidate most alike, with its index and similarity, where it reaches `least` (0 to 1; 0.8 is a good start).
/// Of equals the first wins.
///
/// ```
/// use incar_text::most_similar;
///
/// let tools = ["set_temperature", "set_fan_speed"];
/// assert_eq!(most_similar("set_tempreature", tools, 0.8).map(|(index, _)| index), Some(0));
/// assert_eq!(most_similar("play_music", tools, 0.8), None);
/// ```
pub fn most_similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>, least: f64) -> Option<(usize, f64)> {
    let name = Name::new(name);
    candidates
        .into_iter()
        .map(|candidate| name.similarity(&Name::new(candidate)))
        .enumerate()
        .filter(|(_, similarity)| *similarity >= least)
        .fold(None, |best, found| match best {
            Some((_, similarity)) if similarity >= found.1 => best,
            _ => Some(found),
        })
}

/// A name made ready to be compared with many.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    normal: String,
    letters: Vec<char>,
}

impl Name {
    /// Normalises a name; an English article in front is left out, unless it is all there is.
    pub fn new(name: &str) -> Self {
        let text = Text::new(name);
        let article = matches!(text.word(0), "the" | "a" | "an") && text.len() > 1;
        let words = usize::from(article)..text.len();
        let normal = text.normal(words);
        let letters = normal.chars().filter(|ch| ch.is_alphanumeric()).collect();
        Self { normal, letters }
    }

    /// As [`similarity`].
    pub fn similarity(&self, other: &Self) -> f64 {
        if self.normal == other.normal {
            return 1.0;
        }
        let longest = self.letters.len().max(other.letters.len());
        if self.letters.is_empty() || other.letters.is_empty() {
            return 0.0;
        }
        let shortest = self.letters.len().min(other.letters.len());
        if shortest * 2 < longest {
            // Too unlike in length for any edit distance to matter.
            return shortest as f64 / longest as f64 / 2.0;
        }
        let edits = generic_damerau_levenshtein(&self.letters, &other.letters) as f64;
        let kept = 1.0 - edits / longest as f64;
        // The start of a word is heard and typed best: let it weigh in where the edits leave doubt.
        let start = jaro_winkler(&self.normal, &other.normal);
        kept.max(0.7 * kept + 0.3 * start).clamp(0.0, 0.999)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_and_far() {
        for (a, b, least, most) in [
            ("forbiden city", "Forbidden City", 0.9, 0.999),
            ("starbuks", "Starbucks", 0.88, 0.999),
            ("the beatles", "Beatles", 1.0, 1.0),
            ("star bucks", "starbucks", 0.95, 0.999),
            ("teh beatles", "the beatles", 0.6, 0.999),
            ("John Smith", "Jon Smith", 0.9, 0.999),
            ("mother", "brother", 0.0, 0.8),
            ("front window", "rear window", 0.0, 0.8),
            ("hello", "", 0.0, 0.0),
            ("", "", 1.0, 1.0),
            ("the", "the", 1.0, 1.0),
            ("周杰伦", "周杰倫", 1.0, 1.0),
        ] {
            let found = similarity(a, b);
            assert!((least..=most).contains(&found), "{a} ~ {b}: {found}");
            assert!((found - similarity(b, a)).abs() < 1e-9, "{a} ~ {b} is not symmetric");
        }
    }

    #[test]
    fn the_first_of_equals_wins() {
        assert_eq!(most_similar("aab", ["aac", "aad"], 0.5).map(|found| found.0), Some(0));
        assert_eq!(most_similar("aab", [], 0.0), None);
    }
}
