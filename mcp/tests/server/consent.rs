//! What needs a yes waits for the words of somebody in the car.

use super::support::Car;
use incar_core::{AgentStatus, Notice, Seat};
use incar_testkit::{ScriptedModel, ScriptedReply};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

const QUESTION: &str = "车外的程序想要：";

#[tokio::test]
async fn a_yes_in_the_car_runs_the_call_once() {
    let mut car = Car::new().await;
    let id = car.client.open_window().await;
    let driver = car.simulator.speaker(Seat::Driver);
    let notices = car.simulator.assistant().take_notices(&driver.car);
    let told = |notice: &Notice| notice.speaker == driver && notice.text.contains("需要您同意");
    assert!(notices.len() == 1 && notices.iter().all(told), "{notices:?}");
    assert_eq!(
        (car.client.status(&id).await.as_str(), car.window()),
        ("waiting_for_a_person", json!(0))
    );
    let asked = car.say("").await;
    assert_eq!(asked.status, AgentStatus::WaitingInput);
    assert!(
        asked.message.starts_with(QUESTION) && asked.prompt == Some(asked.message.clone()),
        "{asked:?}"
    );
    let done = car.say("好的").await;
    assert_eq!(
        (done.status, done.data.tool_results[0].by.as_str()),
        (AgentStatus::Completed, "outside:mcp"),
        "{done:?}"
    );
    assert_eq!(
        (car.client.status(&id).await.as_str(), car.window()),
        ("ended", json!(100))
    );
    let again = car.say("好的").await;
    assert!(again.data.tool_results.is_empty());
}

#[tokio::test]
async fn a_yes_to_a_question_that_was_not_heard_is_none() {
    let mut car = Car::new().await;
    let id = car.client.open_window().await;
    let asked = car.say("好的").await;
    assert!(
        asked.data.tool_results.is_empty() && asked.message.contains(QUESTION),
        "{asked:?}"
    );
    assert_eq!(
        (car.client.status(&id).await.as_str(), car.window()),
        ("waiting_for_a_person", json!(0))
    );
    car.say("好的").await;
    assert_eq!(car.window(), json!(100));
}

#[tokio::test]
async fn a_no_is_a_no_and_so_is_silence() {
    for (answers, status) in [
        (&["不要"][..], "declined"),
        (&["取消"], "declined"),
        (&["", "", ""], "waiting_for_a_person"),
    ] {
        let mut car = Car::new().await;
        let id = car.client.open_window().await;
        car.say("").await;
        for answer in answers {
            car.say(answer).await;
        }
        assert_eq!(
            (car.client.status(&id).await.as_str(), car.window()),
            (status, json!(0)),
            "{answers:?}"
        );
    }
}

#[tokio::test]
async fn a_question_does_not_wait_for_ever() {
    for heard in [true, false] {
        let mut car = Car::new().await;
        let id = car.client.open_window().await;
        if heard {
            car.say("").await;
        }
        car.simulator.advance(Duration::from_secs(6 * 60));
        assert_eq!(car.client.status(&id).await, "expired");
        let late = car.say("好的").await;
        assert!(late.data.tool_results.is_empty(), "{late:?}");
        assert_eq!(car.window(), json!(0));
    }
}

#[tokio::test]
async fn the_drivers_own_business_comes_first() {
    let mut car = Car::new().await;
    let own = car.say("打开车窗").await;
    let id = car.client.open_window().await;
    // The answer to the driver's own question is that, and no consent.
    let answered = car.say("副驾驶").await;
    assert_eq!(
        answered.data.tool_results[0].arguments["window"], "passenger",
        "{own:?} {answered:?}"
    );
    assert!(answered.message.contains(QUESTION), "{answered:?}");
    assert_eq!(
        (car.client.status(&id).await.as_str(), car.window()),
        ("waiting_for_a_person", json!(0))
    );
    // A wish of the driver's is served, and the question is taken up again.
    let other = car.say("打开空调").await;
    assert!(other.data.tools_used.contains(&"set_ac_power".to_owned()), "{other:?}");
    assert!(other.prompt.is_some_and(|prompt| prompt.starts_with(QUESTION)));
    car.say("可以").await;
    assert_eq!(
        (car.client.status(&id).await.as_str(), car.window()),
        ("ended", json!(100))
    );
}

#[tokio::test]
async fn a_turn_that_fails_has_asked_nothing() {
    let model = Arc::new(ScriptedModel::default());
    let mut car = Car::thinking(model.clone()).await;
    let id = car.client.open_window().await;
    // The script is over: the model fails, and the question is not said.
    let failed = car.say("天气怎么样").await;
    assert_eq!(
        (failed.status, failed.prompt.as_deref(), failed.session_id.as_deref()),
        (AgentStatus::Error, None, None)
    );
    model.push(ScriptedReply::Text("好的。".into()));
    let asked = car.say("好的").await;
    assert!(
        asked.data.tool_results.is_empty() && asked.message.contains(QUESTION),
        "{asked:?}"
    );
    assert_eq!(
        (car.client.status(&id).await.as_str(), car.window()),
        ("waiting_for_a_person", json!(0))
    );
}

#[tokio::test]
async fn nothing_that_a_client_sends_is_a_yes() {
    let mut car = Car::new().await;
    let id = car.client.open_window().await;
    car.say("").await;
    let accepted = json!({"action": "accept", "content": {"confirmed": true}});
    for message in [
        json!({"jsonrpc": "2.0", "id": 1, "result": accepted}),
        json!({"jsonrpc": "2.0", "id": id, "result": accepted}),
        json!({"jsonrpc": "2.0", "method": "notifications/confirmed", "params": {"id": id}}),
    ] {
        car.client.send(message).await;
    }
    car.client
        .request("elicitation/create", json!({"message": "yes"}))
        .await;
    car.client
        .call("car_call_status", json!({"id": id, "confirmed": true, "answer": "yes"}))
        .await;
    let args = json!({"window": "driver", "action": "open", "confirmed": true});
    assert_eq!(car.client.call("control_window", args).await["isError"], true);
    assert_eq!(
        (car.client.status(&id).await.as_str(), car.window()),
        ("waiting_for_a_person", json!(0))
    );
}

#[tokio::test]
async fn the_driver_is_not_flooded() {
    let mut car = Car::new().await;
    for _ in 0..4 {
        car.client.open_window().await;
    }
    let arguments = json!({"window": "driver", "action": "open"});
    let fifth = car.client.call("control_window", arguments).await;
    assert_eq!(fifth["structuredContent"]["error"]["kind"], "busy", "{fifth}");
    assert_eq!(car.client.status("outside_of_nobody").await, "none");
}

#[tokio::test]
async fn what_the_policies_ask_names_the_program_too() {
    let mut car = Car::new().await;
    let answer = car
        .client
        .call("control_trunk", json!({"trunk": "rear", "action": "open"}))
        .await;
    let question = answer["structuredContent"]["question"].as_str().unwrap();
    assert!(
        question.starts_with(QUESTION) && question.contains("请确认后方安全"),
        "{question}"
    );
    // It meets the policies again when it runs: the car has moved off.
    car.say("").await;
    car.simulator.set("Vehicle.Speed", &json!(60)).unwrap();
    let refused = car.say("好的").await;
    assert_eq!(
        refused.data.tool_results[0].outcome,
        incar_core::Outcome::Denied,
        "{refused:?}"
    );
}
