//! What is asked of the gazetteer, and what it answers.

use super::geo::GeoPoint;
use super::place::Place;
use serde::{Deserialize, Serialize};

/// Most hits that one search gives.
const MOST_HITS: usize = 50;
/// How far the best score must be ahead for the best hit to be the one meant.
const CLEAR_LEAD: f64 = 0.015;

/// A search: a name or a category in words, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct Query<'a> {
    pub(super) text: &'a str,
    pub(super) near: Option<GeoPoint>,
    pub(super) along: Option<&'a [GeoPoint]>,
    pub(super) category: Option<&'a str>,
    pub(super) limit: usize,
    pub(super) ways: Ways,
}

/// In which ways a text may find a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ways {
    /// All there are.
    All,
    /// By a whole name, as it is written or as it sounds.
    WholeNames,
}

impl<'a> Query<'a> {
    /// A search for a place's name ("北京故宫", "Paris, France") or a kind of place ("加油站", "hotels in Paris").
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            near: None,
            along: None,
            category: None,
            limit: 10,
            ways: Ways::All,
        }
    }

    /// Only places whose whole name this is or sounds like, which is quick to tell: no slips of spelling and no parts
    /// of names are looked for. A text that means a kind of place finds what it always does.
    #[must_use]
    pub fn whole_names(mut self) -> Self {
        self.ways = Ways::WholeNames;
        self
    }

    /// Prefers places near this point, and measures distances from it. Everyday places need it (or `along`, or an
    /// area in the text): without it only real places are found.
    #[must_use]
    pub fn near(mut self, point: GeoPoint) -> Self {
        self.near = Some(point);
        self
    }

    /// Searches along a route: distances are to the line, and everyday places lie close to it, in the order in which
    /// the route comes to them.
    #[must_use]
    pub fn along(mut self, line: &'a [GeoPoint]) -> Self {
        self.along = Some(line);
        self
    }

    /// Only places of this category: its id ("fuel") or a word for it ("加油站", "gas station"). Unknown words change nothing.
    #[must_use]
    pub fn category(mut self, category: &'a str) -> Self {
        self.category = Some(category);
        self
    }

    /// At most so many hits (10 if not said; 50 at most).
    #[must_use]
    pub fn limit(mut self, limit: usize) -> Self {
        self.limit = limit.min(MOST_HITS);
        self
    }
}

/// How a hit matched the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Matched {
    /// Part of the name, or the name part of the text.
    Contains,
    /// The name but for a slip or two of spelling.
    Spelling,
    /// The name begins so.
    Prefix,
    /// The name sounds so.
    Sound,
    /// It is of the category asked for.
    Category,
    /// Another of its names, or the name but for 市, 区, "the" and the like.
    Alias,
    /// Its name.
    Exact,
}

impl Matched {
    pub(super) fn score(self) -> f64 {
        match self {
            Self::Contains => 0.45,
            Self::Spelling => 0.55,
            Self::Prefix => 0.65,
            Self::Sound => 0.75,
            Self::Category => 0.85,
            Self::Alias => 0.97,
            Self::Exact => 1.0,
        }
    }
}

/// A place found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Hit {
    /// The place.
    pub place: Place,
    /// How far as the crow flies, in metres: from `near`, else to the route, else from the area named; `None` with none of these.
    pub distance_m: Option<f64>,
    /// How good, to compare hits of one search; higher is better.
    pub score: f64,
    /// How it matched.
    pub matched: Matched,
}

impl Hit {
    /// A place that a map of a host's own has found. `score` goes down by more than 0.015 to a hit that is clearly not
    /// meant ([`clear_winner`]).
    pub fn new(place: Place, distance_m: Option<f64>, score: f64, matched: Matched) -> Self {
        Self {
            place,
            distance_m,
            score,
            matched,
        }
    }
}

/// The hit that is clearly meant, or `None` where the caller should ask which.
pub fn clear_winner(hits: &[Hit]) -> Option<&Hit> {
    match hits {
        [] => None,
        [only] => Some(only),
        [first, second, ..] => (first.score - second.score > CLEAR_LEAD).then_some(first),
    }
}
