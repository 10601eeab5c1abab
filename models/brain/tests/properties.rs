//! What holds for any text.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

mod support;

use incar_brain::Brain;
use incar_core::{ASK_USER, ChatModel, ChatRequest, Lang, Message, ModelReply, Seat, Speaker, ToolSet};
use proptest::prelude::*;
use serde_json::Value;
use std::sync::LazyLock;
use support::tools;

static CABIN: LazyLock<(Brain, ToolSet)> = LazyLock::new(|| (Brain::new(), tools()));

/// Whether `arguments` fit the schema in names, types, enums and bounds.
fn fits(schema: &Value, arguments: &Value) -> bool {
    let properties = &schema["properties"];
    let required = schema["required"].as_array().into_iter().flatten();
    let mut complete = required.map(|name| name.as_str().unwrap());
    let object = arguments.as_object().unwrap();
    complete.all(|name| object.contains_key(name))
        && object.iter().all(|(name, value)| fits_value(&properties[name], value))
}

fn fits_value(schema: &Value, value: &Value) -> bool {
    if let Some(allowed) = schema["enum"].as_array() {
        return allowed.contains(value);
    }
    match schema["type"].as_str() {
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() && in_bounds(schema, value),
        Some("number") => value.is_number() && in_bounds(schema, value),
        Some("array") => value.is_array(),
        _ => false,
    }
}

fn in_bounds(schema: &Value, value: &Value) -> bool {
    let number = value.as_f64().unwrap();
    schema["minimum"].as_f64().is_none_or(|least| number >= least)
        && schema["maximum"].as_f64().is_none_or(|most| number <= most)
}

fn check(text: &str) {
    let (brain, tools) = &*CABIN;
    let speaker = Speaker::new("test", Seat::Driver);
    let messages = [Message::user(text)];
    let request = ChatRequest::new("", &messages, &speaker, Lang::Zh).with_tools(tools);
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let reply = runtime.block_on(ModelReply::collect(brain.stream(request))).unwrap();
    for call in reply.message.tool_calls.iter().filter(|call| call.name != ASK_USER) {
        let spec = tools.get(&call.name).unwrap();
        let arguments: Value = serde_json::from_str(&call.arguments).unwrap();
        assert!(fits(&spec.parameters, &arguments), "{text}: {}{arguments}", call.name);
    }
    assert!(brain.explain(text, tools, Seat::Driver).work < MOST_WORK, "{text}");
}

/// The bound on the parser's own work, in readings and phrase steps.
const MOST_WORK: usize = 1_000_000;

/// Texts made of what the parser knows, so that they reach its corners.
fn commandlike() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "打开",
        "关闭",
        "车窗",
        "空调",
        "主驾",
        "副驾",
        "二十三度",
        "百分之三十",
        "三挡",
        "调到",
        "最大",
        "一点",
        "播放",
        "的",
        "晴天",
        "导航到",
        "不对",
        "别",
        "然后",
        "明天",
        "天气",
        "吗",
        "给",
        "打电话",
        "一千",
        "负五",
        "半",
        " open ",
        " the window ",
        " to ",
        " twenty ",
        " play ",
        " by ",
        " and ",
        " no ",
        " max ",
        " degrees ",
        "，",
        "9999999999",
        "-1",
        "第三",
        "氛围灯",
        "红色",
        "音量",
    ]);
    prop::collection::vec(pieces, 1..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_text_gives_calls_that_fit_and_costs_a_bounded_amount_of_work(text in "\\PC{0,60}") {
        check(&text);
    }

    #[test]
    fn texts_like_commands_give_calls_that_fit(text in commandlike()) {
        check(&text);
    }
}

#[test]
fn ten_thousand_characters_are_no_command() {
    for unit in ["窗", "打开", "turn on ", "1", "，", "😀", "的"] {
        check(&unit.repeat(10_000));
    }
}

#[test]
fn the_words_of_the_tools_fit_their_schemas() {
    let faults = Brain::new().prepare(&tools());
    assert!(faults.is_empty(), "{faults:?}");
}
