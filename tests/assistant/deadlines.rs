//! The time of a turn: a word while something is slow, and the deadline. Time is tokio's, and stands still.

use crate::paced::{Paced, lines};
use crate::support::{RecordingJournal, Setup};
use futures_util::StreamExt;
use incar::{
    AgentResponse, AgentStatus, Assistant, ErrorKind, FinishReason, Holding, Limits, ManualClock, Outcome,
    SentenceKind, Settings, Timestamp, TurnEvent, TurnStream, Utterance,
};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

const SECOND: Duration = Duration::from_secs(1);

/// A car whose turns are answered within five seconds.
struct Car {
    setup: Setup,
    model: Arc<Paced>,
    clock: Arc<ManualClock>,
}

fn car() -> Car {
    car_with(Settings::default().with_deadline(5 * SECOND))
}

fn car_with(settings: Settings) -> Car {
    let (model, clock) = (Paced::new(), Arc::new(ManualClock::at(Timestamp::from_millis(0))));
    let setup = Setup::with(&[], |builder| {
        builder
            .with_model(model.clone())
            .with_clock(clock.clone())
            .with_settings(settings)
    });
    Car { setup, model, clock }
}

impl Car {
    fn assistant(&self) -> &Assistant {
        &self.setup.assistant
    }

    fn listen(&self, said: &str) -> TurnStream {
        self.assistant().handle_streaming(Utterance::new(said))
    }

    async fn say(&self, said: &str) -> AgentResponse {
        self.assistant().handle(Utterance::new(said)).await
    }
}

/// What is heard of a turn: `h:` a word that holds on, `p:` progress, `r:` the reply; and the response.
async fn heard(events: TurnStream) -> (Vec<String>, AgentResponse) {
    let mut said = Vec::new();
    let mut events = events;
    while let Some(event) = events.next().await {
        match event {
            TurnEvent::Sentence { text, kind } => said.push(match kind {
                SentenceKind::Holding => format!("h:{text}"),
                SentenceKind::Progress => format!("p:{text}"),
                _ => format!("r:{text}"),
            }),
            TurnEvent::Done { response } => return (said, *response),
            _ => {}
        }
    }
    panic!("the turn broke off")
}

fn held_on(said: &[String]) -> usize {
    said.iter().filter(|said| said.starts_with("h:")).count()
}

