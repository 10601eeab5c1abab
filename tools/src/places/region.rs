//! Countries and their provinces or states, by code and by name.

use super::key::canonical;
use super::lines::SortedLines;
use incar_core::Bilingual;

static REGIONS: SortedLines = SortedLines::new(include_str!("../../data/places/regions.tsv"));
static KEYS: SortedLines = SortedLines::new(include_str!("../../data/places/region_keys.tsv"));

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
    let codes = KEYS.get(&canonical(text)).unwrap_or_default();
    codes.split(';').filter(|code| !code.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_of_a_region_has_its_key_and_no_other_name_has() {
        let names = REGIONS
            .starting_with("")
            .flat_map(|line| line.value.split(['\t', ';']).map(move |name| (name, line.key)));
        let mut filed: Vec<(String, &str)> = names
            .map(|(name, code)| (canonical(name), code))
            .filter(|(key, _)| !key.is_empty())
            .collect();
        filed.sort();
        filed.dedup();
        let found: Vec<(String, &str)> = KEYS
            .starting_with("")
            .flat_map(|line| line.value.split(';').map(move |code| (line.key.to_owned(), code)))
            .collect();
        assert_eq!(found, filed);
        assert_eq!(codes("Georgia"), ["GE", "US.GA"]);
        assert_eq!(codes(""), [""; 0]);
    }
}
