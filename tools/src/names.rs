//! Finding things by the names people say: written exactly, a part of the name, nearly spelled, or sounding alike.

mod candidates;
mod postings;
mod vocabulary;

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use incar_text::{Name, SoundKey, SyllableSet, Text, UnitKind};
use serde::Serialize;

use self::candidates::Candidates;
use self::postings::Postings;
use self::vocabulary::Vocabulary;

/// Names at least this much alike count as one name spelled two ways.
const NEAR: f64 = 0.85;
/// Shorter names are too easily mistaken for one another to be found by near spelling.
const NEAR_LETTERS: usize = 4;
/// What a syllable may cost on average to be heard for another: what accents fold passes, a wrong vowel does not.
const NEAR_SOUND: f32 = 0.2;

/// How what was said fitted what was found, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Fit {
    /// The name itself.
    Exact,
    /// Another name of the same thing.
    Alias,
    /// A part of the name, or the name among other words.
    Part,
    /// Spelled nearly so.
    Spelling,
    /// Written otherwise, but sounding the same.
    Sound,
}

/// Whether a name is a thing's own or one of its other names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The name itself.
    Main,
    /// Another name.
    Alias,
}

/// Which parts of names are enough to find a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Partial {
    /// No part: the whole name must be said.
    Never,
    /// More than half of the name.
    MostOfName,
    /// Any part of the name, or the name among other words.
    Anywhere,
}

/// What a spoken name led to: never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found<T> {
    /// How it fitted; the same for all.
    pub fit: Fit,
    /// What was found, each once, in the order inserted.
    pub ids: Vec<T>,
}

/// An index of names: it is made of all names at once, of which a thing may have many, and a name may be of many things.
///
/// ```
/// use incar_tools::names::{Fit, NameIndex, Partial, Role};
///
/// let names = [(7, Role::Main, "Wi-Fi热点"), (7, Role::Alias, "hotspot")];
/// let index: NameIndex<i32> = names.into_iter().collect();
/// let found = index.lookup("wifi 热点", Partial::Never).unwrap();
/// assert_eq!((found.fit, found.ids), (Fit::Exact, vec![7]));
/// assert_eq!(index.lookup("hotspt", Partial::Never).unwrap().fit, Fit::Spelling);
/// assert_eq!(index.lookup("radio", Partial::Anywhere), None);
/// ```
#[derive(Clone, Debug)]
pub struct NameIndex<T> {
    vocabulary: Vocabulary,
    entries: Box<[Entry<T>]>,
    /// The words of all names, one name after the other.
    words: Box<[u32]>,
    /// By the letters of the name, as a number that few other names have.
    exact: Postings<u64>,
    candidates: Candidates,
}

#[derive(Clone, Copy, Debug)]
struct Entry<T> {
    id: T,
    role: Role,
    has_latin: bool,
    /// Where its words stand in the list of all.
    start: u32,
    end: u32,
}

/// A name in the index.
#[derive(Debug)]
struct Known<'i, T> {
    entry: &'i Entry<T>,
    words: &'i [u32],
    vocabulary: &'i Vocabulary,
}

impl<T> Copy for Known<'_, T> {}

impl<T> Clone for Known<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<'i, T> Known<'i, T> {
    fn written(self) -> impl Iterator<Item = &'i str> {
        self.words.iter().map(|word| self.vocabulary.word(*word))
    }

    fn letters(self) -> impl Iterator<Item = char> {
        self.written().flat_map(str::chars).filter(|ch| ch.is_alphanumeric())
    }

    fn is_telling(self) -> bool {
        is_telling(self.letters().count(), self.entry.has_latin)
    }

    fn sound(self) -> SoundKey {
        self.words.iter().map(|word| self.vocabulary.sound(*word)).collect()
    }
}

/// Whether these words stand in the others, in order and side by side.
fn are_within(words: &[u32], others: &[u32]) -> bool {
    !words.is_empty() && others.windows(words.len()).any(|window| window == words)
}

/// One character or one short word says too little to find a thing by.
fn is_telling(letters: usize, has_latin: bool) -> bool {
    letters >= if has_latin { 3 } else { 2 }
}

/// No index has four thousand million of anything.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn hash(letters: impl Iterator<Item = char>) -> u64 {
    let mut hasher = DefaultHasher::new();
    letters.for_each(|letter| letter.hash(&mut hasher));
    hasher.finish()
}

