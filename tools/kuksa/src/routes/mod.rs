//! Where the tools' signals are in a car: the shipped table for plain VSS, and a maker's overlay before it.

use incar_tools::vehicle::{DataType, SignalInfo, SignalKind, SignalValue};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The table that ships with incar.
const VSS: &str = include_str!("../../data/vss.toml");

/// A maker's own signals: lines as in the shipped table `data/vss.toml`, which says what each field means.
///
/// ```
/// use incar_kuksa::Overlay;
///
/// let overlay = Overlay::from_toml(
///     r#"
///     "Vehicle.Cabin.HVAC.Station.Row1.{Driver,Passenger}.FanSpeed" = { path = "Vehicle.Acme.Fan.{Left,Right}", factor = 0.05 }
///     "Vehicle.Incar.Fragrance.IsActive" = { absent = true }
///     "#,
/// )?;
/// # Ok::<(), incar_kuksa::OverlayError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Overlay(BTreeMap<String, Route>);

/// An overlay that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OverlayError {
    /// It is no table of signals in TOML.
    #[error("the signal overlay cannot be read: {0}")]
    Syntax(String),
    /// Two lines are about one signal.
    #[error("the signal `{0}` stands in the overlay twice")]
    Twice(String),
    /// The `{a,b}` of the two sides do not pair.
    #[error("`{path}` stands for another number of signals than `{signal}`")]
    Pairs {
        /// The line.
        signal: String,
        /// Its path.
        path: String,
    },
    /// A field is of no use there.
    #[error("`{signal}`: {problem}")]
    Line {
        /// The line.
        signal: String,
        /// What is wrong with it, and what to do.
        problem: &'static str,
    },
}

/// A line of the table.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Route {
    path: Option<String>,
    names: BTreeMap<String, String>,
    factor: Option<f64>,
    plus: Option<f64>,
    min: Option<f64>,
    max: Option<f64>,
    unit: Option<String>,
    switch: Option<String>,
    to: BTreeMap<String, String>,
    stop: Option<String>,
    absent: bool,
}

impl Overlay {
    /// Reads an overlay.
    ///
    /// # Errors
    /// [`OverlayError`] that names the line.
    pub fn from_toml(text: &str) -> Result<Self, OverlayError> {
        let lines: BTreeMap<String, Route> =
            toml::from_str(text).map_err(|error| OverlayError::Syntax(error.to_string()))?;
        let mut routes = BTreeMap::new();
        for (pattern, route) in lines {
            route.check(&pattern)?;
            let names = expand(&pattern);
            let mut paths = route.path.as_deref().map(expand).unwrap_or_default();
            if paths.len() == 1 {
                paths.resize_with(names.len(), || route.path.clone().unwrap_or_default());
            }
            if !paths.is_empty() && paths.len() != names.len() {
                let path = route.path.unwrap_or_default();
                return Err(OverlayError::Pairs { signal: pattern, path });
            }
            let mut paths = paths.into_iter();
            for name in names {
                let own = Route {
                    path: paths.next(),
                    ..route.clone()
                };
                if routes.insert(name.clone(), own).is_some() {
                    return Err(OverlayError::Twice(name));
                }
            }
        }
        Ok(Self(routes))
    }

    /// The table that ships with incar.
    pub(crate) fn shipped() -> Result<Self, OverlayError> {
        Self::from_toml(VSS)
    }

