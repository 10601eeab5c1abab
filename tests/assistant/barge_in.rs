//! The driver talks over the assistant: it stops, and what is remembered is what was heard.

use crate::paced::{Paced, lines};
use crate::support::Setup;
use futures_util::StreamExt;
use incar::{
    AgentResponse, AgentStatus, Assistant, BackChannel, BargeIn, DoubleText, FinishReason, Lang, Outcome,
    PolicyDecision, PolicyGate, PolicyQuery, Seat, Settings, TurnEvent, TurnStream, Utterance,
};
use incar_testkit::{ScriptedModel, ScriptedReply, Simulator};
use serde_json::json;
use std::sync::Arc;

pub(crate) fn paced(model: &Arc<Paced>) -> Setup {
    Setup::with(&[], |builder| builder.with_model(model.clone()))
}

async fn say(assistant: &Assistant, said: &str) -> AgentResponse {
    assistant.handle(Utterance::new(said)).await
}

/// Reads up to the next sentence.
async fn sentence(events: &mut TurnStream) -> String {
    while let Some(event) = events.next().await {
        if let TurnEvent::Sentence { text, .. } = event {
            return text;
        }
    }
    panic!("no sentence came");
}

/// The rest of the events: no word among them.
async fn end(events: TurnStream) -> AgentResponse {
    let mut rest: Vec<TurnEvent> = events.collect().await;
    let Some(TurnEvent::Done { response }) = rest.pop() else {
        panic!("{rest:?}")
    };
    for event in rest {
        let is_word = matches!(
            event,
            TurnEvent::Delta { .. } | TurnEvent::Sentence { .. } | TurnEvent::Retracted | TurnEvent::Question { .. }
        );
        assert!(!is_word, "a word came after it was talked over: {event:?}");
    }
    *response
}

#[tokio::test]
async fn a_reply_that_is_talked_over_stops_at_once_and_what_was_heard_of_it_is_remembered() {
    let model = Paced::new();
    let setup = paced(&model);
    let reply = model.reply();
    let mut events = setup.assistant.handle_streaming(Utterance::new("the weather?"));
    reply.say("The sun shines. It is warm. And tomorrow it");
    assert_eq!(sentence(&mut events).await, "The sun shines. ");
    // "It is warm. " waits to be read; it is late now.
    let outcome = setup
        .assistant
        .interrupt(&events.turn_id(), "The sun shi")
        .await
        .unwrap();
    assert_eq!(outcome, BargeIn::Stopped);
    reply.say(" will rain.").stop();
    let response = end(events).await;
    assert_eq!(
        (response.status, response.data.finish_reason),
        (AgentStatus::Cancelled, FinishReason::Interrupted)
    );
    assert!(reply.is_dropped(), "the model is not listened to any more");

    model.replies("All right.");
    say(&setup.assistant, "and now?").await;
    assert_eq!(
        lines(&model.seen()),
        ["user: the weather?", "cut: The sun", "user: and now?"]
    );
}

#[tokio::test]
async fn a_call_that_changes_something_runs_to_its_end_and_a_read_is_dropped() {
    for (tool, outcome) in [("wait", Outcome::Ok), ("hang_reading", Outcome::Cancelled)] {
        let model = Paced::new();
        let setup = paced(&model);
        model.reply().say("Let me see.").call(tool);
        let events = setup.assistant.handle_streaming(Utterance::new("go"));
        setup.world.started.notified().await;
        let outcome_of = setup.assistant.interrupt(&events.turn_id(), "Let me").await.unwrap();
        assert_eq!(outcome_of, BargeIn::Stopped);
        setup.world.opened.notify_one();
        let response = end(events).await;
        assert_eq!(response.data.tool_results[0].outcome, outcome, "{tool}");
        model.replies("All right.");
        say(&setup.assistant, "and now?").await;
        let result = format!("tool: {tool} {outcome:?}");
        assert_eq!(
            lines(&model.seen()),
            ["user: go", "cut: Let me", &result, "user: and now?"]
        );
    }
}

