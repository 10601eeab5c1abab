use super::*;
use incar_tools::vehicle::Catalogue;

/// A car by VSS, as its broker lists it.
fn car(lines: &str) -> impl Fn(&str) -> Option<Arc<SignalInfo>> {
    let catalogue = Catalogue::from_toml(lines).unwrap();
    move |path: &str| catalogue.info(path).cloned()
}

fn place(overlay: &str, signal: &str, lines: &str) -> Option<Place> {
    let shipped = Overlay::shipped().unwrap();
    Overlay::from_toml(overlay)
        .unwrap()
        .resolve(&shipped, signal, &car(lines))
}

const SUNROOF: &str = "Vehicle.Cabin.Sunroof.Position";
const POSITION: &str = r#""Vehicle.Cabin.Sunroof.Position" = { kind = "sensor", type = "int8", min = -100, max = 100, default = 0 }
"#;
const SWITCH: &str = r#""Vehicle.Cabin.Sunroof.Switch" = { kind = "actuator", type = "string", allowed = ["INACTIVE", "ONE_SHOT_OPEN", "ONE_SHOT_CLOSE"], default = "INACTIVE" }
"#;

#[test]
fn the_sunroof_of_vss_is_moved_by_its_switch_to_what_that_can_do() {
    let place = place("", SUNROOF, &format!("{POSITION}{SWITCH}")).unwrap();
    assert_eq!(place.info.kind, SignalKind::Actuator);
    // This car's switch does not tilt.
    assert_eq!(place.info.allowed, ["0", "100"]);
    let switch = place.switch.unwrap();
    assert_eq!(switch.word(100.0), Some("ONE_SHOT_OPEN"));
    assert_eq!(switch.stop.as_deref(), Some("INACTIVE"));
}

#[test]
fn a_car_has_what_it_has() {
    // No switch: a sensor. A sunroof of its own: that one.
    let sensor = place("", SUNROOF, POSITION).unwrap();
    assert_eq!((sensor.info.kind, sensor.switch), (SignalKind::Sensor, None));
    let own = place(
        "",
        SUNROOF,
        &format!("{}{SWITCH}", POSITION.replace("sensor", "actuator")),
    )
    .unwrap();
    assert_eq!((own.info.kind, own.switch), (SignalKind::Actuator, None));
    assert!(place("", SUNROOF, SWITCH).is_none());
    assert!(place(&format!(r#""{SUNROOF}" = {{ absent = true }}"#), SUNROOF, POSITION).is_none());
}

#[test]
fn names_of_values_are_translated_both_ways() {
    let lines = r#""Vehicle.Powertrain.Transmission.PerformanceMode" = { kind = "actuator", type = "string", allowed = ["NORMAL", "SPORT", "RAIN"], default = "NORMAL" }"#;
    let place = place("", "Vehicle.Incar.DriveMode", lines).unwrap();
    assert_eq!(place.info.allowed, ["COMFORT", "SPORT"]);
    assert_eq!(place.write(&"COMFORT".into()), Some("NORMAL".into()));
    assert_eq!(place.write(&"RACE".into()), None);
    assert_eq!(place.read("NORMAL".into()), Some("COMFORT".into()));
    assert_eq!(place.read("RAIN".into()), Some("RAIN".into()));
    assert_eq!(place.read("LUDICROUS".into()), None);
}

#[test]
fn a_makers_fan_of_five_levels_is_the_tools_percent() {
    let overlay = r#""Vehicle.Cabin.HVAC.Station.Row1.{Driver,Passenger}.FanSpeed" = { path = "Vehicle.Acme.Fan.{Left,Right}", factor = 0.1, unit = "percent" }"#;
    let lines =
        r#""Vehicle.Acme.Fan.{Left,Right}" = { kind = "actuator", type = "uint8", min = 0, max = 5, default = 0 }"#;
    let place = place(overlay, "Vehicle.Cabin.HVAC.Station.Row1.Passenger.FanSpeed", lines).unwrap();
    assert_eq!(place.path, "Vehicle.Acme.Fan.Right");
    assert_eq!(place.info.range(), (0.0, 50.0));
    assert_eq!(place.info.unit.as_deref(), Some("percent"));
    assert_eq!(place.write(&40.0.into()), Some(4.0.into()));
    assert_eq!(place.read(4.0.into()), Some(40.0.into()));
    assert_eq!(place.read(6.0.into()), None);
}

#[test]
fn an_overlay_gives_the_bounds_that_a_broker_does_not() {
    let seat = "Vehicle.Cabin.Seat.Row1.DriverSide.Position";
    let lines = format!(r#""{seat}" = {{ kind = "actuator", type = "uint16", min = 0, default = 0 }}"#);
    let overlay = format!(r#""{seat}" = {{ max = 240 }}"#);
    assert_eq!(place("", seat, &lines).unwrap().info.range(), (0.0, 65_535.0));
    assert_eq!(place(&overlay, seat, &lines).unwrap().info.range(), (0.0, 240.0));
}

#[test]
fn a_fault_in_an_overlay_names_its_line() {
    let check = |text: &str, wanted: &str| {
        let error = Overlay::from_toml(text).unwrap_err().to_string();
        assert!(error.contains(wanted), "{text}: {error}");
    };
    check(r#""A" = { pth = "B" }"#, "unknown field `pth`");
    check(r#""A" = "B""#, "cannot be read");
    check(r#""{A,A}" = { path = "B" }"#, "`A` stands in the overlay twice");
    check(
        r#""{A,B}" = { path = "{C,D,E}" }"#,
        "`{C,D,E}` stands for another number",
    );
    check(r#""A" = { factor = 0 }"#, "`factor` is not 0");
    check(r#""A" = { plus = inf }"#, "`plus` are numbers");
    check(r#""A" = { factor = 2, names = { X = "Y" } }"#, "one of them has to go");
    check(r#""A" = { switch = "B" }"#, "`switch` and `to` go together");
    check(r#""A" = { to = { 100 = "UP" } }"#, "`switch` and `to` go together");
    check(r#""A" = { stop = "X" }"#, "`stop` needs a `switch`");
    check(r#""A" = { switch = "B", to = { up = "UP" } }"#, "are numbers");
    check(r#""A" = { min = 5, max = 1 }"#, "`min` is above `max`");
}
