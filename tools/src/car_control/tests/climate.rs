//! Air conditioning, temperature and fan.

use super::*;
use incar_core::{ErrorKind, Seat};
use serde_json::json;

#[test]
fn the_air_conditioning_is_switched_for_the_car_or_a_zone() {
    check(
        "set_ac_power",
        &[],
        &[
            (
                json!({"power": "on"}),
                "空调已打开。",
                "The air conditioning is on.",
                &[(AC, yes())],
            ),
            (
                json!({"power": "off"}),
                "空调已经是关着的。",
                "The air conditioning is off already.",
                &[(AC, no())],
            ),
            (
                json!({"power": "on", "zone": "rear"}),
                "后排空调已打开。",
                "The rear air conditioning is on.",
                &[
                    (AC, yes()),
                    ("Vehicle.Incar.HVAC.Station.Row2.Driver.IsActive", yes()),
                    ("Vehicle.Incar.HVAC.Station.Row1.Driver.IsActive", no()),
                ],
            ),
        ],
    );
    check(
        "set_ac_power",
        &[(AC, yes())],
        &[
            (
                json!({"power": "off", "zone": "driver"}),
                "主驾空调已关闭。",
                "The driver's air conditioning is off.",
                &[(AC, yes())],
            ),
            (
                json!({"power": "off"}),
                "空调已关闭。",
                "The air conditioning is off.",
                &[(AC, no())],
            ),
            (
                json!({"power": "on"}),
                "空调已经开着了。",
                "The air conditioning is on already.",
                &[(AC, yes())],
            ),
        ],
    );
}

#[test]
fn comfort_without_power_is_told() {
    let bench = Bench::new();
    bench.set("Vehicle.LowVoltageSystemState", "OFF");
    let error = refused(&bench, "set_ac_power", &json!({"power": "on"}));
    assert_eq!(
        (error.kind, error.message.as_str()),
        (ErrorKind::ToolFailed, "The car has no power for that right now.")
    );
}

#[test]
fn temperatures_are_set_by_zone() {
    check(
        "set_temperature",
        &[(AC, yes()), (PASSENGER_TEMPERATURE, n(24.0))],
        &[
            (
                json!({"temperature": 23}),
                "主驾温度设为23度。",
                "The driver's temperature is set to 23 degrees.",
                &[(DRIVER_TEMPERATURE, n(23.0)), (PASSENGER_TEMPERATURE, n(24.0))],
            ),
            (
                json!({"temperature": 22}),
                "主驾温度已经是22度了。",
                "The driver's temperature is 22 degrees already.",
                &[(DRIVER_TEMPERATURE, n(22.0))],
            ),
            (
                json!({"change": -1.5}),
                "主驾温度设为20.5度。",
                "The driver's temperature is set to 20.5 degrees.",
                &[(DRIVER_TEMPERATURE, n(20.5))],
            ),
            (
                json!({"level": "max", "zone": "all"}),
                "全车温度设为32度，已经是最高。",
                "The temperature everywhere is set to 32 degrees, the maximum.",
                &[(DRIVER_TEMPERATURE, n(32.0)), (THIRD_ROW_TEMPERATURE, n(32.0))],
            ),
            (
                json!({"change": 1, "zone": "front"}),
                "前排温度已调整。",
                "The front temperature is adjusted.",
                &[(DRIVER_TEMPERATURE, n(23.0)), (PASSENGER_TEMPERATURE, n(25.0))],
            ),
        ],
    );
    check(
        "set_temperature",
        &[],
        &[(
            json!({"temperature": 23}),
            "主驾温度设为23度，空调还没开。",
            "The driver's temperature is set to 23 degrees, but the air conditioning is off.",
            &[(AC, no())],
        )],
    );
}

#[test]
fn the_temperature_is_the_speakers_own() {
    let mut bench = Bench::new();
    bench.speaker.seat = Seat::Passenger;
    bench.call("set_temperature", &json!({"temperature": 26})).unwrap();
    assert_eq!(
        (bench.number(PASSENGER_TEMPERATURE), bench.number(DRIVER_TEMPERATURE)),
        (26.0, 22.0)
    );
}

#[test]
fn a_gap_between_zones_stands_in_the_result() {
    let bench = Bench::new();
    let gap = |to: f64| {
        bench
            .call("set_temperature", &json!({"temperature": to}))
            .unwrap()
            .value
            .get("gap")
            .cloned()
    };
    assert_eq!(gap(25.0), None);
    assert_eq!(gap(26.0), Some(json!({"zone": "third_row", "difference": 4})));
}

#[test]
fn the_fan_is_set_for_the_car_or_a_zone() {
    check(
        "set_fan_speed",
        &[],
        &[
            (
                json!({"fan": 5}),
                "风量调到5档。",
                "The fan is at level 5 now.",
                &[(DRIVER_FAN, n(50.0)), (REAR_FAN, n(50.0))],
            ),
            (
                json!({"fan": 3}),
                "风量已经是3档了。",
                "The fan is at level 3 already.",
                &[(DRIVER_FAN, n(30.0))],
            ),
            (
                json!({"change": 1}),
                "风量调到4档。",
                "The fan is at level 4 now.",
                &[(REAR_FAN, n(40.0))],
            ),
            (
                json!({"level": "min", "zone": "driver"}),
                "主驾风量调到1档，已经是最低。",
                "The driver's fan is at level 1 now, the minimum.",
                &[(DRIVER_FAN, n(10.0)), (REAR_FAN, n(30.0))],
            ),
        ],
    );
}
