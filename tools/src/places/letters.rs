//! A quick look at how far two keys are apart.

/// Which letters and digits a key has: enough to tell most keys apart without comparing them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Letters(u64);

impl Letters {
    pub(super) fn of(key: &str) -> Self {
        Self(key.bytes().fold(0, |letters, byte| letters | 1 << (byte % 64)))
    }

    /// Two keys are at least so many slips apart: a slip adds one letter and takes away one at most.
    pub(super) fn least_slips_to(self, other: Self) -> usize {
        let (gone, new) = (self.0 & !other.0, other.0 & !self.0);
        gone.count_ones().max(new.count_ones()) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_key_is_held_to_be_farther_away_than_it_is(one in "[a-e0-9pq]{0,9}", other in "[a-e0-9pq]{0,9}") {
            let least = Letters::of(&one).least_slips_to(Letters::of(&other));
            prop_assert!(least <= strsim::osa_distance(&one, &other));
        }
    }

    #[test]
    fn what_has_other_letters_is_far_away() {
        let slips = |one: &str, other: &str| Letters::of(one).least_slips_to(Letters::of(other));
        assert_eq!(slips("seattle", "seatle"), 0);
        assert_eq!(slips("seattle", "boston"), 3);
    }
}
