//! Putting an assistant together.

use super::ended::EndedTurns;
use super::lanes::Lanes;
use super::requests::Requests;
use super::shortlist::Shortlists;
use super::{Assistant, Inner, Settings};
use crate::agent::ToolAgentBase;
use crate::classify::TextRule;
use crate::clock::SystemClock;
use crate::counters::Tally;
use crate::flow::{Flows, SessionAgentBase};
use crate::guards::Guards;
use crate::jobs::{self, Jobs, JobsOwner, ResearchAgent, ResearchSettings};
use crate::notices::NoticeOwner;
use crate::prompt::system_prompt;
use crate::runner::{HoldingOn, Orphans, TurnRunner};
use crate::telemetry::TracedContents;
use incar_core::{
    AllowAll, BackgroundAgent, CabinContext, ChatModel, Clock, Journal, Lang, PolicyGate, RecordStore, RegistryError,
    ReplyClassifier, SessionStore, Tool, ToolRegistry, ToolRouter, ToolSet, TypedTool, UtteranceReader, ask_user_spec,
    estimate_tokens,
};
use incar_sessions::flow::FlowFault;
use incar_sessions::{MemoryJournal, MemoryStore, ShortTermMemory, ShortTermSettings};
use std::collections::HashSet;
use std::sync::Arc;

/// Puts an [`Assistant`] together: agents, tools and a model; everything else has a default.
#[derive(Debug)]
pub struct AssistantBuilder {
    agents: Vec<Arc<dyn ToolAgentBase>>,
    flows: Vec<Arc<dyn SessionAgentBase>>,
    registry: ToolRegistry,
    refused: Option<RegistryError>,
    model: Option<Arc<dyn ChatModel>>,
    gate: Arc<dyn PolicyGate>,
    journal: Arc<dyn Journal>,
    classifier: Arc<dyn ReplyClassifier>,
    clock: Arc<dyn Clock>,
    store: Arc<dyn SessionStore>,
    context: Option<Arc<dyn CabinContext>>,
    router: Option<Arc<dyn ToolRouter>>,
    records: Option<Arc<dyn RecordStore>>,
    reader: Option<Arc<dyn UtteranceReader>>,
    guards: Guards,
    traced: TracedContents,
    settings: Settings,
    researcher: Option<Arc<dyn BackgroundAgent>>,
    research: ResearchSettings,
}

