//! What it costs to leave words out, and to read them as free text.

use super::{Lattice, Reading};
use crate::generic::Class;
use crate::lexicon::{Lexicon, Use};
use incar_text::{Gap, UnitKind};

impl Lattice<'_> {
    /// What it costs to skip each unit, and to read it as free text: words that mean something
    /// cost more than words that do not.
    pub(super) fn price(&mut self, lexicon: &Lexicon, mut strong: Vec<f32>) {
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
        // A number that no argument takes is part of the wish all the same: set the cruise control to 120. "一" says no number.
        let mut counted = vec![0.0; self.len];
        for edge in self.edges.iter().flatten() {
            if matches!(&edge.reading, Reading::Number { number, .. } if (number.value - 1.0).abs() > 0.1) {
                for place in counted.iter_mut().take(edge.end).skip(edge.start) {
                    *place = COUNTED;
                }
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
            if let Some(carrier) = self.carriers.get_mut(index) {
                *carrier = strength >= CARRIER;
            }
            if let Some(skip) = self.skip.get_mut(index) {
                *skip = base + 0.5 * strength + counted.get(index).copied().unwrap_or_default();
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
}

/// How typical a word is that carries free text, or is as telling.
const CARRIER: f32 = 0.6;

/// What it costs more to leave out a number.
const COUNTED: f32 = 0.6;

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
            Class::Unable => 1.0,
            Class::Up | Class::Down | Class::Max | Class::Min if length > 1 => 0.5,
            _ => 0.0,
        },
    }
}
