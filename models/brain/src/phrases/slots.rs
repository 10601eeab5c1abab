//! What the places of a phrase take: free text, or a word, number or day that fits the argument.

use super::Finder;
use super::spot::{Captured, Misheard, Slipped, Spot};
use crate::generic::Class;
use crate::lattice::{Capture, Edge, Reading};
use crate::lexicon::{Limit, Slot, Use};
use incar_core::words::ValueKind;
use incar_text::{Gap, UnitKind, sum_at, sum_goes_on_at};
use std::ops::Range;

/// The longest free text, in units.
const LONGEST_TEXT: usize = 24;

/// The share of its price that free text costs where it is plainly told to somebody.
const TOLD: f32 = 0.3;

/// How free text must end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// In any way.
    Any,
    /// In the possessive: "Adele's".
    Possessive,
}

impl Finder<'_, '_> {
    pub(super) fn fill(&mut self, place: &Spot<'_>, slot: Slot, next: u32) {
        let Slot { tool, argument, limit } = slot;
        let arguments = self.lexicon.tools.get(tool).map(|tool| &tool.arguments);
        let Some(kind) = arguments
            .and_then(|arguments| arguments.get(argument))
            .map(|entry| entry.kind)
        else {
            return;
        };
        match (limit, kind) {
            (Limit::Owner, _) => self.fill_text(place, slot, next, Ending::Possessive),
            (Limit::Kind | Limit::Whole, ValueKind::Text | ValueKind::Name | ValueKind::Texts) => {
                self.fill_text(place, slot, next, Ending::Any);
            }
            (Limit::Sum, _) => self.fill_sum(place, slot, next, sum_at(self.lattice.text, place.at)),
            (Limit::MoreSum, _) => self.fill_sum(place, slot, next, sum_goes_on_at(self.lattice.text, place.at)),
            _ => {
                let lattice = self.lattice;
                for edge in lattice.at(place.at) {
                    for capture in self.fitting(slot, kind, edge) {
                        self.capture_edge(place, next, edge, (slot, capture));
                    }
                }
            }
        }
    }

    /// What a place takes of an edge: usually one reading, none where it does not fit.
    fn fitting(&self, slot: Slot, kind: ValueKind, edge: &Edge) -> Vec<Capture> {
        let Slot { tool, argument, limit } = slot;
        match (limit, kind, &edge.reading) {
            (Limit::List(list), _, Reading::Word(word)) => {
                let listed = self.lexicon.uses(*word).contains(&Use::List(list));
                listed
                    .then_some(Capture::Text(edge.start..edge.end))
                    .into_iter()
                    .collect()
            }
            (Limit::Number | Limit::Year, _, Reading::Number { number, unit: None }) => {
                let digits = number.spelled();
                let fits = match limit {
                    Limit::Year => digits.len() == 4 && (1900.0..2100.0).contains(&number.value),
                    _ => digits.len() >= 3,
                };
                fits.then_some(Capture::Figures(digits)).into_iter().collect()
            }
            (Limit::Kind, ValueKind::Date, Reading::Date) => vec![Capture::Text(edge.start..edge.end)],
            (
                Limit::Kind,
                ValueKind::Number | ValueKind::Percent | ValueKind::Level | ValueKind::Seconds | ValueKind::Change,
                Reading::Number { number, unit },
            ) => {
                let fits = match unit {
                    Some(unit) => self.lexicon.uses(*unit).contains(&Use::Unit { tool, argument }),
                    None => kind != ValueKind::Seconds,
                };
                fits.then(|| Capture::Number(number.clone(), *unit))
                    .into_iter()
                    .collect()
            }
            (Limit::Kind, ValueKind::Position | ValueKind::Word, Reading::Word(word)) => {
                let meanings = self.lexicon.uses(*word).iter();
                let capture = |meaning: &Use| match meaning {
                    Use::Place(position) if kind == ValueKind::Position => Some(Capture::Place(*position)),
                    Use::Value {
                        tool: of,
                        argument: to,
                        value,
                    } if *of == tool && *to == argument => Some(Capture::Value(*value)),
                    _ => None,
                };
                meanings.filter_map(capture).collect()
            }
            _ => Vec::new(),
        }
    }

    fn fill_sum(&mut self, place: &Spot<'_>, slot: Slot, next: u32, found: Option<(Range<usize>, usize)>) {
        let lattice = self.lattice;
        if let Some((bytes, units)) = found
            && let Some(sum) = lattice.text.source().get(bytes)
            && place.at + units <= lattice.len
        {
            let capture = Capture::Figures(sum.to_owned());
            self.capture(place, next, place.at + units, place.cost, (slot, capture));
        }
    }

