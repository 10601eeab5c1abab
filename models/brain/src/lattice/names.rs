//! Names that stand bare beside a tool's topic.

use super::{Edge, Lattice, Reading};
use crate::generic::Class;
use crate::lexicon::{Lexicon, Use};
use incar_core::words::ValueKind;
use incar_text::UnitKind;

/// The longest name beside a topic, in units.
const LONGEST_NAME: usize = 10;

impl Lattice<'_> {
    /// Names that stand bare beside a tool's topic: 上海 in 上海天气.
    pub(super) fn add_names(&mut self, lexicon: &Lexicon) {
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
                        mends: Vec::new(),
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
}
