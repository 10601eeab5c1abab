//! Countries and their provinces or states, by code and by name.

use super::key::canonical;
use super::lines::SortedLines;
use incar_core::Bilingual;

static REGIONS: SortedLines = SortedLines::new(include_str!("../../data/places/regions.tsv"));

/// The name of a region such as `CN.30` or `US`.
pub(super) fn name(code: &str) -> Bilingual {
    let mut fields = REGIONS.get(code).unwrap_or_default().split('\t');
    Bilingual::new(fields.next().unwrap_or_default(), fields.next().unwrap_or_default())
}

/// The country of a region's code.
pub(super) fn country(code: &str) -> &str {
    code.split_once('.').map_or(code, |(country, _)| country)
}

/// The codes of the regions that have this name (there are two Georgias).
pub(super) fn codes(text: &str) -> Vec<&'static str> {
    let wanted = canonical(text);
    if wanted.is_empty() {
        return Vec::new();
    }
    let named = |value: &str| {
        value
            .split(['\t', ';'])
            .any(|name| !name.is_empty() && canonical(name) == wanted)
    };
    REGIONS
        .starting_with("")
        .filter(|line| named(line.value))
        .map(|line| line.key)
        .collect()
}
