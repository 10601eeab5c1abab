//! The car functions that `set_vehicle_feature` switches by name, and (in [`PageCatalogue`]) the head unit's pages.

mod pages;

use serde::{Deserialize, Serialize};
use std::sync::{Arc, LazyLock};

pub use self::pages::{Page, PageCatalogue};
use crate::data_file::{DataError, DataProblem, Owners};
use crate::names::{Fit, NameIndex, Partial, Role};

const FILE: &str = "features.toml";

/// A switchable function of the car.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Feature {
    /// Its id.
    pub id: String,
    /// Chinese names, the one to speak first; never empty.
    pub zh: Vec<String>,
    /// English names, the one to speak first; never empty.
    pub en: Vec<String>,
    /// The boolean signals that are written, all alike; never empty.
    pub signals: Vec<String>,
    /// The state after a reset.
    pub default: Power,
    /// Whether switching it off takes away a protection.
    #[serde(default)]
    pub off_is_unsafe: bool,
}

/// On or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Power {
    /// On.
    On,
    /// Off.
    Off,
}

/// What a spoken name led to: never empty; several where it fits several equally.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lookup<'a, T> {
    /// How it fitted.
    pub fit: Fit,
    /// What it fits, in the order of the data file.
    pub entries: Vec<&'a T>,
}

/// Every feature there is.
///
/// ```
/// use incar_tools::features::FeatureCatalogue;
///
/// let features = FeatureCatalogue::embedded()?;
/// let found = features.lookup("无线热点").unwrap();
/// assert_eq!(found.entries[0].id, "wifi_hotspot");
/// assert!(features.lookup("火箭助推器").is_none());
/// # Ok::<(), incar_tools::DataError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FeatureCatalogue {
    features: Vec<Feature>,
    names: NameIndex<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    feature: Vec<Feature>,
}

impl FeatureCatalogue {
    /// The catalogue that ships with the crate.
    ///
    /// # Errors
    /// [`DataError`] where the data file is at fault; the crate's tests hold that it is not.
    pub fn embedded() -> Result<Self, DataError> {
        Self::parse(include_str!("../data/features.toml"))
    }

    /// As [`Self::embedded`], read once for the whole process.
    pub(crate) fn shared() -> Result<Arc<Self>, DataError> {
        static SHARED: LazyLock<Result<Arc<FeatureCatalogue>, DataError>> =
            LazyLock::new(|| FeatureCatalogue::embedded().map(Arc::new));
        SHARED.clone()
    }

    /// Reads a catalogue in the format of `features.toml`.
    ///
    /// # Errors
    /// [`DataError`] names the entry and what is wrong with it: a name, id or signal used twice, a list that is empty, a
    /// signal that is no path under `Vehicle`.
    pub fn parse(text: &str) -> Result<Self, DataError> {
        let File { feature: features } = toml::from_str(text).map_err(|error| DataError::syntax(FILE, &error))?;
        let mut signals = Owners::default();
        for feature in &features {
            let at = |problem| DataError::new(FILE, &feature.id, problem);
            if feature.signals.is_empty() {
                return Err(at(DataProblem::Empty { column: "signals" }));
            }
            for signal in &feature.signals {
                if !is_path(signal) {
                    return Err(at(DataProblem::Value {
                        column: "signals",
                        value: signal.clone(),
                    }));
                }
                signals.claim(signal, &feature.id).map_err(at)?;
            }
        }
        let names = named(
            FILE,
            features.iter().map(|feature| (&feature.id, &feature.zh, &feature.en)),
        )?;
        Ok(Self { features, names })
    }

    /// All features, sorted by id.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// A feature by its id.
    pub fn feature(&self, id: &str) -> Option<&Feature> {
        self.features.iter().find(|feature| feature.id == id)
    }

    /// The features a spoken name fits: exactly, then by a part of the name or with other words about it, then nearly.
    pub fn lookup(&self, said: &str) -> Option<Lookup<'_, Feature>> {
        lookup(&self.features, &self.names, said)
    }
}

/// Whether this is a signal's path: `Vehicle.` and names of letters and digits.
fn is_path(signal: &str) -> bool {
    let is_name = |name: &str| !name.is_empty() && name.chars().all(|ch| ch.is_ascii_alphanumeric());
    signal
        .strip_prefix("Vehicle.")
        .is_some_and(|rest| rest.split('.').all(is_name))
}

/// The index of entries that have an id and names in both languages, each name of one entry only.
pub(crate) fn named<'a>(
    file: &'static str,
    entries: impl Iterator<Item = (&'a String, &'a Vec<String>, &'a Vec<String>)>,
) -> Result<NameIndex<usize>, DataError> {
    let mut names = Vec::new();
    let (mut ids, mut owners) = (Owners::default(), Owners::default());
    for (place, (id, zh, en)) in entries.enumerate() {
        let at = |problem| DataError::new(file, id, problem);
        ids.claim(id, id).map_err(at)?;
        for (column, spoken) in [("zh", zh), ("en", en)] {
            if spoken.is_empty() {
                return Err(at(DataProblem::Empty { column }));
            }
            // Both languages may use one name: CarPlay.
            for name in spoken.iter().filter(|name| column == "zh" || !zh.contains(name)) {
                owners.claim(name, id).map_err(at)?;
                names.push((place, Role::Main, name));
            }
        }
    }
    Ok(names.into_iter().collect())
}

