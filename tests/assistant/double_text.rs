//! Two utterances of one speaker at once: who is served when, and nothing is lost.

use crate::support::{Setup, World};
use futures_util::{StreamExt, stream};
use incar::{
    AgentResponse, AgentStatus, Assistant, ChatModel, ChatRequest, DoubleText, ErrorKind, FinishReason, Limits,
    Message, ModelEvent, ModelFinish, ModelStream, Outcome, Settings, ToolCall, Utterance,
};
use incar_testkit::ScriptedReply;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;
use tokio::task::JoinHandle;

fn text(text: &str) -> ScriptedReply {
    ScriptedReply::Text(text.into())
}

fn settings(policy: DoubleText) -> Settings {
    Settings::default().with_double_text(policy)
}

fn with_policy(script: &[ScriptedReply], policy: DoubleText) -> Setup {
    Setup::with(script, |builder| builder.with_settings(settings(policy)))
}

fn say(assistant: &Assistant, said: &str) -> JoinHandle<AgentResponse> {
    let (assistant, utterance) = (assistant.clone(), Utterance::new(said));
    tokio::spawn(async move { assistant.handle(utterance).await })
}

fn ended(response: &AgentResponse) -> (AgentStatus, FinishReason) {
    (response.status, response.data.finish_reason)
}

/// A model that does not answer the first time it is asked; then it says what it heard.
#[derive(Debug, Default)]
struct Slow {
    asked: AtomicUsize,
    started: Notify,
}

fn heard(messages: &[Message]) -> Vec<&str> {
    let users = messages.iter().filter_map(|message| match message {
        Message::User(said) => Some(said.content.as_str()),
        _ => None,
    });
    users.collect()
}

impl ChatModel for Slow {
    fn name(&self) -> &str {
        "slow"
    }

    fn stream<'a>(&'a self, request: ChatRequest<'a>) -> ModelStream<'a> {
        if self.asked.fetch_add(1, Ordering::SeqCst) == 0 {
            self.started.notify_one();
            return stream::pending().boxed();
        }
        let said = format!("Heard: {}.", heard(request.messages).join(", "));
        stream::iter([Ok(ModelEvent::Text(said)), Ok(ModelEvent::Finish(ModelFinish::Stop))]).boxed()
    }
}

#[tokio::test]
async fn a_new_utterance_interrupts_a_model_that_thinks_and_the_first_is_not_lost() {
    let model = Arc::new(Slow::default());
    let setup = Setup::with(&[], |builder| builder.with_model(model.clone()));
    let first = say(&setup.assistant, "open the window");
    model.started.notified().await;
    let second = say(&setup.assistant, "and the sunroof");
    assert_eq!(
        ended(&first.await.unwrap()),
        (AgentStatus::Cancelled, FinishReason::Interrupted)
    );
    assert_eq!(
        second.await.unwrap().message,
        "Heard: open the window, and the sunroof."
    );
}

