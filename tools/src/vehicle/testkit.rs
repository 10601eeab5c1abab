//! What every vehicle must do: the conformance suite.
//!
//! Run it from a test of the back end, on a car as [`SimulatedCar::reset`](super::SimulatedCar::reset) leaves it: the
//! simulated car itself, or one that a back end reaches over a network. [`Bench`] is how the suite gets at the car
//! behind the vehicle. The checks panic where the vehicle is at fault, and say how.

#![expect(clippy::panic, reason = "a check that fails panics")]

use super::{Actuation, Command, DataType, Progress, SignalKind, SignalValue, Vehicle, VehicleError};
use incar_core::async_trait;
use std::time::Duration;

/// A vehicle under test, and the car that it is.
#[async_trait]
pub trait Bench: Send + Sync {
    /// The vehicle.
    fn vehicle(&self) -> &dyn Vehicle;

    /// Puts a signal of the car to a value, as the world does: returns once the vehicle has heard of it.
    async fn put(&self, signal: &str, value: SignalValue);

    /// Lets so much time pass in the car, or a little more: returns once the vehicle has heard of what moved.
    async fn pass(&self, time: Duration);
}

/// Numbers that take 12 seconds from end to end.
const BACKREST: &str = "Vehicle.Cabin.Seat.Row1.DriverSide.Backrest.Recline";
const WINDOW: &str = "Vehicle.Cabin.Door.Row1.DriverSide.Window.Position";
const REAR_WINDOW: &str = "Vehicle.Cabin.Door.Row2.PassengerSide.Window.Position";
const TEMPERATURE: &str = "Vehicle.Cabin.HVAC.Station.Row1.Driver.Temperature";
const RECIRCULATION: &str = "Vehicle.Cabin.HVAC.IsRecirculationActive";
const WIPERS: &str = "Vehicle.Body.Windshield.Front.Wiping.Mode";
const SPEED: &str = "Vehicle.Speed";
const DRIVER: &str = "Vehicle.Cabin.DriverPosition";

/// Whether an error is the right one.
type Is = fn(&VehicleError) -> bool;

/// Longer than anything in the car takes.
const ALL_THE_WAY: Duration = Duration::from_secs(30);

/// Runs every check, each on a bench of its own from `make`.
///
/// # Panics
/// Where the vehicle is at fault.
pub async fn conforms<B: Bench>(make: impl AsyncFn() -> B) {
    signals_are_what_they_are(&make().await);
    what_is_at_rest_goes_nowhere(&make().await);
    what_the_world_does_is_heard(&make().await).await;
    what_switches_is_done_at_once(&make().await).await;
    a_part_that_moves_says_so_and_arrives(&make().await).await;
    a_part_can_be_turned_round_and_stopped(&make().await).await;
    the_same_command_again_asks_for_nothing(&make().await).await;
    several_commands_are_reported_in_order(&make().await).await;
    commands_are_given_all_or_none(&make().await).await;
    no_command_is_no_fault(&make().await).await;
}

/// Kind, type, unit, bounds and names of each signal are told; there is no more than that.
///
/// # Panics
/// Where the vehicle is at fault.
pub fn signals_are_what_they_are(bench: &dyn Bench) {
    let vehicle = bench.vehicle();
    let check = |signal: &str, kind, datatype, unit: Option<&str>, range: (f64, f64)| {
        let Some(info) = vehicle.info(signal) else {
            panic!("`{signal}` is not known");
        };
        assert_eq!(info.name, signal);
        assert_eq!((info.kind, info.datatype), (kind, datatype), "{signal}");
        assert_eq!((info.unit.as_deref(), info.range()), (unit, range), "{signal}");
    };
    let endless = (f64::NEG_INFINITY, f64::INFINITY);
    check(
        WINDOW,
        SignalKind::Actuator,
        DataType::Uint8,
        Some("percent"),
        (0.0, 100.0),
    );
    check(
        TEMPERATURE,
        SignalKind::Actuator,
        DataType::Float,
        Some("Celsius"),
        (16.0, 32.0),
    );
    check(SPEED, SignalKind::Sensor, DataType::Float, Some("km/h"), (0.0, 300.0));
    check(RECIRCULATION, SignalKind::Actuator, DataType::Boolean, None, endless);
    check(DRIVER, SignalKind::Attribute, DataType::String, None, endless);
    let names = vehicle.info(DRIVER).map(|info| info.allowed.clone());
    assert_eq!(names.unwrap_or_default(), ["LEFT", "MIDDLE", "RIGHT"]);
    for (signal, value) in vehicle.snapshot() {
        assert!(
            vehicle.info(&signal).is_some(),
            "`{signal}` has a value and is not known"
        );
        assert_eq!(vehicle.value(&signal), Ok(value), "{signal}");
    }
    let unknown = "Vehicle.Wings.Position";
    assert!(vehicle.info(unknown).is_none());
    assert_eq!(vehicle.value(unknown), Err(VehicleError::UnknownSignal(unknown.into())));
    assert_eq!(
        vehicle.target(unknown),
        Err(VehicleError::UnknownSignal(unknown.into()))
    );
}

