//! `[research]`

use crate::mcp::garage;
use crate::site::Site;
use crate::support::{Car, body, calls, configured, refusal, says, service};
use incar_agents::Handover;
use incar_core::{FinishReason, JobState, Outcome};
use incar_research::{Budget, Method, RunRecord};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

const QUESTION: &str = "比较一下港珠澳大桥和杭州湾跨海大桥哪个更长";

fn found() -> Value {
    json!({"organic": [{"title": "港珠澳大桥", "link": "https://bridges.example/hzmb", "snippet": "全长约五十五公里"}]})
}

fn brief(destination: &str) -> Value {
    let call = json!({"tool": "start_navigation", "arguments": {"destination": destination}});
    says(json!({"spoken": "港珠澳大桥五十五公里，更长。", "actions": [call]}).to_string())
}

/// The sections of a car that searches at `search`, with more keys of `[research]`.
fn sections(search: &Site, more: &str) -> String {
    let url = search.url("");
    format!("[web]\nsearch = \"serper\"\nurl = \"{url}\"\nkey_env = \"SEARCH_KEY\"\n\n[research]\n{more}\n")
}

/// The one run that is kept in a folder.
fn record(folder: &Path) -> RunRecord {
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let mut records = files.filter(|path| path.to_str().unwrap().ends_with("_record.json"));
    let text = std::fs::read_to_string(records.next().unwrap()).unwrap();
    assert_eq!(records.next(), None);
    serde_json::from_str(&text).unwrap()
}

#[tokio::test]
async fn a_question_is_looked_into_as_configured_and_what_it_proposes_is_done_after_a_yes() {
    let search = service([found()]).await;
    let model = service([
        calls("search_web", &json!({"query": "港珠澳大桥 全长"})),
        says("港珠澳大桥约五十五公里[1]，前者更长。"),
        brief("天坛公园"),
    ])
    .await;
    let folder = tempfile::tempdir().unwrap();
    let keys =
        "method = \"rounds\"\nmodel = \"m-large\"\ntemperature = 0.3\nmax_tokens = 900\nfolder = \"runs\"\nrounds = 4";
    let config = configured(folder.path(), &model, &sections(&search, keys));
    let car = Car::new(&config).await;
    let started = car.say(QUESTION).await;
    assert_eq!(
        started.data.job.unwrap().state,
        JobState::Running,
        "{}",
        started.message
    );
    let notice = car.notice().await;
    assert!(notice.text.ends_with("要导航去天坛公园吗？"), "{}", notice.text);
    assert!(notice.display.unwrap().contains("https://bridges.example/hzmb"));
    assert_eq!(car.say("好的").await.data.tools_used, ["start_navigation"]);

    assert_eq!(search.paths(), ["/search"]);
    let asked = body(&model, 0);
    for (parameter, value) in [
        ("model", json!("m-large")),
        ("temperature", json!(0.3)),
        ("max_tokens", json!(900)),
    ] {
        assert_eq!(asked[parameter], value, "{asked}");
    }
    let record = record(&folder.path().join("runs"));
    assert_eq!((record.method, record.question.as_str()), (Method::Rounds, QUESTION));
    assert_eq!(record.tools[0].outcome, Outcome::Ok);
}

/// What comes of a question where the model searches again and again, with more sections.
async fn searching(search: &Site, model: &Site, folder: &Path, keys: &str) -> RunRecord {
    let keys = format!("method = \"rounds\"\nfolder = \"runs\"\nproposes = []\n{keys}");
    let car = Car::new(&configured(folder, model, &sections(search, &keys))).await;
    car.say(QUESTION).await;
    car.notice().await;
    record(&folder.join("runs"))
}

#[tokio::test]
async fn a_budget_ends_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let search = service([found(), found()]).await;
    let model = service([
        calls("search_web", &json!({"query": "港珠澳大桥 全长"})),
        says("前者更长。"),
        says(json!({"spoken": "前者更长。"}).to_string()),
    ])
    .await;
    let record = searching(&search, &model, folder.path(), "calls = 1").await;
    assert_eq!((record.finish, record.tools.len()), (FinishReason::CallLimit, 1));
    assert_eq!(
        body(&model, 1).get("tools"),
        None,
        "its last word is asked for without tools"
    );
}

#[tokio::test]
async fn what_a_policy_forbids_is_not_done_by_research_either() {
    let folder = tempfile::tempdir().unwrap();
    let policy = "[[policy]]\nid = \"no-web\"\ntool = \"search_web\"\ndecision = \"deny\"\n\
        say = { zh = \"这辆车不能上网。\", en = \"No web in this car.\" }\n";
    std::fs::write(folder.path().join("policies.toml"), policy).unwrap();
    let search = service([found()]).await;
    let model = service([
        calls("search_web", &json!({"query": "港珠澳大桥 全长"})),
        says("查不了。"),
        says(json!({"spoken": "查不了。"}).to_string()),
    ])
    .await;
    let keys = "\n[policies]\nfile = \"policies.toml\"";
    let record = searching(&search, &model, folder.path(), keys).await;
    assert_eq!((record.answer.as_str(), search.paths().len()), ("查不了。", 0));
    let heard = body(&model, 1)["messages"].to_string();
    assert!(heard.contains("这辆车不能上网。"), "{heard}");
}

