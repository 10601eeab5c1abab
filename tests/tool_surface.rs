//! The tool surface is a contract: names, arguments, enums, classes; and every tool has what speech needs.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

use incar::{Effect, Interruption, Lang, ToolSpec};
use incar_testkit::Simulator;
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Duration;

const CONTRACT: &str = include_str!("tool_surface.txt");
const POSITIONS: &str = "driver,passenger,rear_left,rear_right,front,rear,left,right,third_row,all";

/// One line of the contract against one tool; what is wrong, in words.
fn wrong_with(spec: &ToolSpec, line: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut parts = line.split_whitespace().skip(1);
    let (category, effect) = (parts.next().unwrap(), parts.next().unwrap());
    let mut expect = |what: &str, expected: &dyn std::fmt::Debug, found: &dyn std::fmt::Debug| {
        let (expected, found) = (format!("{expected:?}"), format!("{found:?}"));
        if expected != found {
            wrong.push(format!("{what}: expected {expected}, found {found}"));
        }
    };
    expect("category", &category, &spec.category.as_str());
    expect("effect", &effect, &format!("{:?}", spec.effect).to_lowercase().as_str());
    let (mut names, mut required) = (BTreeSet::new(), BTreeSet::new());
    for part in parts {
        let (name, values) = part.split_once(':').unwrap_or((part, ""));
        let bare = name.trim_end_matches('*');
        names.insert(bare);
        if bare != name {
            required.insert(bare);
        }
        let schema = spec.argument(bare).cloned().unwrap_or_default();
        if let Some((low, high)) = values.split_once("..") {
            let bounds = [schema["minimum"].as_f64(), schema["maximum"].as_f64()];
            expect(bare, &[low.parse::<f64>().ok(), high.parse::<f64>().ok()], &bounds);
        } else {
            let values = if values == "Position" { POSITIONS } else { values };
            let expected: BTreeSet<&str> = values.split(',').filter(|value| !value.is_empty()).collect();
            let found: BTreeSet<&str> = schema["enum"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            expect(bare, &expected, &found);
        }
    }
    let found: BTreeSet<&str> = spec.parameters["properties"]
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    expect("arguments", &names, &found);
    expect("required", &required, &spec.required().collect::<BTreeSet<_>>());
    wrong
}

/// What speech and a runner need of every tool.
fn lacking(spec: &ToolSpec) -> Vec<String> {
    let mut lacking = Vec::new();
    for lang in [Lang::Zh, Lang::En] {
        if spec.description.get(lang).trim().is_empty() {
            lacking.push(format!("no description ({lang:?})"));
        }
        for argument in spec.required() {
            if spec
                .words
                .ask
                .get(argument)
                .is_none_or(|question| question.get(lang).trim().is_empty())
            {
                lacking.push(format!("no question for `{argument}` ({lang:?})"));
            }
        }
    }
    let words = serde_json::to_string(&*spec.words).unwrap();
    if !words.contains(|c: char| ('\u{4e00}'..='\u{9fff}').contains(&c)) {
        lacking.push("no Chinese words".into());
    }
    let patterns = spec.words.phrases.iter().flat_map(|phrase| &phrase.patterns);
    let topics = spec.words.topics.iter().flat_map(|topic| &topic.words);
    if !patterns
        .chain(topics)
        .any(|words| words.is_ascii() && words.contains(char::is_alphabetic))
    {
        lacking.push("no English words".into());
    }
    if spec.timeout < Duration::from_secs(1) {
        lacking.push(format!("a timeout of {:?}", spec.timeout));
    }
    match (spec.effect, spec.interruption) {
        (Effect::Read, Interruption::Cancellable) | (Effect::Set | Effect::Act, Interruption::RunsToEnd) => {}
        other => lacking.push(format!("interruption {other:?}")),
    }
    lacking
}

#[test]
fn every_tool_is_there_exactly_as_the_contract_says() {
    let simulator = Simulator::new().unwrap();
    let registry = simulator.assistant().tools();
    let lines: Vec<&str> = CONTRACT
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .collect();
    let mut failures = Vec::new();
    for line in &lines {
        let name = line.split(' ').next().unwrap();
        match registry.get(name) {
            Some(tool) => {
                let wrong = wrong_with(tool.spec(), line).into_iter().chain(lacking(tool.spec()));
                failures.extend(wrong.map(|wrong| format!("{name}: {wrong}")));
            }
            None => failures.push(format!("{name} is missing")),
        }
    }
    let known: BTreeSet<&str> = lines.iter().filter_map(|line| line.split(' ').next()).collect();
    let strangers = registry
        .iter()
        .map(|tool| tool.spec().name.to_string())
        .filter(|name| !known.contains(name.as_str()));
    failures.extend(strangers.map(|name| format!("{name} is not in the contract")));
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
