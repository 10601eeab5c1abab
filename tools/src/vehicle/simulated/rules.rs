//! What hangs together in a car: few rules, the ones that a driver notices.

use super::state::State;
use super::{Catalogue, SignalValue, VehicleError};
use std::time::Duration;

const SPEED: &str = "Vehicle.Speed";
const POWER: &str = "Vehicle.LowVoltageSystemState";
const CHARGE: &str = "Vehicle.Powertrain.TractionBattery.StateOfCharge.Displayed";
const RANGE: &str = "Vehicle.Powertrain.Range";
const DISTANCE: &str = "Vehicle.TraveledDistance";
const AC: &str = "Vehicle.Cabin.HVAC.IsAirConditioningActive";
const ZONE_POWER: [&str; 2] = ["Vehicle.Incar.HVAC.Station.", ".IsActive"];

/// From this speed on the doors lock.
const LOCKING_SPEED: f64 = 15.0;
/// Below this charge comfort functions get no power.
const RESERVE_PERCENT: f64 = 2.0;
/// How far a percent of charge goes.
const METRES_PER_PERCENT: f64 = 5_000.0;

/// What follows from a signal that was set.
pub(super) fn follow(state: &mut State, catalogue: &Catalogue, index: usize) {
    let Some(entry) = catalogue.entries().get(index) else {
        return;
    };
    let name = entry.info.name.as_str();
    match name {
        SPEED => roll(state, catalogue),
        POWER | CHARGE if !has_power(state, catalogue) => {
            state.force(catalogue, AC, false);
            set_zones(state, catalogue, false);
        }
        AC => match text_or_bool(state, catalogue, AC) {
            Some(SignalValue::Bool(false)) => set_zones(state, catalogue, false),
            _ if !any_zone(state, catalogue) => set_zones(state, catalogue, true),
            _ => {}
        },
        _ if is_zone_power(name) => {
            let on = any_zone(state, catalogue);
            state.force(catalogue, AC, on);
        }
        _ => {}
    }
}

/// Refuses what needs power while there is none.
pub(super) fn powered(
    state: &State,
    catalogue: &Catalogue,
    signal: &str,
    value: &SignalValue,
) -> Result<(), VehicleError> {
    let needs_power = signal == AC
        || is_zone_power(signal)
        || [".FanSpeed", ".HeatingCooling", ".Massage.Level"]
            .iter()
            .any(|end| signal.ends_with(end));
    let switches_on = match value {
        SignalValue::Bool(on) => *on,
        SignalValue::Number(number) => *number != 0.0,
        SignalValue::Text(_) => true,
    };
    if needs_power && switches_on && !has_power(state, catalogue) {
        return Err(VehicleError::NoPower(signal.to_owned()));
    }
    Ok(())
}

/// The car drives on for `elapsed` at its present speed.
pub(super) fn drive(state: &mut State, catalogue: &Catalogue, elapsed: Duration) {
    let Some(speed) = state.number(catalogue, SPEED).filter(|speed| *speed > 0.0) else {
        return;
    };
    let range = state.number(catalogue, RANGE).unwrap_or(f64::INFINITY);
    let metres = (speed / 3.6 * elapsed.as_secs_f64()).min(range);
    if let Some(distance) = state.number(catalogue, DISTANCE) {
        state.force(catalogue, DISTANCE, distance + metres);
    }
    if let Some(charge) = state.number(catalogue, CHARGE) {
        state.force(catalogue, CHARGE, (charge - metres / METRES_PER_PERCENT).max(0.0));
    }
    if range.is_finite() {
        state.force(catalogue, RANGE, range - metres);
        if range - metres <= 0.0 {
            state.force(catalogue, SPEED, 0.0);
        }
    }
}

fn roll(state: &mut State, catalogue: &Catalogue) {
    let speed = state.number(catalogue, SPEED).unwrap_or(0.0);
    if speed > 0.0 {
        state.force(catalogue, "Vehicle.Chassis.ParkingBrake.IsEngaged", false);
        state.force(catalogue, "Vehicle.Powertrain.Transmission.IsParkLockEngaged", false);
        if state.number(catalogue, "Vehicle.Powertrain.Transmission.CurrentGear") == Some(0.0) {
            state.force(catalogue, "Vehicle.Powertrain.Transmission.CurrentGear", 1.0);
        }
    }
    if speed >= LOCKING_SPEED {
        for info in catalogue.iter() {
            if info.name.starts_with("Vehicle.Cabin.Door.") && info.name.ends_with(".IsLocked") {
                state.force(catalogue, &info.name, true);
            }
        }
    }
}

fn has_power(state: &State, catalogue: &Catalogue) -> bool {
    let on = match text_or_bool(state, catalogue, POWER) {
        Some(SignalValue::Text(text)) => text == "ON" || text == "START",
        _ => true,
    };
    on && state
        .number(catalogue, CHARGE)
        .is_none_or(|charge| charge > RESERVE_PERCENT)
}

fn is_zone_power(signal: &str) -> bool {
    let [start, end] = ZONE_POWER;
    signal.starts_with(start) && signal.ends_with(end)
}

fn any_zone(state: &State, catalogue: &Catalogue) -> bool {
    catalogue
        .iter()
        .filter(|info| is_zone_power(&info.name))
        .any(|info| text_or_bool(state, catalogue, &info.name) == Some(SignalValue::Bool(true)))
}

fn set_zones(state: &mut State, catalogue: &Catalogue, on: bool) {
    for info in catalogue.iter().filter(|info| is_zone_power(&info.name)) {
        state.force(catalogue, &info.name, on);
    }
}

fn text_or_bool(state: &State, catalogue: &Catalogue, signal: &str) -> Option<SignalValue> {
    catalogue.position(signal).map(|index| state.value(catalogue, index))
}