/// Why an assistant could not be put together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// No model was given.
    #[error("an assistant needs a model: with_model(..)")]
    NoModel,
    /// No agent was given.
    #[error("an assistant needs at least one agent: with_tool_agent(..)")]
    NoAgent,
    /// Two agents have the same name.
    #[error("two agents are named `{0}`")]
    SameAgent(String),
    /// A tool could not be registered.
    #[error(transparent)]
    Tool(#[from] RegistryError),
    /// A flow does not fit its tool.
    #[error(transparent)]
    Flow(#[from] FlowFault),
}

impl Default for AssistantBuilder {
    fn default() -> Self {
        Self {
            agents: Vec::new(),
            flows: Vec::new(),
            registry: ToolRegistry::new(),
            refused: None,
            model: None,
            gate: Arc::new(AllowAll),
            journal: Arc::new(MemoryJournal::default()),
            classifier: Arc::new(TextRule::default()),
            clock: Arc::new(SystemClock),
            store: Arc::new(MemoryStore::default()),
            context: None,
            router: None,
            records: None,
            reader: None,
            guards: Guards::default(),
            traced: TracedContents::default(),
            settings: Settings::default(),
            researcher: None,
            research: ResearchSettings::default(),
        }
    }
}

impl AssistantBuilder {
    /// Adds an agent.
    #[must_use]
    pub fn with_tool_agent(mut self, agent: impl ToolAgentBase + 'static) -> Self {
        self.agents.push(Arc::new(agent));
        self
    }

    /// Adds an agent with a flow. The flow's tool is added like any other.
    #[must_use]
    pub fn with_flow(mut self, agent: impl SessionAgentBase + 'static) -> Self {
        let agent: Arc<dyn SessionAgentBase> = Arc::new(agent);
        self.agents.push(agent.clone());
        self.flows.push(agent);
        self
    }

    /// Adds a typed tool.
    #[must_use]
    pub fn with_tool(mut self, tool: impl TypedTool) -> Self {
        let outcome = self.registry.register(tool);
        self.note(outcome);
        self
    }

    /// Adds tools whose types are erased already.
    #[must_use]
    pub fn with_tools(mut self, tools: impl IntoIterator<Item = Arc<dyn Tool>>) -> Self {
        for tool in tools {
            let outcome = self.registry.register_erased(tool);
            self.note(outcome);
        }
        self
    }

    /// Adds all tools of `registry`.
    #[must_use]
    pub fn with_registry(self, registry: &ToolRegistry) -> Self {
        let tools: Vec<_> = registry.iter().cloned().collect();
        self.with_tools(tools)
    }

    /// The tools that were added so far.
    pub fn tools(&self) -> &ToolRegistry {
        &self.registry
    }

    fn note(&mut self, outcome: Result<(), RegistryError>) {
        if let Err(error) = outcome {
            self.refused.get_or_insert(error);
        }
    }

    /// Sets the model.
    #[must_use]
    pub fn with_model(mut self, model: Arc<dyn ChatModel>) -> Self {
        self.model = Some(model);
        self
    }

    /// Sets the policies. By default everything is allowed.
    #[must_use]
    pub fn with_policies(mut self, gate: Arc<dyn PolicyGate>) -> Self {
        self.gate = gate;
        self
    }

    /// Sets the journal. By default one in memory.
    #[must_use]
    pub fn with_journal(mut self, journal: Arc<dyn Journal>) -> Self {
        self.journal = journal;
        self
    }

    /// Sets what judges whether a reply asks something. By default [`TextRule`].
    #[must_use]
    pub fn with_classifier(mut self, classifier: Arc<dyn ReplyClassifier>) -> Self {
        self.classifier = classifier;
        self
    }

    /// Sets the clock. By default the system's.
    #[must_use]
    pub fn with_clock(mut self, clock: Arc<dyn Clock>) -> Self {
        self.clock = clock;
        self
    }

    /// Sets where waiting conversations are kept. By default in memory. One that outlives the process
    /// also keeps turns on their way ([`Assistant::recover`]); its journal should outlive it too.
    #[must_use]
    pub fn with_store(mut self, store: Arc<dyn SessionStore>) -> Self {
        self.store = store;
        self
    }

    /// Sets what the car knows at each utterance. By default nothing.
    #[must_use]
    pub fn with_context(mut self, context: Arc<dyn CabinContext>) -> Self {
        self.context = Some(context);
        self
    }

    /// Sets what tells, on the device, which tools an utterance concerns: the embedded brain can. With
    /// it a model is offered at most as many tools as it works well with ([`ChatModel::most_tools`]);
    /// without, all of them.
    #[must_use]
    pub fn with_router(mut self, router: Arc<dyn ToolRouter>) -> Self {
        self.router = Some(router);
        self
    }

    /// Sets where the speakers' preferences are read from, and what [`Assistant::forget`] clears. By
    /// default nowhere: nothing is preferred.
    #[must_use]
    pub fn with_records(mut self, records: Arc<dyn RecordStore>) -> Self {
        self.records = Some(records);
        self
    }

    /// Sets what reads utterances, on the device, for the guards: the embedded brain can. Without it guards know
    /// only what stands literally in the conversation, and check no claims.
    #[must_use]
    pub fn with_reader(mut self, reader: Arc<dyn UtteranceReader>) -> Self {
        self.reader = Some(reader);
        self
    }

    /// Sets which guards watch over the model. By default all.
    #[must_use]
    pub fn with_guards(mut self, guards: Guards) -> Self {
        self.guards = guards;
        self
    }

    /// Sets whether traces hold what was said, called with and answered. By default they do not.
    #[must_use]
    pub fn with_traced_contents(mut self, contents: TracedContents) -> Self {
        self.traced = contents;
        self
    }

    /// Sets bounds and expiry.
    #[must_use]
    pub fn with_settings(mut self, settings: Settings) -> Self {
        self.settings = settings;
        self
    }

    /// Sets who looks into things in the background: comparisons, plans with many conditions. With it there is an agent
    /// `research`, with tools to start a job, to ask how far it is and to cancel it; utterances that plainly are for it are
    /// handed over without asking the model ([`Handover`](crate::Handover)). A job is told as a notice of its own id
    /// ([`Assistant::notices`]); once it was spoken, call [`Assistant::heard`], so that a yes is the answer to what it
    /// offers. Jobs end with the assistant; with records that outlive the process ([`AssistantBuilder::with_records`]),
    /// [`Assistant::resume_research`] goes on with them or tells that they are lost.
    ///
    /// By default nobody does, and such utterances are served like any other.
    #[must_use]
    pub fn with_research(mut self, researcher: Arc<dyn BackgroundAgent>) -> Self {
        self.researcher = Some(researcher);
        self
    }

    /// Sets the bounds of work in the background.
    #[must_use]
    pub fn with_research_settings(mut self, settings: ResearchSettings) -> Self {
        self.research = settings;
        self
    }

    /// Puts it together.
    ///
    /// # Errors
    /// [`BuildError`] where something is missing or taken.
    pub fn build(mut self) -> Result<Assistant, BuildError> {
        if let Some(error) = self.refused {
            return Err(error.into());
        }
        let notices = NoticeOwner::new(self.clock.clone());
        let research = self.add_research(&notices)?;
        let model = self.model.ok_or(BuildError::NoModel)?;
        if self.agents.is_empty() {
            return Err(BuildError::NoAgent);
        }
        let mut names = HashSet::new();
        for agent in &self.agents {
            let name = &agent.profile().name;
            if !names.insert(name.as_str()) {
                return Err(BuildError::SameAgent(name.clone()));
            }
        }
        let categories: Vec<_> = self
            .agents
            .iter()
            .flat_map(|agent| agent.profile().categories.clone())
            .collect();
        let flows = Flows::new(self.flows, &self.registry)?;
        let tools = self.registry.offer(&categories);
        let tools = ToolSet::new(tools.specs().iter().map(|spec| flows.offered(spec)).collect());
        let prompts = [Lang::Zh, Lang::En].map(|lang| {
            let text = system_prompt(&self.agents, &flows, lang);
            let specs = tools.specs().iter().chain([ask_user_spec()]);
            let offered: u64 = specs
                .map(|spec| estimate_tokens(spec.description.get(lang)) + estimate_tokens(&spec.parameters.to_string()))
                .sum();
            // Not all may be offered at once.
            let (all, most) = (tools.specs().len() as u64 + 1, model.most_tools() as u64);
            let overhead = estimate_tokens(&text) + offered * most.min(all) / all;
            (text, overhead)
        });
        if let Some(jobs) = &research {
            jobs.may_offer(tools.clone());
        }
        if let Some(router) = &self.router {
            router.prepare(&tools);
        }
        Ok(Assistant {
            inner: Arc::new(Inner {
                runner: TurnRunner {
                    registry: self.registry,
                    model,
                    gate: self.gate,
                    journal: self.journal,
                    classifier: self.classifier,
                    clock: self.clock,
                    flows,
                    guards: self.guards,
                    reader: self.reader,
                    tools: tools.clone(),
                    holding: HoldingOn::new(self.settings.holding.after, self.settings.holding.apart),
                    tool_timeout: self.settings.tool_timeout,
                    traced: self.traced,
                    notices: notices.shared(),
                },
                agents: self.agents,
                tools,
                prompts,
                store: self.store,
                orphans: Orphans::default(),
                memory: ShortTermMemory::new(ShortTermSettings::default().with_utterances(self.settings.remembered)),
                context: self.context,
                router: self.router,
                records: self.records,
                shortlists: Shortlists::default(),
                requests: Requests::default(),
                settings: self.settings,
                notices,
                research,
                tally: Tally::default(),
                lanes: Lanes::default(),
                ended: EndedTurns::default(),
            }),
        })
    }

    /// Adds the agent and the tools of work in the background, where somebody does it.
    fn add_research(&mut self, notices: &NoticeOwner) -> Result<Option<JobsOwner>, BuildError> {
        let Some(researcher) = self.researcher.take() else {
            return Ok(None);
        };
        let jobs = Arc::new(Jobs::new(
            researcher,
            self.research.clone(),
            self.clock.clone(),
            notices.shared(),
            self.records.clone(),
        ));
        for tool in jobs::tools(&jobs) {
            self.registry.register_erased(tool)?;
        }
        self.agents.push(Arc::new(ResearchAgent::default()));
        Ok(Some(JobsOwner(jobs)))
    }
}
