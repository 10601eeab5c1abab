//! The whole way: the driver asks, a researcher searches the offline articles with a scripted model, the driver hears of it
//! and says yes. The car's own commands are understood by the embedded brain throughout.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

use incar::research::{InCar, Method, Researcher, Resources};
use incar::web::WebTools;
use incar::{AgentResponse, AgentStatus, JobState, Message, Seat, SystemClock, Utterance};
use incar_testkit::{ScriptedModel, ScriptedReply, Simulator};
use serde_json::json;
use std::sync::Arc;

/// A car whose research asks `model`, and may propose to navigate.
fn simulator(model: Arc<ScriptedModel>) -> Simulator {
    let resources = Resources::new(model, Arc::new(SystemClock))
        .with_tools(WebTools::offline().tools())
        .unwrap();
    let plain = Simulator::new().unwrap();
    let navigation = plain
        .assistant()
        .tools()
        .get("start_navigation")
        .unwrap()
        .spec()
        .clone();
    let researcher = Arc::new(Researcher::new(resources.clone()));
    let in_car = Arc::new(
        InCar::new(researcher, resources)
            .by(Method::Rounds)
            .proposing([navigation]),
    );
    Simulator::builder()
        .customised(|builder, _| Ok(builder.with_research(in_car)))
        .build()
        .unwrap()
}

async fn say(simulator: &Simulator, text: &str) -> AgentResponse {
    let utterance = Utterance::new(text).by(simulator.speaker(Seat::Driver));
    simulator.assistant().handle(utterance).await
}

#[tokio::test]
async fn what_was_looked_into_is_offered_and_done_after_a_yes() {
    let model = Arc::new(ScriptedModel::default());
    let brief = json!({
        "spoken": "杭州湾跨海大桥全长三十六公里，港珠澳大桥五十五公里，更长。",
        "actions": [{"tool": "start_navigation", "arguments": {"destination": "天坛公园"}}],
    });
    for reply in [
        ScriptedReply::call("search_web", json!({"query": "港珠澳大桥 全长"})),
        ScriptedReply::call("search_web", json!({"query": "杭州湾跨海大桥 全长"})),
        ScriptedReply::Text("港珠澳大桥约五十五公里[1]，杭州湾跨海大桥三十六公里，前者更长。".into()),
        ScriptedReply::Text(brief.to_string()),
    ] {
        model.push(reply);
    }
    let simulator = simulator(model.clone());
    let started = say(&simulator, "比较一下港珠澳大桥和杭州湾跨海大桥哪个更长").await;
    assert_eq!(
        started.data.job.unwrap().state,
        JobState::Running,
        "{}",
        started.message
    );
    let meanwhile = say(&simulator, "打开空调").await;
    assert_eq!(meanwhile.data.tools_used, ["set_ac_power"], "{}", meanwhile.message);

    let notice = loop {
        tokio::task::yield_now().await;
        if let Some(notice) = simulator.hear_notices().await.pop() {
            break notice;
        }
    };
    assert!(notice.text.ends_with("更长。要导航去天坛公园吗？"), "{}", notice.text);
    let display = notice.display.unwrap();
    assert!(display.contains("incar://corpus/"), "{display}");
    assert!(!notice.text.contains("incar://"), "{}", notice.text);
    assert_eq!(
        simulator.state()["Navigation.IsGuiding"],
        false,
        "nothing is done unasked"
    );
    let yes = say(&simulator, "好的").await;
    assert_eq!(
        (yes.status, yes.data.tools_used),
        (AgentStatus::Success, vec!["start_navigation".to_owned()])
    );

    let asked = model.take_asked();
    let results = |messages: &[Message]| {
        messages
            .iter()
            .filter(|message| matches!(message, Message::Tool(_)))
            .count()
    };
    assert_eq!((asked.len(), results(&asked[2].messages)), (4, 2));
    assert_eq!(asked[3].tools, None, "the brief is made without tools");
}

#[tokio::test]
async fn a_service_that_cannot_be_reached_is_told() {
    let model = Arc::new(ScriptedModel::default());
    model.push(serde_json::from_value(json!({"error": "unavailable"})).unwrap());
    let simulator = simulator(model);
    say(&simulator, "调研一下杭州有哪些适合老人的景点").await;
    let notice = loop {
        tokio::task::yield_now().await;
        if let Some(notice) = simulator.hear_notices().await.pop() {
            break notice;
        }
    };
    assert!(
        notice.text.ends_with("没有查成。现在连不上查询的服务。"),
        "{}",
        notice.text
    );
}
