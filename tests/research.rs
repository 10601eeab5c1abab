//! Background research in the car: dialogues in files, and what only a clock or a second process shows.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

use incar_testkit::{Scenario, ScriptedResearcher, Stage};
use std::path::Path;
use std::sync::Arc;

#[tokio::test]
async fn every_dialogue_with_research_comes_out_as_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/research");
    let researcher = Arc::new(ScriptedResearcher::default());
    let mut stage = Stage::customised(&|builder| builder.with_research(researcher.clone()))
        .unwrap()
        .with_researcher(researcher);
    let mut failures = Vec::new();
    for (path, scenario) in Scenario::read_all(&folder).unwrap() {
        for &mode in &scenario.modes {
            if let Err(failure) = stage.play(&scenario, mode).await {
                failures.push(format!("{}: {failure}", path.display()));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[tokio::test]
async fn nothing_that_the_other_scenarios_say_is_taken_for_research() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let researcher = Arc::new(ScriptedResearcher::default());
    let mut stage = Stage::customised(&|builder| builder.with_research(researcher.clone())).unwrap();
    for (path, scenario) in Scenario::read_all(&folder).unwrap() {
        for &mode in &scenario.modes {
            if let Err(failure) = stage.play(&scenario, mode).await {
                panic!("{}: {failure}", path.display());
            }
        }
    }
    assert_eq!(researcher.asked(), []);
}
