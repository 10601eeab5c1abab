//! Lights outside, mirrors, wipers, screens, driving, functions and pages.

use super::*;
use incar_core::{Effect, ErrorKind};
use serde_json::json;

const LOW_BEAM: &str = "Vehicle.Body.Lights.Beam.Low.IsOn";
const HIGH_BEAM: &str = "Vehicle.Body.Lights.Beam.High.IsOn";

#[test]
fn lights_outside_go_with_each_other() {
    let hazard = "Vehicle.Body.Lights.Hazard.IsSignaling";
    let turn = |side: &str| format!("Vehicle.Body.Lights.DirectionIndicator.{side}.IsSignaling");
    check(
        "set_exterior_light",
        &[(&turn("Right"), yes())],
        &[
            (
                json!({"light": "high_beam", "power": "on"}),
                "远光灯已打开。",
                "The high beam is on.",
                &[(HIGH_BEAM, yes()), (LOW_BEAM, yes())],
            ),
            (
                json!({"light": "hazard", "power": "on"}),
                "双闪已打开。",
                "The hazard light is on.",
                &[(hazard, yes())],
            ),
            (
                json!({"light": "turn_left", "power": "on"}),
                "左转向灯已打开。",
                "The left turn signal is on.",
                &[(&turn("Left"), yes()), (&turn("Right"), no())],
            ),
            (
                json!({"light": "fog", "power": "on"}),
                "雾灯已打开。",
                "The fog light is on.",
                &[
                    ("Vehicle.Body.Lights.Fog.Front.IsOn", yes()),
                    ("Vehicle.Body.Lights.Fog.Rear.IsOn", yes()),
                ],
            ),
            (
                json!({"light": "auto", "power": "on"}),
                "自动大灯已经开着了。",
                "The automatic headlight is on already.",
                &[("Vehicle.Body.Lights.LightSwitch", "AUTO".into())],
            ),
            (
                json!({"light": "all", "power": "on"}),
                "车灯已打开。",
                "The exterior lighting is on.",
                &[(LOW_BEAM, yes()), (HIGH_BEAM, no()), (hazard, no())],
            ),
        ],
    );
    check(
        "set_exterior_light",
        &[(LOW_BEAM, yes()), (HIGH_BEAM, yes())],
        &[(
            json!({"light": "low_beam", "power": "off"}),
            "近光灯已关闭。",
            "The low beam is off.",
            &[(HIGH_BEAM, no()), (LOW_BEAM, no())],
        )],
    );
}

#[test]
fn mirrors_fold_warm_and_tilt() {
    let left = "Vehicle.Body.Mirrors.DriverSide";
    let right = "Vehicle.Body.Mirrors.PassengerSide";
    check(
        "set_mirror",
        &[],
        &[
            (
                json!({"action": "fold"}),
                "后视镜已折叠。",
                "The mirrors are folded.",
                &[
                    (&format!("{left}.IsFolded"), yes()),
                    (&format!("{right}.IsFolded"), yes()),
                ],
            ),
            (
                json!({"action": "unfold"}),
                "后视镜已经展开了。",
                "The mirrors are unfolded already.",
                &[],
            ),
            (
                json!({"mirror": "left", "action": "up"}),
                "左后视镜已往上调了一点。",
                "The left mirror is a bit higher.",
                &[(&format!("{left}.Tilt"), n(10.0)), (&format!("{right}.Tilt"), n(0.0))],
            ),
            (
                json!({"mirror": "right", "action": "heat_on"}),
                "右后视镜已开启加热。",
                "The right mirror is heated.",
                &[
                    (&format!("{right}.IsHeatingOn"), yes()),
                    (&format!("{left}.IsHeatingOn"), no()),
                ],
            ),
        ],
    );
    let bench = Bench::new();
    let effect = |action: &str| bench.resolve("set_mirror", &json!({"action": action})).unwrap().effect;
    assert_eq!((effect("up"), effect("fold")), (Effect::Act, Effect::Set));
}

#[test]
fn wipers_wipe() {
    let front = "Vehicle.Body.Windshield.Front.Wiping.Mode";
    check(
        "set_wiper",
        &[],
        &[
            (
                json!({"mode": "high"}),
                "雨刮调到高速。",
                "The wiper is set to fast.",
                &[(front, "FAST".into())],
            ),
            (
                json!({"mode": "off"}),
                "雨刮已经是关着的。",
                "The wiper is off already.",
                &[(front, "OFF".into())],
            ),
            (
                json!({"mode": "auto", "wiper": "rear"}),
                "后雨刮调到自动。",
                "The rear wiper is set to automatic.",
                &[
                    ("Vehicle.Body.Windshield.Rear.Wiping.Mode", "RAIN_SENSOR".into()),
                    (front, "OFF".into()),
                ],
            ),
            (
                json!({"mode": "once"}),
                "刮一次雨刮。",
                "Wiping once.",
                &[("Vehicle.Incar.Windshield.Front.SingleWipes", n(1.0))],
            ),
            (
                json!({"mode": "wash"}),
                "正在喷水清洗。",
                "Washing the windscreen.",
                &[("Vehicle.Incar.Windshield.Front.Washes", n(1.0))],
            ),
        ],
    );
}

