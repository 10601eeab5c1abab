//! What runs work with.

use crate::id::GivenNames;
use crate::profile::ModelProfile;
use crate::progress::{Progress, ProgressListener, ProgressSender};
use crate::storage::{MemoryStorage, Storage};
use crate::team::LongTermMemory;
use crate::telemetry;
use incar_core::{
    AllowAll, ChatModel, ChatRequest, Clock, Effect, ErrorKind, Lang, Message, ModelError, ModelReply, PolicyGate,
    RegistryError, Seat, Speaker, Tool, ToolRegistry, ToolSet, Usage, estimate_tokens,
};
use std::sync::Arc;
use tracing::Instrument;

/// What runs work with: a model, tools that only read, and where runs are kept.
///
/// Cheap to clone; all runs over one of these share its listeners.
#[derive(Debug, Clone)]
pub struct Resources {
    pub(crate) model: Arc<dyn ChatModel>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) registry: Arc<ToolRegistry>,
    /// What the model is offered of the registry: all of it.
    pub(crate) offered: ToolSet,
    pub(crate) gate: Arc<dyn PolicyGate>,
    pub(crate) storage: Arc<dyn Storage>,
    pub(crate) given: Arc<GivenNames>,
    pub(crate) speaker: Speaker,
    pub(crate) profile: ModelProfile,
    pub(crate) progress: ProgressSender,
    /// What earlier runs found.
    pub(crate) memory: Option<LongTermMemory>,
}

/// Why a tool is none for research.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ToolFault {
    /// It does something to the world. Research reads; deeds are the assistant's, which asks the driver.
    #[error("`{0}` does something to the world; research only reads")]
    Acts(String),
    /// Its name is taken or no name.
    #[error(transparent)]
    Name(#[from] RegistryError),
}

impl Resources {
    /// A model and a clock; no tools, every read allowed, runs kept in memory.
    pub fn new(model: Arc<dyn ChatModel>, clock: Arc<dyn Clock>) -> Self {
        Self {
            model,
            clock,
            registry: Arc::default(),
            offered: ToolSet::new(Vec::new()),
            gate: Arc::new(AllowAll),
            storage: Arc::new(MemoryStorage::default()),
            given: Arc::default(),
            speaker: Speaker::new("research", Seat::Outside),
            profile: ModelProfile::default(),
            progress: ProgressSender::default(),
            memory: None,
        }
    }

    /// The same with another model.
    #[must_use]
    pub fn with_model(mut self, model: Arc<dyn ChatModel>) -> Self {
        self.model = model;
        self
    }

    /// The same with these tools beside those that are there.
    ///
    /// # Errors
    /// [`ToolFault`] for one that may do more than read, or whose name is taken.
    pub fn with_tools(mut self, tools: impl IntoIterator<Item = Arc<dyn Tool>>) -> Result<Self, ToolFault> {
        let mut registry = (*self.registry).clone();
        for tool in tools {
            if tool.spec().effect != Effect::Read {
                return Err(ToolFault::Acts(tool.spec().name.to_string()));
            }
            registry.register_erased(tool)?;
        }
        self.offered = ToolSet::new(registry.iter().map(|tool| tool.spec().clone()).collect());
        self.registry = Arc::new(registry);
        Ok(self)
    }

    /// The same; what may be read is decided by `gate`.
    #[must_use]
    pub fn with_policies(mut self, gate: Arc<dyn PolicyGate>) -> Self {
        self.gate = gate;
        self
    }

    /// The same; runs are kept in `storage`.
    #[must_use]
    pub fn with_storage(mut self, storage: Arc<dyn Storage>) -> Self {
        self.storage = storage;
        self
    }

    /// The same; the team recalls what earlier runs found, and keeps what it finds. Without it nothing is remembered.
    #[must_use]
    pub fn with_memory(mut self, memory: LongTermMemory) -> Self {
        self.memory = Some(memory);
        self
    }

    /// The same for `speaker`, as tools and policies know them.
    #[must_use]
    pub fn for_speaker(mut self, speaker: Speaker) -> Self {
        self.speaker = speaker;
        self
    }

    /// The same with another profile of the model. What of it is the service's own must be set where its client is made.
    #[must_use]
    pub fn with_profile(mut self, profile: ModelProfile) -> Self {
        self.profile = profile;
        self
    }

    /// A listener to all runs over these resources.
    pub fn listen(&self) -> ProgressListener {
        self.progress.listen()
    }

    pub(crate) fn tell(&self, event: Progress) {
        self.progress.send(event);
    }

    /// Asks the model once, by the profile's time. Its tokens are estimated where its service does not count them.
    pub(crate) async fn reply(&self, request: Request<'_>) -> Result<ModelReply, ModelError> {
        let span = telemetry::chat(&*self.model);
        let reply = self.whole_reply(request).instrument(span.clone()).await;
        telemetry::replied(&span, &reply);
        reply
    }

    async fn whole_reply(&self, request: Request<'_>) -> Result<ModelReply, ModelError> {
        let mut asked =
            ChatRequest::new(request.system, request.messages, &self.speaker, request.lang).in_turn(request.run);
        if let Some(tools) = request.tools {
            asked = asked.with_tools(tools);
        }
        let collecting = ModelReply::collect(self.model.stream(asked));
        let Ok(collected) = tokio::time::timeout(self.profile.timeout, collecting).await else {
            let mut late = ModelError::unavailable("the model did not answer in time");
            late.kind = ErrorKind::Deadline;
            return Err(late);
        };
        let mut reply = collected?;
        if reply.finish.is_none() {
            return Err(ModelError::unavailable("the reply broke off"));
        }
        reply
            .usage
            .get_or_insert_with(|| estimated(&request, &reply.message.content));
        Ok(reply)
    }
}

/// What a model is asked.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Request<'a> {
    /// The run's name.
    pub(crate) run: &'a str,
    pub(crate) system: &'a str,
    pub(crate) messages: &'a [Message],
    /// `None`: it must answer in words.
    pub(crate) tools: Option<&'a ToolSet>,
    pub(crate) lang: Lang,
}

fn estimated(request: &Request<'_>, reply: &str) -> Usage {
    let said = request
        .messages
        .iter()
        .map(|message| estimate_tokens(message.content()))
        .sum::<u64>();
    Usage::new(estimate_tokens(request.system) + said, estimate_tokens(reply))
}
