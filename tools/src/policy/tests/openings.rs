//! What opens: doors, trunk, windows, sunroof.

use super::*;

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
            "confirm trunk-confirm-front",
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
    let on = || (AC, SignalValue::Bool(true));
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
        (&[on()], "control_window", open(26), "confirm window-ac"),
        (&[on()], "control_window", open(25), "allow"),
        (&[on(), (driver, n(100.0))], "control_window", open(50), "allow"),
        (
            &[on()],
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
    let shade = || (ROOF_SHADE, n(100.0));
    check(&[
        (&[], "control_sunroof", open.clone(), "amend sunroof-shade"),
        (
            &[(ROOF_SHADE, n(99.0))],
            "control_sunroof",
            open.clone(),
            "amend sunroof-shade",
        ),
        (&[shade()], "control_sunroof", open.clone(), "allow"),
        (
            &[shade(), (RAIN, n(1.0))],
            "control_sunroof",
            open.clone(),
            "confirm sunroof-weather",
        ),
        (
            &[shade(), ("Vehicle.Incar.Exterior.IsSnowing", SignalValue::Bool(true))],
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
