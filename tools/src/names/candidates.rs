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
    by_word: HashMap<Box<str>, Vec<u32>>,
    by_pair: HashMap<Pair, Vec<u32>>,
    by_syllable: HashMap<u32, Vec<u32>>,
    /// The letters of each name, sorted, without an article.
    letters: Vec<Box<[char]>>,
}

impl Candidates {
    /// Adds the next name.
    pub(super) fn push(&mut self, name: &Spoken) {
        // No source has four thousand million names.
        let place = u32::try_from(self.letters.len()).unwrap_or(u32::MAX);
        for word in name.words.iter().collect::<HashSet<_>>() {
            self.by_word.entry(word.as_str().into()).or_default().push(place);
        }
        let mut letters = letters(name);
        for pair in pairs(&letters) {
            self.by_pair.entry(pair).or_default().push(place);
        }
        letters.sort_unstable();
        for syllable in syllables(&name.sound) {
            self.by_syllable.entry(syllable).or_default().push(place);
        }
        self.letters.push(letters.into_boxed_slice());
    }

    /// The names that have a word.
    pub(super) fn with_word(&self, word: &str) -> impl Iterator<Item = usize> {
        self.by_word
            .get(word)
            .into_iter()
            .flatten()
            .map(|place| *place as usize)
    }

    /// The names that have any word of another, in the order added.
    pub(super) fn with_any_word(&self, name: &Spoken) -> Vec<usize> {
        in_order(
            name.words
                .iter()
                .filter_map(|word| self.by_word.get(word.as_str()))
                .flatten(),
        )
    }

    /// The names that may be near in spelling, in the order added.
    pub(super) fn near_spelling(&self, name: &Spoken) -> Vec<usize> {
        let mut letters = letters(name);
        let pairs = pairs(&letters);
        letters.sort_unstable();
        let mut shared = vec![0usize; self.letters.len()];
        for place in pairs.iter().filter_map(|pair| self.by_pair.get(pair)).flatten() {
            if let Some(count) = shared.get_mut(*place as usize) {
                *count += 1;
            }
        }
        let is_near = |shared: usize, other: &[char]| {
            let edits = (other.len().max(letters.len()) as f64 * MOST_EDITS) as usize;
            shared >= pairs.len().saturating_sub(PAIRS_PER_EDIT * edits).max(1) && least_edits(&letters, other) <= edits
        };
        let counted = shared.into_iter().zip(&self.letters).enumerate();
        counted
            .filter_map(|(place, (shared, other))| is_near(shared, other).then_some(place))
            .collect()
    }

    /// The names that may be near in sound, in the order added: a syllable that no accent folds with the other costs
    /// more than a near name may cost on average, so near names share at least one.
    pub(super) fn near_sound(&self, name: &Spoken) -> Vec<usize> {
        let syllables = syllables(&name.sound);
        in_order(
            syllables
                .iter()
                .filter_map(|syllable| self.by_syllable.get(syllable))
                .flatten(),
        )
    }
}

/// The letters, both sorted, that one has and the other lacks: no fewer edits turn one into the other.
fn least_edits(mut a: &[char], mut b: &[char]) -> usize {
    let (mut only_a, mut only_b) = (0, 0);
    loop {
        match (a.split_first(), b.split_first()) {
            (Some((first_a, rest_a)), Some((first_b, rest_b))) => {
                if first_a <= first_b {
                    a = rest_a;
                }
                if first_b <= first_a {
                    b = rest_b;
                }
                only_a += usize::from(first_a < first_b);
                only_b += usize::from(first_b < first_a);
            }
            _ => return (only_a + a.len()).max(only_b + b.len()),
        }
    }
}

fn in_order<'a>(places: impl Iterator<Item = &'a u32>) -> Vec<usize> {
    let mut places: Vec<usize> = places.map(|place| *place as usize).collect();
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

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use proptest::prelude::*;

    use super::super::{NEAR, NEAR_SOUND};
    use super::*;
    use crate::library::{Library, NameKind};

    static NAMES: LazyLock<(Vec<Spoken>, Candidates)> = LazyLock::new(|| {
        let library = Library::shared();
        let names: Vec<Spoken> = library
            .names(NameKind::Song)
            .chain(library.names(NameKind::Artist))
            .step_by(5)
            .map(|name| Spoken::new(name.spoken))
            .collect();
        let mut candidates = Candidates::default();
        names.iter().for_each(|name| candidates.push(name));
        (names, candidates)
    });

    /// A slip of the tongue or of the finger.
    #[derive(Clone, Debug)]
    enum Slip {
        Drop(usize),
        Double(usize),
        Swap(usize),
        Replace(usize, char),
        Article,
    }

    fn slip() -> impl Strategy<Value = Slip> {
        prop_oneof![
            (0..40usize).prop_map(Slip::Drop),
            (0..40usize).prop_map(Slip::Double),
            (0..40usize).prop_map(Slip::Swap),
            (
                0..40usize,
                prop_oneof![prop::char::range('a', 'z'), Just('人'), Just('新'), Just('是')]
            )
                .prop_map(|(at, with)| Slip::Replace(at, with)),
            Just(Slip::Article),
        ]
    }

    fn slipped(name: &Spoken, slips: &[Slip]) -> Spoken {
        let mut letters: Vec<char> = name.words.join(" ").chars().collect();
        for slip in slips {
            let at = |index: &usize| index % letters.len();
            match slip {
                Slip::Drop(index) if letters.len() > 1 => {
                    letters.remove(at(index));
                }
                Slip::Double(index) => letters.insert(at(index), letters[at(index)]),
                Slip::Swap(index) if at(index) + 1 < letters.len() => {
                    let index = at(index);
                    letters.swap(index, index + 1);
                }
                Slip::Replace(index, with) => {
                    let index = at(index);
                    letters[index] = *with;
                }
                Slip::Article => letters.splice(0..0, "the ".chars()).for_each(drop),
                Slip::Drop(_) | Slip::Swap(_) => {}
            }
        }
        Spoken::new(&letters.into_iter().collect::<String>())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn nothing_near_is_left_out(name in any::<prop::sample::Index>(), slips in prop::collection::vec(slip(), 0..4)) {
            let (names, candidates) = &*NAMES;
            let said = slipped(name.get(names), &slips);
            let (spelling, sound) = (candidates.near_spelling(&said), candidates.near_sound(&said));
            for (place, known) in names.iter().enumerate() {
                if said.name.similarity(&known.name) >= NEAR && said.letters.chars().count() >= 4 {
                    prop_assert!(spelling.contains(&place), "{:?} ~ {:?}", said.words, known.words);
                }
                if said.sound.cost(&known.sound).is_some_and(|cost| cost <= NEAR_SOUND) {
                    prop_assert!(sound.contains(&place), "{:?} sounds like {:?}", said.words, known.words);
                }
            }
        }
    }

    #[test]
    fn most_names_are_left_out() {
        let (names, candidates) = &*NAMES;
        for said in [
            "bohemian rapsody",
            "从没有人唱过的歌名",
            "never gonna find this one here",
        ] {
            let said = Spoken::new(said);
            for near in [candidates.near_spelling(&said), candidates.near_sound(&said)] {
                assert!(
                    near.len() * 4 < names.len(),
                    "{:?}: {} of {}",
                    said.words,
                    near.len(),
                    names.len()
                );
            }
        }
    }
}
