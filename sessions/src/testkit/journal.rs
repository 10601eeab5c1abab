//! What every [`Journal`] must do.

use super::{START, new_owner};
use crate::new_session_id;
use incar_core::{Conclusion, Effect, Intent, Journal, JournalEntry, JournalError, Outcome, Owner, Seat};
use serde_json::json;

/// Runs every check on `journal`, which may hold entries of others already.
///
/// # Panics
/// Where the journal is at fault.
pub async fn journals(journal: &dyn Journal) {
    an_intent_is_found_as_it_was_written_with_what_came_of_it(journal).await;
    another_try_takes_the_place_of_the_one_in_doubt(journal).await;
    an_outcome_without_an_open_intent_is_refused(journal).await;
    nobody_finds_or_forgets_anothers_entries(journal).await;
}

fn intent(owner: &Owner) -> Intent {
    Intent::new(
        format!("turn:键:{}", new_session_id()),
        owner.clone(),
        "turn".into(),
        "set_temperature".into(),
        json!({"zone": "主驾", "temperature": 21.700000000000003}),
        Effect::Set,
        START,
    )
}

#[track_caller]
fn must<T>(result: Result<T, JournalError>, what: &str) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{what}, but: {error}"),
    }
}

async fn write(journal: &dyn Journal, intent: &Intent) {
    must(journal.intend(intent.clone()).await, "an intent can be written");
}

async fn find(journal: &dyn Journal, intent: &Intent) -> Option<JournalEntry> {
    must(
        journal.find(&intent.owner, &intent.key).await,
        "an entry can be looked for",
    )
}

/// In doubt until it is concluded with certainty; arguments come back to the last bit.
///
/// # Panics
/// Where the journal is at fault.
pub async fn an_intent_is_found_as_it_was_written_with_what_came_of_it(journal: &dyn Journal) {
    let intent = intent(&new_owner(Seat::Driver));
    assert_eq!(find(journal, &intent).await, None, "nothing was intended yet");
    write(journal, &intent).await;
    let open = JournalEntry::new(intent.clone(), None);
    assert_eq!(find(journal, &intent).await, Some(open), "an intent is in doubt");
    let conclusions = [
        Conclusion::new(Outcome::Unknown, "{}"),
        Conclusion::new(Outcome::Ok, r#"{"value":"好\u0000"}"#),
    ];
    for conclusion in conclusions {
        must(
            journal.conclude(&intent.owner, &intent.key, conclusion.clone()).await,
            "what is in doubt can be concluded",
        );
        let closed = JournalEntry::new(intent.clone(), Some(conclusion));
        assert_eq!(find(journal, &intent).await, Some(closed), "the conclusion is found");
    }
}

/// A repeated call has the key of the first try.
///
/// # Panics
/// Where the journal is at fault.
pub async fn another_try_takes_the_place_of_the_one_in_doubt(journal: &dyn Journal) {
    let first = intent(&new_owner(Seat::Driver));
    write(journal, &first).await;
    let mut second = first.clone();
    second.at = START.plus(super::WAIT);
    write(journal, &second).await;
    let open = JournalEntry::new(second.clone(), None);
    assert_eq!(find(journal, &first).await, Some(open), "the latest try is found");
    let conclusion = Conclusion::new(Outcome::Ok, "{}");
    must(
        journal.conclude(&second.owner, &second.key, conclusion).await,
        "another try can be concluded",
    );
    let found = find(journal, &first).await;
    assert!(found.is_some_and(|entry| !entry.in_doubt()), "it is certain then");
}

/// The first certain outcome stands.
///
/// # Panics
/// Where the journal is at fault.
pub async fn an_outcome_without_an_open_intent_is_refused(journal: &dyn Journal) {
    let intent = intent(&new_owner(Seat::Driver));
    let conclude = async |outcome| {
        let conclusion = Conclusion::new(outcome, "{}");
        journal.conclude(&intent.owner, &intent.key, conclusion).await
    };
    assert!(conclude(Outcome::Ok).await.is_err(), "nothing was intended");
    write(journal, &intent).await;
    must(conclude(Outcome::Ok).await, "an intent can be concluded");
    assert!(conclude(Outcome::Error).await.is_err(), "it is concluded already");
    let found = find(journal, &intent).await.and_then(|entry| entry.conclusion);
    assert_eq!(
        found,
        Some(Conclusion::new(Outcome::Ok, "{}")),
        "the first outcome stands"
    );
}

/// Owners are kept apart, by car and by seat.
///
/// # Panics
/// Where the journal is at fault.
pub async fn nobody_finds_or_forgets_anothers_entries(journal: &dyn Journal) {
    let owner = new_owner(Seat::Driver);
    let others = [
        new_owner(Seat::Driver),
        Owner {
            car: owner.car.clone(),
            seat: Seat::Passenger,
        },
    ];
    let mine = intent(&owner);
    write(journal, &mine).await;
    for other in others {
        let mut theirs = mine.clone();
        theirs.owner = other.clone();
        assert_eq!(find(journal, &theirs).await, None, "another owner finds nothing");
        let conclusion = Conclusion::new(Outcome::Ok, "{}");
        assert!(
            journal.conclude(&other, &mine.key, conclusion).await.is_err(),
            "and concludes nothing"
        );
        write(journal, &theirs).await;
        for _ in 0..2 {
            must(journal.forget(&other).await, "entries can be forgotten");
        }
        assert_eq!(find(journal, &theirs).await, None, "what is forgotten is gone");
        assert!(find(journal, &mine).await.is_some(), "another's entries stay");
    }
    must(journal.forget(&owner).await, "entries can be forgotten");
    assert_eq!(find(journal, &mine).await, None, "what is forgotten is gone");
}
