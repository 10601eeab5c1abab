//! Each shipped policy from both sides, the order of decisions, and what a file may not say.

use super::*;
use crate::car_control::testing::Bench;
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
    match policies.decide(&query) {
        PolicyDecision::Allow => ("allow".into(), Vec::new()),
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
fn doors_stay_shut_while_the_car_moves() {
    let call = |action: &str| json!({"door": "driver", "action": action});
    check(&[
        (&[speed(80.0)], "control_door", call("open"), "deny door-moving"),
        (&[speed(80.0)], "control_door", call("unlock"), "deny door-moving"),
        (&[speed(80.0)], "control_door", call("lock"), "allow"),
        (&[speed(80.0)], "control_door", call("close"), "allow"),
        (&[speed(3.0)], "control_door", call("open"), "allow"),
        (&[speed(3.1)], "control_door", call("open"), "deny door-moving"),
        (&[], "control_door", call("open"), "allow"),
    ]);
}

#[test]
fn the_trunk_opens_at_rest_and_after_a_yes() {
    let open = json!({"action": "open"});
    let trunk = "Vehicle.Body.Trunk.Rear.Position";
    check(&[
        (&[speed(30.0)], "control_trunk", open.clone(), "deny trunk-moving"),
        (&[], "control_trunk", open.clone(), "confirm trunk-confirm"),
        (
            &[],
            "control_trunk",
            json!({"trunk": "front", "action": "open"}),
            "confirm trunk-confirm",
        ),
        (&[], "control_trunk", json!({"action": "close"}), "allow"),
        (
            &[(trunk, n(100.0)), speed(30.0)],
            "control_trunk",
            json!({"action": "close"}),
            "allow",
        ),
        (&[], "control_trunk", json!({"action": "stop"}), "allow"),
        // Another word for opening does not get round it.
        (
            &[],
            "control_trunk",
            json!({"action": "close", "percentage": 100}),
            "confirm trunk-confirm",
        ),
        (
            &[speed(30.0)],
            "control_trunk",
            json!({"action": "close", "percentage": 100}),
            "deny trunk-moving",
        ),
    ]);
}

#[test]
fn wide_windows_are_confirmed_at_speed_and_with_the_air_conditioning_on() {
    let open = |percentage: u32| json!({"window": "driver", "action": "open", "percentage": percentage});
    let on = (AC, SignalValue::Bool(true));
    let driver = "Vehicle.Cabin.Door.Row1.DriverSide.Window.Position";
    check(&[
        (&[speed(121.0)], "control_window", open(21), "confirm window-speed"),
        (&[speed(121.0)], "control_window", open(20), "allow"),
        (&[speed(120.0)], "control_window", open(100), "allow"),
        (
            &[speed(130.0), (driver, n(100.0))],
            "control_window",
            json!({"window": "driver", "action": "close"}),
            "allow",
        ),
        (&[on.clone()], "control_window", open(26), "confirm window-ac"),
        (&[on.clone()], "control_window", open(25), "allow"),
        (&[on.clone(), (driver, n(100.0))], "control_window", open(50), "allow"),
        (
            &[on],
            "control_window",
            json!({"window": "driver", "action": "close", "percentage": 60}),
            "confirm window-ac",
        ),
        (&[], "control_window", open(100), "allow"),
    ]);
}

#[test]
fn the_child_lock_keeps_the_rear_shut_from_behind() {
    let check = |seat: Seat, lock: Option<&str>, tool: &str, arguments: Value, wanted: &str| {
        let mut bench = Bench::new();
        bench.speaker.seat = seat;
        if let Some(lock) = lock {
            bench.set(lock, true);
        }
        assert_eq!(
            decided(&bench, tool, &arguments, "").0,
            wanted,
            "{seat} {lock:?} {arguments}"
        );
    };
    let window = json!({"window": "rear_left", "action": "open"});
    let lock = Some("Vehicle.Cabin.IsWindowChildLockEngaged");
    let door_lock = Some("Vehicle.Cabin.Door.Row2.PassengerSide.IsChildLockActive");
    check(
        Seat::RearLeft,
        lock,
        "control_window",
        window.clone(),
        "deny child-rear",
    );
    check(
        Seat::ThirdRow,
        lock,
        "control_window",
        json!({"window": "all", "action": "open"}),
        "deny child-rear",
    );
    check(
        Seat::RearRight,
        door_lock,
        "control_door",
        json!({"door": "rear_right", "action": "open"}),
        "deny child-rear",
    );
    check(Seat::RearLeft, None, "control_window", window.clone(), "allow");
    check(Seat::Driver, lock, "control_window", window, "allow");
    check(
        Seat::RearLeft,
        lock,
        "control_window",
        json!({"window": "rear_left", "action": "close"}),
        "allow",
    );
    check(
        Seat::RearLeft,
        lock,
        "control_window",
        json!({"window": "driver", "action": "open"}),
        "allow",
    );
}

#[test]
fn the_sunroof_waits_for_its_shade_and_for_dry_weather() {
    let open = json!({"action": "open"});
    let shade = (ROOF_SHADE, n(100.0));
    check(&[
        (&[], "control_sunroof", open.clone(), "amend sunroof-shade"),
        (
            &[(ROOF_SHADE, n(99.0))],
            "control_sunroof",
            open.clone(),
            "amend sunroof-shade",
        ),
        (&[shade.clone()], "control_sunroof", open.clone(), "allow"),
        (
            &[shade.clone(), (RAIN, n(1.0))],
            "control_sunroof",
            open.clone(),
            "confirm sunroof-weather",
        ),
        (
            &[shade, ("Vehicle.Incar.Exterior.IsSnowing", SignalValue::Bool(true))],
            "control_sunroof",
            open,
            "confirm sunroof-weather",
        ),
        (
            &[(RAIN, n(50.0))],
            "control_sunroof",
            json!({"action": "close"}),
            "allow",
        ),
        (
            &[(RAIN, n(50.0))],
            "control_sunroof",
            json!({"action": "stop"}),
            "allow",
        ),
    ]);
    let (_, calls) = decided(&Bench::new(), "control_sunroof", &json!({"action": "open"}), "");
    assert_eq!(
        calls,
        [json!({"control_sunshade": {"shade": "roof", "action": "open"}})]
    );
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
        assert_eq!(decision, if wanted.is_empty() { "allow" } else { "amend defrost-front" }, "{window}");
        assert_eq!(calls, wanted, "{state:?} {window}");
        assert_eq!(decided(&bench, "set_defrost", &json!({"window": window, "power": "off"}), "").0, "allow");
    };
    let ac = json!({"set_ac_power": {"power": "on"}});
    let fan = json!({"set_fan_speed": {"fan": 2}});
    let air = json!({"set_airflow": {"direction": "feet_windshield", "zone": "front"}});
    let driver_fan = ("Vehicle.Cabin.HVAC.Station.Row1.Driver.FanSpeed", n(10.0));
    let at_glass = ("Vehicle.Incar.HVAC.Station.Row1.Driver.Airflow", SignalValue::from("WINDSHIELD"));
    let on = (AC, SignalValue::Bool(true));
    check(&[], "front", &[ac.clone(), air.clone()]);
    check(&[driver_fan], "all", &[ac, fan, air.clone()]);
    check(&[on.clone()], "front", &[air]);
    check(&[on, at_glass], "front", &[]);
    check(&[], "rear", &[]);
}

