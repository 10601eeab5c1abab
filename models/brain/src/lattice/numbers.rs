//! Numbers with their units, and days.

use super::{Edge, Lattice, Reading};
use crate::generic::Class;
use crate::lexicon::{Lexicon, Use};
use incar_text::{Number, NumberKind, UnitKind, date_at, half_at, number_at};

/// So many words may stand between "the" and the "one" that it points to.
const POINTED: usize = 4;

impl Lattice<'_> {
    pub(super) fn units_at<'l>(
        &'l self,
        lexicon: &'l Lexicon,
        start: usize,
    ) -> impl Iterator<Item = (usize, usize)> + 'l {
        let is_unit = |word: usize| {
            lexicon
                .uses(word)
                .iter()
                .any(|meaning| matches!(meaning, Use::Unit { .. }))
        };
        self.words_at(start).filter(move |(word, _)| is_unit(*word))
    }

    pub(super) fn add_numbers(&mut self, lexicon: &Lexicon) {
        self.add_pointed(lexicon);
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
                    mends: Vec::new(),
                    reading: Reading::Number { number, unit },
                });
            }
        }
    }

    fn number(&self, at: usize) -> Option<(Number, usize)> {
        if at >= self.len {
            return None;
        }
        let number = number_at(self.text, at).or_else(|| half_at(self.text, at));
        number.filter(|(_, units)| *units > 1 || self.pointer(at).is_none())
    }

    /// Where the "the" stands that makes a "one" no number: "the rear left one", "the one behind me".
    fn pointer(&self, at: usize) -> Option<usize> {
        if self.text.word(at) != "one" {
            return None;
        }
        let mut before = (at.saturating_sub(POINTED)..at).rev();
        before
            .find_map(|at| match self.text.word(at) {
                "the" | "that" | "this" | "other" => Some(Some(at)),
                "to" | "at" | "by" | "level" | "number" | "volume" | "speed" | "channel" => Some(None),
                _ => None,
            })
            .flatten()
    }

    /// A "one" that stands for a thing says as little as its "the".
    fn add_pointed(&mut self, lexicon: &Lexicon) {
        for at in 0..self.len {
            let Some(pointer) = self.pointer(at) else { continue };
            let glue = self
                .edges
                .get(pointer)
                .into_iter()
                .flatten()
                .find(|edge| match edge.reading {
                    Reading::Word(word) => {
                        edge.end == pointer + 1 && lexicon.uses(word).contains(&Use::Class(Class::Glue))
                    }
                    _ => false,
                });
            if let Some(glue) = glue.cloned() {
                self.push(Edge {
                    start: at,
                    end: at + 1,
                    ..glue
                });
            }
        }
    }

    pub(super) fn add_dates(&mut self) {
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
                        mends: Vec::new(),
                        reading: Reading::Date,
                    });
                    start += units;
                }
                _ => start += 1,
            }
        }
    }

    /// 开 and 打开 before a value say "set".
    pub(super) fn add_targets(&mut self, lexicon: &Lexicon) {
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
                mends: Vec::new(),
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
}
