//! Who is asked.

use crate::answer::AnswerKind;
use crate::budget::Budget;
use crate::deep::DeepRun;
use crate::error::{ResearchError, checked};
use crate::id::RunId;
use crate::progress::{Progress, ProgressSender};
use crate::react::{ReactLimits, ReactRun};
use crate::record::RunRecord;
use crate::resources::Resources;
use crate::run::{AnyRun, AnyRunRef, Head, RECORD, STATE, state_file};
use crate::team::{TeamRun, TeamSettings};
use incar_core::{Lang, Timestamp};

/// Answers questions over many rounds, and takes up runs that were broken off.
///
/// Every run is kept in the resources' storage at every step: dropping the future, or the process's end, loses nothing
/// that was saved, and [`Researcher::resume`] goes on from there.
///
/// ```no_run
/// # async fn example(model: std::sync::Arc<dyn incar_core::ChatModel>, clock: std::sync::Arc<dyn incar_core::Clock>)
/// # -> Result<(), Box<dyn std::error::Error>> {
/// use incar_research::{FolderStorage, Researcher, Resources};
/// use std::sync::Arc;
///
/// let resources = Resources::new(model, clock)
///     .with_tools(incar_web::WebTools::offline().tools())?
///     .with_storage(Arc::new(FolderStorage::open("runs")?));
/// let researcher = Researcher::new(resources);
/// let answer = researcher.research("杭州湾跨海大桥和港珠澳大桥哪个长？").await?;
/// let more = researcher.follow_up(&answer.id, "它们各是哪年通车的？").await?;
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Researcher {
    resources: Resources,
    budget: Budget,
    deep_budget: Budget,
    depth: usize,
    team_budget: Budget,
    team: TeamSettings,
    react: ReactLimits,
}

impl Researcher {
    /// How deep subtasks stack unless set; the question is the first.
    pub const DEPTH: usize = 3;

    /// A researcher with the default budgets.
    pub fn new(resources: Resources) -> Self {
        Self {
            resources,
            budget: Budget::default(),
            deep_budget: Budget::deep(),
            depth: Self::DEPTH,
            team_budget: Budget::team(),
            team: TeamSettings::default(),
            react: ReactLimits::default(),
        }
    }

    /// The same with another budget for the team.
    #[must_use]
    pub fn with_team_budget(mut self, budget: Budget) -> Self {
        self.team_budget = budget;
        self
    }

    /// The same with other settings of the team.
    #[must_use]
    pub fn with_team(mut self, settings: TeamSettings) -> Self {
        self.team = settings;
        self
    }

    /// The same with other bounds of ReAct text mode.
    #[must_use]
    pub fn with_react(mut self, limits: ReactLimits) -> Self {
        self.react = limits;
        self
    }

    /// The same with another budget for multi-round research.
    #[must_use]
    pub fn with_budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// The same with another budget for deep research.
    #[must_use]
    pub fn with_deep_budget(mut self, budget: Budget) -> Self {
        self.deep_budget = budget;
        self
    }

    /// The same; in deep research subtasks stack so deep, the question included. 3 unless set, at least 1.
    #[must_use]
    pub fn with_depth(mut self, depth: usize) -> Self {
        self.depth = depth.max(1);
        self
    }

    /// The same, heard by other listeners.
    pub(crate) fn telling(&self, progress: ProgressSender) -> Self {
        let mut researcher = self.clone();
        researcher.resources.progress = progress;
        researcher
    }

    /// What it works with.
    pub fn resources(&self) -> &Resources {
        &self.resources
    }

    /// Answers a question over as many rounds as the model wants and the budget allows, in the language of the question.
    ///
    /// # Errors
    /// [`ResearchError`] where there is no answer. At a bound there is one: what is known by then.
    pub async fn research(&self, question: &str) -> Result<RunRecord, ResearchError> {
        self.rounds(question, language(question), None).await
    }

    /// The same for a question about an earlier answer, which the model sees with its question.
    ///
    /// # Errors
    /// [`ResearchError::UnknownRun`] where there is no such answer, and as for [`Researcher::research`].
    pub async fn follow_up(&self, earlier: &RunId, question: &str) -> Result<RunRecord, ResearchError> {
        let record = self.record(earlier).await?;
        let record = record.ok_or_else(|| ResearchError::UnknownRun(earlier.clone()))?;
        self.rounds(question, language(question), Some(&record)).await
    }

    /// Answers a question with a plan, subtasks, intermediate reports and a detailed one, which are written to the storage
    /// as `<run>_inprocess_report_1.md`, … and `<run>_detailed_report.md`.
    ///
    /// # Errors
    /// As for [`Researcher::research`].
    pub async fn deep_research(&self, question: &str) -> Result<RunRecord, ResearchError> {
        self.deep(question, language(question)).await
    }

    /// Answers a question by a team: one agent plans, one executes, one verifies and one coordinates them. The record says
    /// how sure the answer is, and whether the team abstains ([`RunRecord::verified`]).
    ///
    /// # Errors
    /// As for [`Researcher::research`].
    pub async fn team_research(&self, question: &str, kind: AnswerKind) -> Result<RunRecord, ResearchError> {
        self.by_team(question, language(question), kind, None).await
    }

