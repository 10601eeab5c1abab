//! All readings of an utterance's spans: words, numbers, days and phrases.

mod names;
mod numbers;
mod price;
mod sounds;

use crate::generic::{Class, Place};
use crate::lexicon::{Lexicon, Use};
use crate::phrases::{Finder, Kind};
use crate::symbols::{stem, stems};
use incar_text::{Gap, Number, Text, UnitKind};
pub(crate) use sounds::{Ear, SLIP};
use std::ops::Range;

/// The longest utterance that is parsed, in units; nobody commands a car in more.
pub(crate) const LONGEST: usize = 120;

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

/// A unit that was misheard, and what was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Mend {
    pub(crate) at: usize,
    pub(crate) said: String,
}

/// A span with a reading and its price.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Edge {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) cost: f32,
    /// Whether it ends in a plural.
    pub(crate) plural: bool,
    /// Where it only sounds like what it is read as: what stands for which unit.
    pub(crate) mends: Vec<Mend>,
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
    /// Which units are part of what carries free text, or as telling.
    carriers: Vec<bool>,
    /// What it costs to leave each unit out.
    pub(crate) skip: Vec<f32>,
    /// What it costs to read the units before each place as free text.
    free: Vec<f32>,
    /// Which places lie within a verb of several characters.
    verbs: Vec<bool>,
    /// How many steps the search for phrases took.
    pub(crate) steps: usize,
}

/// Whether words may be misheard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hearing {
    /// What is written is what was said.
    AsWritten,
    /// A recogniser may have written another character of the same or a near sound.
    BySound,
}

