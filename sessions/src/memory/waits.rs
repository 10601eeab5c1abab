//! Which sessions wait for whom, in the order they were inserted.

use crate::claim::Claim;
use incar_core::{Owner, SessionId, Timestamp};
use smallvec::SmallVec;
use std::collections::HashMap;

/// A waiting session, all but its state.
#[derive(Debug)]
pub(super) struct Wait {
    pub(super) id: SessionId,
    pub(super) expires_at: Timestamp,
    pub(super) claim: Option<Claim>,
}

/// The waits of all owners. Nearly every owner has one, which then needs no allocation of its own.
#[derive(Debug, Default)]
pub(super) struct Waits {
    by_owner: HashMap<Owner, SmallVec<[Wait; 1]>>,
    len: usize,
}

impl Waits {
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The waits of `owner`, oldest first.
    pub(super) fn of(&self, owner: &Owner) -> &[Wait] {
        self.by_owner.get(owner).map_or(&[], |waits| waits.as_slice())
    }

    pub(super) fn find(&self, owner: &Owner, id: &str) -> Option<&Wait> {
        self.of(owner).iter().find(|wait| &*wait.id == id)
    }

    pub(super) fn find_mut(&mut self, owner: &Owner, id: &str) -> Option<&mut Wait> {
        self.by_owner.get_mut(owner)?.iter_mut().find(|wait| &*wait.id == id)
    }

    /// Adds the newest wait of `owner`.
    pub(super) fn push(&mut self, owner: Owner, wait: Wait) {
        self.by_owner.entry(owner).or_default().push(wait);
        self.len += 1;
    }

    pub(super) fn remove(&mut self, owner: &Owner, id: &str) {
        let Some(waits) = self.by_owner.get_mut(owner) else {
            return;
        };
        if let Some(index) = waits.iter().position(|wait| &*wait.id == id) {
            waits.remove(index);
            self.len -= 1;
        }
        if waits.is_empty() {
            self.by_owner.remove(owner);
        }
    }

    /// Takes all waits of `owner` out.
    pub(super) fn remove_all(&mut self, owner: &Owner) -> SmallVec<[Wait; 1]> {
        let waits = self.by_owner.remove(owner).unwrap_or_default();
        self.len -= waits.len();
        waits
    }
}