/// The target of what stands is where it stands.
///
/// # Panics
/// Where the vehicle is at fault.
pub fn what_is_at_rest_goes_nowhere(bench: &dyn Bench) {
    let vehicle = bench.vehicle();
    for (signal, value) in [
        (WINDOW, SignalValue::from(0.0)),
        (BACKREST, 20.0.into()),
        (TEMPERATURE, 22.0.into()),
        (RECIRCULATION, false.into()),
        (WIPERS, "OFF".into()),
        (DRIVER, "LEFT".into()),
    ] {
        assert_eq!(vehicle.value(signal), Ok(value.clone()), "{signal}");
        assert_eq!(vehicle.target(signal), Ok(value), "{signal}");
    }
}

/// What a sensor measures and a hand moves is read by the next read.
///
/// # Panics
/// Where the vehicle is at fault.
pub async fn what_the_world_does_is_heard(bench: &dyn Bench) {
    for (signal, value) in [
        (SPEED, SignalValue::from(52.7)),
        (WINDOW, 35.0.into()),
        (RECIRCULATION, true.into()),
        (DRIVER, "RIGHT".into()),
    ] {
        bench.put(signal, value.clone()).await;
        assert_eq!(bench.vehicle().value(signal), Ok(value.clone()), "{signal}");
        assert_eq!(bench.vehicle().target(signal), Ok(value), "{signal}");
    }
}

/// A setting is reported where it was, where it is, and done.
///
/// # Panics
/// Where the vehicle is at fault.
pub async fn what_switches_is_done_at_once(bench: &dyn Bench) {
    for (signal, before, to) in [
        (RECIRCULATION, SignalValue::from(false), SignalValue::from(true)),
        (TEMPERATURE, 22.0.into(), 21.3.into()),
        (WIPERS, "OFF".into(), "INTERVAL".into()),
    ] {
        let report = one(bench, Command::set(signal, to.clone())).await;
        let wanted = Actuation::new(signal.into(), before, to.clone(), to.clone(), Progress::Done);
        assert_eq!(report, wanted);
        assert!(!report.unchanged(), "{signal}");
        assert_eq!(bench.vehicle().value(signal), Ok(to), "{signal}");
    }
}

/// A part on its way has its target at once, and its value when it is there.
///
/// # Panics
/// Where the vehicle is at fault.
pub async fn a_part_that_moves_says_so_and_arrives(bench: &dyn Bench) {
    let report = one(bench, Command::set(BACKREST, 70.0)).await;
    assert_eq!((&report.before, &report.target), (&Some(20.0.into()), &70.0.into()));
    assert_eq!(report.progress, Progress::Moving);
    assert_eq!(bench.vehicle().target(BACKREST), Ok(70.0.into()));
    bench.pass(Duration::from_secs(1)).await;
    let on_the_way = number(bench, BACKREST);
    assert!(on_the_way > 20.0 && on_the_way < 70.0, "{on_the_way}");
    assert_eq!(bench.vehicle().target(BACKREST), Ok(70.0.into()));
    bench.pass(ALL_THE_WAY).await;
    assert_eq!(bench.vehicle().value(BACKREST), Ok(70.0.into()));
    assert_eq!(bench.vehicle().target(BACKREST), Ok(70.0.into()));
}

/// A later command takes the place of an earlier one; a stop leaves a part where it is.
///
/// # Panics
/// Where the vehicle is at fault.
pub async fn a_part_can_be_turned_round_and_stopped(bench: &dyn Bench) {
    one(bench, Command::set(BACKREST, 70.0)).await;
    bench.pass(Duration::from_secs(3)).await;
    let turned = one(bench, Command::set(BACKREST, -10.0)).await;
    assert_eq!((&turned.before, &turned.target), (&Some(70.0.into()), &(-10.0).into()));
    let high = number(bench, BACKREST);
    bench.pass(Duration::from_secs(1)).await;
    let lower = number(bench, BACKREST);
    assert!(lower < high, "{lower} < {high}");

    let stopped = one(bench, Command::stop(BACKREST)).await;
    assert!(!stopped.unchanged());
    // Where a part cannot be halted on the spot it is sent back to where it was seen, which takes a moment.
    bench.pass(ALL_THE_WAY).await;
    let at = number(bench, BACKREST);
    assert!(at > -10.0 && at < high, "{at}");
    bench.pass(ALL_THE_WAY).await;
    assert_eq!(number(bench, BACKREST), at);
    assert_eq!(bench.vehicle().target(BACKREST), Ok(at.into()));
    assert!(one(bench, Command::stop(BACKREST)).await.unchanged());
}

