//! What a place is.

use super::geo::GeoPoint;
use incar_core::{Bilingual, Lang};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The stable name of a place: `gn:1816670` (GeoNames), `ap:PEK` (IATA), `lm:forbidden-city` (landmark), `ar:…` and
/// `rg:…` (areas), `sim:fuel:6497:11381:0` (simulated).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PlaceId(pub(super) String);

impl PlaceId {
    /// An id that was stored as text. Whether there is such a place, [`super::Gazetteer::get`] says.
    pub fn new(id: impl Into<String>) -> Self {
        Self(id.into())
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PlaceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What kind of place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
#[allow(missing_docs)] // The names say it.
pub enum PlaceKind {
    Country,
    /// A province, state or other first-level division.
    Province,
    City,
    District,
    County,
    Town,
    Airport,
    Station,
    Landmark,
    Scenic,
    Park,
    Museum,
    University,
    Hospital,
    Mall,
    Stadium,
    Street,
    Bridge,
    /// An everyday place such as a gas station; [`Place::category`] says which.
    Everyday,
}

impl PlaceKind {
    /// By its name in the tables.
    pub(super) fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "country" => Self::Country,
            "province" => Self::Province,
            "city" => Self::City,
            "district" => Self::District,
            "county" => Self::County,
            "town" => Self::Town,
            "airport" => Self::Airport,
            "station" => Self::Station,
            "landmark" => Self::Landmark,
            "scenic" => Self::Scenic,
            "park" => Self::Park,
            "museum" => Self::Museum,
            "university" => Self::University,
            "hospital" => Self::Hospital,
            "mall" => Self::Mall,
            "stadium" => Self::Stadium,
            "street" => Self::Street,
            "bridge" => Self::Bridge,
            _ => return None,
        })
    }

    /// Whether it is an area in which other places lie.
    pub fn is_area(self) -> bool {
        matches!(
            self,
            Self::Country | Self::Province | Self::City | Self::District | Self::County | Self::Town
        )
    }
}

/// A place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Place {
    /// Its stable name.
    pub id: PlaceId,
    /// Its usual name in both languages; empty in a language in which none is known.
    pub name: Bilingual,
    /// Other names, in either language.
    pub aliases: Vec<String>,
    /// What kind of place.
    pub kind: PlaceKind,
    /// Of an everyday place: the id of its category, such as `fuel`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub category: Option<String>,
    /// The city it is in, where known; empty else.
    pub city: Bilingual,
    /// The province or state it is in, where known; empty else.
    pub admin: Bilingual,
    /// The country it is in; empty for simulated places.
    pub country: Bilingual,
    /// The country's ISO 3166 code; empty for simulated places.
    pub country_code: String,
    /// Where it is.
    pub position: GeoPoint,
    /// How well known or how large, 0…100.
    pub importance: u8,
    /// Whether it is made up by the simulator.
    pub simulated: bool,
    /// Whether the position is good to about a kilometre only, or that of an area's seat.
    pub approximate: bool,
}

impl Place {
    /// A landmark of this name at a point, with nothing else known: a map of a host's own fills in the fields it knows.
    pub fn new(id: PlaceId, name: Bilingual, position: GeoPoint) -> Self {
        Self {
            id,
            name,
            aliases: Vec::new(),
            kind: PlaceKind::Landmark,
            category: None,
            city: Bilingual::default(),
            admin: Bilingual::default(),
            country: Bilingual::default(),
            country_code: String::new(),
            position,
            importance: 0,
            simulated: false,
            approximate: false,
        }
    }

    /// The name as it is spoken: without 市 after a city's name, in the other language where this one has none.
    pub fn spoken_name(&self, lang: Lang) -> &str {
        let name = some_of(&self.name, lang);
        match (self.kind, name.strip_suffix('市')) {
            (PlaceKind::City, Some(short)) if short.chars().nth(1).is_some() => short,
            _ => name,
        }
    }

    /// The name with the area it is in, to tell namesakes apart: "北京朝阳区", "Springfield, Illinois".
    pub fn spoken_name_with_area(&self, lang: Lang) -> String {
        let name = self.spoken_name(lang);
        let area = self.area(lang).filter(|area| !name.starts_with(area));
        match (area, lang) {
            (None, _) => name.to_owned(),
            (Some(area), Lang::Zh) if name.is_ascii() || area.is_ascii() => format!("{name}（{area}）"),
            (Some(area), Lang::Zh) => format!("{area}{name}"),
            (Some(area), Lang::En) => format!("{name}, {area}"),
        }
    }

    /// The nearest area whose name is known: city, else province, else country.
    fn area(&self, lang: Lang) -> Option<&str> {
        let areas = [&self.city, &self.admin, &self.country];
        let found = areas
            .into_iter()
            .map(|area| some_of(area, lang))
            .find(|area| !area.is_empty())?;
        Some(
            found
                .strip_suffix('市')
                .filter(|short| short.chars().nth(1).is_some())
                .unwrap_or(found),
        )
    }
}

fn some_of(name: &Bilingual, lang: Lang) -> &str {
    let wanted = name.get(lang);
    if wanted.is_empty() {
        name.get(lang.pick(Lang::En, Lang::Zh))
    } else {
        wanted
    }
}
