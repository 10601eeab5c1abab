//! How a search is answered: the whole text as a name, as a category, as a name within an area; then by
//! sound, by beginning, by spelling and by part. The first way that finds anything is the answer.

use super::candidate::{Anchor, Candidate};
use super::category::Category;
use super::gazetteer::{Gazetteer, Row};
use super::geo::GeoPoint;
use super::key::{canonical, fold, has_han, sounds};
use super::letters::Letters;
use super::place::PlaceKind;
use super::query::{Hit, Matched, Query, Ways};
use super::{region, simulate};
use std::collections::HashSet;

/// Everyday places are looked for so near, and if too few are there, so far.
const NEAR_M: f64 = 5_000.0;
const FARTHER_M: f64 = 20_000.0;
const ENOUGH: usize = 3;
/// Airports, stations and other real places of a kind: so far.
const REAL_RADIUS_M: f64 = 150_000.0;
/// Places along a route are so close to it.
const BESIDE_ROUTE_M: f64 = 2_000.0;
/// A route is sampled at so many points at most.
const ROUTE_SAMPLES: usize = 40;
/// A place belongs to an area named by a point when it is so near to it.
const IN_CITY_M: f64 = 60_000.0;
const IN_DISTRICT_M: f64 = 20_000.0;
/// Two places of one name so near each other are one place known twice.
const SAME_PLACE_M: f64 = 10_000.0;
/// An area that qualifies a name is at least a county seat.
const LEAST_AREA_IMPORTANCE: u8 = 38;
const LONGEST_TEXT: usize = 200;
/// So many of the ways to find a place, the first, are by its whole name.
const BY_WHOLE_NAMES: usize = 3;

impl Gazetteer {
    /// The places that a text may mean, best first: by how they match, then by importance and nearness. Namesakes are
    /// all given, so that the caller can ask ([`super::clear_winner`] says whether to). Any text is fine; none finds nothing.
    pub fn search(&self, query: &Query<'_>) -> Vec<Hit> {
        let text = query.text.trim();
        let asked = query
            .category
            .and_then(|words| Category::by_id(words).or_else(|| Category::named(words)));
        if text.chars().count() > LONGEST_TEXT || query.limit == 0 {
            return Vec::new();
        }
        let wanted =
            asked.filter(|asked| text.is_empty() || Category::named(text).is_some_and(|named| named.id == asked.id));
        let mut found = match wanted.or_else(|| Category::named(text)) {
            Some(category) => self.of_category(category, query, Anchor::of(query)),
            None => self.by_text(text, asked, query),
        };
        found.sort_by(Candidate::best_first);
        without_doubles(found.iter().map(Candidate::hit), query.limit)
    }

    /// The simulated place nearest to a point that has exactly this name, of those that a search there may give.
    pub fn everyday_named(&self, name: &str, near: GeoPoint) -> Option<Hit> {
        let name = name.trim();
        let named = Category::giving(name)
            .flat_map(|category| simulate::around(category, near, FARTHER_M))
            .map(|site| Candidate::simulated(site, Anchor::Point(near)).hit())
            .filter(|hit| hit.place.name.zh == name || hit.place.name.en.eq_ignore_ascii_case(name));
        let nearest = named.max_by(|a, b| a.score.total_cmp(&b.score))?;
        Some(Hit {
            matched: Matched::Exact,
            ..nearest
        })
    }