#[tokio::test]
async fn what_was_not_spoken_yet_of_a_reply_on_its_way_is_not_remembered() {
    let model = Paced::new();
    let setup = paced(&model);
    let reply = model.reply();
    let mut events = setup.assistant.handle_streaming(Utterance::new("the weather?"));
    reply.say("The sun shines. It");
    sentence(&mut events).await;
    setup.assistant.interrupt(&events.turn_id(), "").await.unwrap();
    end(events).await;
    model.replies("All right.");
    say(&setup.assistant, "and now?").await;
    assert_eq!(lines(&model.seen()), ["user: the weather?", "user: and now?"]);
}

/// After a turn has ended with `message`, its voice is cut off after `spoken`.
async fn check_cut(message: &str, spoken: &str, expected: BargeIn, kept: &str) {
    let model = Paced::new();
    let setup = paced(&model);
    model.replies(message);
    let first = say(&setup.assistant, "well?").await;
    let outcome = setup.assistant.interrupt(&first.turn_id, spoken).await.unwrap();
    assert_eq!(outcome, expected, "{message} / {spoken}");
    model.replies("Fine.");
    say(&setup.assistant, "and now?").await;
    assert_eq!(lines(&model.seen())[1], kept, "{message} / {spoken}");
}

#[tokio::test]
async fn a_reply_whose_turn_is_over_is_kept_as_far_as_it_was_heard() {
    let long = "The sun shines today. It is 22.5 degrees.";
    check_cut(long, "The sun shines to", BargeIn::CutShort, "cut: The sun shines").await;
    check_cut(
        long,
        "The sun shines today. It is 22",
        BargeIn::CutShort,
        "cut: The sun shines today. It is",
    )
    .await;
    check_cut(
        long,
        "the sun SHINES, today",
        BargeIn::CutShort,
        "cut: The sun shines today.",
    )
    .await;
    check_cut(long, "", BargeIn::CutShort, "cut: ").await;
    check_cut(long, long, BargeIn::Unchanged, &format!("said: {long}")).await;
    check_cut(long, "The sun's out", BargeIn::CutShort, "cut: The sun's out").await;
    check_cut(
        "今天晴，22度。适合洗车。",
        "今天晴，22度。适",
        BargeIn::CutShort,
        "cut: 今天晴，22度。适",
    )
    .await;
    // What was written in marks is remembered as it was written, however it was spoken.
    let marked = "**Sunny** today. See [the map](https://a.example/x) for more.";
    check_cut(
        marked,
        "Sunny today. See the",
        BargeIn::CutShort,
        "cut: **Sunny** today. See [the",
    )
    .await;
    check_cut(marked, marked, BargeIn::Unchanged, &format!("said: {marked}")).await;
    // The word that held the driver on before it is no part of the reply.
    check_cut(long, "One moment. The sun", BargeIn::CutShort, "cut: The sun").await;
    check_cut(long, "One mo", BargeIn::CutShort, "cut: ").await;
}

#[tokio::test]
async fn words_that_wait_for_a_listener_are_not_spoken_after_the_turn_was_talked_over() {
    let model = Paced::new();
    let setup = paced(&model);
    model.replies("One. Two. Three.");
    let mut events = setup.assistant.handle_streaming(Utterance::new("count"));
    assert_eq!(sentence(&mut events).await, "One. ");
    let turn = events.turn_id();
    // The turn is over by now; its last sentences wait.
    while setup.assistant.interrupt(&turn, "One").await.unwrap() == BargeIn::Stopped {
        tokio::task::yield_now().await;
    }
    end(events).await;
}

/// Asks for a yes before `act`.
#[derive(Debug)]
struct ConfirmAct;

impl PolicyGate for ConfirmAct {
    fn decide(&self, query: &PolicyQuery<'_>) -> Vec<PolicyDecision> {
        let confirm = PolicyDecision::Confirm {
            policy: "confirm-act".into(),
            question: "Shall I really act?".into(),
        };
        (query.tool.name == "act").then_some(confirm).into_iter().collect()
    }
}

