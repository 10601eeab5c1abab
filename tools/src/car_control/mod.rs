//! The tools of the car itself: windows, doors, climate, seats, lights, sound and its state.
//!
//! Each tool turns what was said into targets of signals (`signals.rs` is the table), sends them, and answers what the
//! car reported: the target, where the part is, and whether it still moves.

mod ac;
mod airflow;
mod car;
mod climate_mode;
mod color;
mod comfort;
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
use incar_core::{Bilingual, Effect, RegistryError, ToolCategory, ToolRegistry, ToolSpec};
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
    let pages = Arc::new(PageCatalogue::embedded()?);
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
    registry.register(window::ControlWindow(car()))?;
    registry.register(sunroof::ControlSunroof(car()))?;
    registry.register(sunshade::ControlSunshade(car()))?;
    registry.register(door::ControlDoor(car()))?;
    registry.register(trunk::ControlTrunk(car()))?;
    registry.register(ac::SetAcPower(car()))?;
    registry.register(temperature::SetTemperature(car()))?;
    registry.register(fan::SetFanSpeed(car()))?;
    registry.register(airflow::SetAirCirculation(car()))?;
    registry.register(airflow::SetAirflow(car()))?;
    registry.register(climate_mode::SetDefrost(car()))?;
    registry.register(climate_mode::SetClimateMode(car()))?;
    registry.register(seat_climate::SetSeatHeating(car()))?;
    registry.register(seat_climate::SetSeatVentilation(car()))?;
    registry.register(comfort::SetSeatMassage(car()))?;
    registry.register(seat_adjust::AdjustSeat(car()))?;
    registry.register(seat_memory::SeatMemory(car()))?;
    registry.register(comfort::SetSteeringWheelHeating(car()))?;
    registry.register(exterior_light::SetExteriorLight(car()))?;
    registry.register(interior_light::SetInteriorLight(car()))?;
    registry.register(mirror::SetMirror(car()))?;
    registry.register(mirror::SetWiper(car()))?;
    registry.register(screen::SetScreen(car()))?;
    registry.register(volume::SetVolume(car()))?;
    registry.register(drive::SetDriveMode(car()))?;
    registry.register(drive::SetDriverAssist(car()))?;
    registry.register(comfort::SetFragrance(car()))?;
    registry.register(feature::SetVehicleFeature { car: car(), features })?;
    registry.register(feature::OpenPage { car: car(), pages })?;
    registry.register(status::GetVehicleStatus(car()))?;
    Ok(())
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
