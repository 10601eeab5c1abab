//! Toneless syllables and what it costs to take one for another.

use std::sync::LazyLock;

use pinyin::ToPinyinMulti;

const INITIALS: [&str; 24] = [
    "", "b", "p", "m", "f", "d", "t", "n", "l", "g", "k", "h", "j", "q", "x", "zh", "ch", "sh", "r", "z", "c", "s",
    "y", "w",
];

const FINALS: [&str; 38] = [
    "", "a", "o", "e", "ê", "ai", "ei", "ao", "ou", "an", "en", "ang", "eng", "er", "i", "ia", "ie", "iao", "iu",
    "ian", "in", "iang", "ing", "iong", "ong", "u", "ua", "uo", "uai", "ui", "uan", "un", "uang", "ueng", "ü", "üe",
    "üan", "ün",
];

/// What accents fold and recognisers confuse, with its cost.
const NEAR_INITIALS: [(&str, &str, f32); 20] = [
    ("z", "zh", 0.15),
    ("c", "ch", 0.15),
    ("s", "sh", 0.15),
    ("n", "l", 0.2),
    ("f", "h", 0.3),
    ("l", "r", 0.3),
    ("b", "p", 0.4),
    ("d", "t", 0.4),
    ("g", "k", 0.4),
    ("j", "q", 0.4),
    ("zh", "ch", 0.4),
    ("z", "c", 0.4),
    ("j", "zh", 0.4),
    ("q", "ch", 0.4),
    ("x", "sh", 0.4),
    ("x", "s", 0.4),
    ("r", "y", 0.4),
    ("q", "x", 0.5),
    ("m", "n", 0.5),
    ("w", "h", 0.5),
];

const NEAR_FINALS: [(&str, &str, f32); 31] = [
    ("an", "ang", 0.2),
    ("en", "eng", 0.15),
    ("in", "ing", 0.15),
    ("ian", "iang", 0.2),
    ("uan", "uang", 0.2),
    ("o", "uo", 0.1),
    ("e", "ê", 0.1),
    ("eng", "ong", 0.3),
    ("eng", "ueng", 0.2),
    ("i", "ü", 0.3),
    ("in", "ün", 0.3),
    ("ie", "üe", 0.3),
    ("ian", "üan", 0.3),
    ("u", "ü", 0.35),
    ("e", "o", 0.3),
    ("e", "uo", 0.35),
    ("ui", "ei", 0.35),
    ("un", "en", 0.35),
    ("ai", "ei", 0.4),
    ("un", "ong", 0.4),
    ("ün", "iong", 0.4),
    ("uan", "an", 0.4),
    ("uang", "ang", 0.4),
    ("ao", "ou", 0.4),
    ("iao", "iu", 0.4),
    ("ou", "uo", 0.4),
    ("u", "ou", 0.45),
    ("i", "ei", 0.45),
    ("en", "an", 0.5),
    ("a", "ia", 0.5),
    ("er", "e", 0.4),
];

/// The dearest difference between two syllables that are near at all.
const MOST: f32 = 0.6;
/// What a reading costs that is not the character's first.
const RARER_READING: f32 = 0.05;
/// Differences up to this cost share a [fold](Syllable::fold).
const FOLDED: f32 = 0.3;
/// Not near.
const FAR: f32 = f32::INFINITY;

const FINAL_BITS: u32 = 6;
const FINAL_MASK: u32 = (1 << FINAL_BITS) - 1;
/// Set on what has no reading: the rest is then a hash of the word.
const LITERAL: u32 = 1 << 31;

/// A toneless syllable of Mandarin, or the sound of a word that has no such reading, which is near to nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Syllable(u32);

impl Syllable {
    /// The syllable of a pinyin spelling without tone: `zhuang`, `lü` or `lv`. `None` for any other string.
    pub fn new(spelling: &str) -> Option<Self> {
        let initial = match spelling.get(..2).filter(|start| INITIALS.contains(start)) {
            Some(two) => two,
            None => spelling
                .get(..1)
                .filter(|start| INITIALS.contains(start))
                .unwrap_or_default(),
        };
        let rest = spelling.strip_prefix(initial)?;
        let rounded = matches!(initial, "j" | "q" | "x" | "y");
        let rest = match rest {
            "v" => "ü",
            "ve" | "ue" => "üe",
            "u" if rounded => "ü",
            "uan" if rounded => "üan",
            "un" if rounded => "ün",
            other => other,
        };
        if initial.is_empty() && rest.is_empty() {
            return None;
        }
        Some(Self(
            (index_of(&INITIALS, initial)? << FINAL_BITS) | index_of(&FINALS, rest)?,
        ))
    }

