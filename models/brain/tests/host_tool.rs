//! A host's own tools, which the engine knows nothing of.

mod support;

use incar_core::words::{Standing, ToolWords};
use incar_core::{Bilingual, Effect, ToolCategory, ToolSet, ToolSpec};
use serde_json::json;
use std::sync::Arc;
use support::{Cabin, specs};

fn fridge() -> ToolSpec {
    let mut words = ToolWords::new()
        .topic(["车载冰箱", "冰箱", "fridge", "car fridge"])
        .value("power", "on", ["<open>"])
        .value("power", "off", ["<close>"])
        .number("temperature", ["度", "degrees"])
        .ask("temperature", "冰箱要几度？", "How cold should the fridge be?");
    for argument in words.arguments.values_mut() {
        argument.standing = Standing::WithTopic;
    }
    let description = Bilingual::new("控制车载冰箱", "Control the car fridge");
    let mut spec = ToolSpec::new("set_fridge", ToolCategory::CAR_CONTROL, Effect::Set, description);
    spec.parameters = json!({
        "type": "object",
        "properties": {
            "power": {"type": "string", "enum": ["on", "off"]},
            "temperature": {"type": "number", "minimum": -6, "maximum": 15},
        },
        "additionalProperties": false,
    });
    spec.with_words(words)
}

/// A tool that carries no words: its name, its enum and its number are all there is.
fn roof_rack() -> ToolSpec {
    let description = Bilingual::new("车顶行李架", "The roof rack");
    let mut spec = ToolSpec::new("set_roof_rack", ToolCategory::CAR_CONTROL, Effect::Set, description);
    spec.parameters = json!({
        "type": "object",
        "properties": {"state": {"type": "string", "enum": ["open", "close"]}},
        "required": ["state"],
        "additionalProperties": false,
    });
    spec
}

fn cabin() -> Cabin {
    let mut all = specs();
    all.push(fridge());
    all.push(roof_rack());
    Cabin::with(ToolSet::new(all.into_iter().map(Arc::new).collect()))
}

#[test]
fn a_tool_with_words_is_understood_among_all_others() {
    let mut cabin = cabin();
    for (text, expected) in [
        ("打开车载冰箱", r#"set_fridge{"power":"on"}"#),
        ("冰箱调到四度", r#"set_fridge{"temperature":4}"#),
        ("fridge to 5 degrees", r#"set_fridge{"temperature":5}"#),
        (
            "turn off the fridge and open the sunroof",
            r#"set_fridge{"power":"off"} control_sunroof{"action":"open"}"#,
        ),
        ("冰箱调到三十度", "?set_fridge.temperature{}"),
        ("温度调到二十度", r#"set_temperature{"temperature":20}"#),
    ] {
        cabin.reset();
        assert_eq!(cabin.say(text), expected, "{text}");
    }
}

#[test]
fn a_tool_without_words_is_understood_by_its_schema() {
    let mut cabin = cabin();
    assert_eq!(cabin.say("open the roof rack"), r#"set_roof_rack{"state":"open"}"#);
}
