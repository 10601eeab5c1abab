//! Which names are worth comparing: postings by word, by pair of letters and by syllable, so that a name that is not
//! there costs no more than one that is. Nothing near is ever left out.

use std::collections::{HashMap, HashSet};

use incar_text::{SoundKey, SyllableSet};

use super::Spoken;

/// Names that [`incar_text::Name::similarity`] calls near ([`super::NEAR`]) differ by at most this share of their
/// letters: the likeness of their starts makes up for the rest.
const MOST_EDITS: f64 = (1.0 - super::NEAR) / 0.7;
/// The most pairs of letters that one edit changes: swapping two letters.
const PAIRS_PER_EDIT: usize = 3;

type Pair = (char, char);

/// Places of names, by what they are made of.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    by_word: HashMap<String, Vec<usize>>,
    by_pair: HashMap<Pair, Vec<usize>>,
    by_syllable: HashMap<u32, Vec<usize>>,
    /// How many letters each name has, without an article.
    letters: Vec<usize>,
}

impl Candidates {
    /// Adds the next name.
    pub(super) fn push(&mut self, name: &Spoken) {
        let place = self.letters.len();
        for word in name.words.iter().collect::<HashSet<_>>() {
            self.by_word.entry(word.clone()).or_default().push(place);
        }
        let letters = letters(name);
        for pair in pairs(&letters) {
            self.by_pair.entry(pair).or_default().push(place);
        }
        for syllable in syllables(&name.sound) {
            self.by_syllable.entry(syllable).or_default().push(place);
        }
        self.letters.push(letters.len());
    }

    /// The names that have a word.
    pub(super) fn with_word(&self, word: &str) -> impl Iterator<Item = usize> {
        self.by_word.get(word).into_iter().flatten().copied()
    }

    /// The names that have any word of another, in the order added.
    pub(super) fn with_any_word(&self, name: &Spoken) -> Vec<usize> {
        in_order(name.words.iter().filter_map(|word| self.by_word.get(word)).flatten())
    }

    /// The names that may be near in spelling, in the order added.
    pub(super) fn near_spelling(&self, name: &Spoken) -> Vec<usize> {
        let letters = letters(name);
        let pairs = pairs(&letters);
        let mut shared = vec![0usize; self.letters.len()];
        for place in pairs.iter().filter_map(|pair| self.by_pair.get(pair)).flatten() {
            if let Some(count) = shared.get_mut(*place) {
                *count += 1;
            }
        }
        let is_near = |(shared, length): (usize, usize)| {
            let edits = (length.max(letters.len()) as f64 * MOST_EDITS) as usize;
            shared >= pairs.len().saturating_sub(PAIRS_PER_EDIT * edits).max(1)
        };
        let counted = shared.into_iter().zip(self.letters.iter().copied());
        counted
            .enumerate()
            .filter_map(|(place, counts)| is_near(counts).then_some(place))
            .collect()
    }

    /// The names that may be near in sound, in the order added: a syllable that no accent folds with the other costs
    /// more than a near name may cost on average, so near names share at least one.
    pub(super) fn near_sound(&self, name: &Spoken) -> Vec<usize> {
        let syllables = syllables(&name.sound);
        in_order(syllables.iter().filter_map(|syllable| self.by_syllable.get(syllable)).flatten())
    }
}

fn in_order<'a>(places: impl Iterator<Item = &'a usize>) -> Vec<usize> {
    let mut places: Vec<usize> = places.copied().collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// The letters that are compared for spelling: an article in front does not count.
fn letters(name: &Spoken) -> Vec<char> {
    let words = match name.words.as_slice() {
        [article, rest @ ..] if !rest.is_empty() && matches!(article.as_str(), "the" | "a" | "an") => rest,
        words => words,
    };
    let letters = words.iter().flat_map(|word| word.chars());
    letters.filter(|ch| ch.is_alphanumeric()).collect()
}

fn pairs(letters: &[char]) -> HashSet<Pair> {
    letters.iter().copied().zip(letters.iter().copied().skip(1)).collect()
}

/// The sounds of a name, those that accents fold taken for one.
fn syllables(sound: &SoundKey) -> HashSet<u32> {
    let readings = sound.syllables().iter().flat_map(SyllableSet::readings);
    readings.map(|reading| reading.fold()).collect()
}
