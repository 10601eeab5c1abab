//! Plays every scenario file in every mode it names. A new case is a new file, no Rust.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

use incar_testkit::{Scenario, Stage};
use std::path::Path;

#[tokio::test]
async fn every_scenario_comes_out_as_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let scenarios = Scenario::read_all(&folder).unwrap_or_else(|error| panic!("{error}"));
    let mut stage = Stage::new().unwrap_or_else(|error| panic!("{error}"));
    let mut failures = Vec::new();
    let mut runs = 0;
    for (path, scenario) in &scenarios {
        for &mode in &scenario.modes {
            runs += 1;
            if let Err(failure) = stage.play(scenario, mode).await {
                let name = path.strip_prefix(&folder).unwrap_or(path).display();
                failures.push(format!("{name}: {}\n  {failure}", scenario.about));
            }
        }
    }
    assert!(runs > 0, "no scenario was found in {}", folder.display());
    assert!(
        failures.is_empty(),
        "{} of {runs} runs failed:\n{}",
        failures.len(),
        failures.join("\n")
    );
}
