//! All readings of an utterance's spans: words, numbers, days and phrases.

use crate::generic::{Class, Place};
use crate::lexicon::{Lexicon, Use};
use crate::symbols::stems;
use incar_core::words::ValueKind;
use incar_text::{Gap, Number, NumberKind, Text, UnitKind, date_at, half_at, number_at};
use std::ops::Range;

/// The longest utterance that is parsed, in units; nobody commands a car in more.
pub(crate) const LONGEST: usize = 120;
/// The longest free text, in units.
const LONGEST_TEXT: usize = 24;
/// The most phrase steps that are tried in one utterance.
const MOST_STEPS: usize = 40_000;
/// The most phrases that are found in one utterance.
const MOST_PHRASES: usize = 1_500;

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
    /// A whole phrase.
    Phrase {
        entry: usize,
        captures: Vec<(usize, Capture)>,
    },
}

/// What a phrase's place took.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Capture {
    /// Free text.
    Text(Range<usize>),
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
            steps: 0,
        };
        lattice.add_words(lexicon, &symbols);
        lattice.add_numbers(lexicon);
        lattice.add_dates();
        lattice.price(lexicon);
        lattice.add_targets(lexicon);
        let phrases = Finder {
            lexicon,
            lattice: &lattice,
            symbols: &symbols,
            steps: 0,
            found: Vec::new(),
            start: 0,
            whole: false,
        }
        .find(about);
        lattice.steps = phrases.1;
        for edge in phrases.0 {
            lattice.push(edge);
        }
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
                    self.push(Edge {
                        start,
                        end: end + 1,
                        cost: 0.0,
                        reading: Reading::Word(word),
                    });
                }
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
    fn price(&mut self, lexicon: &Lexicon) {
        let mut strong = vec![0.0f32; self.len];
        for edge in self.edges.iter().flatten() {
            let Reading::Word(word) = edge.reading else { continue };
            let length = edge.end - edge.start;
            let weight = lexicon
                .uses(word)
                .iter()
                .map(|meaning| weight(meaning, length))
                .fold(0.0, f32::max);
            for place in strong.iter_mut().take(edge.end).skip(edge.start) {
                *place = place.max(weight);
            }
        }
        let mut total = 0.0;
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
            total += 0.09 + 0.36 * strength + if index > 0 { pause } else { 0.0 };
            if let Some(free) = self.free.get_mut(index + 1) {
                *free = total;
            }
        }
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
            Class::Up | Class::Down | Class::Max | Class::Min if length > 1 => 0.5,
            _ => 0.0,
        },
    }
}

/// The search for phrases.
struct Finder<'l, 'a> {
    lexicon: &'l Lexicon,
    lattice: &'l Lattice<'a>,
    symbols: &'l [Option<u32>],
    steps: usize,
    found: Vec<Edge>,
    start: usize,
    /// Whether a phrase counts only if it takes all that is said.
    whole: bool,
}

/// Where the search stands.
#[derive(Clone)]
struct Spot {
    node: u32,
    at: usize,
    cost: f32,
    captures: Vec<(usize, Capture)>,
}

impl Finder<'_, '_> {
    fn find(mut self, about: Option<usize>) -> (Vec<Edge>, usize) {
        if let Some(tool) = about.and_then(|tool| self.lexicon.tools.get(tool)) {
            self.whole = true;
            self.walk(&Spot {
                node: tool.elliptical,
                at: 0,
                cost: 0.0,
                captures: Vec::new(),
            });
            self.whole = false;
        }
        for start in 0..self.lattice.len {
            self.start = start;
            self.walk(&Spot {
                node: 0,
                at: start,
                cost: 0.0,
                captures: Vec::new(),
            });
        }
        (self.found, self.steps)
    }

    /// Whether a phrase that begins with free text may begin here: only where an utterance or a
    /// part of it does.
    fn may_lead(&self, at: usize) -> bool {
        at == 0 || self.lattice.text.gap_before(at) >= Gap::Comma || {
            let ends_here = |start: usize| {
                self.lattice.at(start).iter().any(|edge| match edge.reading {
                    Reading::Date => edge.end == at,
                    Reading::Word(word) => edge.end == at && self.light(word),
                    _ => false,
                })
            };
            (at.saturating_sub(3)..at).any(ends_here)
        }
    }

    /// Whether nothing but carrier words follows.
    fn rest_is_light(&self, mut at: usize) -> bool {
        while at < self.lattice.len {
            let light = |edge: &&Edge| matches!(edge.reading, Reading::Word(word) if self.light(word));
            match self.lattice.at(at).iter().filter(light).map(|edge| edge.end).max() {
                Some(end) => at = end,
                None => return false,
            }
        }
        true
    }

    fn light(&self, word: usize) -> bool {
        let light = |meaning: &Use| matches!(meaning, Use::Class(Class::Glue | Class::Filler | Class::Join));
        self.lexicon.uses(word).iter().any(light)
    }

