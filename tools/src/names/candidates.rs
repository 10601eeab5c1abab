//! Which names are worth comparing: postings by word, by pair of letters and by syllable, so that a name that is not
//! there costs no more than one that is. Nothing near is ever left out.

use std::collections::HashSet;

use incar_text::{SoundKey, SyllableSet};

use super::Spoken;
use super::postings::Postings;
use super::vocabulary::Vocabulary;

/// Names that [`incar_text::Name::similarity`] calls near ([`super::NEAR`]) differ by at most this share of their
/// letters: the likeness of their starts makes up for the rest.
const MOST_EDITS: f64 = (1.0 - super::NEAR) / 0.7;
/// The most pairs of letters that one edit changes: swapping two letters.
const PAIRS_PER_EDIT: usize = 3;

type Pair = (char, char);

/// Places of names, by what they are made of.
#[derive(Clone, Debug)]
pub(super) struct Candidates {
    by_word: Postings<u32>,
    /// Of the names that have a Latin letter.
    by_pair: Postings<Pair>,
    /// Of the names that have a Chinese character.
    by_syllable: Postings<u32>,
}

impl Candidates {
    pub(super) fn new<'n>(vocabulary: &Vocabulary, names: impl Iterator<Item = &'n Spoken> + Clone) -> Self {
        let words = |(name, place): (&'n Spoken, u32)| name.words.iter().map(move |word| (word, place));
        let by_word = names.clone().zip(0..).flat_map(words);
        let spelled = names.clone().zip(0..).filter(|(name, _)| name.has_latin);
        let heard = names.zip(0..).filter(|(name, _)| name.has_han);
        Self {
            by_word: by_word.map(|(word, place)| (vocabulary.number(word), place)).collect(),
            by_pair: spelled
                .flat_map(|(name, place)| {
                    let letters = letters(name.words.iter().map(String::as_str));
                    pairs(&letters).into_iter().map(move |pair| (pair, place))
                })
                .collect(),
            by_syllable: heard
                .flat_map(|(name, place)| syllables(&name.sound()).into_iter().map(move |sound| (sound, place)))
                .collect(),
        }
    }

    /// The names that have a word.
    pub(super) fn with_word(&self, word: u32) -> impl Iterator<Item = u32> {
        self.by_word.of(&word).iter().copied()
    }

    /// The names that have any of these words, in the order added.
    pub(super) fn with_any_word(&self, words: &[u32]) -> Vec<u32> {
        in_order(words.iter().flat_map(|word| self.with_word(*word)))
    }

    /// The names that may be near in spelling, in the order added. `letters_of` tells the letters of the name at a
    /// place.
    pub(super) fn near_spelling(&self, words: &[String], letters_of: impl Fn(u32) -> Vec<char>) -> Vec<u32> {
        let mut letters = letters(words.iter().map(String::as_str));
        let pairs = pairs(&letters);
        letters.sort_unstable();
        let mut sharing: Vec<u32> = pairs.iter().flat_map(|pair| self.by_pair.of(pair)).copied().collect();
        sharing.sort_unstable();
        let is_near = |shared: &&[u32]| {
            let Some(place) = shared.first() else { return false };
            let mut other = letters_of(*place);
            other.sort_unstable();
            let edits = (other.len().max(letters.len()) as f64 * MOST_EDITS) as usize;
            shared.len() >= pairs.len().saturating_sub(PAIRS_PER_EDIT * edits).max(1)
                && least_edits(&letters, &other) <= edits
        };
        let near = sharing.chunk_by(|a, b| a == b).filter(is_near);
        near.filter_map(|shared| shared.first().copied()).collect()
    }

    /// The names that may be near in sound, in the order added: a syllable that no accent folds with the other costs
    /// more than a near name may cost on average, so near names share at least one.
    pub(super) fn near_sound(&self, sound: &SoundKey) -> Vec<u32> {
        in_order(
            syllables(sound)
                .iter()
                .flat_map(|syllable| self.by_syllable.of(syllable))
                .copied(),
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

fn in_order(places: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut places: Vec<u32> = places.collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// The letters that are compared for spelling: an article in front does not count.
pub(super) fn letters<'w>(words: impl Iterator<Item = &'w str>) -> Vec<char> {
    let mut words = words.peekable();
    let article = words.next_if(|word| matches!(*word, "the" | "a" | "an"));
    let article = article.filter(|_| words.peek().is_none());
    let letters = article.into_iter().chain(words).flat_map(str::chars);
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

    use incar_text::Name;
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
        let vocabulary = Vocabulary::new(names.iter().flat_map(|name| &name.words).map(String::as_str));
        let candidates = Candidates::new(&vocabulary, names.iter());
        (names, candidates)
    });

    fn near_spelling(said: &Spoken) -> Vec<u32> {
        let (names, candidates) = &*NAMES;
        candidates.near_spelling(&said.words, |place| {
            letters(names[place as usize].words.iter().map(String::as_str))
        })
    }

    fn near_sound(said: &Spoken) -> Vec<u32> {
        NAMES.1.near_sound(&said.sound())
    }

    fn name(spoken: &Spoken) -> Name {
        Name::new(&spoken.words.join(" "))
    }

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
        fn nothing_near_is_left_out(index in any::<prop::sample::Index>(), slips in prop::collection::vec(slip(), 0..4)) {
            let names = &NAMES.0;
            let said = slipped(index.get(names), &slips);
            let (spelling, sound) = (near_spelling(&said), near_sound(&said));
            for (known, place) in names.iter().zip(0..) {
                let spelled = known.has_latin && said.letters.chars().count() >= 4;
                if spelled && name(&said).similarity(&name(known)) >= NEAR {
                    prop_assert!(spelling.contains(&place), "{:?} ~ {:?}", said.words, known.words);
                }
                if known.has_han && said.sound().cost(&known.sound()).is_some_and(|cost| cost <= NEAR_SOUND) {
                    prop_assert!(sound.contains(&place), "{:?} sounds like {:?}", said.words, known.words);
                }
            }
        }
    }

    #[test]
    fn most_names_are_left_out() {
        let names = &NAMES.0;
        for said in [
            "bohemian rapsody",
            "从没有人唱过的歌名",
            "never gonna find this one here",
        ] {
            let said = Spoken::new(said);
            for near in [near_spelling(&said), near_sound(&said)] {
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