/// A command for what is so, or on its way, is unchanged.
///
/// # Panics
/// Where the vehicle is at fault.
pub async fn the_same_command_again_asks_for_nothing(bench: &dyn Bench) {
    assert!(one(bench, Command::set(RECIRCULATION, false)).await.unchanged());
    assert!(!one(bench, Command::set(BACKREST, 70.0)).await.unchanged());
    assert!(one(bench, Command::set(BACKREST, 70.0)).await.unchanged());
    bench.pass(ALL_THE_WAY).await;
    let there = one(bench, Command::set(BACKREST, 70.0)).await;
    assert!(there.unchanged());
    assert_eq!((there.progress, there.value), (Progress::Done, 70.0.into()));
}

/// Several commands are given at once, and reported in the order given.
///
/// # Panics
/// Where the vehicle is at fault.
pub async fn several_commands_are_reported_in_order(bench: &dyn Bench) {
    let commands = [
        Command::set(REAR_WINDOW, 100.0),
        Command::set(RECIRCULATION, true),
        Command::set(WINDOW, 50.0),
    ];
    let reports = given(bench, &commands).await;
    let signals: Vec<&str> = reports.iter().map(|report| report.signal.as_str()).collect();
    assert_eq!(signals, [REAR_WINDOW, RECIRCULATION, WINDOW]);
    bench.pass(ALL_THE_WAY).await;
    assert_eq!((number(bench, REAR_WINDOW), number(bench, WINDOW)), (100.0, 50.0));
}

/// One command that cannot be given is a typed error about its signal, and nothing moves.
///
/// # Panics
/// Where the vehicle is at fault.
pub async fn commands_are_given_all_or_none(bench: &dyn Bench) {
    let unknown = "Vehicle.Wings.Position";
    let checks: [(&str, SignalValue, Is); 7] = [
        (unknown, 1.0.into(), |error| {
            matches!(error, VehicleError::UnknownSignal(_))
        }),
        (REAR_WINDOW, true.into(), |error| {
            matches!(error, VehicleError::WrongType { .. })
        }),
        (REAR_WINDOW, 50.5.into(), |error| {
            matches!(error, VehicleError::WrongType { .. })
        }),
        (TEMPERATURE, f64::NAN.into(), |error| {
            matches!(error, VehicleError::WrongType { .. })
        }),
        (REAR_WINDOW, 101.0.into(), |error| {
            matches!(error, VehicleError::OutOfRange { .. })
        }),
        (WIPERS, "FLY".into(), |error| {
            matches!(error, VehicleError::NotAllowed { .. })
        }),
        (SPEED, 50.0.into(), |error| {
            matches!(error, VehicleError::NotActuatable(_))
        }),
    ];
    for (signal, value, is_right) in checks {
        let commands = [Command::set(WINDOW, 50.0), Command::set(signal, value.clone())];
        match bench.vehicle().actuate(&commands).await {
            Ok(reports) => panic!("`{signal}` went to {value}: {reports:?}"),
            Err(error) => {
                assert!(is_right(&error), "{signal} to {value}: {error:?}");
                assert!(!error.is_in_doubt(), "{signal} to {value}: {error:?}");
                assert_eq!(error.signal(), signal);
            }
        }
    }
    bench.pass(Duration::from_secs(1)).await;
    assert_eq!((number(bench, WINDOW), number(bench, REAR_WINDOW)), (0.0, 0.0));
    assert_eq!(bench.vehicle().target(WINDOW), Ok(0.0.into()));
}

/// No commands, no reports.
///
/// # Panics
/// Where the vehicle is at fault.
pub async fn no_command_is_no_fault(bench: &dyn Bench) {
    assert_eq!(given(bench, &[]).await, Vec::new());
}

async fn given(bench: &dyn Bench, commands: &[Command]) -> Vec<Actuation> {
    match bench.vehicle().actuate(commands).await {
        Ok(reports) => reports,
        Err(error) => panic!("{commands:?}: {error}"),
    }
}

async fn one(bench: &dyn Bench, command: Command) -> Actuation {
    let reports = given(bench, std::slice::from_ref(&command)).await;
    match <[Actuation; 1]>::try_from(reports) {
        Ok([report]) => report,
        Err(reports) => panic!("{command:?}: {reports:?}"),
    }
}

fn number(bench: &dyn Bench, signal: &str) -> f64 {
    match bench.vehicle().value(signal).map(|value| value.as_number()) {
        Ok(Some(number)) => number,
        other => panic!("`{signal}` is {other:?}"),
    }
}
