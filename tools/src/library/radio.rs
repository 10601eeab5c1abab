//! Radio stations and frequencies.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::tags::Wanted;
use super::{Library, NotFound, StationId};
use crate::names::Partial;

/// A band of radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Band {
    /// 87–108 MHz.
    Fm,
    /// 522–1710 kHz.
    Am,
}

/// A frequency one can tune to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Tuning {
    /// The band.
    pub band: Band,
    /// The frequency in kHz, on fm too.
    pub khz: u32,
}

/// A frequency outside its band, or outside both.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[error("{frequency} is not on the radio: fm goes from 87 to 108 MHz, am from 522 to 1710 kHz")]
#[non_exhaustive]
pub struct TuningError {
    /// The frequency given.
    pub frequency: f64,
}

impl Tuning {
    /// A frequency as said: MHz on fm, kHz on am. A band not said is told by the number.
    ///
    /// # Errors
    /// [`TuningError`] where the number lies outside the band.
    pub fn new(band: Option<Band>, frequency: f64) -> Result<Self, TuningError> {
        let on_fm = (87.0..=108.0).contains(&frequency) && band != Some(Band::Am);
        let on_am = (522.0..=1710.0).contains(&frequency) && band != Some(Band::Fm);
        match (on_fm, on_am) {
            (true, _) => Ok(Self {
                band: Band::Fm,
                khz: (frequency * 100.0).round() as u32 * 10,
            }),
            (_, true) => Ok(Self {
                band: Band::Am,
                khz: frequency.round() as u32,
            }),
            (false, false) => Err(TuningError { frequency }),
        }
    }

    /// The frequency as said: MHz on fm, kHz on am.
    pub fn frequency(&self) -> f64 {
        match self.band {
            Band::Fm => f64::from(self.khz) / 1000.0,
            Band::Am => f64::from(self.khz),
        }
    }
}

impl fmt::Display for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.band {
            Band::Fm => write!(f, "FM {}", self.frequency()),
            Band::Am => write!(f, "AM {}", self.khz),
        }
    }
}

/// A radio station.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Station {
    /// Its id.
    pub id: StationId,
    /// Its name.
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// Where it is heard.
    pub tuning: Tuning,
    /// The city it is heard in.
    pub city: String,
    /// What it broadcasts: an id of `radio_tags.tsv`.
    pub genre: String,
}

/// What radio is wanted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RadioQuery {
    /// A station's name.
    pub station: Option<String>,
    /// A frequency.
    pub tuning: Option<Tuning>,
    /// A band.
    pub band: Option<Band>,
    /// What it is to broadcast.
    pub genre: Option<String>,
    /// The city the car is in: its stations come first.
    pub city: Option<String>,
}

impl Library {
    /// Finds radio stations, those of the car's city first. With nothing asked for, every station is found.
    ///
    /// A `station` that is no name may be a word for what stations broadcast, and the other way round.
    ///
    /// # Errors
    /// [`NotFound`] says which part was not found. A frequency without a known station can still be tuned to.
    pub fn find_stations(&self, query: &RadioQuery) -> Result<Vec<StationId>, NotFound> {
        let mut stations: Vec<&Station> = self.stations.iter().collect();
        if let Some(band) = query.band {
            stations.retain(|station| station.tuning.band == band);
        }
        if let Some(tuning) = query.tuning {
            stations.retain(|station| station.tuning == tuning);
            if stations.is_empty() {
                return Err(NotFound::NoStationOn {
                    frequency: tuning.to_string(),
                });
            }
        }
        for said in [&query.station, &query.genre].into_iter().flatten() {
            stations = self.stations_called(said, &stations)?;
        }
        if stations.is_empty() {
            return Err(NotFound::NothingFitsAll);
        }
        let is_elsewhere = |station: &&Station| query.city.as_ref().is_some_and(|city| *city != station.city);
        stations.sort_by_key(is_elsewhere);
        Ok(stations.into_iter().map(|station| station.id).collect())
    }

