//! The tables that are compiled in.

use super::geo::GeoPoint;
use super::key;
use super::lines::{Line, SortedLines};
use super::place::{Place, PlaceId, PlaceKind};
use super::{region, simulate};
use incar_core::Bilingual;
use std::sync::OnceLock;

static PLACES: SortedLines = SortedLines::new(include_str!("../../data/places/places.tsv"));
static KEYS: SortedLines = SortedLines::new(include_str!("../../data/places/keys.tsv"));

/// A landmark so near says where one is.
const CLOSE_BY_M: f64 = 3_000.0;
/// A degree of latitude is at least so long.
const LEAST_METRES_PER_DEGREE: f64 = 111_000.0;

/// The places that are known.
#[derive(Debug)]
pub struct Gazetteer {
    pub(super) keys: SortedLines,
    places: SortedLines,
    /// Landmarks and airports, read once: whoever is asked for an airport looks through all of them.
    sights: OnceLock<Box<[Row]>>,
}

static EMBEDDED: Gazetteer = Gazetteer {
    keys: KEYS,
    places: PLACES,
    sights: OnceLock::new(),
};

impl Gazetteer {
    /// The gazetteer that is compiled in. Costs nothing: there is nothing to load.
    pub fn embedded() -> &'static Self {
        &EMBEDDED
    }

    /// The place of this id, simulated ones too.
    pub fn get(&self, id: &PlaceId) -> Option<Place> {
        simulate::place(id.as_str()).or_else(|| self.row(id.as_str()).map(|row| row.place()))
    }

    /// The place by which to say where a point is: the nearest landmark, station or airport close by, else the nearest
    /// city, town or district. Reads the whole table where there is none close by.
    pub fn nearest(&self, point: GeoPoint) -> Option<Place> {
        let close = Self::nearest_of(&mut self.sight_lines(), |kind| !kind.is_area(), point);
        let line = match close.filter(|(distance_m, _)| *distance_m <= CLOSE_BY_M) {
            Some(close) => Some(close),
            None => {
                let wide = |kind| matches!(kind, PlaceKind::Country | PlaceKind::Province);
                let is_meant = |kind: PlaceKind| kind.is_area() && !wide(kind);
                Self::nearest_of(&mut self.places.starting_with(""), is_meant, point)
            }
        };
        line.and_then(|(_, line)| Row::parse(line)).map(|row| row.place())
    }

    /// The line of the nearest place of the kinds that are meant, and how far that is.
    fn nearest_of(
        lines: &mut dyn Iterator<Item = Line>,
        is_meant: impl Fn(PlaceKind) -> bool,
        point: GeoPoint,
    ) -> Option<(f64, Line)> {
        let mut nearest: Option<(f64, Line)> = None;
        for line in lines.filter(|line| Row::kind(line).is_some_and(&is_meant)) {
            let within_m = nearest.map_or(f64::INFINITY, |(distance_m, _)| distance_m);
            if let Some(distance_m) = Row::distance_within_m(&line, point, within_m) {
                nearest = Some((distance_m, line));
            }
        }
        nearest
    }

    pub(super) fn row(&self, id: &str) -> Option<Row> {
        let line = self.places.starting_with(id).next().filter(|line| line.key == id)?;
        Row::parse(line)
    }

    /// The rows filed under the key of this line.
    pub(super) fn rows(&self, ids: &'static str) -> impl Iterator<Item = Row> {
        ids.split(';').filter_map(|id| self.row(id))
    }

    /// The rows named so, or so but for what speakers leave out or add.
    pub(super) fn named(&self, text: &str) -> Vec<Row> {
        let wanted = key::canonical(text);
        if wanted.is_empty() {
            Vec::new()
        } else {
            self.keys
                .get(&wanted)
                .into_iter()
                .flat_map(|ids| self.rows(ids))
                .collect()
        }
    }

    /// Whether a real place has this name, or has it but for what speakers leave out or add. Quick.
    pub fn has_name(&self, text: &str) -> bool {
        !self.named(text).is_empty()
    }

    /// The Chinese names that sound like a text, those of the best-known places first. Quick: nothing is compared.
    pub fn names_sounding_like(&self, text: &str) -> Vec<&'static str> {
        let mut named: Vec<Row> = key::sounds(&key::canonical(text))
            .iter()
            .filter_map(|key| self.keys.get(key))
            .flat_map(|ids| self.rows(ids))
            .filter(|row| !row.zh.is_empty())
            .collect();
        named.sort_by_key(|row| std::cmp::Reverse(row.importance));
        let mut names: Vec<&str> = named.iter().map(|row| row.zh).collect();
        names.dedup();
        names
    }

    fn sight_lines(&self) -> impl Iterator<Item = Line> {
        ["ap:", "lm:"]
            .into_iter()
            .flat_map(|table| self.places.starting_with(table))
    }

    /// Landmarks and airports: the real places that have one of these kinds.
    pub(super) fn of_kinds(&self, kinds: &[PlaceKind]) -> impl Iterator<Item = Row> {
        let rows = self
            .sights
            .get_or_init(|| self.sight_lines().filter_map(Row::parse).collect());
        rows.iter().filter(|row| kinds.contains(&row.kind)).copied()
    }

    /// The real places of these kinds within so many metres of a point.
    pub(crate) fn places_within(&self, kinds: &[PlaceKind], near: GeoPoint, within_m: f64) -> Vec<Place> {
        let near = self
            .of_kinds(kinds)
            .filter(|row| row.position.distance_m(near) <= within_m);
        near.map(|row| row.place()).collect()
    }

    #[cfg(test)]
    pub(super) fn all(&self) -> impl Iterator<Item = Row> {
        self.places.starting_with("").filter_map(Row::parse)
    }
}

