//! What is kept of a run that ended.

use crate::budget::Spent;
use crate::id::{FileName, RunId};
use crate::sources::{Source, Sources};
use crate::team::StepReport;
use incar_core::{FinishReason, Lang, Outcome, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;

/// A run that ended: what was asked and answered, and what it took. Kept as `<id>_record.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RunRecord {
    /// The run.
    pub id: RunId,
    /// How it was answered.
    pub method: Method,
    /// The question.
    pub question: String,
    /// The language of both.
    pub lang: Lang,
    /// The answer, in Markdown; `[3]` cites the source with that number.
    pub answer: String,
    /// All sources that the run found, and those of the run that it follows.
    pub sources: Sources,
    /// The numbers of those that the answer cites.
    pub cited: BTreeSet<u32>,
    /// How many citations of the answer were no source, and were taken out.
    pub removed_citations: usize,
    /// Why it ended: `done`, or the bound that it reached.
    pub finish: FinishReason,
    /// What it spent: rounds, calls, tokens, time.
    pub spent: Spent,
    /// The calls, in the order in which they ended.
    pub tools: Vec<ToolUse>,
    /// The reports that were written, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reports: Vec<FileName>,
    /// What verification made of the answer, where the method verifies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<Verified>,
    /// The run whose answer this one asks further about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub follows: Option<RunId>,
    /// When it began.
    pub began: Timestamp,
    /// When it ended.
    pub ended: Timestamp,
}

/// What verification made of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Verified {
    /// The bare answer; empty where it abstains.
    pub value: String,
    /// How likely it is right, 0 to 1, computed from what the steps found.
    pub confidence: f64,
    /// Whether there is no answer because that is too little.
    pub abstained: bool,
    /// What each step found.
    pub steps: Vec<StepReport>,
}

/// How a question is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Method {
    /// Rounds of calls until the model calls no more.
    #[default]
    Rounds,
    /// A plan, subtasks, intermediate reports and a final one.
    Deep,
    /// Agents that plan, execute, verify and coordinate.
    Team,
    /// Thoughts and actions in text, for models without tool calling.
    React,
}

impl Method {
    /// Its name in JSON and in traces.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rounds => "rounds",
            Self::Deep => "deep",
            Self::Team => "team",
            Self::React => "react",
        }
    }
}

/// A call that a run made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ToolUse {
    /// The call.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments it was called with.
    pub arguments: Value,
    /// How it ended.
    pub outcome: Outcome,
}

impl ToolUse {
    pub(crate) fn new(id: String, name: String, arguments: Value, outcome: Outcome) -> Self {
        Self {
            id,
            name,
            arguments,
            outcome,
        }
    }
}

impl RunRecord {
    /// The sources that the answer cites, by number.
    pub fn cited_sources(&self) -> impl Iterator<Item = &Source> {
        self.cited.iter().filter_map(|number| self.sources.get(*number))
    }

    /// The answer with the list of its sources below it, in Markdown.
    pub fn with_sources(&self) -> String {
        with_sources(&self.answer, self.cited_sources(), self.lang)
    }
}

/// A text with a list of sources below it.
pub(crate) fn with_sources<'a>(text: &str, sources: impl Iterator<Item = &'a Source>, lang: Lang) -> String {
    let lines: Vec<String> = sources
        .map(|source| format!("- [{}] {} — {}\n", source.number, source.title, source.url))
        .collect();
    let text = text.trim_end();
    match lines.is_empty() {
        true => text.to_owned(),
        false => format!("{text}\n\n## {}\n\n{}", lang.pick("来源", "Sources"), lines.concat()),
    }
}
