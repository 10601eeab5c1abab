//! The tools of navigation: finding places, guidance, the route and the map.
//!
//! [`NavigationService`] is what they need of a map; [`SimulatedNavigation`] is one that lives in memory.
//!
//! ```
//! use incar_core::{ManualClock, Timestamp};
//! use incar_tools::navigation::{self, NavigationService, SimulatedNavigation};
//! use incar_tools::vehicle::SimulatedCar;
//! use std::sync::Arc;
//!
//! let clock = Arc::new(ManualClock::at(Timestamp::from_millis(0)));
//! let car = Arc::new(SimulatedCar::new(clock)?);
//! let map = Arc::new(SimulatedNavigation::new(car));
//! let tools = navigation::tools(map.clone());
//! assert!(tools.iter().any(|tool| tool.spec().name == "start_navigation"));
//! assert!(map.guidance().is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod favorite;
mod finder;
mod journey;
mod map;
mod map_view;
mod names;
mod phrase;
mod preference;
mod route_info;
mod search;
mod service;
mod set_favorite;
mod simulated;
mod start;
mod stop;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod trip;
mod waypoint;

pub use favorite::Favorite;
pub use map_view::{GuidanceVoice, MapDimension, MapExtent, MapOrientation, MapView, TrafficLayer};
pub use names::PlaceNames;
pub use service::{Around, Guidance, NavigationError, NavigationService, RoutePreference, Search, Trip};
pub use simulated::SimulatedNavigation;

use finder::Finder;
use incar_core::{Bilingual, Effect, Erased, Tool, ToolCategory, ToolSpec, TypedTool};
use std::sync::Arc;
use std::time::Duration;

/// How long a map has to answer.
const TIMEOUT: Duration = Duration::from_secs(8);

/// The tools that act on `navigation`. They share what they have offered, so that a name chosen from one tool's list
/// means its place to another.
pub fn tools(navigation: Arc<dyn NavigationService>) -> Vec<Arc<dyn Tool>> {
    let finder = Finder::new(navigation);
    vec![
        erased(search::SearchLocation(finder.clone())),
        erased(start::StartNavigation(finder.clone())),
        erased(stop::StopNavigation(finder.clone())),
        erased(waypoint::AddWaypoint(finder.clone())),
        erased(waypoint::RemoveWaypoint(finder.clone())),
        erased(preference::SetRoutePreference(finder.clone())),
        erased(route_info::GetRouteInfo(finder.clone())),
        erased(set_favorite::SetFavoritePlace(finder.clone())),
        erased(map::ControlMap(finder)),
    ]
}

fn erased(tool: impl TypedTool) -> Arc<dyn Tool> {
    Arc::new(Erased::new(tool))
}

/// A spec of this category, with the tool's words.
fn spec(name: &'static str, effect: Effect, zh: &str, en: &str) -> ToolSpec {
    ToolSpec::new(name, ToolCategory::NAVIGATION, effect, Bilingual::new(zh, en))
        .with_timeout(TIMEOUT)
        .with_words(crate::words::of(name))
}
