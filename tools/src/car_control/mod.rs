//! The tools of the car itself: windows, doors, climate, seats, lights, sound and its state.
//!
//! Each tool turns what was said into targets of signals (`signals.rs` is the table), sends them, and answers what the
//! car reported: the target, where the part is, and whether it still moves.

mod ac;
mod acting;
mod airflow;
mod car;
mod climate_mode;
mod color;
mod comfort;
mod deeds;
mod door;
mod drive;
mod exterior_light;
mod fan;
mod feature;
mod interior_light;
mod level;
mod mirror;
mod motion;
mod place;
mod screen;
mod seat_adjust;
mod seat_climate;
mod seat_memory;
mod setting;
pub(crate) mod signals;
mod status;
mod sunroof;
mod sunshade;
mod temperature;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod trunk;
mod volume;
mod window;
mod wish;

use crate::DataError;
use crate::features::{FeatureCatalogue, PageCatalogue};
use crate::vehicle::Vehicle;
pub(crate) use car::Car;
pub(crate) use deeds::{Deed, deeds};
use incar_core::{Bilingual, Effect, RegistryError, ToolCategory, ToolRegistry, ToolSpec, TypedTool};
pub(crate) use place::{Layout, Position, Spot, Subject, capitalised};
pub(crate) use setting::{Spoken, apply};
use std::sync::Arc;
use std::time::Duration;

/// How long the car has to accept a command. Moving takes longer, and is reported as such.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Registers the tools that act on `vehicle`, with the features and pages that ship with incar.
///
/// # Errors
/// [`RegisterError`] where one of the tools' names is taken.
pub fn register(registry: &mut ToolRegistry, vehicle: &Arc<dyn Vehicle>) -> Result<(), RegisterError> {
    let features = FeatureCatalogue::shared()?;
    let pages = PageCatalogue::shared()?;
    register_with(registry, vehicle, features, pages)
}

/// As [`register`], with features and pages of a host's own.
///
/// # Errors
/// [`RegisterError::Registry`] where one of the tools' names is taken.
pub fn register_with(
    registry: &mut ToolRegistry,
    vehicle: &Arc<dyn Vehicle>,
    features: Arc<FeatureCatalogue>,
    pages: Arc<PageCatalogue>,
) -> Result<(), RegisterError> {
    let car = || Car::new(vehicle.clone());
    act(registry, vehicle, window::ControlWindow(car()))?;
    act(registry, vehicle, sunroof::ControlSunroof(car()))?;
    act(registry, vehicle, sunshade::ControlSunshade(car()))?;
    act(registry, vehicle, door::ControlDoor(car()))?;
    act(registry, vehicle, trunk::ControlTrunk(car()))?;
    act(registry, vehicle, ac::SetAcPower(car()))?;
    act(registry, vehicle, temperature::SetTemperature(car()))?;
    act(registry, vehicle, fan::SetFanSpeed(car()))?;
    act(registry, vehicle, airflow::SetAirCirculation(car()))?;
    act(registry, vehicle, airflow::SetAirflow(car()))?;
    act(registry, vehicle, climate_mode::SetDefrost(car()))?;
    act(registry, vehicle, climate_mode::SetClimateMode(car()))?;
    act(registry, vehicle, seat_climate::SetSeatHeating(car()))?;
    act(registry, vehicle, seat_climate::SetSeatVentilation(car()))?;
    act(registry, vehicle, comfort::SetSeatMassage(car()))?;
    act(registry, vehicle, seat_adjust::AdjustSeat(car()))?;
    act(registry, vehicle, seat_memory::SeatMemory(car()))?;
    act(registry, vehicle, comfort::SetSteeringWheelHeating(car()))?;
    act(registry, vehicle, exterior_light::SetExteriorLight(car()))?;
    act(registry, vehicle, interior_light::SetInteriorLight(car()))?;
    act(registry, vehicle, mirror::SetMirror(car()))?;
    act(registry, vehicle, mirror::SetWiper(car()))?;
    act(registry, vehicle, screen::SetScreen(car()))?;
    act(registry, vehicle, volume::SetVolume(car()))?;
    act(registry, vehicle, drive::SetDriveMode(car()))?;
    act(registry, vehicle, drive::SetDriverAssist(car()))?;
    act(registry, vehicle, comfort::SetFragrance(car()))?;
    act(registry, vehicle, feature::SetVehicleFeature { car: car(), features })?;
    act(registry, vehicle, feature::OpenPage { car: car(), pages })?;
    registry.register(status::GetVehicleStatus(car()))?;
    Ok(())
}

fn act<T: TypedTool>(registry: &mut ToolRegistry, vehicle: &Arc<dyn Vehicle>, tool: T) -> Result<(), RegistryError> {
    let car = Car::new(vehicle.clone());
    registry.register(acting::Acting { tool, car })
}

/// Why the tools were not registered.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// A name is taken.
    #[error(transparent)]
    Registry(#[from] RegistryError),
    /// The catalogue of features or pages cannot be used; a test holds that the shipped ones can.
    #[error(transparent)]
    Data(#[from] DataError),
}

/// A spec of this category, with the tool's words.
fn spec(name: &'static str, effect: Effect, zh: &str, en: &str) -> ToolSpec {
    ToolSpec::new(name, ToolCategory::CAR_CONTROL, effect, Bilingual::new(zh, en))
        .with_timeout(TIMEOUT)
        .with_words(crate::words::of(name))
}
