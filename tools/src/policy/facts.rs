//! Facts that code computes, by the names that policies use.

use crate::car_control::{Car, Layout, Position, Spot, signals};
use crate::places::{Gazetteer, GeoPoint, PlaceId, Query, RoutePlan, clear_winner};
use crate::vehicle::Vehicle;
use incar_core::{PolicyQuery, QueryStage};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A fact of a host's own: whether it holds for a call; `None` where that is not known.
pub type Fact = Arc<dyn Fn(&PolicyQuery<'_>) -> Option<bool> + Send + Sync>;

/// Faster than this, in km/h, is moving.
const MOVING_SPEED: f64 = 3.0;
/// Less light than this, in percent, is dark.
const DARK_BELOW: f64 = 20.0;
/// A speed limit up to this, in km/h, is one of a built-up area.
const BUILT_UP_LIMIT: f64 = 50.0;
/// Zones that differ by more than this, in degrees, are told.
const TEMPERATURE_GAP: f64 = 3.0;

/// What policies can know: the signals of a car, and facts by name.
///
/// Built in are `moving`, `raining` (or snowing), `dark`, `built_up`, `opens_further` (the call opens a window, trunk or
/// sunroof further than it stands), `temperature_gap`, `driver_seat` (the call's `seat` includes the driver's), `rear`
/// (its `window` or `door` includes one behind the front row), `driver_sees_screen` (its `screen`), `emergency_number`
/// (its `number` or `contact`), `said_plainly` (the utterance names that number, or the police, fire or medical
/// service) and `beyond_range` (its `destination`, found in the embedded gazetteer, is farther by road than the car
/// can go).
#[derive(Clone)]
pub struct Facts {
    vehicle: Arc<dyn Vehicle>,
    car: Car,
    own: BTreeMap<String, Fact>,
}

impl fmt::Debug for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Facts")
            .field("vehicle", &self.vehicle)
            .field("own", &self.own.keys().collect::<Vec<_>>())
            .finish()
    }
}

impl Facts {
    /// The facts of a car.
    pub fn of(vehicle: Arc<dyn Vehicle>) -> Self {
        Self {
            car: Car::new(vehicle.clone()),
            vehicle,
            own: BTreeMap::new(),
        }
    }

