//! Conversations: those that wait, and turns on their way.

use super::schema::{IDS, META, NEXT_KEY, SESSIONS, STATES, SessionHead, SessionKey};
use super::{DurableStore, Inner, Outcome};
use crate::claim::Claim;
use crate::keys;
use ::redb::{ReadableTable, Table, WriteTransaction};
use async_trait::async_trait;
use incar_core::{Checkpoints, Lease, Owner, SessionId, SessionRecord, SessionStore, Stage, StoreError, Timestamp};
use std::num::NonZeroU64;
use std::time::Duration;

type Fallible<T> = Result<T, ::redb::Error>;

/// A session but for its state.
#[derive(Debug, Clone)]
pub(super) struct Head {
    pub(super) id: String,
    pub(super) expires_at: Timestamp,
    pub(super) stage: Stage,
    pub(super) claim: Option<Claim>,
}

impl Head {
    pub(super) fn read((id, expires_at, stage, token, since): (&str, u64, u8, u64, u64)) -> Self {
        Self {
            id: id.to_owned(),
            expires_at: Timestamp::from_millis(expires_at),
            stage: if stage == 0 { Stage::Waiting } else { Stage::UnderWay },
            claim: NonZeroU64::new(token).map(|token| Claim {
                token,
                since: Timestamp::from_millis(since),
            }),
        }
    }

    fn row(&self) -> (&str, u64, u8, u64, u64) {
        let stage = match self.stage {
            Stage::Waiting => 0,
            Stage::UnderWay => 1,
        };
        let (token, since) = self
            .claim
            .map_or((0, 0), |claim| (claim.token.get(), claim.since.as_millis()));
        (&self.id, self.expires_at.as_millis(), stage, token, since)
    }

    pub(super) fn is_held(&self, now: Timestamp, age: Duration) -> bool {
        self.claim.is_some_and(|claim| claim.is_good(now, age))
    }
}

/// The tables of one writing transaction.
struct Tables<'a> {
    heads: Table<'a, SessionKey, SessionHead>,
    ids: Table<'a, (&'static str, &'static str), u64>,
    states: Table<'a, SessionKey, &'static str>,
    meta: Table<'a, &'static str, u64>,
}

impl<'a> Tables<'a> {
    fn open(transaction: &'a WriteTransaction) -> Fallible<Self> {
        Ok(Self {
            heads: transaction.open_table(SESSIONS)?,
            ids: transaction.open_table(IDS)?,
            states: transaction.open_table(STATES)?,
            meta: transaction.open_table(META)?,
        })
    }

    /// A number that was never given before.
    fn next(&mut self) -> Fallible<NonZeroU64> {
        let next = self.meta.get(NEXT_KEY)?.map_or(1, |next| next.value());
        self.meta.insert(NEXT_KEY, next.saturating_add(1))?;
        Ok(NonZeroU64::new(next).unwrap_or(NonZeroU64::MIN))
    }

    fn find(&self, owner: &str, id: &str) -> Fallible<Option<(u64, Head)>> {
        let Some(number) = self.ids.get((owner, id))?.map(|number| number.value()) else {
            return Ok(None);
        };
        let head = self.heads.get((owner, number))?;
        Ok(head.map(|head| (number, Head::read(head.value()))))
    }

    /// The session of a lease that is still good.
    fn claimed_by(&self, owner: &str, lease: &Lease) -> Fallible<Option<(u64, Head)>> {
        let found = self.find(owner, &lease.record.id)?;
        Ok(found.filter(|(_, head)| head.claim.is_some_and(|claim| claim.token.get() == lease.token)))
    }

    fn insert(&mut self, record: &SessionRecord, claim: Option<Claim>) -> Outcome<()> {
        let owner = keys::of_owner(&record.owner);
        if self.ids.get((&*owner, &*record.id))?.is_some() {
            return Ok(Err(StoreError::Taken));
        }
        let number = self.next()?.get();
        let head = Head {
            id: record.id.to_string(),
            expires_at: record.expires_at,
            stage: record.stage,
            claim,
        };
        self.ids.insert((&*owner, &*record.id), number)?;
        self.heads.insert((&*owner, number), head.row())?;
        self.states.insert((&*owner, number), &*record.state)?;
        Ok(Ok(()))
    }

