//! Each shipped policy from both sides.

mod file;
mod lint;
mod openings;
mod permission;
mod signals;

use super::*;
use crate::car_control::testing::Bench;
use crate::toml_file::Code;
use crate::vehicle::{SignalValue, SimulatedCar, Vehicle};
use incar_core::{Lang, Seat, Speaker};
use serde_json::json;
use std::sync::Arc;

const ROOF_SHADE: &str = "Vehicle.Cabin.Sunroof.Shade.Position";
const REAR_WINDOW: &str = "Vehicle.Cabin.Door.Row2.DriverSide.Window.Position";
const AC: &str = "Vehicle.Cabin.HVAC.IsAirConditioningActive";
const RAIN: &str = "Vehicle.Body.Raindetection.Intensity";

/// What is decided about a call as the runner would ask: `allow`, or the decision and its policy.
fn decided(bench: &Bench, tool: &str, arguments: &Value, utterance: &str) -> (String, Vec<Value>) {
    let policies = shipped(bench.car.clone());
    let resolved = bench.resolve(tool, arguments).unwrap().arguments;
    let spec = bench.registry.get(tool).unwrap().spec();
    let query = PolicyQuery::new(spec, &resolved, &bench.speaker, bench.lang, utterance);
    let Some(strictest) = policies.decide(&query).into_iter().next() else {
        return ("allow".into(), Vec::new());
    };
    match strictest {
        PolicyDecision::Allow { .. } => ("allow".into(), Vec::new()),
        PolicyDecision::Warn { policy, say } => (spoken("warn", &policy, &say), Vec::new()),
        PolicyDecision::Deny { policy, reason } => (spoken("deny", &policy, &reason), Vec::new()),
        PolicyDecision::Confirm { policy, question } => (spoken("confirm", &policy, &question), Vec::new()),
        PolicyDecision::Amend { policy, calls, say } => {
            let calls = calls.into_iter().map(|call| {
                let arguments: Value = serde_json::from_str(&call.arguments).unwrap();
                json!({ call.name: arguments })
            });
            (spoken("amend", &policy, &say), calls.collect())
        }
        other => panic!("{other:?}"),
    }
}

fn spoken(decision: &str, policy: &str, say: &str) -> String {
    assert!(
        say.ends_with(['.', '?', '。', '？']) && !say.contains('{'),
        "{policy}: {say}"
    );
    format!("{decision} {policy}")
}

fn shipped(car: Arc<SimulatedCar>) -> Policies {
    Policies::shipped(Facts::of(car)).unwrap()
}

