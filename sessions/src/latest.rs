//! A map of bounded size: of too many entries, those that were put in last stay.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// The entries, and the order in which they were put in.
pub(crate) struct Latest<K, V> {
    entries: HashMap<K, Entry<V>>,
    order: BTreeMap<u64, K>,
    next: u64,
    capacity: usize,
}

struct Entry<V> {
    value: V,
    place: u64,
}

impl<K: Eq + Hash + Clone, V> Latest<K, V> {
    /// An empty map; `capacity` is at least one.
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            entries: HashMap::new(),
            order: BTreeMap::new(),
            next: 0,
            capacity: capacity.max(1),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.entries.get(key).map(|entry| &entry.value)
    }

    /// Puts a value in as the last one, and lets go of the first where there are too many.
    pub(crate) fn put(&mut self, key: K, value: V) {
        let place = self.next;
        self.next += 1;
        if let Some(before) = self.entries.insert(key.clone(), Entry { value, place }) {
            self.order.remove(&before.place);
        }
        self.order.insert(place, key);
        if self.entries.len() > self.capacity
            && let Some((_, first)) = self.order.pop_first()
        {
            self.entries.remove(&first);
        }
    }

    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        let entry = self.entries.remove(key)?;
        self.order.remove(&entry.place);
        Some(entry.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn it_is_a_list_of_the_latest(steps in prop::collection::vec((0_u8..6, any::<bool>()), 0..60), capacity in 0_usize..5) {
            let mut latest = Latest::new(capacity);
            let mut list: Vec<(u8, usize)> = Vec::new();
            for (turn, (key, puts)) in steps.into_iter().enumerate() {
                let at = list.iter().position(|(other, _)| *other == key);
                let before = at.map(|at| list.remove(at).1);
                if puts {
                    latest.put(key, turn);
                    list.push((key, turn));
                    if list.len() > capacity.max(1) {
                        list.remove(0);
                    }
                } else {
                    prop_assert_eq!(latest.remove(&key), before);
                }
                prop_assert_eq!(latest.len(), list.len());
                prop_assert_eq!(latest.order.len(), list.len());
                for key in 0..6 {
                    let listed = list.iter().find(|(other, _)| *other == key).map(|(_, value)| value);
                    prop_assert_eq!(latest.get(&key), listed);
                }
            }
        }
    }
}
