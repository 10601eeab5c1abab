//! A service that fails after its calls have run: what was done is told, and not done again.

use crate::server::{End, Reply, Service};
use crate::support::{Car, answered, calls};
use incar::{AgentStatus, PassedReason};
use serde_json::json;

fn calling(tool: &str, arguments: &str) -> Reply {
    let call =
        json!({"index": 0, "id": "call_a", "type": "function", "function": {"name": tool, "arguments": arguments}});
    let delta = json!({"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]});
    Reply::events(&[&delta.to_string()])
}

#[tokio::test]
async fn what_ran_before_the_fault_is_told_and_not_done_again() {
    let text = r#"{"choices":[{"index":0,"delta":{"content":"已经为您"}}]}"#;
    for (what, fault, why) in [
        ("500", vec![Reply::new(500, "{}"); 2], PassedReason::Unavailable),
        ("a hang", vec![Reply::hang()], PassedReason::Late),
        (
            "cut in the middle",
            vec![Reply::sse(&format!("data: {text}\n\n")).with_end(End::Cut)],
            PassedReason::Unavailable,
        ),
    ] {
        let play = calling("play_music", r#"{"artist":"周杰伦"}"#);
        let service = Service::start([vec![play], fault].concat()).await;
        let car = Car::on(&service);
        let response = car.say("播放周杰伦的歌").await;
        assert_eq!(response.status, AgentStatus::Success, "{what}: {}", response.message);
        assert_eq!(calls(&response), ["play_music:ok"], "{what}");
        assert_eq!(answered(&response), ("embedded", vec![why]), "{what}");
        assert!(!response.message.contains("已经为您"), "{what}: {}", response.message);
    }
}
