//! A map that lives in memory, for simulators and tests.

use super::favorite::Favorite;
use super::journey::{Journey, Progress, ahead};
use super::map_view::MapView;
use super::service::{Around, Guidance, NavigationError, NavigationService, RoutePreference, Search, Trip};
use crate::places::{Gazetteer, GeoPoint, Hit, Place, PlaceId, Query};
use crate::vehicle::{SimulatedCar, Vehicle};
use incar_core::async_trait;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

const LATITUDE: &str = "Vehicle.CurrentLocation.Latitude";
const LONGITUDE: &str = "Vehicle.CurrentLocation.Longitude";
const ODOMETER: &str = "Vehicle.TraveledDistance";
const RANGE: &str = "Vehicle.Powertrain.Range";
const SPEED_LIMIT: &str = "Vehicle.Incar.SpeedLimit";

/// Where the simulated driver lives and works.
const HOME: &str = "lm:wangjing";
const COMPANY: &str = "lm:zhongguancun";
/// China Standard Time.
const UTC_OFFSET_MINUTES: i16 = 480;
/// Points of a route, so many metres apart, along which places are looked for.
const ROUTE_SPACING_M: f64 = 3_000.0;

/// A map over the embedded [`Gazetteer`], for a [`SimulatedCar`].
///
/// Nothing runs in the background: how far guidance has come is what the car's odometer has gained since it started, so
/// the car drives along the route at its `Vehicle.Speed`, and stands where that is 0. When anything is read, the car's
/// location is moved there; near the destination guidance ends. Without guidance the car stays where it is, whatever its
/// speed. A location that is set from outside while guidance is on gives a new route from there.
///
/// There is no road network: distances and times are estimates ([`crate::places::RoutePlan`]), and a preference changes
/// none of them.
#[derive(Debug)]
pub struct SimulatedNavigation {
    gazetteer: &'static Gazetteer,
    car: Arc<SimulatedCar>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    journey: Option<Journey>,
    /// Where the car was put last; it is elsewhere when somebody else has moved it.
    placed: Option<GeoPoint>,
    preference: RoutePreference,
    favorites: BTreeMap<Favorite, Place>,
    view: MapView,
    reports: Vec<String>,
}

impl State {
    fn new(gazetteer: &Gazetteer) -> Self {
        let favorites = [(Favorite::Home, HOME), (Favorite::Company, COMPANY)];
        Self {
            journey: None,
            placed: None,
            preference: RoutePreference::default(),
            favorites: favorites
                .into_iter()
                .filter_map(|(favorite, id)| Some((favorite, gazetteer.get(&PlaceId::new(id))?)))
                .collect(),
            view: MapView::default(),
            reports: Vec::new(),
        }
    }
}

impl SimulatedNavigation {
    /// A map for `car`, without guidance, with home and company set.
    pub fn new(car: Arc<SimulatedCar>) -> Self {
        let gazetteer = Gazetteer::embedded();
        Self {
            gazetteer,
            car,
            state: Mutex::new(State::new(gazetteer)),
        }
    }

    /// No guidance, home and company as at first. The car is left alone: reset it first.
    pub fn reset(&self) {
        *self.lock() = State::new(self.gazetteer);
    }

