//! The Assistant: one entry for every utterance.

mod barge_in;
mod builder;
mod decide;
mod ended;
mod lanes;
mod outside;
mod recovery;
mod requests;
mod research;
mod respond;
mod serve;
mod session;
mod settings;
mod shortlist;
mod unasked;
mod utterance;

pub use barge_in::BargeIn;
pub use builder::{AssistantBuilder, BuildError};
pub use lanes::DoubleText;
pub(crate) use lanes::Interrupt;
pub use outside::{OutsideAnswer, OutsideCall, OutsideConsent, OutsideState};
pub use recovery::Recovered;
pub use settings::{BackChannel, Holding, Settings};
pub use utterance::{Over, Utterance};

use crate::agent::ToolAgentBase;
use crate::counters::Tally;
use crate::jobs::JobsOwner;
use crate::notices::NoticeOwner;
use crate::runner::{Orphans, TurnRunner};
use crate::stream::{Events, TurnStream};
use ended::EndedTurns;
use incar_core::{
    AgentResponse, CabinContext, RecordStore, SessionId, SessionStore, Speaker, ToolRegistry, ToolRouter, ToolSet,
    TurnEvent,
};
use incar_sessions::ShortTermMemory;
use lanes::Lanes;
use requests::Requests;
use shortlist::Shortlists;
use std::sync::Arc;
use tracing::Instrument;
use uuid::Uuid;

#[derive(Debug)]
pub(crate) struct Inner {
    runner: TurnRunner,
    agents: Vec<Arc<dyn ToolAgentBase>>,
    tools: ToolSet,
    /// System prompt and estimated tokens of prompt and tools, Chinese and English.
    prompts: [(String, u64); 2],
    store: Arc<dyn SessionStore>,
    /// Claims of turns that were dropped on their way.
    orphans: Orphans,
    memory: ShortTermMemory,
    context: Option<Arc<dyn CabinContext>>,
    router: Option<Arc<dyn ToolRouter>>,
    records: Option<Arc<dyn RecordStore>>,
    shortlists: Shortlists,
    /// Calls from outside that wait for a yes, and what came of them.
    requests: Requests,
    settings: Settings,
    notices: NoticeOwner,
    /// What is looked into in the background, where somebody does.
    research: Option<JobsOwner>,
    tally: Tally,
    /// Speakers whose utterance is being served.
    lanes: Lanes,
    /// Turns whose replies may still be spoken.
    ended: EndedTurns,
}

/// The voice assistant of a car, or of many: hand it every utterance.
///
/// Cloning it is cheap; the clones are one assistant.
#[derive(Debug, Clone)]
pub struct Assistant {
    inner: Arc<Inner>,
}

impl Assistant {
    /// Starts to put one together.
    pub fn builder() -> AssistantBuilder {
        AssistantBuilder::default()
    }

    /// Serves one utterance. It never fails: what goes wrong is a response of status ERROR.
    ///
    /// Needs a tokio runtime with time enabled. Dropping the future cancels the turn; an effect
    /// that was under way is then in the journal without an outcome.
    pub async fn handle(&self, utterance: Utterance) -> AgentResponse {
        self.inner.handle(Uuid::new_v4(), utterance, &Events::none()).await
    }

    /// Serves one utterance and tells what happens as it happens. The turn runs to its end whether
    /// or not anyone reads; the last event is [`TurnEvent::Done`] with the response.
    ///
    /// Must be called within a tokio runtime.
    pub fn handle_streaming(&self, utterance: Utterance) -> TurnStream {
        let turn = Uuid::new_v4();
        let (events, stream) = Events::channel(turn, utterance.lang);
        let inner = self.inner.clone();
        let served = async move {
            let response = inner.handle(turn, utterance, &events).await;
            events.send(|| TurnEvent::Done {
                response: Box::new(response),
            });
        };
        tokio::spawn(served.in_current_span());
        stream
    }

    /// The speaker talks over a turn: whatever is on its way of it stops, and the conversation keeps
    /// what was heard. Call it as soon as the voice stops, with the id of the turn
    /// ([`TurnStream::turn_id`], [`AgentResponse::turn_id`]) and with what the voice had spoken of it: the
    /// sentences so far, in order, and the beginning of the one that was cut. A beginning of the message
    /// does as well.
    ///
    /// - **On its way**: its model is not listened to any more (the connection is closed), calls that may
    ///   be dropped are, those that run to their end do and their results stay in the conversation, and
    ///   nothing else begins. No sentence of it comes from its stream once this returns.
    /// - **Over, while the voice still speaks its reply**: of the reply the conversation keeps what was
    ///   heard, marked as cut off. A question that was not heard to its end stays open, and a yes is no
    ///   answer to it: the question is asked again first. An offer that was not heard is dropped.
    ///
    /// What was done stays done. The next utterance finds the truth.
    ///
    /// ```
    /// # async fn example(assistant: &incar_agents::Assistant, turn_id: &str) -> Result<(), incar_core::StoreError> {
    /// use incar_agents::BargeIn;
    /// if assistant.interrupt(turn_id, "It will be sunny in the").await? == BargeIn::Unknown {
    ///     // Too late: the speaker's next turn answers to the whole reply.
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Where the store fails that keeps the conversation.
    pub async fn interrupt(&self, turn_id: &str, spoken: &str) -> Result<BargeIn, incar_core::StoreError> {
        self.inner.interrupt(turn_id, spoken).await
    }

    /// The agents.
    pub fn agents(&self) -> &[Arc<dyn ToolAgentBase>] {
        &self.inner.agents
    }

    /// The tools.
    pub fn tools(&self) -> &ToolRegistry {
        &self.inner.runner.registry
    }

    /// The tools that are offered to the model.
    pub fn offered(&self) -> &ToolSet {
        &self.inner.tools
    }

    /// The name of the model.
    pub fn model_name(&self) -> &str {
        self.inner.runner.model.name()
    }

    /// The sessions that wait for a speaker, newest first.
    ///
    /// # Errors
    /// Where the store fails.
    pub async fn sessions(&self, speaker: &Speaker) -> Result<Vec<SessionId>, incar_core::StoreError> {
        let all = self.inner.store.list(&speaker.owner()).await?;
        Ok(all.into_iter().map(|(id, _)| id).collect())
    }

    /// Brings the turns to their end in whose middle a process died, and says what came of them, to
    /// be spoken. Call it once the services are there, before the first utterance. Without it, each is
    /// taken up by its speaker's next utterance; with a store that does not outlive the process there
    /// are none.
    ///
    /// Calls that were done are not done again. One in doubt is repeated under its idempotency key
    /// where its effect is `set` and the wish is fresh ([`Settings::take_up_within`]); else the driver
    /// is told that its outcome is unknown. No model is asked.
    ///
    /// # Errors
    /// Where the store fails.
    pub async fn recover(&self) -> Result<Vec<Recovered>, incar_core::StoreError> {
        self.inner.recover().await
    }

    /// Forgets a speaker: open questions, short-term memory, what the journal has of the seat, and
    /// lasting facts of the person (of the seat where the person is not known).
    ///
    /// # Errors
    /// [`StoreError::Busy`](incar_core::StoreError::Busy) while an utterance of the speaker is being
    /// served, else where a store fails; then some of it may be left.
    pub async fn forget(&self, speaker: &Speaker) -> Result<(), incar_core::StoreError> {
        self.inner.forget(speaker).await
    }
}