impl<'a> Lattice<'a> {
    /// Reads `text` with the words of `lexicon`; `about`: the tool that the conversation is about.
    pub(crate) fn new(lexicon: &Lexicon, text: &'a Text, about: Option<usize>, hearing: Hearing) -> Self {
        let len = text.len().min(LONGEST);
        let symbols: Vec<Option<u32>> = stems(text).take(len).map(|stem| lexicon.symbol(stem)).collect();
        let mut lattice = Self {
            text,
            len,
            edges: vec![Vec::new(); len],
            carriers: vec![false; len],
            skip: vec![0.0; len],
            free: vec![0.0; len + 1],
            verbs: vec![false; len],
            steps: 0,
        };
        lattice.add_words(lexicon, &symbols);
        lattice.add_numbers(lexicon);
        lattice.add_dates();
        lattice.add_targets(lexicon);
        lattice.keep_names_whole(lexicon);
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
        let (loose, ears) = match hearing {
            Hearing::BySound => {
                let loose = lattice.loose();
                let ears = lattice.add_sounds(lexicon, &loose);
                (loose, ears)
            }
            Hearing::AsWritten => (Vec::new(), Vec::new()),
        };
        if loose.contains(&true) {
            let Finder { found, steps, .. } = Finder::new(lexicon, &lattice, &symbols, Kind::Idioms)
                .listening(&ears)
                .find(None);
            lattice.steps += steps;
            for edge in found {
                lattice.push(edge);
            }
        }
        let Finder { found, steps, .. } = Finder::new(lexicon, &lattice, &symbols, Kind::Carriers)
            .listening(&ears)
            .find(about);
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
                        mends: Vec::new(),
                        reading: Reading::Word(word),
                    });
                }
            }
        }
    }

    /// Drops what would be read within a name: 成 and 都 of 成都. What reaches across its ends shows that it is none here, as
    /// 打开 does in 打开封面.
    fn keep_names_whole(&mut self, lexicon: &Lexicon) {
        let names: Vec<Range<usize>> = self
            .edges
            .iter()
            .flatten()
            .filter(|edge| match edge.reading {
                Reading::Word(word) => lexicon.uses(word).contains(&Use::Class(Class::Name)),
                _ => false,
            })
            .map(|edge| edge.start..edge.end)
            .collect();
        for name in names {
            let across = |edge: &Edge| {
                edge.start < name.start && name.start < edge.end && edge.end < name.end
                    || name.start < edge.start && edge.start < name.end && name.end < edge.end
            };
            if self.edges.iter().flatten().any(across) {
                continue;
            }
            for edges in self.edges.iter_mut().take(name.end).skip(name.start) {
                edges.retain(|edge| edge.end > name.end || edge.end - edge.start == name.len());
            }
        }
    }

    fn mark_verbs(&mut self, lexicon: &Lexicon) {
        let verb = |meaning: &Use| matches!(meaning, Use::Class(Class::Open | Class::Close));
        let whole = |meaning: &Use| matches!(meaning, Use::Class(Class::Unable) | Use::Place(_));
        let mut within = Vec::new();
        for edge in self.edges.iter().flatten() {
            if let Reading::Word(word) = edge.reading
                && edge.end - edge.start == 2
                && lexicon.uses(word).iter().any(verb)
            {
                within.push(edge.start + 1);
            }
            if let Reading::Word(word) = edge.reading
                && lexicon.uses(word).iter().any(whole)
            {
                within.extend(edge.start + 1..edge.end);
            }
        }
        for at in within {
            if let Some(mark) = self.verbs.get_mut(at) {
                *mark = true;
            }
        }
    }

    /// The words that start at a unit, with their ends.
    pub(crate) fn words_at(&self, start: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.at(start).iter().filter_map(|edge| match edge.reading {
            Reading::Word(word) => Some((word, edge.end)),
            _ => None,
        })
    }

    /// Whether a place lies within a Chinese word of two characters that says on or off, or within one that says where, or what cannot be
    /// done.
    pub(crate) fn splits_a_word(&self, at: usize) -> bool {
        at > 0
            && at < self.len
            && self.text.kind(at) == Some(UnitKind::Han)
            && self.verbs.get(at).copied().unwrap_or_default()
    }

    /// Whether a unit is part of what carries free text, or as telling.
    pub(crate) fn carries(&self, at: usize) -> bool {
        self.carriers.get(at).copied().unwrap_or_default()
    }

    /// Whether a place lies inside a number that begins in the range before it: 第|一个.
    pub(crate) fn splits_number(&self, range: &Range<usize>) -> bool {
        let over = |edge: &Edge| edge.end > range.end && matches!(edge.reading, Reading::Number { .. });
        range.clone().any(|at| self.at(at).iter().any(over))
    }

    /// Whether some word is typical of what no car does, and no tool here handles it.
    pub(crate) fn is_alien(&self, lexicon: &Lexicon) -> bool {
        let alien = |edge: &Edge| match edge.reading {
            Reading::Word(word) => {
                let uses = lexicon.uses(word);
                let handled = |meaning: &Use| matches!(meaning, Use::Topic { .. } | Use::Value { .. });
                edge.mends.is_empty() && uses.contains(&Use::Class(Class::Alien)) && !uses.iter().any(handled)
            }
            _ => false,
        };
        self.edges.iter().flatten().any(alien)
    }

    /// Whether a unit alone is a carrier word or says how the utterance is meant.
    pub(crate) fn is_light(&self, lexicon: &Lexicon, at: usize) -> bool {
        let light = |meaning: &Use| matches!(meaning, Use::Class(class) if *class != Class::Name);
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

    /// Whether the utterance ends by asking whether something has come about: 了吗, 了没.
    pub(crate) fn asks_whether_done(&self) -> bool {
        let word = |back: usize| self.len.checked_sub(back).map_or("", |at| self.text.word(at));
        match word(1) {
            "吗" | "没" | "么" => matches!(word(2), "了" | "着"),
            "有" => word(2) == "没" && matches!(word(3), "了" | "着"),
            _ => false,
        }
    }

    /// What it costs to read a range as free text.
    pub(crate) fn free_cost(&self, range: &Range<usize>) -> f32 {
        let at = |index: usize| self.free.get(index).copied().unwrap_or_default();
        at(range.end) - at(range.start)
    }

    /// The words of a range with what was misheard put right.
    pub(crate) fn retold(&self, range: &Range<usize>, mends: &[Mend]) -> String {
        let mut told = String::new();
        let mut from = range.start;
        for at in range.clone() {
            if let Some(mend) = mends.iter().find(|mend| mend.at == at) {
                told.push_str(self.text.original(from..at));
                told.push_str(&mend.said);
                from = at + 1;
            }
        }
        told.push_str(self.text.original(from..range.end));
        told.trim().to_owned()
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
