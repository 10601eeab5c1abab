//! What holds for any text.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

#[path = "support/noise.rs"]
mod noise;
mod support;

use incar_brain::Brain;
use incar_core::{
    ASK_USER, AssistantMessage, ChatModel, ChatRequest, Lang, Message, ModelReply, Outcome, Seat, Speaker, ToolCall,
    ToolMessage, ToolSet,
};
use noise::Noiser;
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

/// Says `text` to a fresh conversation, and as the answer to a question and after a call.
fn check(text: &str) {
    let (brain, tools) = &*CABIN;
    for before in [&[][..], &open_question(), &past_call()] {
        let messages = [before, &[Message::user(text)]].concat();
        let speaker = Speaker::new("test", Seat::Driver);
        let request = ChatRequest::new("", &messages, &speaker, Lang::Zh).with_tools(tools);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let reply = runtime.block_on(ModelReply::collect(brain.stream(request))).unwrap();
        for call in &reply.message.tool_calls {
            let arguments: Value = serde_json::from_str(&call.arguments).unwrap();
            if call.name == ASK_USER {
                let spec = tools.get(arguments["tool"].as_str().unwrap()).unwrap();
                let slots = &spec.parameters["properties"];
                assert!(
                    slots[arguments["slot"].as_str().unwrap()].is_object(),
                    "{text}: {arguments}"
                );
                continue;
            }
            let spec = tools.get(&call.name).unwrap();
            assert!(fits(&spec.parameters, &arguments), "{text}: {}{arguments}", call.name);
        }
    }
    let explained = brain.explain(text, tools, Seat::Driver);
    assert!(explained.work < MOST_WORK, "{text}: {}", explained.work);
    assert!((0.0..=1.0).contains(&explained.confidence.value()), "{text}");
}

/// The brain asked whom to call.
fn open_question() -> [Message; 3] {
    let ask = r#"{"question":"打给谁？","tool":"call","slot":"contact"}"#;
    happened("打电话", ToolCall::new("brain_1", ASK_USER, ask))
}

/// The driver's window was opened.
fn past_call() -> [Message; 3] {
    let open = r#"{"window":"driver","action":"open"}"#;
    happened("打开主驾车窗", ToolCall::new("brain_1", "control_window", open))
}

fn happened(said: &str, call: ToolCall) -> [Message; 3] {
    let result = ToolMessage::new(&call, "{}", Outcome::Ok);
    [
        Message::user(said),
        Message::Assistant(AssistantMessage::calls(vec![call])),
        Message::Tool(result),
    ]
}

/// The bound on the parser's own work, in readings and phrase steps.
const MOST_WORK: usize = 80_000;

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
    prop::collection::vec(pieces, 1..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_text_gives_calls_that_fit_and_costs_a_bounded_amount_of_work(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn any_printed_text_gives_calls_that_fit(text in "\\PC{0,120}") {
        check(&text);
    }

    #[test]
    fn what_is_misheard_gives_calls_that_fit(text in commandlike(), rate in 0.0..0.6, seed: u64) {
        check(&Noiser::new(rate, seed).hear(&text));
    }

    #[test]
    fn texts_like_commands_give_calls_that_fit(text in commandlike()) {
        check(&text);
    }
}

#[test]
fn nothing_and_ten_thousand_characters_are_no_command() {
    check("");
    for unit in ["窗", "打开", "turn on ", "1", "，", "😀", "的"] {
        check(&unit.repeat(10_000));
    }
}

#[test]
fn the_words_of_the_tools_fit_their_schemas() {
    let faults = Brain::new().prepare(&tools());
    assert!(faults.is_empty(), "{faults:?}");
}