    /// Answers a question by thoughts and actions in text, for models without tool calling.
    ///
    /// # Errors
    /// As for [`Researcher::research`].
    pub async fn react(&self, question: &str) -> Result<RunRecord, ResearchError> {
        self.by_react(question, language(question), None).await
    }

    /// Brings a run to its end that was broken off. Of a run that ended already its record is returned.
    ///
    /// # Errors
    /// [`ResearchError::UnknownRun`] where there is no such run, and as for [`Researcher::research`].
    pub async fn resume(&self, id: &RunId) -> Result<RunRecord, ResearchError> {
        if let Some(record) = self.record(id).await? {
            return Ok(record);
        }
        let run = self.resources.load(id).await?;
        self.work(run, Begin::Resumed).await
    }

    /// What is kept of a run that ended; `None` where there is none.
    ///
    /// # Errors
    /// Where it cannot be read.
    pub async fn record(&self, id: &RunId) -> Result<Option<RunRecord>, ResearchError> {
        self.resources.record(id).await
    }

    /// Removes everything that is kept of a run: its state, its record, its reports.
    ///
    /// # Errors
    /// Where some of it is still there.
    pub async fn forget(&self, id: &RunId) -> Result<(), ResearchError> {
        let storage = &self.resources.storage;
        let prefix = format!("{id}_");
        for name in storage.names().await? {
            if name.as_str().starts_with(&prefix) {
                storage.remove(&name).await?;
            }
        }
        Ok(())
    }

    /// The runs that were broken off, and those that others are working on, by name.
    ///
    /// # Errors
    /// Where the storage cannot be read.
    pub async fn unfinished(&self) -> Result<Vec<RunId>, ResearchError> {
        let names = self.resources.storage.names().await?;
        let of = |rest: &str| -> Vec<&str> {
            let ids = names.iter().filter_map(|name| name.as_str().strip_suffix(rest));
            ids.filter_map(|id| id.strip_suffix('_')).collect()
        };
        let ended = of(RECORD);
        let open = of(STATE).into_iter().filter(|id| !ended.contains(id));
        Ok(open.filter_map(|id| RunId::new(id).ok()).collect())
    }

    pub(crate) async fn deep(&self, question: &str, lang: Lang) -> Result<RunRecord, ResearchError> {
        let question = checked(question)?;
        let (id, now) = self.new_run(question).await?;
        let run = DeepRun::open(id, question, lang, self.deep_budget, self.depth, now);
        self.resources.save(&run.head.id, AnyRunRef::Deep(&run)).await?;
        self.work(AnyRun::Deep(run), Begin::Anew).await
    }

    pub(crate) async fn by_team(
        &self,
        question: &str,
        lang: Lang,
        kind: AnswerKind,
        follows: Option<&RunRecord>,
    ) -> Result<RunRecord, ResearchError> {
        let head = self.new_head(question, lang, self.team_budget, follows).await?;
        let run = TeamRun::open(head, kind, self.team, &self.resources.earlier(follows).await?);
        self.work(AnyRun::Team(run), Begin::Anew).await
    }

    pub(crate) async fn by_react(
        &self,
        question: &str,
        lang: Lang,
        follows: Option<&RunRecord>,
    ) -> Result<RunRecord, ResearchError> {
        let head = self.new_head(question, lang, self.react.budget(), follows).await?;
        let earlier = self.resources.earlier(follows).await?;
        let run = ReactRun::open(head, self.react, &earlier, &self.resources);
        self.work(AnyRun::React(run), Begin::Anew).await
    }

    pub(crate) async fn rounds(
        &self,
        question: &str,
        lang: Lang,
        follows: Option<&RunRecord>,
    ) -> Result<RunRecord, ResearchError> {
        let question = checked(question)?;
        let (id, now) = self.new_run(question).await?;
        let opened = self
            .resources
            .open_rounds(id, question, lang, self.budget, now, follows);
        let run = opened.await?;
        self.resources.save(&run.head.id, AnyRunRef::Rounds(&run)).await?;
        self.work(AnyRun::Rounds(run), Begin::Anew).await
    }

    async fn work(&self, run: AnyRun, begin: Begin) -> Result<RunRecord, ResearchError> {
        self.resources.tell(Progress::Started {
            id: run.head().id.clone(),
            question: run.head().question.clone(),
            resumed: begin == Begin::Resumed,
        });
        run.finish(&self.resources).await
    }

    /// The head of a new run.
    async fn new_head(
        &self,
        question: &str,
        lang: Lang,
        budget: Budget,
        follows: Option<&RunRecord>,
    ) -> Result<Head, ResearchError> {
        let question = checked(question)?;
        let (id, now) = self.new_run(question).await?;
        Ok(Head::new(id, question, lang, budget, now).following(follows))
    }

    /// A name that no other run has.
    async fn new_run(&self, question: &str) -> Result<(RunId, Timestamp), ResearchError> {
        let now = self.resources.clock.now();
        let mut copy = 0;
        loop {
            let id = RunId::of(question, now, copy);
            let is_free = self.resources.given.give(&id, now);
            if is_free && self.resources.storage.get(&state_file(&id)).await?.is_none() {
                return Ok((id, now));
            }
            copy += 1;
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begin {
    Anew,
    Resumed,
}

fn language(question: &str) -> Lang {
    Lang::of_text(question).unwrap_or_default()
}
