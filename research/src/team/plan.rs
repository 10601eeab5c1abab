//! A plan: steps and what each must wait for.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A plan has so many steps.
pub(crate) const FEWEST: usize = 3;
pub(crate) const MOST: usize = 8;

/// The name of a step, unique in its plan.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct StepId(String);

impl StepId {
    /// The step of that name.
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// Its name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StepId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Borrow<str> for StepId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// One step of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// A short name, unique in the plan: s1, s2, …
    pub id: StepId,
    /// What is to be found out, so that it can be understood without the question.
    pub task: String,
    /// The tool that it most likely needs; left out where thinking is enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The steps whose results it needs.
    #[serde(default)]
    pub after: Vec<StepId>,
}

/// What is wrong with a plan.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlanFault {
    /// It has too few steps or too many.
    #[error("a plan has {FEWEST} to {MOST} steps, not {0}")]
    Count(usize),
    /// A step without a name or a task.
    #[error("the step `{0}` has no name or no task")]
    Blank(StepId),
    /// Two steps of one name.
    #[error("two steps are named `{0}`")]
    Duplicate(StepId),
    /// A step waits for one that is none of the plan.
    #[error("`{step}` waits for `{on}`, which is no step")]
    Dangling {
        /// The step that waits.
        step: StepId,
        /// What it waits for.
        on: StepId,
    },
    /// Steps that wait for each other, in a ring.
    #[error("these steps wait for each other: {}", list(.0))]
    Cycle(Vec<StepId>),
    /// A tool that is not there.
    #[error("`{step}` names the tool `{tool}`, which is not there")]
    UnknownTool {
        /// The step.
        step: StepId,
        /// The tool.
        tool: String,
    },
}

fn list(steps: &[StepId]) -> String {
    steps.iter().map(StepId::as_str).collect::<Vec<_>>().join(", ")
}

/// Steps that can be done in some order: as many as a plan has, each name once, nobody waits for what is not there or,
/// round about, for himself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Plan {
    steps: Vec<Step>,
}

impl Plan {
    /// A plan of these steps, whose tools are among `tools`.
    ///
    /// # Errors
    /// [`PlanFault`].
    pub fn new(steps: Vec<Step>, tools: &BTreeSet<&str>) -> Result<Self, PlanFault> {
        if !(FEWEST..=MOST).contains(&steps.len()) {
            return Err(PlanFault::Count(steps.len()));
        }
        let mut ids = BTreeSet::new();
        for step in &steps {
            if step.id.as_str().trim().is_empty() || step.task.trim().is_empty() {
                return Err(PlanFault::Blank(step.id.clone()));
            }
            if !ids.insert(&step.id) {
                return Err(PlanFault::Duplicate(step.id.clone()));
            }
        }
        for step in &steps {
            if let Some(on) = step.after.iter().find(|on| !ids.contains(on)) {
                return Err(PlanFault::Dangling {
                    step: step.id.clone(),
                    on: on.clone(),
                });
            }
            if let Some(tool) = step.tool.as_deref().filter(|tool| !tools.contains(tool)) {
                return Err(PlanFault::UnknownTool {
                    step: step.id.clone(),
                    tool: tool.to_owned(),
                });
            }
        }
        let plan = Self { steps };
        match plan.ring() {
            Some(ring) => Err(PlanFault::Cycle(ring)),
            None => Ok(plan),
        }
    }

    /// The steps, in the order in which they were planned.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The step of that name.
    pub fn step(&self, id: &StepId) -> Option<&Step> {
        self.steps.iter().find(|step| step.id == *id)
    }

    /// The steps that could be done now: those that wait for nothing but what is `done`, and are not done themselves.
    pub fn ready(&self, done: &BTreeSet<&StepId>) -> Vec<&Step> {
        let waits = |step: &&Step| !done.contains(&step.id) && step.after.iter().all(|on| done.contains(on));
        self.steps.iter().filter(waits).collect()
    }

    /// `steps` and all that they rest on, however far back.
    pub fn with_all_before<'a>(&'a self, steps: impl IntoIterator<Item = &'a StepId>) -> BTreeSet<&'a StepId> {
        let mut all = BTreeSet::new();
        let mut open: Vec<&StepId> = steps.into_iter().collect();
        while let Some(id) = open.pop() {
            if all.insert(id) {
                open.extend(self.step(id).into_iter().flat_map(|step| &step.after));
            }
        }
        all
    }

    /// The steps that nobody waits for: what the plan leads to.
    pub fn last(&self) -> impl Iterator<Item = &Step> {
        let waited: BTreeSet<&StepId> = self.steps.iter().flat_map(|step| &step.after).collect();
        self.steps.iter().filter(move |step| !waited.contains(&step.id))
    }