    fn by_text(&self, text: &str, asked: Option<&'static Category>, query: &Query<'_>) -> Vec<Candidate> {
        let anchor = Anchor::of(query);
        let named = |mut rows: Vec<(Row, Matched)>| -> Vec<Candidate> {
            rows.retain(|(row, _)| asked.is_none_or(|category| category.kinds.contains(&row.kind)));
            rows.into_iter()
                .map(|(row, matched)| Candidate::real(row, matched, anchor))
                .collect()
        };
        let of_category = |found: Option<&'static Category>| {
            let category = found.filter(|found| asked.is_none_or(|asked| asked.id == found.id));
            category
                .map(|category| self.of_category(category, query, anchor))
                .unwrap_or_default()
        };
        let ways: [&dyn Fn() -> Vec<Candidate>; 9] = [
            &|| named(self.exact(text)),
            &|| self.within_area(text, query),
            &|| named(self.by_sound(text)),
            &|| of_category(Category::ending(text)),
            &|| named(self.by_prefix(text)),
            &|| named(self.by_spelling(text)),
            &|| named(self.by_part(text)),
            &|| of_category(Category::within(text)),
            &|| of_category(asked),
        ];
        let most = match query.ways {
            Ways::All => ways.len(),
            Ways::WholeNames => BY_WHOLE_NAMES,
        };
        ways.iter()
            .take(most)
            .map(|way| way())
            .find(|hits| !hits.is_empty())
            .unwrap_or_default()
    }

    fn exact(&self, text: &str) -> Vec<(Row, Matched)> {
        let folded = fold(text);
        let matched = |row: &Row| {
            let same = |name: &str| {
                fold(name) == folded
                    || (!name.is_empty() && row.kind == PlaceKind::City && name.strip_suffix('市') == Some(text))
            };
            if same(row.zh) || same(row.en) {
                Matched::Exact
            } else {
                Matched::Alias
            }
        };
        self.named(text).into_iter().map(|row| (row, matched(&row))).collect()
    }

    fn by_sound(&self, text: &str) -> Vec<(Row, Matched)> {
        let keys = sounds(&canonical(text));
        keys.iter()
            .filter_map(|key| self.keys.get(key))
            .flat_map(|ids| self.rows(ids))
            .map(|row| (row, Matched::Sound))
            .collect()
    }

    fn by_prefix(&self, text: &str) -> Vec<(Row, Matched)> {
        let key = canonical(text);
        if !long_enough(&key, 2, 4) {
            return Vec::new();
        }
        self.keys
            .starting_with(&key)
            .take(200)
            .flat_map(|line| self.rows(line.value))
            .map(|row| (row, Matched::Prefix))
            .collect()
    }

    /// Latin names with a slip of spelling; the first letter is taken as heard.
    fn by_spelling(&self, text: &str) -> Vec<(Row, Matched)> {
        let key = canonical(text);
        let slips = match key.chars().count() {
            0..=3 => return Vec::new(),
            4..=6 => 1,
            _ => 2,
        };
        let Some(first) = key.get(..1).filter(|_| key.is_ascii()) else {
            return Vec::new();
        };
        let letters = Letters::of(&key);
        let near = |other: &str| {
            other.len().abs_diff(key.len()) <= slips
                && letters.least_slips_to(Letters::of(other)) <= slips
                && strsim::osa_distance(other, &key) <= slips
        };
        self.keys
            .starting_with(first)
            .filter(|line| near(line.key))
            .flat_map(|line| self.rows(line.value))
            .map(|row| (row, Matched::Spelling))
            .collect()
    }

    /// Names that contain the text, else well-known names with which the text begins ("清华大学东门").
    fn by_part(&self, text: &str) -> Vec<(Row, Matched)> {
        let key = canonical(text);
        if !long_enough(&key, 2, 4) {
            return Vec::new();
        }
        let rows = |value| self.rows(value).map(|row| (row, Matched::Contains));
        let found: Vec<_> = self
            .keys
            .containing(&key)
            .take(200)
            .flat_map(|line| rows(line.value))
            .collect();
        if !found.is_empty() {
            return found;
        }
        let beginnings = key
            .char_indices()
            .rev()
            .filter_map(|(at, _)| key.get(..at))
            .filter(|start| long_enough(start, 3, 6));
        let longest = beginnings.into_iter().filter_map(|start| self.keys.get(start)).next();
        longest
            .into_iter()
            .flat_map(rows)
            .filter(|(row, _)| !row.kind.is_area())
            .collect()
    }

    /// A name or category within an area: "北京故宫", "杭州的西湖", "Forbidden City in Beijing", "hotels in Paris".
    fn within_area(&self, text: &str, query: &Query<'_>) -> Vec<Candidate> {
        for (area, rest) in splits(text) {
            let areas = self.areas(&area);
            if areas.is_empty() {
                continue;
            }
            let rows = self
                .exact(&rest)
                .into_iter()
                .filter(|(row, _)| areas.iter().any(|area| area.holds(row)));
            let found: Vec<_> = rows
                .map(|(row, matched)| Candidate::real(row, matched, Anchor::of(query)))
                .collect();
            if !found.is_empty() {
                return found;
            }
            let center = areas.iter().filter_map(Area::center).max_by_key(|row| row.importance);
            if let (Some(center), Some(category)) = (center, Category::named(&rest)) {
                return self.of_category(category, query, Anchor::Point(center.position));
            }
        }
        Vec::new()
    }

    fn areas(&self, text: &str) -> Vec<Area> {
        let codes = region::codes(text);
        let rows = self.named(text);
        let by_row = rows
            .into_iter()
            .filter(|row| row.importance >= LEAST_AREA_IMPORTANCE)
            .map(Area::Around);
        codes.into_iter().map(Area::Region).chain(by_row).collect()
    }

    fn of_category(&self, category: &'static Category, query: &Query<'_>, anchor: Anchor<'_>) -> Vec<Candidate> {
        let real = self
            .of_kinds(&category.kinds)
            .map(|row| Candidate::real(row, Matched::Category, anchor));
        let within = |reach: f64| move |found: &Candidate| found.distance_m.is_some_and(|distance| distance <= reach);
        match anchor {
            Anchor::Nowhere => real.collect(),
            Anchor::Line(line) => real
                .filter(within(BESIDE_ROUTE_M))
                .chain(Self::beside(category, line))
                .collect(),
            Anchor::Point(_) if category.per_cell <= 0.0 => real.filter(within(REAL_RADIUS_M)).collect(),
            Anchor::Point(center) => {
                let around = |radius| {
                    category
                        .family()
                        .flat_map(move |member| simulate::around(member, center, radius))
                };
                let mut simulated: Vec<_> = around(NEAR_M).collect();
                if simulated.len() < query.limit.min(ENOUGH) {
                    simulated = around(FARTHER_M).collect();
                }
                let simulated = simulated.into_iter().map(|site| Candidate::simulated(site, anchor));
                real.filter(within(NEAR_M)).chain(simulated).collect()
            }
        }
    }

    /// Simulated places beside a route, scored by the order in which the route comes to them.
    fn beside(category: &'static Category, line: &[GeoPoint]) -> Vec<Candidate> {
        let step = line.len().div_ceil(ROUTE_SAMPLES).max(1);
        let samples: Vec<GeoPoint> = line.iter().step_by(step).copied().collect();
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        for (order, &sample) in samples.iter().enumerate() {
            for site in category
                .family()
                .flat_map(|member| simulate::around(member, sample, BESIDE_ROUTE_M))
            {
                if seen.insert(site.id()) {
                    let score = Matched::Category.score() - order as f64 * 1e-3;
                    found.push(Candidate::simulated(site, Anchor::Line(line)).scored(score));
                }
            }
        }
        found
    }
}

