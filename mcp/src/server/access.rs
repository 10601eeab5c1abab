//! What an MCP client may call.

use incar_agents::OutsideConsent;
use incar_core::{Author, Effect, ToolCategory, ToolSpec};
use std::collections::BTreeMap;

/// The tools that an MCP client is offered. Whatever is not allowed here does not exist for it.
///
/// ```
/// use incar_agents::OutsideConsent;
/// use incar_mcp::server::Access;
///
/// // Everything that reads the car, music, weather and the manual; windows, each time with a yes in the car.
/// let access = Access::default().with_tool("control_window", OutsideConsent::EachChange);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Access {
    /// Categories whose reading tools are offered.
    pub readable: Vec<ToolCategory>,
    /// Tools that are offered by name, whatever they do, and what needs a yes in the car.
    pub tools: BTreeMap<String, OutsideConsent>,
}

impl Default for Access {
    /// What reads the car's state, what plays, the weather, and the manual. Nothing that changes anything;
    /// nothing of where the car is or goes, of people, or of what the driver prefers.
    fn default() -> Self {
        Self::nothing()
            .reading(ToolCategory::CAR_CONTROL)
            .reading(ToolCategory::MUSIC)
            .reading(ToolCategory::WEATHER)
            .reading(ToolCategory::KNOWLEDGE)
    }
}

impl Access {
    /// Nothing at all.
    pub fn nothing() -> Self {
        Self {
            readable: Vec::new(),
            tools: BTreeMap::new(),
        }
    }

    /// The same with the reading tools of `category`.
    #[must_use]
    pub fn reading(mut self, category: ToolCategory) -> Self {
        self.readable.push(category);
        self
    }

    /// The same with the tool `name`, where a yes is needed as `consent` says.
    #[must_use]
    pub fn with_tool(mut self, name: impl Into<String>, consent: OutsideConsent) -> Self {
        self.tools.insert(name.into(), consent);
        self
    }

    /// Whether a tool may be called, and what needs a yes then.
    pub(crate) fn allows(&self, spec: &ToolSpec) -> Option<OutsideConsent> {
        if let Some(consent) = self.tools.get(&*spec.name) {
            return Some(*consent);
        }
        // What comes from an MCP server goes to no MCP client unless the host names it.
        let reads = spec.effect == Effect::Read && spec.author == Author::Host;
        (reads && self.readable.contains(&spec.category)).then_some(OutsideConsent::EachChange)
    }
}
