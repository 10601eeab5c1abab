//! Shades, air, comfort, lights outside, mirrors, screens, driving, features and pages.

use super::*;
use incar_core::{Effect, ErrorKind, Seat};
use serde_json::json;

const ROOF_SHADE: &str = "Vehicle.Cabin.Sunroof.Shade.Position";
const LOW_BEAM: &str = "Vehicle.Body.Lights.Beam.Low.IsOn";
const HIGH_BEAM: &str = "Vehicle.Body.Lights.Beam.High.IsOn";
const DRIVER_BACKREST: &str = "Vehicle.Cabin.Seat.Row1.DriverSide.Backrest.Recline";
const DRIVER_SEAT_POSITION: &str = "Vehicle.Cabin.Seat.Row1.DriverSide.Position";

#[test]
fn shades_are_the_roofs_unless_another_is_said() {
    check(
        "control_sunshade",
        &[],
        &[
            (
                json!({"action": "open"}),
                "天窗遮阳帘正在打开。",
                "The roof shade is opening.",
                &[(ROOF_SHADE, n(100.0))],
            ),
            (
                json!({"shade": "rear", "action": "open", "percentage": 50}),
                "后遮阳帘正在调到50%。",
                "The rear shade is moving to 50%.",
                &[("Vehicle.Cabin.RearShade.Position", n(50.0)), (ROOF_SHADE, n(0.0))],
            ),
            (
                json!({"shade": "left", "action": "close"}),
                "左侧遮阳帘已经关好了。",
                "The left shades are already closed.",
                &[("Vehicle.Cabin.Door.Row1.DriverSide.Shade.Position", n(0.0))],
            ),
            (
                json!({"shade": "all", "action": "open"}),
                "全部遮阳帘正在打开。",
                "The shades are opening.",
                &[
                    ("Vehicle.Cabin.Door.Row2.PassengerSide.Shade.Position", n(100.0)),
                    (ROOF_SHADE, n(100.0)),
                ],
            ),
        ],
    );
}

#[test]
fn air_comes_from_inside_or_outside_and_goes_where_it_is_sent() {
    let recirculation = "Vehicle.Cabin.HVAC.IsRecirculationActive";
    check(
        "set_air_circulation",
        &[],
        &[
            (
                json!({"mode": "inside"}),
                "空气循环调到内循环。",
                "The air circulation is set to recirculation.",
                &[(recirculation, yes())],
            ),
            (
                json!({"mode": "outside"}),
                "空气循环已经是外循环。",
                "The air circulation is at fresh air already.",
                &[(recirculation, no())],
            ),
            (
                json!({"mode": "auto"}),
                "空气循环调到自动循环。",
                "The air circulation is set to automatic.",
                &[("Vehicle.Incar.HVAC.IsCirculationAuto", yes())],
            ),
        ],
    );
    let airflow = "Vehicle.Incar.HVAC.Station.Row1.Driver.Airflow";
    check(
        "set_airflow",
        &[],
        &[
            (
                json!({"direction": "feet"}),
                "风向调到吹脚。",
                "The airflow is set to the feet.",
                &[(airflow, "FEET".into())],
            ),
            (
                json!({"direction": "away", "zone": "passenger"}),
                "副驾风向调到避人。",
                "The passenger's airflow is set to blow away from people.",
                &[
                    ("Vehicle.Incar.HVAC.Station.Row1.Passenger.Aim", "AWAY".into()),
                    (airflow, "FACE".into()),
                ],
            ),
            (
                json!({"swing": "on", "zone": "rear"}),
                "后排风向调到扫风。",
                "The rear airflow is set to sweep.",
                &[("Vehicle.Incar.HVAC.Station.Row2.Driver.IsSwinging", yes())],
            ),
        ],
    );
}

#[test]
fn defrosting_is_the_fronts_unless_another_is_said() {
    let front = "Vehicle.Cabin.HVAC.IsFrontDefrosterActive";
    let mirror = "Vehicle.Body.Mirrors.PassengerSide.IsHeatingOn";
    check(
        "set_defrost",
        &[],
        &[
            (
                json!({"power": "on"}),
                "前挡除霜已打开。",
                "The front defroster is on.",
                &[(front, yes()), (mirror, no())],
            ),
            (
                json!({"window": "mirrors", "power": "on"}),
                "后视镜除霜已打开。",
                "The mirror defroster is on.",
                &[(mirror, yes())],
            ),
            (
                json!({"power": "off"}),
                "前挡除霜已经是关着的。",
                "The front defroster is off already.",
                &[(front, no())],
            ),
        ],
    );
}

#[test]
fn climate_modes_do_what_they_are_called() {
    let mode = "Vehicle.Incar.HVAC.Mode";
    check(
        "set_climate_mode",
        &[],
        &[
            (
                json!({"mode": "cool"}),
                "制冷模式已打开。",
                "The cooling mode is on.",
                &[(mode, "COOL".into()), (AC, yes())],
            ),
            (
                json!({"mode": "max_cool"}),
                "最大制冷已打开。",
                "The maximum cooling is on.",
                &[(DRIVER_TEMPERATURE, n(16.0)), (REAR_FAN, n(100.0))],
            ),
            (
                json!({"mode": "ventilate"}),
                "通风模式已打开。",
                "The ventilation mode is on.",
                &[(AC, no())],
            ),
            (
                json!({"mode": "cool", "power": "off"}),
                "制冷模式已经是关着的。",
                "The cooling mode is off already.",
                &[(mode, "OFF".into())],
            ),
        ],
    );
}

