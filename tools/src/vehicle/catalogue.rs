//! The catalogue of signals: what each is, what it may be, and how the simulated car starts and moves it.

use super::{SignalValue, VehicleError};
use crate::features::{FeatureCatalogue, Power};
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// What a signal is.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct SignalInfo {
    /// Its name, as the Vehicle Signal Specification writes it.
    pub name: String,
    /// Whether it is measured, moved or fixed.
    pub kind: SignalKind,
    /// The type of its values.
    pub datatype: DataType,
    /// The unit of its numbers.
    pub unit: Option<String>,
    /// Its lowest value.
    pub min: Option<f64>,
    /// Its highest value.
    pub max: Option<f64>,
    /// The names or numbers it may have, numbers written out; empty where any will do.
    pub allowed: Vec<String>,
}

/// Whether a signal is measured, moved or fixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SignalKind {
    /// Measured: it can be read.
    Sensor,
    /// It can be read and moved.
    Actuator,
    /// Fixed for the life of the car.
    Attribute,
}

/// The type of a signal's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum DataType {
    /// True or false.
    Boolean,
    /// 0 to 255.
    Uint8,
    /// -128 to 127.
    Int8,
    /// 0 to 65,535.
    Uint16,
    /// -32,768 to 32,767.
    Int16,
    /// 0 to 4,294,967,295.
    Uint32,
    /// -2,147,483,648 to 2,147,483,647.
    Int32,
    /// From 0; exact up to 2^53.
    Uint64,
    /// Exact from -2^53 to 2^53.
    Int64,
    /// A number with a fraction.
    Float,
    /// A number with a fraction, in double precision.
    Double,
    /// A text.
    String,
}

/// The largest whole number that a float of 64 bits holds together with all below it.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl DataType {
    /// The bounds of an integer type.
    fn integer_range(self) -> Option<(f64, f64)> {
        match self {
            Self::Uint8 => Some((0.0, f64::from(u8::MAX))),
            Self::Int8 => Some((f64::from(i8::MIN), f64::from(i8::MAX))),
            Self::Uint16 => Some((0.0, f64::from(u16::MAX))),
            Self::Int16 => Some((f64::from(i16::MIN), f64::from(i16::MAX))),
            Self::Uint32 => Some((0.0, f64::from(u32::MAX))),
            Self::Int32 => Some((f64::from(i32::MIN), f64::from(i32::MAX))),
            Self::Uint64 => Some((0.0, EXACT)),
            Self::Int64 => Some((-EXACT, EXACT)),
            Self::Boolean | Self::Float | Self::Double | Self::String => None,
        }
    }

    /// Whether its values are whole numbers.
    pub fn is_integer(self) -> bool {
        self.integer_range().is_some()
    }
}

impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Boolean => "boolean",
            Self::Uint8 => "uint8",
            Self::Int8 => "int8",
            Self::Uint16 => "uint16",
            Self::Int16 => "int16",
            Self::Uint32 => "uint32",
            Self::Int32 => "int32",
            Self::Uint64 => "uint64",
            Self::Int64 => "int64",
            Self::Float => "float",
            Self::Double => "double",
            Self::String => "string",
        })
    }
}

impl SignalInfo {
    /// A signal without unit, bounds or a list of what it may be: these are set on its fields.
    pub fn new(name: impl Into<String>, kind: SignalKind, datatype: DataType) -> Self {
        Self {
            name: name.into(),
            kind,
            datatype,
            unit: None,
            min: None,
            max: None,
            allowed: Vec::new(),
        }
    }

    /// The lowest and highest value of a number: the signal's own, within its type's.
    pub fn range(&self) -> (f64, f64) {
        let (low, high) = self
            .datatype
            .integer_range()
            .unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        (
            self.min.map_or(low, |min| min.max(low)),
            self.max.map_or(high, |max| max.min(high)),
        )
    }

    /// Checks that the signal may have `value`.
    ///
    /// # Errors
    /// [`VehicleError::WrongType`], [`VehicleError::OutOfRange`] or [`VehicleError::NotAllowed`].
    pub fn check(&self, value: &SignalValue) -> Result<(), VehicleError> {
        let wrong_type = || VehicleError::WrongType {
            signal: self.name.clone(),
            expected: self.datatype,
            value: value.clone(),
        };
        let listed = |value: String| {
            if self.allowed.is_empty() || self.allowed.contains(&value) {
                Ok(())
            } else {
                Err(VehicleError::NotAllowed {
                    signal: self.name.clone(),
                    allowed: self.allowed.clone(),
                    value,
                })
            }
        };
        match (self.datatype, value) {
            (DataType::Boolean, SignalValue::Bool(_)) => Ok(()),
            (DataType::String, SignalValue::Text(text)) => listed(text.clone()),
            (DataType::Boolean | DataType::String, _) | (_, SignalValue::Bool(_) | SignalValue::Text(_)) => {
                Err(wrong_type())
            }
            (datatype, SignalValue::Number(number)) => {
                let (min, max) = self.range();
                if !number.is_finite() || (datatype.is_integer() && number.fract() != 0.0) {
                    Err(wrong_type())
                } else if (min..=max).contains(number) {
                    listed(number.to_string())
                } else {
                    Err(VehicleError::OutOfRange {
                        signal: self.name.clone(),
                        min,
                        max,
                        value: *number,
                    })
                }
            }
        }
    }
}

