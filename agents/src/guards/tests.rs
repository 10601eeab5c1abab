//! Each guard against a table, with a reader that knows a few words.

use super::claim_words::{Manner, as_wish, is_deed, is_supposed, manner};
use super::evidence::{Evidence, Heard, Hearing};
use super::written::{self, Form};
use super::{GuardMode, Guards, Ruling, Stopped};
use incar_core::turn::{Stop, Verdict};
use incar_core::words::{Told, ToolWords, ValueKind};
use incar_core::{
    AssistantMessage, Bilingual, Effect, GivenValue, Grasp, Lang, Message, Outcome, Preferences, ReadCall, Reading,
    Seat, Speaker, ToolCall, ToolCategory, ToolMessage, ToolSet, ToolSpec, UtteranceReader,
};
use incar_text::Text;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Reads "fridge [to N] [left|right]" whole, and nothing else.
#[derive(Debug)]
struct Words;

impl UtteranceReader for Words {
    fn read(&self, text: &str, _: &ToolSet, _: Seat) -> Reading {
        let Some(rest) = text.strip_prefix("fridge") else {
            return Reading::default();
        };
        let mut arguments = Map::new();
        for word in rest.split_whitespace() {
            match word.parse::<f64>() {
                Ok(number) => drop(arguments.insert("temperature".into(), json!(number))),
                Err(_) if ["left", "right"].contains(&word) => drop(arguments.insert("side".into(), json!(word))),
                Err(_) => {}
            }
        }
        Reading::new(vec![ReadCall::new("set_fridge", arguments)], Grasp::Whole)
    }

    fn names(&self, text: &str, _: &ToolSet, _: Seat, given: GivenValue<'_>) -> bool {
        given.argument == "side" && given.value.as_str().is_some_and(|side| text.contains(side))
    }
}

fn fridge() -> ToolSpec {
    let words = ToolWords::new()
        .topic(["fridge"])
        .argument("side", ValueKind::Position)
        .ask("temperature", "几度？", "How cold?")
        .ask("side", "哪边？", "Which side?");
    let mut spec = ToolSpec::new(
        "set_fridge",
        ToolCategory::CAR_CONTROL,
        Effect::Set,
        Bilingual::new("冰箱", "Fridge"),
    );
    spec.parameters = json!({
        "type": "object",
        "properties": {"temperature": {"type": "number"}, "side": {"enum": ["left", "right"]}, "note": {"type": "string"}},
        "required": ["temperature", "side"],
    });
    spec.with_words(words)
}

fn letter() -> ToolSpec {
    let words = ToolWords::new()
        .told("to", Told::Plainly)
        .told("key", Told::Never)
        .ask("to", "给谁？", "To whom?");
    let mut spec = ToolSpec::new(
        "send_letter",
        ToolCategory::PHONE,
        Effect::Act,
        Bilingual::new("寄信", "Send a letter"),
    );
    spec.parameters = json!({
        "type": "object",
        "properties": {"to": {"type": "string"}, "text": {"type": "string"}, "key": {"type": "string"}, "order_id": {"type": "integer"}},
        "required": ["to", "text"],
    });
    spec.with_words(words)
}

/// What the guards make of a call: `ok {provenance}`, `ask slot`, `refuse`.
fn judged(spec: ToolSpec, messages: &[Message], utterance: &str, arguments: Value) -> String {
    let tools = ToolSet::new(vec![Arc::new(spec.clone())]);
    let speaker = Speaker::new("car", Seat::Driver);
    let hearing = Hearing {
        reader: Some(&Words),
        tools: &tools,
        offered: &tools,
        speaker: &speaker,
        preferences: Preferences::NONE,
        lang: Lang::En,
        utterance,
    };
    let mut messages = messages.to_vec();
    messages.push(Message::user(utterance));
    let heard = Heard::default();
    let evidence = Evidence::new(hearing, &heard, &messages);
    let given = arguments.as_object().cloned().unwrap_or_default();
    match Guards::default().judge_call(&spec, &given, &[], &evidence) {
        Ruling::Pass(findings) => {
            let sources: Vec<String> = findings
                .provenance
                .iter()
                .map(|(name, source)| format!("{name}:{}", source.as_str()))
                .collect();
            format!("ok {}", sources.join(" "))
        }
        Ruling::Stopped(Stopped {
            stop: Stop::Ask(ask), ..
        }) => format!("ask {}", ask.slot.unwrap_or_default()),
        Ruling::Stopped(Stopped { guard, .. }) => format!("refuse {guard}"),
    }
}

