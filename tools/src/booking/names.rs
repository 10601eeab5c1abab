//! The cities that rooms are booked in, and where trips go.

use crate::places::{Gazetteer, Hit, Matched, Place, PlaceKind, Query};
use incar_core::{KnownName, Lang, NameMatch, NameSource};

/// So many places of a name are looked at.
const HITS: usize = 12;
/// What only sounds like a place must be a well-known one.
const LEAST_SOUNDING: u8 = 50;

/// Cities by name.
#[derive(Debug, Clone, Copy)]
pub(super) struct CityNames;

/// Cities, countries, mountains and lakes by name: what a trip can go to.
#[derive(Debug, Clone, Copy)]
pub(super) struct DestinationNames;

impl NameSource for CityNames {
    fn look_up(&self, heard: &str, lang: Lang) -> Vec<KnownName> {
        known(city(heard), lang)
    }
}

impl NameSource for DestinationNames {
    fn look_up(&self, heard: &str, lang: Lang) -> Vec<KnownName> {
        known(destination(heard), lang)
    }
}

fn known(found: Option<(Place, Matched)>, lang: Lang) -> Vec<KnownName> {
    let name = |(place, matched): (Place, Matched)| KnownName {
        name: place.spoken_name(lang).to_owned(),
        matched: match matched {
            Matched::Exact | Matched::Alias => NameMatch::Exact,
            Matched::Sound => NameMatch::Sound,
            _ => NameMatch::Partial,
        },
    };
    found.into_iter().map(name).collect()
}

/// The city of that name.
pub(super) fn city_named(name: &str) -> Option<Place> {
    city(name).map(|(place, _)| place)
}

/// The destination of that name.
pub(super) fn destination_named(name: &str) -> Option<Place> {
    destination(name).map(|(place, _)| place)
}

fn city(name: &str) -> Option<(Place, Matched)> {
    Namesakes::of(name).city()
}

fn destination(name: &str) -> Option<(Place, Matched)> {
    let sight = |kind: PlaceKind| matches!(kind, PlaceKind::Scenic | PlaceKind::Landmark | PlaceKind::Park);
    let all = Namesakes::of(name);
    all.city()
        .or_else(|| all.best(&PlaceKind::is_area))
        .or_else(|| all.best(&sight))
}

/// The real places that a name means.
struct Namesakes(Vec<Hit>);

impl Namesakes {
    fn of(name: &str) -> Self {
        let mut hits = Gazetteer::embedded().search(&Query::new(name).whole_names().limit(HITS));
        hits.retain(|hit| {
            let meant = match hit.matched {
                Matched::Exact | Matched::Alias => true,
                Matched::Sound => hit.place.importance >= LEAST_SOUNDING,
                _ => false,
            };
            meant && !hit.place.simulated
        });
        Self(hits)
    }

    /// A town that shares its name with a better known province or country is not meant by it.
    fn city(&self) -> Option<(Place, Matched)> {
        let wide = |kind: PlaceKind| matches!(kind, PlaceKind::Country | PlaceKind::Province);
        let town = self.best(&|kind| kind.is_area() && !wide(kind))?;
        let better = self
            .best(&wide)
            .is_some_and(|(wide, matched)| rank_of(&wide, matched) > rank_of(&town.0, town.1));
        (!better).then_some(town)
    }

    /// The best known of those that fit.
    fn best(&self, fits: &dyn Fn(PlaceKind) -> bool) -> Option<(Place, Matched)> {
        let fitting = self.0.iter().filter(|hit| fits(hit.place.kind));
        fitting
            .max_by_key(|hit| rank_of(&hit.place, hit.matched))
            .map(|hit| (hit.place.clone(), hit.matched))
    }
}

/// How likely a place is meant: one that only sounds so last, else the best known, by whichever of its
/// names (云南 is the province, not the Japanese town).
fn rank_of(place: &Place, matched: Matched) -> (bool, u8) {
    (matched != Matched::Sound, place.importance)
}