#[tokio::test]
async fn what_a_server_lets_read_is_a_source_and_what_it_does_is_not() {
    let model = service([
        calls("garage__where_parked", &json!({"level": "2"})),
        says("在七排。"),
        says(json!({"spoken": "车停在七排。"}).to_string()),
    ])
    .await;
    let (folder, section) = garage("");
    let text = format!("{section}\n[research]\nmethod = \"rounds\"\nservers = [\"garage\"]\nfolder = \"runs\"\n");
    let car = Car::new(&configured(folder.path(), &model, &text)).await;
    car.say("调研一下我的车停在车库的哪里").await;
    let notice = car.notice().await;
    assert!(notice.text.contains("车停在七排"), "{}", notice.text);
    let offered = body(&model, 0)["tools"].to_string();
    assert!(
        offered.contains("garage__where_parked") && !offered.contains("open_gate"),
        "{offered}"
    );
    let used = &record(&folder.path().join("runs")).tools[0];
    assert_eq!(
        (used.name.as_str(), used.outcome),
        ("garage__where_parked", Outcome::Ok)
    );
}

#[tokio::test]
async fn what_the_driver_said_and_said_yes_to_is_done_with_servers_of_others_too() {
    // Their descriptions are text from outside, which every model reads: it asks for nothing, and nothing is asked about it.
    let model = service([
        calls("garage__where_parked", &json!({"level": "2"})),
        says("在七排。"),
        calls("garage__where_parked", &json!({"level": "2"})),
        says("前者更长。"),
        brief("天坛公园"),
    ])
    .await;
    let (folder, section) = garage("");
    let text = format!("{section}\n[research]\nmethod = \"rounds\"\nservers = [\"garage\"]\n");
    let car = Car::new(&configured(folder.path(), &model, &text)).await;
    // What was called last is offered from then on.
    car.say("我的车停在车库的哪里").await;
    let started = car.say(QUESTION).await;
    assert_eq!(started.data.tools_used, ["start_research"], "{}", started.message);
    car.notice().await;
    let yes = car.say("好的").await;
    assert_eq!(yes.data.tools_used, ["start_navigation"], "{}", yes.message);
}

#[tokio::test]
async fn a_tool_that_is_not_there_cannot_be_proposed() {
    let (search, model) = (service([]).await, service([]).await);
    let config = configured(
        Path::new(""),
        &model,
        &sections(&search, "proposes = [\n\"start_navigatoin\",\n]"),
    );
    assert_eq!(
        refusal(&config),
        "car.toml:18: research.proposes: there is no tool `start_navigatoin`; did you mean `start_navigation`?"
    );
}

#[tokio::test]
async fn keys_are_what_they_say_and_the_rest_is_as_the_method_has_it() {
    let (search, model) = (service([]).await, service([]).await);
    let read = |keys: &str| {
        configured(Path::new(""), &model, &sections(&search, keys))
            .research
            .unwrap()
    };
    let usual = read("");
    assert_eq!((usual.method, usual.budget), (Method::Team, Budget::team()));
    assert_eq!(usual.profile.model, None);
    for (method, budget) in [("rounds", Budget::default()), ("deep", Budget::deep())] {
        assert_eq!(read(&format!("method = \"{method}\"")).budget, budget, "{method}");
    }
    let react = read("method = \"react\"\nrounds = 3").budget;
    assert_eq!((react.rounds, react.calls), (3, 10));
    let deep = read("method = \"deep\"\ndepth = 2\ntokens = 50000\nrequest_tokens = 9000\ntime_s = 60\ncalls = 7");
    assert_eq!(
        (deep.depth, deep.budget.tokens, deep.budget.request_tokens),
        (2, 50_000, 9_000)
    );
    assert_eq!((deep.budget.time, deep.budget.calls), (Duration::from_secs(60), 7));
    let team = read(
        "checks = 1\nabstain_below = 0.5\nparallel = 2\nreply_ms = 60000\njob_s = 90\nat_once = 2\nhandover = \"model\"",
    );
    assert_eq!(
        (team.team.checks, team.team.abstain_below, team.team.parallel),
        (1, 0.5, 2)
    );
    assert_eq!(team.profile.timeout, Duration::from_secs(60));
    assert_eq!((team.settings.budget, team.settings.most), (Duration::from_secs(90), 2));
    assert_eq!(team.settings.handover, Handover::Model);
}