#[test]
fn screens_are_the_center_one_unless_another_is_said() {
    let center = "Vehicle.Cabin.Infotainment.HMI.Brightness";
    check(
        "set_screen",
        &[],
        &[
            (
                json!({"brightness": 80}),
                "中控屏调到亮度80%。",
                "The center screen is set to 80% brightness.",
                &[(center, n(80.0))],
            ),
            (
                json!({"change": -10}),
                "中控屏调到亮度50%。",
                "The center screen is set to 50% brightness.",
                &[(center, n(50.0))],
            ),
            (
                json!({"screen": "hud", "power": "off"}),
                "抬头显示已关闭。",
                "The head-up display is off.",
                &[("Vehicle.Incar.Screen.HUD.IsOn", no())],
            ),
            (
                json!({"mode": "night"}),
                "中控屏调到夜间模式。",
                "The center screen is set to night mode.",
                &[("Vehicle.Cabin.Infotainment.HMI.DayNightMode", "NIGHT".into())],
            ),
            (
                json!({"move": "left"}),
                "中控屏转了一点。",
                "The center screen is turned a bit.",
                &[("Vehicle.Incar.Screen.Center.Pan", n(10.0))],
            ),
        ],
    );
}

#[test]
fn drive_modes_and_assistance_are_switched() {
    check(
        "set_drive_mode",
        &[],
        &[
            (
                json!({"mode": "sport"}),
                "已切换到运动模式。",
                "The drive mode is sport now.",
                &[("Vehicle.Incar.DriveMode", "SPORT".into())],
            ),
            (
                json!({"mode": "comfort"}),
                "已经是舒适模式了。",
                "The drive mode is comfort already.",
                &[],
            ),
        ],
    );
    check(
        "set_driver_assist",
        &[],
        &[
            (
                json!({"feature": "adaptive_cruise", "power": "on"}),
                "自适应巡航已打开。",
                "The adaptive cruise control is on.",
                &[
                    ("Vehicle.ADAS.CruiseControl.IsEnabled", yes()),
                    ("Vehicle.ADAS.CruiseControl.IsAdaptive", yes()),
                ],
            ),
            (
                json!({"feature": "parking_brake", "power": "off"}),
                "电子手刹已关闭。",
                "The parking brake is off.",
                &[("Vehicle.Chassis.ParkingBrake.IsEngaged", no())],
            ),
        ],
    );
}

#[test]
fn every_value_of_every_enum_is_served() {
    let bench = Bench::new();
    for (tool, argument, rest) in [
        ("set_climate_mode", "mode", json!({})),
        ("set_drive_mode", "mode", json!({})),
        ("set_driver_assist", "feature", json!({"power": "off"})),
        ("set_exterior_light", "light", json!({"power": "on"})),
        ("set_airflow", "direction", json!({})),
        ("get_vehicle_status", "item", json!({})),
        ("set_mirror", "action", json!({})),
        ("set_wiper", "mode", json!({})),
        ("adjust_seat", "part", json!({"direction": "up"})),
        ("adjust_seat", "part", json!({"direction": "forward"})),
        ("set_screen", "screen", json!({"power": "off"})),
    ] {
        let spec = bench.registry.get(tool).unwrap().spec();
        for value in spec.argument(argument).unwrap()["enum"].as_array().unwrap() {
            let mut arguments = rest.clone();
            arguments[argument] = value.clone();
            assert!(bench.call(tool, &arguments).is_ok(), "{tool} {arguments}");
        }
    }
}

#[test]
fn functions_and_pages_go_by_their_names() {
    let mut bench = Bench::new();
    bench.lang = Lang::Zh;
    let output = bench
        .call("set_vehicle_feature", &json!({"feature": "儿童锁", "power": "on"}))
        .unwrap();
    assert_eq!(output.say.as_deref(), Some("儿童锁已打开。"));
    assert_eq!(bench.get("Vehicle.Cabin.Door.Row2.DriverSide.IsChildLockActive"), yes());
    let error = refused(
        &bench,
        "set_vehicle_feature",
        &json!({"feature": "火箭助推器", "power": "on"}),
    );
    assert_eq!(
        (error.kind, error.message.as_str()),
        (ErrorKind::Unsupported, "这台车没有“火箭助推器”。")
    );

    let open = json!({"page": "氛围灯设置"});
    assert_eq!(
        bench.call("open_page", &open).unwrap().say.as_deref(),
        Some("已打开氛围灯设置。")
    );
    assert_eq!(bench.get("Vehicle.Incar.HMI.Page"), "ambient_light".into());
    assert_eq!(
        bench.call("open_page", &open).unwrap().say.as_deref(),
        Some("氛围灯设置已经打开了。")
    );
    let close = json!({"page": "氛围灯设置", "action": "close"});
    assert_eq!(
        bench.call("open_page", &close).unwrap().say.as_deref(),
        Some("已关闭氛围灯设置。")
    );
    assert_eq!(
        refused(&bench, "open_page", &json!({"page": "火箭发射台"})).kind,
        ErrorKind::Unsupported
    );
}

#[test]
fn every_function_of_the_catalogue_can_be_switched() {
    let bench = Bench::new();
    let features = crate::features::FeatureCatalogue::embedded().unwrap();
    for feature in features.features() {
        for power in ["on", "off"] {
            let arguments = json!({"feature": feature.en[0], "power": power});
            bench
                .call("set_vehicle_feature", &arguments)
                .unwrap_or_else(|error| panic!("{arguments}: {error}"));
            for signal in &feature.signals {
                assert_eq!(
                    bench.get(signal),
                    SignalValue::Bool(power == "on"),
                    "{}: {signal}",
                    feature.id
                );
            }
        }
    }
}
