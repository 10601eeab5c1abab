//! What the navigation tools need of a map: the service, and what goes in and out of it.

use super::favorite::Favorite;
use super::map_view::MapView;
use crate::places::{GeoPoint, Hit, Place, PlaceId};
use incar_core::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// A map with guidance: finds places, leads to them, and knows where the car is.
///
/// What may take time (a search on a server, a new route) is asynchronous. State is read at once: a back end on a network
/// answers it from what it has subscribed to. [`super::SimulatedNavigation`] is one that lives in memory.
#[async_trait]
pub trait NavigationService: Send + Sync + Debug {
    /// The places that a text may mean, best first, with their distance. Namesakes are all given.
    ///
    /// # Errors
    /// [`NavigationError::Unavailable`] where the map did not answer. Finding nothing is no error.
    async fn search(&self, search: &Search) -> Result<Vec<Hit>, NavigationError>;

    /// The place of an id that a search gave.
    ///
    /// # Errors
    /// [`NavigationError::Unavailable`].
    async fn place(&self, id: &PlaceId) -> Result<Option<Place>, NavigationError>;

    /// The named place nearest to a point: how to say where that is.
    ///
    /// # Errors
    /// [`NavigationError::Unavailable`].
    async fn nearest_place(&self, point: GeoPoint) -> Result<Option<Place>, NavigationError>;

    /// Starts guidance, in the place of any that is on.
    ///
    /// # Errors
    /// [`NavigationError::Unavailable`].
    async fn start(&self, trip: Trip) -> Result<Guidance, NavigationError>;

    /// Ends guidance, and says to where it led; `None` where none was on.
    ///
    /// # Errors
    /// [`NavigationError::Unavailable`].
    async fn stop(&self) -> Result<Option<Place>, NavigationError>;

    /// Leads over these stops from here on, in this order, to the same destination.
    ///
    /// # Errors
    /// [`NavigationError::NoGuidance`] where none is on.
    async fn set_waypoints(&self, via: Vec<Place>) -> Result<Guidance, NavigationError>;

    /// Prefers such routes from now on, for the guidance that is on too.
    ///
    /// # Errors
    /// [`NavigationError::Unavailable`].
    async fn set_preference(&self, preference: RoutePreference) -> Result<(), NavigationError>;

    /// Keeps a place under a name, in the place of what was kept under it.
    ///
    /// # Errors
    /// [`NavigationError::Unavailable`].
    async fn set_favorite(&self, favorite: Favorite, place: Place) -> Result<(), NavigationError>;

    /// Shows the map so.
    ///
    /// # Errors
    /// [`NavigationError::Unavailable`].
    async fn set_map_view(&self, view: MapView) -> Result<(), NavigationError>;

    /// Reports an event on the road where the car is, in the driver's words.
    ///
    /// # Errors
    /// [`NavigationError::Unavailable`].
    async fn report_event(&self, event: &str) -> Result<(), NavigationError>;

    /// Where the car is; `None` without a fix.
    fn position(&self) -> Option<GeoPoint>;

    /// The guidance that is on, as it stands now.
    fn guidance(&self) -> Option<Guidance>;

    /// Which routes are preferred.
    fn preference(&self) -> RoutePreference;

    /// The place kept under a name.
    fn favorite(&self, favorite: &Favorite) -> Option<Place>;

    /// How the map is shown.
    fn map_view(&self) -> MapView;

    /// How far the car can still drive, in metres, where that is known.
    fn range_m(&self) -> Option<f64>;

    /// The speed limit here in km/h, where that is known.
    fn speed_limit_kmh(&self) -> Option<f64>;

    /// How many minutes the local time here is ahead of UTC.
    fn utc_offset_minutes(&self) -> i16;
}

/// A search for places.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Search {
    /// A place's name or a kind of place, in the driver's words.
    pub text: String,
    /// Only places of this kind, in the driver's words.
    pub category: Option<String>,
    /// Where to look.
    pub around: Around,
    /// At most so many.
    pub limit: usize,
}

impl Search {
    /// A search around the car, for ten places at most.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            category: None,
            around: Around::Car,
            limit: 10,
        }
    }

    /// The same search elsewhere.
    #[must_use]
    pub fn around(mut self, around: Around) -> Self {
        self.around = around;
        self
    }

    /// The same search for one kind of place.
    #[must_use]
    pub fn category(mut self, category: Option<String>) -> Self {
        self.category = category;
        self
    }
}

/// Where a search looks.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Around {
    /// Near the car.
    Car,
    /// Near the destination; near the car where there is none.
    Destination,
    /// Along the route that is still ahead; near the car where there is none.
    Route,
    /// Near a point.
    Point(GeoPoint),
}

/// Where to lead.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Trip {
    /// To where.
    pub destination: Place,
    /// Over these stops, in order.
    pub via: Vec<Place>,
    /// By which route; as preferred so far where not said.
    pub preference: Option<RoutePreference>,
}

impl Trip {
    /// A trip to a place, without stops.
    pub fn to(destination: Place) -> Self {
        Self {
            destination,
            via: Vec::new(),
            preference: None,
        }
    }
}

/// Guidance as it stands now.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Guidance {
    /// To where it leads.
    pub destination: Place,
    /// The stops still ahead, in order.
    pub via: Vec<Place>,
    /// Which routes are preferred.
    pub preference: RoutePreference,
    /// What is still to drive, in metres: an estimate.
    pub distance_m: f64,
    /// How long that takes, in seconds: an estimate.
    pub duration_s: f64,
}

impl Guidance {
    /// Guidance to a place, with the metres and seconds that are left.
    pub fn new(
        destination: Place,
        via: Vec<Place>,
        preference: RoutePreference,
        distance_m: f64,
        duration_s: f64,
    ) -> Self {
        Self {
            destination,
            via,
            preference,
            distance_m,
            duration_s,
        }
    }

    /// The place to which the car comes next: a stop, or the destination.
    pub fn next_stop(&self) -> &Place {
        self.via.first().unwrap_or(&self.destination)
    }
}

/// Which routes are preferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RoutePreference {
    /// The least time.
    #[default]
    Fastest,
    /// The least distance.
    Shortest,
    /// No tolls.
    AvoidTolls,
    /// No highways.
    AvoidHighways,
    /// Round traffic jams.
    AvoidCongestion,
    /// By highways where there are any.
    HighwaysFirst,
}

/// Why a map did not do something.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NavigationError {
    /// It needs guidance, and none is on.
    #[error("no guidance is on")]
    NoGuidance,
    /// The map did not answer.
    #[error("the map did not answer: {0}")]
    Unavailable(String),
}