    /// The same facts and one more; it takes the place of a built-in one of that name.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, fact: Fact) -> Self {
        self.own.insert(name.into(), fact);
        self
    }

    /// Whether there is a fact of that name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.own.contains_key(name) || Builtin::from_name(name).is_some()
    }

    /// The names of all facts.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let built_in = Builtin::ALL.iter().map(|(name, _)| *name);
        built_in.chain(self.own.keys().map(String::as_str))
    }

    /// The car that signals are read from.
    pub(super) fn vehicle(&self) -> &dyn Vehicle {
        &*self.vehicle
    }

    /// Which side the driver sits on.
    pub(super) fn layout(&self) -> Layout {
        self.car.layout()
    }

    /// Whether the fact holds; `None` where it is not known.
    pub(super) fn judge(&self, name: &str, call: &PolicyQuery<'_>) -> Option<bool> {
        match self.own.get(name) {
            Some(fact) => fact(call),
            None => self.builtin(Builtin::from_name(name)?, call),
        }
    }

    /// Where a signal stands or is going.
    pub(super) fn signal(&self, name: &str) -> Option<Value> {
        self.vehicle.target(name).ok().map(|value| Value::from(&value))
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.signal(name)?.as_f64()
    }

    /// The windows that stand further open than `percent`, as arguments name them: `all` where it is all of them. One
    /// that is not known counts as open.
    pub(super) fn windows_above(&self, percent: f64) -> Vec<Value> {
        let windows = self.car.parts(signals::WINDOW, Position::All);
        let open: Vec<Position> = windows
            .iter()
            .filter(|window| self.number(&window.signal).is_none_or(|at| at > percent))
            .map(|window| window.spot.position())
            .collect();
        let places = if open.len() == windows.len() && !open.is_empty() {
            vec![Position::All]
        } else {
            open
        };
        places
            .into_iter()
            .filter_map(|place| serde_json::to_value(place).ok())
            .collect()
    }

    /// By the estimate that the simulated navigation makes. A place that the gazetteer does not know (a
    /// favourite, a map's own place) is not held to be too far: the map itself will tell.
    fn beyond_range(&self, call: &PolicyQuery<'_>) -> Option<bool> {
        let range_m = self.number("Vehicle.Powertrain.Range")?;
        let latitude = self.number("Vehicle.CurrentLocation.Latitude")?;
        let here = GeoPoint::new(latitude, self.number("Vehicle.CurrentLocation.Longitude")?).ok()?;
        let Some(said) = text(call, "destination") else {
            return Some(false);
        };
        if ["home", "company"].contains(&said) {
            return Some(false);
        }
        let gazetteer = Gazetteer::embedded();
        let place = gazetteer.get(&PlaceId::new(said)).or_else(|| {
            let hits = gazetteer.search(&Query::new(said).near(here).limit(5));
            clear_winner(&hits).or(hits.first()).map(|hit| hit.place.clone())
        });
        let distance_m = place.map(|place| RoutePlan::new(here, &[], place.position).estimate().distance_m);
        Some(distance_m.is_some_and(|distance_m| distance_m > range_m))
    }

    fn builtin(&self, fact: Builtin, call: &PolicyQuery<'_>) -> Option<bool> {
        match fact {
            Builtin::Moving => self.number("Vehicle.Speed").map(|speed| speed > MOVING_SPEED),
            Builtin::Raining => {
                let rain = self
                    .number("Vehicle.Body.Raindetection.Intensity")
                    .map(|rain| rain > 0.0);
                let snow = self
                    .signal("Vehicle.Incar.Exterior.IsSnowing")
                    .and_then(|snow| snow.as_bool());
                match (rain, snow) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    (None, None) => None,
                }
            }
            Builtin::Dark => self
                .number("Vehicle.Exterior.LightIntensity")
                .map(|light| light < DARK_BELOW),
            Builtin::BuiltUp => self
                .number("Vehicle.Incar.SpeedLimit")
                .map(|limit| limit <= BUILT_UP_LIMIT),
            Builtin::OpensFurther => self.opens_further(call),
            Builtin::TemperatureGap => self.temperature_gap(call),
            Builtin::DriverSeat => Some(self.spots(call, "seat").contains(&Spot::Driver)),
            Builtin::Rear => Some(["window", "door"].iter().any(|argument| {
                let behind = |spot: &Spot| !matches!(spot, Spot::Driver | Spot::Passenger);
                self.spots(call, argument).iter().any(behind)
            })),
            Builtin::DriverSeesScreen => match text(call, "screen") {
                Some("rear" | "passenger") => Some(false),
                None if call.stage == QueryStage::Question => None,
                Some(_) | None => Some(true),
            },
            Builtin::EmergencyNumber => Some(["number", "contact"].iter().any(|argument| {
                text(call, argument).is_some_and(|called| EMERGENCY.iter().any(|(number, _)| digits(called) == *number))
            })),
            Builtin::SaidPlainly => Some(said_plainly(call)),
            Builtin::BeyondRange => self.beyond_range(call),
        }
    }

    fn spots(&self, call: &PolicyQuery<'_>, argument: &str) -> &'static [Spot] {
        position(call, argument).map_or(&[], |position| position.spots(self.car.layout()))
    }

    /// Whether a part that the call moves then stands further open than now.
    fn opens_further(&self, call: &PolicyQuery<'_>) -> Option<bool> {
        let Some(to) = call.arguments.get("percentage").and_then(Value::as_f64) else {
            return Some(text(call, "action") == Some("open"));
        };
        let parts: Vec<String> = match call.tool.name.as_ref() {
            "control_window" => {
                let windows = self
                    .car
                    .parts(signals::WINDOW, position(call, "window").unwrap_or(Position::All));
                windows.into_iter().map(|window| window.signal).collect()
            }
            "control_trunk" if text(call, "trunk") == Some("front") => vec![signals::TRUNK_FRONT.to_owned()],
            "control_trunk" => vec![signals::TRUNK_REAR.to_owned()],
            "control_sunroof" => vec![signals::SUNROOF.to_owned()],
            _ => return None,
        };
        if parts.is_empty() {
            return None;
        }
        let known: Option<Vec<f64>> = parts.iter().map(|part| self.number(part)).collect();
        Some(known?.into_iter().any(|at| to > at))
    }

    /// Whether the zone that the call sets then differs from another by more than the bound.
    fn temperature_gap(&self, call: &PolicyQuery<'_>) -> Option<bool> {
        let Some(to) = call.arguments.get("temperature").and_then(Value::as_f64) else {
            return Some(false);
        };
        let zone = position(call, "zone").or_else(|| Position::of_seat(call.speaker.seat))?;
        let own = self.car.parts(signals::ZONE_TEMPERATURE, zone);
        let others = self.car.parts(signals::ZONE_TEMPERATURE, Position::All);
        let is_other = |signal: &str| own.iter().all(|part| part.signal != signal);
        Some(
            others
                .iter()
                .filter(|part| is_other(&part.signal))
                .filter_map(|part| self.number(&part.signal))
                .any(|other| (to - other).abs() > TEMPERATURE_GAP),
        )
    }
}

