//! The Assistant: one entry for every utterance.

mod builder;
mod decide;
mod lanes;
mod recovery;
mod session;
mod shortlist;
mod utterance;

pub use builder::{AssistantBuilder, BuildError};
pub use lanes::DoubleText;
pub(crate) use lanes::Interrupt;
pub use recovery::Recovered;
pub use utterance::Utterance;

use crate::act::offered_wish;
use crate::agent::{AgentProfile, ToolAgentBase};
use crate::runner::{Origin, Orphans, Progress, Ran, TurnRunner, TurnScope};
use crate::shape::openai_shape;
use crate::stream::{Events, TurnStream};
use decide::{Decided, in_language_of};
use incar_core::turn::{Dialogue, Ending, Opening, Turn, TurnSettings};
use incar_core::{
    AgentResponse, AgentStatus, CabinContext, CallShape, ErrorInfo, ErrorKind, ExpectsReply, FinishReason, Limits,
    ModelChoice, ModelReason, Pending, RecordStore, SessionId, SessionStore, Speaker, Timings, ToolCategory,
    ToolRegistry, ToolRouter, ToolSet, TurnEvent,
};
use incar_sessions::ShortTermMemory;
use lanes::Lanes;
use recovery::told_first;
use session::Found;
use shortlist::Shortlists;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Bounds and expiry.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The bounds of a turn.
    pub limits: Limits,
    /// How long a question waits for its answer. Default 5 minutes.
    pub wait: Duration,
    /// How long a flow waits for its next answer, where it does not say so itself. Default 7 days.
    pub flow_wait: Duration,
    /// How many of a speaker's last utterances are kept as context. Default 6.
    pub remembered: usize,
    /// How many utterances of a conversation that waits are kept: a question may stay open through any
    /// number of digressions. Default 50.
    pub conversation: usize,
    /// What a second utterance does while the first is served. Default: it interrupts.
    pub double_text: DoubleText,
    /// How long after a turn was cut short by the death of its process its wish is still fresh: calls
    /// that had not begun are run then, and those in doubt that do no harm twice are repeated. Later
    /// nothing runs. Default 2 minutes.
    pub take_up_within: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            wait: Duration::from_secs(5 * 60),
            flow_wait: Duration::from_secs(7 * 24 * 60 * 60),
            remembered: 6,
            conversation: 50,
            double_text: DoubleText::default(),
            take_up_within: Duration::from_secs(2 * 60),
        }
    }
}

impl Settings {
    /// The same with these bounds of a turn.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same with this expiry of questions.
    #[must_use]
    pub fn with_wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// The same with this expiry of flows.
    #[must_use]
    pub fn with_flow_wait(mut self, wait: Duration) -> Self {
        self.flow_wait = wait;
        self
    }

    /// The same with this many utterances kept as context.
    #[must_use]
    pub fn with_remembered(mut self, utterances: usize) -> Self {
        self.remembered = utterances;
        self
    }

    /// The same with this many utterances kept of a conversation that waits.
    #[must_use]
    pub fn with_conversation(mut self, utterances: usize) -> Self {
        self.conversation = utterances;
        self
    }

    /// The same with this policy for a second utterance while the first is served.
    #[must_use]
    pub fn with_double_text(mut self, policy: DoubleText) -> Self {
        self.double_text = policy;
        self
    }

    /// The same with wishes that were cut short fresh for `within`.
    #[must_use]
    pub fn with_take_up_within(mut self, within: Duration) -> Self {
        self.take_up_within = within;
        self
    }
}