fn lookup<'a, T>(entries: &'a [T], names: &NameIndex<usize>, said: &str) -> Option<Lookup<'a, T>> {
    let found = names.lookup(said, Partial::Anywhere)?;
    Some(Lookup {
        fit: found.fit,
        entries: found.ids.into_iter().filter_map(|place| entries.get(place)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_are_found_by_what_people_say() {
        let features = FeatureCatalogue::embedded().unwrap();
        for (said, fit, ids) in [
            ("儿童锁", Fit::Exact, vec!["child_lock"]),
            ("hotspot", Fit::Exact, vec!["wifi_hotspot"]),
            ("wi-fi hotspot", Fit::Exact, vec!["wifi_hotspot"]),
            ("WIFI", Fit::Exact, vec!["wifi"]),
            ("车上的蓝牙功能", Fit::Part, vec!["bluetooth"]),
            ("the sentry mode thing", Fit::Part, vec!["sentry_mode"]),
            ("交流充电接口", Fit::Part, vec!["charging", "charging_port_cover"]),
            ("差速锁", Fit::Part, vec!["front_diff_lock", "rear_diff_lock"]),
            ("sentri mode", Fit::Spelling, vec!["sentry_mode"]),
            ("热典", Fit::Sound, vec!["wifi_hotspot"]),
        ] {
            let found = features.lookup(said).unwrap_or_else(|| panic!("{said}"));
            let found_ids: Vec<&str> = found.entries.iter().map(|feature| feature.id.as_str()).collect();
            assert_eq!((found.fit, found_ids), (fit, ids), "{said}");
        }
        for said in ["", "火箭助推器", "flux capacitor", "的"] {
            assert!(features.lookup(said).is_none(), "{said}");
        }
    }

    #[test]
    fn the_catalogue_is_large_sorted_and_its_names_lead_back() {
        let features = FeatureCatalogue::embedded().unwrap();
        assert!(features.features().len() >= 90);
        assert!(features.features().is_sorted_by_key(|feature| &feature.id));
        for feature in features.features() {
            for name in feature.zh.iter().chain(&feature.en) {
                let found = features.lookup(name).unwrap();
                assert_eq!((found.fit, found.entries), (Fit::Exact, vec![feature]), "{name}");
            }
            assert_eq!(features.feature(&feature.id), Some(feature));
        }
        assert!(features.feature("child_lock").unwrap().off_is_unsafe);
    }

    #[test]
    fn faults_are_refused() {
        let entry = |id: &str, zh: &str, signal: &str| {
            format!(
                "[[feature]]\nid = \"{id}\"\nzh = [{zh}]\nen = [\"{id}\"]\nsignals = [{signal}]\ndefault = \"on\"\n"
            )
        };
        let good = entry("a", "\"甲\"", "\"Vehicle.A\"");
        assert!(FeatureCatalogue::parse(&good).is_ok());
        for (second, problem) in [
            (
                entry("a", "\"乙\"", "\"Vehicle.B\""),
                DataProblem::Duplicate {
                    name: "a".into(),
                    owner: "a".into(),
                },
            ),
            (
                entry("b", "\"甲\"", "\"Vehicle.B\""),
                DataProblem::Duplicate {
                    name: "甲".into(),
                    owner: "a".into(),
                },
            ),
            (
                entry("b", "\"乙\"", "\"Vehicle.A\""),
                DataProblem::Duplicate {
                    name: "Vehicle.A".into(),
                    owner: "a".into(),
                },
            ),
            (entry("b", "", "\"Vehicle.B\""), DataProblem::Empty { column: "zh" }),
            (entry("b", "\"乙\"", ""), DataProblem::Empty { column: "signals" }),
            (
                entry("b", "\"乙\"", "\"Car.B\""),
                DataProblem::Value {
                    column: "signals",
                    value: "Car.B".into(),
                },
            ),
            (
                entry("b", "\"乙\"", "\"Vehicle..B\""),
                DataProblem::Value {
                    column: "signals",
                    value: "Vehicle..B".into(),
                },
            ),
        ] {
            assert_eq!(
                FeatureCatalogue::parse(&format!("{good}{second}")).unwrap_err().problem,
                problem,
                "{second}"
            );
        }
        let wrong = good.replace("\"on\"", "\"maybe\"");
        assert!(matches!(
            FeatureCatalogue::parse(&wrong).unwrap_err().problem,
            DataProblem::Syntax(_)
        ));
    }
}
