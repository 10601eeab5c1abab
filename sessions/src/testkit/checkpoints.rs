//! What a store that keeps turns on their way must do.

use super::{START, WAIT, claim, insert, must, must_refuse, new_owner};
use crate::new_session_id;
use incar_core::{Checkpoints, Lease, Owner, Seat, SessionRecord, SessionStore, Stage, StoreError, Timestamp};
use std::time::Duration;

/// Runs every check, each with a store of its own from `make`. `claim_age` as for
/// [`conforms`](super::conforms).
///
/// # Panics
/// Where the store is at fault.
pub async fn checkpoints<S: SessionStore + 'static>(make: impl AsyncFn() -> S, claim_age: Duration) {
    a_turn_under_way_is_held_until_it_is_put_back(&make().await).await;
    an_id_under_way_is_taken(&make().await).await;
    an_interrupted_turn_is_taken_up_once_however_late(&make().await, claim_age).await;
    the_next_claim_gets_an_interrupted_turn(&make().await, claim_age).await;
    a_lost_claim_writes_nothing(&make().await, claim_age).await;
}

fn of(store: &dyn SessionStore) -> &dyn Checkpoints {
    match store.checkpoints() {
        Some(checkpoints) => checkpoints,
        None => panic!("a store that is checked for checkpoints must have them"),
    }
}

async fn begin(store: &dyn SessionStore, owner: &Owner, state: &str) -> Lease {
    let record = SessionRecord::new(new_session_id(), owner.clone(), START.plus(WAIT), state);
    must(of(store).begin(record, START).await, "a turn can be begun")
}

/// The leases among all interrupted turns that are of `owner`: other checks may share the back end.
async fn interrupted(store: &dyn SessionStore, owner: &Owner, now: Timestamp) -> Vec<Lease> {
    let all = must(of(store).interrupted(now).await, "interrupted turns can be asked for");
    all.into_iter().filter(|lease| lease.record.owner == *owner).collect()
}

/// It is busy for others, is no interrupted one, and waits like any other once it is put back.
///
/// # Panics
/// Where the store is at fault.
pub async fn a_turn_under_way_is_held_until_it_is_put_back(store: &dyn SessionStore) {
    let owner = new_owner(Seat::Driver);
    let first = begin(store, &owner, "one").await;
    assert_eq!(first.record.stage, Stage::UnderWay, "what begins is under way");
    let id = insert(store, &owner, "asked").await;
    let second = claim(store, &owner, &id).await;
    assert_eq!(second.record.stage, Stage::Waiting, "what waits is not under way");
    must(
        of(store).checkpoint(&first, "two".into()).await,
        "its claim can write it on",
    );
    must(
        of(store).checkpoint(&second, "answered".into()).await,
        "a wait can go under way",
    );
    assert!(
        interrupted(store, &owner, START).await.is_empty(),
        "what is held is not interrupted"
    );
    let later = START.plus(WAIT * 2);
    for (lease, state) in [(first, "three"), (second, "four")] {
        let id = lease.record.id.clone();
        must_refuse(
            store.claim(&id, &owner, START).await,
            &StoreError::Busy,
            "what is under way is busy",
        );
        must(store.put_back(lease, later, state.into()).await, "it can be put back");
        let lease = claim(store, &owner, &id).await;
        let expected = SessionRecord::new(id, owner.clone(), later, state);
        assert_eq!(lease.record, expected, "it waits then, as it was put back");
        must(store.close(lease).await, "and can be closed");
    }
    assert!(
        interrupted(store, &owner, later).await.is_empty(),
        "what was put back or closed is not interrupted"
    );
}

/// Beginning with an id that is there changes nothing.
///
/// # Panics
/// Where the store is at fault.
pub async fn an_id_under_way_is_taken(store: &dyn SessionStore) {
    let owner = new_owner(Seat::Driver);
    let lease = begin(store, &owner, "state").await;
    let again = SessionRecord::new(lease.record.id.clone(), owner.clone(), START.plus(WAIT), "other");
    must_refuse(
        of(store).begin(again.clone(), START).await,
        &StoreError::Taken,
        "a turn's id is taken",
    );
    must_refuse(store.insert(again).await, &StoreError::Taken, "for sessions too");
    must(
        of(store).checkpoint(&lease, "more".into()).await,
        "its claim is undisturbed",
    );
}

