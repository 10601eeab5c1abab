//! All readings of an utterance's spans: words, numbers, days and phrases.

use crate::generic::{Class, Place};
use crate::lexicon::{Lexicon, Use};
use crate::phrases::{Finder, Kind};
use crate::symbols::{stem, stems};
use incar_core::words::ValueKind;
use incar_text::{Gap, Number, NumberKind, Text, UnitKind, date_at, half_at, number_at, sound};
use std::ops::Range;

/// The longest utterance that is parsed, in units; nobody commands a car in more.
pub(crate) const LONGEST: usize = 120;
/// The longest name beside a topic, in units.
const LONGEST_NAME: usize = 10;

/// What a span reads as.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reading {
    /// A word of the lexicon.
    Word(usize),
    /// A word that says "set" before a value: 开 in 开二十度.
    Target,
    /// A number, with the unit word around it.
    Number { number: Number, unit: Option<usize> },
    /// A day or a time.
    Date,
    /// Words of no other meaning beside a tool's topic: a name for that argument.
    Bare { tool: usize, argument: usize },
    /// A whole phrase.
    Phrase {
        entry: usize,
        captures: Vec<(usize, Capture)>,
        /// How many units beside its free text tell it from any other words.
        telling: usize,
    },
}

/// What a phrase's place took.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Capture {
    /// Free text.
    Text(Range<usize>),
    /// The digits of a number, or a sum as it was said.
    Figures(String),
    /// A number with its unit.
    Number(Number, Option<usize>),
    /// A place in the car.
    Place(Place),
    /// One of the argument's values.
    Value(usize),
}

/// A span with a reading and its price.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Edge {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) cost: f32,
    /// Whether it ends in a plural.
    pub(crate) plural: bool,
    /// Whether it only sounds like what it is read as.
    pub(crate) sounds: bool,
    pub(crate) reading: Reading,
}

/// All edges of an utterance.
#[derive(Debug)]
pub(crate) struct Lattice<'a> {
    pub(crate) text: &'a Text,
    /// How many units are read.
    pub(crate) len: usize,
    /// The edges, by where they start.
    pub(crate) edges: Vec<Vec<Edge>>,
    /// What it costs to leave each unit out.
    pub(crate) skip: Vec<f32>,
    /// What it costs to read the units before each place as free text.
    free: Vec<f32>,
    /// Which places lie within a verb of several characters.
    verbs: Vec<bool>,
    /// How many steps the search for phrases took.
    pub(crate) steps: usize,
}

impl<'a> Lattice<'a> {
    /// Reads `text` with the words of `lexicon`; `about`: the tool that the conversation is about.
    pub(crate) fn new(lexicon: &Lexicon, text: &'a Text, about: Option<usize>) -> Self {
        let len = text.len().min(LONGEST);
        let symbols: Vec<Option<u32>> = stems(text).take(len).map(|stem| lexicon.symbol(stem)).collect();
        let mut lattice = Self {
            text,
            len,
            edges: vec![Vec::new(); len],
            skip: vec![0.0; len],
            free: vec![0.0; len + 1],
            verbs: vec![false; len],
            steps: 0,
        };
        lattice.add_words(lexicon, &symbols);
        lattice.add_numbers(lexicon);
        lattice.add_dates();
        lattice.add_targets(lexicon);
        lattice.mark_verbs(lexicon);
        // Phrases without free text first: what they cover is no free text of the others.
        let Finder {
            found,
            steps,
            carriers: mut strong,
            ..
        } = Finder::new(lexicon, &lattice, &symbols, Kind::Idioms).find(None);
        for edge in &found {
            for place in strong.iter_mut().take(edge.end).skip(edge.start) {
                *place = place.max(if edge.end - edge.start > 1 { 0.8 } else { 0.3 });
            }
        }
        lattice.steps = steps;
        for edge in found {
            lattice.push(edge);
        }
        lattice.price(lexicon, strong);
        lattice.add_sounds(lexicon);
        let Finder { found, steps, .. } = Finder::new(lexicon, &lattice, &symbols, Kind::Carriers).find(about);
        lattice.steps += steps;
        for edge in found {
            lattice.push(edge);
        }
        lattice.add_names(lexicon);
        lattice
    }

    /// The edges that start at a unit.
    pub(crate) fn at(&self, start: usize) -> &[Edge] {
        self.edges.get(start).map_or(&[], Vec::as_slice)
    }

    fn push(&mut self, edge: Edge) {
        if let Some(edges) = self.edges.get_mut(edge.start) {
            edges.push(edge);
        }
    }

