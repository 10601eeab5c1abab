//! Questions that are none, and a web that never ends.

use crate::model::Remembered;
use crate::scenario::{Method, Scenario};
use crate::world::{self, World};
use incar_core::ErrorKind;
use incar_research::{FolderStorage, LONGEST_QUESTION, RunId};
use std::sync::Arc;

fn scenario(method: &str) -> Scenario {
    let text = format!("about = \"bad input\"\nmethod = \"{method}\"\nask = []");
    toml::from_str(&text).unwrap()
}

#[tokio::test]
async fn a_question_that_is_none_is_refused_before_anything_happens() {
    let letter = "字".repeat(LONGEST_QUESTION + 1);
    let big = "a question ".repeat(100_000 / 11 + 1);
    for method in ["rounds", "deep"] {
        for question in ["", " \n\t ", letter.as_str(), big.as_str()] {
            let scenario = scenario(method);
            let world = World::new(&scenario);
            let researcher = world.researcher(&scenario, Arc::new(Remembered(Arc::default())));
            let error = world::begin(&researcher, &scenario, question).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidInput, "{error}");
            let too_long = question.chars().count() > LONGEST_QUESTION;
            assert_eq!(error.to_string().contains("8000 are read"), too_long, "{error}");
            assert!(world.files().await.is_empty(), "nothing was begun");
        }
    }
}

#[tokio::test]
async fn what_was_never_begun_can_be_neither_resumed_nor_followed() {
    let scenario = scenario("rounds");
    assert_eq!(scenario.method, Method::Rounds);
    let world = World::new(&scenario);
    let researcher = world.researcher(&scenario, Arc::new(Remembered(Arc::default())));
    let id = RunId::new("run-1").unwrap();
    for error in [
        researcher.resume(&id).await.unwrap_err(),
        researcher.follow_up(&id, "and then?").await.unwrap_err(),
    ] {
        assert_eq!(error.to_string(), "there is no run `run-1`");
    }
}

#[tokio::test]
async fn a_run_that_another_version_wrote_or_that_was_spoilt_is_told_and_left_alone() {
    for (kept, fault) in [
        (
            r#"{"schema":99,"run":{}}"#,
            "it has schema 99; this version reads up to 1",
        ),
        (r#"{"schema":1,"run":{"method":"deep"}}"#, "missing field"),
        ("half of a", "expected value"),
    ] {
        let scenario = scenario("rounds");
        let world = World::new(&scenario);
        let name = incar_research::FileName::new("run-1_state.json").unwrap();
        world.storage.put(&name, kept).await.unwrap();
        let researcher = world.researcher(&scenario, Arc::new(Remembered(Arc::default())));
        let error = researcher.resume(&RunId::new("run-1").unwrap()).await.unwrap_err();
        assert!(error.to_string().contains(fault), "{error}");
        assert_eq!(world.storage.get(&name).await.unwrap().as_deref(), Some(kept));
    }
}

#[tokio::test]
async fn what_is_forgotten_is_gone_and_other_runs_are_not() {
    let all = Scenario::all();
    let (_, scenario) = all.iter().find(|(name, _)| name == "002_deeper.toml").unwrap();
    let world = World::new(scenario);
    let model = world.scripted(&scenario.asks[0].model);
    let researcher = world.researcher(scenario, model.clone());
    let first = world::begin(&researcher, scenario, &scenario.asks[0].question)
        .await
        .unwrap();
    scenario.asks[0]
        .model
        .iter()
        .cloned()
        .for_each(|reply| model.push(reply));
    let second = world::begin(&researcher, scenario, &scenario.asks[0].question)
        .await
        .unwrap();
    assert_ne!(first.id, second.id, "one question asked twice in a moment is two runs");
    researcher.forget(&first.id).await.unwrap();
    assert_eq!(researcher.record(&first.id).await, Ok(None));
    assert_eq!(researcher.resume(&second.id).await, Ok(second.clone()));
    // A state, a record, two reports and the final one.
    assert_eq!(world.files().await.len(), 5);
}

#[tokio::test]
async fn in_a_folder_a_run_is_its_files_and_nothing_else() {
    let place = tempfile::tempdir().unwrap();
    let all = Scenario::all();
    let (_, scenario) = all.iter().find(|(name, _)| name == "002_deeper.toml").unwrap();
    let storage = Arc::new(FolderStorage::open(place.path().join("runs")).unwrap());
    let world = World::with_storage(scenario, storage.clone());
    let researcher = world.researcher(scenario, world.scripted(&scenario.asks[0].model));
    let record = world::begin(&researcher, scenario, &scenario.asks[0].question)
        .await
        .unwrap();
    let entries = std::fs::read_dir(storage.path()).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let prefix = format!("{}_", record.id);
    let rest: Vec<&str> = names.iter().map(|name| name.strip_prefix(&prefix).unwrap()).collect();
    assert_eq!(
        rest,
        [
            "detailed_report.md",
            "inprocess_report_1.md",
            "inprocess_report_2.md",
            "record.json",
            "state.json"
        ]
    );
    let report = std::fs::read_to_string(storage.path().join(format!("{prefix}detailed_report.md"))).unwrap();
    assert_eq!(report, record.with_sources());
    assert!(researcher.unfinished().await.unwrap().is_empty());
}
