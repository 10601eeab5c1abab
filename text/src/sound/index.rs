//! Many words by their sound.

use std::ops::Range;

use super::{SoundKey, SyllableSet, cost_of_names, sound, sound_cost};
use crate::Text;

/// A word of a [`SoundIndex`] that something sounds like.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct SoundMatch {
    /// The word's place in the order given to [`SoundIndex::new`].
    pub word: usize,
    /// The syllables of what was heard, counted from its start.
    pub range: Range<usize>,
    /// From [`SoundIndex::find`] as [`sound_cost`], from [`SoundIndex::nearest`] as [`SoundKey::cost`].
    pub cost: f32,
}

/// Words to be found by their sound: a lexicon in an utterance, or a name among names.
///
/// ```
/// use incar_text::{SoundIndex, SoundKey, Text, sound};
///
/// let words = SoundIndex::new(["空调", "车窗"]);
/// let heard = sound(&Text::new("打开空条"), 0..4);
/// let found = words.find(&heard);
/// assert_eq!((found.len(), found[0].word, found[0].range.clone()), (1, 0, 2..4));
///
/// let artists = SoundIndex::new(["林俊杰", "周杰伦"]);
/// assert_eq!(artists.nearest(&SoundKey::new("周杰轮"), 3)[0].word, 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct SoundIndex {
    syllables: Vec<SyllableSet>,
    /// Where each word ends in `syllables`.
    ends: Vec<usize>,
    /// Words by the fold of a reading of their first syllable, sorted.
    by_fold: Vec<(u32, usize)>,
}

impl SoundIndex {
    /// Indexes words in the order given. A word without any unit is never found.
    pub fn new<'a>(words: impl IntoIterator<Item = &'a str>) -> Self {
        let mut index = Self::default();
        for (word, spelled) in words.into_iter().enumerate() {
            let text = Text::new(spelled);
            let syllables = sound(&text, 0..text.len());
            let first = syllables.first().map(SyllableSet::readings).unwrap_or_default();
            index.by_fold.extend(first.iter().map(|reading| (reading.fold(), word)));
            index.syllables.extend(syllables);
            index.ends.push(index.syllables.len());
        }
        index.by_fold.sort_unstable();
        index.by_fold.dedup();
        index
    }

    /// How many words there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no words.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn word(&self, word: usize) -> &[SyllableSet] {
        let start = word
            .checked_sub(1)
            .and_then(|before| self.ends.get(before))
            .copied()
            .unwrap_or(0);
        let end = self.ends.get(word).copied().unwrap_or(start);
        self.syllables.get(start..end).unwrap_or_default()
    }

    /// All words near to some stretch of what was heard, by where they start.
    ///
    /// The first syllable must be the same or folded with it (see [`super::Syllable::fold`]); the others may be anything near.
    pub fn find(&self, heard: &[SyllableSet]) -> Vec<SoundMatch> {
        let mut found: Vec<SoundMatch> = Vec::new();
        for start in 0..heard.len() {
            let Some(rest) = heard.get(start..) else { continue };
            let first = rest.first().map(SyllableSet::readings).unwrap_or_default();
            let of_start = found.len();
            for fold in first.iter().map(|reading| reading.fold()) {
                let from = self.by_fold.partition_point(|entry| entry.0 < fold);
                let candidates = self.by_fold.get(from..).unwrap_or_default();
                for &(_, word) in candidates.iter().take_while(|entry| entry.0 == fold) {
                    let syllables = self.word(word);
                    let Some(cost) = rest
                        .get(..syllables.len())
                        .and_then(|heard| sound_cost(heard, syllables))
                    else {
                        continue;
                    };
                    let known = found.iter().skip(of_start).any(|known| known.word == word);
                    if !known {
                        found.push(SoundMatch {
                            word,
                            range: start..start + syllables.len(),
                            cost,
                        });
                    }
                }
            }
        }
        found
    }

    /// The words nearest to a name, nearest first, `most` at the most. Of equals the first given comes first.
    pub fn nearest(&self, name: &SoundKey, most: usize) -> Vec<SoundMatch> {
        let heard = name.syllables();
        let mut found: Vec<SoundMatch> = (0..self.len())
            .filter_map(|word| {
                let cost = cost_of_names(heard, self.word(word))?;
                Some(SoundMatch {
                    word,
                    range: 0..heard.len(),
                    cost,
                })
            })
            .collect();
        found.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        found.truncate(most);
        found
    }
}