/// Whoever asks after the claim's age gets it, with its last state, also long after its expiry; the
/// next one does not, until that claim has aged too.
///
/// # Panics
/// Where the store is at fault.
pub async fn an_interrupted_turn_is_taken_up_once_however_late(store: &dyn SessionStore, claim_age: Duration) {
    let owner = new_owner(Seat::Passenger);
    let lease = begin(store, &owner, "one").await;
    must(of(store).checkpoint(&lease, "two".into()).await, "it can be written on");
    let mut now = START.plus(claim_age);
    let before = Timestamp::from_millis(now.as_millis() - 1);
    assert!(
        interrupted(store, &owner, before).await.is_empty(),
        "its claim holds until its age bound"
    );
    for wait in [Duration::ZERO, WAIT * 10] {
        now = now.plus(wait);
        let mut taken = interrupted(store, &owner, now).await;
        let Some(lease) = taken.pop() else {
            panic!("an interrupted turn must be found at {now:?}");
        };
        assert!(taken.is_empty(), "once");
        let record = &lease.record;
        assert_eq!(
            (record.stage, &*record.state, &record.owner),
            (Stage::UnderWay, "two", &owner),
            "as it was written last"
        );
        assert!(
            interrupted(store, &owner, now).await.is_empty(),
            "what was taken up is held"
        );
        must(store.release(lease).await, "it can be given back");
    }
    let taken = interrupted(store, &owner, now).await;
    for lease in taken {
        must(store.close(lease).await, "it can be ended");
    }
    assert_eq!(store.list(&owner).await, Ok(vec![]), "an ended turn leaves nothing");
}

/// A claim by id takes it up as well: the stage tells, and the expiry does not count.
///
/// # Panics
/// Where the store is at fault.
pub async fn the_next_claim_gets_an_interrupted_turn(store: &dyn SessionStore, claim_age: Duration) {
    let owner = new_owner(Seat::Driver);
    let id = insert(store, &owner, "asked").await;
    let old = claim(store, &owner, &id).await;
    must(of(store).checkpoint(&old, "on its way".into()).await, "it can be saved");
    let late = START.plus(claim_age).plus(WAIT * 10);
    assert_eq!(store.waiting(&owner).await, Ok(Some(id.clone())), "it is found");
    let lease = must(store.claim(&id, &owner, late).await, "it is there however late");
    assert_eq!(
        (lease.record.stage, &*lease.record.state),
        (Stage::UnderWay, "on its way"),
        "as it was saved"
    );
    must(
        store.put_back(lease, late.plus(WAIT), "asked".into()).await,
        "it can wait again",
    );
    let lease = must(store.claim(&id, &owner, late).await, "and be claimed");
    assert_eq!(lease.record.stage, Stage::Waiting, "as a wait");
}

/// What another claim took over, the old one cannot write any more.
///
/// # Panics
/// Where the store is at fault.
pub async fn a_lost_claim_writes_nothing(store: &dyn SessionStore, claim_age: Duration) {
    let owner = new_owner(Seat::Driver);
    let old = begin(store, &owner, "one").await;
    let late = START.plus(claim_age);
    let new = must(store.claim(&old.record.id, &owner, late).await, "it can be taken over");
    must_refuse(
        of(store).checkpoint(&old, "lost".into()).await,
        &StoreError::Lost,
        "a claim that was taken over is lost",
    );
    must(store.release(new).await, "the new claim is good");
    let lease = must(store.claim(&old.record.id, &owner, late).await, "it can be claimed");
    assert_eq!(&*lease.record.state, "one", "a lost claim must not write");
    must(store.forget(&owner).await, "sessions can be forgotten");
    must_refuse(
        of(store).checkpoint(&lease, "lost".into()).await,
        &StoreError::Lost,
        "a claim on what was forgotten is lost",
    );
    assert!(
        interrupted(store, &owner, late.plus(claim_age)).await.is_empty(),
        "nothing is left"
    );
}