#[test]
fn massage_wheel_and_fragrance_have_power_and_levels() {
    let massage = "Vehicle.Cabin.Seat.Row1.DriverSide.Massage";
    check(
        "set_seat_massage",
        &[],
        &[
            (
                json!({"power": "on"}),
                "主驾座椅按摩调到2档。",
                "The driver's seat massage is set to level 2.",
                &[(&format!("{massage}.Level"), n(67.0))],
            ),
            (
                json!({"mode": "波浪", "level": "3"}),
                "主驾座椅按摩调到波浪，3档。",
                "The driver's seat massage is set to 波浪, level 3.",
                &[
                    (&format!("{massage}.Level"), n(100.0)),
                    (&format!("{massage}.TypeActive"), "波浪".into()),
                ],
            ),
            (
                json!({"power": "off"}),
                "主驾座椅按摩已经是关着的。",
                "The driver's seat massage is off already.",
                &[],
            ),
        ],
    );
    check(
        "set_steering_wheel_heating",
        &[],
        &[(
            json!({"level": "max"}),
            "方向盘加热调到3档。",
            "The steering wheel heating is set to level 3.",
            &[("Vehicle.Chassis.SteeringWheel.HeatingCooling", n(100.0))],
        )],
    );
    check(
        "set_fragrance",
        &[("Vehicle.Incar.Fragrance.IsActive", yes())],
        &[
            (
                json!({"change": 1}),
                "香氛调到2档。",
                "The fragrance is set to level 2.",
                &[("Vehicle.Incar.Fragrance.Level", n(2.0))],
            ),
            (
                json!({"change": -1}),
                "香氛已关闭。",
                "The fragrance is off.",
                &[("Vehicle.Incar.Fragrance.IsActive", no())],
            ),
            (
                json!({"scent": "森林"}),
                "香氛调到森林，1档。",
                "The fragrance is set to 森林, level 1.",
                &[("Vehicle.Incar.Fragrance.Scent", "森林".into())],
            ),
        ],
    );
}

#[test]
fn seats_move_by_a_bit_or_by_an_amount() {
    check(
        "adjust_seat",
        &[],
        &[
            (
                json!({"direction": "forward"}),
                "主驾座椅正在向前调。",
                "The driver's seat is moving forward.",
                &[(DRIVER_SEAT_POSITION, n(130.0))],
            ),
            (
                json!({"direction": "backward", "amount": 5, "unit": "cm"}),
                "主驾座椅正在向后调。",
                "The driver's seat is moving backward.",
                &[(DRIVER_SEAT_POSITION, n(200.0))],
            ),
            (
                json!({"part": "backrest", "direction": "backward", "amount": 10}),
                "主驾靠背正在向后调。",
                "The driver's backrest is moving backward.",
                &[(DRIVER_BACKREST, n(30.0))],
            ),
            (
                json!({"seat": "rear_left", "part": "leg_rest", "direction": "down"}),
                "左后腿托已经到头了。",
                "The rear left leg rest is at the end already.",
                &[("Vehicle.Incar.Seat.Row2.DriverSide.LegRest.Angle", n(0.0))],
            ),
            (
                json!({"seat": "passenger", "direction": "forward", "amount": 50, "unit": "percent"}),
                "副驾座椅正在向前调。",
                "The passenger's seat is moving forward.",
                &[("Vehicle.Cabin.Seat.Row1.PassengerSide.Position", n(0.0))],
            ),
        ],
    );
    let bench = Bench::new();
    for (arguments, kind) in [
        (
            json!({"direction": "forward", "amount": 90, "unit": "cm"}),
            ErrorKind::OutOfRange,
        ),
        (
            json!({"direction": "forward", "amount": 10, "unit": "degrees"}),
            ErrorKind::InvalidInput,
        ),
        (json!({"direction": "forward", "amount": -1}), ErrorKind::OutOfRange),
    ] {
        let error = refused(&bench, "adjust_seat", &arguments);
        assert_eq!(
            (error.kind, error.argument.as_deref()),
            (kind, Some("amount")),
            "{arguments}"
        );
    }
}

#[test]
fn a_seat_position_is_kept_and_found_again() {
    let mut bench = Bench::new();
    bench.set(DRIVER_BACKREST, 33.0);
    let save = bench
        .call("seat_memory", &json!({"action": "save", "slot": "2"}))
        .unwrap();
    assert_eq!(save.say.as_deref(), Some("The driver's seat position is kept as 2."));
    bench.set(DRIVER_BACKREST, 0.0);
    let recall = json!({"action": "recall", "slot": "2"});
    let output = bench.call("seat_memory", &recall).unwrap();
    assert_eq!(output.say.as_deref(), Some("The driver's seat is moving to 2."));
    bench.advance(60);
    assert_eq!(bench.number(DRIVER_BACKREST), 33.0);
    let error = refused(&bench, "seat_memory", &json!({"action": "recall", "slot": "work"}));
    assert_eq!((error.kind, error.choices), (ErrorKind::NotFound, vec!["2".to_owned()]));
    bench.speaker.seat = Seat::Passenger;
    assert_eq!(refused(&bench, "seat_memory", &recall).kind, ErrorKind::NotFound);
}

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