#[test]
fn lights_are_kept_from_dazzling_and_from_going_out() {
    let light = |light: &str, power: &str| json!({"light": light, "power": power});
    let fog = ("Vehicle.Body.Lights.Fog.Rear.IsOn", SignalValue::Bool(true));
    let low = ("Vehicle.Body.Lights.Beam.Low.IsOn", SignalValue::Bool(true));
    let limit = |limit: f64| ("Vehicle.Incar.SpeedLimit", n(limit));
    let dark = ("Vehicle.Exterior.LightIntensity", n(5.0));
    let tool = "set_exterior_light";
    check(&[
        (&[], tool, light("fog", "on"), "amend fog-lights"),
        (&[low.clone()], tool, light("fog_rear", "on"), "allow"),
        (&[], tool, light("fog", "off"), "allow"),
        (&[fog.clone()], tool, light("high_beam", "on"), "deny high-beam-fog"),
        (&[limit(50.0)], tool, light("high_beam", "on"), "confirm high-beam-confirm"),
        (&[limit(60.0)], tool, light("high_beam", "on"), "allow"),
        (&[fog, limit(50.0)], tool, light("high_beam", "off"), "allow"),
        (&[dark.clone(), speed(50.0)], tool, light("low_beam", "off"), "deny lights-night"),
        (&[dark.clone(), speed(50.0)], tool, light("auto", "off"), "deny lights-night"),
        (&[dark.clone()], tool, light("low_beam", "off"), "allow"),
        (&[speed(50.0)], tool, light("low_beam", "off"), "allow"),
        (&[dark, speed(50.0)], tool, light("hazard", "off"), "allow"),
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
        (&[speed(50.0)], "adjust_seat", json!({"direction": "forward"}), "deny driver-seat-moving"),
        (&[speed(50.0)], "adjust_seat", forward("front"), "deny driver-seat-moving"),
        (&[speed(50.0)], "adjust_seat", forward("passenger"), "allow"),
        (&[], "adjust_seat", forward("driver"), "allow"),
        (&[speed(50.0)], "seat_memory", json!({"action": "save", "slot": "1"}), "allow"),
        (&[speed(50.0)], "set_drive_mode", json!({"mode": "sport"}), "confirm drive-mode-moving"),
        (&[], "set_drive_mode", json!({"mode": "sport"}), "allow"),
        (&[], "set_driver_assist", assist("lane_assist", "off"), "confirm assist-off"),
        (&[], "set_driver_assist", assist("lane_assist", "on"), "allow"),
        (&[], "set_driver_assist", assist("fatigue", "off"), "allow"),
        (&[], "set_driver_assist", assist("stability", "off"), "confirm assist-off"),
        (&[speed(50.0)], "set_driver_assist", assist("stability", "off"), "deny stability-moving"),
        (&[speed(50.0)], "set_driver_assist", assist("parking_brake", "on"), "deny parking-brake-moving"),
        (&[speed(50.0)], "set_driver_assist", assist("parking_brake", "off"), "allow"),
        (&[], "set_driver_assist", assist("parking_brake", "on"), "allow"),
        (&[speed(50.0)], "open_page", json!({"page": "account"}), "deny keyboard-moving"),
        (&[speed(50.0)], "open_page", json!({"page": "account", "action": "close"}), "allow"),
        (&[speed(50.0)], "open_page", json!({"page": "ambient light settings"}), "allow"),
        (&[], "open_page", json!({"page": "account"}), "allow"),
    ]);
    let bench = Bench::new();
    bench.call("seat_memory", &json!({"action": "save", "slot": "1"})).unwrap();
    let recall = json!({"action": "recall", "slot": "1"});
    assert_eq!(decided(&bench, "seat_memory", &recall, "").0, "allow");
    bench.set("Vehicle.Speed", 50.0);
    assert_eq!(decided(&bench, "seat_memory", &recall, "").0, "deny driver-seat-memory-moving");
}

