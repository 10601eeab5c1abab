//! A scenario file, and what came out otherwise than it says.

use incar_core::{ErrorKind, FinishReason, Outcome};
use incar_research::{
    AnswerKind, Progress, ReactLimits, ResearchAnswer, ResearchError, RunRecord, StepReport, StepState, TeamSettings,
};
use incar_testkit::{Asked, ScriptedReply};
use serde::Deserialize;
use std::path::Path;

/// A scenario.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scenario {
    /// What it shows.
    pub(crate) about: String,
    pub(crate) method: Method,
    #[serde(default)]
    pub(crate) budget: Bounds,
    pub(crate) depth: Option<usize>,
    #[serde(default)]
    pub(crate) team: TeamSettings,
    #[serde(default)]
    pub(crate) react: ReactLimits,
    /// What the web has; without it the offline corpus stands in.
    pub(crate) web: Option<Web>,
    #[serde(rename = "ask")]
    pub(crate) asks: Vec<Ask>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Method {
    Rounds,
    Deep,
    Team,
    React,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Bounds {
    pub(crate) rounds: Option<u32>,
    pub(crate) calls: Option<u32>,
    pub(crate) tokens: Option<u64>,
    pub(crate) request_tokens: Option<u64>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Web {
    #[serde(default)]
    pub(crate) search: Vec<Search>,
    #[serde(default)]
    pub(crate) page: Vec<WebPage>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Search {
    pub(crate) query: String,
    #[serde(default)]
    pub(crate) results: Vec<Hit>,
    /// Whether the service cannot be reached for this query.
    #[serde(default)]
    pub(crate) fails: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Hit {
    pub(crate) title: String,
    pub(crate) url: String,
    pub(crate) snippet: String,
    pub(crate) date: Option<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WebPage {
    pub(crate) url: String,
    pub(crate) title: String,
    pub(crate) text: String,
}

/// One question: the first of a scenario, one that follows it, or the run that broke off before.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ask {
    #[serde(default)]
    pub(crate) question: String,
    #[serde(default)]
    pub(crate) resume: bool,
    pub(crate) model: Vec<ScriptedReply>,
    pub(crate) expect: Expect,
}

/// What must come of it. What is not named is not judged.
#[derive(Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Expect {
    pub(crate) finish: Option<FinishReason>,
    pub(crate) error: Option<ErrorKind>,
    pub(crate) rounds: Option<u32>,
    /// The calls that ran, in order: `tool`, or `tool: outcome` where that is not ok.
    pub(crate) tools: Option<Vec<String>>,
    pub(crate) answer_has: Vec<String>,
    pub(crate) answer_lacks: Vec<String>,
    /// The titles of the cited sources, in order.
    pub(crate) cited: Option<Vec<String>>,
    pub(crate) removed: Option<usize>,
    /// The bare answer, as it is compared.
    pub(crate) normalized: Option<String>,
    /// How sure it is, in percent.
    pub(crate) confidence: Option<u32>,
    pub(crate) abstained: Option<bool>,
    /// What each step of a verified plan came to: `s1 supports 90 26.7公里`, `s2 error`.
    pub(crate) steps: Option<Vec<String>>,
    /// The reports, in order, without the run's name.
    pub(crate) reports: Option<Vec<String>>,
    /// What the last plan of each depth looks like, the deepest first seen last: `[x] step`.
    pub(crate) plans: Option<Vec<String>>,
    /// How many requests the model got.
    pub(crate) requests: Option<usize>,
    /// What stands in a request.
    pub(crate) asked: Vec<AskedFor>,
    /// What stands in a file.
    pub(crate) file: Vec<FileHas>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AskedFor {
    /// Which request, from 1.
    number: usize,
    #[serde(default)]
    has: Vec<String>,
    #[serde(default)]
    lacks: Vec<String>,
    /// Whether tools were offered.
    tools: Option<bool>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileHas {
    name: String,
    has: Vec<String>,
}

/// What was seen beside the answer.
#[derive(Debug)]
pub(crate) struct Seen<'a> {
    pub(crate) asked: &'a [Asked],
    /// Replies that nobody asked for.
    pub(crate) left: usize,
    pub(crate) events: Vec<Progress>,
    pub(crate) files: Vec<(String, String)>,
}

impl Scenario {
    /// All scenarios, by file.
    pub(crate) fn all() -> Vec<(String, Self)> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
        let mut paths: Vec<_> = std::fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect();
        paths.sort();
        assert!(!paths.is_empty());
        let read = |path: &std::path::PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let text = std::fs::read_to_string(path).unwrap();
            let scenario = toml::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
            (name, scenario)
        };
        paths.iter().map(read).collect()
    }
}

/// Adds a fault where two things differ.
fn same<T: PartialEq + std::fmt::Debug>(faults: &mut Vec<String>, what: &str, wanted: Option<&T>, came: &T) {
    if let Some(wanted) = wanted
        && wanted != came
    {
        faults.push(format!("{what}: {wanted:?} was expected, {came:?} came"));
    }
}

impl Expect {
    pub(crate) fn faults(&self, came: &Result<RunRecord, ResearchError>, seen: &Seen<'_>) -> Vec<String> {
        let mut faults = Vec::new();
        if seen.left > 0 {
            faults.push(format!("{} replies of the model were not asked for", seen.left));
        }
        same(&mut faults, "requests", self.requests.as_ref(), &seen.asked.len());
        for wanted in &self.asked {
            wanted.faults(seen.asked, &mut faults);
        }
        match (came, self.error) {
            (Ok(record), None) => self.record_faults(record, seen, &mut faults),
            (Err(error), Some(kind)) => same(&mut faults, "error", Some(&kind), &error.kind()),
            (Ok(record), Some(kind)) => faults.push(format!("{kind} was expected, an answer came: {}", record.answer)),
            (Err(error), None) => faults.push(format!("no answer: {error}")),
        }
        faults
    }

    fn record_faults(&self, record: &RunRecord, seen: &Seen<'_>, faults: &mut Vec<String>) {
        same(faults, "finish", self.finish.as_ref(), &record.finish);
        same(faults, "rounds", self.rounds.as_ref(), &record.spent.rounds);
        same(faults, "removed", self.removed.as_ref(), &record.removed_citations);
        let tools = record.tools.iter().map(|used| match used.outcome {
            Outcome::Ok => used.name.clone(),
            other => format!("{}: {}", used.name, other.as_str()),
        });
        same(faults, "tools", self.tools.as_ref(), &tools.collect());
        let cited = record.cited_sources().map(|source| source.title.clone());
        same(faults, "cited", self.cited.as_ref(), &cited.collect());
        let kind = AnswerKind::asked_by(&record.question).unwrap_or_default();
        let answer = ResearchAnswer::of(record.clone(), kind);
        same(faults, "normalized", self.normalized.as_ref(), &answer.normalized);
        same(
            faults,
            "confidence",
            self.confidence.as_ref(),
            &percent(answer.confidence.unwrap_or_default()),
        );
        same(faults, "abstained", self.abstained.as_ref(), &answer.abstained);
        let steps = record.verified.iter().flat_map(|verified| &verified.steps).map(step);
        same(faults, "steps", self.steps.as_ref(), &steps.collect());
        let prefix = format!("{}_", record.id);
        let reports = record.reports.iter().map(|file| file.as_str().replace(&prefix, ""));
        same(faults, "reports", self.reports.as_ref(), &reports.collect());
        same(faults, "plans", self.plans.as_ref(), &plans(&seen.events));
        let whole = record.with_sources();
        texts(faults, "the answer", &whole, &self.answer_has, &self.answer_lacks);
        for wanted in &self.file {
            let name = format!("{prefix}{}", wanted.name);
            match seen.files.iter().find(|(file, _)| *file == name) {
                Some((_, text)) => texts(faults, &wanted.name, text, &wanted.has, &[]),
                None => faults.push(format!("there is no file {name}")),
            }
        }
    }
}

fn percent(confidence: f64) -> u32 {
    (confidence * 100.0).round() as u32
}

fn step(step: &StepReport) -> String {
    let Some(verdict) = step.verdict else {
        return format!("{} error", step.id);
    };
    let value = step.value.as_deref().unwrap_or("-");
    let refuted = step
        .refuted
        .iter()
        .map(|old| format!(" (was {old})"))
        .collect::<String>();
    let verdict = format!("{verdict:?}").to_lowercase();
    format!("{} {verdict} {} {value}{refuted}", step.id, percent(step.confidence))
}

impl AskedFor {
    fn faults(&self, asked: &[Asked], faults: &mut Vec<String>) {
        let Some(request) = self.number.checked_sub(1).and_then(|index| asked.get(index)) else {
            faults.push(format!("there is no request {}", self.number));
            return;
        };
        let what = format!("request {}", self.number);
        let whole = format!(
            "{}\n{}",
            request.system,
            serde_json::to_string(&request.messages).unwrap()
        );
        texts(faults, &what, &whole, &self.has, &self.lacks);
        same(
            faults,
            &format!("{what}, tools"),
            self.tools.as_ref(),
            &request.tools.is_some(),
        );
    }
}

fn texts(faults: &mut Vec<String>, what: &str, text: &str, has: &[String], lacks: &[String]) {
    for part in has.iter().filter(|part| !text.contains(*part)) {
        faults.push(format!("{what} lacks {part:?}: {text}"));
    }
    for part in lacks.iter().filter(|part| text.contains(*part)) {
        faults.push(format!("{what} has {part:?}: {text}"));
    }
}

/// The last plan of each task, in the order in which the tasks began.
fn plans(events: &[Progress]) -> Vec<String> {
    let mut tasks: Vec<(&str, String)> = Vec::new();
    for event in events {
        let Progress::Planned { objective, steps, .. } = event else {
            continue;
        };
        let line = |step: &incar_research::PlanStep| {
            let mark = match step.state {
                StepState::Done => "[x]",
                StepState::Failed => "[!]",
                StepState::Running => "[>]",
                _ => "[ ]",
            };
            format!("{mark} {}", step.text)
        };
        let plan = steps.iter().map(line).collect::<Vec<_>>().join(" ");
        match tasks.iter_mut().find(|(task, _)| task == objective) {
            Some((_, last)) => *last = plan,
            None => tasks.push((objective, plan)),
        }
    }
    tasks.into_iter().map(|(_, plan)| plan).collect()
}
