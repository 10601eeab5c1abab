//! Any signal that a host allows: `get_signal` and `set_signal`, so that a maker's actuators need no tool each.
//!
//! Off unless a host turns it on: [`tools`] makes the two tools from [`AllowedSignals`], which are read from a file of the
//! Vehicle Signal Specification ([`Vss`]) and a list of what of it is allowed. Bounds, units and allowed values are the
//! car's; only actuators can be set; policies and permissions judge `set_signal` with the whole path in `signal`, as any
//! tool. Where one of the car's own tools sets the signal too, what policies and permissions say of that tool
//! (`door-moving` …) holds as well. Beyond that,
//! [`PolicyLayers::with_signals`](crate::policy::PolicyLayers::with_signals) asks before a signal is set while the car
//! moves, and a maker who allows a signal that no tool knows decides what else must hold.
//!
//! The embedded brain understands a signal by the words of its path and description, in English, and by the words that
//! the host gives, in both languages.

mod allowed;
mod get;
mod place;
mod said;
mod set;
mod spec;
mod vss;
mod words;

#[cfg(test)]
mod tests;

pub use allowed::{AllowedSignals, Pattern};
pub(crate) use spec::SET_SIGNAL;
pub use vss::Vss;

use crate::vehicle::Vehicle;
use incar_core::Tool;
use std::sync::Arc;

/// The tools `get_signal` and `set_signal` over what is allowed; without `set_signal` where nothing may be set.
pub fn tools(signals: &Arc<AllowedSignals>, vehicle: &Arc<dyn Vehicle>) -> Vec<Arc<dyn Tool>> {
    let mut tools: Vec<Arc<dyn Tool>> = vec![Arc::new(get::GetSignal::new(signals.clone(), vehicle.clone()))];
    if signals.any_to_set() {
        tools.push(Arc::new(set::SetSignal::new(signals.clone(), vehicle.clone())));
    }
    tools
}
