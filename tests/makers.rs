//! What a maker sets: signals of his own, policies, and who may do what, on the embedded brain.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

use incar::tools::generic_signals::{self, AllowedSignals, Pattern, Vss};
use incar::tools::policy::{Facts, Permissions, PolicyLayers};
use incar::tools::toml_file::{Document, Place};
use incar::tools::vehicle::Catalogue;
use incar::{AgentResponse, AgentStatus, ErrorKind, Seat, Speaker, Utterance};
use incar_testkit::Simulator;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

const PERMISSIONS: &str = include_str!("../docs/permissions.example.toml");
const FOUNTAIN: &str = "Vehicle.Body.Acme.Fountain.";

/// A simulator with the documented signals, policies and permissions.
fn simulator() -> Simulator {
    let vss = Vss::parse("vss", include_str!("../docs/signals.example.json")).unwrap();
    let words = Document::parse("words", include_str!("../docs/signals.example.toml")).unwrap();
    let patterns = |texts: &[&str]| -> Vec<Pattern> {
        texts
            .iter()
            .map(|text| Pattern::new(*text, Place::whole("test")))
            .collect()
    };
    let (set, read) = (
        patterns(&["Vehicle.**"]),
        patterns(&["Vehicle.Body.Acme.Fountain.Level"]),
    );
    let signals = Arc::new(AllowedSignals::new(&vss, &set, &read, Some(&words)).unwrap());
    let catalogue = Catalogue::shipped().unwrap().with_signals(signals.signals()).unwrap();
    Simulator::builder()
        .with_signals(catalogue)
        .customised(|builder, parts| {
            let facts = Facts::of(parts.vehicle.clone());
            let policies = PolicyLayers::shipped()
                .with_signals()
                .over("own", include_str!("../docs/policies.example.toml"))
                .load(facts.clone())
                .unwrap();
            let permissions = Permissions::from_toml("permissions", PERMISSIONS, facts).unwrap();
            Ok(builder
                .with_tools(generic_signals::tools(&signals, &parts.vehicle))
                .with_policies(Arc::new(permissions.before(Arc::new(policies)))))
        })
        .build()
        .unwrap()
}

async fn say(simulator: &Simulator, speaker: Speaker, text: &str) -> AgentResponse {
    simulator.assistant().handle(Utterance::new(text).by(speaker)).await
}

fn tools(response: &AgentResponse) -> Vec<&str> {
    let results = response.data.tool_results.iter();
    results.map(|call| call.name.as_str()).collect()
}

#[tokio::test]
async fn the_brain_understands_signals_by_path_description_and_the_hosts_words() {
    let simulator = simulator();
    let calf = "Vehicle.Cabin.Seat.Row1.PassengerSide.CalfSupport";
    let lumbar = "Vehicle.Cabin.Seat.Row1.PassengerSide.Backrest.LumbarSupport";
    for (text, tool, signal, value, said) in [
        (
            "set the passenger lumbar support to 30",
            "set_signal",
            lumbar,
            json!(30),
            "The passenger's lumbar support is set to 30 percent.",
        ),
        (
            "set the passenger calf support to 40",
            "set_signal",
            calf,
            json!(40),
            "The passenger's calf support is set to 40 percent.",
        ),
        (
            "把副驾小腿支撑调到百分之六十",
            "set_signal",
            calf,
            json!(60),
            "副驾小腿支撑调到60%。",
        ),
        (
            "副驾腰部支撑力度设为50",
            "set_signal",
            lumbar,
            json!(50),
            "副驾腰部支撑力度调到50%。",
        ),
        (
            "turn on the fountain",
            "set_signal",
            "Vehicle.Body.Acme.Fountain.IsOn",
            json!(true),
            "The fountain is on.",
        ),
        (
            "关闭喷泉",
            "set_signal",
            "Vehicle.Body.Acme.Fountain.IsOn",
            json!(false),
            "喷泉已关闭。",
        ),
        (
            "喷泉模式调到派对",
            "set_signal",
            "Vehicle.Body.Acme.Fountain.Mode",
            json!("PARTY"),
            "喷泉模式调到派对。",
        ),
        (
            "what is the fountain level",
            "get_signal",
            "Vehicle.Body.Acme.Fountain.Level",
            Value::Null,
            "The fountain level is at 0 percent.",
        ),
    ] {
        let response = say(&simulator, simulator.speaker(Seat::Driver), text).await;
        assert_eq!(tools(&response), [tool], "{text}: {}", response.message);
        assert_eq!(response.message, said, "{text}");
        simulator.advance(Duration::from_secs(10));
        if !value.is_null() {
            assert_eq!(simulator.state()[signal], value, "{text}");
        }
    }
}

