//! What to see on which day.

use super::names::destination_named;
use crate::places::{Gazetteer, Place, PlaceKind};
use incar_core::Lang;
use jiff::ToSpan;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// So much is seen on one day.
const SIGHTS_A_DAY: usize = 2;
/// So far from the destination a sight may be.
const IN_CITY_M: f64 = 60_000.0;
const IN_PROVINCE_M: f64 = 900_000.0;
const IN_COUNTRY_M: f64 = 2_500_000.0;
/// So many days are read out one by one.
const SPOKEN_DAYS: usize = 7;

/// A trip, day by day: the sights that the gazetteer knows near the destination, the best known first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Itinerary {
    /// Where it goes.
    pub destination: String,
    /// The days, in their order.
    pub days: Vec<DayPlan>,
}

/// One day of a trip.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct DayPlan {
    /// The day.
    pub date: Date,
    /// What to see: names of places; none where no more is known near there.
    pub sights: Vec<String>,
}

impl Itinerary {
    /// A plan for so many days from `start`, with what suits `interests` first; names are in `lang`.
    /// `None` where the destination is not known.
    pub fn plan(destination: &str, start: Date, days: u8, interests: Option<&str>, lang: Lang) -> Option<Self> {
        let place = destination_named(destination)?;
        let within_m = match place.kind {
            PlaceKind::Country => IN_COUNTRY_M,
            PlaceKind::Province => IN_PROVINCE_M,
            _ => IN_CITY_M,
        };
        let mut sights = Gazetteer::embedded().sights(place.position, within_m);
        match place.kind {
            PlaceKind::Country => sights.retain(|sight| sight.country_code == place.country_code),
            PlaceKind::Province => {
                let bare = |name: &str| name.trim_end_matches('省').trim_end_matches(" Province").to_owned();
                sights.retain(|sight| bare(&sight.admin.zh) == bare(&place.name.zh));
            }
            _ => {}
        }
        let wished = wished_kinds(interests.unwrap_or_default());
        // Stable: within what suits and what does not, the best known stay first.
        sights.sort_by_key(|sight| !wished.contains(&sight.kind));
        let mut names = sights.iter().map(|sight| sight.spoken_name(lang).to_owned());
        let days = (0..i32::from(days))
            .map(|nth| DayPlan {
                date: start.saturating_add(nth.days()),
                sights: names.by_ref().take(SIGHTS_A_DAY).collect(),
            })
            .collect();
        Some(Self {
            destination: place.spoken_name(lang).to_owned(),
            days,
        })
    }

    /// The plan as it is read out.
    pub fn spoken(&self, lang: Lang) -> String {
        let mut parts: Vec<String> = Vec::new();
        let planned = self.days.iter().zip(1..).filter(|(day, _)| !day.sights.is_empty());
        for (day, nth) in planned.clone().take(SPOKEN_DAYS) {
            let sights = day.sights.join(lang.pick("和", " and "));
            parts.push(lang.pick(format!("第{nth}天{sights}"), format!("day {nth}: {sights}")));
        }
        let told = parts.len();
        if told < planned.count() {
            parts.push(lang.pick("之后照计划", "and so on").to_owned());
        } else if told < self.days.len() {
            let free = lang.pick(
                ["自由活动", "其余自由活动"],
                ["time of your own", "then time of your own"],
            );
            let [all, rest] = free;
            parts.push(if told == 0 { all } else { rest }.to_owned());
        }
        parts.join(lang.pick("，", "; "))
    }
}

/// The kinds of places that words of interest name.
fn wished_kinds(interests: &str) -> Vec<PlaceKind> {
    let interests = interests.to_lowercase();
    let kinds: [(&[&str], &[PlaceKind]); 4] = [
        (
            &["历史", "文化", "博物馆", "艺术", "history", "culture", "museum", "art"],
            &[PlaceKind::Museum, PlaceKind::Landmark],
        ),
        (
            &[
                "自然", "风景", "山", "水", "湖", "海", "徒步", "nature", "scenery", "mountain", "lake", "hik",
                "beach", "outdoor",
            ],
            &[PlaceKind::Scenic, PlaceKind::Park],
        ),
        (
            &["亲子", "孩子", "公园", "kid", "child", "park", "family"],
            &[PlaceKind::Park, PlaceKind::Scenic],
        ),
        (
            &["建筑", "古镇", "地标", "architecture", "landmark", "old town"],
            &[PlaceKind::Landmark],
        ),
    ];
    kinds
        .iter()
        .filter(|(words, _)| words.iter().any(|word| interests.contains(word)))
        .flat_map(|(_, kinds)| kinds.iter().copied())
        .collect()
}

impl Gazetteer {
    /// What is worth seeing within so many metres of a point, the best known first.
    pub(crate) fn sights(&self, near: crate::places::GeoPoint, within_m: f64) -> Vec<Place> {
        const KINDS: [PlaceKind; 4] = [
            PlaceKind::Landmark,
            PlaceKind::Scenic,
            PlaceKind::Park,
            PlaceKind::Museum,
        ];
        let mut sights = self.places_within(&KINDS, near, within_m);
        sights.sort_by(|a, b| {
            let distance = |place: &Place| place.position.distance_m(near);
            b.importance
                .cmp(&a.importance)
                .then(distance(a).total_cmp(&distance(b)))
                .then_with(|| a.id.cmp(&b.id))
        });
        sights
    }
}
