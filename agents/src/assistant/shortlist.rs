//! Which tools a model is offered, where it must not be offered all.

use super::Inner;
use incar_core::turn::Dialogue;
use incar_core::{ASK_USER, Lang, Message, ToolSet};
use std::collections::{BTreeSet, HashMap};
use std::sync::{Mutex, PoisonError};

/// How many shortlists are kept: what is made of a set once (its wire form) is kept under its id.
const KEPT: usize = 128;

/// Shortlists that were made before, by the tools in them.
#[derive(Debug, Default)]
pub(super) struct Shortlists(Mutex<HashMap<BTreeSet<usize>, ToolSet>>);

impl Shortlists {
    fn set_of(&self, all: &ToolSet, chosen: BTreeSet<usize>) -> ToolSet {
        let mut made = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(set) = made.get(&chosen) {
            return set.clone();
        }
        if made.len() >= KEPT {
            made.clear();
        }
        let set = ToolSet::new(
            chosen
                .iter()
                .filter_map(|&index| all.specs().get(index).cloned())
                .collect(),
        );
        made.insert(chosen, set.clone());
        set
    }
}

impl Inner {
    /// The tools for this utterance: all, where the model takes them or nobody can tell them apart;
    /// else those that the utterance names, those that the conversation is about, and the rest of
    /// their agents' tools as far as there is room. The order is always that of the registry.
    pub(super) fn offered(&self, utterance: &str, dialogue: &Dialogue, lang: Lang) -> ToolSet {
        // The control tool is always among them.
        let most = self.runner.model.most_tools().saturating_sub(1).max(1);
        let Some(router) = self.router.as_ref().filter(|_| self.tools.specs().len() > most) else {
            return self.tools.clone();
        };
        let named = router.rank(utterance, &self.tools, lang);
        let about = self.conversation_tools(dialogue);
        let mut chosen: BTreeSet<usize> = named.into_iter().chain(about).take(most).collect();
        let mut agents: Vec<usize> = chosen.iter().filter_map(|&tool| self.agent_index(tool)).collect();
        // Nothing recognised: the agents by priority, so that at least the likeliest are there.
        let mut others: Vec<usize> = (0..self.agents.len()).filter(|agent| !agents.contains(agent)).collect();
        others.sort_by_key(|&agent| std::cmp::Reverse(self.agents.get(agent).map(|agent| agent.profile().priority)));
        agents.extend(others);
        for agent in agents {
            for tool in 0..self.tools.specs().len() {
                if chosen.len() >= most {
                    break;
                }
                if self.agent_index(tool) == Some(agent) {
                    chosen.insert(tool);
                }
            }
        }
        self.shortlists.set_of(&self.tools, chosen)
    }

    /// The tool that waits for an answer, and those called last.
    fn conversation_tools(&self, dialogue: &Dialogue) -> Vec<usize> {
        let called = dialogue
            .history()
            .messages()
            .iter()
            .rev()
            .filter_map(|message| match message {
                Message::Tool(result) if result.name != ASK_USER => Some(result.name.as_str()),
                _ => None,
            });
        let names = dialogue.waiting_tool().into_iter().chain(called.take(3));
        names
            .filter_map(|name| self.tools.specs().iter().position(|spec| spec.name == name))
            .collect()
    }

    fn agent_index(&self, tool: usize) -> Option<usize> {
        let category = &self.tools.specs().get(tool)?.category;
        self.agents
            .iter()
            .position(|agent| agent.profile().categories.contains(category))
    }

    /// The agents whose tools these are.
    pub(super) fn agents_of(&self, tools: &ToolSet) -> Vec<String> {
        let has = |categories: &[incar_core::ToolCategory]| {
            tools.specs().iter().any(|spec| categories.contains(&spec.category))
        };
        let profiles = self.agents.iter().map(|agent| agent.profile());
        profiles
            .filter(|profile| has(&profile.categories))
            .map(|profile| profile.name.clone())
            .collect()
    }
}
