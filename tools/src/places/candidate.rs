//! What a search finds before it is known what of it is wanted: how good it is, and no more.

use super::gazetteer::Row;
use super::geo::GeoPoint;
use super::query::{Hit, Matched, Query};
use super::simulate::Site;
use std::borrow::Cow;
use std::cmp::Ordering;

/// What importance and nearness add to the score of the match.
const IMPORTANCE_WEIGHT: f64 = 0.1;
const NEARNESS_WEIGHT: f64 = 0.08;
const NEARNESS_SCALE_M: f64 = 50_000.0;

/// From where distances are measured.
#[derive(Debug, Clone, Copy)]
pub(super) enum Anchor<'a> {
    Nowhere,
    Point(GeoPoint),
    Line(&'a [GeoPoint]),
}

impl<'a> Anchor<'a> {
    pub(super) fn of(query: &Query<'a>) -> Self {
        match (query.near, query.along) {
            (Some(point), None) => Self::Point(point),
            (_, Some(line)) if !line.is_empty() => Self::Line(line),
            (Some(point), Some(_)) => Self::Point(point),
            (None, _) => Self::Nowhere,
        }
    }

    fn distance_m(self, point: GeoPoint) -> Option<f64> {
        match self {
            Self::Nowhere => None,
            Self::Point(center) => Some(center.distance_m(point)),
            Self::Line(line) => point.distance_to_line_m(line),
        }
    }
}

/// What may be meant. Of many few are wanted, so a place is made only of those.
#[derive(Debug)]
pub(super) struct Candidate {
    place: Found,
    matched: Matched,
    pub(super) distance_m: Option<f64>,
    score: f64,
}

#[derive(Debug)]
enum Found {
    Real(Row),
    Simulated(Site),
}

impl Candidate {
    pub(super) fn real(row: Row, matched: Matched, anchor: Anchor<'_>) -> Self {
        let distance_m = anchor.distance_m(row.position);
        // A category is asked for what is near, not for what is famous.
        let importance = if matched == Matched::Category && distance_m.is_some() {
            0.0
        } else {
            f64::from(row.importance)
        };
        Self {
            place: Found::Real(row),
            matched,
            distance_m,
            score: matched.score() + IMPORTANCE_WEIGHT * importance / 100.0 + nearness(distance_m),
        }
    }

    pub(super) fn simulated(site: Site, anchor: Anchor<'_>) -> Self {
        let distance_m = anchor.distance_m(site.position);
        Self {
            place: Found::Simulated(site),
            matched: Matched::Category,
            distance_m,
            score: Matched::Category.score() + nearness(distance_m),
        }
    }

    /// The same with another score.
    pub(super) fn scored(self, score: f64) -> Self {
        Self { score, ..self }
    }

    fn id(&self) -> Cow<'static, str> {
        match &self.place {
            Found::Real(row) => Cow::Borrowed(row.id),
            Found::Simulated(site) => Cow::Owned(site.id().0),
        }
    }

    /// By score, then by distance.
    pub(super) fn best_first(&self, other: &Self) -> Ordering {
        let distance = |of: &Self| of.distance_m.unwrap_or(f64::INFINITY);
        other
            .score
            .total_cmp(&self.score)
            .then(distance(self).total_cmp(&distance(other)))
            .then_with(|| self.id().cmp(&other.id()))
    }

    pub(super) fn hit(&self) -> Hit {
        let place = match &self.place {
            Found::Real(row) => row.place(),
            Found::Simulated(site) => site.place(),
        };
        Hit {
            place,
            distance_m: self.distance_m,
            score: self.score,
            matched: self.matched,
        }
    }
}

fn nearness(distance_m: Option<f64>) -> f64 {
    distance_m.map_or(0.0, |distance| NEARNESS_WEIGHT / (1.0 + distance / NEARNESS_SCALE_M))
}
