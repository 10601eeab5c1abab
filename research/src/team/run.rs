//! A team's run: what the coordination agent wants is done by the others, as much at once as may be, and kept at every
//! step.

use super::briefs;
use super::coordination::CoordinationAgent;
use super::execution::{Called, ExecutionAgent, Thought};
use super::memory::Recollection;
use super::plan::{Plan, Step, StepId};
use super::planning::PlanningAgent;
use super::report::StepReport;
use super::settings::TeamSettings;
use super::state::{Stage, StepError, StepRun};
use super::synthesis::{self, Conclusion, Synthesis};
use super::verify::{Judgement, Seek, VerificationAgent};
use super::work::{Report, Work};
use crate::answer::AnswerKind;
use crate::ask::{AskError, Asked};
use crate::error::ResearchError;
use crate::progress::{PlanStep, Progress, StepState};
use crate::record::{Method, RunRecord, Verified};
use crate::resources::Resources;
use crate::run::{AnyRunRef, Head, OUTAGES};
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use incar_core::{ModelError, StoreError};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// So many answers of earlier runs are recalled.
const RECALLED: usize = 3;

/// A run of the team on its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct TeamRun {
    pub(crate) head: Head,
    kind: AnswerKind,
    team: CoordinationAgent,
    /// What was begun and has not ended, in that order: a run that is taken up begins it again in the same order.
    begun: Vec<Work>,
    /// How often in a row the model did not answer.
    outages: u32,
}

/// What came of a piece of work, before it is told.
#[derive(Debug)]
enum Came {
    Recalled(Result<Vec<Recollection>, StoreError>),
    Planned(Asked<Plan>),
    Thought(StepId, Asked<Thought>),
    Called(StepId, Called),
    Sought(StepId, Asked<Seek>),
    Judged(StepId, Asked<Judgement>),
    Synthesised(Asked<Synthesis>),
    Remembered(Result<(), StoreError>),
}

/// What is done at the moment.
type Running<'a> = FuturesUnordered<BoxFuture<'a, (Work, Came)>>;

impl TeamRun {
    /// A run; `earlier` is what was asked and answered before, the oldest first.
    pub(crate) fn open(head: Head, kind: AnswerKind, settings: TeamSettings, earlier: &[RunRecord]) -> Self {
        Self {
            head,
            kind,
            team: CoordinationAgent::new(settings, earlier.iter().map(Recollection::of).collect()),
            begun: Vec::new(),
            outages: 0,
        }
    }

    /// Brings the run to its end. It is kept at every step.
    pub(crate) async fn finish(mut self, resources: &Resources) -> Result<RunRecord, ResearchError> {
        let watch = resources.stopwatch(&self.head);
        let mut running = Running::new();
        for work in std::mem::take(&mut self.begun) {
            self.start(work, &mut running, resources);
        }
        let mut told = Vec::new();
        loop {
            self.head.spent.time = watch.read(resources.clock.now());
            self.team.advance(self.head.budget.reached(&self.head.spent));
            let wanted = self.team.work();
            // At a bound nobody waits for what is on its way: it is called off, as it would be by a crash.
            if self.begun.iter().any(|work| !wanted.contains(work)) {
                running = Running::new();
                self.begun.clear();
            }
            resources.save(&self.head.id, AnyRunRef::Team(&self)).await?;
            self.tell_plan(&mut told, resources);
            let at_once = self.at_once();
            for work in wanted {
                if running.len() < at_once && !self.begun.contains(&work) {
                    self.start(work, &mut running, resources);
                }
            }
            let Some((work, came)) = running.next().await else {
                break;
            };
            self.begun.retain(|begun| *begun != work);
            match self.report(came, resources) {
                Ok(report) => {
                    self.outages = 0;
                    self.team.tell(report);
                }
                // It is still to be done, and is begun again.
                Err(Missed::Model(error)) if error.retryable && self.outages < OUTAGES => self.outages += 1,
                Err(Missed::Model(error)) => return Err(error.into()),
                Err(Missed::Unusable { fault, reply }) => return Err(ResearchError::Unusable { fault, reply }),
            }
        }
        drop(running);
        self.conclude(resources).await
    }

    /// So much may be done at the same time: no more than the budget has left, so that it is not overdrawn together.
    fn at_once(&self) -> usize {
        let left = self.head.budget.left(&self.head.spent);
        let left = usize::try_from(left.rounds.min(left.calls)).unwrap_or(usize::MAX);
        self.team.settings().parallel.min(left).max(1)
    }