    /// The stations among these that what was said names, or whose programme it describes.
    fn stations_called<'a>(&self, said: &str, among: &[&'a Station]) -> Result<Vec<&'a Station>, NotFound> {
        let is_among = |id: &StationId| among.iter().any(|station| station.id == *id);
        let named = |partial| self.station_names.lookup_among(said, partial, is_among);
        let with = |ids: &[StationId]| {
            among
                .iter()
                .copied()
                .filter(|station| ids.contains(&station.id))
                .collect()
        };
        if let Some(found) = self
            .station_names
            .exact(said)
            .filter(|found| found.ids.iter().any(is_among))
        {
            return Ok(with(&found.ids));
        }
        let wanted = self.radio_tags.resolve(said);
        let is_whole = self.radio_tags.is_word(said);
        let genre = |station: &&Station| {
            wanted
                .iter()
                .all(|wanted| matches!(wanted, Wanted::Tag(tag) if tag.covers(&station.genre)))
        };
        if !is_whole && let Some(found) = named(Partial::Anywhere) {
            return Ok(with(&found.ids));
        }
        if wanted.is_empty() {
            return Err(NotFound::UnknownStation { said: said.to_owned() });
        }
        Ok(among.iter().copied().filter(genre).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stations(query: RadioQuery) -> Result<Vec<String>, NotFound> {
        let library = Library::shared();
        let ids = library.find_stations(&query)?;
        Ok(ids
            .iter()
            .map(|id| library.station(*id).unwrap().name.clone())
            .collect())
    }

    #[test]
    fn stations_are_found_by_name() {
        for (said, first) in [
            ("北京音乐广播", "北京音乐广播"),
            ("北京交通台", "北京交通广播"),
            ("beijing traffic radio", "北京交通广播"),
            ("Hit FM", "国际流行音乐广播"),
            ("怀集音乐之声", "音乐之声"),
            ("bbc radio four", "BBC Radio 4"),
            ("clasic fm", "Classic FM"),
            ("北京新文广播", "北京新闻广播"),
        ] {
            let query = RadioQuery {
                station: Some(said.into()),
                ..RadioQuery::default()
            };
            assert_eq!(stations(query).unwrap()[0], first, "{said}");
        }
        let query = RadioQuery {
            station: Some("火星之声二台".into()),
            ..RadioQuery::default()
        };
        assert!(matches!(stations(query), Err(NotFound::UnknownStation { .. })));
    }

    #[test]
    fn the_cars_city_comes_first() {
        let query = |city: &str| RadioQuery {
            genre: Some("路况".into()),
            city: Some(city.into()),
            ..RadioQuery::default()
        };
        assert_eq!(stations(query("北京")).unwrap()[0], "中国交通广播");
        assert_eq!(stations(query("深圳")).unwrap()[0], "深圳交通广播");
    }

    #[test]
    fn frequencies_are_found_in_the_cars_city_first() {
        let on = |band, frequency, city: &str| {
            let tuning = Tuning::new(band, frequency).unwrap();
            stations(RadioQuery {
                tuning: Some(tuning),
                city: Some(city.into()),
                ..RadioQuery::default()
            })
        };
        assert_eq!(on(None, 97.4, "北京").unwrap()[0], "北京音乐广播");
        assert_eq!(on(Some(Band::Fm), 97.4, "广州").unwrap()[0], "广东珠江经济台");
        assert_eq!(on(Some(Band::Am), 720.0, "北京").unwrap(), ["WGN Radio"]);
        assert_eq!(
            on(None, 87.9, "北京"),
            Err(NotFound::NoStationOn {
                frequency: "FM 87.9".into()
            })
        );
    }

    #[test]
    fn a_number_outside_the_bands_is_refused() {
        for (band, frequency) in [
            (None, 86.9),
            (None, 300.0),
            (Some(Band::Am), 97.4),
            (Some(Band::Fm), 720.0),
            (None, f64::NAN),
        ] {
            assert!(Tuning::new(band, frequency).is_err(), "{band:?} {frequency}");
        }
        assert_eq!(Tuning::new(None, 108.0).unwrap().band, Band::Fm);
        assert_eq!(Tuning::new(None, 1039.0).unwrap().band, Band::Am);
        assert_eq!(Tuning::new(None, 103.9).unwrap().khz, 103_900);
    }
}