#[test]
fn calls_messages_and_videos_have_their_policies() {
    use incar_core::{Bilingual, Effect, ToolCategory, ToolSpec};
    let check = |speed: f64, tool: &'static str, arguments: Value, utterance: &str, wanted: Option<&str>| {
        let bench = Bench::new();
        bench.set("Vehicle.Speed", speed);
        let spec = ToolSpec::new(tool, ToolCategory::PHONE, Effect::Act, Bilingual::default());
        let query = PolicyQuery::new(&spec, &arguments, &bench.speaker, Lang::En, utterance);
        let decision = match shipped(bench.car.clone()).decide(&query) {
            PolicyDecision::Allow => None,
            PolicyDecision::Deny { policy, .. } => Some(policy),
            PolicyDecision::Confirm { policy, question } => {
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

/// A car that answers nothing.
#[derive(Debug)]
struct SilentCar;

#[incar_core::async_trait]
impl Vehicle for SilentCar {
    fn info(&self, _: &str) -> Option<&crate::vehicle::SignalInfo> {
        None
    }
    fn value(&self, signal: &str) -> Result<SignalValue, crate::vehicle::VehicleError> {
        Err(crate::vehicle::VehicleError::NoAnswer(signal.into()))
    }
    fn target(&self, signal: &str) -> Result<SignalValue, crate::vehicle::VehicleError> {
        self.value(signal)
    }
    async fn actuate(
        &self,
        _: &[crate::vehicle::Command],
    ) -> Result<Vec<crate::vehicle::Actuation>, crate::vehicle::VehicleError> {
        Ok(Vec::new())
    }
    fn snapshot(&self) -> std::collections::BTreeMap<String, SignalValue> {
        Default::default()
    }
}

#[test]
fn what_is_not_known_counts_as_unsafe() {
    let bench = Bench::new();
    let policies = Policies::shipped(Facts::of(Arc::new(SilentCar))).unwrap();
    let speaker = Speaker::new("test", Seat::Driver);
    for (tool, arguments, wanted) in [
        (
            "control_door",
            json!({"door": "driver", "action": "open"}),
            "door-moving",
        ),
        (
            "control_trunk",
            json!({"trunk": "rear", "action": "open", "percentage": 100}),
            "trunk-moving",
        ),
        (
            "control_window",
            json!({"window": "driver", "action": "open", "percentage": 100}),
            "window-speed",
        ),
        (
            "control_sunroof",
            json!({"action": "open", "percentage": 100}),
            "sunroof-weather",
        ),
    ] {
        let spec = bench.registry.get(tool).unwrap().spec();
        let first = policies.decide(&PolicyQuery::new(spec, &arguments, &speaker, Lang::En, ""));
        let policy = match first {
            PolicyDecision::Deny { policy, .. } | PolicyDecision::Confirm { policy, .. } => policy,
            other => panic!("{tool}: {other:?}"),
        };
        assert_eq!(policy, wanted);
    }
}

#[test]
fn the_strictest_decides_and_allow_settles() {
    let bench = Bench::new();
    let row = |id: &str, decision: &str, more: &str| {
        format!(
            "[[policy]]\nid = \"{id}\"\ntool = \"set_volume\"\ndecision = \"{decision}\"\nsay = {{ zh = \"说。\", en = \"Say {{volume}}.\" }}\n{more}\n"
        )
    };
    let call = "calls = [{ tool = \"set_fan_speed\", arguments = { fan = 1 } }]";
    let check = |text: String, wanted: &[&str]| {
        let policies = Policies::from_toml(&text, Facts::of(bench.car.clone())).unwrap();
        let arguments = json!({"volume": 5});
        let spec = bench.registry.get("set_volume").unwrap().spec();
        let query = PolicyQuery::new(spec, &arguments, &bench.speaker, Lang::En, "");
        let ids: Vec<String> = policies
            .decide_all(&query)
            .into_iter()
            .map(|decision| match decision {
                PolicyDecision::Warn { policy, say } => {
                    assert_eq!(say, "Say 5.");
                    policy
                }
                PolicyDecision::Deny { policy, .. }
                | PolicyDecision::Confirm { policy, .. }
                | PolicyDecision::Amend { policy, .. } => policy,
                other => panic!("{other:?}"),
            })
            .collect();
        assert_eq!(ids, wanted);
    };
    let all = [
        row("w", "warn", ""),
        row("a", "amend", call),
        row("c", "confirm", ""),
        row("d", "deny", ""),
    ]
    .concat();
    check(all.clone(), &["d", "c", "a", "w"]);
    check(all + &row("ok", "allow", ""), &[]);
    check(row("c1", "confirm", "") + &row("c2", "confirm", ""), &["c1", "c2"]);
}

#[test]
fn a_fault_in_a_file_names_the_policy_and_the_problem() {
    let bench = Bench::new();
    let check = |text: &str, wanted: &str| {
        let error = Policies::from_toml(text, Facts::of(bench.car.clone()))
            .unwrap_err()
            .to_string();
        assert!(error.contains(wanted), "{text}\n{error}");
    };
    let say = "say = { zh = \"说。\", en = \"Say.\" }\n";
    let row = |more: &str| format!("[[policy]]\nid = \"p\"\ntool = \"t\"\n{say}{more}");
    check("[[policy", "cannot be read");
    check("[[polic]]\nid = 1", "cannot be read");
    check(
        "[[policy]]\ntool = \"t\"\ndecision = \"deny\"",
        "policy `#1`: missing field `id`",
    );
    check(&row("decision = \"forbid\""), "policy `p`: unknown variant `forbid`");
    check(
        &row("decision = \"deny\"\nwhenn = 1"),
        "policy `p`: unknown field `whenn`",
    );
    check(
        &row("decision = \"deny\"\nwhen = { fact = \"flying\" }"),
        "policy `p`: there is no fact `flying`",
    );
    check(
        &row("decision = \"deny\"\nwhen = {}"),
        "policy `p`: a condition is one of",
    );
    check(
        &row("decision = \"deny\"\nwhen = { signal = \"S\" }"),
        "policy `p`: a condition is one of",
    );
    check(
        &row("decision = \"deny\"\nwhen = { signal = \"S\", above = 1, below = 3 }"),
        "a condition is one of",
    );
    check(&row("decision = \"amend\""), "policy `p`: calls belong to amend");
    check(
        "[[policy]]\nid = \"p\"\ntool = \"t\"\ndecision = \"deny\"",
        "must say something",
    );
    check(
        &(row("decision = \"deny\"\n") + &row("decision = \"deny\"")),
        "policy `p`: the id is used twice",
    );
}

#[test]
fn amendments_that_go_round_in_a_circle_are_refused() {
    let bench = Bench::new();
    let row = |id: &str, tool: &str, on: &str, next: &str, next_on: &str| {
        format!(
            "[[policy]]\nid = \"{id}\"\ntool = \"{tool}\"\narguments = {{ on = \"{on}\" }}\ndecision = \"amend\"\nsay = {{ zh = \"说。\", en = \"Say.\" }}\ncalls = [{{ tool = \"{next}\", arguments = {{ on = \"{next_on}\" }} }}]\n"
        )
    };
    let load = |text: String| Policies::from_toml(&text, Facts::of(bench.car.clone()));
    let error = load(row("p", "a", "x", "b", "x") + &row("q", "b", "x", "a", "x")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "policy `p`: its amendments go round in a circle: p → q → p"
    );
    assert!(load(row("p", "a", "x", "a", "x")).is_err());
    // The same tool with other arguments is no circle.
    assert!(load(row("p", "a", "x", "a", "y")).is_ok());
}

#[test]
fn shipped_policies_speak_of_tools_arguments_and_signals_that_are_there() {
    let bench = Bench::new();
    let policies = shipped(bench.car.clone());
    let argument = |tool: &str, name: &str| bench.registry.get(tool).unwrap().spec().argument(name).is_some();
    for row in &policies.rows {
        for tool in row.tools.iter().filter(|tool| bench.registry.get(tool).is_some()) {
            assert!(row.arguments.iter().all(|(name, _)| argument(tool, name)), "{}", row.id);
        }
        if let Action::Amend(_, calls) = &row.action {
            for call in calls {
                assert!(
                    call.arguments.keys().all(|name| argument(&call.tool, name)),
                    "{}",
                    row.id
                );
            }
        }
        signals_exist(&row.when, &row.id, &bench);
    }
}

fn signals_exist(condition: &condition::Condition, id: &str, bench: &Bench) {
    use condition::Condition;
    match condition {
        Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| signals_exist(part, id, bench)),
        Condition::Not(inner) => signals_exist(inner, id, bench),
        Condition::Signal(names, _) => names.iter().for_each(|name| {
            assert!(bench.car.info(name).is_some(), "{id}: {name}");
        }),
        Condition::Fact(_) | Condition::Argument(..) => {}
    }
}

#[test]
fn a_host_adds_facts_of_its_own() {
    let bench = Bench::new();
    let text = "[[policy]]\nid = \"p\"\ntool = \"set_volume\"\nwhen = { fact = \"baby_asleep\" }\ndecision = \"confirm\"\nsay = { zh = \"说？\", en = \"Sure?\" }\n";
    for (known, decisions) in [(Some(true), 1), (Some(false), 0), (None, 1)] {
        let facts = Facts::of(bench.car.clone()).with("baby_asleep", Arc::new(move |_: &PolicyQuery<'_>| known));
        let policies = Policies::from_toml(text, facts).unwrap();
        let arguments = json!({});
        let spec = bench.registry.get("set_volume").unwrap().spec();
        let query = PolicyQuery::new(spec, &arguments, &bench.speaker, Lang::En, "");
        assert_eq!(policies.decide_all(&query).len(), decisions, "{known:?}");
    }
}
