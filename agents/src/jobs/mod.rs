//! Work that outlasts a turn: questions that a [`BackgroundAgent`] looks into while the driver goes on talking.
//!
//! - `table`: which jobs there are, and how each stands;
//! - `work`: one job from its beginning to its notice;
//! - `saved`: what of it outlives the process;
//! - `tools`: how speech and models start, follow and cancel one;
//! - `rule`: which utterances are a job for it, as far as code can tell;
//! - `offer`: what is asked about a call that the findings propose;
//! - `phrases`: what is said.

mod offer;
mod phrases;
mod rule;
mod saved;
mod table;
mod tools;
mod work;

pub(crate) use rule::wants_research;
pub(crate) use table::JobTally;
pub(crate) use tools::{START, STATUS, job_of, told_by, tools};

use crate::agent::{AgentProfile, ToolAgentBase};
use crate::notices::Notices;
use incar_core::{
    BackgroundAgent, Bilingual, CallShape, Clock, Job, JobState, Lang, Owner, RecordStore, ResearchFindings,
    ResearchProgress, StoreError, ToolCategory, ToolSet,
};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;
use table::{CalledOff, State, Table};

/// The bounds of work in the background.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ResearchSettings {
    /// How long one question may be looked into, whatever its worker does; then the driver is told that there is no
    /// answer. Default 20 minutes: a researcher has bounds of its own, and those come first.
    pub budget: Duration,
    /// How many questions are looked into at once, of all speakers together. A speaker has one. Default 8.
    pub most: usize,
    /// Who tells that an utterance is to be looked into. Default: code, by rules, and the model.
    pub handover: Handover,
}

/// Who tells that an utterance is to be looked into in the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Handover {
    /// Code, where the utterance says so plainly (it wants things compared, or a trip planned under several conditions): no
    /// model is asked then, so that the driver hears at once. Else the model.
    #[default]
    Rules,
    /// The model alone.
    Model,
}

impl Default for ResearchSettings {
    fn default() -> Self {
        Self {
            budget: Duration::from_secs(20 * 60),
            most: 8,
            handover: Handover::default(),
        }
    }
}

impl ResearchSettings {
    /// The same with this time for one question.
    #[must_use]
    pub fn with_budget(mut self, budget: Duration) -> Self {
        self.budget = budget;
        self
    }

    /// The same with so many questions at once.
    #[must_use]
    pub fn with_most(mut self, most: usize) -> Self {
        self.most = most;
        self
    }

    /// The same; `handover` tells what is to be looked into.
    #[must_use]
    pub fn with_handover(mut self, handover: Handover) -> Self {
        self.handover = handover;
        self
    }
}

/// How a speaker's work in the background stands: for a screen.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ResearchStatus {
    /// The job.
    pub job: Job,
    /// What is looked into.
    pub question: String,
    /// How far it is, or was.
    pub progress: ResearchProgress,
}

/// Looks into things in the background.
#[derive(Debug)]
pub(crate) struct ResearchAgent(AgentProfile);

/// The agent's name.
pub(crate) const AGENT: &str = "research";

impl Default for ResearchAgent {
    fn default() -> Self {
        let profile = AgentProfile::new(AGENT, Bilingual::new("后台查询", "Research in the background"))
            .can(
                "在后台查资料、比较、做有多个条件的计划",
                "look things up, compare, and plan under several conditions, in the background",
            )
            .can("告诉进展、取消", "tell how far it is, cancel it")
            .uses(ToolCategory::RESEARCH)
            .with_priority(10);
        Self(profile)
    }
}

impl ToolAgentBase for ResearchAgent {
    fn profile(&self) -> &AgentProfile {
        &self.0
    }
}

/// What the driver is told of a job, with what is offered after it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Told {
    pub(crate) question: String,
    pub(crate) lang: Lang,
    pub(crate) findings: Arc<ResearchFindings>,
}