/// What was said, made ready for every way of comparing.
#[derive(Clone, Debug)]
struct Spoken {
    words: Vec<String>,
    letters: String,
    has_latin: bool,
    has_han: bool,
}

impl Spoken {
    fn new(name: &str) -> Self {
        let text = Text::new(name);
        let words: Vec<String> = text
            .words()
            .filter(|word| word.contains(char::is_alphanumeric))
            .map(str::to_owned)
            .collect();
        Self {
            letters: words
                .iter()
                .flat_map(|word| word.chars())
                .filter(|ch| ch.is_alphanumeric())
                .collect(),
            has_latin: text.units().iter().any(|unit| unit.kind == UnitKind::Latin),
            has_han: text.units().iter().any(|unit| unit.kind == UnitKind::Han),
            words,
        }
    }

    fn sound(&self) -> SoundKey {
        self.words.iter().map(|word| SyllableSet::of_word(word)).collect()
    }
}

impl<T> Default for NameIndex<T> {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl<T, S: AsRef<str>> FromIterator<(T, Role, S)> for NameIndex<T> {
    fn from_iter<I: IntoIterator<Item = (T, Role, S)>>(names: I) -> Self {
        let spoken = |(id, role, name): (T, Role, S)| (id, role, Spoken::new(name.as_ref()));
        let said = |(_, _, spoken): &(T, Role, Spoken)| !spoken.letters.is_empty();
        Self::new(names.into_iter().map(spoken).filter(said).collect())
    }
}

impl<T> NameIndex<T> {
    fn new(names: Vec<(T, Role, Spoken)>) -> Self {
        let spoken = || names.iter().map(|(_, _, spoken)| spoken);
        let vocabulary = Vocabulary::new(spoken().flat_map(|name| &name.words).map(String::as_str));
        let exact = spoken().map(|name| hash(name.letters.chars()));
        let exact = exact.zip(0..).collect();
        let candidates = Candidates::new(&vocabulary, spoken());
        let mut words = Vec::new();
        let mut entries = Vec::new();
        for (id, role, spoken) in names {
            let start = number(words.len());
            words.extend(spoken.words.iter().map(|word| vocabulary.number(word)));
            entries.push(Entry {
                id,
                role,
                has_latin: spoken.has_latin,
                start,
                end: number(words.len()),
            });
        }
        Self {
            vocabulary,
            entries: entries.into(),
            words: words.into(),
            exact,
            candidates,
        }
    }

    fn known(&self, place: u32) -> Option<Known<'_, T>> {
        let entry = self.entries.get(place as usize)?;
        Some(Known {
            entry,
            words: self.words.get(entry.start as usize..entry.end as usize)?,
            vocabulary: &self.vocabulary,
        })
    }
}

impl<T: Copy + Eq + Hash> NameIndex<T> {
    /// The things whose name or other name this is exactly, apart from case, spaces and signs.
    pub fn exact(&self, said: &str) -> Option<Found<T>> {
        self.lookup_exact(&Spoken::new(said), |_| true)
    }

    /// The things that best fit what was said: only those of the best kind of fit are found.
    pub fn lookup(&self, said: &str, partial: Partial) -> Option<Found<T>> {
        self.lookup_among(said, partial, |_| true)
    }

    /// As [`NameIndex::lookup`], among the things that `keep` accepts.
    pub fn lookup_among(&self, said: &str, partial: Partial, keep: impl Fn(&T) -> bool) -> Option<Found<T>> {
        let spoken = Spoken::new(said);
        if spoken.letters.is_empty() {
            return None;
        }
        self.lookup_exact(&spoken, &keep)
            .or_else(|| found(Fit::Part, self.by_part(&spoken, partial, &keep)))
            .or_else(|| found(Fit::Spelling, self.by_spelling(&spoken, &keep)))
            .or_else(|| found(Fit::Sound, self.by_sound(&spoken, &keep)))
    }

