//! Conversations: those that wait, and turns on their way.

use super::settings::millis;
use super::{RedisStore, scripts, strange};
use crate::keys;
use async_trait::async_trait;
use incar_core::{Checkpoints, Lease, Owner, SessionId, SessionRecord, SessionStore, Stage, StoreError, Timestamp};

/// The keys of one session.
struct Names {
    session: String,
    ids: String,
    /// The session as a member of the set of those under way.
    member: String,
}

/// Whether a claim wants only what is under way.
#[derive(Clone, Copy)]
enum Want {
    Any,
    UnderWay,
}

/// Says how long the id is: ids and cars may hold anything.
fn member(owner: &Owner, id: &str) -> String {
    format!("{}:{id}{}", id.len(), keys::of_owner(owner))
}

fn of_member(member: &str) -> Option<(Owner, &str)> {
    let (length, rest) = member.split_once(':')?;
    let (id, owner) = rest.split_at_checked(length.parse().ok()?)?;
    Some((keys::owner_of(owner)?, id))
}

fn stage_number(stage: Stage) -> u8 {
    match stage {
        Stage::Waiting => 0,
        Stage::UnderWay => 1,
    }
}

/// What a script says beside "ok".
fn refusal(answer: &str) -> StoreError {
    match answer {
        "taken" => StoreError::Taken,
        "unknown" => StoreError::Unknown,
        "expired" => StoreError::Expired,
        "busy" => StoreError::Busy,
        "lost" => StoreError::Lost,
        other => strange(other),
    }
}

/// Splits an answer into what follows "ok".
fn accepted(answer: &[String]) -> Result<&[String], StoreError> {
    match answer {
        [first, rest @ ..] if first == "ok" => Ok(rest),
        [first, ..] => Err(refusal(first)),
        [] => Err(strange("")),
    }
}

fn number(text: &str) -> Result<u64, StoreError> {
    text.parse().map_err(|_| strange(text))
}

impl RedisStore {
    fn names(&self, owner: &Owner, id: &str) -> Names {
        Names {
            session: self.session_prefix(owner) + id,
            ids: self.key("ids", owner),
            member: member(owner, id),
        }
    }

    /// Says how long the owner's name is, so that owner and id cannot run into each other.
    fn session_prefix(&self, owner: &Owner) -> String {
        let owner_key = keys::of_owner(owner);
        format!("{}:session:{}:{owner_key}:", self.settings.prefix, owner_key.len())
    }

    fn counter(&self) -> String {
        format!("{}:counter", self.settings.prefix)
    }

    fn under_way(&self) -> String {
        format!("{}:under-way", self.settings.prefix)
    }

    /// Adds a session; the token of its claim, 0 where it has none.
    async fn add(&self, record: &SessionRecord, now: Timestamp) -> Result<u64, StoreError> {
        let names = self.names(&record.owner, &record.id);
        let answer: Vec<String> = self
            .invoke(
                scripts::INSERT
                    .key(names.session)
                    .key(names.ids)
                    .key(self.counter())
                    .key(self.under_way())
                    .arg(&*record.id)
                    .arg(record.expires_at.as_millis())
                    .arg(stage_number(record.stage))
                    .arg(&*record.state)
                    .arg(now.as_millis())
                    .arg(names.member)
                    .arg(millis(self.settings.expired_age)),
            )
            .await?;
        match accepted(&answer)? {
            [token] => number(token),
            _ => Err(strange("an insert without a token")),
        }
    }

    async fn take(&self, id: &str, owner: &Owner, now: Timestamp, want: Want) -> Result<Lease, StoreError> {
        let names = self.names(owner, id);
        let answer: Vec<String> = self
            .invoke(
                scripts::CLAIM
                    .key(names.session)
                    .key(names.ids)
                    .key(self.counter())
                    .key(self.under_way())
                    .arg(id)
                    .arg(now.as_millis())
                    .arg(millis(self.settings.claim_age))
                    .arg(names.member)
                    .arg(match want {
                        Want::Any => 0,
                        Want::UnderWay => 1,
                    }),
            )
            .await?;
        let [token, expires_at, stage, state] = accepted(&answer)? else {
            return Err(strange("a claim without its session"));
        };
        let stage = if stage == "1" { Stage::UnderWay } else { Stage::Waiting };
        let expires_at = Timestamp::from_millis(number(expires_at)?);
        let record = SessionRecord::new(id.into(), owner.clone(), expires_at, state.as_str()).at_stage(stage);
        Ok(Lease::new(record, number(token)?))
    }