    /// The roots of all that it names in a car.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        self.0
            .values()
            .flat_map(|route| [route.path.as_deref(), route.switch.as_deref()])
            .flatten()
    }

    /// The switches it names, by the signals they move.
    #[cfg(feature = "server")]
    pub(crate) fn switches(&self) -> impl Iterator<Item = (&str, Switch)> {
        self.0
            .iter()
            .filter_map(|(name, route)| Some((name.as_str(), route.switch()?)))
    }

    /// Where `signal` is in a car whose broker knows `known`: by the overlay, under its own name, by the shipped table.
    /// `None` where the car has nothing of the kind.
    pub(crate) fn resolve(
        &self,
        shipped: &Self,
        signal: &str,
        known: &impl Fn(&str) -> Option<Arc<SignalInfo>>,
    ) -> Option<Place> {
        if let Some(route) = self.0.get(signal) {
            return route.place(signal, known);
        }
        let plain = Route::default();
        let same = plain.place(signal, known);
        let is_whole = |place: &Place| place.info.kind == SignalKind::Actuator;
        match (same, shipped.0.get(signal)) {
            (Some(place), Some(route)) if !is_whole(&place) => route.place(signal, known).or(Some(place)),
            (Some(place), _) => Some(place),
            (None, Some(route)) => route.place(signal, known),
            (None, None) => None,
        }
    }
}

impl Route {
    fn check(&self, signal: &str) -> Result<(), OverlayError> {
        let wrong = |problem| {
            Err(OverlayError::Line {
                signal: signal.to_owned(),
                problem,
            })
        };
        let linear = self.factor.is_some() || self.plus.is_some();
        if self.factor == Some(0.0) || [self.factor, self.plus].iter().flatten().any(|n| !n.is_finite()) {
            return wrong("`factor` and `plus` are numbers, and `factor` is not 0");
        }
        if linear && !self.names.is_empty() {
            return wrong("`names` is for texts and `factor` for numbers: one of them has to go");
        }
        if self.switch.is_some() == self.to.is_empty() {
            return wrong("`switch` and `to` go together: which signal, and what it is set to");
        }
        if self.stop.is_some() && self.switch.is_none() {
            return wrong("`stop` needs a `switch`");
        }
        if self.to.keys().any(|target| target.parse::<f64>().is_err()) {
            return wrong("the left sides of `to` are numbers");
        }
        if self.min.zip(self.max).is_some_and(|(min, max)| min > max) {
            return wrong("`min` is above `max`");
        }
        Ok(())
    }

    fn switch(&self) -> Option<Switch> {
        let number = |target: &String| target.parse().ok();
        Some(Switch {
            path: self.switch.clone()?,
            to: self
                .to
                .iter()
                .filter_map(|(target, word)| Some((number(target)?, word.clone())))
                .collect(),
            stop: self.stop.clone(),
        })
    }

    fn convert(&self) -> Convert {
        if !self.names.is_empty() {
            Convert::Names(self.names.clone().into_iter().collect())
        } else if self.factor.is_some() || self.plus.is_some() {
            Convert::Linear {
                factor: self.factor.unwrap_or(1.0),
                plus: self.plus.unwrap_or(0.0),
            }
        } else {
            Convert::Same
        }
    }

    fn place(&self, signal: &str, known: &impl Fn(&str) -> Option<Arc<SignalInfo>>) -> Option<Place> {
        if self.absent {
            return None;
        }
        let path = self.path.as_deref().unwrap_or(signal);
        let car = known(path)?;
        let convert = self.convert();
        let mut info = SignalInfo::clone(&car);
        info.name = signal.to_owned();
        info.min = self.min.or_else(|| convert.number_back(car.min));
        info.max = self.max.or_else(|| convert.number_back(car.max));
        if let (Some(min), Some(max)) = (info.min, info.max)
            && min > max
        {
            // A negative factor turns the scale round.
            (info.min, info.max) = (Some(max), Some(min));
        }
        info.unit = self.unit.clone().or(info.unit);
        match &convert {
            Convert::Same => {}
            Convert::Linear { .. } => {
                info.datatype = DataType::Double;
                info.allowed = Vec::new();
            }
            Convert::Names(names) => {
                let has = |car_name: &String| car.allowed.is_empty() || car.allowed.contains(car_name);
                info.datatype = DataType::String;
                info.allowed = names
                    .iter()
                    .filter(|(_, theirs)| has(theirs))
                    .map(|(own, _)| own.clone())
                    .collect();
            }
        }
        let switch = match self.switch() {
            None => None,
            Some(switch) => {
                let moves = known(&switch.path)?;
                info.kind = SignalKind::Actuator;
                let obeyed = switch
                    .to
                    .iter()
                    .filter(|(_, word)| moves.check(&SignalValue::from(word.as_str())).is_ok());
                info.allowed = obeyed.map(|(target, _)| target.to_string()).collect();
                Some(switch)
            }
        };
        Some(Place {
            info: Arc::new(info),
            path: path.to_owned(),
            car,
            convert,
            switch,
        })
    }
}

