//! The Assistant and its runner, with tools and models made for each case.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

mod barge_in;
mod deadlines;
mod double_text;
mod heard;
mod leaving;
mod listeners;
mod paced;
mod speech;
mod support;

use futures_util::StreamExt;
use incar::{
    AgentResponse, AgentStatus, Assistant, DoubleText, Effect, ErrorKind, Message, Outcome, Seat, Settings, Speaker,
    StoreError, Timings, TurnEvent, Utterance,
};
use incar_testkit::ScriptedReply;
use serde_json::{Value, json};
use std::sync::Arc;
use support::{Deed, FailingJournal, RecordingJournal, Setup};

fn call(name: &str) -> ScriptedReply {
    ScriptedReply::call(name, json!({}))
}

fn text(text: &str) -> ScriptedReply {
    ScriptedReply::Text(text.into())
}

async fn say(assistant: &Assistant, said: &str) -> AgentResponse {
    assistant.handle(Utterance::new(said)).await
}

/// What must be equal in two runs of the same thing.
fn comparable(mut response: AgentResponse) -> Value {
    response.turn_id = String::new();
    response.session_id = response.session_id.map(|_| "some".into());
    response.timings = Timings::default();
    serde_json::to_value(response).unwrap()
}

#[tokio::test]
async fn streaming_is_the_blocking_turn_with_its_events() {
    let script = [call("look"), call("set"), text("All done.")];
    let blocking = say(&Setup::new(&script).assistant, "do it").await;
    let streaming = Setup::new(&script);
    let events: Vec<TurnEvent> = streaming
        .assistant
        .handle_streaming(Utterance::new("do it"))
        .collect()
        .await;
    let Some(TurnEvent::Done { response }) = events.last() else {
        panic!("{events:?}")
    };
    assert_eq!(comparable((**response).clone()), comparable(blocking));
    let names: Vec<String> = events
        .iter()
        .map(|event| match event {
            TurnEvent::Heard { .. } => "heard".into(),
            TurnEvent::Routed { agents } => format!("routed {}", agents.join(",")),
            TurnEvent::Round { number } => format!("round {number}"),
            TurnEvent::Delta { text } => format!("delta {text}"),
            TurnEvent::ToolStarted { name, .. } => format!("{name} started"),
            TurnEvent::ToolFinished { name, outcome, .. } => format!("{name} {outcome:?}"),
            TurnEvent::Sentence { text, kind } => format!("{kind:?} {text}"),
            TurnEvent::Done { .. } => "done".into(),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(
        names,
        [
            "heard",
            "routed deeds",
            "round 1",
            "look started",
            "look Ok",
            "round 2",
            "set started",
            "set Ok",
            "round 3",
            "delta All done.",
            "Reply All done.",
            "done"
        ]
    );
}

#[tokio::test]
async fn a_listener_that_goes_away_does_not_stop_the_turn() {
    let setup = Setup::new(&[call("wait"), text("Done.")]);
    let mut events = setup.assistant.handle_streaming(Utterance::new("go"));
    assert!(matches!(events.next().await, Some(TurnEvent::Heard { .. })));
    drop(events);
    setup.world.opened.notify_one();
    setup.world.finished.notified().await;
    assert_eq!(setup.world.deeds(), ["wait"]);
}

#[tokio::test]
async fn a_second_utterance_of_a_speaker_is_busy_where_that_is_the_policy_and_another_seat_is_not() {
    let policy = Settings::default().with_double_text(DoubleText::Reject);
    let script = [call("wait"), text("Hello."), text("Done.")];
    let setup = Setup::with(&script, |builder| builder.with_settings(policy));
    let first = tokio::spawn({
        let assistant = setup.assistant.clone();
        async move { say(&assistant, "go").await }
    });
    setup.world.started.notified().await;
    let second = say(&setup.assistant, "and now?").await;
    assert_eq!(
        second.error.map(|error| (error.kind, error.retryable)),
        Some((ErrorKind::Busy, true))
    );
    let other = setup
        .assistant
        .handle(Utterance::new("hi").from_seat(Seat::Passenger))
        .await;
    assert_eq!(other.status, AgentStatus::Success);
    setup.world.opened.notify_one();
    assert_eq!(first.await.unwrap().status, AgentStatus::Success);
    setup.model.push(text("Here."));
    assert_eq!(say(&setup.assistant, "still there?").await.status, AgentStatus::Success);
}

#[tokio::test]
async fn reads_of_one_reply_run_together_and_answer_in_the_order_called() {
    // Each of the two waits until both have started: alone, neither would end.
    let both = serde_json::from_value(json!({"calls": [{"meet_a": {}}, {"meet_b": {}}]})).unwrap();
    let setup = Setup::new(&[ScriptedReply::Full(both), text("Met.")]);
    let response = say(&setup.assistant, "meet").await;
    let names: Vec<_> = response
        .data
        .tool_results
        .iter()
        .map(|call| call.name.as_str())
        .collect();
    assert_eq!(
        (response.status, names),
        (AgentStatus::Success, vec!["meet_a", "meet_b"])
    );
}

#[tokio::test]
async fn an_effect_is_written_down_before_and_after_and_a_read_is_not() {
    let journal = Arc::new(RecordingJournal::default());
    let setup = Setup::with_journal(
        &[call("look"), call("set"), call("act"), text("Done.")],
        journal.clone(),
    );
    journal.watch(setup.world.clone());
    say(&setup.assistant, "go").await;
    assert_eq!(
        journal.entries(),
        [
            "intend set after [look]",
            "conclude set Ok",
            "intend act after [look,set]",
            "conclude act Ok"
        ]
    );
}

#[tokio::test]
async fn what_cannot_be_written_down_does_not_happen() {
    let setup = Setup::with_journal(&[call("set"), text("It did not work.")], Arc::new(FailingJournal));
    let response = say(&setup.assistant, "go").await;
    assert_eq!((response.status, setup.world.deeds().len()), (AgentStatus::Error, 0));
    assert_eq!(response.error.map(|error| error.kind), Some(ErrorKind::Store));
}

#[tokio::test(start_paused = true)]
async fn a_tool_that_panics_or_never_answers_is_told_and_in_doubt_where_it_may_have_acted() {
    for (tool, outcome, kind) in [
        ("panic", Outcome::Unknown, ErrorKind::ToolFailed),
        ("hang", Outcome::Unknown, ErrorKind::ToolTimeout),
        ("hang_reading", Outcome::Error, ErrorKind::ToolTimeout),
    ] {
        let setup = Setup::new(&[call(tool), text("Hm.")]);
        let response = say(&setup.assistant, "go").await;
        let result = &response.data.tool_results[0];
        assert_eq!(result.outcome, outcome, "{tool}");
        assert_eq!(result.result["error"]["kind"], json!(kind), "{tool}");
    }
}

#[tokio::test]
async fn the_model_sees_again_byte_for_byte_what_it_saw_before() {
    let setup = Setup::new(&[call("look"), text("Which one?"), call("set"), text("Done.")]);
    let first = say(&setup.assistant, "set something").await;
    assert_eq!(first.status, AgentStatus::WaitingInput);
    let before = setup.model.take_asked();
    let second = say(&setup.assistant, "the left one").await;
    assert_eq!(second.status, AgentStatus::Completed);
    let after = setup.model.take_asked();
    assert_eq!(before[0].system, after[0].system);
    let json = |messages: &[Message]| serde_json::to_string(messages).unwrap();
    let shown = before[1].messages.len();
    assert_eq!(json(&before[1].messages), json(&after[0].messages[..shown]));
    assert_eq!(after[0].messages[shown].content(), "Which one?");
}

#[tokio::test]
async fn the_last_turns_are_context_for_the_next() {
    let setup = Setup::new(&[text("It is on."), text("Off again.")]);
    say(&setup.assistant, "turn it on").await;
    say(&setup.assistant, "and off").await;
    let asked = setup.model.take_asked();
    let contents: Vec<&str> = asked[1].messages.iter().map(Message::content).collect();
    assert_eq!(contents, ["turn it on", "It is on.", "and off"]);
    setup
        .assistant
        .forget(&Speaker::new("car", Seat::Driver))
        .await
        .unwrap();
    setup.model.push(text("What?"));
    say(&setup.assistant, "and on").await;
    assert_eq!(setup.model.take_asked()[0].messages.len(), 1);
}

#[tokio::test]
async fn a_session_is_worth_nothing_to_another_seat_or_when_it_is_over() {
    let setup = Setup::new(&[text("Which one?"), text("Done.")]);
    let waiting = say(&setup.assistant, "set it").await;
    let id = waiting.session_id.unwrap();
    let resume = |seat| {
        setup
            .assistant
            .handle(Utterance::new("left").from_seat(seat).resuming(&id))
    };
    let stranger = resume(Seat::RearLeft).await;
    assert_eq!(stranger.error.map(|error| error.kind), Some(ErrorKind::UnknownSession));
    assert_eq!(resume(Seat::Driver).await.status, AgentStatus::Completed);
    let over = resume(Seat::Driver).await;
    assert_eq!(over.error.map(|error| error.kind), Some(ErrorKind::UnknownSession));
}

#[tokio::test]
async fn what_is_too_long_is_refused_and_nobody_is_asked() {
    let setup = Setup::new(&[]);
    let response = say(&setup.assistant, &"长".repeat(4_097)).await;
    assert_eq!(response.error.map(|error| error.kind), Some(ErrorKind::InvalidInput));
    assert!(setup.model.take_asked().is_empty());
}

#[tokio::test]
async fn an_assistant_that_lacks_something_is_not_built() {
    use incar::{BuildError, CarControlAgent};
    let model = || Arc::new(incar_testkit::ScriptedModel::default());
    assert_eq!(Assistant::builder().build().err(), Some(BuildError::NoModel));
    assert_eq!(
        Assistant::builder().with_model(model()).build().err(),
        Some(BuildError::NoAgent)
    );
    let twice = Assistant::builder()
        .with_tool_agent(CarControlAgent::default())
        .with_tool_agent(CarControlAgent::default());
    assert_eq!(
        twice.with_model(model()).build().err(),
        Some(BuildError::SameAgent("car_control".into()))
    );
    let twin = || Deed::new("look", Effect::Read, Arc::default());
    let twins = Assistant::builder()
        .with_tool_agent(CarControlAgent::default())
        .with_model(model())
        .with_tool(twin())
        .with_tool(twin());
    assert!(matches!(twins.build().err(), Some(BuildError::Tool(_))));
}

#[tokio::test]
async fn a_model_is_offered_at_most_25_tools_and_those_that_the_utterance_names_among_them() {
    let script = Arc::new(incar_testkit::ScriptedModel::default());
    let simulator = incar_testkit::Simulator::with_model(script.clone()).unwrap();
    assert!(simulator.assistant().tools().iter().count() > 25);
    for (said, tool) in [
        ("打开天窗", "control_sunroof"),
        ("what's the weather in Paris", "get_weather"),
        ("play some jazz", "play_music"),
        ("给张伟打电话", "call"),
        ("hm", "control_door"),
    ] {
        script.push(text("Well."));
        simulator.assistant().handle(Utterance::new(said)).await;
        let offered = script.take_asked().remove(0).tools.unwrap();
        assert!(offered.len() <= 24, "{said}: {} and ask_user", offered.len());
        assert!(offered.iter().any(|name| name == tool), "{said}: {offered:?}");
        assert!(offered.is_sorted(), "{said}: the order is stable");
    }
}

#[tokio::test]
async fn a_store_that_fails_is_told_as_such() {
    let setup = Setup::with_store(&[text("Which one?")], Arc::new(support::FailingStore));
    let response = say(&setup.assistant, "set it").await;
    assert_eq!(response.error.map(|error| error.kind), Some(ErrorKind::Store));
    assert!(matches!(
        setup.assistant.sessions(&Speaker::new("car", Seat::Driver)).await,
        Err(StoreError::Backend(_))
    ));
}

#[test]
fn the_shape_of_a_response_is_a_contract() {
    let schema = serde_json::to_string_pretty(&schemars::schema_for!(AgentResponse)).unwrap() + "\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/agent_response.schema.json");
    if std::env::var_os("INCAR_BLESS").is_some() {
        std::fs::write(path, &schema).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap_or_default();
    assert!(
        kept == schema,
        "the schema of AgentResponse changed; if that is meant, run with INCAR_BLESS=1 and say so in CHANGELOG.md"
    );
}