#[tokio::test]
async fn a_call_that_changes_something_runs_to_its_end_before_the_next_utterance_is_served() {
    let setup = with_policy(&[ScriptedReply::call("wait", json!({}))], DoubleText::Interrupt);
    let first = say(&setup.assistant, "go");
    setup.world.started.notified().await;
    let second = say(&setup.assistant, "and now?");
    tokio::task::yield_now().await;
    assert!(!second.is_finished(), "it waits for the call");
    // No reply for the first: its model is not asked again.
    setup.model.push(text("It is done."));
    setup.world.opened.notify_one();
    let first = first.await.unwrap();
    assert_eq!(ended(&first), (AgentStatus::Cancelled, FinishReason::Interrupted));
    assert_eq!(first.data.tool_results[0].outcome, Outcome::Ok, "what was done is told");
    assert_eq!(second.await.unwrap().message, "It is done.");
    assert_eq!(setup.world.deeds(), ["wait"]);
    let seen = serde_json::to_string(&setup.model.take_asked().pop().unwrap().messages).unwrap();
    assert!(
        seen.contains(r#"did\":\"wait"#),
        "the next reply knows what was done: {seen}"
    );
}

#[tokio::test]
async fn a_read_is_dropped_when_talked_over() {
    let setup = with_policy(&[ScriptedReply::call("hang_reading", json!({}))], DoubleText::Interrupt);
    let first = say(&setup.assistant, "look it up");
    setup.world.started.notified().await;
    setup.model.push(text("Fine."));
    let second = say(&setup.assistant, "never mind that, hello");
    let first = first.await.unwrap();
    assert_eq!(ended(&first), (AgentStatus::Cancelled, FinishReason::Interrupted));
    assert_eq!(first.data.tool_results[0].outcome, Outcome::Cancelled);
    assert_eq!(second.await.unwrap().status, AgentStatus::Success);
}

#[tokio::test]
async fn a_question_that_waits_survives_an_interruption() {
    let question = json!({"question": "Which?", "tool": "act", "slot": "which"});
    let setup = Setup::new(&[ScriptedReply::call("ask_user", question)]);
    let waiting = say(&setup.assistant, "act").await.unwrap();
    assert_eq!(waiting.status, AgentStatus::WaitingInput);
    setup.model.push(ScriptedReply::call("wait", json!({})));
    let first = say(&setup.assistant, "do the other thing");
    setup.world.started.notified().await;
    setup.model.push(text("Here."));
    let second = say(&setup.assistant, "hello?");
    setup.world.opened.notify_one();
    let first = first.await.unwrap();
    assert_eq!(ended(&first), (AgentStatus::WaitingInput, FinishReason::Interrupted));
    assert_eq!(first.prompt.as_deref(), Some("Which?"));
    let second = second.await.unwrap();
    assert_eq!(
        (second.status, second.session_id),
        (AgentStatus::WaitingInput, waiting.session_id)
    );
}

#[tokio::test]
async fn enqueued_utterances_are_served_whole_one_after_another() {
    let script = [ScriptedReply::call("wait", json!({})), text("First."), text("Second.")];
    let setup = with_policy(&script, DoubleText::Enqueue);
    let first = say(&setup.assistant, "go");
    setup.world.started.notified().await;
    let second = say(&setup.assistant, "hello");
    setup.world.opened.notify_one();
    assert_eq!(first.await.unwrap().message, "First.");
    assert_eq!(second.await.unwrap().message, "Second.");
}

#[tokio::test]
async fn more_than_may_wait_are_told_so() {
    let setup = with_policy(&[ScriptedReply::call("wait", json!({}))], DoubleText::Enqueue);
    let first = say(&setup.assistant, "go");
    setup.world.started.notified().await;
    (0..40).for_each(|_| setup.model.push(text("Done.")));
    let rest: Vec<_> = (0..40).map(|_| say(&setup.assistant, "and this")).collect();
    let mut busy = 0;
    tokio::task::yield_now().await;
    setup.world.opened.notify_one();
    for response in rest {
        let response = response.await.unwrap();
        match response.error {
            Some(error) => {
                assert_eq!((error.kind, error.retryable), (ErrorKind::Busy, true));
                busy += 1;
            }
            None => assert_eq!(response.status, AgentStatus::Success),
        }
    }
    assert_eq!(busy, 40 - 16, "sixteen may wait");
    assert_eq!(first.await.unwrap().status, AgentStatus::Success);
}

#[tokio::test]
async fn what_is_less_urgent_waits_and_a_halt_never_does() {
    let check = async |first: &str, second: &str, outcome: FinishReason| {
        let model = Arc::new(Slow::default());
        let simulator = incar_testkit::Simulator::customised(Some(model.clone()), &|builder| builder).unwrap();
        let turn = say(simulator.assistant(), first);
        model.started.notified().await;
        let next = say(simulator.assistant(), second);
        tokio::task::yield_now().await;
        assert_eq!(
            turn.is_finished(),
            outcome == FinishReason::Interrupted,
            "{first}, then {second}"
        );
        turn.abort();
        let _ = turn.await;
        assert_eq!(next.await.unwrap().status, AgentStatus::Success);
    };
    check("打电话给张伟", "播放音乐", FinishReason::Done).await;
    check("播放音乐", "打电话给张伟", FinishReason::Interrupted).await;
    check("打开空调", "打开座椅加热", FinishReason::Interrupted).await;
    check("打电话给张伟", "停", FinishReason::Interrupted).await;
    check("打电话给张伟", "算了", FinishReason::Interrupted).await;
}

#[tokio::test]
async fn a_conversation_that_waits_through_many_digressions_stays_bounded() {
    let kept = Settings::default().with_conversation(3);
    let setup = Setup::with(&[], |builder| builder.with_model(Arc::new(Clerk)).with_settings(kept));
    for n in 0..10 {
        let response = setup.assistant.handle(Utterance::new(format!("number {n}"))).await;
        assert_eq!(response.status, AgentStatus::WaitingInput, "the question stays open");
        let users = users_of(&response.data.conversation_history).len();
        assert_eq!(users, (n + 1).min(3));
    }
}

/// A model that does each utterance's deed once, and then asks for the next.
#[derive(Debug)]
struct Clerk;

impl ChatModel for Clerk {
    fn name(&self) -> &str {
        "clerk"
    }

    fn stream<'a>(&'a self, request: ChatRequest<'a>) -> ModelStream<'a> {
        let (name, arguments) = match request.messages.last() {
            Some(Message::User(_)) => ("act", json!({})),
            _ => (
                "ask_user",
                json!({"question": "What else?", "tool": "set", "slot": "what"}),
            ),
        };
        let call = ToolCall::new(format!("c{}", request.messages.len()), name, arguments.to_string());
        let events = [
            Ok(ModelEvent::ToolCall(call)),
            Ok(ModelEvent::Finish(ModelFinish::ToolCalls)),
        ];
        stream::iter(events).boxed()
    }
}

const MANY: usize = 200;

fn users_of(history: &[Value]) -> Vec<&str> {
    let users = history.iter().filter(|message| message["role"] == "user");
    users.filter_map(|message| message["content"].as_str()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn hundreds_of_turns_on_one_session_lose_nothing_and_do_nothing_twice() {
    let mut limits = Limits::default();
    limits.input_tokens = u64::MAX;
    let settings = settings(DoubleText::Enqueue)
        .with_limits(limits)
        .with_conversation(usize::MAX);
    let setup = Setup::with(&[], |builder| {
        builder.with_model(Arc::new(Clerk)).with_settings(settings)
    });
    let world: &Arc<World> = &setup.world;
    let first = say(&setup.assistant, "start").await.unwrap();
    let turns: Vec<_> = (0..MANY)
        .map(|n| {
            let assistant = setup.assistant.clone();
            tokio::spawn(async move {
                loop {
                    let response = assistant.handle(Utterance::new(format!("number {n}"))).await;
                    match response.error {
                        Some(error) => assert_eq!(error.kind, ErrorKind::Busy),
                        None => return response,
                    }
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();
    for turn in turns {
        let response = turn.await.unwrap();
        assert_eq!(response.status, AgentStatus::WaitingInput);
        assert_eq!(response.session_id, first.session_id, "one session serves them all");
        assert_eq!(response.data.tool_results.len(), 1);
    }
    assert_eq!(world.deeds().len(), MANY + 1, "each deed is done once");
    let last = say(&setup.assistant, "the end").await.unwrap();
    let mut said = users_of(&last.data.conversation_history);
    assert_eq!(said.len(), MANY + 2, "each utterance is in the conversation");
    said.sort_unstable();
    said.dedup();
    assert_eq!(said.len(), MANY + 2, "once");
}
