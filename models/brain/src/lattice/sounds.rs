//! What is not written but heard: a recogniser writes another character of the same or a near sound.

use super::{Edge, Lattice, Mend, Reading};
use crate::generic::Class;
use crate::lexicon::{Lexicon, Use};
use incar_text::{SyllableSet, Text, UnitKind, date_at, number_at, sound};

/// What one misheard character costs beside how far its sound is off.
pub(crate) const SLIP: f32 = 0.35;
/// What a carrier word of one character costs that is only heard.
const HEARD_CARRIER: f32 = 0.6;
/// What it costs more to take a character that says more or less for another one: 亮一点 is hardly 凉一点.
const DIRECTING: f32 = 0.9;
/// The most that a character may differ from a numeral that it is taken for.
const NEAR_NUMERAL: f32 = 0.2;

/// What one unit may be, by its sound.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ear {
    /// Symbols that it may be, with what each costs.
    pub(crate) near: Vec<(u32, f32)>,
}

const NUMERALS: [&str; 15] = [
    "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "百", "点", "两", "零", "半",
];

/// The carrier words of one character that stand anywhere in an utterance.
const CARRIERS: [&str; 8] = ["的", "了", "我", "把", "给", "要", "吧", "就"];

/// The words of days of which one character may be misheard.
const DAYS: [&str; 30] = [
    "今天", "明天", "后天", "昨天", "前天", "今晚", "明晚", "昨晚", "早上", "上午", "中午", "下午", "晚上", "周末",
    "周一", "周二", "周三", "周四", "周五", "周六", "周日", "星期", "礼拜", "现在", "今年", "明年", "去年", "明早",
    "今早", "下周",
];