/// A signal that another one moves.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Switch {
    /// The signal that moves it.
    pub(crate) path: String,
    /// What that is set to, by where the part then goes.
    pub(crate) to: Vec<(f64, String)>,
    /// What it is set to so that the part stops.
    pub(crate) stop: Option<String>,
}

impl Switch {
    /// What the switch is set to so that the part goes to `target`.
    pub(crate) fn word(&self, target: f64) -> Option<&str> {
        let found = self.to.iter().find(|(to, _)| *to == target);
        found.map(|(_, word)| word.as_str())
    }
}

/// How a value of the car is read.
#[derive(Debug, Clone, PartialEq)]
enum Convert {
    /// As it is.
    Same,
    /// The car's number is incar's times `factor` and `plus`.
    Linear { factor: f64, plus: f64 },
    /// By other names: incar's, the car's.
    Names(Vec<(String, String)>),
}

impl Convert {
    fn number_back(&self, number: Option<f64>) -> Option<f64> {
        match self {
            Self::Linear { factor, plus } => number.map(|number| (number - plus) / factor),
            Self::Same | Self::Names(_) => number,
        }
    }
}

/// Where one of the tools' signals is in this car.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// What it is to the tools.
    pub(crate) info: Arc<SignalInfo>,
    /// The car's name for it.
    pub(crate) path: String,
    /// What it is to the car.
    pub(crate) car: Arc<SignalInfo>,
    pub(crate) switch: Option<Switch>,
    convert: Convert,
}

impl Place {
    /// The car's value as the tools read it; `None` where it is none that the signal can have.
    pub(crate) fn read(&self, value: SignalValue) -> Option<SignalValue> {
        self.car.check(&value).ok()?;
        Some(match (&self.convert, &value) {
            (Convert::Linear { .. }, SignalValue::Number(number)) => {
                SignalValue::Number(tidy(self.convert.number_back(Some(*number))?))
            }
            (Convert::Names(names), SignalValue::Text(text)) => {
                let found = names.iter().find(|(_, theirs)| theirs == text);
                // A name that incar has none for is still what the car says.
                SignalValue::Text(found.map_or_else(|| text.clone(), |(own, _)| own.clone()))
            }
            _ => value,
        })
    }

    /// A value of the tools as the car takes it; `None` where the car has no such value.
    pub(crate) fn write(&self, value: &SignalValue) -> Option<SignalValue> {
        Some(match (&self.convert, value) {
            (Convert::Linear { factor, plus }, SignalValue::Number(number)) => {
                let number = number * factor + plus;
                let whole = self.car.datatype.is_integer();
                SignalValue::Number(if whole { number.round() } else { tidy(number) })
            }
            (Convert::Names(names), SignalValue::Text(text)) => {
                let (_, theirs) = names.iter().find(|(own, _)| own == text)?;
                SignalValue::Text(theirs.clone())
            }
            _ => value.clone(),
        })
    }
}

/// Without the noise of a division.
fn tidy(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

/// `a.{b,c}` stands for `a.b` and `a.c`.
fn expand(pattern: &str) -> Vec<String> {
    incar_tools::vehicle::expand_pattern(pattern)
}

#[cfg(test)]
mod tests;