#[tokio::test(start_paused = true)]
async fn a_slow_model_is_covered_by_one_word_after_a_second_which_nobody_remembers() {
    let car = car();
    let reply = car.model.reply();
    let began = Instant::now();
    let mut events = car.listen("what is it");
    let said = async {
        while let Some(event) = events.next().await {
            if let TurnEvent::Sentence { text, kind } = event {
                assert_eq!(kind, SentenceKind::Holding);
                return text;
            }
        }
        panic!("no word came")
    };
    let word = said.await;
    assert_eq!(began.elapsed(), SECOND);
    tokio::time::sleep(2 * SECOND).await;
    reply.say("It is fine.").stop();
    let (rest, response) = heard(events).await;
    assert_eq!(rest, ["r:It is fine."], "it is said once");
    assert_eq!(response.message, "It is fine.");
    car.model.replies("Yes.");
    car.say("really?").await;
    let seen = lines(&car.model.seen());
    assert_eq!(
        seen,
        ["user: what is it", "said: It is fine.", "user: really?"],
        "{word}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_word_is_in_the_language_of_the_utterance_and_says_what_is_done() {
    for (said, tool, words) in [
        ("what is it", "hang_reading", ["check", "looking", "look"].as_slice()),
        ("怎么样", "hang_reading", &["查", "看"]),
        ("do it", "wait", &["moment"]),
        ("做吧", "wait", &["等"]),
    ] {
        let car = car();
        car.model.reply().call(tool);
        let (said, _) = heard(car.listen(said)).await;
        let word = said.first().unwrap();
        assert!(words.iter().any(|part| word.contains(part)), "{word}");
    }
}

#[tokio::test(start_paused = true)]
async fn no_word_is_said_where_the_reply_comes_first_or_the_driver_has_heard_something() {
    // At once.
    let car = car();
    car.model.replies("Fine.");
    assert_eq!(heard(car.listen("quick")).await.0, ["r:Fine."]);
    // A sentence of the model's own before a slow call.
    let reply = car.model.reply();
    reply.say("Let me see.").call("wait");
    car.model.replies("Done.");
    let events = car.listen("go");
    car.setup.world.started.notified().await;
    tokio::time::sleep(2 * SECOND).await;
    car.setup.world.opened.notify_one();
    assert_eq!(heard(events).await.0, ["p:Let me see.", "r:Done."]);
}

#[tokio::test(start_paused = true)]
async fn a_driver_is_not_held_on_at_every_turn_in_a_row() {
    let car = car();
    for (pause, words) in [(0, 1), (29, 0), (1, 1)] {
        car.clock.advance(pause * SECOND);
        let reply = car.model.reply();
        let events = car.listen("slowly");
        tokio::time::sleep(2 * SECOND).await;
        reply.say("Here.").stop();
        assert_eq!(held_on(&heard(events).await.0), words, "after {pause} more seconds");
    }
}

#[tokio::test(start_paused = true)]
async fn a_host_chooses_when_a_word_is_said_or_that_none_is() {
    for (holding, words) in [
        (Holding::never(), 0),
        (Holding::new(3 * SECOND, SECOND), 0),
        (Holding::new(SECOND / 2, SECOND), 1),
    ] {
        let car = car_with(Settings::default().with_holding(holding));
        let reply = car.model.reply();
        let events = car.listen("slowly");
        tokio::time::sleep(2 * SECOND).await;
        reply.say("Here.").stop();
        assert_eq!(held_on(&heard(events).await.0), words, "{holding:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_model_that_does_not_answer_is_waited_for_until_the_deadline_and_what_was_done_is_told() {
    let car = car();
    let began = Instant::now();
    let silent = car.model.reply();
    let response = car.say("hello").await;
    assert_eq!(began.elapsed(), 5 * SECOND);
    let error = response.error.unwrap();
    assert_eq!(
        (response.status, error.kind, error.retryable),
        (AgentStatus::Error, ErrorKind::Deadline, true)
    );
    assert_eq!(response.data.finish_reason, FinishReason::TimeLimit);
    assert!(silent.is_dropped());

    // A car whose model is silent after a deed.
    car.model.reply().call("set");
    let _silent = car.model.reply();
    let response = car.say("set it").await;
    assert_eq!(response.error.map(|error| error.kind), Some(ErrorKind::Deadline));
    assert_eq!(response.data.tool_results[0].outcome, Outcome::Ok);
    car.model.replies("Yes.");
    car.say("was it set?").await;
    assert!(
        lines(&car.model.seen()).contains(&"tool: set Ok".to_owned()),
        "the next turn knows what was done"
    );
}

#[tokio::test(start_paused = true)]
async fn what_was_said_of_a_reply_that_comes_too_late_is_taken_back() {
    let car = car();
    let reply = car.model.reply();
    reply.say("It is a fine day. And it");
    let events: Vec<TurnEvent> = car.listen("the weather?").collect().await;
    let taken_back = events.iter().position(|event| *event == TurnEvent::Retracted).unwrap();
    let said = events[taken_back..].iter().filter_map(|event| match event {
        TurnEvent::Sentence { text, .. } => Some(text.as_str()),
        _ => None,
    });
    let Some(TurnEvent::Done { response }) = events.last() else {
        panic!("{events:?}")
    };
    assert_eq!(said.collect::<String>(), response.message);
    assert_eq!(response.data.finish_reason, FinishReason::TimeLimit);
}

#[tokio::test(start_paused = true)]
async fn at_the_deadline_a_read_is_cancelled_and_nothing_more_begins() {
    let car = car_with(Settings::default().with_deadline(2 * SECOND));
    car.model.reply().call("hang_reading");
    let response = car.say("look it up").await;
    assert_eq!(response.data.tool_results[0].outcome, Outcome::Cancelled);
    assert_eq!(
        response.error.map(|error| (error.kind, error.retryable)),
        Some((ErrorKind::Deadline, true))
    );
}

#[tokio::test(start_paused = true)]
async fn a_call_that_runs_to_its_end_goes_on_after_the_deadline_and_is_journaled_and_not_run_again() {
    let journal = Arc::new(RecordingJournal::default());
    let model = Paced::new();
    let setup = Setup::with(&[], |builder| {
        builder
            .with_model(model.clone())
            .with_journal(journal.clone())
            .with_settings(Settings::default().with_deadline(2 * SECOND))
    });
    model.reply().call("wait");
    let response = setup.assistant.handle(Utterance::new("go")).await;
    let result = &response.data.tool_results[0];
    assert_eq!(result.outcome, Outcome::Unknown);
    assert!(response.message.contains("still on its way"), "{}", response.message);
    let error = response.error.unwrap();
    assert_eq!((error.kind, error.retryable), (ErrorKind::Deadline, false));
    assert_eq!(journal.entries(), ["intend wait after []"]);
    assert!(setup.world.deeds().is_empty());

    setup.world.opened.notify_one();
    setup.world.finished.notified().await;
    tokio::task::yield_now().await;
    assert_eq!(journal.entries(), ["intend wait after []", "conclude wait Ok"]);
    model.replies("It should be done by now.");
    setup.assistant.handle(Utterance::new("and?")).await;
    assert!(
        lines(&model.seen()).contains(&"tool: wait Unknown".to_owned()),
        "the model knows that it was on its way"
    );
    assert_eq!(setup.world.deeds(), ["wait"]);
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_is_dropped_takes_its_call_along() {
    let setup = Setup::with(
        &[incar_testkit::ScriptedReply::call("wait", serde_json::json!({}))],
        |builder| builder.with_settings(Settings::default().with_deadline(2 * SECOND)),
    );
    let turn = tokio::spawn({
        let assistant = setup.assistant.clone();
        async move { assistant.handle(Utterance::new("go")).await }
    });
    setup.world.started.notified().await;
    turn.abort();
    let _ = turn.await;
    setup.world.opened.notify_one();
    tokio::time::sleep(SECOND).await;
    assert!(setup.world.deeds().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_host_bounds_the_time_of_every_call() {
    let car = car_with(Settings::default().with_tool_timeout(SECOND));
    for tool in ["hang_reading", "hang"] {
        car.model.reply().call(tool);
        car.model.replies("It did not answer.");
        let began = Instant::now();
        let response = car.say("go").await;
        assert_eq!(began.elapsed(), SECOND, "{tool}");
        let result = &response.data.tool_results[0].result;
        assert_eq!(result["error"]["kind"], "tool_timeout");
    }
}

#[tokio::test(start_paused = true)]
async fn a_question_stays_open_over_a_turn_that_ran_out_of_time() {
    let car = car();
    car.model
        .reply()
        .ask(r#"{"question":"Which?","tool":"act","slot":"which"}"#);
    let waiting = car.say("act").await;
    assert_eq!(waiting.status, AgentStatus::WaitingInput);
    let silent = car.model.reply();
    let late = car.say("the first").await;
    assert_eq!(late.error.map(|error| error.kind), Some(ErrorKind::Deadline));
    assert_eq!(
        (late.session_id, late.prompt.as_deref()),
        (waiting.session_id, Some("Which?"))
    );
    drop(silent);
}

#[tokio::test(start_paused = true)]
async fn the_bound_on_rounds_in_time_still_asks_the_model_for_words() {
    let mut limits = Limits::default();
    limits.time = 2 * SECOND;
    let car = car_with(Settings::default().with_limits(limits));
    car.model.reply().call("wait");
    let last = car.model.reply();
    let events = car.listen("go");
    car.setup.world.started.notified().await;
    car.clock.advance(3 * SECOND);
    car.setup.world.opened.notify_one();
    last.say("It is done.").stop();
    let (_, response) = heard(events).await;
    assert_eq!(
        (response.message.as_str(), response.data.finish_reason),
        ("It is done.", FinishReason::TimeLimit)
    );
}