    fn add_words(&mut self, lexicon: &Lexicon, symbols: &[Option<u32>]) {
        for start in 0..self.len {
            let mut node = 0;
            for (end, symbol) in symbols.iter().enumerate().skip(start) {
                let broken = end > start && self.text.gap_before(end) >= Gap::Comma;
                let next = symbol.filter(|_| !broken).and_then(|symbol| lexicon.step(node, symbol));
                let Some(next) = next else { break };
                node = next;
                if let Some(word) = lexicon.word_at(node) {
                    let last = self.text.word(end);
                    let plural = last.ends_with('s') && !last.ends_with("'s") && stem(UnitKind::Latin, last) != last;
                    self.push(Edge {
                        start,
                        end: end + 1,
                        cost: 0.0,
                        plural,
                        sounds: false,
                        reading: Reading::Word(word),
                    });
                }
            }
        }
    }

    /// Words that some stretch only sounds like: 座以加热.
    fn add_sounds(&mut self, lexicon: &Lexicon) {
        let heard = sound(self.text, 0..self.len);
        for found in lexicon.sounds.find(&heard) {
            let Some((word, letters)) = lexicon.sounding.get(found.word) else {
                continue;
            };
            let length = found.range.len();
            let most = if length == 2 { 0.12 } else { 0.1 * length as f32 };
            let written = (0..length).all(|at| {
                letters
                    .get(at)
                    .is_some_and(|unit| unit == self.text.word(found.range.start + at))
            });
            let known = self
                .at(found.range.start)
                .iter()
                .any(|edge| edge.end >= found.range.end && !edge.sounds);
            if written || known || found.cost > most {
                continue;
            }
            self.push(Edge {
                start: found.range.start,
                end: found.range.end,
                cost: 0.3 + found.cost,
                plural: false,
                sounds: true,
                reading: Reading::Word(*word),
            });
        }
    }

    fn mark_verbs(&mut self, lexicon: &Lexicon) {
        let verb = |meaning: &Use| matches!(meaning, Use::Class(Class::Open | Class::Close));
        let mut within = Vec::new();
        for edge in self.edges.iter().flatten() {
            if let Reading::Word(word) = edge.reading
                && edge.end - edge.start == 2
                && lexicon.uses(word).iter().any(verb)
            {
                within.push(edge.start + 1);
            }
        }
        for at in within {
            if let Some(mark) = self.verbs.get_mut(at) {
                *mark = true;
            }
        }
    }

    /// The words that start at a unit, with their ends.
    fn words_at(&self, start: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.at(start).iter().filter_map(|edge| match edge.reading {
            Reading::Word(word) => Some((word, edge.end)),
            _ => None,
        })
    }

    fn units_at<'l>(&'l self, lexicon: &'l Lexicon, start: usize) -> impl Iterator<Item = (usize, usize)> + 'l {
        let is_unit = |word: usize| {
            lexicon
                .uses(word)
                .iter()
                .any(|meaning| matches!(meaning, Use::Unit { .. }))
        };
        self.words_at(start).filter(move |(word, _)| is_unit(*word))
    }

    fn add_numbers(&mut self, lexicon: &Lexicon) {
        let mut found = Vec::new();
        for start in 0..self.len {
            // A unit may stand before its number: "level two".
            for (word, end) in self.units_at(lexicon, start) {
                if let Some((number, units)) = self.number(end)
                    && self.text.kind(start) == Some(UnitKind::Latin)
                {
                    found.push((start, end + units, number, Some(word)));
                }
            }
            let Some((number, units)) = self.number(start) else {
                continue;
            };
            let end = start + units;
            found.push((start, end, number.clone(), None));
            let after = if self.text.word(end) == "个" { end + 1 } else { end };
            for (word, end) in self.units_at(lexicon, after) {
                match half_at(self.text, end) {
                    Some((half, units)) if self.text.word(end) != "a" => {
                        let number = Number::new(number.value + half.value, NumberKind::Decimal);
                        found.push((start, end + units, number, Some(word)));
                    }
                    _ => found.push((start, end, number.clone(), Some(word))),
                }
            }
        }
        for (start, end, number, unit) in found {
            if end <= self.len {
                self.push(Edge {
                    start,
                    end,
                    cost: 0.0,
                    plural: false,
                    sounds: false,
                    reading: Reading::Number { number, unit },
                });
            }
        }
    }

    fn number(&self, at: usize) -> Option<(Number, usize)> {
        if at >= self.len {
            return None;
        }
        number_at(self.text, at).or_else(|| half_at(self.text, at))
    }

    fn add_dates(&mut self) {
        // Only how far a date reaches is wanted here, so any day will do as today.
        let today = jiff::civil::date(2000, 1, 1).at(12, 0, 0, 0);
        let mut start = 0;
        while start < self.len {
            match date_at(self.text, start, today) {
                Some((_, units)) if start + units <= self.len && units > 0 => {
                    self.push(Edge {
                        start,
                        end: start + units,
                        cost: 0.0,
                        plural: false,
                        sounds: false,
                        reading: Reading::Date,
                    });
                    start += units;
                }
                _ => start += 1,
            }
        }
    }

