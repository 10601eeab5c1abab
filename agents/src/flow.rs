//! Agents with a flow of their own.

use crate::agent::{AgentProfile, ToolAgentBase};
use incar_core::turn::Dialogue;
use incar_core::{Lang, ToolRegistry, ToolSpec};
use incar_sessions::flow::{FlowDefinition, FlowFault};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

/// An agent that gathers what a call needs over several utterances, value by value: a booking, a
/// form. Where a [`ToolAgentBase`] leaves it to the model what to ask, this says it as data.
///
/// The values may come in any order, several at once; each is checked, corrected by name, gone back
/// to, skipped where it may be; the whole is read out and confirmed before the tool runs. Digressions,
/// repeats, cancelling, expiry and crashes are as for any other question. It stands beside
/// [`ToolAgentBase`], on the same floor, because it is one. Register it with
/// [`crate::AssistantBuilder::with_flow`]; [`FlowAgent`] is one made of data alone.
pub trait SessionAgentBase: ToolAgentBase {
    /// What it gathers.
    fn flow(&self) -> &FlowDefinition;

    /// What is told before the definition's summary asks whether to make the call: a plan, a price. One
    /// or more whole sentences; by default nothing.
    fn preview(&self, arguments: &Map<String, Value>, lang: Lang) -> Option<String> {
        let _ = (arguments, lang);
        None
    }
}

/// A [`SessionAgentBase`] that is data alone.
#[derive(Debug, Clone, PartialEq)]
pub struct FlowAgent {
    profile: AgentProfile,
    flow: FlowDefinition,
}

impl FlowAgent {
    /// The agent `profile` with the flow `flow`.
    pub fn new(profile: AgentProfile, flow: FlowDefinition) -> Self {
        Self { profile, flow }
    }
}

impl ToolAgentBase for FlowAgent {
    fn profile(&self) -> &AgentProfile {
        &self.profile
    }
}

impl SessionAgentBase for FlowAgent {
    fn flow(&self) -> &FlowDefinition {
        &self.flow
    }
}

/// A flow, checked against its tool.
#[derive(Debug)]
pub(crate) struct RegisteredFlow {
    pub(crate) agent: Arc<dyn SessionAgentBase>,
    pub(crate) definition: FlowDefinition,
}

/// The flows of an assistant, by tool.
#[derive(Debug, Default)]
pub(crate) struct Flows(BTreeMap<String, RegisteredFlow>);

impl Flows {
    pub(crate) fn new(agents: Vec<Arc<dyn SessionAgentBase>>, registry: &ToolRegistry) -> Result<Self, FlowFault> {
        let mut flows = BTreeMap::new();
        for agent in agents {
            let definition = agent.flow().clone();
            let name = definition.tool.clone();
            let tool = registry.get(&name).ok_or_else(|| FlowFault::NoTool(name.clone()))?;
            let definition = definition.fitted(tool.spec())?;
            if flows
                .insert(name.clone(), RegisteredFlow { agent, definition })
                .is_some()
            {
                return Err(FlowFault::SameTool(name));
            }
        }
        Ok(Self(flows))
    }

    pub(crate) fn of(&self, tool: &str) -> Option<&RegisteredFlow> {
        self.0.get(tool)
    }

    pub(crate) fn tools(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The flow whose question or confirmation is open now.
    pub(crate) fn waiting(&self, dialogue: &Dialogue) -> Option<&RegisteredFlow> {
        let tool = dialogue.waiting_tool()?;
        dialogue.gathered(tool).and_then(|_| self.of(tool))
    }

    /// How long the conversation may wait, where a flow waits in it: the longest of its flows.
    pub(crate) fn wait(&self, dialogue: &Dialogue, usual: Duration) -> Option<Duration> {
        let waiting = self.0.iter().filter(|(tool, _)| dialogue.gathered(tool).is_some());
        waiting.map(|(_, flow)| flow.definition.wait.unwrap_or(usual)).max()
    }

    /// A tool as it is offered to a model: a flow takes what was said and nothing else, so that nothing
    /// is required, and out of range is for the flow to say.
    pub(crate) fn offered(&self, spec: &Arc<ToolSpec>) -> Arc<ToolSpec> {
        if self.of(&spec.name).is_none() {
            return spec.clone();
        }
        let mut offered = ToolSpec::clone(spec);
        if let Some(schema) = offered.parameters.as_object_mut() {
            schema.remove("required");
            let properties = schema.get_mut("properties").and_then(Value::as_object_mut);
            for property in properties.into_iter().flat_map(Map::values_mut) {
                if let Some(property) = property.as_object_mut() {
                    property.remove("minimum");
                    property.remove("maximum");
                }
            }
        }
        Arc::new(offered)
    }
}

/// What a model is told of the flows.
pub(crate) fn instructions(flows: &Flows, lang: Lang) -> Option<String> {
    let tools: Vec<&str> = flows.tools().collect();
    if tools.is_empty() {
        return None;
    }
    let named = tools.join(lang.pick("、", ", "));
    Some(lang.pick(
        format!(
            "{named}：说话人一提出就调用，哪怕什么都还不知道；每次只填刚说的内容，没说的不要填。已经说过的会保留，缺的会自动提问，最后会自动复述并请说话人确认：不要自己问，也不要自己复述。"
        ),
        format!(
            "{named}: call as soon as the speaker wants it, even with nothing known yet; give only what was just said and nothing else. What was said before is kept, what is missing is asked for, and the whole is read out and confirmed, all without you: neither ask nor summarise."
        ),
    ))
}
