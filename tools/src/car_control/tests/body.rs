//! Windows, doors, sunroof and trunk.

use super::*;
use incar_core::{ErrorKind, Seat};
use serde_json::{Map, json};

#[test]
fn windows_open_close_and_lock() {
    check(
        "control_window",
        &[(PASSENGER_WINDOW, n(100.0)), (REAR_LEFT_WINDOW, n(40.0))],
        &[
            (
                json!({"window": "driver", "action": "open"}),
                "主驾车窗正在打开。",
                "The driver's window is opening.",
                &[(DRIVER_WINDOW, n(100.0)), (REAR_RIGHT_WINDOW, n(0.0))],
            ),
            (
                json!({"window": "driver", "action": "open", "percentage": 30}),
                "主驾车窗正在调到30%。",
                "The driver's window is moving to 30%.",
                &[(DRIVER_WINDOW, n(30.0))],
            ),
            (
                json!({"window": "passenger", "action": "close", "percentage": 20}),
                "副驾车窗正在调到20%。",
                "The passenger's window is moving to 20%.",
                &[(PASSENGER_WINDOW, n(20.0))],
            ),
            (
                json!({"window": "passenger", "action": "open"}),
                "副驾车窗已经打开了。",
                "The passenger's window is already open.",
                &[(PASSENGER_WINDOW, n(100.0))],
            ),
            (
                json!({"window": "rear_right", "action": "close"}),
                "右后车窗已经关好了。",
                "The rear right window is already closed.",
                &[(REAR_RIGHT_WINDOW, n(0.0))],
            ),
            (
                json!({"window": "all", "action": "close"}),
                "全车车窗正在关闭。",
                "All windows are closing.",
                &[(PASSENGER_WINDOW, n(0.0)), (REAR_LEFT_WINDOW, n(0.0))],
            ),
            (
                json!({"window": "left", "action": "open"}),
                "左侧车窗正在打开。",
                "The left windows are opening.",
                &[
                    (DRIVER_WINDOW, n(100.0)),
                    (REAR_LEFT_WINDOW, n(100.0)),
                    (REAR_RIGHT_WINDOW, n(0.0)),
                ],
            ),
            (
                json!({"window": "rear", "action": "lock"}),
                "后排车窗已锁定。",
                "The rear windows are locked.",
                &[("Vehicle.Incar.Door.Row2.DriverSide.Window.IsLocked", yes())],
            ),
            (
                json!({"window": "driver", "action": "stop"}),
                "主驾车窗没有在动。",
                "The driver's window is not moving.",
                &[(DRIVER_WINDOW, n(0.0))],
            ),
        ],
    );
}

#[test]
fn left_is_the_passengers_side_where_the_wheel_is_on_the_right() {
    check(
        "control_window",
        &[("Vehicle.Cabin.DriverPosition", "RIGHT".into())],
        &[(
            json!({"window": "left", "action": "open"}),
            "左侧车窗正在打开。",
            "The left windows are opening.",
            &[
                (PASSENGER_WINDOW, n(100.0)),
                (REAR_RIGHT_WINDOW, n(100.0)),
                (DRIVER_WINDOW, n(0.0)),
            ],
        )],
    );
}

#[test]
fn a_moving_window_is_told_with_target_position_and_state_and_stops_where_it_is() {
    let bench = Bench::new();
    let open = json!({"window": "driver", "action": "open"});
    let output = bench.call("control_window", &open).unwrap();
    assert_eq!(
        output.value,
        json!({"window": "driver", "action": "open", "target": 100, "position": 0, "state": "moving"})
    );
    bench.advance(2);
    let output = bench
        .call("control_window", &json!({"window": "driver", "action": "stop"}))
        .unwrap();
    assert_eq!(output.say.as_deref(), Some("The driver's window is stopped at 50%."));
    bench.advance(60);
    assert_eq!(bench.number(DRIVER_WINDOW), 50.0);
}

#[test]
fn a_group_tells_its_parts() {
    let bench = Bench::new();
    bench.set(PASSENGER_WINDOW, 100.0);
    let output = bench
        .call("control_window", &json!({"window": "front", "action": "open"}))
        .unwrap();
    assert_eq!(
        output.value["parts"],
        json!([
            {"window": "driver", "position": 0, "state": "moving"},
            {"window": "passenger", "position": 100, "state": "done"}
        ])
    );
    assert_eq!(output.value["target"], 100);
}

#[test]
fn a_locked_window_obeys_the_driver_only() {
    let mut bench = Bench::new();
    bench
        .call("control_window", &json!({"window": "rear", "action": "lock"}))
        .unwrap();
    let open = json!({"window": "rear_left", "action": "open"});
    bench.speaker.seat = Seat::RearLeft;
    assert_eq!(refused(&bench, "control_window", &open).kind, ErrorKind::Denied);
    bench.speaker.seat = Seat::Driver;
    assert!(bench.call("control_window", &open).is_ok());
}

#[test]
fn this_car_has_no_third_row_windows_and_says_so() {
    let bench = Bench::new();
    let error = refused(
        &bench,
        "control_window",
        &json!({"window": "third_row", "action": "open"}),
    );
    assert_eq!(error.kind, ErrorKind::Unsupported);
}

