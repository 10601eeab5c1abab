//! The weather: forecasts by place and day behind a service, and what follows from them for a driver.

mod advice;
mod climate;
mod day;
mod location;
mod noise;
mod place;
mod say;
mod simulated;
mod sun;
#[cfg(test)]
mod tests;
mod tool;
mod when;

pub use day::{Compass, Condition, DayWeather};
pub use location::{Locator, VehicleLocator};
pub(crate) use place::find as find_place;
pub use simulated::SimulatedWeather;
pub use sun::{SunTimes, sun_times};
pub(crate) use tool::local_time;
pub(crate) use when::{date_name, weekday_name};

use crate::places::GeoPoint;
use incar_core::{Erased, Tool, async_trait};
use jiff::civil::Date;
use std::fmt::Debug;
use std::sync::Arc;

/// Where forecasts come from.
#[async_trait]
pub trait WeatherService: Send + Sync + Debug {
    /// Who says it, and whether it is real.
    fn source(&self) -> Source;

    /// The weather at a place on the days from `first` to `last`, local dates, one for each day in their order.
    ///
    /// # Errors
    /// [`WeatherError`] where there is no forecast for all of these days.
    async fn forecast(&self, at: GeoPoint, first: Date, last: Date) -> Result<Vec<DayWeather>, WeatherError>;
}

/// Whether a forecast is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// It comes from a weather service.
    Forecast,
    /// It is made up by a simulator.
    Simulated,
}

/// Why there is no forecast.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WeatherError {
    /// The days are out of reach of this service.
    #[error("no forecast for these days")]
    Days,
    /// The service cannot be reached.
    #[error("the weather service cannot be reached")]
    Unavailable,
}

/// The tool that asks `weather`, for where the car is if nothing else is said.
pub fn tools(weather: &Arc<dyn WeatherService>, locator: &Arc<dyn Locator>) -> Vec<Arc<dyn Tool>> {
    vec![Arc::new(Erased::new(tool::GetWeather::new(
        weather.clone(),
        locator.clone(),
    )))]
}
