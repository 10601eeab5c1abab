//! What each tool does to the car and says of it. Signals are read once everything has arrived.

mod body;
mod cabin;
mod calls;
mod climate;
mod comfort;
mod contract;
mod deeds;
mod driving;
mod unheard;

use super::testing::Bench;
use crate::vehicle::SignalValue;
use incar_core::{Lang, Refusal, ToolError};
use serde_json::Value;

const DRIVER_WINDOW: &str = "Vehicle.Cabin.Door.Row1.DriverSide.Window.Position";
const PASSENGER_WINDOW: &str = "Vehicle.Cabin.Door.Row1.PassengerSide.Window.Position";
const REAR_LEFT_WINDOW: &str = "Vehicle.Cabin.Door.Row2.DriverSide.Window.Position";
const REAR_RIGHT_WINDOW: &str = "Vehicle.Cabin.Door.Row2.PassengerSide.Window.Position";
const DRIVER_DOOR: &str = "Vehicle.Cabin.Door.Row1.DriverSide.Position";
const DRIVER_DOOR_LOCK: &str = "Vehicle.Cabin.Door.Row1.DriverSide.IsLocked";
const SUNROOF: &str = "Vehicle.Cabin.Sunroof.Position";
const TRUNK: &str = "Vehicle.Body.Trunk.Rear.Position";
const AC: &str = "Vehicle.Cabin.HVAC.IsAirConditioningActive";
const DRIVER_TEMPERATURE: &str = "Vehicle.Cabin.HVAC.Station.Row1.Driver.Temperature";
const PASSENGER_TEMPERATURE: &str = "Vehicle.Cabin.HVAC.Station.Row1.Passenger.Temperature";
const THIRD_ROW_TEMPERATURE: &str = "Vehicle.Cabin.HVAC.Station.Row3.Driver.Temperature";
const DRIVER_FAN: &str = "Vehicle.Cabin.HVAC.Station.Row1.Driver.FanSpeed";
const REAR_FAN: &str = "Vehicle.Cabin.HVAC.Station.Row2.Passenger.FanSpeed";
const DRIVER_SEAT: &str = "Vehicle.Cabin.Seat.Row1.DriverSide.HeatingCooling";
const PASSENGER_SEAT: &str = "Vehicle.Cabin.Seat.Row1.PassengerSide.HeatingCooling";
const THIRD_ROW_SEAT: &str = "Vehicle.Incar.Seat.Row3.DriverSide.HeatingCooling";
const AMBIENT: &str = "Vehicle.Cabin.Light.AmbientLight.Row2.PassengerSide";
const DRIVER_SPOT: &str = "Vehicle.Cabin.Light.Spotlight.Row1.DriverSide";
const MEDIA: &str = "Vehicle.Cabin.Infotainment.Media.Volume";

/// One row: a call, what it says in both languages, and the signals once everything has arrived.
type Row<'a> = (Value, &'a str, &'a str, &'a [(&'a str, SignalValue)]);

fn n(number: f64) -> SignalValue {
    SignalValue::Number(number)
}

fn yes() -> SignalValue {
    SignalValue::Bool(true)
}

fn no() -> SignalValue {
    SignalValue::Bool(false)
}

fn check(tool: &str, setup: &[(&str, SignalValue)], rows: &[Row<'_>]) {
    for (arguments, zh, en, signals) in rows {
        for (lang, said) in [(Lang::Zh, zh), (Lang::En, en)] {
            let mut bench = Bench::new();
            bench.lang = lang;
            for (signal, value) in setup {
                bench.set(signal, value.clone());
            }
            let output = bench
                .call(tool, arguments)
                .unwrap_or_else(|error| panic!("{arguments}: {error}"));
            assert_eq!(output.say.as_deref(), Some(*said), "{tool} {arguments}");
            bench.advance(60);
            for (signal, value) in *signals {
                assert_eq!(&bench.get(signal), value, "{tool} {arguments}: {signal}");
            }
        }
    }
}

fn refused(bench: &Bench, tool: &str, arguments: &Value) -> ToolError {
    match bench.call(tool, arguments) {
        Err(Refusal::Failed(error)) => error,
        other => panic!("{tool} {arguments}: {other:?}"),
    }
}