    fn literal(word: &str) -> Self {
        let hash = word.bytes().fold(0x811C_9DC5_u32, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        });
        Self(hash | LITERAL)
    }

    fn is_literal(self) -> bool {
        self.0 & LITERAL != 0
    }

    fn initial(self) -> usize {
        (self.0 >> FINAL_BITS) as usize
    }

    /// The bit of the initial and those of the initials near to it. What has no reading has a bit of its own.
    fn initial_bits(self) -> (u32, u32) {
        if self.is_literal() {
            return (LITERAL, LITERAL);
        }
        let near = TABLES.near_initials.get(self.initial()).copied();
        (1 << self.initial(), near.unwrap_or_default())
    }

    fn last(self) -> usize {
        (self.0 & FINAL_MASK) as usize
    }

    /// The class of syllables that accents fold with this one: equal for all whose initials and finals differ by a cost of
    /// 0.3 at most. A key to find near words by.
    pub fn fold(self) -> u32 {
        if self.is_literal() {
            return self.0;
        }
        let tables = &*TABLES;
        let class = |classes: &[u32], at: usize| classes.get(at).copied().unwrap_or_default();
        (class(&tables.initial_classes, self.initial()) << FINAL_BITS) | class(&tables.final_classes, self.last())
    }

    /// What it costs to take one for the other: 0 for the same, `None` where they are not near.
    pub fn cost(self, other: Self) -> Option<f32> {
        if self == other {
            return Some(0.0);
        }
        if self.is_literal() || other.is_literal() {
            return None;
        }
        let tables = &*TABLES;
        let cost = |table: &[f32], size: usize, a: usize, b: usize| table.get(a * size + b).copied().unwrap_or(FAR);
        let initials = cost(&tables.initials, INITIALS.len(), self.initial(), other.initial());
        if initials > MOST {
            return None;
        }
        let cost = initials + cost(&tables.finals, FINALS.len(), self.last(), other.last());
        (cost <= MOST).then_some(cost)
    }
}

fn index_of(names: &[&str], name: &str) -> Option<u32> {
    names
        .iter()
        .position(|candidate| *candidate == name)
        .and_then(|at| u32::try_from(at).ok())
}

struct Tables {
    /// For each initial the bits of those near to it.
    near_initials: Vec<u32>,
    initials: Vec<f32>,
    finals: Vec<f32>,
    initial_classes: Vec<u32>,
    final_classes: Vec<u32>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| Tables {
    near_initials: INITIALS
        .iter()
        .map(|a| {
            let near = |b: &str| {
                NEAR_INITIALS
                    .iter()
                    .any(|(x, y, _)| (*x == *a && *y == b) || (*y == *a && *x == b))
            };
            INITIALS
                .iter()
                .enumerate()
                .filter(|(_, b)| **b == *a || near(b))
                .fold(0, |bits, (at, _)| bits | 1 << at)
        })
        .collect(),
    initials: costs(&INITIALS, &NEAR_INITIALS),
    finals: costs(&FINALS, &NEAR_FINALS),
    initial_classes: classes(&INITIALS, &NEAR_INITIALS),
    final_classes: classes(&FINALS, &NEAR_FINALS),
});

/// A square table: zero on the diagonal, the cost of a near pair both ways, else [`FAR`].
fn costs(names: &[&str], near: &[(&str, &str, f32)]) -> Vec<f32> {
    let between = |a: &str, b: &str| {
        if a == b {
            return 0.0;
        }
        near.iter()
            .find(|(x, y, _)| (*x == a && *y == b) || (*x == b && *y == a))
            .map_or(FAR, |(.., cost)| *cost)
    };
    names
        .iter()
        .flat_map(|a| names.iter().map(move |b| between(a, b)))
        .collect()
}

/// For each name the least index among all that folding reaches from it.
fn classes(names: &[&str], near: &[(&str, &str, f32)]) -> Vec<u32> {
    let mut classes: Vec<u32> = (0..).take(names.len()).collect();
    let class = |classes: &[u32], name: &str| {
        let at = names.iter().position(|candidate| *candidate == name)?;
        classes.get(at).copied()
    };
    for (a, b, _) in near.iter().filter(|(.., cost)| *cost <= FOLDED) {
        if let (Some(a), Some(b)) = (class(&classes, a), class(&classes, b)) {
            for class in &mut classes {
                if *class == a.max(b) {
                    *class = a.min(b);
                }
            }
        }
    }
    classes
}

const READINGS: usize = 6;

/// All readings of one unit, the most common first; six at most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SyllableSet {
    readings: [Syllable; READINGS],
    count: u8,
    /// The initials of the readings as bits, and all that are near to one of them: most comparisons end here.
    initials: u32,
    near_initials: u32,
}

