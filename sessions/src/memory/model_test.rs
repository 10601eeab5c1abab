//! Random operations against a model that is too simple to be wrong.

use super::*;
use incar_core::{Seat, Speaker};
use proptest::prelude::*;
use std::collections::HashSet;
use std::time::Duration;

const CLAIM_AGE: u64 = 20;

#[derive(Debug, Clone)]
enum Operation {
    Insert {
        owner: usize,
        id: usize,
        wait: u64,
        state: String,
    },
    Claim {
        owner: usize,
        id: usize,
    },
    PutBack {
        lease: usize,
        wait: u64,
        state: String,
    },
    Release {
        lease: usize,
    },
    Close {
        lease: usize,
    },
    Advance {
        millis: u64,
    },
}

fn operation() -> impl Strategy<Value = Operation> {
    let (owner, id, lease) = (0usize..3, 0usize..4, 0usize..8);
    let (wait, state) = (0u64..60, "[a-c]{0,3}");
    prop_oneof![
        4 => (owner.clone(), id.clone(), wait.clone(), state)
            .prop_map(|(owner, id, wait, state)| Operation::Insert { owner, id, wait, state }),
        6 => (owner, id).prop_map(|(owner, id)| Operation::Claim { owner, id }),
        3 => (lease.clone(), wait, state)
            .prop_map(|(lease, wait, state)| Operation::PutBack { lease, wait, state }),
        1 => lease.clone().prop_map(|lease| Operation::Release { lease }),
        1 => lease.prop_map(|lease| Operation::Close { lease }),
        2 => (0u64..25).prop_map(|millis| Operation::Advance { millis }),
    ]
}

type Key = (usize, usize);

#[derive(Debug, Clone)]
struct Session {
    key: Key,
    expires_at: u64,
    state: String,
    /// The claim's number and its time.
    claim: Option<(usize, u64)>,
}

#[derive(Debug)]
struct Model {
    /// Oldest first.
    sessions: Vec<Session>,
    /// Those whose state is in memory, least recently used first.
    resident: Vec<Key>,
    capacity: usize,
    tombstones: HashSet<Key>,
    claims: usize,
}

impl Model {
    fn find(&mut self, key: Key) -> Option<&mut Session> {
        self.sessions.iter_mut().find(|session| session.key == key)
    }

    fn remove(&mut self, key: Key) {
        self.sessions.retain(|session| session.key != key);
        self.resident.retain(|resident| *resident != key);
    }

    fn touch(&mut self, key: Key) {
        self.resident.retain(|resident| *resident != key);
        self.resident.push(key);
        while self.resident.len() > self.capacity {
            let evicted = self.resident.remove(0);
            if self.find(evicted).is_some_and(|session| session.claim.is_none()) {
                self.remove(evicted);
                self.tombstones.insert(evicted);
            }
        }
    }

    fn insert(&mut self, key: Key, expires_at: u64, state: String) -> Result<(), StoreError> {
        if self.find(key).is_some() {
            return Err(StoreError::Taken);
        }
        self.tombstones.remove(&key);
        self.sessions.push(Session {
            key,
            expires_at,
            state,
            claim: None,
        });
        self.touch(key);
        Ok(())
    }

    fn claim(&mut self, key: Key, now: u64) -> Result<Session, StoreError> {
        let claims = self.claims + 1;
        let resident = self.resident.contains(&key);
        let Some(session) = self.find(key) else {
            return Err(if self.tombstones.remove(&key) {
                StoreError::Expired
            } else {
                StoreError::Unknown
            });
        };
        if session.claim.is_some_and(|(_, since)| now - since < CLAIM_AGE) {
            return Err(StoreError::Busy);
        }
        if now >= session.expires_at || !resident {
            self.remove(key);
            return Err(StoreError::Expired);
        }
        session.claim = Some((claims, now));
        let session = session.clone();
        self.claims = claims;
        self.touch(key);
        Ok(session)
    }

    fn give_back(&mut self, lease: &Session, then: impl FnOnce(&mut Self, &mut Session)) -> Result<(), StoreError> {
        let Some(session) = self.find(lease.key).filter(|session| session.claim == lease.claim) else {
            return Err(StoreError::Lost);
        };
        session.claim = None;
        let mut written = session.clone();
        then(self, &mut written);
        if let Some(session) = self.find(lease.key) {
            *session = written;
        }
        Ok(())
    }
}

