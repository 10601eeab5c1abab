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

/// What a model is offered for an utterance.
#[derive(Debug)]
pub(super) struct Offer {
    /// The tools.
    pub(super) tools: ToolSet,
    /// Those of them whose agents the utterance concerns, as far as the device can tell, else the
    /// conversation: what they need to know of the car is told.
    pub(super) concerned: ToolSet,
}

impl From<ToolSet> for Offer {
    fn from(tools: ToolSet) -> Self {
        Self {
            concerned: tools.clone(),
            tools,
        }
    }
}

impl Inner {
    /// The tools for this utterance: all, where the model takes them or nobody can tell them apart;
    /// else those that the utterance names, those that the conversation is about, and the rest of
    /// their agents' tools as far as there is room. The order is always that of the registry.
    pub(super) fn offered(&self, utterance: &str, dialogue: &Dialogue, lang: Lang) -> Offer {
        // The control tool is always among them.
        let most = self.runner.model.most_tools().saturating_sub(1).max(1);
        let Some(router) = self.router.as_ref().filter(|_| self.tools.specs().len() > most) else {
            return self.tools.clone().into();
        };
        let named = router.rank(utterance, &self.tools, lang);
        let about = self.conversation_tools(dialogue);
        let waiting = dialogue.waiting_tool().and_then(|name| self.tool_index(name));
        let named_or_waiting = named.iter().copied().chain(waiting).take(most);
        let mut concerned: Vec<usize> = named_or_waiting.filter_map(|tool| self.agent_index(tool)).collect();
        let mut chosen: BTreeSet<usize> = named.into_iter().chain(about).take(most).collect();
        let mut agents: Vec<usize> = chosen.iter().filter_map(|&tool| self.agent_index(tool)).collect();
        if concerned.is_empty() {
            // "And louder?" is about what was done last.
            concerned.clone_from(&agents);
        }
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
        if concerned.is_empty() {
            return self.shortlists.set_of(&self.tools, chosen).into();
        }
        let is_concerned = |&tool: &usize| self.agent_index(tool).is_some_and(|agent| concerned.contains(&agent));
        let concerned = chosen.iter().copied().filter(is_concerned).collect();
        Offer {
            concerned: self.shortlists.set_of(&self.tools, concerned),
            tools: self.shortlists.set_of(&self.tools, chosen),
        }
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
        names.filter_map(|name| self.tool_index(name)).collect()
    }

    fn tool_index(&self, name: &str) -> Option<usize> {
        self.tools.specs().iter().position(|spec| spec.name == name)
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