fn confirming(script: &[ScriptedReply]) -> Setup {
    Setup::with(script, |builder| builder.with_policies(Arc::new(ConfirmAct)))
}

async fn asks_whether_to_act() -> (Setup, AgentResponse) {
    let setup = confirming(&[ScriptedReply::call("act", json!({}))]);
    let question = say(&setup.assistant, "act").await;
    assert_eq!(question.data.finish_reason, FinishReason::Confirm);
    (setup, question)
}

/// It asks, and the voice is stopped after `spoken` of the question.
async fn is_talked_over_asking(spoken: &str, expected: BargeIn) -> Setup {
    let (setup, question) = asks_whether_to_act().await;
    let outcome = setup.assistant.interrupt(&question.turn_id, spoken).await.unwrap();
    assert_eq!(outcome, expected);
    setup
}

#[tokio::test]
async fn a_yes_confirms_nothing_that_was_not_heard_to_its_end() {
    let setup = is_talked_over_asking("Shall I re", BargeIn::CutShort).await;
    let again = say(&setup.assistant, "yes").await;
    assert_eq!(
        (again.status, again.message.as_str()),
        (AgentStatus::WaitingInput, "Shall I really act?")
    );
    assert!(setup.world.deeds().is_empty());
    setup.model.push(ScriptedReply::Text("Done.".into()));
    let done = say(&setup.assistant, "yes").await;
    assert_eq!(
        (done.status, setup.world.deeds()),
        (AgentStatus::Completed, vec!["act".to_owned()])
    );
}

#[tokio::test]
async fn a_yes_to_a_question_that_was_heard_counts_though_the_voice_was_stopped() {
    let setup = is_talked_over_asking("Shall I really act", BargeIn::Unchanged).await;
    setup.model.push(ScriptedReply::Text("Done.".into()));
    say(&setup.assistant, "yes").await;
    assert_eq!(setup.world.deeds(), ["act"]);
}

#[tokio::test]
async fn a_no_over_a_question_calls_it_off() {
    let (setup, question) = asks_whether_to_act().await;
    let no = Utterance::new("no").over(&question.turn_id, "Shall I");
    let response = setup.assistant.handle(no).await;
    assert_eq!(response.status, AgentStatus::Cancelled);
    assert!(setup.world.deeds().is_empty());
}

#[tokio::test]
async fn an_offer_that_was_not_heard_is_not_accepted() {
    let model = Arc::new(ScriptedModel::default());
    let simulator = Simulator::with_model(model.clone()).unwrap();
    for (spoken, accepted) in [("空调已经打开。要", false), ("空调已经打开。要不要打开座椅加热", true)]
    {
        model.clear();
        model.push(ScriptedReply::call("set_ac_power", json!({"power": "on"})));
        model.push(ScriptedReply::Text("空调已经打开。要不要打开座椅加热？".into()));
        let speaker = simulator.speaker(Seat::Driver);
        let utterance = |text: &str| Utterance::new(text).by(speaker.clone()).in_lang(Lang::Zh);
        let first = simulator.assistant().handle(utterance("打开空调")).await;
        assert!(first.data.offer.is_some(), "{first:?}");
        simulator.assistant().interrupt(&first.turn_id, spoken).await.unwrap();
        model.push(ScriptedReply::Text("好的。".into()));
        let yes = simulator.assistant().handle(utterance("好的")).await;
        assert_eq!(!yes.data.tools_used.is_empty(), accepted, "{spoken}");
    }
}