    fn remove(&mut self, owner: &str, number: u64, id: &str) -> Fallible<()> {
        self.ids.remove((owner, id))?;
        self.heads.remove((owner, number))?;
        self.states.remove((owner, number))?;
        Ok(())
    }

    /// Gives a session that is free to whoever asks.
    fn claim(&mut self, owner: &Owner, number: u64, mut head: Head, now: Timestamp) -> Outcome<Lease> {
        let key = keys::of_owner(owner);
        let in_time = now < head.expires_at || head.stage == Stage::UnderWay;
        let state = if in_time {
            self.states.get((&*key, number))?
        } else {
            None
        };
        let Some(state) = state.map(|state| Box::<str>::from(state.value())) else {
            self.remove(&key, number, &head.id)?;
            return Ok(Err(StoreError::Expired));
        };
        let token = self.next()?;
        head.claim = Some(Claim { token, since: now });
        self.heads.insert((&*key, number), head.row())?;
        let record = SessionRecord::new(head.id.into(), owner.clone(), head.expires_at, state).at_stage(head.stage);
        Ok(Ok(Lease::new(record, token.get())))
    }
}

/// Claims end with their process.
pub(super) fn end_claims(transaction: &WriteTransaction) -> Fallible<()> {
    let mut heads = transaction.open_table(SESSIONS)?;
    let mut held = Vec::new();
    for row in heads.iter()? {
        let (key, head) = row?;
        let (owner, number) = key.value();
        let head = Head::read(head.value());
        if head.claim.is_some() {
            held.push((owner.to_owned(), number, head));
        }
    }
    for (owner, number, mut head) in held {
        head.claim = None;
        heads.insert((&*owner, number), head.row())?;
    }
    Ok(())
}

