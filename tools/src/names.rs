//! Finding things by the names people say: written exactly, a part of the name, nearly spelled, or sounding alike.

mod candidates;

use std::collections::HashMap;
use std::hash::Hash;

use incar_text::{Name, SoundKey, Text, UnitKind};
use serde::Serialize;

use self::candidates::Candidates;

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

/// An index of names.
///
/// ```
/// use incar_tools::names::{Fit, NameIndex, Partial, Role};
///
/// let mut index = NameIndex::default();
/// index.insert(7, Role::Main, "Wi-Fi热点");
/// index.insert(7, Role::Alias, "hotspot");
/// let found = index.lookup("wifi 热点", Partial::Never).unwrap();
/// assert_eq!((found.fit, found.ids), (Fit::Exact, vec![7]));
/// assert_eq!(index.lookup("hotspt", Partial::Never).unwrap().fit, Fit::Spelling);
/// assert_eq!(index.lookup("radio", Partial::Anywhere), None);
/// ```
#[derive(Clone, Debug)]
pub struct NameIndex<T> {
    entries: Vec<Entry<T>>,
    exact: HashMap<String, Vec<usize>>,
    candidates: Candidates,
}

#[derive(Clone, Debug)]
struct Entry<T> {
    id: T,
    role: Role,
    spoken: Spoken,
}

/// A name made ready for every way of comparing.
#[derive(Clone, Debug)]
struct Spoken {
    words: Vec<String>,
    letters: String,
    has_latin: bool,
    has_han: bool,
    name: Name,
    sound: SoundKey,
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
            name: Name::new(name),
            sound: SoundKey::of(&text, 0..text.len()),
            words,
        }
    }

    /// Whether these words stand in the other's, in order and side by side.
    fn is_within(&self, other: &Self) -> bool {
        !self.words.is_empty() && other.words.windows(self.words.len()).any(|words| words == self.words)
    }

    /// One character or one short word says too little to find a thing by.
    fn is_telling(&self) -> bool {
        self.letters.chars().count() >= if self.has_latin { 3 } else { 2 }
    }
}

impl<T> Default for NameIndex<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
            exact: HashMap::new(),
            candidates: Candidates::default(),
        }
    }
}