/// A signal as the simulated car knows it.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) info: Arc<SignalInfo>,
    pub(super) default: SignalValue,
    /// How long the whole range takes; zero for what switches.
    pub(super) travel: Duration,
    pub(super) link: Link,
}

impl Entry {
    /// A boolean that can be set.
    fn switch(name: &str, on: bool) -> Self {
        Self {
            info: Arc::new(SignalInfo::new(name, SignalKind::Actuator, DataType::Boolean)),
            default: SignalValue::Bool(on),
            travel: Duration::ZERO,
            link: Link::None,
        }
    }
}

/// How a signal hangs on another, by the other's index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// It stands for itself.
    None,
    /// It is true while the other is above 0; set, it sends the other to one of its ends.
    Opens(usize),
    /// It is the other under a second name.
    Same(usize),
}

/// The signals of a car, by name.
#[derive(Debug, Clone)]
pub struct Catalogue {
    entries: Vec<Entry>,
    index: HashMap<String, usize>,
}

/// A catalogue that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CatalogueError {
    /// It is no catalogue in TOML.
    #[error("the signal catalogue cannot be read: {0}")]
    Syntax(String),
    /// Two lines name the same signal.
    #[error("the signal `{0}` stands in the catalogue twice")]
    Twice(String),
    /// A signal's default is none of its values.
    #[error("the default of `{signal}` cannot be: {problem}")]
    Default {
        /// The signal.
        signal: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A signal hangs on one that is not there.
    #[error("`{signal}` hangs on `{other}`, which is not in the catalogue")]
    Link {
        /// The signal.
        signal: String,
        /// What it names.
        other: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    kind: SignalKind,
    r#type: DataType,
    unit: Option<String>,
    min: Option<f64>,
    max: Option<f64>,
    #[serde(default)]
    allowed: Vec<String>,
    default: SignalValue,
    #[serde(default)]
    travel: f64,
    opens: Option<String>,
    same: Option<String>,
}

impl Catalogue {
    /// The catalogue that ships with incar: the signals of its file, and a switch for each function of
    /// [`FeatureCatalogue`] that has none there.
    ///
    /// # Errors
    /// None with the files as shipped; a test holds that.
    pub fn shipped() -> Result<Self, CatalogueError> {
        let features = FeatureCatalogue::shared().map_err(|error| CatalogueError::Syntax(error.to_string()))?;
        Self::from_toml(include_str!("../../data/vehicle/signals.toml"))?.with_features(&features)
    }

    fn with_features(mut self, features: &FeatureCatalogue) -> Result<Self, CatalogueError> {
        for feature in features.features() {
            for signal in &feature.signals {
                if self.position(signal).is_none() {
                    self.add(Entry::switch(signal, feature.default == Power::On))?;
                }
            }
        }
        Ok(self)
    }

    /// Reads a catalogue: one line a signal, as the head of the shipped file says.
    ///
    /// # Errors
    /// [`CatalogueError`] that names the signal.
    pub fn from_toml(text: &str) -> Result<Self, CatalogueError> {
        let lines: BTreeMap<String, Line> =
            toml::from_str(text).map_err(|error| CatalogueError::Syntax(error.to_string()))?;
        let mut catalogue = Self {
            entries: Vec::new(),
            index: HashMap::new(),
        };
        let mut links = Vec::new();
        for (pattern, line) in &lines {
            for name in expand(pattern) {
                if let Some(other) = line.link(&name) {
                    links.push((catalogue.entries.len(), other));
                }
                catalogue.add(line.entry(name)?)?;
            }
        }
        for (from, (other, link)) in links {
            let to = catalogue.position(&other);
            if let Some(entry) = catalogue.entries.get_mut(from) {
                entry.link = link(to.ok_or_else(|| CatalogueError::Link {
                    signal: entry.info.name.clone(),
                    other,
                })?);
            }
        }
        Ok(catalogue)
    }

    /// The same catalogue with more signals, each with the value that it starts with; one that is there stays as it is.
    ///
    /// # Errors
    /// [`CatalogueError::Default`] where a signal cannot have its value.
    pub fn with_signals(
        mut self,
        signals: impl IntoIterator<Item = (SignalInfo, SignalValue)>,
    ) -> Result<Self, CatalogueError> {
        for (info, default) in signals {
            if self.position(&info.name).is_some() {
                continue;
            }
            info.check(&default).map_err(|error| CatalogueError::Default {
                signal: info.name.clone(),
                problem: error.to_string(),
            })?;
            self.add(Entry {
                info: info.into(),
                default,
                travel: Duration::ZERO,
                link: Link::None,
            })?;
        }
        Ok(self)
    }

    fn add(&mut self, entry: Entry) -> Result<(), CatalogueError> {
        let name = entry.info.name.clone();
        if self.index.insert(name.clone(), self.entries.len()).is_some() {
            return Err(CatalogueError::Twice(name));
        }
        self.entries.push(entry);
        Ok(())
    }

    /// What `signal` is.
    pub fn info(&self, signal: &str) -> Option<&Arc<SignalInfo>> {
        self.position(signal)
            .and_then(|index| self.entries.get(index))
            .map(|entry| &entry.info)
    }

    /// All signals.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<SignalInfo>> {
        self.entries.iter().map(|entry| &entry.info)
    }

    pub(super) fn position(&self, signal: &str) -> Option<usize> {
        self.index.get(signal).copied()
    }

    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }
}