impl Lattice<'_> {
    /// The units that no word of several characters holds: only they may be misheard.
    pub(super) fn loose(&self) -> Vec<bool> {
        let mut loose: Vec<bool> = (0..self.len)
            .map(|at| self.text.kind(at) == Some(UnitKind::Han))
            .collect();
        for edge in self.edges.iter().flatten() {
            if edge.end - edge.start > 1 && edge.mends.is_empty() {
                for place in loose.iter_mut().take(edge.end).skip(edge.start) {
                    *place = false;
                }
            }
        }
        loose
    }

    /// Words that some stretch only sounds like: 座以加热; and what each loose unit may be.
    pub(super) fn add_sounds(&mut self, lexicon: &Lexicon, loose: &[bool]) -> Vec<Ear> {
        let heard = sound(self.text, 0..self.len);
        self.add_heard_words(lexicon, &heard);
        let ears: Vec<Ear> = heard
            .iter()
            .zip(loose)
            .enumerate()
            .map(|(at, (heard, loose))| {
                let mut ear = Ear::default();
                if *loose {
                    ear.near = lexicon.sounding.characters(heard);
                }
                if self.directs(lexicon, at) {
                    ear.near.iter_mut().for_each(|(_, cost)| *cost += DIRECTING);
                }
                ear
            })
            .collect();
        self.add_heard_carriers(lexicon, &ears);
        self.add_heard_numbers(lexicon, &heard, loose);
        self.add_heard_units(lexicon, &ears);
        ears
    }

    /// Whether a unit alone says more or less: 亮.
    fn directs(&self, lexicon: &Lexicon, at: usize) -> bool {
        let directs = |meaning: &Use| matches!(meaning, Use::Class(Class::Up | Class::Down));
        self.words_at(at)
            .any(|(word, end)| end == at + 1 && lexicon.uses(word).iter().any(directs))
    }

    fn add_heard_words(&mut self, lexicon: &Lexicon, heard: &[SyllableSet]) {
        let mut found = Vec::new();
        for word in lexicon.sounding.words(heard) {
            let length = word.units.len();
            let end = word.start + length;
            let units = word.units.iter().enumerate();
            let written = units
                .filter(|(offset, unit)| self.text.word(word.start + offset) == *unit)
                .count();
            let most = match (length, written) {
                (2, 0) => 0.12,
                (2, _) => 0.25,
                _ => 0.1 * length as f32,
            };
            let known = self
                .at(word.start)
                .iter()
                .any(|edge| edge.end >= end && edge.mends.is_empty());
            if written < length && !known && word.cost <= most {
                found.push(Edge {
                    start: word.start,
                    end,
                    cost: 0.3 + word.cost,
                    plural: false,
                    mends: mends(self.text, word.start, word.units.iter().map(String::as_str)),
                    reading: Reading::Word(word.word),
                });
            }
        }
        for edge in found {
            self.push(edge);
        }
    }

    /// 得 for 的: a carrier word of one character by the same sound.
    fn add_heard_carriers(&mut self, lexicon: &Lexicon, ears: &[Ear]) {
        let silent = |at: Option<usize>| at.and_then(|at| ears.get(at)).is_none_or(|ear| ear.near.is_empty());
        for (at, ear) in ears.iter().enumerate() {
            // Several such units in a row are rather a name.
            let alone = silent(at.checked_sub(1)) && silent(Some(at + 1));
            if self.is_light(lexicon, at) || !alone {
                continue;
            }
            let carrier = CARRIERS.iter().find_map(|carrier| {
                let symbol = lexicon.symbol(carrier)?;
                let same = ear.near.iter().any(|(near, cost)| *near == symbol && *cost < 0.01);
                lexicon
                    .step(0, symbol)
                    .and_then(|node| lexicon.word_at(node))
                    .filter(|_| same)
            });
            if let Some(word) = carrier {
                self.push(Edge {
                    start: at,
                    end: at + 1,
                    cost: HEARD_CARRIER,
                    plural: false,
                    mends: Vec::new(),
                    reading: Reading::Word(word),
                });
            }
        }
    }

    /// Numbers and days with a misheard character: 二思度, 名天.
    fn add_heard_numbers(&mut self, lexicon: &Lexicon, heard: &[SyllableSet], loose: &[bool]) {
        let mut said: Vec<String> = (0..self.len).map(|at| self.text.word(at).to_owned()).collect();
        let mut mended = vec![false; self.len];
        for at in 0..self.len {
            if !loose.get(at).copied().unwrap_or_default() || self.is_light(lexicon, at) {
                continue;
            }
            let Some(meant) = heard
                .get(at)
                .and_then(|heard| self.day(heard, at).or_else(|| self.numeral(lexicon, heard, at)))
            else {
                continue;
            };
            if let (Some(unit), Some(mark)) = (said.get_mut(at), mended.get_mut(at)) {
                meant.clone_into(unit);
                *mark = true;
            }
        }
        if !mended.contains(&true) {
            return;
        }
        let text = self.respelled(&said);
        if text.len() < self.len {
            return;
        }
        self.add_numbers_of(lexicon, &text, &mended, &said);
        self.add_dates_of(&text, &mended, &said);
    }

    /// Numbers whose unit of one character is misheard: 二十二渡.
    fn add_heard_units(&mut self, lexicon: &Lexicon, ears: &[Ear]) {
        let mut found = Vec::new();
        for edge in self.edges.iter().flatten() {
            let Reading::Number { number, unit: None } = &edge.reading else {
                continue;
            };
            let Some(ear) = ears.get(edge.end).filter(|_| self.at(edge.end).is_empty()) else {
                continue;
            };
            let same = ear.near.iter().filter(|(_, cost)| *cost < 0.01);
            for (symbol, _) in same {
                let word = lexicon.step(0, *symbol).and_then(|node| lexicon.word_at(node));
                let is_unit = |word: &usize| {
                    lexicon
                        .uses(*word)
                        .iter()
                        .any(|meaning| matches!(meaning, Use::Unit { .. }))
                };
                if let Some(word) = word.filter(is_unit) {
                    found.push((edge.clone(), number.clone(), word, lexicon.spelled(*symbol).to_owned()));
                }
            }
        }
        for (edge, number, word, said) in found {
            let mend = Mend { at: edge.end, said };
            self.push(Edge {
                end: edge.end + 1,
                cost: edge.cost + SLIP,
                mends: [edge.mends, vec![mend]].concat(),
                reading: Reading::Number {
                    number,
                    unit: Some(word),
                },
                ..edge
            });
        }
    }

    /// The utterance with other characters at some places, unit by unit.
    fn respelled(&self, said: &[String]) -> Text {
        let mut source = String::new();
        for (at, unit) in said.iter().enumerate() {
            let gap = if at > 0 && self.text.gap_before(at) != incar_text::Gap::None {
                " "
            } else {
                ""
            };
            source.push_str(gap);
            source.push_str(unit);
        }
        Text::new(&source)
    }

    /// The character of a day's word that a unit stands for, its neighbour written right.
    fn day(&self, heard: &SyllableSet, at: usize) -> Option<&'static str> {
        DAYS.iter().find_map(|word| {
            let (first, second) = word.split_at_checked(3)?;
            let next = self.text.word(at + 1) == second;
            let before = at > 0 && self.text.word(at - 1) == first;
            let sounds = |unit: &str| heard.cost(&SyllableSet::of_word(unit)).is_some_and(|cost| cost < 0.01);
            match (next && sounds(first), before && sounds(second)) {
                (true, _) => Some(first),
                (_, true) => Some(second),
                _ => None,
            }
        })
    }

    /// The numeral that a unit stands for beside another one, or before a unit of measure.
    fn numeral(&self, lexicon: &Lexicon, heard: &SyllableSet, at: usize) -> Option<&'static str> {
        let is_numeral = |at: usize| NUMERALS.contains(&self.text.word(at));
        let beside =
            at > 0 && is_numeral(at - 1) || is_numeral(at + 1) || self.units_at(lexicon, at + 1).next().is_some();
        if !beside || is_numeral(at) {
            return None;
        }
        let near = NUMERALS.iter().filter_map(|numeral| {
            let cost = heard
                .cost(&SyllableSet::of_word(numeral))
                .filter(|cost| *cost <= NEAR_NUMERAL)?;
            Some((cost, *numeral))
        });
        near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, numeral)| numeral)
    }

    fn add_numbers_of(&mut self, lexicon: &Lexicon, text: &Text, mended: &[bool], said: &[String]) {
        let mut found = Vec::new();
        for start in 0..self.len {
            let Some((number, units)) = number_at(text, start) else {
                continue;
            };
            let end = start + units;
            let slips = mended
                .get(start..end)
                .map_or(0, |marks| marks.iter().filter(|mark| **mark).count());
            // What was misheard is within the number, not its tail left over.
            let cut = end < self.len && mended.get(end).copied().unwrap_or_default();
            if slips == 0 || cut {
                continue;
            }
            let cost = SLIP * slips as f32;
            found.push((start, end, cost, number.clone(), None));
            for (word, end) in self.units_at(lexicon, end) {
                found.push((start, end, cost, number.clone(), Some(word)));
            }
        }
        for (start, end, cost, number, unit) in found {
            if end <= self.len {
                self.push(Edge {
                    start,
                    end,
                    cost,
                    plural: false,
                    mends: mends(
                        self.text,
                        start,
                        said.iter().map(String::as_str).skip(start).take(end - start),
                    ),
                    reading: Reading::Number { number, unit },
                });
            }
        }
    }

    fn add_dates_of(&mut self, text: &Text, mended: &[bool], said: &[String]) {
        // Only how far a date reaches is wanted here, so any day will do as today.
        let today = jiff::civil::date(2000, 1, 1).at(12, 0, 0, 0);
        for start in 0..self.len {
            let Some((_, units)) = date_at(text, start, today) else {
                continue;
            };
            let end = start + units;
            let slips = mended
                .get(start..end)
                .map_or(0, |marks| marks.iter().filter(|mark| **mark).count());
            if slips > 0 && end <= self.len {
                self.push(Edge {
                    start,
                    end,
                    cost: SLIP * slips as f32,
                    plural: false,
                    mends: mends(
                        self.text,
                        start,
                        said.iter().map(String::as_str).skip(start).take(units),
                    ),
                    reading: Reading::Date,
                });
            }
        }
    }
}

/// The units from `start` on that are not what was said.
fn mends<'a>(text: &Text, start: usize, said: impl Iterator<Item = &'a str>) -> Vec<Mend> {
    let misheard = said
        .enumerate()
        .filter(|(offset, said)| text.word(start + offset) != *said);
    misheard
        .map(|(offset, said)| Mend {
            at: start + offset,
            said: said.to_owned(),
        })
        .collect()
}
