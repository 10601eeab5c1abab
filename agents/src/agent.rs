//! What an agent is: a profile over the one turn machine.

use incar_core::{Bilingual, Lang, ToolCategory};
use std::fmt::Debug;

/// Who an agent is and what it may use.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AgentProfile {
    /// The name that responses carry: `navigation`, `music`, …
    pub name: String,
    /// What it is, for the model.
    pub description: Bilingual,
    /// What it can do, a few words each.
    pub capabilities: Vec<Bilingual>,
    /// The tools it works with.
    pub categories: Vec<ToolCategory>,
    /// What may interrupt what: a higher priority goes first. Phone and car control 30,
    /// navigation 20, music 10 for the agents that ship.
    pub priority: u8,
}

impl AgentProfile {
    /// A profile with priority 15 and no tools yet.
    pub fn new(name: impl Into<String>, description: Bilingual) -> Self {
        Self {
            name: name.into(),
            description,
            capabilities: Vec::new(),
            categories: Vec::new(),
            priority: 15,
        }
    }

    /// The same profile with one more capability, a few words in each language.
    #[must_use]
    pub fn can(mut self, zh: &str, en: &str) -> Self {
        self.capabilities.push(Bilingual::new(zh, en));
        self
    }

    /// The same profile with the tools of one more category.
    #[must_use]
    pub fn uses(mut self, category: ToolCategory) -> Self {
        self.categories.push(category);
        self
    }

    /// The same profile with this priority.
    #[must_use]
    pub fn with_priority(mut self, priority: u8) -> Self {
        self.priority = priority;
        self
    }
}

/// An agent that lets a model call tools, in one turn or, where it has to ask, in several.
///
/// An implementor gives its profile. Everything else comes with it: the prompt, the loop of model
/// and tools, noticing that a reply asks the driver something, the session that waits for the
/// answer, and going on with it. Register it with [`crate::AssistantBuilder::with_tool_agent`].
pub trait ToolAgentBase: Send + Sync + Debug {
    /// Who it is.
    fn profile(&self) -> &AgentProfile;

    /// What its model is told beside the rules that hold for every agent. By default nothing.
    /// It must depend on nothing but the language, or a resumed conversation would not be the
    /// one that was saved.
    fn instructions(&self, lang: Lang) -> Option<String> {
        let _ = lang;
        None
    }
}
