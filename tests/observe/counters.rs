//! What an assistant counts.

use crate::server::{Reply, Service};
use crate::setup::{Setup, ask, call, driver, scripted, text};
use incar::brain::Brain;
use incar::chain::{Chain, Link, Retry};
use incar::openai::{Config, Provider, RetryPolicy};
use incar::{Counters, ManualClock, Seat, Utterance};
use incar_testkit::{ScriptedReply, Simulator};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// Says each of `dialogue` and compares `what` the counters say then.
async fn check<const N: usize>(
    about: &str,
    dialogue: Vec<(&str, Vec<ScriptedReply>)>,
    what: impl Fn(&Counters) -> [u64; N],
    expected: [u64; N],
) {
    let setup = Setup::new();
    for (said, script) in dialogue {
        setup.script(script);
        setup.say(said).await;
    }
    assert_eq!(what(&setup.assistant.counters()), expected, "{about}");
}

#[tokio::test]
async fn turns_are_counted_by_their_status() {
    let statuses = |counters: &Counters| {
        let turns = counters.turns;
        [
            turns.success,
            turns.waiting_input,
            turns.completed,
            turns.cancelled,
            turns.expired,
            turns.error,
            turns.total(),
        ]
    };
    check(
        "done",
        vec![("hello", vec![text("Hello.")])],
        statuses,
        [1, 0, 0, 0, 0, 0, 1],
    )
    .await;
    check(
        "asked and answered",
        vec![
            ("look", vec![ask("look", "At what?")]),
            ("the road", vec![call("look", "the road"), text("Clear.")]),
        ],
        statuses,
        [0, 1, 1, 0, 0, 0, 2],
    )
    .await;
    check(
        "asked and called off",
        vec![("look", vec![ask("look", "At what?")]), ("never mind", vec![])],
        statuses,
        [0, 1, 0, 1, 0, 0, 2],
    )
    .await;
    check(
        "failed",
        vec![("hello", vec![scripted(json!({"error": "rejected"}))])],
        statuses,
        [0, 0, 0, 0, 0, 1, 1],
    )
    .await;
}

#[tokio::test]
async fn calls_are_counted_by_their_outcome_and_refusals_as_such() {
    let calls = |counters: &Counters| {
        let calls = counters.tool_calls;
        [
            calls.ok,
            calls.error,
            calls.denied,
            calls.cancelled,
            calls.unknown,
            calls.total(),
            counters.refusals,
        ]
    };
    for (about, tool, expected) in [
        ("done", "look", [1, 0, 0, 0, 0, 1, 0]),
        ("failed", "fail", [0, 1, 0, 0, 0, 1, 0]),
        ("refused", "forbidden", [0, 0, 1, 0, 0, 1, 1]),
        ("in doubt", "panic", [0, 0, 0, 0, 1, 1, 0]),
    ] {
        check(
            about,
            vec![("do it", vec![call(tool, "x"), text("Well.")])],
            calls,
            expected,
        )
        .await;
    }
    let futile = vec![("do it", vec![ask("forbidden", "What?"), text("Well.")])];
    check("not even asked about", futile, |counters| [counters.refusals], [1]).await;
}

#[tokio::test]
async fn a_wait_is_counted_once_however_long_it_is_kept_open() {
    let dialogue = vec![
        ("look", vec![ask("look", "At what?")]),
        ("what did you say", vec![]),
        ("set it", vec![call("set", "x"), text("Set.")]),
    ];
    check(
        "a question with a digression",
        dialogue,
        |counters| [counters.waits_opened],
        [1],
    )
    .await;
    let two = vec![
        ("look", vec![ask("look", "At what?")]),
        ("never mind", vec![]),
        ("look", vec![ask("look", "At what?")]),
    ];
    check("two questions", two, |counters| [counters.waits_opened], [2]).await;
}

#[tokio::test]
async fn an_expiry_is_counted_once_whoever_notices_it() {
    for (about, next) in [
        ("nobody", None),
        ("an answer", Some("the road")),
        ("another wish", Some("hello")),
    ] {
        let setup = Setup::new();
        setup.script([ask("look", "At what?")]);
        setup.say("look").await;
        setup.clock.advance(Duration::from_secs(299));
        assert_eq!(setup.assistant.counters().expiries, 0, "{about}");
        setup.clock.advance(Duration::from_secs(1));
        if let Some(said) = next {
            setup.script([text("Hello.")]);
            setup.say(said).await;
        }
        assert_eq!(setup.assistant.counters().expiries, 1, "{about}");
        assert_eq!(setup.assistant.counters().expiries, 1, "{about}, read again");
    }
}

#[tokio::test]
async fn an_answer_that_comes_too_late_is_an_expired_turn_and_one_expiry() {
    let setup = Setup::new();
    setup.script([ask("look", "At what?")]);
    let id = setup.say("look").await.session_id.unwrap();
    setup.clock.advance(Duration::from_secs(300));
    let late = Utterance::new("the road").by(driver()).resuming(id);
    setup.assistant.handle(late).await;
    let counters = setup.assistant.counters();
    assert_eq!((counters.turns.expired, counters.expiries), (1, 1));
}

#[tokio::test]
async fn a_reply_that_is_talked_over_while_it_is_spoken_is_an_interruption() {
    let setup = Setup::new();
    setup.script([text("It is clear as far as I can see, and it will be so tomorrow.")]);
    let turn = setup.say("how is the road").await.turn_id;
    setup.assistant.interrupt(&turn, "It is clear").await.unwrap();
    assert_eq!(setup.assistant.counters().interruptions, 1);
}

#[tokio::test]
async fn an_interruption_is_counted() {
    let setup = Setup::new();
    setup.script([call("hang", "x"), text("Stopped.")]);
    let second = async {
        setup.started.notified().await;
        setup.say("stop").await
    };
    tokio::join!(setup.say("go on"), second);
    let counters = setup.assistant.counters();
    assert_eq!((counters.interruptions, counters.tool_calls.cancelled), (1, 1));
}

#[tokio::test]
async fn a_turn_that_another_model_answered_is_a_fallback() {
    let service = Service::start([Reply::saying("Hello."), Reply::new(500, "{}")]).await;
    let cloud = Config::new(Provider::Custom)
        .with_base_url(&service.url)
        .with_model("cloud")
        .with_retry(RetryPolicy::never())
        .build()
        .unwrap();
    let cloud = Link::cloud(Arc::new(cloud)).with_retry(Retry::new(0, Duration::ZERO, Duration::ZERO));
    let chain = Chain::new(
        Arc::new(ManualClock::default()),
        [cloud, Link::device(Arc::new(Brain::new()))],
    );
    let simulator = Simulator::with_model(Arc::new(chain)).unwrap();
    for (said, fallbacks) in [("hello", 0), ("open the driver's window", 1)] {
        simulator
            .assistant()
            .handle(Utterance::new(said).from_seat(Seat::Driver))
            .await;
        assert_eq!(simulator.assistant().counters().fallbacks, fallbacks, "{said}");
    }
}
