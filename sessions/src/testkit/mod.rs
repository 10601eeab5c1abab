//! What every store must do: the conformance suites.
//!
//! Run it from a test of the store, inside a tokio runtime (a multi-threaded one shows races that a
//! single thread hides):
//!
//! ```
//! use incar_sessions::{MemoryStore, MemorySettings, testkit};
//! # fn main() {
//! # tokio::runtime::Builder::new_multi_thread().build().unwrap().block_on(async {
//! let settings = MemorySettings::default();
//! let claim_age = settings.claim_age;
//! testkit::conforms(async || MemoryStore::new(settings.clone()), claim_age).await;
//! # });
//! # }
//! ```
//!
//! Every check uses owners and ids of its own, so the stores may share a back end. The checks panic
//! where the store is at fault, and say how.

#![expect(clippy::panic, reason = "a check that fails panics")]

mod checkpoints;
mod claims;
mod expiry;
mod journal;
mod keeping;
mod records;

pub use checkpoints::{
    a_lost_claim_writes_nothing, a_turn_under_way_is_held_until_it_is_put_back, an_id_under_way_is_taken,
    an_interrupted_turn_is_taken_up_once_however_late, checkpoints, the_next_claim_gets_an_interrupted_turn,
};
pub use claims::{
    a_claimed_session_is_busy, a_dropped_lease_is_taken_over, a_late_lease_is_good_until_it_is_taken_over,
    another_owners_id_is_like_no_id, concurrent_claims_exclude_each_other,
};
pub use expiry::{
    a_claim_made_in_time_outlives_the_wait, a_wait_ends_exactly_at_its_bound, an_expired_wait_is_told_once,
    evictions_are_told_once,
};
pub use journal::{
    an_intent_is_found_as_it_was_written_with_what_came_of_it, an_outcome_without_an_open_intent_is_refused,
    another_try_takes_the_place_of_the_one_in_doubt, journals, nobody_finds_or_forgets_anothers_entries,
};
pub use keeping::{
    a_closed_session_is_unknown, a_forgotten_session_is_unknown, a_released_session_is_as_it_was,
    a_session_is_kept_as_it_was_given, an_id_is_taken_once, any_text_is_kept, the_newest_wait_comes_first,
    what_was_put_back_is_what_is_claimed_next,
};
pub use records::{
    a_deleted_fact_is_returned_once, a_fact_takes_the_place_of_the_one_with_its_key,
    facts_are_listed_in_the_order_they_were_written, forgetting_leaves_nothing_of_one_holder,
    nobody_reads_or_deletes_anothers_facts, records,
};

use crate::new_session_id;
use incar_core::{Lease, Owner, Seat, SessionId, SessionRecord, SessionStore, Speaker, StoreError, Timestamp};
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

const START: Timestamp = Timestamp::from_millis(1_700_000_000_000);
const WAIT: Duration = Duration::from_secs(300);

/// Runs every check but [`evictions_are_told_once`], each with a store of its own from `make`.
/// `claim_age` is how long the store holds a claim for a lease that was dropped; it must be shorter
/// than five minutes.
///
/// # Panics
/// Where the store is at fault.
pub async fn conforms<S: SessionStore + 'static>(make: impl AsyncFn() -> S, claim_age: Duration) {
    a_session_is_kept_as_it_was_given(&make().await).await;
    any_text_is_kept(&make().await).await;
    an_id_is_taken_once(&make().await).await;
    a_closed_session_is_unknown(&make().await).await;
    what_was_put_back_is_what_is_claimed_next(&make().await).await;
    a_released_session_is_as_it_was(&make().await).await;
    another_owners_id_is_like_no_id(&make().await).await;
    a_claimed_session_is_busy(&make().await).await;
    a_wait_ends_exactly_at_its_bound(&make().await).await;
    an_expired_wait_is_told_once(&make().await).await;
    a_claim_made_in_time_outlives_the_wait(&make().await).await;
    the_newest_wait_comes_first(&make().await).await;
    a_forgotten_session_is_unknown(&make().await).await;
    a_dropped_lease_is_taken_over(&make().await, claim_age).await;
    a_late_lease_is_good_until_it_is_taken_over(&make().await, claim_age).await;
    concurrent_claims_exclude_each_other(Arc::new(make().await)).await;
}

/// An owner that no other check uses.
fn new_owner(seat: Seat) -> Owner {
    Speaker::new(new_session_id(), seat).owner()
}

#[track_caller]
fn must<T>(result: Result<T, StoreError>, what: &str) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{what}, but: {error}"),
    }
}

#[track_caller]
fn must_refuse<T: Debug>(result: Result<T, StoreError>, expected: &StoreError, what: &str) {
    match result {
        Ok(value) => panic!("{what} ({expected:?}), but it gave {value:?}"),
        Err(error) => assert_eq!(&error, expected, "{what}"),
    }
}

/// Inserts a session that waits until `START + WAIT`.
async fn insert(store: &dyn SessionStore, owner: &Owner, state: &str) -> SessionId {
    let id = new_session_id();
    let record = SessionRecord::new(id.clone(), owner.clone(), START.plus(WAIT), state);
    must(store.insert(record).await, "a new session must be admitted");
    id
}

async fn claim(store: &dyn SessionStore, owner: &Owner, id: &str) -> Lease {
    must(
        store.claim(id, owner, START).await,
        "a waiting session must be there for its owner",
    )
}
