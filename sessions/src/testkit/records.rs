//! What every [`RecordStore`] must do.

use super::{must, new_owner};
use incar_core::{Holder, Record, RecordStore, Seat, Timestamp};
use serde_json::json;

fn at(millis: u64) -> Timestamp {
    Timestamp::from_millis(millis)
}

/// Runs every check on `store`, which may hold facts of others already.
///
/// # Panics
/// Where the store is at fault.
pub async fn records(store: &dyn RecordStore) {
    facts_are_listed_in_the_order_they_were_written(store).await;
    a_fact_takes_the_place_of_the_one_with_its_key(store).await;
    a_deleted_fact_is_returned_once(store).await;
    nobody_reads_or_deletes_anothers_facts(store).await;
    forgetting_leaves_nothing_of_one_holder(store).await;
}

fn new_holder() -> Holder {
    new_owner(Seat::Driver).into()
}

async fn keys(store: &dyn RecordStore, holder: &Holder, shelf: &str) -> Vec<String> {
    let records = must(store.list(holder, shelf).await, "a shelf can be listed");
    records.into_iter().map(|record| record.key).collect()
}

/// Oldest first; those of one moment by key; each shelf by itself; values come back as they were.
///
/// # Panics
/// Where the store is at fault.
pub async fn facts_are_listed_in_the_order_they_were_written(store: &dyn RecordStore) {
    let holder = new_holder();
    assert_eq!(
        keys(store, &holder, "a").await,
        Vec::<String>::new(),
        "a shelf starts empty"
    );
    let value = json!({"text": "座椅 \u{1F697} \"", "number": -1.5, "list": [null, true]});
    let written = [("late", 3), ("b", 2), ("a", 2), ("early", 1)];
    for (key, millis) in written {
        must(
            store
                .put(&holder, "a", Record::new(key, value.clone(), at(millis)))
                .await,
            "a fact can be written",
        );
    }
    must(
        store.put(&holder, "b", Record::new("late", json!(1), at(9))).await,
        "another shelf can be written",
    );
    assert_eq!(
        keys(store, &holder, "a").await,
        ["early", "a", "b", "late"],
        "facts are listed oldest first"
    );
    assert_eq!(
        keys(store, &holder, "b").await,
        ["late"],
        "a shelf shows its own facts alone"
    );
    let listed = must(store.list(&holder, "a").await, "a shelf can be listed");
    assert!(
        listed.iter().all(|record| record.value == value),
        "values come back as they were: {listed:?}"
    );
}

/// The last writing of a key counts.
///
/// # Panics
/// Where the store is at fault.
pub async fn a_fact_takes_the_place_of_the_one_with_its_key(store: &dyn RecordStore) {
    let holder = new_holder();
    for (value, millis) in [(1, 1), (2, 5)] {
        must(
            store
                .put(&holder, "a", Record::new("key", json!(value), at(millis)))
                .await,
            "a fact can be written",
        );
    }
    assert_eq!(
        store.list(&holder, "a").await,
        Ok(vec![Record::new("key", json!(2), at(5))]),
        "the last writing counts"
    );
}

/// Deleting tells what was there.
///
/// # Panics
/// Where the store is at fault.
pub async fn a_deleted_fact_is_returned_once(store: &dyn RecordStore) {
    let holder = new_holder();
    let fact = Record::new("键", json!("值"), at(1));
    must(store.put(&holder, "a", fact.clone()).await, "a fact can be written");
    assert_eq!(
        store.delete(&holder, "b", "键").await,
        Ok(None),
        "another shelf's fact is not there"
    );
    assert_eq!(
        store.delete(&holder, "a", "键").await,
        Ok(Some(fact)),
        "what was deleted is returned"
    );
    assert_eq!(
        store.delete(&holder, "a", "键").await,
        Ok(None),
        "what was deleted is gone"
    );
    assert_eq!(
        keys(store, &holder, "a").await,
        Vec::<String>::new(),
        "what was deleted is not listed"
    );
}

/// Holders are kept apart, however they are named.
///
/// # Panics
/// Where the store is at fault.
pub async fn nobody_reads_or_deletes_anothers_facts(store: &dyn RecordStore) {
    let owner = new_owner(Seat::Driver);
    let person = |name: &str| Holder::Person {
        car: owner.car.clone(),
        person: name.into(),
    };
    let holders = [
        Holder::Seat(owner.clone()),
        Holder::Seat(incar_core::Owner {
            car: owner.car.clone(),
            seat: Seat::Passenger,
        }),
        person("anna"),
        // A person may be named like a seat.
        person("driver"),
        person("anna/preferences"),
        person(""),
    ];
    for (number, holder) in holders.iter().enumerate() {
        must(
            store.put(holder, "a", Record::new("key", json!(number), at(1))).await,
            "a fact can be written",
        );
    }
    for (number, holder) in holders.iter().enumerate() {
        assert_eq!(
            store.delete(holder, "a", "key").await,
            Ok(Some(Record::new("key", json!(number), at(1)))),
            "each holder has its own facts: {holder:?}"
        );
    }
}

/// Forgetting reaches every shelf of one holder, and nobody else's.
///
/// # Panics
/// Where the store is at fault.
pub async fn forgetting_leaves_nothing_of_one_holder(store: &dyn RecordStore) {
    let (holder, other) = (new_holder(), new_holder());
    for shelf in ["a", "b"] {
        for holder in [&holder, &other] {
            must(
                store.put(holder, shelf, Record::new("key", json!(1), at(1))).await,
                "a fact can be written",
            );
        }
    }
    for _ in 0..2 {
        must(
            store.forget(&holder).await,
            "forgetting works, also where there is nothing",
        );
    }
    for shelf in ["a", "b"] {
        assert_eq!(
            keys(store, &holder, shelf).await,
            Vec::<String>::new(),
            "nothing is left"
        );
        assert_eq!(keys(store, &other, shelf).await, ["key"], "another's facts stay");
    }
}