    fn start<'a>(&mut self, work: Work, running: &mut Running<'a>, resources: &'a Resources) {
        if let Some(doing) = self.begin(&work, resources) {
            running.push(doing);
            self.begun.push(work);
        }
    }

    /// Begins a piece of work; `None` for one that the state knows nothing of.
    fn begin<'a>(&self, work: &Work, resources: &'a Resources) -> Option<BoxFuture<'a, (Work, Came)>> {
        let (head, team) = (&self.head, &self.team);
        let executing = ExecutionAgent { resources };
        let verifying = VerificationAgent { resources };
        let doing: BoxFuture<'a, Came> = match work {
            Work::Recall => self.recall(resources),
            Work::Plan => {
                let planning = PlanningAgent { resources }.plan(head, team);
                Box::pin(async { Came::Planned(planning.await) })
            }
            Work::Think(id) => {
                let (id, thinking) = (id.clone(), executing.think(head, team, id)?);
                Box::pin(async { Came::Thought(id, thinking.await) })
            }
            Work::Call(id) => {
                let (id, calling) = (id.clone(), executing.call(head, team, id)?);
                Box::pin(async { Came::Called(id, calling.await) })
            }
            Work::Seek(id) => {
                let (id, seeking) = (id.clone(), verifying.seek(head, team, id)?);
                Box::pin(async { Came::Sought(id, seeking.await) })
            }
            Work::Judge(id) => {
                let (id, judging) = (id.clone(), verifying.judge(head, team, id)?);
                Box::pin(async { Came::Judged(id, judging.await) })
            }
            Work::Synthesise => {
                let synthesising = synthesis::ask(resources, head, team, self.kind);
                Box::pin(async { Came::Synthesised(synthesising.await) })
            }
            Work::Remember => self.remember(resources),
        };
        let work = work.clone();
        Some(Box::pin(async move { (work, doing.await) }))
    }

    fn recall<'a>(&self, resources: &'a Resources) -> BoxFuture<'a, Came> {
        let question = self.head.question.clone();
        Box::pin(async move {
            Came::Recalled(match &resources.memory {
                Some(memory) => memory.search(&question, RECALLED).await,
                None => Ok(Vec::new()),
            })
        })
    }

    fn remember<'a>(&self, resources: &'a Resources) -> BoxFuture<'a, Came> {
        let id = self.head.id.to_string();
        let bearing: BTreeSet<u32> = self.team.steps().flat_map(|(_, run)| briefs::bearing(run)).collect();
        let sources = bearing.into_iter().filter_map(|number| self.head.sources.get(number));
        let answer = Recollection {
            question: self.head.question.clone(),
            answer: self
                .team
                .conclusion()
                .map(|conclusion| conclusion.answer.clone())
                .unwrap_or_default(),
            confidence: self.team.conclusion().map(|conclusion| conclusion.confidence),
            sources: sources.map(|source| source.url.clone()).collect(),
        };
        Box::pin(async move {
            Came::Remembered(match &resources.memory {
                Some(memory) => memory.keep(&id, &answer, &*resources.clock).await,
                None => Ok(()),
            })
        })
    }

    /// What a piece of work means for the coordination agent.
    fn report(&mut self, came: Came, resources: &Resources) -> Result<Report, Missed> {
        Ok(match came {
            Came::Recalled(recalled) => Report::Recalled(recalled.unwrap_or_else(|error| {
                tracing::warn!(run = %self.head.id, %error, "what earlier runs found is not known");
                Vec::new()
            })),
            Came::Planned(asked) => match self.answer(asked, resources) {
                Ok(plan) => Report::Planned(plan),
                Err(Missed::Unusable { fault, .. }) if self.team.plan().is_some() => Report::NotPlanned(fault),
                Err(missed) => return Err(missed),
            },
            Came::Thought(step, asked) => match self.answer(asked, resources) {
                Ok(thought) => ExecutionAgent { resources }.report(step, thought, &self.head, &self.team),
                Err(Missed::Unusable { fault, .. }) => Report::GaveUp {
                    step,
                    error: StepError::Unusable { fault },
                },
                Err(missed) => return Err(missed),
            },
            Came::Called(step, called) => {
                self.head.spent.calls += 1;
                let observed = called.observed(&mut self.head, resources);
                Report::Called { step, observed }
            }
            Came::Sought(step, asked) => {
                let sought = unless_unusable(self.answer(asked, resources))?;
                let call = sought.and_then(|sought| sought.call);
                Report::Sought {
                    step,
                    call: call.map(|call| (call.tool, call.arguments.into())),
                }
            }
            Came::Judged(step, asked) => {
                let judgement = unless_unusable(self.answer(asked, resources))?;
                let heard = |judgement| VerificationAgent::witnesses(judgement, &self.head, &self.team, &step);
                let witnesses = judgement.map(heard).unwrap_or_default();
                Report::Judged { step, witnesses }
            }
            Came::Synthesised(asked) => match self.answer(asked, resources) {
                Ok(synthesis) => Report::Synthesised(Some(synthesis)),
                // At a bound there is no other try: what the steps found is told.
                Err(Missed::Model(error)) if self.head.budget.reached(&self.head.spent).is_none() => {
                    return Err(Missed::Model(error));
                }
                Err(_) => Report::Synthesised(None),
            },
            Came::Remembered(kept) => {
                if let Err(error) = kept {
                    tracing::warn!(run = %self.head.id, %error, "the answer is not remembered");
                }
                Report::Remembered
            }
        })
    }

    /// Counts what an answer cost.
    fn answer<T>(&mut self, asked: Asked<T>, resources: &Resources) -> Result<T, Missed> {
        self.head.spent.rounds += 1;
        self.head.spend(asked.usage, resources);
        resources.tell(Progress::Round {
            number: self.head.spent.rounds,
        });
        asked.answer.map_err(|error| match error {
            AskError::Model(error) => Missed::Model(error),
            AskError::Unusable { fault, reply } => Missed::Unusable { fault, reply },
        })
    }

    /// Tells the plan, where it is another than was told before.
    fn tell_plan(&self, told: &mut Vec<PlanStep>, resources: &Resources) {
        let step = |step: &Step, run: &StepRun| PlanStep {
            text: step.task.clone(),
            state: state(run),
        };
        let steps: Vec<PlanStep> = self.team.steps().map(|(planned, run)| step(planned, run)).collect();
        if steps != *told {
            told.clone_from(&steps);
            resources.tell(Progress::Planned {
                objective: self.head.question.clone(),
                depth: 1,
                steps,
            });
        }
    }

    async fn conclude(self, resources: &Resources) -> Result<RunRecord, ResearchError> {
        let Self { head, team, .. } = self;
        let conclusion = team.conclusion().cloned().unwrap_or_else(Conclusion::nothing);
        let steps: Vec<StepReport> = team
            .steps()
            .map(|(step, run)| report(&step.id, &step.task, run))
            .collect();
        let text = match conclusion.abstained {
            true => abstention(&steps, &head),
            false => cited(&conclusion, &steps, &head),
        };
        let answer = head.sources.cite(&text);
        let mut record = head.into_record(Method::Team, answer, team.finish());
        record.verified = Some(Verified {
            value: if conclusion.abstained {
                String::new()
            } else {
                conclusion.value
            },
            confidence: conclusion.confidence,
            abstained: conclusion.abstained,
            steps,
        });
        resources.keep_record(&record).await?;
        resources.tell(Progress::Finished { reason: record.finish });
        Ok(record)
    }
}

