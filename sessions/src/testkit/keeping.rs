//! What is kept, and in which order it is found.

use super::{START, WAIT, claim, insert, must, must_refuse, new_owner};
use crate::new_session_id;
use incar_core::{Owner, Seat, SessionRecord, SessionStore, Speaker, StoreError};

/// What comes back is what was given, and listed while it waits.
///
/// # Panics
/// Where the store is at fault.
pub async fn a_session_is_kept_as_it_was_given(store: &dyn SessionStore) {
    let owner = new_owner(Seat::RearLeft);
    assert_eq!(
        store.waiting(&owner).await,
        Ok(None),
        "nothing waits for an owner who was never seen"
    );
    assert_eq!(store.list(&owner).await, Ok(vec![]), "and nothing is listed");
    let record = SessionRecord::new(new_session_id(), owner.clone(), START.plus(WAIT), r#"{"n":1}"#);
    must(store.insert(record.clone()).await, "a new session must be admitted");
    assert_eq!(store.waiting(&owner).await, Ok(Some(record.id.clone())), "it waits");
    assert_eq!(
        store.list(&owner).await,
        Ok(vec![(record.id.clone(), record.expires_at)]),
        "it is listed with its expiry"
    );
    let lease = claim(store, &owner, &record.id).await;
    assert_eq!(
        lease.record, record,
        "the claim must give the record as it was inserted"
    );
}

/// Texts of any script and size come back byte for byte.
///
/// # Panics
/// Where the store is at fault.
pub async fn any_text_is_kept(store: &dyn SessionStore) {
    let owner = Speaker::new(format!("京A·{} 🚗", new_session_id()), Seat::ThirdRow).owner();
    let texts = [
        String::new(),
        "{\"query\":\"打开主驾驶的车窗\\n\"}".to_owned(),
        "\u{0}\u{1}\u{7f}\u{feff}\u{202e}e\u{301}\u{10ffff}🧑‍🚀'\"\\\r\n".to_owned(),
        "空调 ac ".repeat(100_000),
    ];
    for text in texts {
        let id = insert(store, &owner, &text).await;
        let lease = claim(store, &owner, &id).await;
        assert!(
            *lease.record.state == *text,
            "a state of {} bytes must come back unchanged",
            text.len()
        );
        let again: Box<str> = format!("{text}2").into();
        must(
            store.put_back(lease, START.plus(WAIT), again.clone()).await,
            "any text can be put back",
        );
        let lease = claim(store, &owner, &id).await;
        assert!(
            lease.record.state == again,
            "a state of {} bytes put back must come back unchanged",
            again.len()
        );
        must(store.close(lease).await, "a claimed session can be closed");
    }
}

/// An id in use is refused, and what has it stays as it was.
///
/// # Panics
/// Where the store is at fault.
pub async fn an_id_is_taken_once(store: &dyn SessionStore) {
    let owner = new_owner(Seat::Driver);
    let id = insert(store, &owner, "first").await;
    let second = || SessionRecord::new(id.clone(), owner.clone(), START, "second");
    must_refuse(
        store.insert(second()).await,
        &StoreError::Taken,
        "the id of a waiting session is taken",
    );
    let lease = claim(store, &owner, &id).await;
    assert_eq!(&*lease.record.state, "first", "a refused insert must change nothing");
    must_refuse(
        store.insert(second()).await,
        &StoreError::Taken,
        "the id of a claimed session is taken",
    );
    must(store.close(lease).await, "a refused insert must leave the claim alone");
}

/// A closed session is gone like one that never was.
///
/// # Panics
/// Where the store is at fault.
pub async fn a_closed_session_is_unknown(store: &dyn SessionStore) {
    let owner = new_owner(Seat::Driver);
    let id = insert(store, &owner, "state").await;
    let lease = claim(store, &owner, &id).await;
    must(store.close(lease).await, "a claimed session can be closed");
    for now in [START, START.plus(WAIT)] {
        must_refuse(
            store.claim(&id, &owner, now).await,
            &StoreError::Unknown,
            "a closed session is unknown",
        );
    }
    assert_eq!(store.waiting(&owner).await, Ok(None), "a closed session does not wait");
    assert_eq!(store.list(&owner).await, Ok(vec![]), "a closed session is not listed");
}

/// Putting back writes state and expiry, and ends the claim.
///
/// # Panics
/// Where the store is at fault.
pub async fn what_was_put_back_is_what_is_claimed_next(store: &dyn SessionStore) {
    let owner = new_owner(Seat::Driver);
    let id = insert(store, &owner, "first").await;
    let later = START.plus(WAIT).plus(WAIT);
    let lease = claim(store, &owner, &id).await;
    let first = lease.token;
    must(
        store.put_back(lease, later, "second".into()).await,
        "a claimed session can be put back",
    );
    assert_eq!(
        store.list(&owner).await,
        Ok(vec![(id.clone(), later)]),
        "the new expiry is listed"
    );
    let lease = must(
        store.claim(&id, &owner, START.plus(WAIT)).await,
        "the new expiry counts, not the old one",
    );
    assert_eq!(
        lease.record,
        SessionRecord::new(id, owner, later, "second"),
        "the claim must give what was put back"
    );
    assert_ne!(lease.token, first, "every claim has a token of its own");
}

/// Releasing changes nothing and ends the claim.
///
/// # Panics
/// Where the store is at fault.
pub async fn a_released_session_is_as_it_was(store: &dyn SessionStore) {
    let owner = new_owner(Seat::Driver);
    let id = insert(store, &owner, "state").await;
    let lease = claim(store, &owner, &id).await;
    let record = lease.record.clone();
    must(store.release(lease).await, "a claimed session can be released");
    let lease = claim(store, &owner, &id).await;
    assert_eq!(lease.record, record, "a released session must be as it was");
}

/// Sessions are found and listed newest first, whatever was done to them since.
///
/// # Panics
/// Where the store is at fault.
pub async fn the_newest_wait_comes_first(store: &dyn SessionStore) {
    let owner = new_owner(Seat::Driver);
    let other = new_owner(Seat::Driver);
    let mut newest_first = Vec::new();
    for state in ["a", "b", "c"] {
        newest_first.insert(0, insert(store, &owner, state).await);
        insert(store, &other, state).await;
    }
    let [c, b, a] = newest_first.as_slice() else {
        unreachable!("three were inserted");
    };
    let lease = claim(store, &owner, a).await;
    must(
        store.put_back(lease, START.plus(WAIT * 3), "a2".into()).await,
        "a claimed session can be put back",
    );
    let lease = claim(store, &owner, b).await;
    must(store.release(lease).await, "a claimed session can be released");
    let listed = must(store.list(&owner).await, "sessions can be listed");
    assert_eq!(
        listed,
        [
            (c.clone(), START.plus(WAIT)),
            (b.clone(), START.plus(WAIT)),
            (a.clone(), START.plus(WAIT * 3)),
        ],
        "the newest comes first, and each with its own expiry"
    );
    for (newest, next) in [(c, Some(b)), (b, Some(a)), (a, None)] {
        assert_eq!(
            store.waiting(&owner).await,
            Ok(Some(newest.clone())),
            "the newest session is the one that waits"
        );
        let lease = claim(store, &owner, newest).await;
        must(store.close(lease).await, "a claimed session can be closed");
        assert_eq!(
            store.waiting(&owner).await,
            Ok(next.cloned()),
            "below a closed session the next one waits"
        );
    }
}

/// Forgetting reaches every session of one owner, claimed ones too, and nobody else's.
///
/// # Panics
/// Where the store is at fault.
pub async fn a_forgotten_session_is_unknown(store: &dyn SessionStore) {
    let owner = new_owner(Seat::Driver);
    let other = Owner {
        car: owner.car.clone(),
        seat: Seat::Passenger,
    };
    let (free, held) = (insert(store, &owner, "a").await, insert(store, &owner, "b").await);
    let theirs = insert(store, &other, "c").await;
    let lease = claim(store, &owner, &held).await;
    for _ in 0..2 {
        must(
            store.forget(&owner).await,
            "forgetting works, also where there is nothing",
        );
    }
    for id in [&free, &held] {
        must_refuse(
            store.claim(id, &owner, START).await,
            &StoreError::Unknown,
            "a forgotten session is unknown",
        );
    }
    assert_eq!(store.waiting(&owner).await, Ok(None), "nothing waits");
    assert_eq!(store.list(&owner).await, Ok(vec![]), "nothing is listed");
    must_refuse(
        store.put_back(lease, START.plus(WAIT), "b".into()).await,
        &StoreError::Lost,
        "its claim is lost",
    );
    assert_eq!(store.waiting(&other).await, Ok(Some(theirs)), "another's sessions stay");
}
