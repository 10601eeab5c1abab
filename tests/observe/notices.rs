//! What is said unasked.

use crate::setup::{Setup, ask, call, driver, text};
use futures_util::{FutureExt, StreamExt};
use incar::{Notice, NoticePriority, NoticeWhen, Outcome, Seat, Settings, Speaker};
use std::time::Duration;

const WAIT: Duration = Duration::from_secs(300);

fn texts(notices: &[Notice]) -> Vec<&str> {
    notices.iter().map(|notice| notice.text.as_str()).collect()
}

async fn with_open_question() -> Setup {
    let setup = Setup::new();
    setup.script([ask("look", "At what?")]);
    setup.say("look").await;
    setup
}

#[tokio::test]
async fn a_question_that_lapsed_is_told_once() {
    let setup = with_open_question().await;
    assert!(setup.assistant.take_notices("car").is_empty());
    setup.clock.advance(WAIT);
    let told = setup.assistant.take_notices("car");
    assert_eq!(texts(&told), ["My question “At what?” has lapsed; nothing was done."]);
    assert_eq!(
        (&told[0].speaker, told[0].priority, told[0].when),
        (&driver(), NoticePriority::Low, NoticeWhen::Calm)
    );
    assert!(told[0].session_id.is_some() && !told[0].id.is_empty());
    // Neither asking again nor the driver's next wish tells it a second time.
    setup.script([text("Hello.")]);
    setup.say("hello").await;
    assert!(setup.assistant.take_notices("car").is_empty());
}

#[tokio::test]
async fn a_question_that_was_answered_called_off_or_forgotten_does_not_lapse() {
    for said in [Some("never mind"), None] {
        let setup = with_open_question().await;
        match said {
            Some(said) => drop(setup.say(said).await),
            None => setup.assistant.forget(&driver()).await.unwrap(),
        }
        setup.clock.advance(WAIT);
        assert!(setup.assistant.take_notices("car").is_empty(), "{said:?}");
    }
}

#[tokio::test]
async fn a_late_answer_is_told_as_its_response_and_not_again() {
    let setup = with_open_question().await;
    setup.clock.advance(WAIT);
    setup.script([incar_testkit::ScriptedReply::Full(
        serde_json::from_value(serde_json::json!({"text": "I can't help with that.", "finish": "declined"})).unwrap(),
    )]);
    let response = setup.say("the road").await;
    assert_eq!(response.status, incar::AgentStatus::Expired);
    assert!(setup.assistant.take_notices("car").is_empty());
}

#[tokio::test]
async fn a_digression_starts_the_wait_anew() {
    let setup = with_open_question().await;
    setup.clock.advance(WAIT / 2);
    setup.say("what did you ask").await;
    setup.clock.advance(WAIT / 2);
    assert!(setup.assistant.take_notices("car").is_empty());
    setup.clock.advance(WAIT / 2);
    assert_eq!(setup.assistant.take_notices("car").len(), 1);
}

#[tokio::test]
async fn a_host_hands_over_its_own_and_each_reaches_one_reader() {
    let setup = Setup::new();
    let mut stream = setup.assistant.notices();
    assert!(stream.next().now_or_never().is_none(), "nothing yet");
    let passenger = Speaker::new("car", Seat::Passenger);
    let id = setup
        .assistant
        .notify(Notice::new(passenger, "The search is done.").to_be_said(NoticeWhen::Now));
    let heard = stream.next().await.unwrap();
    assert_eq!((heard.id, heard.text.as_str()), (id, "The search is done."));
    assert!(setup.assistant.take_notices("car").is_empty());

    let own = Notice::new(driver(), "Charged.").with_id("charger-1");
    assert_eq!(setup.assistant.notify(own), "charger-1");
    assert!(setup.assistant.take_notices("another car").is_empty());
    assert_eq!(texts(&setup.assistant.take_notices("car")), ["Charged."]);
}

#[tokio::test(start_paused = true)]
async fn a_reader_wakes_when_a_question_lapses() {
    // On the system's clock a reader is woken; here time and clock are moved together.
    let setup = with_open_question().await;
    let mut stream = setup.assistant.notices();
    let clock = setup.clock.clone();
    let moved = async move {
        tokio::time::sleep(WAIT - Duration::from_secs(1)).await;
        clock.advance(WAIT);
    };
    let (heard, ()) = tokio::join!(stream.next(), moved);
    assert_eq!(heard.unwrap().priority, NoticePriority::Low);
}

#[tokio::test(start_paused = true)]
async fn what_was_still_on_its_way_is_told_once_it_is_done() {
    let settings = Settings::default().with_deadline(Duration::from_secs(5));
    let setup = Setup::with(|builder| builder.with_settings(settings));
    let mut stream = setup.assistant.notices();
    setup.script([call("dawdle", "it"), text("Well.")]);
    let response = setup.say("do it").await;
    assert_eq!(
        response.data.tool_results[0].outcome,
        Outcome::Unknown,
        "{}",
        response.message
    );
    assert!(stream.next().now_or_never().is_none(), "it is not done yet");
    let told = stream.next().await.unwrap();
    assert_eq!((told.text.as_str(), &told.speaker), ("Heard it at last.", &driver()));
}

#[tokio::test]
async fn where_there_is_no_room_the_least_and_oldest_goes() {
    let setup = Setup::new();
    let notify = |text: String, priority| {
        setup
            .assistant
            .notify(Notice::new(driver(), text).with_priority(priority))
    };
    notify("important".into(), NoticePriority::High);
    notify("first".into(), NoticePriority::Low);
    notify("second".into(), NoticePriority::Low);
    for number in 0..62 {
        notify(format!("normal {number}"), NoticePriority::Normal);
    }
    let kept = setup.assistant.take_notices("car");
    assert_eq!(kept.len(), 64);
    assert_eq!(texts(&kept)[..3], ["important", "second", "normal 0"]);
}

#[tokio::test]
async fn the_stream_ends_with_the_assistant() {
    let setup = Setup::new();
    let mut stream = setup.assistant.notices();
    let waiting = tokio::spawn(async move { stream.next().await });
    tokio::task::yield_now().await;
    drop(setup);
    assert_eq!(waiting.await.unwrap(), None);
}
