//! The execution agent: carries out a step, by a tool or by thought alone.

use super::briefs::{self, Brief};
use super::coordination::CoordinationAgent;
use super::finding::{Finding, Observed};
use super::plan::StepId;
use super::state::StepError;
use super::verify::VerificationAgent;
use super::work::Report;
use crate::ask::Asked;
use crate::progress::Progress;
use crate::prompts::Task;
use crate::resources::Resources;
use crate::run::Head;
use futures_util::future::BoxFuture;
use incar_core::ToolCall;
use incar_core::turn::CallResult;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A call as the model makes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct CallDraft {
    /// The tool's name.
    pub(crate) tool: String,
    /// Its arguments.
    pub(crate) arguments: Map<String, Value>,
}

/// What the model decides: one of the three.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Thought {
    /// Call a tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call: Option<CallDraft>,
    /// It is found out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    finding: Option<Finding>,
    /// It cannot be done, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stuck: Option<String>,
}

/// Carries out steps.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExecutionAgent<'a> {
    pub(crate) resources: &'a Resources,
}

impl<'a> ExecutionAgent<'a> {
    /// What is next for a step; `None` for a step that is not there.
    pub(crate) fn think(
        self,
        head: &Head,
        team: &CoordinationAgent,
        id: &StepId,
    ) -> Option<BoxFuture<'a, Asked<Thought>>> {
        let lang = head.lang;
        let (step, run) = team.step(id)?;
        let hint = match (&step.tool, team.may_call(run)) {
            (_, false) => lang
                .pick(
                    "（工具调用次数已用完，请直接给出 finding 或 stuck。）",
                    "(No calls are left: give a finding, or stuck.)",
                )
                .to_owned(),
            (Some(tool), true) if run.observed.is_empty() => {
                lang.pick(format!("（建议的工具：{tool}）"), format!("(Suggested tool: {tool})"))
            }
            (_, true) => String::new(),
        };
        let brief = Brief::new(
            self.resources,
            head,
            Task::TeamStep,
            &[
                ("question", &head.question),
                ("task", &step.task),
                ("hint", &hint),
                ("before", &briefs::done(team, Some(&step.after), lang)),
                ("tools", &briefs::tools(self.resources, lang)),
                ("observed", &briefs::observed(run.observed.iter(), lang)),
                ("told", &briefs::told(&run.told, lang)),
            ],
        );
        let resources = self.resources;
        resources.tell(Progress::Working {
            step: step.task.clone(),
        });
        Some(Box::pin(brief.ask(move |thought: &Thought| thought.fault(resources))))
    }

    /// What a thought comes to.
    pub(crate) fn report(self, step: StepId, thought: Thought, head: &Head, team: &CoordinationAgent) -> Report {
        match thought {
            Thought { call: Some(call), .. } => Report::Acts {
                step,
                tool: call.tool,
                arguments: Value::Object(call.arguments),
            },
            Thought {
                finding: Some(finding), ..
            } => {
                let observed = team.step(&step).map_or(&[][..], |(_, run)| &run.observed);
                let witnesses = VerificationAgent::own_witnesses(&finding, observed, &head.sources);
                Report::Found {
                    step,
                    finding,
                    witnesses,
                }
            }
            Thought { stuck, .. } => Report::GaveUp {
                step,
                error: StepError::Stuck {
                    why: stuck.unwrap_or_default(),
                },
            },
        }
    }

    /// Makes a step's call; `None` where it has none to make.
    pub(crate) fn call(self, head: &Head, team: &CoordinationAgent, id: &StepId) -> Option<BoxFuture<'a, Called>> {
        let call = team.call(id)?;
        let (name, arguments) = (call.tool.clone(), call.arguments.clone());
        let call = ToolCall::new(call.id.clone(), name.clone(), arguments.to_string());
        let found = |address: &str| is_known(address, head, team);
        let ready = self.resources.look_at(&call, head.caller(), found).ready;
        let (resources, lang, key) = (self.resources, head.lang, format!("{}/{}", head.id, call.id));
        Some(Box::pin(async move {
            let result = match ready {
                Ok(resolved) => resources.run(&name, &resolved.arguments, &key, lang).await,
                Err(result) => result,
            };
            Called {
                call,
                arguments,
                result,
            }
        }))
    }
}

/// A call and what came of it, before its sources have numbers.
#[derive(Debug)]
pub(crate) struct Called {
    call: ToolCall,
    arguments: Value,
    result: CallResult,
}

impl Called {
    /// Takes its sources in.
    pub(crate) fn observed(mut self, head: &mut Head, resources: &Resources) -> Observed {
        head.take_in(&self.call, &self.arguments, &mut self.result, resources);
        Observed {
            tool: self.call.name,
            arguments: self.arguments,
            outcome: self.result.outcome,
            value: self.result.value,
            untrusted: self.result.untrusted,
            error: self.result.error,
        }
    }
}

impl Thought {
    fn fault(&self, resources: &Resources) -> Option<String> {
        let said = [self.call.is_some(), self.finding.is_some(), self.stuck.is_some()];
        if said.into_iter().filter(|said| *said).count() != 1 {
            return Some("give exactly one of `call`, `finding` and `stuck`".to_owned());
        }
        self.call.as_ref().and_then(|call| call.fault(resources))
    }
}

impl CallDraft {
    pub(crate) fn fault(&self, resources: &Resources) -> Option<String> {
        let is_known = resources.tool(&self.tool).is_some();
        (!is_known).then(|| resources.registry.unknown(&self.tool))
    }
}

/// Whether somebody gave an address: the question or a result.
fn is_known(url: &str, head: &Head, team: &CoordinationAgent) -> bool {
    let seen = |observed: &Observed| observed.mentions(url);
    head.knows(url, &[])
        || team
            .steps()
            .any(|(_, run)| run.observed.iter().chain(&run.checked).any(seen))
}