impl SyllableSet {
    /// The readings of a unit's normal form.
    pub fn of_word(word: &str) -> Self {
        let mut set = Self::default();
        let mut chars = word.chars();
        if let (Some(ch), None) = (chars.next(), chars.next()) {
            match ch {
                '0'..='9' => {
                    const DIGITS: [&str; 10] = ["ling", "yi", "er", "san", "si", "wu", "liu", "qi", "ba", "jiu"];
                    let digit = ch.to_digit(10).and_then(|digit| DIGITS.get(digit as usize));
                    set.extend(digit.and_then(|spelling| Syllable::new(spelling)));
                    set.extend((ch == '1').then(|| Syllable::new("yao")).flatten());
                }
                _ => {
                    let readings = ch.to_pinyin_multi().into_iter().flatten();
                    set.extend(readings.filter_map(|reading| Syllable::new(reading.plain())));
                }
            }
        }
        if set.count == 0 {
            set.extend([Syllable::literal(word)]);
        }
        set
    }

    fn extend(&mut self, syllables: impl IntoIterator<Item = Syllable>) {
        for syllable in syllables {
            if self.readings().contains(&syllable) {
                continue;
            }
            if let Some(free) = self.readings.get_mut(usize::from(self.count)) {
                *free = syllable;
                self.count += 1;
                let (initial, near) = syllable.initial_bits();
                self.initials |= initial;
                self.near_initials |= near;
            }
        }
    }

    /// The readings, the most common first.
    pub fn readings(&self) -> &[Syllable] {
        self.readings.get(..usize::from(self.count)).unwrap_or_default()
    }

    /// The least cost between any two readings, `None` where none are near.
    pub fn cost(&self, other: &Self) -> Option<f32> {
        if self.initials & other.near_initials == 0 {
            return None;
        }
        let mut least = FAR;
        for (rank, a) in self.readings().iter().enumerate() {
            for (other_rank, b) in other.readings().iter().enumerate() {
                let rarer = f32::from(u8::from(rank > 0) + u8::from(other_rank > 0));
                if let Some(cost) = a.cost(*b) {
                    least = least.min(cost + rarer * RARER_READING);
                }
            }
        }
        (least <= MOST).then_some(least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(a: &str, b: &str, expected: Option<f32>) {
        let syllable = |spelling| Syllable::new(spelling).unwrap_or_else(|| panic!("{spelling}"));
        let cost = syllable(a).cost(syllable(b));
        let near = match (cost, expected) {
            (Some(cost), Some(expected)) => (cost - expected).abs() < 1e-6,
            (None, None) => true,
            _ => false,
        };
        assert!(near, "{a} {b}: {cost:?}");
        assert_eq!(cost, syllable(b).cost(syllable(a)), "{a} {b}");
    }

    #[test]
    fn folds_cost_part_of_a_syllable() {
        for (a, b, expected) in [
            ("shi", "shi", Some(0.0)),
            ("shi", "si", Some(0.15)),
            ("zhang", "zan", Some(0.35)),
            ("ning", "lin", Some(0.35)),
            ("fei", "hui", None),
            ("hu", "fu", Some(0.3)),
            ("lü", "li", Some(0.3)),
            ("bo", "ba", None),
            ("tiao", "kong", None),
            ("ju", "jü", Some(0.0)),
        ] {
            check(a, b, expected);
        }
    }

    #[test]
    fn what_folds_shares_its_class() {
        for (a, b, same) in [
            ("shi", "si", true),
            ("zhang", "zan", true),
            ("ning", "lin", true),
            ("hu", "fu", true),
            ("ba", "pa", false),
            ("tiao", "kong", false),
        ] {
            let fold = |spelling| Syllable::new(spelling).unwrap().fold();
            assert_eq!(fold(a) == fold(b), same, "{a} {b}");
        }
    }

    #[test]
    fn the_tables_name_only_what_there_is() {
        for (a, b, cost) in NEAR_INITIALS {
            assert!(
                INITIALS.contains(&a) && INITIALS.contains(&b) && cost <= MOST,
                "{a} {b}"
            );
        }
        for (a, b, cost) in NEAR_FINALS {
            assert!(FINALS.contains(&a) && FINALS.contains(&b) && cost <= MOST, "{a} {b}");
        }
    }

    #[test]
    fn readings_of_a_unit() {
        for (word, expected) in [
            ("调", vec!["tiao", "diao"]),
            ("行", vec!["xing", "hang"]),
            ("女", vec!["nü"]),
            ("1", vec!["yi", "yao"]),
        ] {
            let set = SyllableSet::of_word(word);
            for spelling in expected {
                let syllable = Syllable::new(spelling).unwrap();
                assert!(set.readings().contains(&syllable), "{word} {spelling}");
            }
        }
        assert_eq!(Syllable::new(""), None);
        assert_eq!(Syllable::new("hello"), None);
        assert_eq!(Syllable::new("中"), None);
    }

    #[test]
    fn nearly_every_common_character_has_a_syllable() {
        let silent = ('\u{4E00}'..='\u{9FA5}')
            .filter(|ch| SyllableSet::of_word(ch.encode_utf8(&mut [0; 4])).readings()[0].is_literal())
            .count();
        assert!(silent < 20, "{silent}");
    }
}