/// One line of places.tsv.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub(super) id: &'static str,
    pub(super) kind: PlaceKind,
    pub(super) zh: &'static str,
    pub(super) en: &'static str,
    aliases: &'static str,
    pub(super) position: GeoPoint,
    /// Its region's code, such as `CN.30` or `FR`.
    pub(super) region: &'static str,
    /// The id of the city it is in, or nothing.
    pub(super) city: &'static str,
    pub(super) importance: u8,
    approximate: bool,
}

impl Row {
    /// The kind alone, which is the first field.
    fn kind(line: &Line) -> Option<PlaceKind> {
        PlaceKind::from_name(line.value.split_once('\t')?.0)
    }

    /// How far it is, where that is less than `within_m`. Most are too far by their latitude alone.
    fn distance_within_m(line: &Line, point: GeoPoint, within_m: f64) -> Option<f64> {
        let mut position = line.value.split('\t').skip(4);
        let latitude: f64 = position.next()?.parse().ok()?;
        if (latitude - point.lat()).abs() * LEAST_METRES_PER_DEGREE > within_m {
            return None;
        }
        let position = GeoPoint::new(latitude, position.next()?.parse().ok()?).ok()?;
        Some(position.distance_m(point)).filter(|distance_m| *distance_m < within_m)
    }

    fn parse(line: Line) -> Option<Self> {
        let mut fields = line.value.split('\t');
        let mut next = || fields.next().unwrap_or_default();
        Some(Self {
            id: line.key,
            kind: PlaceKind::from_name(next())?,
            zh: next(),
            en: next(),
            aliases: next(),
            position: GeoPoint::new(next().parse().ok()?, next().parse().ok()?).ok()?,
            region: next(),
            city: next(),
            importance: next().parse().ok()?,
            approximate: next() == "~",
        })
    }

    pub(super) fn aliases(&self) -> impl Iterator<Item = &'static str> {
        self.aliases.split(';').filter(|alias| !alias.is_empty())
    }

    pub(super) fn place(&self) -> Place {
        let country = region::country(self.region);
        let city = if self.city == self.id {
            None
        } else {
            Gazetteer::embedded().row(self.city)
        };
        Place {
            id: PlaceId(self.id.to_owned()),
            name: Bilingual::new(self.zh, self.en),
            aliases: self.aliases().map(str::to_owned).collect(),
            kind: self.kind,
            category: None,
            city: city.map(|city| Bilingual::new(city.zh, city.en)).unwrap_or_default(),
            admin: if country == self.region {
                Bilingual::default()
            } else {
                region::name(self.region)
            },
            country: region::name(country),
            country_code: country.to_owned(),
            position: self.position,
            importance: self.importance,
            simulated: false,
            approximate: self.approximate,
        }
    }
}