#[tokio::test]
async fn a_value_that_is_missing_or_out_of_range_is_asked_for() {
    let simulator = simulator();
    let speaker = simulator.speaker(Seat::Driver);
    for (text, question) in [
        ("喷泉高度调到200", "可以设0到100之间，请问要多少？"),
        ("set the fountain height", "What should I set it to?"),
    ] {
        let asked = say(&simulator, speaker.clone(), text).await;
        assert_eq!(
            (asked.status, asked.message.as_str()),
            (AgentStatus::WaitingInput, question),
            "{text}"
        );
        let done = say(&simulator, speaker.clone(), "30").await;
        assert_eq!(done.status, AgentStatus::Completed, "{text}: {}", done.message);
        assert_eq!(simulator.state()[&format!("{FOUNTAIN}Height")], json!(30));
    }
}

#[tokio::test]
async fn policies_and_permissions_apply_to_signals_and_tools_alike() {
    let simulator = simulator();
    simulator.set("Vehicle.Speed", &json!(50)).unwrap();
    let response = say(&simulator, simulator.speaker(Seat::Driver), "打开喷泉").await;
    assert_eq!(response.status, AgentStatus::WaitingInput);
    assert_eq!(response.data.decisions[0].id, "signal-moving");
    assert_eq!(simulator.state()[&format!("{FOUNTAIN}IsOn")], json!(false));
    simulator.set("Vehicle.Speed", &json!(0)).unwrap();
    let mia = simulator.speaker(Seat::Passenger).with_person("mia");
    let remote = simulator.speaker(Seat::ThirdRow).with_role("remote");
    for (speaker, text, permission, said) in [
        (
            simulator.speaker(Seat::RearLeft),
            "打开左后车门",
            "child",
            "这个要请大人来操作。",
        ),
        (
            simulator.speaker(Seat::RearLeft),
            "set the drive mode to sport",
            "child",
            "Please ask a grown-up to do that.",
        ),
        (
            mia,
            "switch to sport mode",
            "child",
            "Please ask a grown-up to do that.",
        ),
        (remote.clone(), "打开驾驶员车门", "remote", "这个座位没有这个权限。"),
        (
            remote,
            "turn on the fountain",
            "remote",
            "That is not allowed from this seat.",
        ),
    ] {
        let before = simulator.state();
        let response = say(&simulator, speaker, text).await;
        assert_eq!(response.status, AgentStatus::Error, "{text}: {}", response.message);
        assert_eq!(
            response.error.as_ref().map(|error| error.kind),
            Some(ErrorKind::Denied),
            "{text}"
        );
        assert_eq!(response.message, said, "{text}");
        let decided: Vec<_> = response
            .data
            .decisions
            .iter()
            .map(|decision| decision.id.as_str())
            .collect();
        assert_eq!(decided, [permission], "{text}");
        assert_eq!(simulator.state(), before, "{text}");
    }
}

#[tokio::test]
async fn what_a_policy_forbids_a_tool_its_signals_do_not_reach() {
    let simulator = simulator();
    simulator.set("Vehicle.Speed", &json!(50)).unwrap();
    let driver = simulator.speaker(Seat::Driver);
    let before = simulator.state();
    let response = say(&simulator, driver.clone(), "set the driver lumbar support to 30").await;
    assert_eq!(tools(&response), ["set_signal"]);
    assert_eq!(response.status, AgentStatus::Error, "{}", response.message);
    assert_eq!(response.data.decisions[0].id, "driver-seat-moving");
    assert_eq!(simulator.state(), before);
    // The passenger's seat may move; as with any signal, a yes comes first.
    let response = say(&simulator, driver, "set the passenger lumbar support to 30").await;
    assert_eq!(response.status, AgentStatus::WaitingInput, "{}", response.message);
}

#[tokio::test]
async fn the_words_of_signals_are_sound_and_leave_the_other_tools_alone() {
    let simulator = simulator();
    let faults = simulator.brain().prepare(simulator.assistant().offered());
    assert!(faults.is_empty(), "{faults:?}");
    let plain = Simulator::new().unwrap();
    for text in [
        "打开车窗",
        "set the temperature to 23",
        "move my seat back",
        "音量调到30",
        "turn on sport mode",
    ] {
        let understood = |simulator: &Simulator| {
            let explained = simulator
                .brain()
                .explain(text, simulator.assistant().offered(), Seat::Driver);
            explained
                .calls
                .into_iter()
                .map(|call| (call.tool, call.arguments))
                .collect::<Vec<_>>()
        };
        assert_eq!(understood(&simulator), understood(&plain), "{text}");
    }
}

#[tokio::test]
async fn the_documented_files_name_what_is_there() {
    let simulator = simulator();
    let (facts, tools) = (Facts::of(simulator.vehicle()), simulator.assistant().tools());
    let policies = PolicyLayers::shipped()
        .with_signals()
        .over("own", include_str!("../docs/policies.example.toml"));
    assert_eq!(policies.lint(&facts, tools).to_string(), "");
    let permissions = Permissions::from_toml("permissions", PERMISSIONS, facts).unwrap();
    assert_eq!(permissions.lint(tools).to_string(), "");
}
