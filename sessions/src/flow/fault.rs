//! What is wrong with a definition.

use super::definition::{FlowDefinition, Need};
use incar_core::{Lang, ToolSpec};

/// Why a definition does not fit its tool.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FlowFault {
    /// The tool is not registered.
    #[error("the flow calls `{0}`, which is not registered")]
    NoTool(String),
    /// Two flows call the same tool.
    #[error("two flows call `{0}`")]
    SameTool(String),
    /// A slot is no argument of the tool.
    #[error("slot `{slot}` is no argument of `{tool}`")]
    NoArgument {
        /// The tool.
        tool: String,
        /// The slot.
        slot: String,
    },
    /// A required argument of the tool is no required slot.
    #[error("`{tool}` requires `{argument}`, which the flow does not")]
    NotGathered {
        /// The tool.
        tool: String,
        /// The argument.
        argument: String,
    },
    /// A slot that is asked for has no question.
    #[error("slot `{0}` has no question, neither its own nor one of the tool's words")]
    NoQuestion(String),
    /// The summary names what is no slot.
    #[error("the summary names `{0}`, which is no slot")]
    Summary(String),
}

impl FlowDefinition {
    /// Checks the definition against its tool, and takes the questions that it lacks from the tool's
    /// words.
    ///
    /// # Errors
    /// The first [`FlowFault`].
    pub fn fitted(mut self, tool: &ToolSpec) -> Result<Self, FlowFault> {
        for slot in &mut self.slots {
            if tool.argument(&slot.name).is_none() {
                return Err(FlowFault::NoArgument {
                    tool: self.tool,
                    slot: slot.name.clone(),
                });
            }
            slot.ask = slot.ask.take().or_else(|| tool.words.ask.get(&slot.name).cloned());
            if slot.ask.is_none() && slot.need != Need::Optional {
                return Err(FlowFault::NoQuestion(slot.name.clone()));
            }
        }
        let gathered = |name: &str| self.slot_named(name).is_some_and(|slot| slot.need == Need::Required);
        if let Some(argument) = tool.required().find(|name| !gathered(name)) {
            return Err(FlowFault::NotGathered {
                tool: self.tool.clone(),
                argument: argument.to_owned(),
            });
        }
        for lang in [Lang::Zh, Lang::En] {
            let unknown = self.named_in_summary(lang).find(|name| self.slot_named(name).is_none());
            if let Some(unknown) = unknown {
                return Err(FlowFault::Summary(unknown.to_owned()));
            }
        }
        Ok(self)
    }
}