impl<T: Copy + Eq + Hash> NameIndex<T> {
    /// Adds a name of a thing. A thing may have many names, and a name may be of many things.
    pub fn insert(&mut self, id: T, role: Role, name: &str) {
        let spoken = Spoken::new(name);
        if spoken.letters.is_empty() {
            return;
        }
        let place = self.entries.len();
        self.exact.entry(spoken.letters.clone()).or_default().push(place);
        self.candidates.push(&spoken);
        self.entries.push(Entry { id, role, spoken });
    }

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
            .or_else(|| self.found(Fit::Part, self.by_part(&spoken, partial, &keep)))
            .or_else(|| self.found(Fit::Spelling, self.by_spelling(&spoken, &keep)))
            .or_else(|| self.found(Fit::Sound, self.by_sound(&spoken, &keep)))
    }

    /// The names that stand among the words said, leaving out those inside a longer one that does: `欢快` and `粤语` in
    /// `欢快的粤语歌`.
    pub fn within(&self, said: &str) -> Vec<T> {
        let spoken = Spoken::new(said);
        let inside: Vec<&Entry<T>> = self
            .entries_at(self.candidates.with_any_word(&spoken))
            .filter(|entry| entry.spoken.is_within(&spoken))
            .collect();
        let is_covered = |entry: &Entry<T>| {
            inside.iter().any(|other| {
                other.spoken.words.len() > entry.spoken.words.len() && entry.spoken.is_within(&other.spoken)
            })
        };
        unique(
            inside
                .iter()
                .copied()
                .filter(|entry| entry.spoken.is_telling() && !is_covered(entry)),
        )
    }

    fn lookup_exact(&self, spoken: &Spoken, keep: impl Fn(&T) -> bool) -> Option<Found<T>> {
        let places = self.exact.get(&spoken.letters)?;
        let with_role = |role| {
            self.entries_at(places.iter().copied())
                .filter(move |entry| entry.role == role)
                .filter(|entry| keep(&entry.id))
        };
        self.found(Fit::Exact, with_role(Role::Main))
            .or_else(|| self.found(Fit::Alias, with_role(Role::Alias)))
    }

    fn by_part(&self, spoken: &Spoken, partial: Partial, keep: &impl Fn(&T) -> bool) -> Vec<&Entry<T>> {
        let part_of_name = |entry: &&Entry<T>| spoken.is_telling() && spoken.is_within(&entry.spoken);
        let first = spoken.words.first().map(String::as_str).unwrap_or_default();
        let names = self
            .entries_at(self.candidates.with_word(first))
            .filter(|entry| keep(&entry.id))
            .filter(part_of_name);
        match partial {
            Partial::Never => Vec::new(),
            Partial::MostOfName => names
                .filter(|entry| spoken.words.len() * 2 > entry.spoken.words.len())
                .collect(),
            Partial::Anywhere => {
                let inside = self
                    .entries_at(self.candidates.with_any_word(spoken))
                    .filter(|entry| keep(&entry.id))
                    .filter(|entry| entry.spoken.is_telling() && entry.spoken.is_within(spoken));
                let inside = all_best(inside.map(|entry| (entry.spoken.letters.chars().count(), entry)));
                if inside.is_empty() { names.collect() } else { inside }
            }
        }
    }

    fn by_spelling(&self, spoken: &Spoken, keep: &impl Fn(&T) -> bool) -> Vec<&Entry<T>> {
        if !spoken.has_latin || spoken.letters.chars().count() < NEAR_LETTERS {
            return Vec::new();
        }
        let length = spoken.letters.len();
        let near = self
            .entries_at(self.candidates.near_spelling(spoken))
            .filter(|entry| entry.spoken.letters.len().abs_diff(length) * 4 <= length && keep(&entry.id))
            .map(|entry| (spoken.name.similarity(&entry.spoken.name), entry))
            .filter(|(likeness, _)| *likeness >= NEAR);
        all_best(near)
    }

    /// The one place that knows what names sound like. Single characters sound like too many others.
    fn by_sound(&self, spoken: &Spoken, keep: &impl Fn(&T) -> bool) -> Vec<&Entry<T>> {
        if !spoken.has_han || spoken.words.len() < 2 {
            return Vec::new();
        }
        let near = self
            .entries_at(self.candidates.near_sound(spoken))
            .filter(|entry| entry.spoken.has_han && keep(&entry.id))
            .filter_map(|entry| Some((-spoken.sound.cost(&entry.spoken.sound)?, entry)))
            .filter(|(likeness, _)| -likeness <= NEAR_SOUND);
        all_best(near)
    }

    fn entries_at(&self, places: impl IntoIterator<Item = usize>) -> impl Iterator<Item = &Entry<T>> {
        places.into_iter().filter_map(|place| self.entries.get(place))
    }

    fn found<'a>(&'a self, fit: Fit, entries: impl IntoIterator<Item = &'a Entry<T>>) -> Option<Found<T>> {
        let ids = unique(entries);
        if ids.is_empty() { None } else { Some(Found { fit, ids }) }
    }
}

/// Every entry that scores as well as the best.
fn all_best<S: PartialOrd + Copy, E>(scored: impl Iterator<Item = (S, E)>) -> Vec<E> {
    let mut best = None;
    let mut entries = Vec::new();
    for (score, entry) in scored {
        if best.is_none_or(|best| score > best) {
            best = Some(score);
            entries.clear();
        }
        if best.is_none_or(|best| score >= best) {
            entries.push(entry);
        }
    }
    entries
}

fn unique<'a, T: Copy + Eq + Hash + 'a>(entries: impl IntoIterator<Item = &'a Entry<T>>) -> Vec<T> {
    let mut seen = std::collections::HashSet::new();
    entries
        .into_iter()
        .map(|entry| entry.id)
        .filter(|id| seen.insert(*id))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(names: &[(u8, Role, &str)]) -> NameIndex<u8> {
        let mut index = NameIndex::default();
        for (id, role, name) in names {
            index.insert(*id, *role, name);
        }
        index
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