/// Runs `operations` on the store and the model.
fn agree(operations: Vec<Operation>, capacity: usize) -> Result<(), TestCaseError> {
    let settings = MemorySettings::default()
        .with_bound(Bound::Sessions(capacity as u64))
        .with_claim_age(Duration::from_millis(CLAIM_AGE));
    let store = MemoryStore::new(settings);
    let mut model = Model {
        sessions: Vec::new(),
        resident: Vec::new(),
        capacity,
        tombstones: HashSet::new(),
        claims: 0,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let owners = [Seat::Driver, Seat::Passenger, Seat::RearLeft].map(|seat| Speaker::new("car", seat).owner());
    let mut leases: Vec<(Lease, Session)> = Vec::new();
    let mut now = 1_000;

    for operation in operations {
        let shown = format!("{operation:?}");
        match operation {
            Operation::Insert { owner, id, wait, state } => {
                let expires_at = Timestamp::from_millis(now + wait);
                let record =
                    SessionRecord::new(id.to_string().into(), owners[owner].clone(), expires_at, state.as_str());
                let real = runtime.block_on(store.insert(record));
                prop_assert_eq!(real, model.insert((owner, id), now + wait, state), "{}", shown);
            }
            Operation::Claim { owner, id } => {
                let real = runtime.block_on(store.claim(&id.to_string(), &owners[owner], Timestamp::from_millis(now)));
                match (real, model.claim((owner, id), now)) {
                    (Ok(lease), Ok(session)) => {
                        prop_assert_eq!(&*lease.record.state, session.state.as_str());
                        prop_assert_eq!(lease.record.expires_at.as_millis(), session.expires_at);
                        leases.push((lease, session));
                    }
                    (real, model) => prop_assert_eq!(real.err(), model.err(), "{}", shown),
                }
            }
            Operation::PutBack { lease, wait, state } if lease < leases.len() => {
                let (lease, session) = leases.swap_remove(lease);
                let expires_at = Timestamp::from_millis(now + wait);
                let real = runtime.block_on(store.put_back(lease, expires_at, state.as_str().into()));
                let expected = model.give_back(&session, |model, written| {
                    written.state = state;
                    written.expires_at = now + wait;
                    if let Some(session) = model.find(written.key) {
                        session.claim = None;
                    }
                    model.touch(written.key);
                });
                prop_assert_eq!(real, expected, "{}", shown);
            }
            Operation::Release { lease } if lease < leases.len() => {
                let (lease, session) = leases.swap_remove(lease);
                let real = runtime.block_on(store.release(lease));
                let expected = model.give_back(&session, |model, written| {
                    if !model.resident.contains(&written.key) {
                        model.touch(written.key);
                    }
                });
                prop_assert_eq!(real, expected, "{}", shown);
            }
            Operation::Close { lease } if lease < leases.len() => {
                let (lease, session) = leases.swap_remove(lease);
                let real = runtime.block_on(store.close(lease));
                let expected = model.give_back(&session, |model, written| model.remove(written.key));
                prop_assert_eq!(real, expected, "{}", shown);
            }
            Operation::Advance { millis } => now += millis,
            Operation::PutBack { .. } | Operation::Release { .. } | Operation::Close { .. } => {}
        }

        prop_assert_eq!(store.len(), model.sessions.len(), "after {}", shown);
        for (number, owner) in owners.iter().enumerate() {
            let expected: Vec<(SessionId, Timestamp)> = model
                .sessions
                .iter()
                .rev()
                .filter(|session| session.key.0 == number)
                .map(|session| {
                    (
                        session.key.1.to_string().into(),
                        Timestamp::from_millis(session.expires_at),
                    )
                })
                .collect();
            let newest = expected.first().map(|(id, _)| id.clone());
            prop_assert_eq!(runtime.block_on(store.waiting(owner)), Ok(newest));
            prop_assert_eq!(runtime.block_on(store.list(owner)), Ok(expected), "after {}", shown);
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn a_store_with_room_agrees_with_the_model(operations in prop::collection::vec(operation(), 0..80)) {
        agree(operations, 100)?;
    }

    #[test]
    fn a_store_that_is_too_small_agrees_with_the_model(
        operations in prop::collection::vec(operation(), 0..80),
        capacity in 1usize..4,
    ) {
        agree(operations, capacity)?;
    }
}
