//! The coordination agent: who does what next. It does nothing itself; it says what is to be done, is told what came of
//! it, and can be written down and read again at any step.

use super::finding::{Finding, Observed};
use super::memory::{Recollection, ShortTerm};
use super::plan::{Plan, Step, StepId};
use super::settings::TeamSettings;
use super::state::{Call, Stage, StepError, StepRun, is_retryable};
use super::synthesis::Conclusion;
use super::verify::{Basis, Fault, Stance, Verdict, Verification, Witness, contradicts, inspect, weigh};
use super::work::{Report, Work};
use incar_core::FinishReason;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// A step may think so often beside its calls.
const SPARE_THOUGHTS: usize = 3;

/// Where the team's work is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Phase {
    /// What earlier runs found is looked up.
    Recall,
    /// The planning agent plans, or plans anew.
    Plan,
    /// Steps are executed and verified.
    Execute,
    /// What was found becomes an answer.
    Synthesise,
    /// The answer is kept for later runs.
    Remember,
    /// All is done.
    Ended,
}

/// The team's work on one question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CoordinationAgent {
    settings: TeamSettings,
    phase: Phase,
    plan: Option<Plan>,
    steps: BTreeMap<StepId, StepRun>,
    /// Steps of earlier plans that failed, and why: the next plan is told.
    failed: Vec<(Step, StepError)>,
    replans: u32,
    /// Calls so far, for their names.
    calls: u32,
    memory: ShortTerm,
    recalled: Vec<Recollection>,
    finish: FinishReason,
    conclusion: Option<Conclusion>,
}

impl CoordinationAgent {
    /// The work on a question that follows these.
    pub(crate) fn new(settings: TeamSettings, earlier: Vec<Recollection>) -> Self {
        Self {
            settings,
            phase: Phase::Recall,
            plan: None,
            steps: BTreeMap::new(),
            failed: Vec::new(),
            replans: 0,
            calls: 0,
            memory: ShortTerm::default(),
            recalled: earlier,
            finish: FinishReason::Done,
            conclusion: None,
        }
    }

    pub(crate) fn settings(&self) -> &TeamSettings {
        &self.settings
    }

    #[cfg(test)]
    pub(crate) fn phase(&self) -> Phase {
        self.phase
    }

    pub(crate) fn plan(&self) -> Option<&Plan> {
        self.plan.as_ref()
    }

    pub(crate) fn memory(&self) -> &ShortTerm {
        &self.memory
    }

    pub(crate) fn recalled(&self) -> &[Recollection] {
        &self.recalled
    }

    pub(crate) fn failed(&self) -> &[(Step, StepError)] {
        &self.failed
    }

    /// What the team came to, once it ended.
    pub(crate) fn conclusion(&self) -> Option<&Conclusion> {
        self.conclusion.as_ref()
    }

    /// Why it ended, or would end: `done`, or the bound that was reached.
    pub(crate) fn finish(&self) -> FinishReason {
        self.finish
    }

    /// The planned steps, each with how far it is.
    pub(crate) fn steps(&self) -> impl Iterator<Item = (&Step, &StepRun)> {
        let planned = self.plan.iter().flat_map(Plan::steps);
        planned.filter_map(|step| Some((step, self.steps.get(&step.id)?)))
    }

    pub(crate) fn step(&self, id: &StepId) -> Option<(&Step, &StepRun)> {
        Some((self.plan.as_ref()?.step(id)?, self.steps.get(id)?))
    }

    /// The step's call that is to be made.
    pub(crate) fn call(&self, id: &StepId) -> Option<&Call> {
        match &self.steps.get(id)?.stage {
            Stage::Calling(call) | Stage::Checking(call) => Some(call),
            _ => None,
        }
    }

    /// Whether a step may make another call of its own.
    pub(crate) fn may_call(&self, run: &StepRun) -> bool {
        run.observed.len() < self.settings.calls_per_step
    }

