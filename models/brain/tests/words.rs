//! The words of the tools that ship, and what is found in words at fault.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod support;

use incar_brain::Brain;
use incar_core::words::ToolWords;
use incar_core::{Bilingual, Effect, ToolCategory, ToolSet, ToolSpec};
use serde_json::json;
use std::sync::Arc;
use support::tools;

#[test]
fn the_shipped_words_pass_the_lint() {
    let faults = Brain::new().lint(&tools());
    let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_required_argument_of_a_shipped_tool_can_be_said_or_asked_for() {
    for coverage in Brain::new().coverage(&tools()) {
        assert!(coverage.wordings + coverage.patterns > 0, "{coverage:?}");
        assert!(coverage.unasked.is_empty(), "{coverage:?}");
    }
}

fn lamp(name: &'static str, words: ToolWords) -> ToolSpec {
    let mut spec = ToolSpec::new(name, ToolCategory::CAR_CONTROL, Effect::Set, Bilingual::new(name, name));
    spec.parameters = json!({
        "type": "object",
        "properties": {"power": {"enum": ["on", "off"]}, "note": {"type": "string"}},
        "required": ["power"],
    });
    spec.with_words(words)
}

fn words() -> ToolWords {
    ToolWords::new()
        .topic(["灯笼", "lantern"])
        .value("power", "on", ["<open>"])
        .value("power", "off", ["<close>"])
        .ask("power", "开还是关？", "On or off?")
}

fn check(specs: Vec<ToolSpec>, expected: &[&str]) {
    let tools = ToolSet::new(specs.into_iter().map(Arc::new).collect());
    let faults = Brain::new().lint(&tools);
    let found: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(found, expected);
}

#[test]
fn words_at_fault_are_found() {
    check(vec![lamp("set_lamp", words())], &[]);
    check(
        vec![lamp("set_lamp", words().topic(["提灯", "提灯"]))],
        &["set_lamp: `提灯` stands twice in its list"],
    );
    check(
        vec![lamp("set_lamp", words().value("power", "dim", ["昏暗"]))],
        &["set_lamp: `\"dim\"` is no value of `power`"],
    );
    check(
        vec![lamp("set_lamp", words().value("colour", "red", ["红"]))],
        &["set_lamp: no argument `colour`"],
    );
    check(
        vec![lamp("set_lamp", words()), lamp("set_torch", words())],
        &[
            "set_lamp: `灯笼` names set_torch with equal right",
            "set_lamp: `lantern` names set_torch with equal right",
        ],
    );
    check(
        vec![
            lamp("set_lamp", words().phrase(["照亮前路"])),
            lamp("set_torch", ToolWords::new().phrase(["照亮前路"])),
        ],
        &["set_lamp: a pattern also leads to set_torch with equal right"],
    );
}

#[test]
fn coverage_tells_what_speech_does_not_reach() {
    let specs = [lamp("set_lamp", words()), lamp("set_torch", ToolWords::new())];
    let coverage = Brain::new().coverage(&ToolSet::new(specs.into_iter().map(Arc::new).collect()));
    assert_eq!((coverage[0].wordings, coverage[0].patterns), (4, 0));
    assert_eq!(coverage[0].unsaid, ["note"]);
    assert!(coverage[0].unasked.is_empty());
    assert_eq!(coverage[1].unasked, ["power"]);
}
