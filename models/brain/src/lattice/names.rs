//! Names that stand bare beside a tool's topic.

use super::{Edge, Lattice, Reading};
use crate::generic::Class;
use crate::lexicon::{Lexicon, Use};
use incar_core::words::ValueKind;
use incar_text::{Gap, UnitKind};

/// Carrier words that end an utterance, and may begin a name.
const PARTICLES: &[&str] = &["哈", "吧", "呢", "啊", "呀", "啦", "嘛", "了"];
/// Words that join, and stand within names too.
const JOINTS: &[&str] = &["和", "里", "下", "可", "会", "来"];
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
        // 哈尔滨: a particle that ends utterances may begin a name, and 呼和浩特 has 和 inside.
        let particle = |lattice: &Self, at: usize| {
            let begins = at == 0 || lattice.text.gap_before(at) >= Gap::Comma;
            begins && PARTICLES.contains(&lattice.text.word(at))
        };
        let joint = |lattice: &Self, at: usize| JOINTS.contains(&lattice.text.word(at)) && plain(lattice, at + 1);
        for start in 0..self.len {
            let begins = start == 0 || self.ends_lightly(lexicon, start);
            let light = self.is_light(lexicon, start) && !particle(self, start);
            if self.text.kind(start) != Some(UnitKind::Han) || light || !begins {
                continue;
            }
            let mut end = start;
            let mut odd = 0.0;
            while end < self.len && end < start + LONGEST_NAME {
                if !plain(self, end) {
                    let fits = end == start || odd == 0.0 && joint(self, end);
                    if !fits {
                        break;
                    }
                    odd += if end == start { 0.0 } else { 0.15 };
                }
                end += 1;
                if end - start < 2 || JOINTS.contains(&self.text.word(end - 1)) {
                    continue;
                }
                let range = start..end;
                let cost = 0.35 + odd + self.free_cost(&range);
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
