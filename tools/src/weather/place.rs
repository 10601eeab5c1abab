//! The place that is asked about: the car's own, or one by name.

use super::Locator;
use crate::places::{Gazetteer, GeoPoint, Hit, Matched, Place, PlaceKind, Query, clear_winner};
use incar_core::{ErrorKind, Lang, ToolError};

/// So many namesakes are offered to choose from.
const MOST_CHOICES: usize = 3;
/// So many hits are looked at.
const HITS: usize = 12;
/// Namesakes no farther apart share their weather and their time.
const SAME_SPOT_M: f64 = 25_000.0;
/// Words for where the car is.
const HERE: [&str; 16] = [
    "这里",
    "这儿",
    "本地",
    "当地",
    "当前位置",
    "附近",
    "这边",
    "外面",
    "here",
    "outside",
    "around here",
    "nearby",
    "current",
    "current location",
    "my location",
    "this place",
];

/// A place on the globe, with its name where it was asked by name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Spot {
    pub(crate) name: Option<String>,
    pub(crate) point: GeoPoint,
}

/// The place that `location` names; where the car is, if it names none.
///
/// # Errors
/// A question where several places are meant alike; [`ErrorKind::NotFound`] where none is known, or the car does not
/// know where it is.
pub(crate) fn find(location: Option<&str>, locator: &dyn Locator, lang: Lang) -> Result<Spot, ToolError> {
    let car = locator.position();
    let said = location
        .map(str::trim)
        .filter(|said| !said.is_empty() && !is_here(said));
    let Some(said) = said else {
        return match car {
            Some(point) => Ok(Spot { name: None, point }),
            None => Err(ToolError::ask(
                ErrorKind::NotFound,
                "location",
                lang.pick(
                    "暂时不知道车在哪里，要查哪个地方？",
                    "I don't know where the car is. Which place do you mean?",
                ),
            )),
        };
    };
    let place = named(said, car, lang)?;
    Ok(Spot {
        name: Some(place.spoken_name(lang).to_owned()),
        point: place.position,
    })
}

fn is_here(said: &str) -> bool {
    HERE.iter().any(|here| here.eq_ignore_ascii_case(said))
}

fn named(said: &str, car: Option<GeoPoint>, lang: Lang) -> Result<Place, ToolError> {
    let mut query = Query::new(said).limit(HITS);
    if let Some(car) = car {
        query = query.near(car);
    }
    let mut hits: Vec<Hit> = Gazetteer::embedded()
        .search(&query)
        .into_iter()
        .filter(|hit| is_meant(hit, said))
        .collect();
    if hits.iter().any(|hit| hit.place.kind.is_area()) {
        hits.retain(|hit| hit.place.kind.is_area());
    }
    let Some(first) = hits.first() else {
        return Err(ToolError::new(
            ErrorKind::NotFound,
            lang.pick(
                format!("没有找到“{said}”这个地方。"),
                format!("I can't find a place called {said}."),
            ),
        ));
    };
    let one_spot = hits
        .iter()
        .all(|hit| hit.place.position.distance_m(first.place.position) <= SAME_SPOT_M);
    if let Some(winner) = clear_winner(&hits).or_else(|| one_spot.then_some(first)) {
        return Ok(winner.place.clone());
    }
    let mut choices: Vec<String> = Vec::new();
    for hit in &hits {
        let name = hit.place.spoken_name_with_area(lang);
        if choices.len() < MOST_CHOICES && !choices.contains(&name) {
            choices.push(name);
        }
    }
    let question = lang.pick(
        format!("是{}？", choices.join("，还是")),
        format!("Do you mean {}?", choices.join(" or ")),
    );
    Err(ToolError::choose("location", choices, question))
}

/// Whether a hit is a place that this can be asked about: a real one, whose name is not merely a part of others.
fn is_meant(hit: &Hit, said: &str) -> bool {
    let whole_name_said = || {
        let names = [&hit.place.name.zh, &hit.place.name.en];
        let said = said.to_lowercase();
        names
            .iter()
            .any(|name| !name.is_empty() && said.contains(&name.to_lowercase()))
    };
    match hit.matched {
        _ if hit.place.simulated || hit.place.kind == PlaceKind::Everyday => false,
        Matched::Contains => hit.place.kind.is_area() && whole_name_said(),
        Matched::Category => false,
        _ => true,
    }
}