fn result(name: &str, content: Value) -> [Message; 2] {
    let call = ToolCall::new("c1", name, "{}");
    let message = ToolMessage::new(&call, content.to_string(), Outcome::Ok);
    [
        Message::Assistant(AssistantMessage::calls(vec![call])),
        Message::Tool(message),
    ]
}

#[test]
fn a_value_comes_from_somewhere_or_is_asked_for() {
    let cold = |temperature: f64, side: &str| json!({"temperature": temperature, "side": side});
    let earlier = [Message::user("fridge 4 left")];
    for (messages, utterance, arguments, expected) in [
        (
            &[][..],
            "fridge 4 left",
            cold(4.0, "left"),
            "ok side:utterance temperature:utterance",
        ),
        (
            &[],
            "fridge to minus four left",
            cold(-4.0, "left"),
            "ok side:utterance temperature:utterance",
        ),
        (
            &[],
            "冰箱左边零下四度 left",
            cold(-4.0, "left"),
            "ok side:utterance temperature:utterance",
        ),
        (&[], "fridge left", cold(4.0, "left"), "ask temperature"),
        (&[], "fridge 4", cold(4.0, "left"), "ask side"),
        (&[], "fridge 4 right", cold(4.0, "left"), "ask side"),
        // Nobody here can read all of it: a number may be concluded, a side may not.
        (
            &[],
            "the cold box as for white wine, left",
            cold(9.0, "left"),
            "ok side:utterance temperature:inferred",
        ),
        (&[], "the cold box 9, over there", cold(9.0, "left"), "ask side"),
        (
            &[],
            "whatever side, fridge 4",
            cold(4.0, "left"),
            "ok side:inferred temperature:utterance",
        ),
        (
            &earlier,
            "the same again",
            cold(4.0, "left"),
            "ok side:earlier_turn temperature:earlier_turn",
        ),
        (
            &[Message::context(r#"{"fridge":4}"#)],
            "fridge left",
            cold(4.0, "left"),
            "ok side:utterance temperature:state",
        ),
        // A seat in the context is where somebody sits, not what they want.
        (
            &[Message::context(r#"{"seat":"left"}"#)],
            "fridge 4",
            cold(4.0, "left"),
            "ask side",
        ),
    ] {
        assert_eq!(
            judged(fridge(), messages, utterance, arguments),
            expected,
            "{utterance}"
        );
    }
    let found = result("weather", json!({"ideal": 6}));
    assert_eq!(
        judged(fridge(), &found, "fridge left, as cold as that", cold(6.0, "left")),
        "ok side:utterance temperature:result"
    );
}

#[test]
fn who_is_written_to_is_not_guessed_and_an_id_is_found() {
    let contacts = result(
        "contacts",
        json!({"names": ["Ada Lovelace"], "key": "k-77", "order": 4711}),
    );
    for (messages, utterance, arguments, expected) in [
        (
            &[][..],
            "write to Ada: see you",
            json!({"to": "ada", "text": "See you"}),
            "ok text:utterance to:utterance",
        ),
        (&[], "write to somebody", json!({"to": "Ada", "text": "hi"}), "ask to"),
        (
            &contacts,
            "write to her: see you",
            json!({"to": "Ada Lovelace", "text": "see you"}),
            "ok text:utterance to:result",
        ),
        (
            &[],
            "write to Ada: hi",
            json!({"to": "Ada", "text": "hi", "key": "k-77"}),
            "refuse opaque-id",
        ),
        (
            &contacts,
            "write to Ada: hi",
            json!({"to": "Ada", "text": "hi", "key": "k-7"}),
            "refuse opaque-id",
        ),
        (
            &contacts,
            "write to Ada: hi",
            json!({"to": "Ada", "text": "hi", "key": "k-77"}),
            "ok text:utterance to:utterance",
        ),
        (
            &contacts,
            "write to Ada: hi",
            json!({"to": "Ada", "text": "hi", "order_id": 471}),
            "refuse opaque-id",
        ),
        (
            &contacts,
            "write to Ada: hi",
            json!({"to": "Ada", "text": "hi", "order_id": 4711}),
            "ok text:utterance to:utterance",
        ),
    ] {
        assert_eq!(
            judged(letter(), messages, utterance, arguments.clone()),
            expected,
            "{utterance} {arguments}"
        );
    }
}

#[test]
fn a_text_says_a_value_in_several_forms() {
    for (text, value, form, said) in [
        ("播放周杰伦的晴天", "晴天", Form::Same, true),
        ("播放周杰倫的晴天", "周杰伦", Form::Same, true),
        ("放一首情天", "晴天", Form::Same, true),
        ("放一首晴天", "雨天", Form::Same, false),
        ("take me to star bucks", "Starbucks", Form::Same, true),
        ("turn it on", "on", Form::Same, true),
        ("go to London", "on", Form::Same, false),
        ("call one three eight double zero", "Anna", Form::Same, false),
        ("打给一三八零零一三八零零零", "13800138000", Form::Same, true),
        (
            "tell her I am running a bit late tonight",
            "I'm running late tonight",
            Form::Retold,
            true,
        ),
        (
            "tell her I am running a bit late tonight",
            "Happy birthday to you",
            Form::Retold,
            false,
        ),
        ("告诉他我晚点到家", "我会晚点到家的", Form::Retold, true),
        ("告诉他我晚点到家", "我会晚点到家的", Form::Same, false),
    ] {
        assert_eq!(written::says(&Text::new(text), value, form), said, "{text} / {value}");
    }
}

#[test]
fn clauses_claim_deeds_or_do_not() {
    for (clause, expected) in [
        ("已为您打开空调", Some(Manner::Did)),
        ("我刚打开了空调", Some(Manner::Did)),
        ("这就为您打开空调", Some(Manner::Does)),
        ("空调已打开", Some(Manner::IsSo)),
        ("空调打开了", Some(Manner::IsSo)),
        ("空调已经是打开的", None),
        ("空调开着呢", None),
        ("空调没有打开", None),
        ("我可以为您打开空调", None),
        ("需要为您打开空调吗", None),
        ("抱歉", None),
        ("今天是晴天", None),
        ("i've opened the trunk", Some(Manner::Did)),
        ("i'll open the trunk", Some(Manner::Does)),
        ("the ac is now on", Some(Manner::IsSo)),
        ("the ac is already on", None),
        ("i haven't opened the trunk", None),
        ("i can open the trunk", None),
        ("would you like me to open it", None),
        ("the trunk is heavy", None),
    ] {
        assert_eq!(manner(&format!(" {clause} ")), expected, "{clause}");
    }
    for (sentence, supposed) in [
        ("如果您同意，我就打开", true),
        ("需要的话我打开空调", true),
        (" if you like i'll open it ", true),
        ("我打开了空调", false),
        (" i opened it ", false),
    ] {
        assert_eq!(is_supposed(sentence), supposed, "{sentence}");
    }
}

#[test]
fn a_claim_is_the_wish_that_it_fulfils() {
    for (clause, wish) in [
        ("已为您打开空调", "打开空调"),
        ("好的", ""),
        ("温度调到22度了", "温度调到22度"),
        ("i've opened the trunk for you", "open the trunk"),
        ("i'm opening the sunroof now", "open the sunroof"),
        ("done", ""),
        ("the ac has been turned off", "the ac turn off"),
    ] {
        assert_eq!(as_wish(&format!(" {clause} ")), wish, "{clause}");
    }
    for (clause, manner, deed) in [
        ("已经帮您订好了披萨", Manner::Did, true),
        ("已为您查到三家餐厅", Manner::Did, false),
        ("我会提醒您", Manner::Does, true),
        ("我会陪您", Manner::Does, false),
        ("i've booked it", Manner::Did, true),
        ("i've found it", Manner::Did, false),
        ("披萨订好了", Manner::IsSo, false),
    ] {
        assert_eq!(is_deed(&format!(" {clause} "), manner), deed, "{clause}");
    }
}

#[test]
fn a_guard_that_is_off_believes_everything() {
    let off = Guards::off();
    assert_eq!(off.missing_parameter, GuardMode::Off);
    assert!(matches!(off.unknown_tool("no such tool"), Verdict::Answer(_)));
    let on = Guards::default();
    assert!(matches!(on.unknown_tool("no such tool"), Verdict::Guarded { .. }));
}

proptest! {
    #[test]
    fn what_was_said_literally_is_never_asked_for(before in "[a-z ]{0,12}", name in "[a-z]{2,8}( [a-z]{2,8})?", after in "[a-z ]{0,12}") {
        let utterance = format!("{before} {name} {after}");
        let judged = judged(letter(), &[], &utterance, json!({"to": name, "text": name}));
        prop_assert_eq!(judged, "ok text:utterance to:utterance");
    }

    #[test]
    fn any_number_that_was_said_is_found(number in -40i32..200) {
        let said = format!("fridge {number} left");
        let judged = judged(fridge(), &[], &said, json!({"temperature": number, "side": "left"}));
        prop_assert_eq!(judged, "ok side:utterance temperature:utterance");
    }

    #[test]
    fn no_text_makes_the_judges_of_claims_panic(text in ".{0,80}") {
        let clause = format!(" {} ", text.to_lowercase());
        let _ = (manner(&clause), is_supposed(&clause), as_wish(&clause));
        let _ = written::says(&Text::new(&text), &text, Form::Retold);
    }
}
