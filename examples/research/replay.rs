//! A recorded model: one of the scenarios that the tests play.

use crate::Failure;
use incar::ChatModel;
use incar::research::{Budget, Method};
use incar_testkit::{ScriptedModel, ScriptedReply};
use serde::Deserialize;
use std::path::Path;
use std::sync::Arc;

/// What is played unless a file is named.
const SHIPPED: &str = include_str!("../../research/tests/scenarios/002_plan_to_report.toml");

/// A question, and what the model replied, round by round.
#[derive(Debug)]
pub(crate) struct Replay {
    pub(crate) about: String,
    pub(crate) method: Method,
    pub(crate) question: String,
    /// How deep tasks stack, where that is not the usual.
    pub(crate) depth: Option<usize>,
    /// What it may spend, where that is not the usual.
    pub(crate) bounds: Bounds,
    replies: Vec<ScriptedReply>,
}

/// Bounds of a scenario.
#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Bounds {
    rounds: Option<u32>,
    calls: Option<u32>,
    tokens: Option<u64>,
    request_tokens: Option<u64>,
}

impl Bounds {
    pub(crate) fn of(self, budget: Budget) -> Budget {
        budget
            .with_rounds(self.rounds.unwrap_or(budget.rounds))
            .with_calls(self.calls.unwrap_or(budget.calls))
            .with_tokens(self.tokens.unwrap_or(budget.tokens))
            .with_request_tokens(self.request_tokens.unwrap_or(budget.request_tokens))
    }
}

/// What of a scenario file is played: the rest says what the tests expect.
#[derive(Deserialize)]
struct Scenario {
    about: String,
    method: Method,
    depth: Option<usize>,
    #[serde(default)]
    budget: Bounds,
    web: Option<serde_json::Value>,
    ask: Vec<Ask>,
}

#[derive(Deserialize)]
struct Ask {
    question: String,
    model: Vec<ScriptedReply>,
}

/// The replay in a file, else the one that ships.
pub(crate) fn read(file: Option<&Path>) -> Result<Replay, Failure> {
    let text = match file {
        Some(file) => std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?,
        None => SHIPPED.to_owned(),
    };
    let scenario: Scenario = toml::from_str(&text)?;
    if scenario.web.is_some() {
        return Err(
            "this scenario has a web of its own, which only the tests have; take one without [[web.search]]".into(),
        );
    }
    let Some(first) = scenario.ask.into_iter().next() else {
        return Err("this scenario asks nothing".into());
    };
    Ok(Replay {
        about: scenario.about,
        method: scenario.method,
        bounds: scenario.budget,
        depth: scenario.depth,
        question: first.question,
        replies: first.model,
    })
}

impl Replay {
    pub(crate) fn model(&self) -> Arc<dyn ChatModel> {
        let model = ScriptedModel::default();
        self.replies.iter().cloned().for_each(|reply| model.push(reply));
        Arc::new(model)
    }
}
