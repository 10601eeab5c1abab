//! The trie of phrases, grown from patterns.

use super::{Lexicon, Limit, Link, PhraseEntry, Slot, Tool, class_named, place_named};
use crate::template::{Part, parse};
use incar_core::ToolSpec;
use incar_core::words::Phrase;
use serde_json::Value;

/// The most nodes that a pattern's choices lead to before they are joined.
const MOST_NODES: usize = 6;

impl Lexicon {
    pub(super) fn add_patterns(&mut self, spec: &ToolSpec, tool: &Tool, index: usize, phrase: &Phrase, root: u32) {
        let named = |(key, value): (&String, &Value)| Some((tool.argument(key)?, value.clone()));
        for key in phrase.set.keys() {
            self.known(spec, tool.argument(key), key);
        }
        let entry = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        self.entries.push(PhraseEntry {
            tool: index,
            set: phrase.set.iter().filter_map(named).collect(),
            doubt: phrase.doubt,
            force: phrase.force,
        });
        for pattern in &phrase.patterns {
            match parse(pattern) {
                Ok(parts) => {
                    for node in self.follow(spec, tool, index, vec![root], &parts) {
                        if node != root {
                            self.sprout.end(node, entry);
                        }
                    }
                }
                Err(error) => self.fault(spec, error.to_string()),
            }
        }
    }

    /// The nodes to which `parts` lead from `nodes`.
    fn follow(&mut self, spec: &ToolSpec, tool: &Tool, index: usize, nodes: Vec<u32>, parts: &[Part]) -> Vec<u32> {
        let mut nodes = nodes;
        for part in parts {
            nodes = match part {
                Part::OneOf(choices) => {
                    let mut ends: Vec<u32> = Vec::new();
                    for choice in choices {
                        for end in self.follow(spec, tool, index, nodes.clone(), choice) {
                            if !ends.contains(&end) {
                                ends.push(end);
                            }
                        }
                    }
                    ends
                }
                single => match self.link(spec, tool, index, single) {
                    Some(link) => nodes.into_iter().map(|node| self.sprout.link(node, link)).collect(),
                    None => return Vec::new(),
                },
            };
            if nodes.len() > MOST_NODES {
                nodes = vec![self.joined(&nodes)];
            }
        }
        nodes
    }

    /// A node that all of `nodes` lead to without a word.
    fn joined(&mut self, nodes: &[u32]) -> u32 {
        let joined = self.sprout.root();
        for node in nodes {
            self.sprout.join(*node, joined);
        }
        joined
    }

    fn link(&mut self, spec: &ToolSpec, tool: &Tool, index: usize, part: &Part) -> Option<Link> {
        let list = |name: &str| {
            tool.lists
                .iter()
                .find(|(other, _)| other == name)
                .map(|(_, list)| *list)
        };
        let link = match part {
            Part::Unit(unit) => Some(Link::Unit(self.intern(unit))),
            Part::Class(name) => list(name)
                .map(Link::List)
                .or_else(|| class_named(name).map(Link::Class))
                .or_else(|| place_named(name).map(Link::Place)),
            Part::Slot(name, limit) => {
                let limit = match limit.as_deref() {
                    None => Some(Limit::Kind),
                    Some("number") => Some(Limit::Number),
                    Some("year") => Some(Limit::Year),
                    Some("sum") => Some(Limit::Sum),
                    Some("more_sum") => Some(Limit::MoreSum),
                    Some("owner") => Some(Limit::Owner),
                    Some("whole") => Some(Limit::Whole),
                    Some(name) => list(name).map(Limit::List),
                };
                tool.argument(name).zip(limit).map(|(argument, limit)| {
                    Link::Slot(Slot {
                        tool: index,
                        argument,
                        limit,
                    })
                })
            }
            Part::OneOf(_) => None,
        };
        if link.is_none() {
            self.fault(spec, format!("a pattern names what is not there: {part:?}"));
        }
        link
    }
}