    fn capture_edge(&mut self, place: &Spot<'_>, next: u32, edge: &Edge, taken: (Slot, Capture)) {
        let slipped = Slipped {
            heard: Misheard::Word(&edge.mends),
            before: place.slipped,
        };
        let heard = Spot {
            slips: place.slips + usize::from(!edge.mends.is_empty()),
            slipped: Some(&slipped),
            ..*place
        };
        self.capture(&heard, next, edge.end, place.cost + edge.cost, taken);
    }

    fn capture(&mut self, place: &Spot<'_>, next: u32, end: usize, cost: f32, taken: (Slot, Capture)) {
        let (slot, capture) = taken;
        let captured = Captured {
            slot,
            capture,
            before: place.captures,
        };
        self.walk(&Spot {
            node: next,
            at: end,
            cost,
            captures: Some(&captured),
            ..*place
        });
    }

    fn fill_text(&mut self, place: &Spot<'_>, slot: Slot, next: u32, ending: Ending) {
        let lattice = self.lattice;
        // 我跟他说了好几遍 tells of the past.
        if place.captures.is_some() && lattice.text.word(place.at) == "了" {
            return;
        }
        let last = (place.at + LONGEST_TEXT).min(lattice.len);
        // "Tell Alice I'm on my way": after whom to tell, a pronoun begins what to tell them, whatever it is.
        let told = place.captures.is_some() && PRONOUNS.contains(&lattice.text.word(place.at));
        let adjoins = self.leads_to_text(next);
        for end in place.at + 1..=last {
            if end - 1 > place.at && lattice.text.gap_before(end - 1) >= Gap::Stop {
                break;
            }
            if end < lattice.len && !self.goes_on(next, end) {
                continue;
            }
            let possessive = lattice.text.word(end - 1).ends_with("'s");
            if ending == Ending::Possessive && !possessive {
                continue;
            }
            let range = lattice.trimmed(place.at..end);
            let asks = range.len() == 1 && ASKS.contains(&lattice.text.word(range.start));
            if range.is_empty() || asks || self.is_all_light(&range) || lattice.splits_number(&range) {
                continue;
            }
            let mut cost =
                place.cost + 0.1 + lattice.free_cost(&range) * if told && end == lattice.len { TOLD } else { 1.0 };
            // What begins with another wish's carrier is no name: "tell Alice I'm" on my way.
            if place.at == self.start && lattice.carries(range.start) {
                cost += 0.4;
            }
            let number = |edge: &Edge| edge.end == range.end && matches!(edge.reading, Reading::Number { .. });
            if lattice.at(range.start).iter().any(number) {
                cost += 0.12;
            }
            if adjoins && end < lattice.len && ending == Ending::Any {
                cost += self.seam(&range, end);
            }
            self.capture(place, next, end, cost, (slot, Capture::Text(range)));
        }
    }

    /// Whether a range holds nothing but carrier words.
    fn is_all_light(&self, range: &Range<usize>) -> bool {
        let mut at = range.start;
        while at < range.end {
            // 为什么呢 asks of nothing in particular.
            let asks = |word| self.whole && self.lexicon.uses(word).contains(&Use::Class(Class::Question));
            let light = |edge: &&Edge| matches!(edge.reading, Reading::Word(word) if self.light(word) || asks(word));
            match self.lattice.at(at).iter().filter(light).map(|edge| edge.end).max() {
                Some(end) => at = end,
                None => return false,
            }
        }
        true
    }

    /// What it costs to end one free text where another begins with nothing between them: names are
    /// short, and a pronoun begins what is told.
    fn seam(&self, range: &Range<usize>, end: usize) -> f32 {
        let usual = if self.lattice.text.kind(range.start) == Some(UnitKind::Latin) {
            1
        } else {
            2
        };
        let odd = range.len().abs_diff(usual) as f32 * 0.06;
        // "Tell me about …" tells nobody of a contact.
        let nobody = if NOBODY.contains(&self.lattice.text.word(range.start)) {
            0.8
        } else {
            0.0
        };
        let odd = odd + nobody;
        let pronoun = PRONOUNS.contains(&self.lattice.text.word(end));
        let latin = self.lattice.text.kind(end) == Some(UnitKind::Latin);
        match (pronoun, latin) {
            (true, _) => odd,
            (false, true) => odd + 0.9,
            (false, false) => odd + 0.5,
        }
    }
}

/// Words that begin what is told rather than end a name.
const PRONOUNS: &[&str] = &[
    "我", "你", "他", "她", "我们", "咱", "i", "i'm", "i'll", "i've", "we", "we're", "we'll", "he", "she", "they",
    "you", "that", "to", "it", "my", "not", "晚", "今", "明", "别", "快",
];

/// Words that ask for a name, and are none.
const ASKS: &[&str] = &["谁", "哪", "啥"];

/// Words that name no contact.
const NOBODY: &[&str] = &["me", "us", "it", "a", "the", "about", "我", "你", "我们"];
