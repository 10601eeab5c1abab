//! The words of a lexicon by their sound: what a recogniser that misheard may have been told.

use crate::generic::Class;
use crate::lexicon::Use;
use crate::symbols::units_of;
use incar_text::{SoundIndex, SyllableSet};

/// The most that two single characters may differ to be taken for one another, in syllables: what accents fold.
const NEAR: f32 = 0.25;

/// What of a lexicon may be heard without being written.
#[derive(Debug, Default)]
pub(crate) struct Sounding {
    index: SoundIndex,
    /// For each word of the index the word of the lexicon and its units.
    words: Vec<(usize, Vec<String>)>,
    /// Single characters that words are made of, by the fold of a reading, sorted.
    characters: Vec<(u32, u32, SyllableSet)>,
}

/// A word of the lexicon that a stretch sounds like.
pub(crate) struct Heard<'a> {
    pub(crate) word: usize,
    pub(crate) units: &'a [String],
    pub(crate) start: usize,
    pub(crate) cost: f32,
}

impl Sounding {
    /// Indexes words, given by name and meanings, and the characters that they and phrases are made of.
    pub(crate) fn new<'a>(
        words: impl Iterator<Item = (&'a str, &'a [Use])>,
        characters: impl Iterator<Item = (&'a str, u32)>,
    ) -> Self {
        let mut sounding = Self::default();
        for (word, (name, uses)) in words.enumerate() {
            let units = units_of(name);
            if units.len() > 1 && units.iter().all(|unit| is_chinese(unit)) && uses.iter().any(is_telling) {
                sounding.words.push((word, units));
            }
        }
        let spelled: Vec<String> = sounding.words.iter().map(|(_, units)| units.concat()).collect();
        sounding.index = SoundIndex::new(spelled.iter().map(String::as_str));
        for (unit, symbol) in characters.filter(|(unit, _)| is_chinese(unit)) {
            let set = SyllableSet::of_word(unit);
            for reading in set.readings() {
                sounding.characters.push((reading.fold(), symbol, set));
            }
        }
        sounding
            .characters
            .sort_unstable_by_key(|(fold, symbol, _)| (*fold, *symbol));
        sounding.characters.dedup_by_key(|(fold, symbol, _)| (*fold, *symbol));
        sounding
    }

    /// All words that some stretch of `heard` sounds like.
    pub(crate) fn words<'a>(&'a self, heard: &[SyllableSet]) -> impl Iterator<Item = Heard<'a>> {
        self.index.find(heard).into_iter().filter_map(|found| {
            let (word, units) = self.words.get(found.word)?;
            Some(Heard {
                word: *word,
                units,
                start: found.range.start,
                cost: found.cost,
            })
        })
    }

    /// The symbols of the single characters that sound nearly like `heard`, each with what that costs.
    pub(crate) fn characters(&self, heard: &SyllableSet) -> Vec<(u32, f32)> {
        let mut near: Vec<(u32, f32)> = Vec::new();
        for fold in heard.readings().iter().map(|reading| reading.fold()) {
            let from = self.characters.partition_point(|entry| entry.0 < fold);
            let alike = self.characters.get(from..).unwrap_or_default();
            for (_, symbol, set) in alike.iter().take_while(|entry| entry.0 == fold) {
                if let Some(cost) = heard.cost(set).filter(|cost| *cost <= NEAR)
                    && near.iter().all(|(other, _)| other != symbol)
                {
                    near.push((*symbol, cost));
                }
            }
        }
        near
    }
}

fn is_chinese(unit: &str) -> bool {
    unit.chars().all(|ch| !ch.is_ascii())
}

/// Whether a word is worth hearing: carriers and lists are not.
fn is_telling(meaning: &Use) -> bool {
    match meaning {
        Use::Topic { .. } | Use::Value { .. } | Use::Place(_) => true,
        Use::Class(class) => matches!(
            class,
            Class::Open
                | Class::Close
                | Class::To
                | Class::Max
                | Class::Min
                | Class::Up
                | Class::Down
                | Class::Some
                | Class::Set
                | Class::Not
        ),
        Use::Unit { .. } | Use::List(_) => false,
    }
}