    /// The names that stand among the words said, leaving out those inside a longer one that does: `欢快` and `粤语` in
    /// `欢快的粤语歌`.
    pub fn within(&self, said: &str) -> Vec<T> {
        let words = self.numbers(&Spoken::new(said));
        let inside: Vec<Known<'_, T>> = self
            .known_at(self.candidates.with_any_word(&words))
            .filter(|known| are_within(known.words, &words))
            .collect();
        let is_covered = |known: &Known<'_, T>| {
            let covers =
                |other: &Known<'_, T>| other.words.len() > known.words.len() && are_within(known.words, other.words);
            inside.iter().any(covers)
        };
        let telling = inside
            .iter()
            .filter(|known| known.is_telling() && !is_covered(known))
            .copied();
        unique(telling)
    }

    /// The numbers of the words said.
    fn numbers(&self, spoken: &Spoken) -> Vec<u32> {
        spoken.words.iter().map(|word| self.vocabulary.number(word)).collect()
    }

    fn lookup_exact(&self, spoken: &Spoken, keep: impl Fn(&T) -> bool) -> Option<Found<T>> {
        let places = self.exact.of(&hash(spoken.letters.chars()));
        let with_role = |role| {
            self.known_at(places.iter().copied())
                .filter(move |known| known.entry.role == role && known.letters().eq(spoken.letters.chars()))
                .filter(|known| keep(&known.entry.id))
        };
        found(Fit::Exact, with_role(Role::Main)).or_else(|| found(Fit::Alias, with_role(Role::Alias)))
    }

    fn by_part(&self, spoken: &Spoken, partial: Partial, keep: &impl Fn(&T) -> bool) -> Vec<Known<'_, T>> {
        let words = self.numbers(spoken);
        let is_telling = is_telling(spoken.letters.chars().count(), spoken.has_latin);
        let Some(first) = words.first() else {
            return Vec::new();
        };
        let names = self
            .known_at(self.candidates.with_word(*first))
            .filter(|known| keep(&known.entry.id) && is_telling && are_within(&words, known.words));
        match partial {
            Partial::Never => Vec::new(),
            Partial::MostOfName => names.filter(|known| words.len() * 2 > known.words.len()).collect(),
            Partial::Anywhere => {
                let inside = self
                    .known_at(self.candidates.with_any_word(&words))
                    .filter(|known| keep(&known.entry.id))
                    .filter(|known| known.is_telling() && are_within(known.words, &words));
                let inside = all_best(inside.map(|known| (known.letters().count(), known)));
                if inside.is_empty() { names.collect() } else { inside }
            }
        }
    }

    /// Names without a Latin letter are not spelled nearly so, but sound alike.
    fn by_spelling(&self, spoken: &Spoken, keep: &impl Fn(&T) -> bool) -> Vec<Known<'_, T>> {
        if !spoken.has_latin || spoken.letters.chars().count() < NEAR_LETTERS {
            return Vec::new();
        }
        let length = spoken.letters.len();
        let said = Name::new(&spoken.words.join(" "));
        let candidates = self.candidates.near_spelling(&spoken.words, |place| {
            let known = self.known(place).into_iter();
            candidates::letters(known.flat_map(Known::written))
        });
        let near = self
            .known_at(candidates)
            .filter(|known| {
                let letters: usize = known.letters().map(char::len_utf8).sum();
                letters.abs_diff(length) * 4 <= length && keep(&known.entry.id)
            })
            .map(|known| {
                let name = Name::new(&known.written().collect::<Vec<_>>().join(" "));
                (said.similarity(&name), known)
            })
            .filter(|(likeness, _)| *likeness >= NEAR);
        all_best(near)
    }

    /// The one place that knows what names sound like. Single characters sound like too many others.
    fn by_sound(&self, spoken: &Spoken, keep: &impl Fn(&T) -> bool) -> Vec<Known<'_, T>> {
        if !spoken.has_han || spoken.words.len() < 2 {
            return Vec::new();
        }
        let said = spoken.sound();
        let near = self
            .known_at(self.candidates.near_sound(&said))
            .filter(|known| keep(&known.entry.id))
            .filter_map(|known| Some((-said.cost(&known.sound())?, known)))
            .filter(|(likeness, _)| -likeness <= NEAR_SOUND);
        all_best(near)
    }

    fn known_at(&self, places: impl IntoIterator<Item = u32>) -> impl Iterator<Item = Known<'_, T>> {
        places.into_iter().filter_map(|place| self.known(place))
    }
}

