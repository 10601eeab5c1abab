//! Who may go on with a session.

use super::{START, WAIT, claim, insert, must, must_refuse, new_owner};
use crate::new_session_id;
use incar_core::{Lease, Owner, Seat, SessionStore, StoreError, Timestamp};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Another owner learns nothing from an id: not whether it waits, is claimed, has expired or was
/// closed; and does nothing to it.
///
/// # Panics
/// Where the store is at fault.
pub async fn another_owners_id_is_like_no_id(store: &dyn SessionStore) {
    let owner = new_owner(Seat::Driver);
    let stranger = new_owner(Seat::Driver);
    let other_seat = Owner {
        car: owner.car.clone(),
        seat: Seat::Passenger,
    };
    let id = insert(store, &owner, "secret").await;
    let is_unknown = async |when: &str, now: Timestamp| {
        for other in [&stranger, &other_seat] {
            must_refuse(store.claim(&id, other, now).await, &StoreError::Unknown, when);
            assert_eq!(store.waiting(other).await, Ok(None), "nothing waits for another owner");
            assert_eq!(
                store.list(other).await,
                Ok(vec![]),
                "nothing is listed for another owner"
            );
        }
    };
    is_unknown("another owner's waiting session is unknown", START).await;
    let lease = claim(store, &owner, &id).await;
    is_unknown("another owner's claimed session is unknown", START).await;
    must(store.release(lease).await, "another owner must not disturb a claim");
    let late = START.plus(WAIT);
    is_unknown("another owner's expired session is unknown", late).await;
    must_refuse(
        store.claim(&id, &owner, late).await,
        &StoreError::Expired,
        "its owner must still be told that it expired",
    );
    is_unknown("another owner's finished session is unknown", late).await;
    must_refuse(
        store.claim(&new_session_id(), &owner, START).await,
        &StoreError::Unknown,
        "an id that never was is unknown",
    );
}

/// A claim shuts out every other until it is given back, and stays visible as waiting.
///
/// # Panics
/// Where the store is at fault.
pub async fn a_claimed_session_is_busy(store: &dyn SessionStore) {
    let owner = new_owner(Seat::Driver);
    let id = insert(store, &owner, "state").await;
    let lease = claim(store, &owner, &id).await;
    for _ in 0..2 {
        must_refuse(
            store.claim(&id, &owner, START).await,
            &StoreError::Busy,
            "a claimed session is busy",
        );
    }
    assert_eq!(
        store.waiting(&owner).await,
        Ok(Some(id.clone())),
        "a claimed session is found, so that its claim can tell it is busy"
    );
    must(
        store.put_back(lease, START.plus(WAIT), "state".into()).await,
        "a refused claim must not disturb the one that holds",
    );
    claim(store, &owner, &id).await;
}

/// A lease that was dropped frees its session after `claim_age`, as it was when claimed; the old
/// claim is lost then.
///
/// # Panics
/// Where the store is at fault.
pub async fn a_dropped_lease_is_taken_over(store: &dyn SessionStore, claim_age: Duration) {
    let owner = new_owner(Seat::Driver);
    let free_at = START.plus(claim_age);
    let before = Timestamp::from_millis(free_at.as_millis() - 1);
    for give_back in [GiveBack::PutBack, GiveBack::Release, GiveBack::Close] {
        let id = insert(store, &owner, "state").await;
        let old = claim(store, &owner, &id).await;
        must_refuse(
            store.claim(&id, &owner, before).await,
            &StoreError::Busy,
            "a claim holds until its age bound",
        );
        let new = must(
            store.claim(&id, &owner, free_at).await,
            "a claim can be taken over at its age bound",
        );
        assert_eq!(new.record, old.record, "a session taken over is as it was");
        must_refuse(
            give_back.run(store, old).await,
            &StoreError::Lost,
            "a claim that was taken over is lost",
        );
        must_refuse(
            store.claim(&id, &owner, free_at).await,
            &StoreError::Busy,
            "the new claim must be untouched by the old one",
        );
        must(store.close(new).await, "the new claim is good");
    }
}

/// A lease that is only late, with nobody after it, is still good.
///
/// # Panics
/// Where the store is at fault.
pub async fn a_late_lease_is_good_until_it_is_taken_over(store: &dyn SessionStore, claim_age: Duration) {
    let owner = new_owner(Seat::Driver);
    let id = insert(store, &owner, "first").await;
    let lease = claim(store, &owner, &id).await;
    let other = insert(store, &owner, "other").await;
    must(
        store.claim(&other, &owner, START.plus(claim_age)).await,
        "another session can be claimed meanwhile",
    );
    must(
        store.put_back(lease, START.plus(WAIT), "second".into()).await,
        "a late lease that nobody took over is good",
    );
    let lease = claim(store, &owner, &id).await;
    assert_eq!(&*lease.record.state, "second", "a late lease must write");
    must(store.close(lease).await, "a claimed session can be closed");
    must_refuse(
        store.claim(&id, &owner, START).await,
        &StoreError::Unknown,
        "a closed session is unknown",
    );
}

#[derive(Clone, Copy)]
enum GiveBack {
    PutBack,
    Release,
    Close,
}

impl GiveBack {
    async fn run(self, store: &dyn SessionStore, lease: Lease) -> Result<(), StoreError> {
        match self {
            Self::PutBack => store.put_back(lease, START.plus(WAIT), "lost".into()).await,
            Self::Release => store.release(lease).await,
            Self::Close => store.close(lease).await,
        }
    }
}

/// Hundreds of tasks claim one session: one has it at a time, and no write is lost.
///
/// # Panics
/// Where the store is at fault, and outside a tokio runtime.
pub async fn concurrent_claims_exclude_each_other(store: Arc<dyn SessionStore>) {
    const TASKS: usize = 300;
    let owner = new_owner(Seat::Driver);
    let id = insert(&*store, &owner, "0").await;
    let held = Arc::new(AtomicBool::new(false));
    let tasks: Vec<_> = (0..TASKS)
        .map(|_| {
            let (store, owner, id, held) = (store.clone(), owner.clone(), id.clone(), held.clone());
            tokio::spawn(async move { count_up(&*store, &owner, &id, &held).await })
        })
        .collect();
    for task in tasks {
        assert!(task.await.is_ok(), "a task failed; its panic says why");
    }
    let lease = claim(&*store, &owner, &id).await;
    assert_eq!(&*lease.record.state, TASKS.to_string(), "no write may be lost");
}

/// Adds one to the number in the session.
async fn count_up(store: &dyn SessionStore, owner: &Owner, id: &str, held: &AtomicBool) {
    let lease = loop {
        match store.claim(id, owner, START).await {
            Ok(lease) => break lease,
            Err(StoreError::Busy) => tokio::task::yield_now().await,
            Err(error) => panic!("a concurrent claim wins or is busy, but: {error}"),
        }
    };
    assert!(!held.swap(true, Ordering::SeqCst), "two claims hold one session");
    let Ok(count) = lease.record.state.parse::<usize>() else {
        panic!("the state was damaged: {}", lease.record.state);
    };
    tokio::task::yield_now().await;
    assert!(held.swap(false, Ordering::SeqCst), "two claims held one session");
    let state = (count + 1).to_string().into();
    must(
        store.put_back(lease, START.plus(WAIT), state).await,
        "the only claim can be put back",
    );
}