    /// Everything that can be done now, at the same time.
    pub(crate) fn work(&self) -> Vec<Work> {
        match self.phase {
            Phase::Recall => vec![Work::Recall],
            Phase::Plan => vec![Work::Plan],
            Phase::Execute => self
                .steps()
                .filter_map(|(step, run)| step_work(&step.id, run))
                .collect(),
            Phase::Synthesise => vec![Work::Synthesise],
            Phase::Remember => vec![Work::Remember],
            Phase::Ended => Vec::new(),
        }
    }

    /// Goes on as far as nobody need do anything: ready steps begin; a plan that is done becomes an answer, one that
    /// failed becomes another. `bound` is the budget's, where it was reached.
    pub(crate) fn advance(&mut self, bound: Option<FinishReason>) {
        if let (Some(bound), Phase::Recall | Phase::Plan | Phase::Execute) = (bound, self.phase) {
            self.finish = bound;
            self.steps
                .values_mut()
                .filter(|run| run.done().is_none() && run.failed().is_none())
                .for_each(|run| {
                    run.stage = Stage::Failed(StepError::Budget);
                });
            self.phase = Phase::Synthesise;
        }
        if self.phase == Phase::Execute {
            self.execute();
        }
        if self.phase == Phase::Synthesise && self.steps().all(|(_, run)| run.done().is_none()) {
            self.conclusion = Some(Conclusion::nothing());
            self.phase = Phase::Ended;
        }
    }

    fn execute(&mut self) {
        let Some(plan) = &self.plan else { return };
        let has_failed = self.steps.values().any(|run| run.failed().is_some());
        if !has_failed {
            let done: BTreeSet<&StepId> = self
                .steps()
                .filter(|(_, run)| run.done().is_some())
                .map(|(step, _)| &step.id)
                .collect();
            let ready: Vec<StepId> = plan.ready(&done).into_iter().map(|step| step.id.clone()).collect();
            if ready.is_empty() {
                self.phase = Phase::Synthesise;
            }
            for id in ready {
                if let Some(run) = self.steps.get_mut(&id).filter(|run| run.stage == Stage::Waiting) {
                    run.stage = Stage::Thinking;
                }
            }
        } else if !self.steps.values().any(StepRun::is_active) {
            // What is on its way is brought to its end first: it is not to be done twice.
            if self.replans < self.settings.replans {
                self.replans += 1;
                self.phase = Phase::Plan;
                let failed = self
                    .steps()
                    .filter_map(|(step, run)| Some((step.clone(), run.failed()?.clone())));
                self.failed = failed.collect();
            } else {
                self.phase = Phase::Synthesise;
            }
        }
    }

    /// Takes in what came of a piece of work. What is no longer waited for (a step that the budget ended) is dropped.
    pub(crate) fn tell(&mut self, report: Report) {
        match (report, self.phase) {
            (Report::Recalled(recalled), Phase::Recall) => {
                self.recalled.extend(recalled);
                self.phase = Phase::Plan;
            }
            (Report::Planned(plan), Phase::Plan) => self.planned(plan),
            (Report::NotPlanned(fault), Phase::Plan) => {
                self.memory.remember(&format!("no new plan: {fault}"));
                self.phase = Phase::Synthesise;
            }
            (Report::Synthesised(synthesis), Phase::Synthesise) => {
                let conclusion = Conclusion::of(synthesis, self);
                self.phase = if conclusion.abstained {
                    Phase::Ended
                } else {
                    Phase::Remember
                };
                self.conclusion = Some(conclusion);
            }
            (Report::Remembered, Phase::Remember) => self.phase = Phase::Ended,
            (report, Phase::Execute) => self.tell_step(report),
            _ => {}
        }
    }

    fn planned(&mut self, plan: Plan) {
        let mut before = std::mem::take(&mut self.steps);
        for step in plan.steps() {
            let kept = before.remove(&step.id).filter(|run| run.done().is_some());
            self.steps.insert(step.id.clone(), kept.unwrap_or_default());
        }
        let names: Vec<&str> = plan.steps().iter().map(|step| step.task.as_str()).collect();
        self.memory.remember(&format!("planned: {}", names.join("; ")));
        self.plan = Some(plan);
        self.phase = Phase::Execute;
    }

