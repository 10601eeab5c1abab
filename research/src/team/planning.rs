//! The planning agent: from a question to steps, and from what failed to other steps.

use super::briefs::{self, Brief};
use super::coordination::CoordinationAgent;
use super::plan::{MOST, Plan, PlanFault, Step, StepId};
use crate::ask::{AskError, Asked};
use crate::prompts::Task;
use crate::resources::Resources;
use crate::run::Head;
use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What the model plans.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Draft {
    /// The steps.
    #[schemars(length(min = 1, max = 8))]
    steps: Vec<Step>,
}

/// Plans, and plans anew where steps failed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlanningAgent<'a> {
    pub(crate) resources: &'a Resources,
}

impl<'a> PlanningAgent<'a> {
    /// A plan for the question; what is done of an earlier one is kept in it.
    pub(crate) fn plan(self, head: &Head, team: &CoordinationAgent) -> BoxFuture<'a, Asked<Plan>> {
        let lang = head.lang;
        let tools = briefs::tools(self.resources, lang);
        let usual = [("question", head.question.as_str()), ("tools", &tools)];
        let brief = match team.plan() {
            None => {
                let recalled = briefs::recalled(team, lang);
                let values = [&usual[..], &[("recalled", &recalled)]].concat();
                Brief::new(self.resources, head, Task::TeamPlan, &values)
            }
            Some(_) => {
                let failed = team.failed().iter().map(|(step, error)| (step, error));
                let values = [
                    ("done", briefs::done(team, None, lang)),
                    ("failed", briefs::failed(failed, lang)),
                    ("events", briefs::events(team)),
                ];
                let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
                Brief::new(self.resources, head, Task::TeamReplan, &[&usual[..], &values].concat())
            }
        };
        let kept: Vec<Step> = team
            .steps()
            .filter(|(_, run)| run.done().is_some())
            .map(|(step, _)| step.clone())
            .collect();
        let failed: BTreeSet<StepId> = team.failed().iter().map(|(step, _)| step.id.clone()).collect();
        let resources = self.resources;
        Box::pin(async move {
            let tools: BTreeSet<&str> = resources.offered.specs().iter().map(|spec| &*spec.name).collect();
            let whole = |draft: &Draft| whole(&kept, &failed, draft, &tools);
            let asked = brief
                .ask(|draft| whole(draft).err().map(|fault| fault.to_string()))
                .await;
            Asked {
                usage: asked.usage,
                answer: asked.answer.and_then(|draft: Draft| {
                    // Judged already: the second look builds it.
                    whole(&draft).map_err(|fault| AskError::Unusable {
                        fault: fault.to_string(),
                        reply: String::new(),
                    })
                }),
            }
        })
    }
}

/// The plan of what is kept and what is new. A new step does not take the name of one that failed: its results would be
/// taken for those.
fn whole(kept: &[Step], failed: &BTreeSet<StepId>, draft: &Draft, tools: &BTreeSet<&str>) -> Result<Plan, PlanFault> {
    if let Some(step) = draft.steps.iter().find(|step| failed.contains(&step.id)) {
        return Err(PlanFault::Duplicate(step.id.clone()));
    }
    if kept.len() + draft.steps.len() > MOST {
        return Err(PlanFault::Count(kept.len() + draft.steps.len()));
    }
    Plan::new([kept, &draft.steps].concat(), tools)
}