    /// What it costs to skip each unit, and to read it as free text: words that mean something
    /// cost more than words that do not.
    fn price(&mut self, lexicon: &Lexicon, mut strong: Vec<f32>) {
        for edge in self.edges.iter().flatten() {
            let Reading::Word(word) = edge.reading else { continue };
            let length = edge.end - edge.start;
            let uses = lexicon.uses(word);
            // What a tool here handles is nothing alien.
            let handled = uses
                .iter()
                .any(|meaning| matches!(meaning, Use::Topic { .. } | Use::Value { .. }));
            let counts = |meaning: &&Use| !(handled && matches!(meaning, Use::Class(Class::Alien)));
            let weight = uses
                .iter()
                .filter(counts)
                .map(|meaning| weight(meaning, length))
                .fold(0.0, f32::max);
            for place in strong.iter_mut().take(edge.end).skip(edge.start) {
                *place = place.max(weight);
            }
        }
        let mut total = 0.0;
        // "and text", 然后打电话给: what joins before a carrier is no part of a name.
        for edge in self.edges.iter().flatten() {
            let Reading::Word(word) = edge.reading else { continue };
            let carrier = strong.get(edge.end).is_some_and(|strength| *strength >= 0.6);
            if carrier && lexicon.uses(word).contains(&Use::Class(Class::Join)) {
                for place in strong.iter_mut().take(edge.end).skip(edge.start) {
                    *place = 2.0;
                }
            }
        }
        for index in 0..self.len {
            let strength = strong.get(index).copied().unwrap_or_default();
            let latin = self.text.kind(index) == Some(UnitKind::Latin);
            let base = if latin { 1.2 } else { 1.0 };
            if let Some(skip) = self.skip.get_mut(index) {
                *skip = base + 0.5 * strength;
            }
            let pause = match self.text.gap_before(index) {
                Gap::Comma => 0.4,
                Gap::Stop => 1.0,
                _ => 0.0,
            };
            total += 0.05 + 0.32 * strength + if index > 0 { pause } else { 0.0 };
            if let Some(free) = self.free.get_mut(index + 1) {
                *free = total;
            }
        }
    }

    /// Whether a place lies within a Chinese word of two characters that says on, off, more or less.
    pub(crate) fn splits_a_word(&self, at: usize) -> bool {
        at > 0
            && at < self.len
            && self.text.kind(at) == Some(UnitKind::Han)
            && self.verbs.get(at).copied().unwrap_or_default()
    }

    /// Names that stand bare beside a tool's topic: 上海 in 上海天气.
    fn add_names(&mut self, lexicon: &Lexicon) {
        let mut tools: Vec<(usize, usize)> = Vec::new();
        for edge in self.edges.iter().flatten() {
            let Reading::Word(word) = edge.reading else { continue };
            for meaning in lexicon.uses(word) {
                if let Use::Topic { tool, .. } = meaning
                    && let Some(argument) = lexicon
                        .tools
                        .get(*tool)
                        .and_then(|entry| entry.of_kind(ValueKind::Name))
                    && !tools.contains(&(*tool, argument))
                {
                    tools.push((*tool, argument));
                }
            }
        }
        if tools.is_empty() {
            return;
        }
        let plain = |lattice: &Self, at: usize| {
            lattice.skip.get(at).is_some_and(|skip| *skip < 1.25)
                && !lattice
                    .at(at)
                    .iter()
                    .any(|edge| matches!(edge.reading, Reading::Date | Reading::Number { .. }))
                && (lattice.text.word(at) == "的" || !lattice.is_light(lexicon, at))
        };
        for start in 0..self.len {
            let begins = start == 0 || self.ends_lightly(lexicon, start);
            if self.text.kind(start) != Some(UnitKind::Han) || self.is_light(lexicon, start) || !begins {
                continue;
            }
            let mut end = start;
            while end < self.len && end < start + LONGEST_NAME && plain(self, end) {
                end += 1;
                if end - start < 2 {
                    continue;
                }
                let range = start..end;
                let cost = 0.35 + self.free_cost(&range);
                for (tool, argument) in &tools {
                    self.push(Edge {
                        start,
                        end,
                        cost,
                        plural: false,
                        sounds: false,
                        reading: Reading::Bare {
                            tool: *tool,
                            argument: *argument,
                        },
                    });
                }
            }
        }
    }

    /// Whether a day or a carrier word ends before a unit.
    fn ends_lightly(&self, lexicon: &Lexicon, at: usize) -> bool {
        let carries = |meaning: &Use| {
            matches!(
                meaning,
                Use::Class(Class::Glue | Class::Filler | Class::Join | Class::Question)
            )
        };
        let ends = |edge: &Edge| match edge.reading {
            Reading::Date => edge.end == at,
            Reading::Word(word) => edge.end == at && lexicon.uses(word).iter().any(carries),
            _ => false,
        };
        (at.saturating_sub(6)..at).any(|start| self.at(start).iter().any(ends))
    }

