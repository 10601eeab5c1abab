//! What policies and permissions say of a tool holds for whoever sets its signals directly.

use super::*;
use crate::generic_signals::SET_SIGNAL;
use crate::policy::Permissions;
use incar_core::{Bilingual, Effect, ToolCategory, ToolSpec};

/// The decisions about setting a signal, by kind and policy.
fn judged(gate: &dyn PolicyGate, speaker: &Speaker, signal: &str, value: &Value) -> Vec<String> {
    let spec = ToolSpec::new(
        SET_SIGNAL,
        ToolCategory::CAR_CONTROL,
        Effect::Set,
        Bilingual::new("", ""),
    );
    let arguments = json!({"signal": signal, "value": value});
    let query = PolicyQuery::new(&spec, &arguments, speaker, Lang::En, "");
    let told = gate.decide(&query).into_iter().map(|decision| match decision {
        PolicyDecision::Allow { policy } => format!("allow {policy}"),
        PolicyDecision::Warn { policy, say } => spoken("warn", &policy, &say),
        PolicyDecision::Deny { policy, reason } => spoken("deny", &policy, &reason),
        PolicyDecision::Confirm { policy, question } => spoken("confirm", &policy, &question),
        PolicyDecision::Amend { policy, say, .. } => spoken("amend", &policy, &say),
        other => panic!("{other:?}"),
    });
    told.collect()
}