/// What goes out of a running turn, what reaches into it, and when it was heard.
#[derive(Debug, Clone, Copy)]
struct Line<'a> {
    events: &'a Events,
    interrupt: &'a Interrupt,
    started: Instant,
}

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
    settings: Settings,
    /// Speakers whose utterance is being served.
    lanes: Lanes,
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
        self.inner.handle(utterance, &Events::none()).await
    }

    /// Serves one utterance and tells what happens as it happens. The turn runs to its end whether
    /// or not anyone reads; the last event is [`TurnEvent::Done`] with the response.
    ///
    /// Must be called within a tokio runtime.
    pub fn handle_streaming(&self, utterance: Utterance) -> TurnStream {
        let (events, stream) = Events::channel();
        let inner = self.inner.clone();
        tokio::spawn(async move {
            let response = inner.handle(utterance, &events).await;
            events.send(|| TurnEvent::Done {
                response: Box::new(response),
            });
        });
        stream
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

impl Inner {
    async fn handle(&self, utterance: Utterance, events: &Events) -> AgentResponse {
        let started = Instant::now();
        let turn_id = uuid::Uuid::new_v4().simple().to_string();
        events.send(|| TurnEvent::Heard {
            turn_id: turn_id.clone(),
            text: utterance.text.clone(),
        });
        let mut response = match self.serve(&turn_id, &utterance, events, started).await {
            Ok(response) => response,
            // What is no utterance is not repeated: it may be megabytes.
            Err(error) if error.kind == ErrorKind::InvalidInput => AgentResponse::failed(turn_id, "", error),
            Err(error) => AgentResponse::failed(turn_id, utterance.text.as_str(), error),
        };
        if response.timings.total_us == 0 {
            let total = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
            response.timings = Timings::new(total, 0, 0);
        }
        events.conclude(&response.message);
        if let Some(prompt) = &response.prompt {
            events.send(|| TurnEvent::Question { prompt: prompt.clone() });
        }
        response
    }

    async fn serve(
        &self,
        turn_id: &str,
        utterance: &Utterance,
        events: &Events,
        started: Instant,
    ) -> Result<AgentResponse, ErrorInfo> {
        let lang = utterance.lang;
        if utterance.text.chars().count() > utterance::LONGEST {
            let message = lang.pick(
                "这句话太长了，请说短一点。",
                "That was too long. Please say it shorter.",
            );
            return Err(ErrorInfo::new(ErrorKind::InvalidInput, message));
        }
        let owner = utterance.speaker.owner();
        let (said, policy) = (utterance.text.as_str(), self.settings.double_text);
        let cuts_off = |serving: &str| self.cuts_off(said, serving, lang);
        let place = self.lanes.enter(&owner, said, policy, cuts_off).await;
        let place = place.map_err(|_crowded| session::busy(lang))?;
        let line = Line {
            events,
            interrupt: place.interrupt(),
            started,
        };
        let (recovered, found) = self.find_after_recovery(utterance, &owner).await?;
        let served = match found {
            Ok(found) => self.serve_found(turn_id, utterance, found, &recovered, line).await,
            Err(error) => Err(error),
        };
        match (served, recovered.last()) {
            // The session that was named ended with the interrupted turn: this came of it.
            (Err(error), Some(last)) if error.kind == ErrorKind::UnknownSession => Ok(last.response.clone()),
            (Ok(mut response), _) => {
                told_first(&recovered, &mut response.message);
                Ok(response)
            }
            (Err(mut error), _) => {
                told_first(&recovered, &mut error.message);
                Err(error)
            }
        }
    }

    async fn serve_found(
        &self,
        turn_id: &str,
        utterance: &Utterance,
        found: Found,
        recovered: &[Recovered],
        line: Line<'_>,
    ) -> Result<AgentResponse, ErrorInfo> {
        let (owner, lang) = (utterance.speaker.owner(), utterance.lang);
        let (lease, dialogue, offer, expired) = match found {
            Found::Waiting(lease, dialogue) => (Some(lease), *dialogue, None, false),
            Found::Expired => return Ok(expired_response(turn_id, utterance)),
            Found::Nothing { expired } => {
                let memory = self.memory.recall(&owner, self.runner.clock.now());
                (None, Dialogue::new(memory.history), memory.offer, expired)
            }
        };
        let utterance = &in_language_of(utterance, &dialogue);
        let mut decided = self.decided(&utterance.text, &dialogue, offer);
        if !recovered.is_empty() && matches!(decided.opening, Opening::Consent(_)) {
            // The question may never have been heard: it is asked before it is answered.
            decided = Opening::Repeat.into();
        }
        let mut progress = self.progress(utterance, lease);
        if decided.opening == Opening::Repeat && dialogue.open_question().is_none() {
            let mut response = AgentResponse::new(
                turn_id,
                utterance.text.as_str(),
                AgentStatus::Success,
                FinishReason::Declined,
            );
            response.message = lang.pick("我在，请说。", "I'm listening.").into();
            return Ok(response);
        }
        let Ran {
            dialogue,
            ending,
            timings,
            model,
        } = self
            .turn(turn_id, utterance, dialogue, decided, line, &mut progress)
            .await;
        let nothing_done = ending.finish == FinishReason::Declined && ending.calls.is_empty();
        if expired && nothing_done {
            // It was no wish of its own: it answered a question that is not open any more.
            return Ok(expired_response(turn_id, utterance));
        }
        let offer = self.offer_of(&ending, utterance);
        let session_id = self
            .keep(progress, &owner, dialogue, &ending, offer.clone())
            .await
            .map_err(|error| session::store_failed(&error, lang))?;
        let mut response = self.respond(turn_id, utterance, ending, timings, model, session_id);
        response.data.offer = offer;
        Ok(response)
    }

    async fn turn(
        &self,
        turn_id: &str,
        utterance: &Utterance,
        dialogue: Dialogue,
        decided: Decided,
        line: Line<'_>,
        progress: &mut Progress<'_>,
    ) -> Ran {
        let lang = utterance.lang;
        let [zh, en] = &self.prompts;
        let (system, overhead) = lang.pick(zh, en);
        let settings = TurnSettings::new(turn_id, lang, self.runner.clock.now())
            .with_limits(self.settings.limits)
            .with_overhead(*overhead);
        let tools = self.offered(&utterance.text, &dialogue, lang);
        line.events.send(|| TurnEvent::Routed {
            agents: self.agents_of(&tools),
        });
        let context = self
            .context
            .as_ref()
            .and_then(|context| context.describe(&utterance.speaker, &tools));
        let preferences = self.preferences(&utterance.speaker).await;
        let turn = Turn::open(dialogue, decided.opening, utterance.text.trim(), context, settings);
        let scope = TurnScope {
            system,
            tools: &tools,
            speaker: &utterance.speaker,
            preferences: &preferences,
            lang,
            utterance: &utterance.text,
            steer: decided.steer.as_ref(),
            events: line.events,
            interrupt: line.interrupt,
            origin: Origin::Utterance,
        };
        self.runner.run(turn, scope, progress, line.started).await
    }

    fn respond(
        &self,
        turn_id: &str,
        utterance: &Utterance,
        ending: Ending,
        timings: Timings,
        model: Option<ModelChoice>,
        kept: Option<(SessionId, Dialogue)>,
    ) -> AgentResponse {
        let mut response = AgentResponse::new(turn_id, utterance.text.as_str(), ending.status, ending.finish);
        response.agent = self.agent_of(&ending);
        response.message = ending.message;
        response.prompt = ending.prompt;
        response.expects_reply = ending.expects;
        if ending.rounds > 0 {
            let configured = || ModelChoice::new(self.runner.model.name(), ModelReason::Configured);
            response.model = Some(model.unwrap_or_else(configured));
        }
        if let Some((id, dialogue)) = kept {
            response.session_id = Some(id.to_string());
            response.data.conversation_history = openai_shape(dialogue.history().messages());
        }
        for call in &ending.calls {
            if !response.data.tools_used.contains(&call.name) {
                response.data.tools_used.push(call.name.clone());
            }
        }
        response.data.tool_results = ending.calls;
        response.data.pending = ending.pending;
        response.data.queued = ending.queued;
        response.data.decisions = ending.decisions;
        response.data.rounds = ending.rounds;
        response.error = ending.error;
        response.usage = ending.usage;
        response.timings = timings;
        response
    }

    /// The call that the reply offers to make, where the device understands the offer.
    fn offer_of(&self, ending: &Ending, utterance: &Utterance) -> Option<CallShape> {
        if ending.expects != ExpectsReply::Optional {
            return None;
        }
        let wish = offered_wish(&ending.message)?;
        let router = self.router.as_ref()?;
        router.call_for(&wish, &self.tools, &utterance.speaker, utterance.lang)
    }

    /// Whose tools ran; where none did, whose tool waits; `assistant` for several and for none.
    fn agent_of(&self, ending: &Ending) -> String {
        let mut tools: Vec<&str> = ending.calls.iter().map(|call| call.name.as_str()).collect();
        if tools.is_empty() {
            tools.extend(ending.pending.as_ref().and_then(|pending| match pending {
                Pending::Confirm { confirm } => Some(confirm.tool.as_str()),
                Pending::Missing { tool, .. } => Some(tool.as_str()),
                _ => None,
            }));
        }
        let mut agents = tools.into_iter().filter_map(|tool| self.agent_with(tool));
        match agents.next() {
            Some(first) if agents.all(|agent| agent == first) => first.to_owned(),
            _ => "assistant".to_owned(),
        }
    }

    fn agent_with(&self, tool: &str) -> Option<&str> {
        let profile = self.profile_of(&self.tools.get(tool)?.category)?;
        Some(&profile.name)
    }

    /// The first agent that works with tools of this category.
    fn profile_of(&self, category: &ToolCategory) -> Option<&AgentProfile> {
        let mut profiles = self.agents.iter().map(|agent| agent.profile());
        profiles.find(|profile| profile.categories.contains(category))
    }
}

fn expired_response(turn_id: &str, utterance: &Utterance) -> AgentResponse {
    let mut response = AgentResponse::new(
        turn_id,
        utterance.text.as_str(),
        AgentStatus::Expired,
        FinishReason::Expired,
    );
    let message = utterance.lang.pick(
        "刚才的问题已经过期了，什么都没有做。需要的话请再说一次。",
        "That question has expired and nothing was done. Please say it again if you still want it.",
    );
    response.message = message.into();
    response
}
