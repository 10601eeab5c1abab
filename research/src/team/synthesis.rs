//! From what the steps found to one answer, and how sure that is.

use super::briefs::{self, Brief};
use super::coordination::CoordinationAgent;
use super::finding::Finding;
use super::plan::StepId;
use super::verify::{Verification, contradicts};
use crate::answer::AnswerKind;
use crate::ask::Asked;
use crate::prompts::Task;
use crate::resources::Resources;
use crate::run::Head;
use futures_util::future::BoxFuture;
use incar_core::Lang;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// What two findings of the answer that contradict each other leave of its confidence.
const CONTRADICTED: f64 = 0.6;

/// An answer as the model puts it together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Synthesis {
    /// Whether the findings answer the question.
    pub(crate) known: bool,
    /// The answer in a few sentences; what comes from a source ends in its number: [3].
    pub(crate) answer: String,
    /// The bare answer, without a sentence around it.
    pub(crate) value: String,
    /// The steps whose findings the answer rests on.
    pub(crate) steps: Vec<StepId>,
}

/// What the team came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Conclusion {
    /// The answer; empty where nothing was found.
    pub(crate) answer: String,
    pub(crate) value: String,
    /// The steps that it rests on, and all that these rest on.
    pub(crate) rests_on: BTreeSet<StepId>,
    pub(crate) confidence: f64,
    pub(crate) abstained: bool,
}

impl Conclusion {
    /// Nothing was found.
    pub(crate) fn nothing() -> Self {
        Self {
            answer: String::new(),
            value: String::new(),
            rests_on: BTreeSet::new(),
            confidence: 0.0,
            abstained: true,
        }
    }

    /// What a synthesis comes to. Without one the answer is what the last steps found.
    pub(crate) fn of(synthesis: Option<Synthesis>, team: &CoordinationAgent) -> Self {
        let Some(plan) = team.plan() else {
            return Self::nothing();
        };
        let done: BTreeMap<&StepId, (&Finding, &Verification)> = team
            .steps()
            .filter_map(|(step, run)| Some((&step.id, run.done()?)))
            .collect();
        let synthesis = synthesis.unwrap_or_else(|| unsynthesised(plan.last().map(|step| &step.id), &done));
        let named: Vec<&StepId> = done.keys().copied().filter(|id| synthesis.steps.contains(id)).collect();
        // An answer that names no step of its own may rest on any.
        let used = if named.is_empty() {
            done.keys().copied().collect()
        } else {
            named
        };
        let rests_on = plan.with_all_before(used);
        let least = rests_on
            .iter()
            .map(|id| done.get(id).map_or(0.0, |(_, verification)| verification.confidence));
        let least = least.fold(1.0, f64::min);
        let findings: Vec<&Finding> = rests_on.iter().filter_map(|id| Some(done.get(id)?.0)).collect();
        let mut contradicted = 1.0;
        for (index, one) in findings.iter().enumerate() {
            let others = findings.iter().skip(index + 1).filter(|other| contradicts(one, other));
            others.for_each(|_| contradicted *= CONTRADICTED);
        }
        let planned = plan.steps().len().max(1);
        let confidence = least * contradicted * share(done.len(), planned);
        Self {
            abstained: !synthesis.known
                || synthesis.answer.trim().is_empty()
                || confidence < team.settings().abstain_below,
            rests_on: rests_on.into_iter().cloned().collect(),
            answer: synthesis.answer,
            value: synthesis.value,
            confidence,
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a plan has eight steps at most")]
fn share(done: usize, planned: usize) -> f64 {
    done as f64 / planned as f64
}

/// What the last steps found, as it stands.
fn unsynthesised<'a>(
    last: impl Iterator<Item = &'a StepId>,
    done: &BTreeMap<&StepId, (&Finding, &Verification)>,
) -> Synthesis {
    let last: Vec<&StepId> = last.filter(|id| done.contains_key(id)).collect();
    let steps = if last.is_empty() {
        done.keys().copied().collect()
    } else {
        last
    };
    let findings: Vec<&Finding> = steps.iter().filter_map(|id| Some(done.get(id)?.0)).collect();
    let values: Vec<&str> = findings.iter().filter_map(|finding| finding.value.as_deref()).collect();
    Synthesis {
        known: true,
        answer: findings
            .iter()
            .map(|finding| finding.answer.as_str())
            .collect::<Vec<_>>()
            .join("\n"),
        value: values.join(", "),
        steps: steps.into_iter().cloned().collect(),
    }
}

/// The answer from what the steps found.
pub(super) fn ask<'a>(
    resources: &'a Resources,
    head: &Head,
    team: &CoordinationAgent,
    kind: AnswerKind,
) -> BoxFuture<'a, Asked<Synthesis>> {
    let lang = head.lang;
    let failed = team.steps().filter_map(|(step, run)| Some((step, run.failed()?)));
    let values = [
        ("question", head.question.as_str()),
        ("kind", in_words(kind, lang)),
        ("steps", &briefs::done(team, None, lang)),
        ("failed", &briefs::failed(failed, lang)),
    ];
    let brief = Brief::new(resources, head, Task::TeamSynthesise, &values);
    Box::pin(brief.ask(|_: &Synthesis| None))
}

fn in_words(kind: AnswerKind, lang: Lang) -> &'static str {
    match kind {
        AnswerKind::Text => lang.pick("文字（名称、日期或一句话）", "words (a name, a date, a sentence)"),
        AnswerKind::Integer => lang.pick("整数", "a whole number"),
        AnswerKind::Number => lang.pick("数字，保留小数", "a number with its decimals"),
        AnswerKind::List => lang.pick("几项，用逗号分开", "several things, with commas between them"),
    }
}
