//! What is the same in request after request is written once and kept: the oldest goes first.

use bytes::Bytes;
use std::collections::VecDeque;
use std::sync::{PoisonError, RwLock};

/// Pieces of bodies by what they were written from.
#[derive(Debug)]
pub(crate) struct Written<K> {
    kept: RwLock<VecDeque<(K, Bytes)>>,
    most: usize,
}

impl<K> Written<K> {
    /// Keeps the last `most`.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            kept: RwLock::default(),
            most,
        }
    }

    /// The piece whose key `is` the one; else it is written and kept under `key`.
    pub(crate) fn get(
        &self,
        is: impl Fn(&K) -> bool,
        key: impl FnOnce() -> K,
        write: impl FnOnce() -> Vec<u8>,
    ) -> Bytes {
        let find = |kept: &VecDeque<(K, Bytes)>| {
            let found = kept.iter().rfind(|(key, _)| is(key));
            found.map(|(_, piece)| piece.clone())
        };
        if let Some(found) = find(&self.kept.read().unwrap_or_else(PoisonError::into_inner)) {
            return found;
        }
        let fresh = Bytes::from(write());
        let mut kept = self.kept.write().unwrap_or_else(PoisonError::into_inner);
        if find(&kept).is_none() {
            if kept.len() >= self.most {
                kept.pop_front();
            }
            kept.push_back((key(), fresh.clone()));
        }
        fresh
    }
}