#[derive(Debug, Clone, Copy)]
enum Builtin {
    Moving,
    Raining,
    Dark,
    BuiltUp,
    OpensFurther,
    TemperatureGap,
    DriverSeat,
    Rear,
    DriverSeesScreen,
    EmergencyNumber,
    SaidPlainly,
    BeyondRange,
}

impl Builtin {
    const ALL: [(&str, Self); 12] = [
        ("moving", Self::Moving),
        ("raining", Self::Raining),
        ("dark", Self::Dark),
        ("built_up", Self::BuiltUp),
        ("opens_further", Self::OpensFurther),
        ("temperature_gap", Self::TemperatureGap),
        ("driver_seat", Self::DriverSeat),
        ("rear", Self::Rear),
        ("driver_sees_screen", Self::DriverSeesScreen),
        ("emergency_number", Self::EmergencyNumber),
        ("said_plainly", Self::SaidPlainly),
        ("beyond_range", Self::BeyondRange),
    ];

    fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|(known, _)| *known == name)
            .map(|(_, fact)| fact)
    }
}

/// Emergency numbers, and the words that ask for each plainly.
const EMERGENCY: [(&str, &[&str]); 6] = [
    ("110", &["报警", "警察", "police"]),
    ("119", &["火警", "消防", "fire brigade", "fire department"]),
    ("120", &["急救", "救护车", "ambulance"]),
    ("122", &["交通事故报警", "交警"]),
    ("112", &["emergency", "紧急"]),
    ("911", &["emergency", "紧急"]),
];

fn said_plainly(call: &PolicyQuery<'_>) -> bool {
    let said = call.utterance.to_lowercase();
    let called = ["number", "contact"]
        .iter()
        .find_map(|argument| text(call, argument))
        .map(digits)
        .unwrap_or_default();
    let names_it = !called.is_empty() && digits(&said).contains(&called);
    let general = ["emergency", "报警", "急救"].iter().any(|word| said.contains(word));
    let service = EMERGENCY
        .iter()
        .any(|(number, words)| *number == called && words.iter().any(|word| said.contains(word)));
    names_it || general || service
}

/// The digits of a text, Chinese ones too ("幺二零").
fn digits(text: &str) -> String {
    let digit = |c: char| match c {
        '0'..='9' => Some(c),
        '零' | '〇' => Some('0'),
        '一' | '幺' => Some('1'),
        '二' => Some('2'),
        '三' => Some('3'),
        '四' => Some('4'),
        '五' => Some('5'),
        '六' => Some('6'),
        '七' => Some('7'),
        '八' => Some('8'),
        '九' => Some('9'),
        _ => None,
    };
    text.chars().filter_map(digit).collect()
}

fn text<'a>(call: &PolicyQuery<'a>, argument: &str) -> Option<&'a str> {
    call.arguments.get(argument).and_then(Value::as_str)
}

fn position(call: &PolicyQuery<'_>, argument: &str) -> Option<Position> {
    Position::deserialize(call.arguments.get(argument)?).ok()
}
