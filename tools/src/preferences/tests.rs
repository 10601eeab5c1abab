//! Preferences as drivers tell them.

use super::*;
use crate::testing::{Shelf, at_once};
use incar_core::{ManualClock, Refusal, Seat, Speaker, ToolContext};
use serde_json::{Value, json};

/// Calls `tool`; the result's value and sentence, or the failure.
fn call(book: &PreferenceBook, tool: &str, arguments: Value, lang: Lang) -> Result<(Value, String), ToolError> {
    let tools = tools(book);
    let tool = tools.iter().find(|one| one.spec().name == tool).unwrap();
    let (speaker, clock) = (Speaker::new("car", Seat::Driver), ManualClock::default());
    let context = ToolContext::new(&speaker, lang, &clock, "key");
    let resolved = tool.resolve(&arguments, context).map_err(|refusal| match refusal {
        Refusal::Failed(error) => error,
        Refusal::Misfit(wrong) => panic!("{wrong}"),
    })?;
    let output = at_once(tool.run(&resolved.arguments, context))?;
    Ok((output.value, output.say.unwrap()))
}

fn book() -> PreferenceBook {
    PreferenceBook::new(Arc::new(Shelf::default())).unwrap()
}

#[test]
fn a_preference_decides_the_argument_that_its_subject_names() {
    let check = |key: &str, value: &str, expected: Value| {
        let (set, _) = call(&book(), "set_preference", json!({"key": key, "value": value}), Lang::Zh).unwrap();
        assert_eq!(json!([set["key"], set["value"]]), expected, "{key}: {value}");
    };
    check("座椅加热", "二档", json!(["seat_heating", "2"]));
    check("heated seats", "level three", json!(["seat_heating", "3"]));
    check("空调温度", "二十二度半", json!(["temperature", 22.5]));
    check("路线", "不走高速", json!(["route", "avoid_highways"]));
    check("route", "the fastest", json!(["route", "fastest"]));
    check("route", "avoid_tolls", json!(["route", "avoid_tolls"]));
    check("音乐", "爵士乐", json!(["music_genre", "爵士乐"]));
    check("我的车位", "B2层", json!(["我的车位", null]));
}

#[test]
fn a_value_that_does_not_fit_is_asked_for() {
    let check = |key: &str, value: &str, argument: &str, question: &str| {
        let asked = call(&book(), "set_preference", json!({"key": key, "value": value}), Lang::Zh).unwrap_err();
        assert_eq!(
            (asked.argument.as_deref(), &*asked.message),
            (Some(argument), question),
            "{key}: {value}"
        );
    };
    check("座椅加热", "五档", "value", "座椅加热可以是1到3，您要多少？");
    check("座椅加热", "暖和的", "value", "座椅加热可以是1到3，您要多少？");
    check(
        "音乐来源",
        "黑胶",
        "value",
        "音乐来源可以是蓝牙、本地、在线、U盘，您要哪种？",
    );
    check(" ", "二档", "key", "您想记住哪方面的偏好？");
    check("音乐", " ", "value", "您的偏好是什么？");
}

#[test]
fn preferences_are_told_and_forgotten_by_name() {
    let book = book();
    let say = |tool: &str, arguments: Value, lang| match call(&book, tool, arguments, lang) {
        Ok((_, say)) => say,
        Err(error) => error.message,
    };
    assert_eq!(say("list_preferences", json!({}), Lang::Zh), "您还没有设置偏好。");
    say("set_preference", json!({"key": "seat heating", "value": "2"}), Lang::En);
    say("set_preference", json!({"key": "车位", "value": "B2"}), Lang::Zh);
    assert_eq!(
        say("list_preferences", json!({}), Lang::Zh),
        "您有2项偏好：座椅加热，2；车位，B2。"
    );
    assert_eq!(
        say("list_preferences", json!({}), Lang::En),
        "Your preferences: seat heating, 2; 车位, B2."
    );
    assert_eq!(
        say("delete_preference", json!({"key": "座椅加热"}), Lang::Zh),
        "好的，已删除座椅加热的偏好（2）。"
    );
    assert_eq!(
        say("delete_preference", json!({"key": "座椅加热"}), Lang::Zh),
        "您没有关于座椅加热的偏好。"
    );
    assert_eq!(
        say("delete_preference", json!({"key": "车位"}), Lang::En),
        "Okay, I've forgotten your 车位 preference (B2)."
    );
}

#[test]
fn the_catalogue_is_sorted_and_its_names_lead_back() {
    let catalogue = PreferenceCatalogue::embedded().unwrap();
    assert!(catalogue.subjects().is_sorted_by_key(|subject| &subject.id));
    for subject in catalogue.subjects() {
        for lang in [Lang::Zh, Lang::En] {
            let found = catalogue.find(subject.name(lang)).map(|found| &found.id);
            assert_eq!(found, Some(&subject.id), "{}", subject.name(lang));
            assert!(!subject.question(lang).is_empty());
        }
    }
}