/// An area that qualifies a name.
#[derive(Debug, Clone, Copy)]
enum Area {
    /// A country or its province, by its code.
    Region(&'static str),
    /// What lies around a place.
    Around(Row),
}

impl Area {
    fn holds(&self, row: &Row) -> bool {
        match self {
            Self::Region(code) => row.region == *code || region::country(row.region) == *code,
            Self::Around(center) => {
                let radius_m = match center.kind {
                    PlaceKind::City => IN_CITY_M,
                    PlaceKind::District | PlaceKind::County => IN_DISTRICT_M,
                    _ => 0.0,
                };
                row.id != center.id && (row.city == center.id || center.position.distance_m(row.position) <= radius_m)
            }
        }
    }

    /// The place around which everyday places can be looked for: countries and provinces are too wide.
    fn center(&self) -> Option<&Row> {
        match self {
            Self::Around(row) if !matches!(row.kind, PlaceKind::Country | PlaceKind::Province) => Some(row),
            Self::Around(_) | Self::Region(_) => None,
        }
    }
}

/// The ways to read a text as an area and the rest, the likeliest first.
fn splits(text: &str) -> Vec<(String, String)> {
    if has_han(text) {
        let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).skip(2).take(8).collect();
        let cut = |at: &usize| {
            let (area, rest) = text.split_at_checked(*at)?;
            let rest = rest.trim_start_matches(['的', '市', '省', '区', '县', ' ', '，', ',']);
            let rest = ["附近的", "旁边的", "周边的", "附近", "旁边", "周边", "里的"]
                .iter()
                .find_map(|word| rest.strip_prefix(word))
                .unwrap_or(rest);
            (rest.chars().nth(1).is_some()).then(|| (area.to_owned(), rest.to_owned()))
        };
        return ends.iter().rev().filter_map(cut).collect();
    }
    let marked = [",", " in ", " near ", " at ", " of "]
        .into_iter()
        .filter_map(|mark| text.rsplit_once(mark));
    let mut ways: Vec<_> = marked
        .map(|(rest, area)| (area.trim().to_owned(), rest.trim().to_owned()))
        .collect();
    let folded = fold(text);
    let words: Vec<&str> = folded.split(' ').collect();
    let both = (1..words.len()).rev().take(3).chain(1..words.len().min(4));
    for (turn, at) in both.enumerate() {
        let Some((left, right)) = words.split_at_checked(at) else {
            continue;
        };
        let (area, rest) = if turn < words.len().saturating_sub(1).min(3) {
            (right, left)
        } else {
            (left, right)
        };
        ways.push((area.join(" "), rest.join(" ")));
    }
    ways
}

/// Whether a key is long enough to look for parts: in Han characters or in Latin letters.
fn long_enough(key: &str, han: usize, latin: usize) -> bool {
    key.chars().count() >= if has_han(key) { han } else { latin }
}

/// Without hits that are the same place again: one id, or one name close by.
fn without_doubles(hits: impl Iterator<Item = Hit>, limit: usize) -> Vec<Hit> {
    let mut kept: Vec<(Hit, [String; 2])> = Vec::new();
    for hit in hits {
        if kept.len() == limit {
            break;
        }
        let names = [&hit.place.name.zh, &hit.place.name.en].map(|name| canonical(name));
        let same = |(other, others): &(Hit, [String; 2])| {
            other.place.id == hit.place.id
                || (other.place.kind.is_area() == hit.place.kind.is_area()
                    && others.iter().zip(&names).any(|(a, b)| !a.is_empty() && a == b)
                    && other.place.position.distance_m(hit.place.position) < SAME_PLACE_M)
        };
        if !kept.iter().any(same) {
            kept.push((hit, names));
        }
    }
    kept.into_iter().map(|(hit, _)| hit).collect()
}