    /// What can be read of it, by names such as `Navigation.Destination`; null where there is none.
    pub fn state(&self) -> BTreeMap<String, Value> {
        let guidance = self.guidance();
        let state = self.lock();
        let destination = guidance.as_ref().map(|guidance| &guidance.destination);
        let name = |place: Option<&Place>| place.map(|place| json!(place.name));
        let mut read = BTreeMap::new();
        let mut put = |key: &str, value: Value| read.insert(format!("Navigation.{key}"), value);
        put("IsGuiding", guidance.is_some().into());
        put("Destination", name(destination).into());
        put("DestinationId", destination.map(|place| place.id.as_str()).into());
        let via = guidance.iter().flat_map(|guidance| &guidance.via);
        put("Waypoints", via.map(|place| json!(place.name)).collect());
        let left =
            |of: fn(&Guidance) -> f64| Value::from(guidance.as_ref().map(|guidance| of(guidance).round() as u64));
        put("RemainingDistance", left(|guidance| guidance.distance_m));
        put("RemainingTime", left(|guidance| guidance.duration_s));
        put("Preference", json!(state.preference));
        for (favorite, place) in &state.favorites {
            put(&format!("Favorite.{favorite}"), name(Some(place)).into());
        }
        put("Map", json!(state.view));
        put("Reports", json!(state.reports));
        read
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every update is a whole one, so a state that a panic left behind is still sound.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn number(&self, signal: &str) -> Option<f64> {
        self.car.value(signal).ok()?.as_number()
    }

    fn odometer_m(&self) -> f64 {
        self.number(ODOMETER).unwrap_or_default()
    }

    fn location(&self) -> Option<GeoPoint> {
        GeoPoint::new(self.number(LATITUDE)?, self.number(LONGITUDE)?).ok()
    }

    fn place_car(&self, point: GeoPoint) {
        // Both are within the signals' range, and a car without them has no location to move.
        let _ = self.car.set(LATITUDE, point.lat().into());
        let _ = self.car.set(LONGITUDE, point.lon().into());
    }

    /// Brings the journey to where the car is now, and the car to where the journey is.
    fn settle(&self, state: &mut State) -> Option<Progress> {
        let odometer_m = self.odometer_m();
        let journey = state.journey.as_ref()?;
        let progress = journey.at(odometer_m);
        if let Some(here) = self.location().filter(|here| Some(*here) != state.placed) {
            let moved = Journey::new(here, progress.via, journey.destination.clone(), odometer_m);
            let progress = moved.at(odometer_m);
            state.placed = Some(here);
            state.journey = Some(moved);
            return Some(progress);
        }
        if Some(progress.position) != state.placed {
            self.place_car(progress.position);
            state.placed = self.location();
        }
        if progress.arrived {
            state.journey = None;
            return None;
        }
        Some(progress)
    }

    /// A journey that starts here and now.
    fn set_off(&self, state: &mut State, via: Vec<Place>, destination: Place) {
        let from = self.location();
        state.placed = from;
        state.journey = from.map(|from| Journey::new(from, via, destination, self.odometer_m()));
    }

    fn guidance_of(&self, state: &mut State) -> Option<Guidance> {
        let progress = self.settle(state)?;
        let destination = state.journey.as_ref()?.destination.clone();
        let left = progress.left;
        Some(Guidance::new(
            destination,
            progress.via,
            state.preference,
            left.distance_m,
            left.duration_s,
        ))
    }

    fn started(&self, state: &mut State) -> Result<Guidance, NavigationError> {
        self.guidance_of(state)
            .ok_or_else(|| NavigationError::Unavailable("the car has no location".into()))
    }

    fn find(&self, search: &Search) -> Vec<Hit> {
        let guidance = self.guidance();
        let car = self.position();
        let center = match (search.around, &guidance) {
            (Around::Point(point), _) => Some(point),
            (Around::Destination, Some(guidance)) => Some(guidance.destination.position),
            (Around::Car | Around::Route | Around::Destination, _) => car,
        };
        let line = match (search.around, &guidance, car) {
            (Around::Route, Some(guidance), Some(car)) => {
                ahead(car, &guidance.via, &guidance.destination).line(ROUTE_SPACING_M)
            }
            _ => Vec::new(),
        };
        let mut query = Query::new(&search.text).limit(search.limit);
        if let Some(center) = center {
            query = query.near(center);
        }
        if !line.is_empty() {
            query = query.along(&line);
        }
        if let Some(category) = &search.category {
            query = query.category(category);
        }
        // A simulated place that was offered is chosen by its name; a real place of that name comes first.
        let everyday = center
            .filter(|_| !self.gazetteer.has_name(&search.text))
            .and_then(|center| self.gazetteer.everyday_named(&search.text, center));
        match everyday {
            Some(place) => vec![place],
            None => self.gazetteer.search(&query),
        }
    }
}

#[async_trait]
impl NavigationService for SimulatedNavigation {
    async fn search(&self, search: &Search) -> Result<Vec<Hit>, NavigationError> {
        Ok(self.find(search))
    }

    async fn place(&self, id: &PlaceId) -> Result<Option<Place>, NavigationError> {
        Ok(self.gazetteer.get(id))
    }

    async fn nearest_place(&self, point: GeoPoint) -> Result<Option<Place>, NavigationError> {
        Ok(self.gazetteer.nearest(point))
    }

    async fn start(&self, trip: Trip) -> Result<Guidance, NavigationError> {
        let mut state = self.lock();
        self.settle(&mut state);
        if let Some(preference) = trip.preference {
            state.preference = preference;
        }
        self.set_off(&mut state, trip.via, trip.destination);
        self.started(&mut state)
    }

    async fn stop(&self) -> Result<Option<Place>, NavigationError> {
        let mut state = self.lock();
        self.settle(&mut state);
        Ok(state.journey.take().map(|journey| journey.destination))
    }

    async fn set_waypoints(&self, via: Vec<Place>) -> Result<Guidance, NavigationError> {
        let mut state = self.lock();
        self.settle(&mut state);
        let destination = state.journey.as_ref().map(|journey| journey.destination.clone());
        self.set_off(&mut state, via, destination.ok_or(NavigationError::NoGuidance)?);
        self.started(&mut state)
    }

    async fn set_preference(&self, preference: RoutePreference) -> Result<(), NavigationError> {
        self.lock().preference = preference;
        Ok(())
    }

    async fn set_favorite(&self, favorite: Favorite, place: Place) -> Result<(), NavigationError> {
        self.lock().favorites.insert(favorite, place);
        Ok(())
    }

    async fn set_map_view(&self, view: MapView) -> Result<(), NavigationError> {
        self.lock().view = view;
        Ok(())
    }

    async fn report_event(&self, event: &str) -> Result<(), NavigationError> {
        self.lock().reports.push(event.to_owned());
        Ok(())
    }

    fn position(&self) -> Option<GeoPoint> {
        self.settle(&mut self.lock());
        self.location()
    }

    fn guidance(&self) -> Option<Guidance> {
        self.guidance_of(&mut self.lock())
    }

    fn preference(&self) -> RoutePreference {
        self.lock().preference
    }

    fn favorite(&self, favorite: &Favorite) -> Option<Place> {
        self.lock().favorites.get(favorite).cloned()
    }

    fn map_view(&self) -> MapView {
        self.lock().view
    }

    fn range_m(&self) -> Option<f64> {
        self.number(RANGE)
    }

    fn speed_limit_kmh(&self) -> Option<f64> {
        self.number(SPEED_LIMIT)
    }

    fn utc_offset_minutes(&self) -> i16 {
        UTC_OFFSET_MINUTES
    }
}
