//! A store in memory against the conformance suite, and what only it promises.

use super::*;
use crate::{new_session_id, testkit};
use incar_core::{Seat, Speaker};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

fn store(bound: Bound) -> MemoryStore {
    MemoryStore::new(MemorySettings::default().with_bound(bound))
}

fn owner(car: &str) -> Owner {
    Speaker::new(car, Seat::Driver).owner()
}

fn at(millis: u64) -> Timestamp {
    Timestamp::from_millis(millis)
}

fn record(id: &str, owner: &Owner, state: &str) -> SessionRecord {
    SessionRecord::new(id.into(), owner.clone(), at(1_000_000), state)
}

async fn ids(store: &MemoryStore, owner: &Owner) -> Vec<String> {
    let list = store.list(owner).await.unwrap();
    list.into_iter().map(|(id, _)| id.to_string()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn it_conforms_whatever_bounds_it() {
    for bound in [Bound::Sessions(10_000), Bound::Bytes(64 << 20)] {
        testkit::conforms(async || store(bound), MemorySettings::default().claim_age).await;
    }
    let claim_age = Duration::from_millis(7);
    let settings = MemorySettings::default().with_claim_age(claim_age);
    testkit::conforms(async || MemoryStore::new(settings.clone()), claim_age).await;
}

#[tokio::test]
async fn evictions_are_told_once_whatever_bounds_it() {
    for bound in [Bound::Sessions(2), Bound::Bytes(2_000)] {
        testkit::evictions_are_told_once(&store(bound)).await;
    }
}

#[tokio::test]
async fn a_large_session_makes_several_small_ones_give_way() {
    let store = store(Bound::Bytes(10_000));
    let driver = owner("car");
    for id in ["a", "b", "c", "d"] {
        store.insert(record(id, &driver, "small")).await.unwrap();
    }
    store.insert(record("e", &driver, &"x".repeat(8_500))).await.unwrap();
    assert_eq!(ids(&store, &driver).await, ["e", "d"]);
    // A session that grows makes room for itself too.
    let lease = store.claim("d", &driver, at(0)).await.unwrap();
    store
        .put_back(lease, at(1_000_000), "x".repeat(5_000).into())
        .await
        .unwrap();
    assert_eq!(ids(&store, &driver).await, ["d"]);
    assert_eq!(store.claim("e", &driver, at(0)).await.unwrap_err(), StoreError::Expired);
}

#[tokio::test]
async fn a_session_larger_than_the_store_is_refused_and_nothing_else_gives_way() {
    let store = store(Bound::Bytes(2_000));
    let driver = owner("car");
    let huge = "x".repeat(2_000);
    store.insert(record("a", &driver, "a")).await.unwrap();
    let refused = store.insert(record("b", &driver, &huge)).await;
    assert!(matches!(refused, Err(StoreError::Backend(_))), "{refused:?}");
    let lease = store.claim("a", &driver, at(0)).await.unwrap();
    let refused = store.put_back(lease, at(9), huge.into()).await;
    assert!(matches!(refused, Err(StoreError::Backend(_))), "{refused:?}");
    // The claim is given back all the same.
    let lease = store.claim("a", &driver, at(0)).await.unwrap();
    assert_eq!(lease.record, record("a", &driver, "a"));
    assert_eq!(ids(&store, &driver).await, ["a"]);
}

#[tokio::test]
async fn a_session_evicted_while_claimed_is_busy_and_revived_by_giving_it_back() {
    for released in [true, false] {
        let store = store(Bound::Sessions(1));
        let driver = owner("car");
        store.insert(record("a", &driver, "a")).await.unwrap();
        let lease = store.claim("a", &driver, at(0)).await.unwrap();
        store.insert(record("b", &driver, "b")).await.unwrap();
        assert_eq!(store.claim("a", &driver, at(0)).await.unwrap_err(), StoreError::Busy);
        if released {
            store.release(lease).await.unwrap();
        } else {
            store.put_back(lease, at(1_000_000), "a".into()).await.unwrap();
        }
        let lease = store.claim("a", &driver, at(0)).await.unwrap();
        assert_eq!(lease.record, record("a", &driver, "a"));
        assert_eq!(store.claim("b", &driver, at(0)).await.unwrap_err(), StoreError::Expired);
    }
}

#[tokio::test]
async fn a_session_evicted_while_claimed_whose_lease_was_dropped_has_expired() {
    let store = MemoryStore::new(
        MemorySettings::default()
            .with_bound(Bound::Sessions(1))
            .with_claim_age(Duration::from_millis(10)),
    );
    let driver = owner("car");
    store.insert(record("a", &driver, "a")).await.unwrap();
    let lease = store.claim("a", &driver, at(0)).await.unwrap();
    store.insert(record("b", &driver, "b")).await.unwrap();
    assert_eq!(
        store.claim("a", &driver, at(10)).await.unwrap_err(),
        StoreError::Expired
    );
    assert_eq!(
        store.claim("a", &driver, at(10)).await.unwrap_err(),
        StoreError::Unknown
    );
    assert_eq!(store.release(lease).await, Err(StoreError::Lost));
    assert_eq!(ids(&store, &driver).await, ["b"]);
}

#[tokio::test]
async fn dropped_leases_do_not_pile_up() {
    let store = store(Bound::Sessions(10));
    let driver = owner("car");
    for n in 0..3_000 {
        let id = n.to_string();
        store.insert(record(&id, &driver, "")).await.unwrap();
        drop(store.claim(&id, &driver, at(0)).await.unwrap());
    }
    assert!(store.len() <= 10 + 1_024, "{}", store.len());
    assert_eq!(store.claim("0", &driver, at(0)).await.unwrap_err(), StoreError::Expired);
}

#[tokio::test]
async fn a_clock_set_back_does_not_hold_a_dropped_lease_for_ever() {
    let store = MemoryStore::new(MemorySettings::default().with_claim_age(Duration::from_millis(10)));
    let driver = owner("car");
    store.insert(record("a", &driver, "a")).await.unwrap();
    drop(store.claim("a", &driver, at(1_000)).await.unwrap());
    assert_eq!(store.claim("a", &driver, at(991)).await.unwrap_err(), StoreError::Busy);
    assert!(store.claim("a", &driver, at(990)).await.is_ok());
}

#[tokio::test]
async fn an_untouched_session_leaves_memory_and_is_told_expired() {
    let store = MemoryStore::new(MemorySettings::default().with_idle(Duration::ZERO));
    let driver = owner("car");
    store.insert(record("a", &driver, "a")).await.unwrap();
    store.insert(record("b", &driver, "b")).await.unwrap();
    assert_eq!(store.claim("a", &driver, at(0)).await.unwrap_err(), StoreError::Expired);
    assert_eq!(store.claim("a", &driver, at(0)).await.unwrap_err(), StoreError::Unknown);
}

#[tokio::test]
async fn any_idle_time_and_bound_are_accepted() {
    let driver = owner("car");
    for settings in [
        MemorySettings::default().with_idle(Duration::MAX),
        MemorySettings::default().with_bound(Bound::Sessions(0)),
        MemorySettings::default().with_bound(Bound::Sessions(u64::MAX)),
        MemorySettings::default().with_bound(Bound::Bytes(u64::MAX)),
    ] {
        let store = MemoryStore::new(settings.clone());
        store.insert(record("a", &driver, "a")).await.unwrap();
        assert!(store.claim("a", &driver, at(0)).await.is_ok(), "{settings:?}");
    }
    let store = store(Bound::Bytes(0));
    assert!(store.insert(record("a", &driver, "a")).await.is_err());
    assert!(store.is_empty());
}

#[tokio::test]
async fn what_was_said_is_not_in_the_debug_output() {
    let store = MemoryStore::default();
    store.insert(record("id", &owner("car"), "secret")).await.unwrap();
    assert_eq!(format!("{store:?}"), "MemoryStore { sessions: 1, .. }");
}

/// Threads insert, claim and give back in a store too small for them: every answer is one that the
/// contract allows, each wait is served or told expired, and nothing is left over.
#[test]
fn threads_that_crowd_each_other_out_lose_nothing_silently() {
    const THREADS: usize = 64;
    const ROUNDS: usize = 50;
    let store = Arc::new(store(Bound::Sessions(16)));
    let served = AtomicUsize::new(0);
    let expired = AtomicUsize::new(0);
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (store, served, expired) = (&store, &served, &expired);
            scope.spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
                let owner = owner(&format!("car {}", thread % 8));
                for _ in 0..ROUNDS {
                    let id = new_session_id();
                    runtime.block_on(store.insert(record(&id, &owner, "0"))).unwrap();
                    thread::yield_now();
                    match runtime.block_on(store.claim(&id, &owner, at(0))) {
                        Ok(lease) => {
                            thread::yield_now();
                            runtime.block_on(store.close(lease)).unwrap();
                            served.fetch_add(1, Ordering::SeqCst);
                        }
                        Err(StoreError::Expired) => {
                            expired.fetch_add(1, Ordering::SeqCst);
                        }
                        Err(error) => panic!("{error}"),
                    }
                    let again = runtime.block_on(store.claim(&id, &owner, at(0)));
                    assert_eq!(again.unwrap_err(), StoreError::Unknown);
                }
            });
        }
    });
    assert_eq!(served.into_inner() + expired.into_inner(), THREADS * ROUNDS);
    assert!(store.is_empty(), "{store:?}");
}
