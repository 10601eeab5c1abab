//! The player's vocabulary.

use serde::{Deserialize, Serialize};

use super::MediaItem;

/// Whether it plays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Playback {
    /// Nothing plays. A queue may still be there to resume.
    #[default]
    Stopped,
    /// It plays.
    Playing,
    /// It is held.
    Paused,
}

/// What follows the end of an item.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repeat {
    /// The next item; after the last, nothing.
    #[default]
    Off,
    /// The same item again.
    One,
    /// The next item; after the last, the first.
    All,
}

/// An item of the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct QueueItem {
    /// What it is.
    pub item: MediaItem,
    /// How long it lasts, in milliseconds: at least one. None for what has no known end, such as a station.
    pub duration_ms: Option<u64>,
}

impl QueueItem {
    /// Something that ends after a time in milliseconds; one millisecond at least.
    pub fn timed(item: MediaItem, duration_ms: u64) -> Self {
        Self {
            item,
            duration_ms: Some(duration_ms.max(1)),
        }
    }

    /// Something that has no known end.
    pub fn endless(item: MediaItem) -> Self {
        Self {
            item,
            duration_ms: None,
        }
    }
}

/// The order in which `len` items are played: `first` in front, the others shuffled by `seed`. The same seed gives the
/// same order.
pub(super) fn shuffled(len: usize, first: usize, seed: u64) -> Vec<usize> {
    let mut rest: Vec<usize> = (0..len).filter(|index| *index != first).collect();
    let mut state = seed;
    for end in (1..rest.len()).rev() {
        let pick = split_mix(&mut state) % (end as u64 + 1);
        rest.swap(end, pick as usize);
    }
    let mut order = vec![first];
    order.append(&mut rest);
    order
}

/// SplitMix64: evenly spread, and the same on every machine. Good for music, not for secrets.
fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::shuffled;

    #[test]
    fn a_shuffle_keeps_every_item_and_its_seed_fixes_it() {
        for (len, first, seed) in [(1, 0, 0), (2, 1, 7), (20, 5, 1), (20, 5, 2)] {
            let order = shuffled(len, first, seed);
            assert_eq!(order[0], first);
            assert_eq!(order, shuffled(len, first, seed));
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..len).collect::<Vec<_>>());
        }
        assert_ne!(shuffled(20, 5, 1), shuffled(20, 5, 2));
    }
}
