//! Where waiting conversations are kept.

use crate::clock::Timestamp;
use crate::speaker::Owner;
use async_trait::async_trait;
use std::fmt::Debug;
use std::sync::Arc;

/// The id of a session: unguessable, and worth nothing to anyone but its owner.
pub type SessionId = Arc<str>;

/// A waiting conversation as a store keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionRecord {
    /// The id.
    pub id: SessionId,
    /// Whose it is.
    pub owner: Owner,
    /// When the wait runs out, judged by the host's clock: from this moment on it is expired.
    pub expires_at: Timestamp,
    /// What `state` is.
    pub stage: Stage,
    /// The conversation, serialised by the runner; the store does not look inside.
    pub state: Box<str>,
}

/// How far a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// It waits for its speaker.
    Waiting,
    /// A turn of it was saved on its way ([`Checkpoints`]).
    UnderWay,
}

impl SessionRecord {
    /// A record of a conversation that waits.
    pub fn new(id: SessionId, owner: Owner, expires_at: Timestamp, state: impl Into<Box<str>>) -> Self {
        Self {
            id,
            owner,
            expires_at,
            stage: Stage::Waiting,
            state: state.into(),
        }
    }

    /// The same record at `stage`.
    #[must_use]
    pub fn at_stage(mut self, stage: Stage) -> Self {
        self.stage = stage;
        self
    }
}

/// The right to go on with a session: nobody else has it until it is given back.
///
/// A lease that is dropped (a panic, a cancelled turn) gives nothing back; after a store's own age
/// bound, judged by the `now` of the next claim, that claim takes the session over.
#[derive(Debug)]
#[non_exhaustive]
pub struct Lease {
    /// The record as it was when it was claimed.
    pub record: SessionRecord,
    /// Distinguishes this claim from every other.
    pub token: u64,
}

impl Lease {
    /// A lease; made by stores.
    pub fn new(record: SessionRecord, token: u64) -> Self {
        Self { record, token }
    }
}

/// Why a store did not do what was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// No such session for this owner: never was, is finished, or is somebody else's.
    #[error("no such session")]
    Unknown,
    /// The wait ran out, or the store had no room for it; told once, then unknown.
    #[error("the session expired")]
    Expired,
    /// Another utterance holds it.
    #[error("the session is being served")]
    Busy,
    /// The id is in use already.
    #[error("the session id is taken")]
    Taken,
    /// The lease is not valid any more.
    #[error("the claim on the session was lost")]
    Lost,
    /// The back end failed.
    #[error("the session store failed: {0}")]
    Backend(String),
}

/// Keeps waiting conversations. Claims are exclusive; an id works only for its owner, and nobody
/// else can tell whether it exists.
///
/// "Newest" is inserted last: neither a claim nor giving it back changes the order, so an inner
/// question stays above the one it digressed from.
#[async_trait]
pub trait SessionStore: Send + Sync + Debug {
    /// Adds a session.
    ///
    /// # Errors
    /// [`StoreError::Taken`], [`StoreError::Backend`].
    async fn insert(&self, record: SessionRecord) -> Result<(), StoreError>;

    /// The id of the newest session that waits for `owner`, expired and claimed ones included (a
    /// claim tells).
    ///
    /// # Errors
    /// [`StoreError::Backend`].
    async fn waiting(&self, owner: &Owner) -> Result<Option<SessionId>, StoreError>;

    /// Claims a session. An expired one is removed by this, unless a claim made in time holds it or
    /// it is under way: what a turn may have done must be told however late.
    /// Never waits for another claim.
    ///
    /// # Errors
    /// [`StoreError::Unknown`], [`StoreError::Expired`], [`StoreError::Busy`], [`StoreError::Backend`].
    async fn claim(&self, id: &str, owner: &Owner, now: Timestamp) -> Result<Lease, StoreError>;

    /// Writes the session anew and gives the claim back. However late, this works unless another
    /// claim took the session over.
    ///
    /// # Errors
    /// [`StoreError::Lost`], [`StoreError::Backend`].
    async fn put_back(&self, lease: Lease, expires_at: Timestamp, state: Box<str>) -> Result<(), StoreError>;

    /// Gives the claim back; the session stays as it was.
    ///
    /// # Errors
    /// [`StoreError::Lost`], [`StoreError::Backend`].
    async fn release(&self, lease: Lease) -> Result<(), StoreError>;

    /// Ends the session.
    ///
    /// # Errors
    /// [`StoreError::Lost`], [`StoreError::Backend`].
    async fn close(&self, lease: Lease) -> Result<(), StoreError>;

    /// All sessions of `owner` that wait, newest first, with their expiry: for showing, not for use.
    ///
    /// # Errors
    /// [`StoreError::Backend`].
    async fn list(&self, owner: &Owner) -> Result<Vec<(SessionId, Timestamp)>, StoreError>;

    /// Deletes every session of `owner`, claimed and expired ones included; leases on them are lost.
    ///
    /// # Errors
    /// [`StoreError::Backend`].
    async fn forget(&self, owner: &Owner) -> Result<(), StoreError>;

    /// The store's way to keep turns under way, where what it keeps outlives the process. `None`:
    /// it does not, and turns are not saved on their way.
    fn checkpoints(&self) -> Option<&dyn Checkpoints> {
        None
    }
}

/// Keeps turns on their way, for a process that dies in the middle of one.
#[async_trait]
pub trait Checkpoints: Send + Sync {
    /// Adds a session whose first turn is under way, claimed from the start.
    ///
    /// # Errors
    /// [`StoreError::Taken`], [`StoreError::Backend`].
    async fn begin(&self, record: SessionRecord, now: Timestamp) -> Result<Lease, StoreError>;

    /// Writes how far the turn of a claimed session is; the claim stays. The session is
    /// [`Stage::UnderWay`] from then on, until it is put back or closed. Returns once it is as safe
    /// as the store makes it.
    ///
    /// # Errors
    /// [`StoreError::Lost`], [`StoreError::Backend`].
    async fn checkpoint(&self, lease: &Lease, state: Box<str>) -> Result<(), StoreError>;

    /// Claims every session that is under way and that nobody holds any more, expired or not.
    ///
    /// # Errors
    /// [`StoreError::Backend`].
    async fn interrupted(&self, now: Timestamp) -> Result<Vec<Lease>, StoreError>;
}
