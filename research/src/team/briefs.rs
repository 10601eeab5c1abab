//! What the agents are told of the state: text in prompts, whatever came from outside fenced.

use super::coordination::CoordinationAgent;
use super::finding::{Finding, Observed};
use super::plan::{Step, StepId};
use super::state::{StepError, StepRun};
use super::verify::{Fault, Stance, Verdict};
use crate::ask::{Asked, Question};
use crate::data::{fenced, one_line};
use crate::prompts::{Prompt, Task};
use crate::resources::Resources;
use crate::run::Head;
use incar_core::{Lang, Message};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeSet;

/// So many characters of one text in a result are shown.
const SHOWN: usize = 4_000;
/// So many of the last events are told to the planning agent.
const EVENTS: usize = 20;

/// A question to the model, whole: it needs nothing of the state any more.
#[derive(Debug)]
pub(super) struct Brief<'a> {
    resources: &'a Resources,
    run: String,
    prompt: Prompt,
    said: String,
    lang: Lang,
}

impl<'a> Brief<'a> {
    /// The prompt of a task with these values in their places.
    pub(super) fn new(resources: &'a Resources, head: &Head, task: Task, values: &[(&str, &str)]) -> Self {
        let prompt = Prompt::of(task, head.lang);
        Self {
            resources,
            run: head.id.to_string(),
            said: prompt.user(values),
            prompt,
            lang: head.lang,
        }
    }

    /// Asks for an answer that `judge` has nothing against.
    pub(super) async fn ask<T: DeserializeOwned + JsonSchema>(
        self,
        judge: impl Fn(&T) -> Option<String> + Send + Sync,
    ) -> Asked<T> {
        let messages = [Message::user(self.said)];
        let question = Question {
            run: &self.run,
            system: self.prompt.system,
            messages: &messages,
            lang: self.lang,
        };
        self.resources.ask(question, judge).await
    }
}

fn none(lang: Lang) -> String {
    lang.pick("（无）", "(none)").to_owned()
}

fn lines(lines: impl Iterator<Item = String>, lang: Lang) -> String {
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() { none(lang) } else { lines.join("\n") }
}

/// The tools that there are: name, what each does, its arguments.
pub(crate) fn tools(resources: &Resources, lang: Lang) -> String {
    let line = |spec: &std::sync::Arc<incar_core::ToolSpec>| {
        let arguments = spec.parameters.get("properties").unwrap_or(&Value::Null);
        format!("- {}: {} {arguments}", spec.name, spec.description.get(lang))
    };
    lines(resources.offered.specs().iter().map(line), lang)
}

/// What earlier runs found.
pub(super) fn recalled(team: &CoordinationAgent, lang: Lang) -> String {
    let told = team.recalled().iter().map(|earlier| {
        let sure = earlier
            .confidence
            .map(|sure| format!(" ({sure:.2})"))
            .unwrap_or_default();
        let (question, answer) = (one_line(&earlier.question, SHOWN), one_line(&earlier.answer, SHOWN));
        format!("{question} → {answer}{sure}")
    });
    let told: Vec<String> = told.collect();
    if told.is_empty() {
        none(lang)
    } else {
        fenced(&told.join("\n"))
    }
}

/// The last events of this run.
pub(super) fn events(team: &CoordinationAgent) -> String {
    fenced(&team.memory().recall(EVENTS).collect::<Vec<_>>().join("\n"))
}

/// The steps that are done, of `only` or of all.
pub(super) fn done(team: &CoordinationAgent, only: Option<&[StepId]>, lang: Lang) -> String {
    let wanted = |id: &StepId| only.is_none_or(|only| only.contains(id));
    let done = team.steps().filter(|(step, _)| wanted(&step.id));
    lines(done.filter_map(|(step, run)| step_done(step, run, lang)), lang)
}

fn step_done(step: &Step, run: &StepRun, lang: Lang) -> Option<String> {
    let (finding, verification) = run.done()?;
    let verdict = match verification.verdict {
        Verdict::Supports => lang.pick("已证实", "supported").to_owned(),
        Verdict::Insufficient => lang.pick("未定", "undecided").to_owned(),
        Verdict::Refutes => match &run.refuted {
            Some(old) => lang.pick(format!("已更正，原为 {old}"), format!("corrected, was {old}")),
            None => lang.pick("被推翻", "refuted").to_owned(),
        },
    };
    let sources: String = bearing(run).iter().map(|source| format!("[{source}]")).collect();
    let told = format!("{} {sources}", in_words(finding));
    Some(format!(
        "- {} {}（{verdict}，{:.2}）\n{}",
        step.id,
        step.task,
        verification.confidence,
        fenced(&told)
    ))
}

/// The sources that bear out what stands now: those for it, or those for its correction.
pub(super) fn bearing(run: &StepRun) -> BTreeSet<u32> {
    let stance = if run.refuted.is_some() {
        Stance::Refutes
    } else {
        Stance::Supports
    };
    let bearing = run.witnesses.iter().filter(|witness| witness.stance == stance);
    bearing.map(|witness| witness.source).collect()
}

/// A finding and its value.
pub(super) fn in_words(finding: &Finding) -> String {
    let value = match (&finding.about, &finding.value) {
        (Some(about), Some(value)) => format!(" ({about} = {value})"),
        (None, Some(value)) => format!(" ({value})"),
        (_, None) => String::new(),
    };
    format!("{}{value}", finding.answer)
}

/// Steps that failed, and whether they may be tried again.
pub(super) fn failed<'a>(steps: impl Iterator<Item = (&'a Step, &'a StepError)>, lang: Lang) -> String {
    let line = |(step, error): (&Step, &StepError)| {
        let again = match error.retryable() {
            true => lang.pick("可重试", "may be tried again"),
            false => lang.pick("不可重试", "not again"),
        };
        format!("- {} {}: {error} ({again})", step.id, step.task)
    };
    lines(steps.map(line), lang)
}

/// Calls and their results.
pub(super) fn observed<'a>(observed: impl Iterator<Item = &'a Observed>, lang: Lang) -> String {
    let told = observed.map(|seen| format!("- {} {}\n{}", seen.tool, seen.arguments, result(seen)));
    lines(told, lang)
}

/// A result, its long texts cut.
pub(super) fn result(observed: &Observed) -> String {
    let mut value = observed.value.clone();
    cut(&mut value);
    fenced(&value.to_string())
}

/// Calls without their results.
pub(super) fn made<'a>(observed: impl Iterator<Item = &'a Observed>, lang: Lang) -> String {
    lines(observed.map(|seen| format!("- {} {}", seen.tool, seen.arguments)), lang)
}

/// What is to be mended.
pub(super) fn told(faults: &[Fault], lang: Lang) -> String {
    lines(faults.iter().map(|fault| format!("- {}", fault.told(lang))), lang)
}

fn cut(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Some((end, _)) = text.char_indices().nth(SHOWN) {
                text.truncate(end);
                text.push('…');
            }
        }
        Value::Array(items) => items.iter_mut().for_each(cut),
        Value::Object(fields) => fields.values_mut().for_each(cut),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
