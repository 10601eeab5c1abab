//! Sentences as a listener gets them: in time, once, and together the message.

use crate::support::Setup;
use futures_util::{StreamExt, stream};
use incar::{
    AgentResponse, Assistant, ChatModel, ChatRequest, ModelChoice, ModelEvent, ModelFinish, ModelReason, ModelStream,
    SentenceKind, ToolCall, TurnEvent, Utterance,
};
use incar_testkit::Simulator;
use std::sync::{Arc, Mutex};

/// A model that streams these events, one reply after the other.
#[derive(Debug)]
struct Streams(Mutex<Vec<Vec<ModelEvent>>>);

impl Streams {
    fn new(replies: &[Vec<ModelEvent>]) -> Arc<Self> {
        Arc::new(Self(Mutex::new(replies.iter().rev().cloned().collect())))
    }
}

impl ChatModel for Streams {
    fn name(&self) -> &str {
        "streams"
    }

    fn stream<'a>(&'a self, _: ChatRequest<'a>) -> ModelStream<'a> {
        let events = self.0.lock().unwrap().pop().unwrap();
        stream::iter(events.into_iter().map(Ok)).boxed()
    }
}

fn text(text: &str) -> ModelEvent {
    ModelEvent::Text(text.into())
}

fn stop() -> ModelEvent {
    ModelEvent::Finish(ModelFinish::Stop)
}

fn look() -> [ModelEvent; 2] {
    let call = ToolCall::new("c1", "look", "{}");
    [ModelEvent::ToolCall(call), ModelEvent::Finish(ModelFinish::ToolCalls)]
}

/// What a listener hears, `r:` for the reply, `p:` for progress, `x` where it is taken back; and the response.
async fn heard(replies: &[Vec<ModelEvent>]) -> (Vec<String>, AgentResponse) {
    let setup = Setup::with(&[], |builder| builder.with_model(Streams::new(replies)));
    heard_of(&setup.assistant, "what is it").await
}

async fn heard_of(assistant: &Assistant, said: &str) -> (Vec<String>, AgentResponse) {
    let events: Vec<TurnEvent> = assistant.handle_streaming(Utterance::new(said)).collect().await;
    let said = events.iter().filter_map(|event| match event {
        TurnEvent::Sentence {
            text,
            kind: SentenceKind::Reply,
        } => Some(format!("r:{text}")),
        TurnEvent::Sentence { text, .. } => Some(format!("p:{text}")),
        TurnEvent::Retracted => Some("x".to_owned()),
        _ => None,
    });
    let said = said.collect();
    match events.into_iter().last() {
        Some(TurnEvent::Done { response }) => (said, *response),
        other => panic!("{other:?}"),
    }
}

async fn check(replies: &[Vec<ModelEvent>], expected: &[&str]) {
    let (said, response) = heard(replies).await;
    assert_eq!(said, expected);
    let from = said.iter().rposition(|said| said == "x").map_or(0, |at| at + 1);
    let spoken: String = said[from..].iter().filter_map(|said| said.strip_prefix("r:")).collect();
    assert_eq!(spoken.trim(), response.message, "the sentences are the message");
}

#[tokio::test]
async fn the_sentences_of_a_reply_are_its_message() {
    check(
        &[vec![
            text("It is a fine"),
            text(" day. The sun"),
            text(" shines. Drive safely."),
            stop(),
        ]],
        &["r:It is a fine day. ", "r:The sun shines. ", "r:Drive safely."],
    )
    .await;
}

#[tokio::test]
async fn what_is_said_beside_calls_is_progress() {
    let progress = [vec![text("Let me have a look.")], look().to_vec()].concat();
    check(
        &[progress, vec![text("It is fine."), stop()]],
        &["p:Let me have a look.", "r:It is fine."],
    )
    .await;
}

#[tokio::test]
async fn more_than_one_sentence_beside_calls_is_taken_back_as_a_reply() {
    let progress = [vec![text("Sure. Let me have a look.")], look().to_vec()].concat();
    check(
        &[progress, vec![text("It is fine."), stop()]],
        &["r:Sure. ", "x", "p:Let me have a look.", "r:It is fine."],
    )
    .await;
}

#[tokio::test]
async fn what_is_said_beside_a_question_is_said_once() {
    let question = ToolCall::new(
        "c1",
        "ask_user",
        r#"{"question":"Which one?","tool":"set","slot":"what"}"#,
    );
    let asks = vec![
        text("Sure. There are two."),
        ModelEvent::ToolCall(question),
        ModelEvent::Finish(ModelFinish::ToolCalls),
    ];
    check(&[asks], &["r:Sure. ", "r:There are two. ", "r:Which one?"]).await;
}

#[tokio::test]
async fn marks_are_shown_and_their_words_are_spoken() {
    let written = "You can:\n- drive to **the lake**\n- stay.\nSee https://a.example/x.";
    let said = ["r:You can:\n", "r:drive to the lake,\n", "r:stay.\n", "r:See a link."];
    for pieces in [vec![written], written.split_inclusive(' ').collect()] {
        let reply: Vec<ModelEvent> = pieces.into_iter().map(text).chain([stop()]).collect();
        check(std::slice::from_ref(&reply), &said).await;
        let (_, response) = heard(&[reply]).await;
        assert_eq!(response.display.as_deref(), Some(written));
    }
    let (_, plain) = heard(&[vec![text("It is fine."), stop()]]).await;
    assert_eq!(plain.display, None, "what is plain is shown as it is spoken");
}

#[tokio::test]
async fn what_a_model_said_before_it_broke_off_is_taken_back() {
    let started = |name: &str| ModelEvent::Started(ModelChoice::new(name, ModelReason::First));
    let reply = vec![
        started("cloud"),
        text("The weather is fine. It will"),
        started("brain"),
        text("It is sunny."),
        stop(),
    ];
    let replies = [reply];
    check(&replies, &["r:The weather is fine. ", "x", "r:It is sunny."]).await;
    let (_, response) = heard(&replies).await;
    assert_eq!(response.model.unwrap().name, "brain");
}

#[tokio::test]
async fn what_was_not_done_is_not_said() {
    let claims = vec![text("主驾车窗已经为您打开了。还需要别的吗？"), stop()];
    let model = Streams::new(&[claims.clone(), claims.clone(), claims]);
    let simulator = Simulator::with_model(model).unwrap();
    let (said, response) = heard_of(simulator.assistant(), "打开主驾车窗").await;
    assert!(!response.message.contains("已经"), "{}", response.message);
    assert!(said.iter().all(|said| !said.contains("已经")), "{said:?}");
}

#[tokio::test]
async fn a_message_of_code_alone_comes_in_sentences_too() {
    let nothing = vec![];
    check(
        &[nothing],
        &[
            "r:Sorry, I can't reach the service right now. ",
            "r:Please try again later.",
        ],
    )
    .await;
}
