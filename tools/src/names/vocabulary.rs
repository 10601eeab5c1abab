//! The words that names are made of, each once: a name is a list of their numbers.

use incar_text::SyllableSet;

/// Stands for a word that no name has.
const UNKNOWN: u32 = u32::MAX;

/// All words of an index of names, with their sounds.
#[derive(Clone, Debug, Default)]
pub(super) struct Vocabulary {
    /// Sorted.
    words: Box<[Box<str>]>,
    sounds: Box<[SyllableSet]>,
}

impl Vocabulary {
    pub(super) fn new<'w>(words: impl Iterator<Item = &'w str>) -> Self {
        let mut words: Vec<&str> = words.collect();
        words.sort_unstable();
        words.dedup();
        Self {
            sounds: words.iter().map(|word| SyllableSet::of_word(word)).collect(),
            words: words.into_iter().map(Box::from).collect(),
        }
    }

    /// The number of a word.
    pub(super) fn number(&self, word: &str) -> u32 {
        let at = self.words.binary_search_by(|known| (**known).cmp(word));
        at.map_or(UNKNOWN, super::number)
    }

    pub(super) fn word(&self, number: u32) -> &str {
        self.words.get(number as usize).map(|word| &**word).unwrap_or_default()
    }

    pub(super) fn sound(&self, number: u32) -> SyllableSet {
        self.sounds.get(number as usize).copied().unwrap_or_default()
    }
}
