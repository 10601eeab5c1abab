//! Where each key stands: all places of all keys in one list, for most keys have one or two.

/// Places by key. It is made at once and does not change.
#[derive(Clone, Debug)]
pub(super) struct Postings<K> {
    keys: Box<[K]>,
    /// Where the places of each key end.
    ends: Box<[u32]>,
    places: Box<[u32]>,
}

impl<K: Ord> Postings<K> {
    /// The places of a key, ascending; none for a key that stands nowhere.
    pub(super) fn of(&self, key: &K) -> &[u32] {
        let Ok(at) = self.keys.binary_search(key) else {
            return &[];
        };
        let end = |at: usize| self.ends.get(at).map_or(0, |end| *end as usize);
        let start = at.checked_sub(1).map_or(0, end);
        self.places.get(start..end(at)).unwrap_or_default()
    }
}

impl<K: Ord> FromIterator<(K, u32)> for Postings<K> {
    fn from_iter<I: IntoIterator<Item = (K, u32)>>(all: I) -> Self {
        let mut all: Vec<(K, u32)> = all.into_iter().collect();
        all.sort_unstable();
        all.dedup();
        let (mut keys, mut ends, mut places): (Vec<K>, Vec<u32>, Vec<u32>) = Default::default();
        for (key, place) in all {
            if keys.last() != Some(&key) {
                keys.push(key);
                ends.push(0);
            }
            places.push(place);
            if let Some(end) = ends.last_mut() {
                *end = super::number(places.len());
            }
        }
        Self {
            keys: keys.into(),
            ends: ends.into(),
            places: places.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_key_has_its_places_once_and_in_order() {
        let postings: Postings<char> = [('b', 3), ('a', 7), ('b', 1), ('b', 3)].into_iter().collect();
        for (key, places) in [('a', &[7][..]), ('b', &[1, 3]), ('c', &[])] {
            assert_eq!(postings.of(&key), places, "{key}");
        }
    }
}
