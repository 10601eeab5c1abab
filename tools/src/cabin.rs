//! What the car knows when something is said.

use crate::vehicle::Vehicle;
use incar_core::{CabinContext, Clock, Speaker, ToolCategory, ToolSet};
use jiff::Timestamp;
use jiff::tz::Offset;
use serde::Serialize;
use std::sync::Arc;

/// The cabin context of an utterance, from the vehicle's signals: the seat and the date always;
/// speed, air conditioning and open windows where tools that need them are offered.
#[derive(Debug, Clone)]
pub struct CabinState {
    vehicle: Arc<dyn Vehicle>,
    clock: Arc<dyn Clock>,
    offset: Offset,
}

#[derive(Debug, Serialize)]
struct State<'a> {
    seat: &'a str,
    /// Local date and time, ISO 8601, to the minute.
    date: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    speed_kmh: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ac_on: Option<bool>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    open_windows: Vec<&'static str>,
}

impl CabinState {
    /// The state of `vehicle`, with local time at `offset` from UTC.
    pub fn new(vehicle: Arc<dyn Vehicle>, clock: Arc<dyn Clock>, offset: Offset) -> Self {
        Self { vehicle, clock, offset }
    }

    fn open_windows(&self) -> Vec<&'static str> {
        let open = |signal: &str| {
            let target = self.vehicle.target(signal).ok().and_then(|value| value.as_number());
            target.is_some_and(|position| position > 0.0)
        };
        WINDOWS
            .iter()
            .filter(|(_, signal)| open(signal))
            .map(|(name, _)| *name)
            .collect()
    }
}

const WINDOWS: [(&str, &str); 4] = [
    ("driver", "Vehicle.Cabin.Door.Row1.DriverSide.Window.Position"),
    ("passenger", "Vehicle.Cabin.Door.Row1.PassengerSide.Window.Position"),
    ("rear_driver_side", "Vehicle.Cabin.Door.Row2.DriverSide.Window.Position"),
    (
        "rear_passenger_side",
        "Vehicle.Cabin.Door.Row2.PassengerSide.Window.Position",
    ),
];

impl CabinContext for CabinState {
    fn describe(&self, speaker: &Speaker, tools: &ToolSet) -> Option<String> {
        let millis = i64::try_from(self.clock.now().as_millis()).ok()?;
        let now = self.offset.to_datetime(Timestamp::from_millisecond(millis).ok()?);
        let controls = tools
            .specs()
            .iter()
            .any(|spec| spec.category == ToolCategory::CAR_CONTROL);
        let number = |signal: &str| self.vehicle.value(signal).ok().and_then(|value| value.as_number());
        let state = State {
            seat: speaker.seat.as_str(),
            date: now.strftime("%Y-%m-%dT%H:%M").to_string(),
            speed_kmh: controls.then(|| number("Vehicle.Speed")).flatten(),
            ac_on: controls
                .then(|| {
                    self.vehicle
                        .value("Vehicle.Cabin.HVAC.IsAirConditioningActive")
                        .ok()?
                        .as_bool()
                })
                .flatten(),
            open_windows: if controls { self.open_windows() } else { Vec::new() },
        };
        serde_json::to_string(&state).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vehicle::SimulatedCar;
    use incar_core::{Bilingual, Effect, ManualClock, Seat, ToolSpec};

    fn context(category: ToolCategory) -> String {
        let clock = Arc::new(ManualClock::at(incar_core::Timestamp::from_millis(1_780_279_200_000)));
        let car = Arc::new(SimulatedCar::new(clock.clone()).unwrap());
        car.set("Vehicle.Cabin.Door.Row1.PassengerSide.Window.Position", 40.0.into())
            .unwrap();
        let spec = ToolSpec::new("tool", category, Effect::Read, Bilingual::default());
        let state = CabinState::new(car, clock, Offset::constant(8));
        state
            .describe(
                &Speaker::new("car", Seat::RearLeft),
                &ToolSet::new(vec![Arc::new(spec)]),
            )
            .unwrap()
    }

    #[test]
    fn the_context_says_what_the_offered_tools_need_and_no_more() {
        assert_eq!(
            context(ToolCategory::CAR_CONTROL),
            r#"{"seat":"rear_left","date":"2026-06-01T10:00","speed_kmh":0.0,"ac_on":false,"open_windows":["passenger"]}"#
        );
        assert_eq!(
            context(ToolCategory::MUSIC),
            r#"{"seat":"rear_left","date":"2026-06-01T10:00"}"#
        );
    }
}
