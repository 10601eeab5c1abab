//! How Chinese characters sound, and how near one sound is to another.
//!
//! A recogniser that mishears writes another character of a near sound. So words are compared by toneless syllables, each
//! character with all its readings, and what accents and recognisers confuse (zh and z, n and l, ang and an …) costs
//! part of a syllable.

mod index;
mod syllable;

use std::ops::Range;

pub use index::{SoundIndex, SoundMatch};
pub use syllable::{Syllable, SyllableSet};

use crate::Text;

/// The most that a near word may cost per syllable.
const NEAR: f32 = 0.35;
/// What a syllable too many or too few costs in a name.
const MISSING: f32 = 0.8;
/// Names of so many syllables may miss one.
const LONG_NAME: usize = 4;

/// The syllables of a range of units, one set for each unit.
///
/// A Chinese character has all its readings; a single digit is read in Chinese; any other unit sounds like itself alone.
pub fn sound(text: &Text, range: Range<usize>) -> Vec<SyllableSet> {
    let end = range.end.min(text.len());
    (range.start..end)
        .map(|index| SyllableSet::of_word(text.word(index)))
        .collect()
}

/// What it takes to hear `word` in `heard`, in syllables: 0 for the same sound, `None` where they are not near.
///
/// Both must have the same length. A syllable that differs by what accents fold costs about 0.15 to 0.3, by what is
/// misheard 0.4 to 0.6; more is not near, nor is a mean above 0.35. A reading that is not a character's first costs a
/// trifle, so that of equals the common one wins.
///
/// ```
/// use incar_text::{Text, sound, sound_cost};
///
/// let sounds = |word: &str| sound(&Text::new(word), 0..9);
/// assert!(sound_cost(&sounds("空条"), &sounds("空调")).is_some_and(|cost| cost < 0.1));
/// assert!(sound_cost(&sounds("四奶"), &sounds("十奶")).is_some_and(|cost| cost < 0.3));
/// assert_eq!(sound_cost(&sounds("车窗"), &sounds("空调")), None);
/// ```
pub fn sound_cost(heard: &[SyllableSet], word: &[SyllableSet]) -> Option<f32> {
    if heard.len() != word.len() {
        return None;
    }
    let most = NEAR * word.len() as f32;
    let mut total = 0.0;
    for (heard, word) in heard.iter().zip(word) {
        total += heard.cost(word)?;
        if total > most {
            return None;
        }
    }
    Some(total)
}

/// A name as it sounds, made ready to be compared with many.
///
/// ```
/// use incar_text::SoundKey;
///
/// let name = SoundKey::new("周杰伦");
/// assert_eq!(name.cost(&SoundKey::new("周杰轮")), Some(0.0));
/// assert_eq!(name.cost(&SoundKey::new("林俊杰")), None);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SoundKey(Vec<SyllableSet>);

impl SoundKey {
    /// The sound of a whole string.
    pub fn new(name: &str) -> Self {
        let text = Text::new(name);
        Self::of(&text, 0..text.len())
    }

    /// The sound of a range of units.
    pub fn of(text: &Text, range: Range<usize>) -> Self {
        Self(sound(text, range))
    }

    /// One set of syllables for each unit.
    pub fn syllables(&self) -> &[SyllableSet] {
        &self.0
    }

    /// The cost per syllable of hearing one for the other, from 0 (they sound the same) to 0.35; `None` where they are
    /// not near. Names of four syllables or more may differ by one that is missing.
    pub fn cost(&self, other: &Self) -> Option<f32> {
        cost_of_names(&self.0, &other.0)
    }
}

impl FromIterator<SyllableSet> for SoundKey {
    fn from_iter<I: IntoIterator<Item = SyllableSet>>(units: I) -> Self {
        Self(units.into_iter().collect())
    }
}

fn cost_of_names(a: &[SyllableSet], b: &[SyllableSet]) -> Option<f32> {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if long.is_empty() {
        return None;
    }
    let length = long.len() as f32;
    match long.len() - short.len() {
        0 => sound_cost(short, long).map(|cost| cost / length),
        1 if long.len() >= LONG_NAME => one_missing(short, long)
            .map(|cost| cost / length)
            .filter(|cost| *cost <= NEAR),
        _ => None,
    }
}

/// The least cost with one syllable of `long` left out.
fn one_missing(short: &[SyllableSet], long: &[SyllableSet]) -> Option<f32> {
    (0..long.len())
        .filter_map(|gap| {
            let (before, after) = (long.get(..gap)?, long.get(gap + 1..)?);
            let (start, rest) = short.split_at_checked(gap)?;
            Some(sound_cost(start, before)? + sound_cost(rest, after)? + MISSING)
        })
        .min_by(f32::total_cmp)
}

#[cfg(test)]
mod tests;
