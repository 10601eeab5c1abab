//! How far a turn is, written down where it outlives the process.

use incar_core::turn::Turn;
use incar_core::{Lease, Owner, SessionRecord, SessionStore, Speaker, StoreError, Timestamp};
use incar_sessions::new_session_id;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// A turn on its way, as it is saved: written from what is there, read into what is its own.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SavedTurn<'a> {
    pub(crate) at: Timestamp,
    pub(crate) speaker: Cow<'a, Speaker>,
    pub(crate) utterance: Cow<'a, str>,
    pub(crate) turn: Cow<'a, Turn>,
}

/// The session that a turn goes on with, and the turn itself on a store that outlives the process.
#[derive(Debug)]
pub(crate) struct Progress<'a> {
    store: &'a dyn SessionStore,
    orphans: &'a Orphans,
    speaker: &'a Speaker,
    utterance: &'a str,
    wait: Duration,
    lease: Option<Lease>,
}

impl<'a> Progress<'a> {
    /// Of a turn with what is claimed for it.
    pub(crate) fn new(
        store: &'a dyn SessionStore,
        orphans: &'a Orphans,
        speaker: &'a Speaker,
        utterance: &'a str,
        wait: Duration,
        lease: Option<Lease>,
    ) -> Self {
        Self {
            store,
            orphans,
            speaker,
            utterance,
            wait,
            lease,
        }
    }

    /// Whether the store keeps turns on their way.
    pub(super) fn is_kept(&self) -> bool {
        self.store.checkpoints().is_some()
    }

    /// Saves the turn as it is.
    pub(super) async fn save(&mut self, turn: &Turn, at: Timestamp) -> Result<(), StoreError> {
        let Some(checkpoints) = self.store.checkpoints() else {
            return Ok(());
        };
        let saving = SavedTurn {
            at,
            speaker: Cow::Borrowed(self.speaker),
            utterance: Cow::Borrowed(self.utterance),
            turn: Cow::Borrowed(turn),
        };
        let state = serde_json::to_string(&saving).map_err(|error| StoreError::Backend(error.to_string()))?;
        match &self.lease {
            Some(lease) => checkpoints.checkpoint(lease, state.into()).await,
            None => {
                let record = SessionRecord::new(new_session_id(), self.speaker.owner(), at.plus(self.wait), state);
                self.lease = Some(checkpoints.begin(record, at).await?);
                Ok(())
            }
        }
    }

    /// The claim, for giving it back.
    pub(crate) fn into_lease(mut self) -> (Option<Lease>, GivingBack<'a>) {
        let lease = self.lease.take();
        // Other stores give back at once.
        let kept = lease.as_ref().filter(|_| self.is_kept());
        let giving_back = GivingBack {
            orphans: self.orphans,
            lease: kept.map(name_of),
        };
        (lease, giving_back)
    }
}

/// A claim that is being given back; should that be dropped on its way, it is left to the next turn.
#[derive(Debug)]
pub(crate) struct GivingBack<'a> {
    orphans: &'a Orphans,
    lease: Option<Lease>,
}

/// What a store needs of a lease for releasing it: not the state.
fn name_of(lease: &Lease) -> Lease {
    let record = &lease.record;
    let record = SessionRecord::new(record.id.clone(), record.owner.clone(), record.expires_at, "");
    Lease::new(record, lease.token)
}

impl<'a> GivingBack<'a> {
    /// Of a claim that a turn did not make.
    pub(crate) fn new(orphans: &'a Orphans, lease: &Lease) -> Self {
        Self {
            orphans,
            lease: Some(name_of(lease)),
        }
    }

    /// It was given back.
    pub(crate) fn done(mut self) {
        self.lease = None;
    }
}

impl Drop for GivingBack<'_> {
    fn drop(&mut self) {
        if let Some(lease) = self.lease.take() {
            self.orphans.adopt(lease);
        }
    }
}

/// A turn that is dropped on its way leaves its claim to the speaker's next one.
impl Drop for Progress<'_> {
    fn drop(&mut self) {
        if let Some(lease) = self.lease.take() {
            self.orphans.adopt(lease);
        }
    }
}

/// Claims of turns that were dropped: nobody else can give them back.
#[derive(Debug, Default)]
pub(crate) struct Orphans(Mutex<HashMap<Owner, Vec<Lease>>>);

impl Orphans {
    fn adopt(&self, lease: Lease) {
        let mut orphans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        orphans.entry(lease.record.owner.clone()).or_default().push(lease);
    }

    /// Those of one owner.
    pub(crate) fn take(&self, owner: &Owner) -> Vec<Lease> {
        let mut orphans = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        orphans.remove(owner).unwrap_or_default()
    }
}
