//! Everyday places that the simulator makes up: for each cell of a grid over the globe and each category, from
//! a hash, so that the same spot always has the same places and driving on does not move them.

use super::category::Category;
use super::geo::GeoPoint;
use super::place::{Place, PlaceId, PlaceKind};
use incar_core::Bilingual;
use std::sync::LazyLock;

/// Height of a cell in degrees of latitude: 2.2 km. Its width is about the same on the ground.
const CELL_DEGREES: f64 = 0.02;
const METRES_PER_DEGREE: f64 = 111_195.0;
/// Cells looked at in one direction at most, however far the search.
const MOST_CELLS: i64 = 12;
/// Tells places apart that have the same name; drops out of the id's other numbers.
const SALT: u64 = 0x9e37_79b9_7f4a_7c15;

static NAMES: LazyLock<Vec<(&'static str, &'static str)>> = LazyLock::new(|| {
    let lines = include_str!("../../data/places/names.tsv").lines();
    lines
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .collect()
});

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cell {
    band: i64,
    column: i64,
}

impl Cell {
    fn at(point: GeoPoint) -> Self {
        let band = ((point.lat() / CELL_DEGREES).floor() as i64).clamp(-bands(), bands() - 1);
        let column = (point.lon() + 180.0) / 360.0 * columns(band) as f64;
        Self {
            band,
            column: (column.floor() as i64).rem_euclid(columns(band)),
        }
    }

    fn point(self, up: f64, right: f64) -> GeoPoint {
        let width = 360.0 / columns(self.band) as f64;
        GeoPoint::wrapped(
            (self.band as f64 + up) * CELL_DEGREES,
            (self.column as f64 + right) * width - 180.0,
        )
    }
}

/// Bands of cells from the equator to a pole.
fn bands() -> i64 {
    (90.0 / CELL_DEGREES).round() as i64
}

/// Cells around the globe in a band.
fn columns(band: i64) -> i64 {
    let middle = ((band as f64 + 0.5) * CELL_DEGREES).to_radians();
    ((360.0 * middle.cos() / CELL_DEGREES).floor() as i64).max(1)
}

/// Where a place is, before anything is made of it but its position: of many, few are wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Site {
    category: &'static Category,
    cell: Cell,
    index: u64,
    pub(super) position: GeoPoint,
}

impl Site {
    fn at(category: &'static Category, cell: Cell, index: u64) -> Self {
        Self {
            category,
            cell,
            index,
            position: Dice::of(category, cell, index).position(cell),
        }
    }

    pub(super) fn id(&self) -> PlaceId {
        let Cell { band, column } = self.cell;
        PlaceId(format!("sim:{}:{band}:{column}:{}", self.category.id, self.index))
    }

    pub(super) fn place(&self) -> Place {
        make(self)
    }
}

/// The places of a category within `radius_m` of a point, in no order. The radius is bounded to about 25 km.
pub(super) fn around(category: &'static Category, center: GeoPoint, radius_m: f64) -> Vec<Site> {
    let reach = ((radius_m / METRES_PER_DEGREE / CELL_DEGREES).ceil() as i64 + 1).clamp(1, MOST_CELLS);
    let own = Cell::at(center);
    let mut found = Vec::new();
    for band in (own.band - reach).max(-bands())..=(own.band + reach).min(bands() - 1) {
        let around = columns(band);
        let middle = Cell::at(GeoPoint::wrapped((band as f64 + 0.5) * CELL_DEGREES, center.lon())).column;
        let reach = reach.min((around - 1) / 2);
        for column in middle - reach..=middle + reach {
            let cell = Cell {
                band,
                column: column.rem_euclid(around),
            };
            let sites = (0..count(category, cell)).map(|index| Site::at(category, cell, index));
            found.extend(sites.filter(|site| site.position.distance_m(center) <= radius_m));
        }
    }
    found
}

/// The place of an id, if it is one that the simulator makes.
pub(super) fn place(id: &str) -> Option<Place> {
    let mut parts = id.strip_prefix("sim:")?.split(':');
    let category = Category::by_id(parts.next()?)?;
    let mut number = || parts.next()?.parse::<i64>().ok();
    let (cell, index) = (
        Cell {
            band: number()?,
            column: number()?,
        },
        u64::try_from(number()?).ok()?,
    );
    let exists = (-bands()..bands()).contains(&cell.band) && (0..columns(cell.band)).contains(&cell.column);
    (exists && index < count(category, cell))
        .then(|| Site::at(category, cell, index).place())
        .filter(|place| place.id.as_str() == id)
}

fn count(category: &Category, cell: Cell) -> u64 {
    let certain = category.per_cell.floor();
    let one_more = fraction(hash(category, cell, u64::MAX)) < category.per_cell - certain;
    certain as u64 + u64::from(one_more)
}

/// What decides where a place is and what it is called, one number after the other.
struct Dice(u64);

impl Dice {
    fn of(category: &Category, cell: Cell, index: u64) -> Self {
        Self(hash(category, cell, index))
    }

    fn roll(&mut self) -> u64 {
        self.0 = mix(self.0.wrapping_add(SALT));
        self.0
    }

    /// The first two: where in its cell, at some distance from the edge.
    fn position(&mut self, cell: Cell) -> GeoPoint {
        let (up, right) = (fraction(self.roll()), fraction(self.roll()));
        cell.point(0.08 + 0.84 * up, 0.08 + 0.84 * right)
    }
}

fn make(site: &Site) -> Place {
    let category = site.category;
    let mut dice = Dice::of(category, site.cell, site.index);
    let position = dice.position(site.cell);
    let (zh, en) = pick(&NAMES, dice.roll()).unwrap_or_default();
    let (zh_template, en_template) = pick(&category.templates, dice.roll()).unwrap_or_default();
    Place {
        id: site.id(),
        name: Bilingual::new(zh_template.replace("{}", zh), en_template.replace("{}", en)),
        aliases: Vec::new(),
        kind: PlaceKind::Everyday,
        category: Some(category.id.to_owned()),
        city: Bilingual::default(),
        admin: Bilingual::default(),
        country: Bilingual::default(),
        country_code: String::new(),
        position,
        importance: 0,
        simulated: true,
        approximate: false,
    }
}

fn pick<T: Copy>(choices: &[T], roll: u64) -> Option<T> {
    let count = u64::try_from(choices.len()).ok().filter(|&count| count > 0)?;
    choices.get(usize::try_from(roll % count).ok()?).copied()
}

fn hash(category: &Category, cell: Cell, index: u64) -> u64 {
    // FNV-1a over the id: stable across builds, which the standard library's hasher does not promise.
    let id = category.id.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, byte| {
        (h ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    mix(mix(mix(id ^ cell.band as u64).wrapping_add(cell.column as u64)) ^ index)
}

/// The finaliser of SplitMix64.
fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

/// A hash as a number from 0 up to 1.
fn fraction(hash: u64) -> f64 {
    (hash >> 11) as f64 / (1_u64 << 53) as f64
}