    /// Steps that wait for each other. What cannot be done in any order has such a ring in it.
    fn ring(&self) -> Option<Vec<StepId>> {
        let mut done: BTreeSet<&StepId> = BTreeSet::new();
        loop {
            let next: Vec<&StepId> = self.ready(&done).into_iter().map(|step| &step.id).collect();
            if next.is_empty() {
                break;
            }
            done.extend(next);
        }
        // Of the steps that are left each waits for another that is left: whoever follows them comes round.
        let stuck: BTreeMap<&StepId, &StepId> = self
            .steps
            .iter()
            .filter(|step| !done.contains(&step.id))
            .filter_map(|step| Some((&step.id, step.after.iter().find(|on| !done.contains(on))?)))
            .collect();
        let mut at = *stuck.keys().next()?;
        let mut path: Vec<&StepId> = Vec::new();
        loop {
            if let Some(from) = path.iter().position(|seen| *seen == at) {
                return Some(path.into_iter().skip(from).cloned().collect());
            }
            path.push(at);
            at = stuck.get(at)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// `s1`, `s2<s1`, `s3[tool]<s1,s2`
    fn steps(told: &[&str]) -> Vec<Step> {
        let step = |told: &&str| {
            let (head, after) = told.split_once('<').unwrap_or((told, ""));
            let (id, tool) = head.split_once('[').unwrap_or((head, ""));
            Step {
                id: StepId::new(id),
                task: format!("task of {id}"),
                tool: tool.strip_suffix(']').map(str::to_owned),
                after: after.split(',').filter(|id| !id.is_empty()).map(StepId::new).collect(),
            }
        };
        told.iter().map(step).collect()
    }

    fn plan(told: &[&str]) -> Result<Plan, PlanFault> {
        Plan::new(steps(told), &BTreeSet::from(["search_web"]))
    }

    fn ids(told: &[&str]) -> Vec<StepId> {
        told.iter().copied().map(StepId::new).collect()
    }

    #[test]
    fn what_is_no_plan_is_refused_with_what_is_wrong() {
        let dangling = |step: &str, on: &str| PlanFault::Dangling {
            step: StepId::new(step),
            on: StepId::new(on),
        };
        let tool = PlanFault::UnknownTool {
            step: StepId::new("b"),
            tool: "magic".into(),
        };
        for (told, fault) in [
            (&["a", "b"][..], PlanFault::Count(2)),
            (&["a", "b", "c", "d", "e", "f", "g", "h", "i"], PlanFault::Count(9)),
            (&["a", "b", "a"], PlanFault::Duplicate(StepId::new("a"))),
            (&["a", "", "c"], PlanFault::Blank(StepId::new(""))),
            (&["a", "b<z", "c"], dangling("b", "z")),
            (&["a", "b[magic]", "c"], tool),
            (&["a<a", "b", "c"], PlanFault::Cycle(ids(&["a"]))),
            (
                &["a", "b<a,d", "c<b", "d<c", "e<d"],
                PlanFault::Cycle(ids(&["b", "d", "c"])),
            ),
        ] {
            assert_eq!(plan(told), Err(fault), "{told:?}");
        }
    }

    #[test]
    fn steps_become_ready_as_what_they_wait_for_is_done() {
        let plan = plan(&["a[search_web]", "b", "c<a,b", "d<c"]).unwrap();
        let all = ids(&["a", "b", "c", "d"]);
        for (done, ready) in [
            (&[][..], &["a", "b"][..]),
            (&["a"], &["b"]),
            (&["a", "b"], &["c"]),
            (&["a", "b", "c"], &["d"]),
            (&["a", "b", "c", "d"], &[]),
        ] {
            let done: BTreeSet<&StepId> = all.iter().filter(|id| done.contains(&id.as_str())).collect();
            let found: Vec<&str> = plan.ready(&done).into_iter().map(|step| step.id.as_str()).collect();
            assert_eq!(found, ready, "{done:?}");
        }
        let last: Vec<&str> = plan.last().map(|step| step.id.as_str()).collect();
        assert_eq!(last, ["d"]);
        let before: Vec<&str> = plan
            .with_all_before([&all[2]])
            .into_iter()
            .map(StepId::as_str)
            .collect();
        assert_eq!(before, ["a", "b", "c"]);
    }

    proptest! {
        /// Whatever edges are drawn: a plan is taken if and only if its steps can be done one after the other.
        #[test]
        fn a_plan_can_be_done_and_what_cannot_is_none(
            edges in prop::collection::vec((0usize..6, 0usize..6), 0..12),
            count in 3usize..7,
        ) {
            let name = |index: usize| StepId::new(format!("s{index}"));
            let after = |index| edges.iter().filter(move |(from, on)| *from == index && *on < count).map(|(_, on)| name(*on));
            let steps: Vec<Step> = (0..count)
                .map(|index| Step { id: name(index), task: "t".into(), tool: None, after: after(index).collect() })
                .collect();
            match Plan::new(steps.clone(), &BTreeSet::new()) {
                Ok(plan) => {
                    let mut done = BTreeSet::new();
                    while done.len() < count {
                        let ready: Vec<&StepId> = plan.ready(&done).into_iter().map(|step| &step.id).collect();
                        prop_assert!(!ready.is_empty());
                        done.extend(ready);
                    }
                }
                Err(PlanFault::Cycle(ring)) => {
                    for (from, on) in ring.iter().zip(ring.iter().cycle().skip(1)) {
                        let step = steps.iter().find(|step| step.id == *from).unwrap();
                        prop_assert!(step.after.contains(on), "{from} does not wait for {on}");
                    }
                }
                Err(other) => prop_assert!(false, "{other}"),
            }
        }
    }
}
