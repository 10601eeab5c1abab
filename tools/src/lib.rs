//! What a car can do: typed tools over service traits and their simulated back ends.

pub mod booking;
mod cabin;
pub mod car_control;
pub mod contacts;
mod data_file;
pub mod features;
pub mod full_text;
pub mod generic_signals;
pub mod knowledge;
pub mod library;
pub mod media;
pub mod names;
pub mod navigation;
pub mod phone;
pub mod places;
pub mod policy;
pub mod preferences;
#[cfg(test)]
mod testing;
pub mod toml_file;
pub mod vehicle;
pub mod weather;
mod words;

pub use self::cabin::CabinState;
pub use self::data_file::{DataError, DataProblem};