/// Why a model's answer did not come.
#[derive(Debug)]
enum Missed {
    Model(ModelError),
    Unusable { fault: String, reply: String },
}

/// What was answered, or nothing where that could not be used.
fn unless_unusable<T>(answer: Result<T, Missed>) -> Result<Option<T>, Missed> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(Missed::Unusable { .. }) => Ok(None),
        Err(missed) => Err(missed),
    }
}

fn state(run: &StepRun) -> StepState {
    match run.stage {
        Stage::Waiting => StepState::Open,
        Stage::Thinking | Stage::Calling(_) | Stage::Seeking | Stage::Checking(_) | Stage::Judging => {
            StepState::Running
        }
        Stage::Done(_) => StepState::Done,
        Stage::Failed(_) => StepState::Failed,
    }
}

fn report(id: &StepId, task: &str, run: &StepRun) -> StepReport {
    let done = run.done();
    StepReport {
        id: id.clone(),
        task: task.to_owned(),
        answer: done.map(|(finding, _)| finding.answer.clone()).unwrap_or_default(),
        value: done.and_then(|(finding, _)| finding.value.clone()),
        refuted: run.refuted.clone(),
        verdict: done.map(|(_, verification)| verification.verdict),
        confidence: done.map_or(0.0, |(_, verification)| verification.confidence),
        sources: briefs::bearing(run).into_iter().collect(),
        error: run.failed().map(ToString::to_string),
    }
}

/// The answer with its sources. One that cites none cites those of the steps that it rests on.
fn cited(conclusion: &Conclusion, steps: &[StepReport], head: &Head) -> String {
    if !head.sources.cite(&conclusion.answer).numbers.is_empty() {
        return conclusion.answer.clone();
    }
    let resting = steps.iter().filter(|step| conclusion.rests_on.contains(&step.id));
    let sources: BTreeSet<u32> = resting.flat_map(|step| step.sources.iter().copied()).collect();
    let numbers: Vec<String> = sources.iter().map(u32::to_string).collect();
    match numbers.as_slice() {
        [] => conclusion.answer.clone(),
        numbers => format!("{} [{}]", conclusion.answer.trim_end(), numbers.join(", ")),
    }
}

/// What is said where what was found does not bear an answer: what is known.
fn abstention(steps: &[StepReport], head: &Head) -> String {
    let lang = head.lang;
    let mut text = lang
        .pick(
            "查到的资料不足以得出可靠的答案。",
            "What was found does not bear a reliable answer.",
        )
        .to_owned();
    let known: Vec<&StepReport> = steps.iter().filter(|step| !step.answer.is_empty()).collect();
    if !known.is_empty() {
        text.push_str(lang.pick("\n\n查到的情况：\n", "\n\nWhat was found:\n"));
    }
    for step in known {
        let sources: String = step.sources.iter().map(|source| format!("[{source}]")).collect();
        let sure = (step.confidence * 100.0).round();
        text.push_str(&lang.pick(
            format!("- {}：{}（把握 {sure}%）{sources}\n", step.task, step.answer),
            format!("- {}: {} ({sure}% sure) {sources}\n", step.task, step.answer),
        ));
    }
    text.trim_end().to_owned()
}
