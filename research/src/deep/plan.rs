//! A task of deep research with its plan.

use super::outputs::{Decomposition, Gap, GapKind};
use crate::progress::{PlanStep, StepState};
use incar_core::Lang;
use serde::{Deserialize, Serialize};

/// A task on the stack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Subtask {
    pub(super) objective: String,
    pub(super) plan: Vec<PlanStep>,
    pub(super) gaps: Vec<Gap>,
}

impl Subtask {
    pub(super) fn new(objective: impl Into<String>) -> Self {
        Self {
            objective: objective.into(),
            plan: Vec::new(),
            gaps: Vec::new(),
        }
    }

    pub(super) fn take_up(&mut self, decomposition: Decomposition) {
        self.plan = decomposition.working_plan.into_iter().map(PlanStep::new).collect();
        self.gaps = decomposition.knowledge_gaps;
    }

    /// The first step that is not behind us is the one being done. Returns whether it was not yet.
    pub(super) fn go_on(&mut self) -> bool {
        let open = |step: &&mut PlanStep| matches!(step.state, StepState::Open | StepState::Running);
        let step = self.plan.iter_mut().find(open);
        step.is_some_and(|step| std::mem::replace(&mut step.state, StepState::Running) == StepState::Open)
    }

    /// Ticks steps and gaps by their numbers, from 1.
    pub(super) fn tick(&mut self, steps: &[usize], gaps: &[usize]) {
        for step in numbered(&mut self.plan, steps) {
            step.state = StepState::Done;
        }
        for gap in numbered(&mut self.gaps, gaps) {
            gap.closed = true;
        }
    }

    /// The step with that number, from 1.
    pub(super) fn step_mut(&mut self, number: usize) -> Option<&mut PlanStep> {
        self.plan.get_mut(number.checked_sub(1)?)
    }

    /// The plan as a model reads it.
    pub(super) fn plan_in_words(&self, lang: Lang) -> String {
        let line = |(index, step): (usize, &PlanStep)| {
            let mark = match step.state {
                StepState::Done => "[DONE] ",
                StepState::Failed => "[FAILED] ",
                StepState::Open | StepState::Running => "",
            };
            format!("{}. {mark}{}", index + 1, step.text)
        };
        lines(self.plan.iter().enumerate().map(line), lang)
    }

    /// The checklist of gaps as a model reads it.
    pub(super) fn gaps_in_words(&self, lang: Lang) -> String {
        let line = |(index, gap): (usize, &Gap)| {
            let tick = if gap.closed { "x" } else { " " };
            let kind = match gap.kind {
                GapKind::Required => "",
                GapKind::Perspective => lang.pick("（扩展）", " (perspective)"),
            };
            format!("{}. [{tick}] {}{kind}", index + 1, gap.text)
        };
        lines(self.gaps.iter().enumerate().map(line), lang)
    }
}

fn numbered<'a, T>(all: &'a mut [T], numbers: &'a [usize]) -> impl Iterator<Item = &'a mut T> {
    let items = all.iter_mut().enumerate();
    items.filter_map(|(index, item)| numbers.contains(&(index + 1)).then_some(item))
}

pub(super) fn lines(lines: impl Iterator<Item = String>, lang: Lang) -> String {
    let lines: Vec<String> = lines.collect();
    match lines.is_empty() {
        true => lang.pick("（无）", "(none)").to_owned(),
        false => lines.join("\n"),
    }
}