fn found<'i, T: Copy + Eq + Hash + 'i>(fit: Fit, names: impl IntoIterator<Item = Known<'i, T>>) -> Option<Found<T>> {
    let ids = unique(names);
    if ids.is_empty() { None } else { Some(Found { fit, ids }) }
}

/// Every name that scores as well as the best.
fn all_best<S: PartialOrd + Copy, E>(scored: impl Iterator<Item = (S, E)>) -> Vec<E> {
    let mut best = None;
    let mut names = Vec::new();
    for (score, name) in scored {
        if best.is_none_or(|best| score > best) {
            best = Some(score);
            names.clear();
        }
        if best.is_none_or(|best| score >= best) {
            names.push(name);
        }
    }
    names
}

fn unique<'i, T: Copy + Eq + Hash + 'i>(names: impl IntoIterator<Item = Known<'i, T>>) -> Vec<T> {
    let mut seen = HashSet::new();
    let ids = names.into_iter().map(|known| known.entry.id);
    ids.filter(|id| seen.insert(*id)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(names: &[(u8, Role, &str)]) -> NameIndex<u8> {
        names.iter().copied().collect()
    }

    #[test]
    fn the_best_kind_of_fit_wins() {
        use Role::{Alias, Main};
        let index = index(&[
            (1, Main, "The Sound of Silence"),
            (1, Alias, "寂静之声"),
            (2, Main, "寂静之声"),
            (3, Main, "充电口盖"),
            (4, Main, "充电"),
            (5, Main, "Beyoncé"),
        ]);
        for (said, partial, expected) in [
            ("sound of silence", Partial::Never, None),
            ("the sound of silence", Partial::Never, Some((Fit::Exact, vec![1]))),
            ("THE SOUND-OF-SILENCE!", Partial::Never, Some((Fit::Exact, vec![1]))),
            ("寂静之声", Partial::Never, Some((Fit::Exact, vec![2]))),
            ("sound of silence", Partial::MostOfName, Some((Fit::Part, vec![1]))),
            ("silence", Partial::MostOfName, None),
            ("把充电口盖", Partial::Anywhere, Some((Fit::Part, vec![3]))),
            ("充电", Partial::Anywhere, Some((Fit::Exact, vec![4]))),
            ("口盖", Partial::Anywhere, Some((Fit::Part, vec![3]))),
            ("盖", Partial::Anywhere, None),
            ("the sund of silence", Partial::Never, Some((Fit::Spelling, vec![1]))),
            ("beyonce", Partial::Never, Some((Fit::Spelling, vec![5]))),
            ("", Partial::Anywhere, None),
            ("，。", Partial::Anywhere, None),
        ] {
            let found = index.lookup(said, partial).map(|found| (found.fit, found.ids));
            // A near spelling may stand in for a missing article.
            if said == "sound of silence" && partial == Partial::Never {
                assert!(found.is_none_or(|(fit, _)| fit == Fit::Spelling));
                continue;
            }
            assert_eq!(found, expected, "{said}");
        }
    }

    #[test]
    fn a_filter_reaches_the_other_names() {
        let index = index(&[(1, Role::Alias, "寂静之声"), (2, Role::Main, "寂静之声")]);
        let found = index.lookup_among("寂静之声", Partial::Never, |id| *id == 1).unwrap();
        assert_eq!((found.fit, found.ids), (Fit::Alias, vec![1]));
    }

    #[test]
    fn the_longest_names_within_are_found() {
        let index = index(&[
            (1, Role::Main, "欢快"),
            (2, Role::Main, "粤语"),
            (3, Role::Main, "粤语歌"),
            (4, Role::Main, "rock"),
        ]);
        assert_eq!(index.within("欢快的粤语歌"), vec![1, 3]);
        assert_eq!(index.within("rocket"), Vec::<u8>::new());
    }

    #[test]
    fn homophones_are_found_last() {
        let index = index(&[(1, Role::Main, "周杰伦"), (2, Role::Main, "周深")]);
        for said in ["周杰轮", "周结伦", "邹杰伦"] {
            let found = index.lookup(said, Partial::MostOfName).unwrap();
            assert_eq!((found.fit, found.ids), (Fit::Sound, vec![1]), "{said}");
        }
        for said in ["李健", "周围", "周"] {
            assert_eq!(index.lookup(said, Partial::MostOfName), None, "{said}");
        }
    }
}
