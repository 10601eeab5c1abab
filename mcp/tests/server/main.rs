//! The car's tools for a client on a pipe.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "tests"
)]

mod consent;
mod http;
mod support;

use incar_core::{Effect, Outcome};
use incar_sessions::MemoryJournal;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use support::Car;

#[tokio::test]
async fn what_is_not_allowed_does_not_exist() {
    let mut car = Car::new().await;
    let listed = car.client.request("tools/list", json!({})).await;
    let listed = listed["result"]["tools"].as_array().unwrap().clone();
    let names: BTreeSet<&str> = listed.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    for (name, offered) in [
        ("get_vehicle_status", true),
        ("get_weather", true),
        ("control_window", true),
        ("car_call_status", true),
        ("control_door", false),
        ("search_contact", false),
        ("list_calls", false),
        ("get_route_info", false),
        ("list_preferences", false),
        ("start_navigation", false),
    ] {
        assert_eq!(names.contains(name), offered, "{name}: {names:?}");
    }
    for tool in &listed {
        let name = tool["name"].as_str().unwrap();
        let effect = car
            .simulator
            .assistant()
            .tools()
            .get(name)
            .map(|tool| tool.spec().effect);
        let read = effect.is_none_or(|effect| effect == Effect::Read);
        assert_eq!(tool["annotations"]["readOnlyHint"], read, "{name}");
    }
    let refused = car
        .client
        .call("control_door", json!({"door": "driver", "action": "open"}))
        .await;
    let unknown = car.client.call("no_such_door", json!({})).await;
    let told = |answer: &Value| {
        answer["error"]["message"]
            .as_str()
            .unwrap()
            .replace("no_such_door", "control_door")
    };
    assert_eq!(told(&refused), told(&unknown));
}

#[tokio::test]
async fn what_only_reads_is_answered_at_once() {
    let mut car = Car::new().await;
    let answer = car.client.call("get_weather", json!({"location": "北京"})).await;
    assert_eq!(
        (&answer["isError"], &answer["structuredContent"]["outcome"]),
        (&json!(false), &json!("ok")),
        "{answer}"
    );
}

#[tokio::test]
async fn who_has_no_seat_must_say_which_place() {
    let mut car = Car::new().await;
    let answer = car.client.call("set_temperature", json!({"temperature": 25})).await;
    assert_eq!(
        answer["structuredContent"]["result"]["error"]["argument"], "zone",
        "{answer}"
    );
    let set = car
        .client
        .call("set_temperature", json!({"temperature": 25, "zone": "driver"}))
        .await;
    assert_eq!(set["structuredContent"]["outcome"], "ok", "{set}");
    // Nobody was asked anything.
    assert_eq!(car.say("").await.prompt, None);
}

#[tokio::test]
async fn arguments_are_checked_and_nothing_is_asked_of_the_driver() {
    let mut car = Car::new().await;
    for arguments in [
        json!({"temperature": "hot", "zone": "driver"}),
        json!({"temperature": 99, "zone": "driver"}),
        json!({"x": 1}),
    ] {
        let answer = car.client.call("set_temperature", arguments.clone()).await;
        assert_eq!(answer["isError"], true, "{arguments}: {answer}");
    }
    let flow = car.client.call("book_hotel", json!({})).await;
    assert_eq!(
        flow["structuredContent"]["result"]["error"]["kind"], "unsupported",
        "{flow}"
    );
    assert_eq!(car.say("").await.prompt, None);
}

#[tokio::test]
async fn the_policies_decide_and_the_journal_knows() {
    let journal = Arc::new(MemoryJournal::default());
    let kept = journal.clone();
    let mut car = Car::customised(None, &|builder| builder.with_journal(kept.clone())).await;
    car.simulator.set("Vehicle.Speed", &json!(60)).unwrap();
    let answer = car
        .client
        .call("control_trunk", json!({"trunk": "rear", "action": "open"}))
        .await;
    assert_eq!(answer["structuredContent"]["outcome"], "denied", "{answer}");
    let set = car
        .client
        .call("set_temperature", json!({"temperature": 25, "zone": "driver"}))
        .await;
    assert_eq!(set["structuredContent"]["outcome"], json!(Outcome::Ok));
    assert_eq!(
        journal
            .entries()
            .iter()
            .filter(|entry| entry.intent.owner.seat.as_str() == "outside")
            .count(),
        1
    );
}