type Linked = (String, fn(usize) -> Link);

impl Line {
    /// The name of the signal that `name` hangs on, and how.
    fn link(&self, name: &str) -> Option<Linked> {
        if let Some(sibling) = &self.opens {
            let branch = name.rsplit_once('.').map_or("", |(branch, _)| branch);
            return Some((format!("{branch}.{sibling}"), Link::Opens));
        }
        self.same.clone().map(|other| (other, Link::Same as fn(usize) -> Link))
    }

    fn entry(&self, name: String) -> Result<Entry, CatalogueError> {
        let info = SignalInfo {
            name,
            kind: self.kind,
            datatype: self.r#type,
            unit: self.unit.clone(),
            min: self.min,
            max: self.max,
            allowed: self.allowed.clone(),
        };
        let default_error = |problem: String| CatalogueError::Default {
            signal: info.name.clone(),
            problem,
        };
        info.check(&self.default)
            .map_err(|error| default_error(error.to_string()))?;
        let travel = Duration::try_from_secs_f64(self.travel).map_err(|error| default_error(error.to_string()))?;
        Ok(Entry {
            default: self.default.clone(),
            travel,
            link: Link::None,
            info: Arc::new(info),
        })
    }
}

/// `a.{b,c}.d` stands for `a.b.d` and `a.c.d`.
pub fn expand(pattern: &str) -> Vec<String> {
    let Some((head, (choices, tail))) = pattern
        .split_once('{')
        .and_then(|(head, rest)| rest.split_once('}').map(|split| (head, split)))
    else {
        return vec![pattern.to_owned()];
    };
    let tails = expand(tail);
    choices
        .split(',')
        .flat_map(|choice| tails.iter().map(move |tail| format!("{head}{choice}{tail}")))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_catalogue_is_sound() {
        let catalogue = Catalogue::shipped().unwrap();
        assert!(catalogue.iter().count() > 300);
        for info in catalogue.iter() {
            let (min, max) = info.range();
            assert!(min < max, "{}", info.name);
            assert!(info.name.starts_with("Vehicle."), "{}", info.name);
        }
    }

    #[test]
    fn a_pattern_stands_for_each_of_its_signals() {
        assert_eq!(expand("a.{b,c}.{d,e}"), ["a.b.d", "a.b.e", "a.c.d", "a.c.e"]);
        assert_eq!(expand("a.b"), ["a.b"]);
    }

    #[test]
    fn a_fault_in_a_catalogue_names_the_signal() {
        let check = |text: &str, wanted: &str| {
            let error = Catalogue::from_toml(text).unwrap_err().to_string();
            assert!(error.contains(wanted), "{text}: {error}");
        };
        check(
            r#""A" = { kind = "motor", type = "uint8", default = 0 }"#,
            "unknown variant `motor`",
        );
        check(r#""A" = { kind = "sensor", type = "uint8", default = 300 }"#, "`A`");
        check(r#""A" = { kind = "sensor", type = "uint8", default = "x" }"#, "`A`");
        check(
            r#""A.B" = { kind = "sensor", type = "boolean", default = false, opens = "C" }"#,
            "`A.C`",
        );
        check(
            r#""{A,A}" = { kind = "sensor", type = "uint8", default = 0 }"#,
            "`A` stands in the catalogue twice",
        );
        check(
            r#""A" = { kind = "sensor", type = "uint8", default = 0, traval = 3 }"#,
            "traval",
        );
    }
}