    fn tell_step(&mut self, report: Report) {
        match report {
            Report::Acts { step, tool, arguments } => self.acts(&step, tool, arguments),
            Report::Found {
                step,
                finding,
                witnesses,
            } => self.found(&step, finding, witnesses),
            Report::GaveUp { step, error } => self.fail(&step, error),
            Report::Called { step, observed } => self.called(&step, observed),
            Report::Sought { step, call } => self.sought(&step, call),
            Report::Judged { step, witnesses } => self.judged(&step, witnesses),
            Report::Recalled(_)
            | Report::Planned(_)
            | Report::NotPlanned(_)
            | Report::Synthesised(_)
            | Report::Remembered => {}
        }
    }

    fn at(&mut self, id: &StepId, is_at: impl Fn(&Stage) -> bool) -> Option<&mut StepRun> {
        self.steps.get_mut(id).filter(|run| is_at(&run.stage))
    }

    fn new_call(&mut self, tool: String, arguments: serde_json::Value) -> Call {
        self.calls += 1;
        Call {
            id: format!("call_{}", self.calls),
            tool,
            arguments,
            tries: 0,
        }
    }

    fn acts(&mut self, id: &StepId, tool: String, arguments: serde_json::Value) {
        let most = self.settings.calls_per_step;
        let Some(run) = self.at(id, |stage| *stage == Stage::Thinking) else {
            return;
        };
        run.thoughts += 1;
        run.told.clear();
        let is_spent = run.observed.len() >= most || run.thoughts > most + SPARE_THOUGHTS;
        if is_spent {
            let last = run.observed.last().and_then(|seen| seen.error);
            return self.fail(id, StepError::Bounds { last });
        }
        if run.has_made(&tool, &arguments) {
            // It is told that it knows the result; that costs a thought.
            run.told.push(Fault::Repeated { tool });
            return;
        }
        let call = self.new_call(tool, arguments);
        if let Some(run) = self.steps.get_mut(id) {
            run.stage = Stage::Calling(call);
        }
    }

    fn called(&mut self, id: &StepId, observed: Observed) {
        let retries = self.settings.retries;
        let Some(run) = self.steps.get_mut(id) else { return };
        let again = observed.error.is_some_and(is_retryable);
        match &mut run.stage {
            Stage::Calling(call) | Stage::Checking(call) if again && call.tries < retries => call.tries += 1,
            Stage::Calling(_) => {
                run.observed.push(observed);
                run.stage = Stage::Thinking;
            }
            Stage::Checking(_) => {
                let has_sources = observed.error.is_none() && !observed.sources().is_empty();
                run.checked.push(observed);
                if has_sources {
                    run.stage = Stage::Judging;
                } else {
                    self.weigh_step(id);
                }
            }
            _ => {}
        }
    }

    fn found(&mut self, id: &StepId, finding: Finding, witnesses: Vec<Witness>) {
        let others = self
            .steps()
            .filter(|(step, _)| step.id != *id)
            .filter_map(|(step, run)| {
                let (other, _) = run.done()?;
                contradicts(&finding, other).then(|| Fault::Contradicts {
                    step: step.id.clone(),
                    value: other.value.clone().unwrap_or_default(),
                })
            });
        let contradictions: Vec<Fault> = others.collect();
        let Some(run) = self.at(id, |stage| *stage == Stage::Thinking) else {
            return;
        };
        let mut faults = inspect(&finding, &run.observed);
        run.thoughts += 1;
        run.told.clear();
        if !faults.is_empty() && !run.warned {
            run.warned = true;
            run.told = faults;
            return;
        }
        faults.extend(contradictions);
        run.finding = Some(finding);
        run.witnesses = witnesses;
        run.faults = faults;
        self.weigh_step(id);
    }