    /// Writes a claimed session. One that waits from now on, until `expires_at`, is given back by it.
    async fn write(&self, lease: &Lease, stage: Stage, expires_at: Timestamp, state: &str) -> Result<(), StoreError> {
        let names = self.names(&lease.record.owner, &lease.record.id);
        let answer: Vec<String> = self
            .invoke(
                scripts::WRITE
                    .key(names.session)
                    .key(names.ids)
                    .key(self.under_way())
                    .arg(&*lease.record.id)
                    .arg(lease.token)
                    .arg(expires_at.as_millis())
                    .arg(stage_number(stage))
                    .arg(state)
                    .arg(names.member)
                    .arg(millis(self.settings.expired_age)),
            )
            .await?;
        accepted(&answer).map(drop)
    }

    async fn newest(&self, owner: &Owner, most: u64) -> Result<Vec<(SessionId, Timestamp)>, StoreError> {
        let found: Vec<(String, u64)> = self
            .invoke(
                scripts::LIST
                    .key(self.key("ids", owner))
                    .arg(self.session_prefix(owner))
                    .arg(most),
            )
            .await?;
        let session = |(id, expiry): (String, u64)| (id.into(), Timestamp::from_millis(expiry));
        Ok(found.into_iter().map(session).collect())
    }
}

#[async_trait]
impl SessionStore for RedisStore {
    async fn insert(&self, record: SessionRecord) -> Result<(), StoreError> {
        let record = record.at_stage(Stage::Waiting);
        self.add(&record, Timestamp::default()).await.map(drop)
    }

    async fn waiting(&self, owner: &Owner) -> Result<Option<SessionId>, StoreError> {
        Ok(self.newest(owner, 1).await?.pop().map(|(id, _)| id))
    }

    async fn claim(&self, id: &str, owner: &Owner, now: Timestamp) -> Result<Lease, StoreError> {
        self.take(id, owner, now, Want::Any).await
    }

    async fn put_back(&self, lease: Lease, expires_at: Timestamp, state: Box<str>) -> Result<(), StoreError> {
        self.write(&lease, Stage::Waiting, expires_at, &state).await
    }

    async fn release(&self, lease: Lease) -> Result<(), StoreError> {
        let names = self.names(&lease.record.owner, &lease.record.id);
        let answer: Vec<String> = self
            .invoke(scripts::RELEASE.key(names.session).arg(lease.token))
            .await?;
        accepted(&answer).map(drop)
    }

    async fn close(&self, lease: Lease) -> Result<(), StoreError> {
        let names = self.names(&lease.record.owner, &lease.record.id);
        let answer: Vec<String> = self
            .invoke(
                scripts::CLOSE
                    .key(names.session)
                    .key(names.ids)
                    .key(self.under_way())
                    .arg(&*lease.record.id)
                    .arg(lease.token)
                    .arg(names.member),
            )
            .await?;
        accepted(&answer).map(drop)
    }

    async fn list(&self, owner: &Owner) -> Result<Vec<(SessionId, Timestamp)>, StoreError> {
        self.newest(owner, u32::MAX.into()).await
    }

    async fn forget(&self, owner: &Owner) -> Result<(), StoreError> {
        let answer: Vec<String> = self
            .invoke(
                scripts::FORGET
                    .key(self.key("ids", owner))
                    .arg(self.session_prefix(owner)),
            )
            .await?;
        accepted(&answer).map(drop)
    }

    fn checkpoints(&self) -> Option<&dyn Checkpoints> {
        Some(self)
    }
}

#[async_trait]
impl Checkpoints for RedisStore {
    async fn begin(&self, record: SessionRecord, now: Timestamp) -> Result<Lease, StoreError> {
        let record = record.at_stage(Stage::UnderWay);
        let token = self.add(&record, now).await?;
        Ok(Lease::new(record, token))
    }

    async fn checkpoint(&self, lease: &Lease, state: Box<str>) -> Result<(), StoreError> {
        self.write(lease, Stage::UnderWay, lease.record.expires_at, &state)
            .await
    }

    async fn interrupted(&self, now: Timestamp) -> Result<Vec<Lease>, StoreError> {
        let members: Vec<String> = self.invoke(&scripts::UNDER_WAY.key(self.under_way())).await?;
        let mut leases = Vec::new();
        for (owner, id) in members.iter().filter_map(|member| of_member(member)) {
            match self.take(id, &owner, now, Want::UnderWay).await {
                Ok(lease) => leases.push(lease),
                // Another worker has it, or it is over.
                Err(StoreError::Busy | StoreError::Unknown | StoreError::Expired) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(leases)
    }
}
