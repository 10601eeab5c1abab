//! The tools that are there, and the sets of them that are offered.

use crate::response::CallShape;
use crate::schema::unknown_name;
use crate::speaker::Speaker;
use crate::spec::{ToolCategory, ToolSpec};
use crate::tool::{Erased, Tool, TypedTool};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The tools of an assistant, by name.
#[derive(Clone, Default)]
pub struct ToolRegistry {
    tools: BTreeMap<String, Arc<dyn Tool>>,
}

impl fmt::Debug for ToolRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.tools.keys()).finish()
    }
}

/// Why a tool was not registered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// The name is taken; a tool never replaces another.
    #[error("a tool named `{0}` is registered already")]
    Taken(String),
    /// The name is none that services accept: 1 to 64 letters, digits, `_` or `-`.
    #[error("`{0}` is no tool name: use 1 to 64 of a-z, A-Z, 0-9, `_` and `-`")]
    Name(String),
}

impl ToolRegistry {
    /// An empty registry.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a typed tool.
    ///
    /// # Errors
    /// [`RegistryError`] where its name is taken or no name.
    pub fn register(&mut self, tool: impl TypedTool) -> Result<(), RegistryError> {
        self.register_erased(Arc::new(Erased::new(tool)))
    }

    /// Adds a tool whose types are erased already.
    ///
    /// # Errors
    /// [`RegistryError`] where its name is taken or no name.
    pub fn register_erased(&mut self, tool: Arc<dyn Tool>) -> Result<(), RegistryError> {
        let name = tool.spec().name.to_string();
        let fits = (1..=64).contains(&name.len())
            && name
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        if !fits || name == crate::control::ASK_USER {
            return Err(RegistryError::Name(name));
        }
        if self.tools.contains_key(&name) {
            return Err(RegistryError::Taken(name));
        }
        self.tools.insert(name, tool);
        Ok(())
    }

    /// The tool with that name.
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.tools.get(name)
    }

    /// All tools, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<dyn Tool>> {
        self.tools.values()
    }

    /// The tools of these categories, by name, as a set to offer.
    pub fn offer(&self, categories: &[ToolCategory]) -> ToolSet {
        ToolSet::new(
            self.iter()
                .map(|tool| tool.spec())
                .filter(|spec| categories.contains(&spec.category))
                .cloned()
                .collect(),
        )
    }

    /// What to tell a model that called a tool which is not there.
    pub fn unknown(&self, name: &str) -> String {
        unknown_name("tool", name, self.tools.keys().map(String::as_str))
    }
}

/// Tools offered to a model, in stable order, with an id: what is made of a set once (a compiled
/// lexicon, a serialised schema list) is kept under its id.
#[derive(Debug, Clone)]
pub struct ToolSet {
    id: u64,
    specs: Arc<[Arc<ToolSpec>]>,
}

impl ToolSet {
    /// A set of these tools, with an id of its own.
    pub fn new(specs: Vec<Arc<ToolSpec>>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            specs: specs.into(),
        }
    }

    /// The set's id: equal ids are equal sets, for the life of the process.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The tools.
    pub fn specs(&self) -> &[Arc<ToolSpec>] {
        &self.specs
    }

    /// The tool with that name.
    pub fn get(&self, name: &str) -> Option<&Arc<ToolSpec>> {
        self.specs.iter().find(|spec| spec.name == name)
    }
}

/// Understands an utterance on the device, without a model call: which tools it concerns (the
/// shortlist for a model that must not be offered everything), and what call an offer offers.
pub trait ToolRouter: Send + Sync + fmt::Debug {
    /// Gets ready for `tools` when an assistant is built, so that no utterance waits for it. By default there is
    /// nothing to be done.
    fn prepare(&self, tools: &ToolSet) {
        let _ = tools;
    }

    /// Indexes into [`ToolSet::specs`], the likeliest first; empty where nothing is recognised.
    fn rank(&self, utterance: &str, tools: &ToolSet, lang: crate::lang::Lang) -> Vec<usize>;

    /// The tool that `wish` plainly asks for first, by its index in [`ToolSet::specs`], though the call may lack something;
    /// `None` where it is not understood. By default nothing is.
    fn tool_for(&self, wish: &str, tools: &ToolSet, speaker: &Speaker) -> Option<usize> {
        let _ = (wish, tools, speaker);
        None
    }

    /// The one whole call that `wish` asks for, as `speaker` would have said it; `None` where it is
    /// not understood, lacks something, or asks for several. By default nothing is understood.
    fn call_for(&self, wish: &str, tools: &ToolSet, speaker: &Speaker, lang: crate::lang::Lang) -> Option<CallShape> {
        let _ = (wish, tools, speaker, lang);
        None
    }
}
