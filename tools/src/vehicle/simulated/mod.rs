//! A car that lives in memory and moves with an injected clock.

mod rules;
mod state;
#[cfg(test)]
mod tests;

use super::catalogue::{Catalogue, CatalogueError, Link, SignalInfo, SignalKind};
use super::{Actuation, Command, Order, Progress, SignalValue, Vehicle, VehicleError};
use incar_core::{Clock, async_trait};
use serde_json::Value;
use state::State;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A simulated car: the shipped [`Catalogue`], positions that take their time, and what hangs together in a real car.
///
/// Nothing runs in the background: what moves is computed from the clock when it is read. What hangs together:
/// - a part's `IsOpen` says whether its `Position` is above 0, and `Vehicle.IsMoving` whether the speed is;
/// - from 15 km/h the doors lock; while it rolls, gear 1 is in and parking brake and park lock are off;
/// - a drive lengthens `TraveledDistance` and shortens `Range` (a fifth of a percent of charge per kilometre);
///   with no range left the car stands;
/// - air conditioning, fan, seat heating and massage need `LowVoltageSystemState` `ON` and a battery above 2 %;
///   when the power goes, the air conditioning goes off;
/// - the air conditioning is on while it is on in any zone.
///
/// ```
/// use incar_core::{ManualClock, Timestamp};
/// use incar_tools::vehicle::{SimulatedCar, Vehicle};
/// use std::sync::Arc;
///
/// let clock = Arc::new(ManualClock::at(Timestamp::from_millis(0)));
/// let car = SimulatedCar::new(clock)?;
/// car.set("Vehicle.Speed", 80.0.into())?;
/// assert_eq!(car.value("Vehicle.IsMoving")?, true.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SimulatedCar {
    catalogue: Catalogue,
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
}

impl SimulatedCar {
    /// A parked car with everything shut, as [`SimulatedCar::reset`] leaves it.
    ///
    /// # Errors
    /// None with the catalogue as shipped.
    pub fn new(clock: Arc<dyn Clock>) -> Result<Self, CatalogueError> {
        Ok(Self::with_catalogue(Catalogue::shipped()?, clock))
    }

    /// A car with signals of your own.
    pub fn with_catalogue(catalogue: Catalogue, clock: Arc<dyn Clock>) -> Self {
        let state = Mutex::new(State::new(&catalogue, clock.now()));
        Self {
            catalogue,
            clock,
            state,
        }
    }

    /// Puts every signal to its default: parked in Beijing, everything shut.
    pub fn reset(&self) {
        let now = self.clock.now();
        *self.lock() = State::new(&self.catalogue, now);
    }

    /// Puts `signal` to `value` at once, sensors too: for tests and simulators.
    ///
    /// # Errors
    /// [`VehicleError`] for an unknown signal, a value it cannot have, and a sensor that follows another signal.
    pub fn set(&self, signal: &str, value: SignalValue) -> Result<(), VehicleError> {
        let (index, info) = self.find(signal)?;
        info.check(&value)?;
        self.with_state(|state| {
            if state.jump(&self.catalogue, index, value) {
                rules::follow(state, &self.catalogue, index);
                Ok(())
            } else {
                Err(VehicleError::NotActuatable(signal.to_owned()))
            }
        })
    }

    /// Every signal with its value, as JSON.
    pub fn state(&self) -> BTreeMap<String, Value> {
        self.snapshot()
            .into_iter()
            .map(|(name, value)| (name, Value::from(&value)))
            .collect()
    }

    fn find(&self, signal: &str) -> Result<(usize, &SignalInfo), VehicleError> {
        self.catalogue
            .position(signal)
            .and_then(|index| Some((index, self.catalogue.entries().get(index)?.info.as_ref())))
            .ok_or_else(|| VehicleError::UnknownSignal(signal.to_owned()))
    }

    /// The state, brought to the clock's time.
    fn with_state<R>(&self, f: impl FnOnce(&mut State) -> R) -> R {
        let now = self.clock.now();
        let mut state = self.lock();
        state.settle(&self.catalogue, now);
        f(&mut state)
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        // Every update is a whole one, so a state that a panic left behind is still sound.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn check(&self, command: &Command) -> Result<usize, VehicleError> {
        let (index, info) = self.find(&command.signal)?;
        if info.kind != SignalKind::Actuator {
            return Err(VehicleError::NotActuatable(info.name.clone()));
        }
        if let Order::Set(value) = &command.order {
            info.check(value)?;
        }
        Ok(index)
    }
}

#[async_trait]
impl Vehicle for SimulatedCar {
    fn info(&self, signal: &str) -> Option<Arc<SignalInfo>> {
        self.catalogue.info(signal).cloned()
    }

    fn value(&self, signal: &str) -> Result<SignalValue, VehicleError> {
        let (index, _) = self.find(signal)?;
        Ok(self.with_state(|state| state.value(&self.catalogue, index)))
    }

    fn target(&self, signal: &str) -> Result<SignalValue, VehicleError> {
        let (index, _) = self.find(signal)?;
        Ok(self.with_state(|state| state.target(&self.catalogue, index)))
    }

    async fn actuate(&self, commands: &[Command]) -> Result<Vec<Actuation>, VehicleError> {
        let indexes = commands
            .iter()
            .map(|command| self.check(command))
            .collect::<Result<Vec<_>, _>>()?;
        self.with_state(|state| {
            for command in commands {
                if let Order::Set(value) = &command.order {
                    rules::powered(state, &self.catalogue, &command.signal, value)?;
                }
            }
            let before: Vec<SignalValue> = indexes
                .iter()
                .map(|index| state.target(&self.catalogue, *index))
                .collect();
            for (command, index) in commands.iter().zip(&indexes) {
                match &command.order {
                    Order::Set(value) => state.send(&self.catalogue, *index, value.clone()),
                    Order::Stop => state.stop(&self.catalogue, *index),
                }
                rules::follow(state, &self.catalogue, *index);
            }
            let reports = commands.iter().zip(indexes).zip(before);
            Ok(reports
                .map(|((command, index), before)| {
                    let value = state.value(&self.catalogue, index);
                    let target = state.target(&self.catalogue, index);
                    let progress = if value == target {
                        Progress::Done
                    } else {
                        Progress::Moving
                    };
                    Actuation::new(command.signal.clone(), before, target, value, progress)
                })
                .collect())
        })
    }

    fn snapshot(&self) -> BTreeMap<String, SignalValue> {
        self.with_state(|state| {
            self.catalogue
                .iter()
                .enumerate()
                .map(|(index, info)| (info.name.clone(), state.value(&self.catalogue, index)))
                .collect()
        })
    }
}