#[tokio::test]
async fn a_turn_that_is_not_known_or_over_for_good_changes_nothing() {
    let model = Paced::new();
    let setup = paced(&model);
    let interrupt = async |turn: &str| setup.assistant.interrupt(turn, "The").await.unwrap();
    assert_eq!(interrupt("no id at all").await, BargeIn::Unknown);
    assert_eq!(interrupt("35813ca008aa4a43b4083c1a087528ec").await, BargeIn::Unknown);
    model.replies("The first.");
    let first = say(&setup.assistant, "one").await;
    model.replies("The second.");
    let second = say(&setup.assistant, "two").await;
    assert_eq!(
        interrupt(&first.turn_id).await,
        BargeIn::Unknown,
        "the second answers to it"
    );
    let third = model.reply();
    let events = setup.assistant.handle_streaming(Utterance::new("three"));
    model.started.notified().await;
    tokio::task::yield_now().await;
    assert_eq!(
        interrupt(&second.turn_id).await,
        BargeIn::Unknown,
        "the third answers to it"
    );
    third.say("The third.").stop();
    let turn = events.turn_id();
    let said: Vec<TurnEvent> = events.collect().await;
    assert!(said.iter().any(|event| matches!(event, TurnEvent::Sentence { .. })));
    assert_eq!(interrupt(&turn).await, BargeIn::CutShort);
    assert_eq!(interrupt(&turn).await, BargeIn::Unknown, "once is enough");
    model.replies("The fourth.");
    say(&setup.assistant, "four").await;
    assert_eq!(
        lines(&model.seen()),
        [
            "user: one",
            "said: The first.",
            "user: two",
            "said: The second.",
            "user: three",
            "cut: The",
            "user: four"
        ]
    );
}

#[tokio::test]
async fn another_seat_is_not_cut_off() {
    let model = Paced::new();
    let setup = paced(&model);
    model.replies("The sun shines.");
    let driver = say(&setup.assistant, "the weather?").await;
    model.replies("It rains.");
    let passenger = Utterance::new("and there?")
        .from_seat(Seat::Passenger)
        .over(&driver.turn_id, "The");
    setup.assistant.handle(passenger).await;
    model.replies("Fine.");
    say(&setup.assistant, "and now?").await;
    assert_eq!(lines(&model.seen())[1], "said: The sun shines.");
}

#[tokio::test]
async fn a_wish_said_over_a_reply_cuts_it_off_and_is_served() {
    let model = Paced::new();
    let setup = paced(&model);
    // On its way.
    let first = model.reply();
    let mut events = setup.assistant.handle_streaming(Utterance::new("the weather?"));
    first.say("The sun shines. It is");
    sentence(&mut events).await;
    model.replies("It is noon. The sun is high.");
    let over = Utterance::new("what time is it").over(events.turn_id(), "The sun");
    let second = setup.assistant.handle(over).await;
    assert_eq!(end(events).await.data.finish_reason, FinishReason::Interrupted);
    // Over, while it is spoken.
    model.replies("Fine.");
    let over = Utterance::new("thanks a lot").over(&second.turn_id, "It is noon. The");
    setup.assistant.handle(over).await;
    assert_eq!(
        lines(&model.seen()),
        [
            "user: the weather?",
            "cut: The sun",
            "user: what time is it",
            "cut: It is noon. The",
            "user: thanks a lot"
        ]
    );
}

#[tokio::test]
async fn a_wish_that_waits_for_a_turn_does_not_cut_it_short() {
    let model = Paced::new();
    let enqueue = Settings::default().with_double_text(DoubleText::Enqueue);
    let setup = Setup::with(&[], |builder| builder.with_model(model.clone()).with_settings(enqueue));
    let first = model.reply();
    let mut events = setup.assistant.handle_streaming(Utterance::new("the weather?"));
    first.say("The sun shines. It is");
    sentence(&mut events).await;
    let second = tokio::spawn({
        let assistant = setup.assistant.clone();
        let over = Utterance::new("what time is it").over(events.turn_id(), "The");
        async move { assistant.handle(over).await }
    });
    tokio::task::yield_now().await;
    model.replies("It is noon.");
    first.say(" warm.").stop();
    second.await.unwrap();
    assert_eq!(sentence(&mut events).await, "It is warm.");
    assert_eq!(lines(&model.seen())[1], "said: The sun shines. It is warm.");
}