/// The jobs of an assistant. Those that run end with it.
#[derive(Debug)]
pub(crate) struct Jobs {
    researcher: Arc<dyn BackgroundAgent>,
    settings: ResearchSettings,
    clock: Arc<dyn Clock>,
    notices: Arc<Notices>,
    records: Option<Arc<dyn RecordStore>>,
    /// What may be offered; known once the assistant is put together.
    offered: OnceLock<ToolSet>,
    tally: JobTally,
    table: Mutex<Table>,
}

impl Jobs {
    pub(crate) fn new(
        researcher: Arc<dyn BackgroundAgent>,
        settings: ResearchSettings,
        clock: Arc<dyn Clock>,
        notices: Arc<Notices>,
        records: Option<Arc<dyn RecordStore>>,
    ) -> Self {
        Self {
            researcher,
            settings,
            clock,
            notices,
            records,
            offered: OnceLock::new(),
            tally: JobTally::default(),
            table: Mutex::default(),
        }
    }

    /// The tools whose calls may be offered after an answer.
    pub(crate) fn may_offer(&self, tools: ToolSet) {
        // Set once, when the assistant is built.
        let _ = self.offered.set(tools);
    }

    pub(crate) fn handover(&self) -> Handover {
        self.settings.handover
    }

    pub(crate) fn tally(&self) -> &JobTally {
        &self.tally
    }

    /// What is asked about a call that findings propose; `None` where it cannot be offered.
    pub(crate) fn question_about(&self, call: &CallShape, lang: Lang) -> Option<String> {
        offer::question(call, self.offered.get()?, lang)
    }

    /// The newest job of a speaker.
    pub(crate) fn status(&self, owner: &Owner) -> Option<ResearchStatus> {
        Some(self.table().newest(owner)?.status())
    }

    /// What job `id` found, and for whom.
    pub(crate) fn found(&self, id: &str) -> Option<(Owner, Told)> {
        let mut table = self.table();
        let entry = table.get_mut(id)?;
        Some((entry.owner(), entry.told()?))
    }

    /// The speaker hears what job `id` found, in its notice or because they asked: what, and who.
    pub(crate) async fn heard(&self, id: &str) -> Option<(Owner, Told)> {
        let found = self.found(id)?;
        self.notices.withdraw(id);
        self.unsave(&found.0, id).await;
        Some(found)
    }

    /// Why the newest job of a speaker came to nothing, told now.
    fn failure(&self, owner: &Owner) -> Option<String> {
        let table = self.table();
        let entry = table.newest(owner)?;
        let failure = match &entry.state {
            State::Failed(error) => error.message.clone(),
            State::Lost => String::new(),
            State::Running(_) | State::Done(_) | State::Cancelled => return None,
        };
        self.notices.withdraw(&entry.task.id);
        Some(failure)
    }

    /// Calls off the newest job of a speaker.
    async fn call_off(&self, owner: &Owner) -> (CalledOff, Option<Job>) {
        let (called_off, job) = self.table().call_off(owner, |id| self.notices.withdraw(id));
        if let Some(job) = &job {
            self.unsave(owner, &job.id).await;
        }
        if called_off == CalledOff::Stopped {
            self.tally.count(JobState::Cancelled);
        }
        (called_off, job)
    }

    /// Ends what runs for a speaker, and forgets all of theirs.
    pub(crate) async fn forget(&self, owner: &Owner) -> Result<(), StoreError> {
        self.table().forget(owner);
        self.unsave_all(owner).await
    }

    /// Ends whatever runs.
    fn shut_down(&self) {
        self.table().stop_all();
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the jobs once the assistant is gone, whoever still holds one of its tools.
#[derive(Debug)]
pub(crate) struct JobsOwner(pub(crate) Arc<Jobs>);

impl Drop for JobsOwner {
    fn drop(&mut self) {
        self.0.shut_down();
    }
}

impl std::ops::Deref for JobsOwner {
    type Target = Arc<Jobs>;

    fn deref(&self) -> &Arc<Jobs> {
        &self.0
    }
}

fn job(id: &str, state: JobState) -> Job {
    Job::new(id, state)
}
