//! Smooth noise: the same everywhere and always for the same seed, near values near each other.

/// Degrees of latitude and longitude between the points at which values are drawn.
const CELL_DEGREES: f64 = 4.0;
const CELLS_AROUND: i64 = 90;

/// A value from −1 to 1, smooth in place and time. `span` is about how many days a value lasts.
#[allow(clippy::cast_possible_truncation)] // latitudes, longitudes and days are small
pub(super) fn smooth(seed: u64, lat: f64, lon: f64, day: f64, span: f64) -> f64 {
    let axes = [lat / CELL_DEGREES, lon.rem_euclid(360.0) / CELL_DEGREES, day / span];
    let [x, y, z] = axes.map(|axis| (axis.floor() as i64, ease(axis - axis.floor())));
    let mut sum = 0.0;
    for (dx, dy, dz) in CORNERS {
        let weight = share(x.1, dx) * share(y.1, dy) * share(z.1, dz);
        let cell = (x.0 + dx, (y.0 + dy).rem_euclid(CELLS_AROUND), z.0 + dz);
        sum += weight * drawn(seed, cell);
    }
    sum.clamp(-1.0, 1.0)
}

const CORNERS: [(i64, i64, i64); 8] = [
    (0, 0, 0),
    (0, 0, 1),
    (0, 1, 0),
    (0, 1, 1),
    (1, 0, 0),
    (1, 0, 1),
    (1, 1, 0),
    (1, 1, 1),
];

fn ease(part: f64) -> f64 {
    part * part * (3.0 - 2.0 * part)
}

fn share(part: f64, corner: i64) -> f64 {
    if corner == 0 { 1.0 - part } else { part }
}

/// The value at a point of the lattice, −1 to 1.
fn drawn(seed: u64, (x, y, z): (i64, i64, i64)) -> f64 {
    let mut hash = seed;
    for axis in [x, y, z] {
        hash = mix(hash ^ axis.cast_unsigned());
    }
    // The upper 53 bits are a fraction of one.
    (hash >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
fn mix(value: u64) -> u64 {
    let mut z = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
