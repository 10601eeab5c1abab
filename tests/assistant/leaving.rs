//! What is left of a speaker who is forgotten, and of a turn that is dropped.

use super::support::{RecordingJournal, Setup};
use super::{call, say, text};
use incar::sessions::{MemoryJournal, MemoryRecords, MemoryStore};
use incar::{AgentStatus, Outcome, Record, RecordStore, Seat, SessionStore, Speaker, StoreError, Timestamp, Utterance};
use incar_testkit::ScriptedReply;
use serde_json::json;
use std::sync::Arc;

fn question() -> ScriptedReply {
    ScriptedReply::call(
        "ask_user",
        json!({"question": "Which?", "tool": "act", "slot": "which"}),
    )
}

#[tokio::test]
async fn a_speaker_who_is_forgotten_leaves_nothing_and_others_lose_nothing() {
    let journal = Arc::new(MemoryJournal::default());
    let store = Arc::new(MemoryStore::default());
    let records = Arc::new(MemoryRecords::default());
    let setup = Setup::with(&[], |builder| {
        builder
            .with_journal(journal.clone())
            .with_store(store.clone())
            .with_records(records.clone())
    });
    let driver = Speaker::new("car", Seat::Driver).with_person("anna");
    let others = [
        Speaker::new("car", Seat::Passenger).with_person("bert"),
        Speaker::new("other", Seat::Driver),
    ];
    let fact = Record::new("seat_heating", json!(2), Timestamp::from_millis(1));
    for speaker in [&driver].into_iter().chain(&others) {
        setup.model.push(call("set"));
        setup.model.push(question());
        let response = setup
            .assistant
            .handle(Utterance::new("set it").by(speaker.clone()))
            .await;
        assert_eq!(response.status, AgentStatus::WaitingInput);
        records
            .put(&speaker.holder(), "preferences", fact.clone())
            .await
            .unwrap();
    }
    setup.model.take_asked();

    setup.assistant.forget(&driver).await.unwrap();

    let kept = async |speaker: &Speaker| {
        let owner = speaker.owner();
        let entries = journal.entries();
        (
            store.list(&owner).await.unwrap().len(),
            entries.iter().filter(|entry| entry.intent.owner == owner).count(),
            records.list(&speaker.holder(), "preferences").await.unwrap().len(),
        )
    };
    assert_eq!(kept(&driver).await, (0, 0, 0));
    for other in &others {
        assert_eq!(kept(other).await, (1, 1, 1), "{other:?}");
    }
    setup.model.push(text("Hello."));
    setup.assistant.handle(Utterance::new("hi").by(driver)).await;
    assert_eq!(
        setup.model.take_asked()[0].messages.len(),
        1,
        "nothing of before is said to the model"
    );
}

#[tokio::test]
async fn nobody_is_forgotten_in_the_middle_of_a_turn() {
    let setup = Setup::new(&[call("wait"), text("Done.")]);
    let driver = Speaker::new("car", Seat::Driver);
    let turn = tokio::spawn({
        let assistant = setup.assistant.clone();
        async move { say(&assistant, "do it").await }
    });
    setup.world.started.notified().await;
    assert_eq!(setup.assistant.forget(&driver).await, Err(StoreError::Busy));
    setup.world.opened.notify_one();
    assert_eq!(turn.await.unwrap().status, AgentStatus::Success);
    assert_eq!(setup.assistant.forget(&driver).await, Ok(()));
}

#[tokio::test]
async fn a_store_or_journal_that_fails_to_forget_is_told() {
    let journal = Arc::new(RecordingJournal::default());
    let failing = Setup::with_store(&[], Arc::new(super::support::FailingStore));
    let driver = Speaker::new("car", Seat::Driver);
    assert!(matches!(
        failing.assistant.forget(&driver).await,
        Err(StoreError::Backend(_))
    ));
    let failing = Setup::with_journal(&[], Arc::new(super::FailingJournal));
    assert!(matches!(
        failing.assistant.forget(&driver).await,
        Err(StoreError::Backend(_))
    ));
    let good = Setup::with_journal(&[], journal.clone());
    assert_eq!(good.assistant.forget(&driver).await, Ok(()));
    assert_eq!(journal.entries(), ["forget"]);
}

#[tokio::test]
async fn a_dropped_turn_leaves_its_question_to_the_next_utterance() {
    let setup = Setup::new(&[question(), call("wait")]);
    let waiting = say(&setup.assistant, "act").await;
    assert_eq!(waiting.status, AgentStatus::WaitingInput);
    tokio::select! {
        biased;
        response = say(&setup.assistant, "the left one") => panic!("{response:?}"),
        () = setup.world.started.notified() => {}
    }
    setup.model.push(text("Here."));
    let next = say(&setup.assistant, "hello there?").await;
    assert_eq!(
        (next.status, next.session_id, next.prompt.as_deref()),
        (AgentStatus::WaitingInput, waiting.session_id, Some("Which?"))
    );
}

#[tokio::test]
async fn with_nothing_on_disk_there_is_nothing_to_recover() {
    let setup = Setup::new(&[call("set"), text("Done.")]);
    let response = say(&setup.assistant, "set it").await;
    assert_eq!(response.data.tool_results[0].outcome, Outcome::Ok);
    assert!(setup.assistant.recover().await.unwrap().is_empty());
}