impl Inner {
    fn write_sessions<T>(&self, work: impl FnOnce(&mut Tables<'_>) -> Outcome<T>) -> Result<T, StoreError> {
        self.write(|transaction| work(&mut Tables::open(transaction)?))
    }

    /// Does `work` with the session of a lease that is still good.
    fn write_claimed(
        &self,
        lease: &Lease,
        work: impl FnOnce(&mut Tables<'_>, &str, u64, Head) -> Fallible<()>,
    ) -> Result<(), StoreError> {
        let owner = keys::of_owner(&lease.record.owner);
        self.write_sessions(|tables| match tables.claimed_by(&owner, lease)? {
            Some((number, head)) => Ok(Ok(work(tables, &owner, number, head)?)),
            None => Ok(Err(StoreError::Lost)),
        })
    }

    /// Heads of an owner, newest first.
    fn heads(&self, owner: &Owner, most: usize) -> Result<Vec<Head>, StoreError> {
        let owner = keys::of_owner(owner);
        self.read(|transaction| {
            let heads = transaction.open_table(SESSIONS)?;
            let rows = heads.range((&*owner, 0)..=(&*owner, u64::MAX))?.rev().take(most);
            Ok(Ok(rows
                .map(|row| row.map(|(_, head)| Head::read(head.value())))
                .collect::<Result<_, _>>()?))
        })
    }
}

#[async_trait]
impl SessionStore for DurableStore {
    async fn insert(&self, record: SessionRecord) -> Result<(), StoreError> {
        self.run(move |inner| inner.write_sessions(|tables| tables.insert(&record, None)))
            .await
    }

    async fn waiting(&self, owner: &Owner) -> Result<Option<SessionId>, StoreError> {
        let owner = owner.clone();
        self.run(move |inner| Ok(inner.heads(&owner, 1)?.pop().map(|head| head.id.into())))
            .await
    }

    async fn claim(&self, id: &str, owner: &Owner, now: Timestamp) -> Result<Lease, StoreError> {
        let (id, owner) = (id.to_owned(), owner.clone());
        self.run(move |inner| {
            inner.purge_at_times(now);
            let age = inner.settings.claim_age;
            inner.write_sessions(|tables| match tables.find(&keys::of_owner(&owner), &id)? {
                None => Ok(Err(StoreError::Unknown)),
                Some((_, head)) if head.is_held(now, age) => Ok(Err(StoreError::Busy)),
                Some((number, head)) => tables.claim(&owner, number, head, now),
            })
        })
        .await
    }

    async fn put_back(&self, lease: Lease, expires_at: Timestamp, state: Box<str>) -> Result<(), StoreError> {
        self.run(move |inner| {
            inner.write_claimed(&lease, |tables, owner, number, mut head| {
                head.claim = None;
                head.expires_at = expires_at;
                head.stage = Stage::Waiting;
                tables.heads.insert((owner, number), head.row())?;
                tables.states.insert((owner, number), &*state)?;
                Ok(())
            })
        })
        .await
    }

    async fn release(&self, lease: Lease) -> Result<(), StoreError> {
        self.run(move |inner| {
            inner.write_claimed(&lease, |tables, owner, number, mut head| {
                head.claim = None;
                tables.heads.insert((owner, number), head.row())?;
                Ok(())
            })
        })
        .await
    }

    async fn close(&self, lease: Lease) -> Result<(), StoreError> {
        self.run(move |inner| {
            inner.write_claimed(&lease, |tables, owner, number, head| {
                tables.remove(owner, number, &head.id)
            })
        })
        .await
    }

    async fn list(&self, owner: &Owner) -> Result<Vec<(SessionId, Timestamp)>, StoreError> {
        let owner = owner.clone();
        self.run(move |inner| {
            let heads = inner.heads(&owner, usize::MAX)?;
            Ok(heads
                .into_iter()
                .map(|head| (head.id.into(), head.expires_at))
                .collect())
        })
        .await
    }

    async fn forget(&self, owner: &Owner) -> Result<(), StoreError> {
        let owner = keys::of_owner(owner);
        self.run(move |inner| {
            inner.write_sessions(|tables| {
                tables.ids.retain_in((&*owner, "").., |(of, _), _| of != owner)?;
                let all = (&*owner, 0)..=(&*owner, u64::MAX);
                tables.heads.retain_in(all.clone(), |_, _| false)?;
                tables.states.retain_in(all, |_, _| false)?;
                Ok(Ok(()))
            })
        })
        .await
    }

    fn checkpoints(&self) -> Option<&dyn Checkpoints> {
        Some(self)
    }
}

#[async_trait]
impl Checkpoints for DurableStore {
    async fn begin(&self, record: SessionRecord, now: Timestamp) -> Result<Lease, StoreError> {
        let record = record.at_stage(Stage::UnderWay);
        self.run(move |inner| {
            inner.write_sessions(|tables| {
                let token = tables.next()?;
                let inserted = tables.insert(&record, Some(Claim { token, since: now }))?;
                Ok(inserted.map(|()| Lease::new(record, token.get())))
            })
        })
        .await
    }

    async fn checkpoint(&self, lease: &Lease, state: Box<str>) -> Result<(), StoreError> {
        let record = SessionRecord::new(
            lease.record.id.clone(),
            lease.record.owner.clone(),
            lease.record.expires_at,
            "",
        );
        let lease = Lease::new(record, lease.token);
        self.run(move |inner| {
            inner.write_claimed(&lease, |tables, owner, number, mut head| {
                if head.stage != Stage::UnderWay {
                    head.stage = Stage::UnderWay;
                    tables.heads.insert((owner, number), head.row())?;
                }
                tables.states.insert((owner, number), &*state)?;
                Ok(())
            })
        })
        .await
    }

    async fn interrupted(&self, now: Timestamp) -> Result<Vec<Lease>, StoreError> {
        self.run(move |inner| {
            let age = inner.settings.claim_age;
            inner.write_sessions(|tables| {
                let mut free = Vec::new();
                for row in tables.heads.iter()? {
                    let (key, head) = row?;
                    let (owner, number) = key.value();
                    let head = Head::read(head.value());
                    if head.stage == Stage::UnderWay && !head.is_held(now, age) {
                        free.extend(keys::owner_of(owner).map(|owner| (owner, number, head)));
                    }
                }
                let mut leases = Vec::with_capacity(free.len());
                for (owner, number, head) in free {
                    leases.extend(tables.claim(&owner, number, head, now)?);
                }
                Ok(Ok(leases))
            })
        })
        .await
    }
}
