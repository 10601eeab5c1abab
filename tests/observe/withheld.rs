//! With the default settings nothing that was said, called with or answered is in any span or event.

use crate::capture::Capture;
use crate::server::{Reply, Service};
use crate::setup::{Setup, ask, call, driver, scripted, text};
use futures_util::StreamExt;
use incar::chain::{Chain, Link, Retry};
use incar::openai::{Config, Provider, RetryPolicy};
use incar::sessions::MemoryStore;
use incar::{ManualClock, SessionRecord, SessionStore, Speaker, Timestamp, Utterance};
use incar_testkit::Simulator;
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// Stands wherever something private may stand.
const MARKER: &str = "Rosebud";

fn with_marker(tool: &str) -> incar_testkit::ScriptedReply {
    call(tool, MARKER)
}

#[track_caller]
fn check(capture: &Capture, spans: usize) {
    let text = capture.text();
    assert!(!text.contains(MARKER), "{text}");
    assert!(capture.spans().len() >= spans, "{text}");
}

#[tokio::test]
async fn whatever_comes_of_a_turn() {
    let said = format!("tell {MARKER} about it");
    for (what, script) in [
        ("a reply", vec![text(&format!("{MARKER} it is."))]),
        ("a call and a result", vec![with_marker("look"), text("Done.")]),
        ("a change", vec![with_marker("set"), text(&format!("{MARKER} is set."))]),
        ("a failure", vec![with_marker("fail"), text("No.")]),
        ("a panic", vec![with_marker("panic"), text("No.")]),
        ("a refusal", vec![with_marker("forbidden"), text("No.")]),
        ("a confirmation", vec![with_marker("delicate")]),
        ("a question", vec![ask("look", &format!("Which {MARKER}?"))]),
        (
            "a question in words",
            vec![text(&format!("Which {MARKER} do you mean?"))],
        ),
        (
            "a tool that was made up",
            vec![scripted(json!({"calls": [{(MARKER): {"words": MARKER}}]})), text("No.")],
        ),
        (
            "arguments that were made up",
            vec![scripted(json!({"calls": [{"look": {(MARKER): MARKER}}]})), text("No.")],
        ),
        (
            "arguments that are no JSON",
            vec![
                scripted(json!({"raw_calls": [{"name": "look", "arguments": format!("{{{MARKER}")}]})),
                text("No."),
            ],
        ),
        (
            "a claim",
            vec![text(&format!("I have set {MARKER} for you.")), text("I have not.")],
        ),
        ("a model that fails", vec![scripted(json!({"error": "unavailable"}))]),
        (
            "a reply cut short",
            vec![scripted(json!({"text": MARKER, "finish": "length"}))],
        ),
    ] {
        let setup = Setup::new();
        setup.script(script);
        let (capture, guard) = Capture::start();
        let events: Vec<_> = setup
            .assistant
            .handle_streaming(Utterance::new(said.as_str()).by(driver()))
            .collect()
            .await;
        assert!(!events.is_empty(), "{what}");
        // What waits is answered, with the marker again.
        setup.script([text("Well.")]);
        setup.say(MARKER).await;
        drop(guard);
        assert!(!capture.text().contains(MARKER), "{what}: {}", capture.text());
        assert!(capture.spans().len() >= 2, "{what}");
    }
}

#[tokio::test]
async fn a_turn_that_is_cut_off() {
    let setup = Setup::new();
    setup.script([with_marker("hang"), text(MARKER)]);
    let (capture, _guard) = Capture::start();
    let second = async {
        setup.started.notified().await;
        setup.say(&format!("stop {MARKER}")).await
    };
    tokio::join!(setup.say(MARKER), second);
    check(&capture, 3);
}

#[tokio::test]
async fn a_service_that_repeats_what_it_was_asked() {
    let error = json!({"error": {"message": format!("cannot read: {MARKER}"), "code": MARKER}}).to_string();
    let broken = format!("data: {error}\n\n");
    for reply in [
        Reply::new(400, error.as_str()),
        Reply::new(500, error.as_str()),
        Reply::sse(&broken),
    ] {
        let service = Service::start([reply]).await;
        let cloud = Config::new(Provider::Custom)
            .with_base_url(&service.url)
            .with_model("cloud")
            .with_retry(RetryPolicy::never())
            .build()
            .unwrap();
        let chain = Chain::new(
            Arc::new(ManualClock::default()),
            [Link::cloud(Arc::new(cloud)).with_retry(Retry::new(0, Duration::ZERO, Duration::ZERO))],
        );
        let simulator = Simulator::with_model(Arc::new(chain)).unwrap();
        let (capture, _guard) = Capture::start();
        let utterance = Utterance::new(MARKER).by(driver());
        simulator.assistant().handle(utterance).await;
        assert_eq!(service.count(), 1);
        check(&capture, 2);
    }
}

#[tokio::test]
async fn a_conversation_that_cannot_be_read() {
    let store = Arc::new(MemoryStore::default());
    let setup = Setup::with(|builder| builder.with_store(store.clone()));
    for state in [
        format!("{{\"schema\":\"{MARKER}\"}}"),
        format!("{MARKER}{{"),
        format!("{{\"schema\":1,\"history\":\"{MARKER}\"}}"),
    ] {
        let owner = Speaker::new("car", incar::Seat::Driver).owner();
        let until = Timestamp::from_millis(u64::MAX);
        let id = format!("session {}", state.len());
        store
            .insert(SessionRecord::new(id.as_str().into(), owner, until, state.as_str()))
            .await
            .unwrap();
        let (capture, _guard) = Capture::start();
        let response = setup
            .assistant
            .handle(Utterance::new("yes").by(driver()).resuming(id))
            .await;
        assert!(response.error.is_some());
        check(&capture, 1);
        assert!(capture.text().contains("cannot be read"), "{}", capture.text());
    }
}

#[tokio::test]
async fn the_embedded_brain_and_its_car() {
    let simulator = Simulator::new().unwrap();
    let (capture, _guard) = Capture::start();
    for said in [
        format!("发短信给{MARKER}说我晚点到"),
        format!("播放{MARKER}"),
        format!("导航去{MARKER}"),
        format!("navigate to {MARKER}"),
        format!("play {MARKER}"),
    ] {
        simulator
            .assistant()
            .handle(Utterance::new(said).by(simulator.speaker(incar::Seat::Driver)))
            .await;
    }
    check(&capture, 10);
    // Names are spelled as they are heard by some; the brain's own logs are looked at as well.
    assert!(!capture.text().to_lowercase().contains("rosebud"));
}