    fn walk(&mut self, place: &Spot) {
        self.steps += 1;
        if self.steps > MOST_STEPS || self.found.len() > MOST_PHRASES {
            return;
        }
        let Some(node) = self.lexicon.phrases.get(place.node as usize) else {
            return;
        };
        if place.at > self.start && (!self.whole || self.rest_is_light(place.at)) {
            for entry in &node.ends {
                let doubt = self.lexicon.entries.get(*entry).map_or(0.0, |entry| entry.doubt);
                self.found.push(Edge {
                    start: self.start,
                    end: place.at,
                    cost: place.cost + doubt,
                    reading: Reading::Phrase {
                        entry: *entry,
                        captures: place.captures.clone(),
                    },
                });
            }
        }
        if place.at >= self.lattice.len {
            return;
        }
        let broken = place.at > self.start && self.lattice.text.gap_before(place.at) >= Gap::Stop;
        if broken {
            return;
        }
        if let Some(next) = self
            .symbols
            .get(place.at)
            .copied()
            .flatten()
            .and_then(|symbol| node.units.get(&symbol))
        {
            self.walk(&Spot {
                node: *next,
                at: place.at + 1,
                ..place.clone()
            });
        }
        for edge in self.lattice.at(place.at) {
            let Reading::Word(word) = edge.reading else { continue };
            for meaning in self.lexicon.uses(word) {
                let next = match meaning {
                    Use::Class(class) => node
                        .classes
                        .iter()
                        .find(|(other, _)| other == class)
                        .map(|(_, next)| *next),
                    Use::Place(position) => node
                        .places
                        .iter()
                        .find(|(other, _)| other == position)
                        .map(|(_, next)| *next),
                    Use::List(list) => node
                        .lists
                        .iter()
                        .find(|(other, _)| other == list)
                        .map(|(_, next)| *next),
                    _ => None,
                };
                if let Some(next) = next {
                    self.walk(&Spot {
                        node: next,
                        at: edge.end,
                        ..place.clone()
                    });
                }
                // A carrier word may stand between any two parts of a phrase.
                if matches!(meaning, Use::Class(Class::Glue | Class::Filler))
                    && (place.node != 0 && (place.at > self.start || self.whole))
                {
                    self.walk(&Spot {
                        at: edge.end,
                        cost: place.cost + 0.06,
                        ..place.clone()
                    });
                }
            }
        }
        for (tool, argument, next) in &node.slots {
            if place.node == 0 && !self.whole && !self.may_lead(place.at) {
                continue;
            }
            self.fill(place, *tool, *argument, *next);
        }
    }

    fn fill(&mut self, place: &Spot, tool: usize, argument: usize, next: u32) {
        let Some(entry) = self
            .lexicon
            .tools
            .get(tool)
            .and_then(|tool| tool.arguments.get(argument))
        else {
            return;
        };
        match entry.kind {
            ValueKind::Text | ValueKind::Name | ValueKind::Texts => {
                let last = (place.at + LONGEST_TEXT).min(self.lattice.len);
                for end in place.at + 1..=last {
                    if end - 1 > place.at && self.lattice.text.gap_before(end - 1) >= Gap::Stop {
                        break;
                    }
                    // Free text in the middle of a phrase ends where the phrase goes on.
                    if end < self.lattice.len && !self.goes_on(next, end) {
                        continue;
                    }
                    let range = self.lattice.trimmed(place.at..end);
                    if range.is_empty() {
                        continue;
                    }
                    let cost = place.cost + 0.1 + self.lattice.free_cost(&range);
                    self.capture(place, next, end, cost, (argument, Capture::Text(range)));
                }
            }
            ValueKind::Date => {
                for edge in self.lattice.at(place.at) {
                    if edge.reading == Reading::Date {
                        let capture = Capture::Text(edge.start..edge.end);
                        self.capture(place, next, edge.end, place.cost, (argument, capture));
                    }
                }
            }
            ValueKind::Number | ValueKind::Percent | ValueKind::Level | ValueKind::Seconds | ValueKind::Change => {
                for edge in self.lattice.at(place.at) {
                    let Reading::Number { number, unit } = &edge.reading else {
                        continue;
                    };
                    let fits = unit.is_none_or(|unit| self.lexicon.uses(unit).contains(&Use::Unit { tool, argument }));
                    if fits {
                        let capture = Capture::Number(number.clone(), *unit);
                        self.capture(place, next, edge.end, place.cost, (argument, capture));
                    }
                }
            }
            ValueKind::Position | ValueKind::Word => {
                for edge in self.lattice.at(place.at) {
                    let Reading::Word(word) = edge.reading else { continue };
                    for meaning in self.lexicon.uses(word) {
                        let capture = match meaning {
                            Use::Place(position) if entry.kind == ValueKind::Position => Capture::Place(*position),
                            Use::Value {
                                tool: t,
                                argument: a,
                                value,
                            } if *t == tool && *a == argument => Capture::Value(*value),
                            _ => continue,
                        };
                        self.capture(place, next, edge.end, place.cost, (argument, capture));
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether a phrase at `node` ends, or can go on at a unit.
    fn goes_on(&self, node: u32, at: usize) -> bool {
        let Some(node) = self.lexicon.phrases.get(node as usize) else {
            return false;
        };
        let unit = self.symbols.get(at).copied().flatten();
        !node.ends.is_empty()
            || !node.slots.is_empty()
            || unit.is_some_and(|symbol| node.units.contains_key(&symbol))
            || !node.classes.is_empty()
            || !node.places.is_empty()
            || !node.lists.is_empty()
    }

    fn capture(&mut self, place: &Spot, next: u32, end: usize, cost: f32, capture: (usize, Capture)) {
        let mut captures = place.captures.clone();
        captures.push(capture);
        self.walk(&Spot {
            node: next,
            at: end,
            cost,
            captures,
        });
    }
}