/// The state, the seat, the signal and its value, and all that is decided.
type Row = (
    Vec<(&'static str, SignalValue)>,
    Seat,
    &'static str,
    Value,
    &'static str,
);

#[rustfmt::skip] // One signal a line.
fn rows() -> Vec<Row> {
    let fast = || vec![speed(80.0)];
    let night = || vec![("Vehicle.Exterior.LightIntensity", n(5.0)), speed(60.0)];
    let cooling = || vec![(AC, true.into())];
    let child_lock = || vec![("Vehicle.Cabin.IsWindowChildLockEngaged", true.into())];
    let (driver, child) = (Seat::Driver, Seat::RearLeft);
    vec![
        // Doors, windows, roof, trunk; each part by all the signals that move it.
        (fast(), driver, "Vehicle.Cabin.Door.Row1.DriverSide.Position", json!(100), "deny door-moving"),
        (fast(), driver, "Vehicle.Cabin.Door.Row1.DriverSide.IsOpen", json!(true), "deny door-moving"),
        (fast(), driver, "Vehicle.Cabin.Door.Row1.DriverSide.Switch", json!("ONE_SHOT_OPEN"), "deny door-moving"),
        (fast(), driver, "Vehicle.Cabin.Door.Row1.DriverSide.Switch", json!("INACTIVE"), ""),
        (fast(), driver, "Vehicle.Cabin.Door.Row1.DriverSide.IsLocked", json!(false), "deny door-moving"),
        (fast(), driver, "Vehicle.Cabin.Door.Row1.DriverSide.IsLocked", json!(true), ""),
        (fast(), driver, "Vehicle.Cabin.Door.Row1.DriverSide.Position", json!(0), ""),
        (vec![], driver, "Vehicle.Cabin.Door.Row1.DriverSide.Position", json!(100), ""),
        (fast(), driver, "Vehicle.Body.Trunk.Rear.IsOpen", json!(true), "deny trunk-moving"),
        (fast(), driver, "Vehicle.Body.Trunk.Rear.IsLocked", json!(false), "deny trunk-moving"),
        (fast(), driver, "Vehicle.Body.Trunk.Rear.IsLocked", json!(true), ""),
        (vec![], driver, "Vehicle.Body.Trunk.Front.Position", json!(100), "confirm trunk-confirm-front"),
        (child_lock(), child, "Vehicle.Cabin.Door.Row2.DriverSide.Window.Position", json!(50), "deny child-rear"),
        (child_lock(), child, "Vehicle.Cabin.Door.Row2.DriverSide.IsOpen", json!(true), "deny child-rear"),
        (child_lock(), child, "Vehicle.Cabin.Door.Row2.DriverSide.Window.Position", json!(0), ""),
        (child_lock(), driver, "Vehicle.Cabin.Door.Row2.DriverSide.Window.Position", json!(50), ""),
        (vec![speed(130.0)], driver, "Vehicle.Cabin.Door.Row1.DriverSide.Window.IsOpen", json!(true), "confirm window-speed"),
        (cooling(), driver, "Vehicle.Cabin.Door.Row1.DriverSide.Window.Position", json!(30), "confirm window-ac"),
        (cooling(), driver, "Vehicle.Cabin.Door.Row1.DriverSide.Window.Position", json!(20), ""),
        (vec![(RAIN, n(40.0))], driver, "Vehicle.Cabin.Sunroof.Switch", json!("TILT_UP"), "confirm sunroof-weather"),
        (vec![], driver, "Vehicle.Cabin.Sunroof.Position", json!(100), "amend sunroof-shade"),
        // Climate.
        (vec![(REAR_WINDOW, n(100.0))], driver, AC, json!(true), "amend ac-windows"),
        (vec![], driver, "Vehicle.Cabin.HVAC.Station.Row1.Driver.Temperature", json!(30), "warn temp-gap"),
        (vec![], driver, "Vehicle.Cabin.HVAC.IsFrontDefrosterActive", json!(true), "amend defrost-front"),
        // Lights.
        (fast(), driver, "Vehicle.Body.Lights.Hazard.IsSignaling", json!(true), "allow hazard-allow"),
        (vec![], driver, "Vehicle.Body.Lights.Fog.Rear.IsOn", json!(true), "amend fog-lights"),
        (vec![("Vehicle.Body.Lights.Fog.Front.IsOn", true.into())], driver, "Vehicle.Body.Lights.Beam.High.IsOn", json!(true), "deny high-beam-fog"),
        (vec![("Vehicle.Incar.SpeedLimit", n(40.0))], driver, "Vehicle.Body.Lights.IsHighBeamSwitchOn", json!(true), "confirm high-beam-confirm"),
        (night(), driver, "Vehicle.Body.Lights.Beam.Low.IsOn", json!(false), "deny lights-night"),
        (night(), driver, "Vehicle.Body.Lights.LightSwitch", json!("OFF"), "deny lights-night"),
        (night(), driver, "Vehicle.Body.Lights.LightSwitch", json!("POSITION"), "deny lights-night"),
        (night(), driver, "Vehicle.Body.Lights.LightSwitch", json!("BEAM"), ""),
        // Seats.
        (fast(), Seat::Passenger, "Vehicle.Cabin.Seat.Row1.DriverSide.Backrest.Recline", json!(20), "deny driver-seat-moving"),
        (fast(), driver, "Vehicle.Cabin.Seat.Row1.DriverSide.Backrest.LumbarSupport", json!(20), "deny driver-seat-moving"),
        (fast(), driver, "Vehicle.Cabin.Seat.Row1.DriverSide.IsBackwardSwitchEngaged", json!(true), "deny driver-seat-moving"),
        (fast(), driver, "Vehicle.Cabin.Seat.Row1.DriverSide.HeatingCooling", json!(50), ""),
        (fast(), driver, "Vehicle.Cabin.Seat.Row1.PassengerSide.Position", json!(20), ""),
        // A place that nobody knows may be the driver's.
        (fast(), driver, "Vehicle.Cabin.Seat.Row1.Middle.Position", json!(20), "deny driver-seat-moving"),
        // Driving, functions, pages.
        (vec![], driver, "Vehicle.ADAS.LaneDepartureDetection.IsEnabled", json!(false), "confirm assist-off"),
        (fast(), driver, "Vehicle.ADAS.ESC.IsEnabled", json!(false), "deny stability-moving, confirm assist-off"),
        (fast(), driver, "Vehicle.Chassis.ParkingBrake.IsEngaged", json!(true), "deny parking-brake-moving"),
        (fast(), driver, "Vehicle.Powertrain.Transmission.PerformanceMode", json!("SPORT"), "confirm drive-mode-moving"),
        (vec![], driver, "Vehicle.Cabin.IsWindowChildLockEngaged", json!(false), "confirm feature-off"),
        (fast(), driver, "Vehicle.Incar.HMI.Page", json!("unheard_of"), "deny keyboard-moving"),
        // What no tool of the car sets is the maker's alone.
        (fast(), driver, "Vehicle.Body.Acme.Fountain.IsOn", json!(true), ""),
    ]
}

#[test]
fn a_signal_is_set_only_where_its_tool_may_set_it() {
    for (state, seat, signal, value, wanted) in rows() {
        let bench = Bench::new();
        state
            .iter()
            .for_each(|(signal, value)| bench.set(signal, value.clone()));
        let policies = shipped(bench.car.clone());
        let found = judged(&policies, &Speaker::new("test", seat), signal, &value);
        assert_eq!(found.join(", "), wanted, "{state:?} {signal} {value}");
    }
}

#[test]
fn a_place_that_is_still_to_be_asked_for_is_not_taken_for_every_place() {
    let bench = Bench::new();
    bench.set("Vehicle.Speed", n(80.0));
    let policies = shipped(bench.car.clone());
    for (signal, wanted) in [
        ("Vehicle.Cabin.Seat.*.*.Position", &[][..]),
        ("Vehicle.Cabin.Door.*.*.IsOpen", &["deny door-moving"]),
    ] {
        let found = judged(&policies, &bench.speaker, signal, &json!(1));
        assert_eq!(found, wanted, "{signal}");
    }
}

#[test]
fn an_allowance_of_one_reading_settles_nothing() {
    let bench = Bench::new();
    let file = r#"
[[policy]]
id = "mirror-heat"
tool = "set_mirror"
arguments = { action = "heat_on" }
decision = "allow"

[[policy]]
id = "defrost"
tool = "set_defrost"
decision = "deny"
say = { zh = "现在不行。", en = "Not now." }
"#;
    let policies = Policies::from_toml(file, Facts::of(bench.car.clone())).unwrap();
    let heating = "Vehicle.Body.Mirrors.DriverSide.IsHeatingOn";
    assert_eq!(
        judged(&policies, &bench.speaker, heating, &json!(true)),
        ["deny defrost"]
    );
}

#[test]
fn whom_a_permission_keeps_from_a_tool_it_keeps_from_its_signals() {
    let bench = Bench::new();
    let file = r#"
[[permission]]
id = "child"
seat = "rear_left"
deny = [{ tool = "control_door", arguments = { action = ["open", "unlock"] } }, "set_drive_mode"]

[[permission]]
id = "remote"
role = "remote"
allow = [{ tool = "set_signal", arguments = { signal = "Vehicle.Cabin.HVAC.IsAirConditioningActive" } }]
"#;
    let permissions = Permissions::from_toml("p.toml", file, Facts::of(bench.car.clone())).unwrap();
    let child = Speaker::new("car", Seat::RearLeft);
    let driver = Speaker::new("car", Seat::Driver);
    let remote = Speaker::new("car", Seat::Outside).with_role("remote");
    let door = "Vehicle.Cabin.Door.Row2.DriverSide.IsOpen";
    for (speaker, signal, value, wanted) in [
        (&child, door, json!(true), &["deny child"][..]),
        (&child, door, json!(false), &[]),
        (&child, "Vehicle.Incar.DriveMode", json!("SPORT"), &["deny child"]),
        (&driver, door, json!(true), &[]),
        // Who is allowed the signal by name is allowed it.
        (&remote, AC, json!(true), &[]),
        (&remote, door, json!(true), &["deny remote"]),
    ] {
        assert_eq!(
            judged(&permissions, speaker, signal, &value),
            wanted,
            "{signal} {value}"
        );
    }
}
