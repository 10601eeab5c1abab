use super::*;
use crate::testing::at_once;
use incar_core::{ManualClock, Timestamp};
use std::time::Duration;

const WINDOW: &str = "Vehicle.Cabin.Door.Row1.DriverSide.Window.Position";
const WINDOW_IS_OPEN: &str = "Vehicle.Cabin.Door.Row1.DriverSide.Window.IsOpen";

fn car() -> (Arc<ManualClock>, SimulatedCar) {
    let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_000)));
    (clock.clone(), SimulatedCar::new(clock).unwrap())
}

fn run(car: &SimulatedCar, commands: &[Command]) -> Result<Vec<Actuation>, VehicleError> {
    at_once(car.actuate(commands))
}

fn number(car: &SimulatedCar, signal: &str) -> f64 {
    car.value(signal).unwrap().as_number().unwrap()
}

struct Bench {
    clock: Arc<ManualClock>,
    car: SimulatedCar,
}

#[async_trait]
impl crate::vehicle::testkit::Bench for Bench {
    fn vehicle(&self) -> &dyn Vehicle {
        &self.car
    }

    async fn put(&self, signal: &str, value: SignalValue) {
        self.car.set(signal, value).unwrap();
    }

    async fn pass(&self, time: Duration) {
        self.clock.advance(time);
    }
}

#[test]
fn it_conforms() {
    let make = async || {
        let (clock, car) = car();
        Bench { clock, car }
    };
    at_once(crate::vehicle::testkit::conforms(make));
}

#[test]
fn a_window_takes_four_seconds_and_tells_its_target_from_the_start() {
    let (clock, car) = car();
    let report = run(&car, &[Command::set(WINDOW, 100.0)]).unwrap();
    assert_eq!(report[0].progress, Progress::Moving);
    assert_eq!((&report[0].target, &report[0].value), (&100.0.into(), &0.0.into()));
    for (seconds, position) in [(1, 25.0), (1, 50.0), (1, 75.0), (1, 100.0), (9, 100.0)] {
        clock.advance(Duration::from_secs(seconds));
        assert_eq!(number(&car, WINDOW), position);
        assert_eq!(car.target(WINDOW).unwrap(), 100.0.into());
        assert_eq!(car.value(WINDOW_IS_OPEN).unwrap(), true.into());
    }
}

#[test]
fn stop_leaves_a_part_where_it_is() {
    let (clock, car) = car();
    run(&car, &[Command::set(WINDOW, 100.0)]).unwrap();
    clock.advance(Duration::from_secs(1));
    let report = run(&car, &[Command::stop(WINDOW)]).unwrap();
    assert_eq!((report[0].progress, &report[0].value), (Progress::Done, &25.0.into()));
    clock.advance(Duration::from_secs(60));
    assert_eq!(number(&car, WINDOW), 25.0);
}

#[test]
fn the_same_order_again_does_not_start_the_way_anew() {
    let (clock, car) = car();
    run(&car, &[Command::set(WINDOW, 100.0)]).unwrap();
    clock.advance(Duration::from_secs(2));
    let again = run(&car, &[Command::set(WINDOW, 100.0)]).unwrap();
    assert!(again[0].unchanged());
    clock.advance(Duration::from_secs(2));
    assert_eq!(number(&car, WINDOW), 100.0);
}

#[test]
fn a_part_turned_round_on_its_way_goes_back_from_where_it_is() {
    let (clock, car) = car();
    run(&car, &[Command::set(WINDOW, 100.0)]).unwrap();
    clock.advance(Duration::from_secs(2));
    run(&car, &[Command::set(WINDOW, 0.0)]).unwrap();
    clock.advance(Duration::from_secs(1));
    assert_eq!(number(&car, WINDOW), 25.0);
}

#[test]
fn bad_commands_are_typed_errors_and_move_nothing() {
    let (_, car) = car();
    let before = car.state();
    let check = |signal: &str, value: SignalValue, wanted: fn(&VehicleError) -> bool| {
        let both = [Command::set(WINDOW, 50.0), Command::set(signal, value.clone())];
        let error = run(&car, &both).unwrap_err();
        assert!(wanted(&error), "{signal} {value}: {error:?}");
        assert_eq!(error.signal(), signal);
    };
    check("Vehicle.Wings", 1.0.into(), |e| {
        matches!(e, VehicleError::UnknownSignal(_))
    });
    check(WINDOW, true.into(), |e| matches!(e, VehicleError::WrongType { .. }));
    check(WINDOW, 50.5.into(), |e| matches!(e, VehicleError::WrongType { .. }));
    check(WINDOW, f64::NAN.into(), |e| matches!(e, VehicleError::WrongType { .. }));
    check(WINDOW, 101.0.into(), |e| matches!(e, VehicleError::OutOfRange { .. }));
    check("Vehicle.Incar.DriveMode", "FLY".into(), |e| {
        matches!(e, VehicleError::NotAllowed { .. })
    });
    check("Vehicle.Speed", 50.0.into(), |e| {
        matches!(e, VehicleError::NotActuatable(_))
    });
    assert_eq!(car.state(), before);
}