    fn sought(&mut self, id: &StepId, call: Option<(String, serde_json::Value)>) {
        if self.at(id, |stage| *stage == Stage::Seeking).is_none() {
            return;
        }
        let fresh =
            call.filter(|(tool, arguments)| self.steps.get(id).is_some_and(|run| !run.has_made(tool, arguments)));
        match fresh {
            Some((tool, arguments)) => {
                let call = self.new_call(tool, arguments);
                if let Some(run) = self.steps.get_mut(id) {
                    run.stage = Stage::Checking(call);
                }
            }
            None => self.settle(id),
        }
    }

    fn judged(&mut self, id: &StepId, witnesses: Vec<Witness>) {
        let Some(run) = self.at(id, |stage| *stage == Stage::Judging) else {
            return;
        };
        run.witnesses.extend(witnesses);
        self.weigh_step(id);
    }

    /// Looks for another source where that could matter; else the verdict stands.
    fn weigh_step(&mut self, id: &StepId) {
        let Some(verification) = self.verification(id) else {
            return;
        };
        let settings = self.settings;
        let Some(run) = self.steps.get_mut(id) else { return };
        let checks = u32::try_from(run.checked.len()).unwrap_or(u32::MAX);
        let is_disputed = run.witnesses.iter().any(|witness| witness.stance == Stance::Refutes)
            || run
                .faults
                .iter()
                .any(|fault| matches!(fault, Fault::Contradicts { .. }));
        let is_open = match checks {
            0 => verification.confidence < settings.sure_enough || is_disputed,
            // A dispute is worth another source until it is decided.
            _ => is_disputed && verification.confidence < settings.abstain_below,
        };
        let is_looked_up = !run.witnesses.is_empty() || run.observed.iter().any(|seen| seen.untrusted);
        if is_open && is_looked_up && checks < settings.checks {
            run.stage = Stage::Seeking;
        } else {
            self.settle(id);
        }
    }

    fn verification(&self, id: &StepId) -> Option<Verification> {
        let (step, run) = self.step(id)?;
        let finding = run.finding.as_ref()?;
        let is_looked_up = run.observed.iter().any(|seen| seen.untrusted && seen.error.is_none());
        let computed = finding.value.as_deref().unwrap_or(&finding.answer);
        let basis = if !run.witnesses.is_empty() || is_looked_up {
            Basis::Sources
        } else if run.observed.iter().any(|seen| seen.computed(computed)) {
            Basis::Computed
        } else {
            let sure = step
                .after
                .iter()
                .filter_map(|on| Some(self.steps.get(on)?.done()?.1.confidence));
            sure.min_by(f64::total_cmp).map_or(Basis::Thought, Basis::Findings)
        };
        Some(weigh(basis, &run.witnesses, run.faults.clone()))
    }

    fn settle(&mut self, id: &StepId) {
        let Some(verification) = self.verification(id) else {
            return;
        };
        let Some(run) = self.steps.get_mut(id) else { return };
        if let Some(correction) = &verification.corrected {
            run.correct(correction);
        }
        let answer = run.finding.as_ref().map_or("", |finding| finding.answer.as_str());
        let verdict = match verification.verdict {
            Verdict::Supports => "supported",
            Verdict::Refutes if verification.corrected.is_some() => "corrected",
            Verdict::Refutes => "refuted",
            Verdict::Insufficient => "undecided",
        };
        self.memory
            .remember(&format!("{id}: {answer} ({verdict}, {:.2})", verification.confidence));
        run.stage = Stage::Done(verification);
    }

    fn fail(&mut self, id: &StepId, error: StepError) {
        let event = format!("{id} failed: {error}");
        if let Some(run) = self.at(id, |stage| *stage == Stage::Thinking) {
            run.stage = Stage::Failed(error);
            self.memory.remember(&event);
        }
    }
}

fn step_work(id: &StepId, run: &StepRun) -> Option<Work> {
    match run.stage {
        Stage::Thinking => Some(Work::Think(id.clone())),
        Stage::Calling(_) | Stage::Checking(_) => Some(Work::Call(id.clone())),
        Stage::Seeking => Some(Work::Seek(id.clone())),
        Stage::Judging => Some(Work::Judge(id.clone())),
        Stage::Waiting | Stage::Done(_) | Stage::Failed(_) => None,
    }
}
