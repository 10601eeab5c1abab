//! Who listens to a turn: slow, gone, or never reading; and what the events come to.

use crate::paced::Paced;
use crate::support::Setup;
use crate::{comparable, say};
use futures_util::{StreamExt, stream};
use incar::{
    AgentResponse, ChatModel, ChatRequest, ModelEvent, ModelFinish, ModelStream, Outcome, SentenceKind, TurnEvent,
    Utterance,
};
use incar_testkit::ScriptedReply;
use proptest::prelude::*;
use serde_json::json;
use std::sync::Arc;

/// A model that says more than a megabyte, a sentence at a time.
#[derive(Debug)]
struct Endless;

const SENTENCE: &str = "All work and no play makes Jack a dull boy, and so on and so forth. ";
const SENTENCES: usize = (5 << 18) / SENTENCE.len();

impl ChatModel for Endless {
    fn name(&self) -> &str {
        "endless"
    }

    fn stream<'a>(&'a self, _: ChatRequest<'a>) -> ModelStream<'a> {
        let texts = std::iter::repeat_n((), SENTENCES).map(|()| Ok(ModelEvent::Text(SENTENCE.into())));
        stream::iter(texts.chain([Ok(ModelEvent::Finish(ModelFinish::Stop))])).boxed()
    }
}

#[tokio::test]
async fn more_than_a_megabyte_does_not_pile_up_before_a_listener_that_does_not_read() {
    let setup = Setup::with(&[], |builder| builder.with_model(Arc::new(Endless)));
    let events = setup.assistant.handle_streaming(Utterance::new("tell me"));
    // Nobody reads until it is over.
    let second = say(&setup.assistant, "").await;
    assert!(second.error.is_none());
    let events: Vec<TurnEvent> = events.collect().await;
    let text = |events: &[TurnEvent], of: fn(&TurnEvent) -> Option<&String>| -> usize {
        events.iter().filter_map(of).map(String::len).sum()
    };
    let deltas = text(&events, |event| match event {
        TurnEvent::Delta { text } => Some(text),
        _ => None,
    });
    let sentences = text(&events, |event| match event {
        TurnEvent::Sentence { text, .. } => Some(text),
        _ => None,
    });
    assert!(
        deltas <= 1 << 20 && sentences <= 1 << 20,
        "{deltas} and {sentences} bytes waited"
    );
    assert!(matches!(events.last(), Some(TurnEvent::Done { .. })));
}

#[tokio::test]
async fn pieces_that_wait_for_a_slow_listener_are_put_together() {
    let model = Paced::new();
    let setup = Setup::with(&[], |builder| builder.with_model(model.clone()));
    let reply = model.reply();
    "The sun shines".split_inclusive(' ').for_each(|piece| {
        reply.say(piece);
    });
    reply.stop();
    let events = setup.assistant.handle_streaming(Utterance::new("the weather?"));
    // The turn is served whole before anything is read.
    setup.assistant.handle(Utterance::new("")).await;
    let events: Vec<TurnEvent> = events.collect().await;
    let deltas: Vec<&str> = events
        .iter()
        .filter_map(|event| match event {
            TurnEvent::Delta { text } => Some(text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(deltas, ["The sun shines"]);
}

#[tokio::test]
async fn a_stream_knows_its_turn_and_ends_with_a_turn_that_breaks() {
    let setup = Setup::new(&[ScriptedReply::Text("Hello.".into())]);
    let mut events = setup.assistant.handle_streaming(Utterance::new("hi"));
    let turn = events.turn_id();
    let Some(TurnEvent::Heard { turn_id, .. }) = events.next().await else {
        panic!()
    };
    assert_eq!(turn, turn_id);
    let rest: Vec<TurnEvent> = events.collect().await;
    let Some(TurnEvent::Done { response }) = rest.last() else {
        panic!()
    };
    assert_eq!(response.turn_id, turn);
}

/// One reply of a model: words, calls, a question, or a failure.
fn any_reply() -> impl Strategy<Value = ScriptedReply> {
    let text = prop::sample::select(vec![
        "It is fine.",
        "好的。已经办好了。还要别的吗？",
        "**Two** things:\n- one\n- two",
        "Which one do you mean?",
        "See https://a.example now. Bye.",
        "",
    ]);
    let tool = prop::sample::select(vec!["look", "set", "act", "nothing_like_it"]);
    let full = |value| ScriptedReply::Full(serde_json::from_value(value).unwrap());
    prop_oneof![
        2 => text.clone().prop_map(|text| ScriptedReply::Text(text.into())),
        3 => (text.clone(), prop::collection::vec(tool, 1..3)).prop_map(move |(text, tools)| {
            let calls: Vec<_> = tools.iter().map(|tool| json!({ *tool: {} })).collect();
            full(json!({"text": text, "calls": calls}))
        }),
        1 => text.prop_map(move |text| {
            full(json!({"text": text, "calls": [{"ask_user": {"question": "Which?", "tool": "set", "slot": "what"}}]}))
        }),
        1 => Just(full(json!({"error": "unavailable"}))),
    ]
}

/// A response, put together from a turn's events alone: what was said, asked and called.
#[derive(Debug, Default, PartialEq)]
struct Fold {
    message: String,
    prompt: Option<String>,
    calls: Vec<(String, String, Option<Outcome>)>,
}

impl Fold {
    fn of(events: &[TurnEvent]) -> Self {
        let mut fold = Self::default();
        for event in events {
            match event {
                TurnEvent::Sentence {
                    text,
                    kind: SentenceKind::Reply,
                } => fold.message.push_str(text),
                TurnEvent::Retracted => fold.message.clear(),
                TurnEvent::Question { prompt } => fold.prompt = Some(prompt.clone()),
                TurnEvent::ToolStarted { id, name, .. } => fold.calls.push((id.clone(), name.clone(), None)),
                TurnEvent::ToolFinished { id, outcome, .. } => {
                    let call = fold.calls.iter_mut().find(|(known, ..)| known == id).unwrap();
                    call.2 = Some(*outcome);
                }
                _ => {}
            }
        }
        fold.message = fold.message.trim().to_owned();
        fold
    }
}

/// The same of a response. Calls that never ran have no events.
fn told(response: &AgentResponse) -> Fold {
    let ran = response.data.tool_results.iter();
    let ran = ran.filter(|call| call.result.get("error").is_none() && call.outcome != Outcome::Cancelled);
    let skipped = |call: &&incar::ToolCallReport| call.name != "nothing_like_it";
    Fold {
        message: response.message.trim().to_owned(),
        prompt: response.prompt.clone(),
        calls: ran
            .filter(skipped)
            .map(|call| (call.id.clone(), call.name.clone(), Some(call.outcome)))
            .collect(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn a_blocking_turn_is_the_fold_of_the_events_of_a_streaming_one(script in prop::collection::vec(any_reply(), 1..6)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let (blocking, events) = runtime.block_on(async {
            let blocking = say(&Setup::new(&script).assistant, "do it").await;
            let streaming = Setup::new(&script);
            let events: Vec<TurnEvent> = streaming.assistant.handle_streaming(Utterance::new("do it")).collect().await;
            (blocking, events)
        });
        prop_assert_eq!(Fold::of(&events), told(&blocking));
        let Some(TurnEvent::Done { response }) = events.last() else { panic!("{events:?}") };
        prop_assert_eq!(comparable((**response).clone()), comparable(blocking));
    }
}