#[tokio::test]
async fn what_was_heard_of_one_turn_is_not_taken_for_what_was_heard_of_another() {
    let model = Paced::new();
    let setup = paced(&model);
    model.replies("The sun shines.");
    let first = say(&setup.assistant, "the weather?").await;
    let second = model.reply();
    let mut events = setup.assistant.handle_streaming(Utterance::new("what time is it"));
    second.say("It is noon. And");
    sentence(&mut events).await;
    model.replies("Fine.");
    setup
        .assistant
        .handle(Utterance::new("and tomorrow?").over(&first.turn_id, "The sun"))
        .await;
    let seen = lines(&model.seen());
    assert_eq!(
        seen[1..],
        ["said: The sun shines.", "user: what time is it", "user: and tomorrow?"]
    );
}

fn is_ignored(response: &AgentResponse) -> bool {
    let ended = (response.status, response.data.finish_reason);
    ended == (AgentStatus::Success, FinishReason::Declined) && response.message.is_empty()
}

#[tokio::test]
async fn a_word_of_listening_does_not_stop_a_turn_on_its_way() {
    for said in ["嗯", "uh-huh", "okay", "好的", ""] {
        let model = Paced::new();
        let setup = paced(&model);
        let reply = model.reply();
        let mut events = setup.assistant.handle_streaming(Utterance::new("the weather?"));
        reply.say("The sun shines. It");
        sentence(&mut events).await;
        let over = Utterance::new(said).over(events.turn_id(), "The sun");
        assert!(is_ignored(&setup.assistant.handle(over).await), "{said}");
        reply.say(" is warm.").stop();
        assert_eq!(sentence(&mut events).await, "It is warm.", "{said}");
    }
}

#[tokio::test]
async fn a_word_of_listening_interrupts_where_the_host_wants_that() {
    let model = Paced::new();
    let served = Settings::default().with_back_channel(BackChannel::Served);
    let setup = Setup::with(&[], |builder| builder.with_model(model.clone()).with_settings(served));
    let reply = model.reply();
    let mut events = setup.assistant.handle_streaming(Utterance::new("the weather?"));
    reply.say("The sun shines. It");
    sentence(&mut events).await;
    model.replies("Yes?");
    setup
        .assistant
        .handle(Utterance::new("uh-huh").over(events.turn_id(), "The sun"))
        .await;
    assert_eq!(end(events).await.data.finish_reason, FinishReason::Interrupted);
}

#[tokio::test]
async fn a_word_of_listening_is_an_answer_only_to_a_question_that_was_heard() {
    let (setup, question) = asks_whether_to_act().await;
    let okay = |spoken: &str| Utterance::new("okay").over(&question.turn_id, spoken);
    assert!(is_ignored(&setup.assistant.handle(okay("Shall I")).await));
    assert!(setup.world.deeds().is_empty());
    setup.model.push(ScriptedReply::Text("Done.".into()));
    let done = setup.assistant.handle(okay("Shall I really act?")).await;
    assert_eq!(
        (done.status, setup.world.deeds()),
        (AgentStatus::Completed, vec!["act".to_owned()])
    );
}

#[tokio::test]
async fn a_word_of_listening_after_a_statement_changes_nothing() {
    let model = Paced::new();
    let setup = paced(&model);
    model.replies("The sun shines.");
    let first = say(&setup.assistant, "the weather?").await;
    for spoken in ["The sun", "The sun shines."] {
        let over = Utterance::new("okay").over(&first.turn_id, spoken);
        assert!(is_ignored(&setup.assistant.handle(over).await), "{spoken}");
    }
    // The reply can still be cut off: nothing came in between.
    assert_eq!(
        setup.assistant.interrupt(&first.turn_id, "The sun").await.unwrap(),
        BargeIn::CutShort
    );
}