#[test]
fn the_state_decides_where_one_window_or_door_is_left() {
    let check = |tool: &str, set: &[(&str, SignalValue)], arguments: Value, wanted: Option<&str>| {
        let bench = Bench::new();
        for (signal, value) in set {
            bench.set(signal, value.clone());
        }
        let mut filled = arguments.as_object().unwrap().clone();
        let spec = bench.registry.get(tool).unwrap().spec();
        spec.completion.as_ref().unwrap().complete(&mut filled, &bench.speaker);
        let slot = if tool == "control_window" { "window" } else { "door" };
        assert_eq!(filled.get(slot).and_then(Value::as_str), wanted, "{set:?} {arguments}");
    };
    let window = |action: &str| json!({"action": action});
    check("control_window", &[], window("open"), None);
    check("control_window", &[], window("close"), None);
    check(
        "control_window",
        &[(REAR_LEFT_WINDOW, n(30.0))],
        window("close"),
        Some("rear_left"),
    );
    check(
        "control_window",
        &[(REAR_LEFT_WINDOW, n(30.0)), (DRIVER_WINDOW, n(5.0))],
        window("close"),
        None,
    );
    let three_open = [
        (DRIVER_WINDOW, n(50.0)),
        (PASSENGER_WINDOW, n(50.0)),
        (REAR_RIGHT_WINDOW, n(100.0)),
    ];
    check("control_window", &three_open, window("open"), Some("rear_left"));
    check("control_window", &[(DRIVER_WINDOW, n(50.0))], window("stop"), None);
    let said = json!({"action": "close", "window": "all"});
    check("control_window", &[(REAR_LEFT_WINDOW, n(30.0))], said, Some("all"));
    check(
        "control_door",
        &[(DRIVER_DOOR, n(100.0))],
        json!({"action": "close"}),
        Some("driver"),
    );
    check(
        "control_door",
        &[(DRIVER_DOOR_LOCK, yes())],
        json!({"action": "unlock"}),
        Some("driver"),
    );
    check("control_door", &[], json!({"action": "open"}), None);
}

#[test]
fn what_is_on_its_way_counts_as_being_there() {
    let bench = Bench::new();
    bench
        .call("control_window", &json!({"window": "passenger", "action": "open"}))
        .unwrap();
    let spec = bench.registry.get("control_window").unwrap().spec();
    for action in ["close", "stop"] {
        let mut filled = Map::from_iter([("action".to_owned(), json!(action))]);
        spec.completion.as_ref().unwrap().complete(&mut filled, &bench.speaker);
        assert_eq!(filled.get("window"), Some(&json!("passenger")), "{action}");
    }
}

#[test]
fn the_sunroof_opens_tilts_and_shuts() {
    check(
        "control_sunroof",
        &[],
        &[
            (
                json!({"action": "open"}),
                "天窗正在打开。",
                "The sunroof is opening.",
                &[(SUNROOF, n(100.0))],
            ),
            (
                json!({"action": "open", "percentage": 40}),
                "天窗正在调到40%。",
                "The sunroof is moving to 40%.",
                &[(SUNROOF, n(40.0))],
            ),
            (
                json!({"action": "tilt"}),
                "天窗正在翘起。",
                "The sunroof is tilting.",
                &[(SUNROOF, n(-100.0))],
            ),
            (
                json!({"action": "close"}),
                "天窗已经关好了。",
                "The sunroof is already closed.",
                &[(SUNROOF, n(0.0))],
            ),
            (
                json!({"action": "stop"}),
                "天窗没有在动。",
                "The sunroof is not moving.",
                &[(SUNROOF, n(0.0))],
            ),
        ],
    );
}

#[test]
fn the_sunroof_takes_six_seconds() {
    let bench = Bench::new();
    bench.call("control_sunroof", &json!({"action": "open"})).unwrap();
    bench.advance(3);
    assert_eq!(bench.number(SUNROOF), 50.0);
}

#[test]
fn doors_open_shut_and_lock() {
    check(
        "control_door",
        &[(DRIVER_DOOR_LOCK, yes())],
        &[
            (
                json!({"door": "driver", "action": "open"}),
                "主驾车门正在打开。",
                "The driver's door is opening.",
                &[(DRIVER_DOOR, n(100.0)), (DRIVER_DOOR_LOCK, no())],
            ),
            (
                json!({"door": "driver", "action": "close"}),
                "主驾车门已经关好了。",
                "The driver's door is already closed.",
                &[(DRIVER_DOOR, n(0.0))],
            ),
            (
                json!({"door": "driver", "action": "lock"}),
                "主驾车门已经锁着了。",
                "The driver's door is already locked.",
                &[(DRIVER_DOOR_LOCK, yes())],
            ),
            (
                json!({"door": "all", "action": "unlock"}),
                "全车车门已解锁。",
                "All doors are unlocked.",
                &[(DRIVER_DOOR_LOCK, no())],
            ),
        ],
    );
}

#[test]
fn an_open_door_is_not_locked() {
    let bench = Bench::new();
    bench.set(DRIVER_DOOR, 100.0);
    let error = refused(&bench, "control_door", &json!({"door": "all", "action": "lock"}));
    assert_eq!(
        error.message,
        "The driver's door is open. Close it first, then I can lock."
    );
    assert_eq!(bench.get(DRIVER_DOOR_LOCK), no());
}

#[test]
fn the_trunk_is_the_rear_one_unless_the_front_is_said() {
    check(
        "control_trunk",
        &[],
        &[
            (
                json!({"action": "open"}),
                "后备箱正在打开。",
                "The trunk is opening.",
                &[(TRUNK, n(100.0))],
            ),
            (
                json!({"trunk": "front", "action": "open", "percentage": 50}),
                "前备箱正在调到50%。",
                "The front trunk is moving to 50%.",
                &[("Vehicle.Body.Trunk.Front.Position", n(50.0)), (TRUNK, n(0.0))],
            ),
            (
                json!({"action": "close"}),
                "后备箱已经关好了。",
                "The trunk is already closed.",
                &[(TRUNK, n(0.0))],
            ),
        ],
    );
}