    /// Whether a unit alone is a carrier word or says how the utterance is meant.
    pub(crate) fn is_light(&self, lexicon: &Lexicon, at: usize) -> bool {
        let light = |meaning: &Use| matches!(meaning, Use::Class(_));
        self.words_at(at).any(|(word, _)| lexicon.uses(word).iter().any(light))
    }

    /// Whether a question stands in a range or right beside it.
    pub(crate) fn asks_about(&self, lexicon: &Lexicon, range: &Range<usize>) -> bool {
        // 有 asks, but not within 所有.
        let is_place = |meaning: &Use| matches!(meaning, Use::Place(_));
        let within_place = |inner: &Edge| {
            let holds = |edge: &Edge| match edge.reading {
                Reading::Word(word) => {
                    edge.start <= inner.start
                        && edge.end >= inner.end
                        && edge.end - edge.start > inner.end - inner.start
                        && lexicon.uses(word).iter().any(is_place)
                }
                _ => false,
            };
            self.edges.iter().flatten().any(holds)
        };
        let asks = |edge: &Edge| match edge.reading {
            Reading::Word(word) => {
                edge.end >= range.start
                    && edge.start <= range.end
                    && lexicon.uses(word).contains(&Use::Class(Class::Question))
                    && !within_place(edge)
            }
            _ => false,
        };
        self.edges.iter().flatten().any(asks)
    }

    /// What it costs to read a range as free text.
    pub(crate) fn free_cost(&self, range: &Range<usize>) -> f32 {
        let at = |index: usize| self.free.get(index).copied().unwrap_or_default();
        at(range.end) - at(range.start)
    }

    /// 开 and 打开 before a value say "set".
    fn add_targets(&mut self, lexicon: &Lexicon) {
        let mut found = Vec::new();
        for edge in self.edges.iter().flatten() {
            let Reading::Word(word) = edge.reading else { continue };
            let opens = lexicon.uses(word).contains(&Use::Class(Class::Open));
            if opens && edge.end - edge.start == 1 && self.value_starts(lexicon, edge.end) {
                found.push((edge.start, edge.end));
            }
        }
        for (start, end) in found {
            self.push(Edge {
                start,
                end,
                cost: 0.02,
                plural: false,
                sounds: false,
                reading: Reading::Target,
            });
        }
    }

    fn value_starts(&self, lexicon: &Lexicon, at: usize) -> bool {
        let is_extreme = |word| {
            let uses = lexicon.uses(word);
            uses.contains(&Use::Class(Class::Max)) || uses.contains(&Use::Class(Class::Min))
        };
        self.at(at).iter().any(|edge| match edge.reading {
            Reading::Number { .. } => true,
            Reading::Word(word) => is_extreme(word),
            _ => false,
        })
    }

    /// A range without the carrier words at its ends.
    pub(crate) fn trimmed(&self, range: Range<usize>) -> Range<usize> {
        let Range { mut start, mut end } = range;
        while start < end && LEADING.contains(&self.text.word(start)) {
            start += 1;
        }
        while start < end {
            let last = self.text.word(end - 1);
            if TRAILING.contains(&last) {
                end -= 1;
            } else {
                break;
            }
        }
        start..end
    }
}

/// Carrier words that no free text begins with.
const LEADING: &[&str] = &["的", "吧", "了", "呢", "是", "一下", "下", "please", "to", "um", "uh"];
/// Carrier words that no free text ends with.
const TRAILING: &[&str] = &[
    "的", "吧", "呢", "啊", "呀", "呗", "嘛", "啦", "哦", "吗", "哈", "please", "now", "thanks",
];

/// How typical of some wish a word is, from 0 (filler) to 1.
fn weight(meaning: &Use, length: usize) -> f32 {
    match meaning {
        Use::Topic { .. } => 1.0,
        Use::Value { .. } => 0.6,
        Use::Unit { .. } | Use::List(_) => 0.0,
        Use::Place(_) => {
            if length > 1 {
                0.5
            } else {
                0.0
            }
        }
        Use::Class(class) => match class {
            Class::Open | Class::Close if length > 1 => 1.0,
            Class::To if length > 1 => 0.7,
            Class::Correct if length > 1 => 1.0,
            Class::Correct => 0.4,
            Class::Join if length > 1 => 0.7,
            Class::Join => 0.25,
            Class::By => 0.4,
            Class::Alien => 4.0,
            Class::Up | Class::Down | Class::Max | Class::Min if length > 1 => 0.5,
            _ => 0.0,
        },
    }
}
