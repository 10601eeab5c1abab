//! When a wait is over.

use super::{START, WAIT, claim, insert, must, must_refuse, new_owner};
use incar_core::{Seat, SessionId, SessionStore, StoreError, Timestamp};

/// A wait is over at `expires_at`, not a millisecond before.
///
/// # Panics
/// Where the store is at fault.
pub async fn a_wait_ends_exactly_at_its_bound(store: &dyn SessionStore) {
    let owner = new_owner(Seat::Driver);
    let bound = START.plus(WAIT);
    let before = Timestamp::from_millis(bound.as_millis() - 1);
    let id = insert(store, &owner, "state").await;
    let lease = must(
        store.claim(&id, &owner, before).await,
        "a wait holds until the millisecond before its bound",
    );
    must(store.release(lease).await, "a claimed session can be released");
    must_refuse(
        store.claim(&id, &owner, bound).await,
        &StoreError::Expired,
        "a wait is over at its bound",
    );
}

/// Whoever comes too late is told so once; the session is gone then, even if the clock is set back.
///
/// # Panics
/// Where the store is at fault.
pub async fn an_expired_wait_is_told_once(store: &dyn SessionStore) {
    let owner = new_owner(Seat::Driver);
    let id = insert(store, &owner, "state").await;
    let late = START.plus(WAIT * 2);
    assert_eq!(
        store.waiting(&owner).await,
        Ok(Some(id.clone())),
        "an expired session is found, so that its claim can tell"
    );
    must_refuse(
        store.claim(&id, &owner, late).await,
        &StoreError::Expired,
        "a wait that ran out is told",
    );
    for now in [late, START] {
        must_refuse(
            store.claim(&id, &owner, now).await,
            &StoreError::Unknown,
            "a wait that ran out is told once",
        );
    }
    assert_eq!(
        store.waiting(&owner).await,
        Ok(None),
        "an expired session told does not wait"
    );
    assert_eq!(
        store.list(&owner).await,
        Ok(vec![]),
        "an expired session told is not listed"
    );
}

/// A turn that began in time is not cut off by the end of the wait.
///
/// # Panics
/// Where the store is at fault.
pub async fn a_claim_made_in_time_outlives_the_wait(store: &dyn SessionStore) {
    let owner = new_owner(Seat::Driver);
    let bound = START.plus(WAIT);
    let before = Timestamp::from_millis(bound.as_millis() - 1);
    let id = insert(store, &owner, "state").await;
    let lease = must(store.claim(&id, &owner, before).await, "a wait holds until its bound");
    must_refuse(
        store.claim(&id, &owner, bound).await,
        &StoreError::Busy,
        "a session claimed in time is busy, not expired",
    );
    must(
        store.put_back(lease, bound.plus(WAIT), "state".into()).await,
        "a session claimed in time can be put back after its wait",
    );
    must(
        store.claim(&id, &owner, bound).await,
        "a session put back waits until its new expiry",
    );
}

/// For stores that drop sessions to make room: the least recently used goes, the new one is always
/// admitted, and the owner of the one dropped is told [`StoreError::Expired`] once. `store` must be
/// empty and have room for exactly two sessions of a few bytes.
///
/// # Panics
/// Where the store is at fault.
pub async fn evictions_are_told_once(store: &dyn SessionStore) {
    let owner = new_owner(Seat::Driver);
    let stranger = new_owner(Seat::Driver);
    let a = insert(store, &owner, "a").await;
    let b = insert(store, &owner, "b").await;
    let lease = claim(store, &owner, &a).await;
    must(store.release(lease).await, "a claimed session can be released");
    let c = insert(store, &owner, "c").await;
    let ids: Vec<SessionId> = must(store.list(&owner).await, "sessions can be listed")
        .into_iter()
        .map(|(id, _)| id)
        .collect();
    assert_eq!(ids, [c, a], "the least recently used gives way, and is not listed");
    must_refuse(
        store.claim(&b, &stranger, START).await,
        &StoreError::Unknown,
        "another owner's evicted session is unknown",
    );
    must_refuse(
        store.claim(&b, &owner, START).await,
        &StoreError::Expired,
        "an evicted session is told to its owner",
    );
    must_refuse(
        store.claim(&b, &owner, START).await,
        &StoreError::Unknown,
        "an evicted session is told once",
    );
}