/// One row: the state, the call, the decision.
type Row<'a> = (&'a [(&'a str, SignalValue)], &'a str, Value, &'a str);

fn check(rows: &[Row<'_>]) {
    for (state, tool, arguments, wanted) in rows {
        for lang in [Lang::Zh, Lang::En] {
            let mut bench = Bench::new();
            bench.lang = lang;
            for (signal, value) in *state {
                bench.set(signal, value.clone());
            }
            let (decision, _) = decided(&bench, tool, arguments, "");
            assert_eq!(decision, *wanted, "{state:?} {tool} {arguments}");
        }
    }
}

fn n(number: f64) -> SignalValue {
    SignalValue::Number(number)
}

fn speed(speed: f64) -> (&'static str, SignalValue) {
    ("Vehicle.Speed", n(speed))
}

#[test]
fn the_air_conditioning_shuts_the_windows_that_stand_open() {
    let check = |open: &[(&str, f64)], wanted: &[Value]| {
        let bench = Bench::new();
        for (signal, at) in open {
            bench.set(signal, *at);
        }
        let (decision, calls) = decided(&bench, "set_ac_power", &json!({"power": "on"}), "");
        assert_eq!(
            decision,
            if wanted.is_empty() { "allow" } else { "amend ac-windows" },
            "{open:?}"
        );
        assert_eq!(calls, wanted, "{open:?}");
        assert_eq!(decided(&bench, "set_ac_power", &json!({"power": "off"}), "").0, "allow");
    };
    let front = "Vehicle.Cabin.Door.Row1.DriverSide.Window.Position";
    let close = |window: &str| json!({"control_window": {"window": window, "action": "close"}});
    check(&[(REAR_WINDOW, 20.0)], &[]);
    check(&[(REAR_WINDOW, 21.0)], &[close("rear_left")]);
    check(
        &[(REAR_WINDOW, 100.0), (front, 30.0)],
        &[close("driver"), close("rear_left")],
    );
    let fan = "Vehicle.Cabin.HVAC.Station.Row1.Driver.FanSpeed";
    check(
        &[(REAR_WINDOW, 30.0), (fan, 0.0)],
        &[close("rear_left"), json!({"set_fan_speed": {"fan": 1}})],
    );
    let all = [
        "Row1.DriverSide",
        "Row1.PassengerSide",
        "Row2.DriverSide",
        "Row2.PassengerSide",
    ]
    .map(|door| format!("Vehicle.Cabin.Door.{door}.Window.Position"));
    check(&all.each_ref().map(|signal| (signal.as_str(), 100.0)), &[close("all")]);
}

#[test]
fn a_window_on_its_way_shut_needs_no_amendment() {
    let bench = Bench::new();
    bench.set(REAR_WINDOW, 100.0);
    bench
        .call("control_window", &json!({"window": "rear_left", "action": "close"}))
        .unwrap();
    assert_eq!(bench.number(REAR_WINDOW), 100.0);
    assert_eq!(decided(&bench, "set_ac_power", &json!({"power": "on"}), "").0, "allow");
}

#[test]
fn a_gap_between_zones_is_said() {
    check(&[
        (&[], "set_temperature", json!({"temperature": 25}), "allow"),
        (&[], "set_temperature", json!({"temperature": 25.5}), "warn temp-gap"),
        (
            &[],
            "set_temperature",
            json!({"temperature": 30, "zone": "all"}),
            "allow",
        ),
    ]);
}

#[test]
fn clearing_the_windscreen_brings_air_and_wind() {
    let check = |state: &[(&str, SignalValue)], window: &str, wanted: &[Value]| {
        let bench = Bench::new();
        for (signal, value) in state {
            bench.set(signal, value.clone());
        }
        let (decision, calls) = decided(&bench, "set_defrost", &json!({"window": window, "power": "on"}), "");
        assert_eq!(
            decision,
            if wanted.is_empty() {
                "allow"
            } else {
                "amend defrost-front"
            },
            "{window}"
        );
        assert_eq!(calls, wanted, "{state:?} {window}");
        assert_eq!(
            decided(&bench, "set_defrost", &json!({"window": window, "power": "off"}), "").0,
            "allow"
        );
    };
    let ac = json!({"set_ac_power": {"power": "on"}});
    let fan = json!({"set_fan_speed": {"fan": 2}});
    let air = json!({"set_airflow": {"direction": "feet_windshield", "zone": "front"}});
    let driver_fan = ("Vehicle.Cabin.HVAC.Station.Row1.Driver.FanSpeed", n(10.0));
    let at_glass = (
        "Vehicle.Incar.HVAC.Station.Row1.Driver.Airflow",
        SignalValue::from("WINDSHIELD"),
    );
    let on = || (AC, SignalValue::Bool(true));
    check(&[], "front", &[ac.clone(), air.clone()]);
    check(&[driver_fan], "all", &[ac, fan, air.clone()]);
    check(&[on()], "front", &[air]);
    check(&[on(), at_glass], "front", &[]);
    check(&[], "rear", &[]);
}

#[test]
fn lights_are_kept_from_dazzling_and_from_going_out() {
    let light = |light: &str, power: &str| json!({"light": light, "power": power});
    let fog = || ("Vehicle.Body.Lights.Fog.Rear.IsOn", SignalValue::Bool(true));
    let low = || ("Vehicle.Body.Lights.Beam.Low.IsOn", SignalValue::Bool(true));
    let limit = |limit: f64| ("Vehicle.Incar.SpeedLimit", n(limit));
    let dark = || ("Vehicle.Exterior.LightIntensity", n(5.0));
    let tool = "set_exterior_light";
    check(&[
        (&[], tool, light("fog", "on"), "amend fog-lights"),
        (&[low()], tool, light("fog_rear", "on"), "allow"),
        (&[], tool, light("fog", "off"), "allow"),
        (&[fog()], tool, light("high_beam", "on"), "deny high-beam-fog"),
        (
            &[limit(50.0)],
            tool,
            light("high_beam", "on"),
            "confirm high-beam-confirm",
        ),
        (&[limit(60.0)], tool, light("high_beam", "on"), "allow"),
        (&[fog(), limit(50.0)], tool, light("high_beam", "off"), "allow"),
        (
            &[dark(), speed(50.0)],
            tool,
            light("low_beam", "off"),
            "deny lights-night",
        ),
        (&[dark(), speed(50.0)], tool, light("auto", "off"), "deny lights-night"),
        (&[dark()], tool, light("low_beam", "off"), "allow"),
        (&[speed(50.0)], tool, light("low_beam", "off"), "allow"),
        (&[dark(), speed(50.0)], tool, light("hazard", "off"), "allow"),
    ]);
    let bench = Bench::new();
    bench.set("Vehicle.Body.Lights.Beam.High.IsOn", true);
    let (_, calls) = decided(&bench, tool, &light("fog", "on"), "");
    let switch = |name: &str, power: &str| json!({tool: {"light": name, "power": power}});
    assert_eq!(calls, [switch("low_beam", "on"), switch("high_beam", "off")]);
}

#[test]
fn what_would_distract_or_endanger_the_driver_waits_for_a_stop() {
    let assist = |feature: &str, power: &str| json!({"feature": feature, "power": power});
    let forward = |seat: &str| json!({"seat": seat, "direction": "forward"});
    check(&[
        (
            &[speed(50.0)],
            "adjust_seat",
            json!({"direction": "forward"}),
            "deny driver-seat-moving",
        ),
        (
            &[speed(50.0)],
            "adjust_seat",
            forward("front"),
            "deny driver-seat-moving",
        ),
        (&[speed(50.0)], "adjust_seat", forward("passenger"), "allow"),
        (&[], "adjust_seat", forward("driver"), "allow"),
        (
            &[speed(50.0)],
            "seat_memory",
            json!({"action": "save", "slot": "1"}),
            "allow",
        ),
        (
            &[speed(50.0)],
            "set_drive_mode",
            json!({"mode": "sport"}),
            "confirm drive-mode-moving",
        ),
        (&[], "set_drive_mode", json!({"mode": "sport"}), "allow"),
        (
            &[],
            "set_driver_assist",
            assist("lane_assist", "off"),
            "confirm assist-off",
        ),
        (&[], "set_driver_assist", assist("lane_assist", "on"), "allow"),
        (&[], "set_driver_assist", assist("fatigue", "off"), "allow"),
        (
            &[],
            "set_driver_assist",
            assist("stability", "off"),
            "confirm assist-off",
        ),
        (
            &[speed(50.0)],
            "set_driver_assist",
            assist("stability", "off"),
            "deny stability-moving",
        ),
        (
            &[speed(50.0)],
            "set_driver_assist",
            assist("parking_brake", "on"),
            "deny parking-brake-moving",
        ),
        (
            &[speed(50.0)],
            "set_driver_assist",
            assist("parking_brake", "off"),
            "allow",
        ),
        (&[], "set_driver_assist", assist("parking_brake", "on"), "allow"),
        (
            &[speed(50.0)],
            "open_page",
            json!({"page": "account"}),
            "deny keyboard-moving",
        ),
        (
            &[speed(50.0)],
            "open_page",
            json!({"page": "account", "action": "close"}),
            "allow",
        ),
        (
            &[speed(50.0)],
            "open_page",
            json!({"page": "ambient light settings"}),
            "allow",
        ),
        (&[], "open_page", json!({"page": "account"}), "allow"),
    ]);
    let bench = Bench::new();
    bench
        .call("seat_memory", &json!({"action": "save", "slot": "1"}))
        .unwrap();
    let recall = json!({"action": "recall", "slot": "1"});
    assert_eq!(decided(&bench, "seat_memory", &recall, "").0, "allow");
    bench.set("Vehicle.Speed", 50.0);
    assert_eq!(
        decided(&bench, "seat_memory", &recall, "").0,
        "deny driver-seat-memory-moving"
    );
}

#[test]
fn a_destination_beyond_the_range_is_warned_about() {
    use incar_core::{Bilingual, Effect, ToolCategory, ToolSpec};
    let check = |range_m: f64, destination: &str, wanted: bool| {
        let bench = Bench::new();
        bench.set("Vehicle.Powertrain.Range", range_m);
        let spec = ToolSpec::new(
            "start_navigation",
            ToolCategory::NAVIGATION,
            Effect::Act,
            Bilingual::default(),
        );
        let arguments = json!({"destination": destination});
        let query = PolicyQuery::new(&spec, &arguments, &bench.speaker, Lang::Zh, "");
        let decisions = shipped(bench.car.clone()).decide(&query);
        let warned = matches!(decisions.as_slice(), [PolicyDecision::Warn { policy, .. }] if policy == "range-check");
        assert_eq!(warned, wanted, "{range_m} {destination}: {decisions:?}");
    };
    check(400_000.0, "天津", false);
    check(50_000.0, "天津", true);
    check(50_000.0, "故宫", false);
    check(1_000.0, "home", false);
    check(1_000.0, "一个没有人知道的地方", false);
}

#[test]
fn calls_messages_and_videos_have_their_policies() {
    use incar_core::{Bilingual, Effect, ToolCategory, ToolSpec};
    let check = |speed: f64, tool: &'static str, arguments: Value, utterance: &str, wanted: Option<&str>| {
        let bench = Bench::new();
        bench.set("Vehicle.Speed", speed);
        let spec = ToolSpec::new(tool, ToolCategory::PHONE, Effect::Act, Bilingual::default());
        let query = PolicyQuery::new(&spec, &arguments, &bench.speaker, Lang::En, utterance);
        let decision = match shipped(bench.car.clone()).decide(&query).into_iter().next() {
            None => None,
            Some(PolicyDecision::Deny { policy, .. }) => Some(policy),
            Some(PolicyDecision::Confirm { policy, question }) => {
                assert!(!question.contains('{'), "{question}");
                Some(policy)
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(decision.as_deref(), wanted, "{tool} {arguments} {utterance}");
    };
    let message = json!({"contact": "Anna", "text": "on my way"});
    check(0.0, "send_message", message, "", Some("message-confirm"));
    let call = |number: &str| json!({"number": number});
    check(0.0, "call", call("120"), "I feel unwell", Some("sos-call"));
    check(0.0, "call", call("120"), "打120", None);
    check(0.0, "call", call("120"), "打幺二零", None);
    check(0.0, "call", call("120"), "叫救护车", None);
    check(0.0, "call", call("110"), "快报警", None);
    check(0.0, "call", call("911"), "call emergency", None);
    check(0.0, "call", call("13800138000"), "call Anna", None);
    let video = |screen: &str| json!({"screen": screen});
    check(50.0, "play_video", video("center"), "", Some("video-moving"));
    check(50.0, "play_video", json!({}), "", Some("video-moving"));
    check(50.0, "play_video", video("rear"), "", None);
    check(0.0, "play_video", video("center"), "", None);
}

#[test]
fn shipped_policies_speak_of_what_is_there_and_are_all_reached() {
    let bench = Bench::new();
    let found = PolicyLayers::shipped().lint(&Facts::of(bench.car.clone()), &bench.registry);
    // The bench has the car's own tools alone; `repl --check-config` looks the others up.
    let wrong: Vec<_> = found.iter().filter(|found| found.code != Code::UnknownTool).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