#[test]
fn any_signal_can_be_set_by_the_simulator_but_not_to_a_value_it_cannot_have() {
    let (_, car) = car();
    car.set("Vehicle.Speed", 80.0.into()).unwrap();
    assert_eq!(number(&car, "Vehicle.Speed"), 80.0);
    car.set(WINDOW_IS_OPEN, true.into()).unwrap();
    assert_eq!(number(&car, WINDOW), 100.0);
    assert!(matches!(
        car.set("Vehicle.Speed", "fast".into()),
        Err(VehicleError::WrongType { .. })
    ));
    assert!(matches!(
        car.set("Vehicle.Speed", (-1.0).into()),
        Err(VehicleError::OutOfRange { .. })
    ));
    assert!(matches!(
        car.set("Vehicle.Spede", 1.0.into()),
        Err(VehicleError::UnknownSignal(_))
    ));
    assert!(matches!(
        car.set("Vehicle.IsMoving", false.into()),
        Err(VehicleError::NotActuatable(_))
    ));
}

#[test]
fn reset_parks_the_car_with_everything_shut() {
    let (clock, car) = car();
    let fresh = car.state();
    car.set("Vehicle.Speed", 80.0.into()).unwrap();
    run(&car, &[Command::set(WINDOW, 100.0)]).unwrap();
    clock.advance(Duration::from_secs(600));
    car.reset();
    assert_eq!(car.state(), fresh);
    for (signal, value) in [
        ("Vehicle.CurrentLocation.Latitude", 39.909.into()),
        ("Vehicle.CurrentLocation.Longitude", 116.397.into()),
        ("Vehicle.Speed", 0.0.into()),
        ("Vehicle.Cabin.DriverPosition", "LEFT".into()),
        (
            "Vehicle.Powertrain.TractionBattery.StateOfCharge.Displayed",
            80.0.into(),
        ),
        ("Vehicle.Powertrain.Range", 400_000.0.into()),
        ("Vehicle.Incar.SpeedLimit", 60.0.into()),
        ("Vehicle.Cabin.HVAC.IsAirConditioningActive", false.into()),
        ("Vehicle.Cabin.HVAC.Station.Row1.Driver.Temperature", 22.0.into()),
        ("Vehicle.Cabin.HVAC.Station.Row1.Driver.FanSpeed", 30.0.into()),
        ("Vehicle.Cabin.IsWindowChildLockEngaged", false.into()),
        ("Vehicle.Body.Raindetection.Intensity", 0.0.into()),
        ("Vehicle.Cabin.Infotainment.Media.Volume", 30.0.into()),
    ] {
        assert_eq!(car.value(signal).unwrap(), value, "{signal}");
    }
    assert!(
        car.state()
            .iter()
            .all(|(name, value)| !name.ends_with(".IsOpen") || value == &Value::Bool(false))
    );
}

#[test]
fn a_drive_takes_distance_and_range_and_ends_with_it() {
    let (clock, car) = car();
    car.set("Vehicle.Speed", 72.0.into()).unwrap();
    let start = number(&car, "Vehicle.TraveledDistance");
    clock.advance(Duration::from_secs(500));
    assert_eq!(number(&car, "Vehicle.TraveledDistance") - start, 10_000.0);
    assert_eq!(number(&car, "Vehicle.Powertrain.Range"), 390_000.0);
    assert_eq!(number(&car, "Vehicle.Powertrain.TractionBattery.Range"), 390_000.0);
    assert_eq!(
        number(&car, "Vehicle.Powertrain.TractionBattery.StateOfCharge.Displayed"),
        78.0
    );
    clock.advance(Duration::from_secs(1_000_000));
    assert_eq!(number(&car, "Vehicle.Powertrain.Range"), 0.0);
    assert_eq!(number(&car, "Vehicle.Speed"), 0.0);
}

#[test]
fn the_doors_lock_at_speed() {
    let (_, car) = car();
    let locked = || car.value("Vehicle.Cabin.Door.Row2.PassengerSide.IsLocked").unwrap();
    car.set("Vehicle.Speed", 10.0.into()).unwrap();
    assert_eq!(locked(), false.into());
    car.set("Vehicle.Speed", 15.0.into()).unwrap();
    assert_eq!(locked(), true.into());
    assert_eq!(
        car.value("Vehicle.Chassis.ParkingBrake.IsEngaged").unwrap(),
        false.into()
    );
}

#[test]
fn comfort_needs_power() {
    let (_, car) = car();
    let ac = "Vehicle.Cabin.HVAC.IsAirConditioningActive";
    run(&car, &[Command::set(ac, true)]).unwrap();
    for (signal, value) in [
        ("Vehicle.LowVoltageSystemState", SignalValue::from("OFF")),
        (
            "Vehicle.Powertrain.TractionBattery.StateOfCharge.Displayed",
            SignalValue::from(1.0),
        ),
    ] {
        car.reset();
        run(&car, &[Command::set(ac, true)]).unwrap();
        car.set(signal, value).unwrap();
        assert_eq!(car.value(ac).unwrap(), false.into());
        assert!(matches!(
            run(&car, &[Command::set(ac, true)]),
            Err(VehicleError::NoPower(_))
        ));
        assert!(run(&car, &[Command::set(ac, false)]).is_ok());
    }
}

#[test]
fn the_air_conditioning_is_on_while_any_zone_is() {
    let (_, car) = car();
    let ac = || car.value("Vehicle.Cabin.HVAC.IsAirConditioningActive").unwrap();
    let driver = "Vehicle.Incar.HVAC.Station.Row1.Driver.IsActive";
    run(&car, &[Command::set(driver, true)]).unwrap();
    assert_eq!(ac(), true.into());
    run(&car, &[Command::set(driver, false)]).unwrap();
    assert_eq!(ac(), false.into());
}
