//! Shades, air, comfort and the position of seats.

use super::*;
use incar_core::{ErrorKind, Seat};
use serde_json::json;

const ROOF_SHADE: &str = "Vehicle.Cabin.Sunroof.Shade.Position";
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
