//! Plays every scenario of `research/tests/scenarios`: the seeds' own cases and every branch of their flows. A new case is
//! a new file, no Rust.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

mod crash;
mod input;
mod loopback;
mod model;
mod progress;
mod prompts;
mod random;
mod scenario;
mod service;
mod tools;
mod world;

use scenario::{Expect, Scenario};
use world::World;

#[tokio::test]
async fn every_scenario_comes_out_as_it_says() {
    let mut failures = Vec::new();
    for (name, scenario) in Scenario::all() {
        for fault in play(&scenario).await {
            failures.push(format!("{name}: {}\n  {fault}", scenario.about));
        }
    }
    assert!(
        failures.is_empty(),
        "{} fault(s)\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// Plays a scenario; what came out otherwise than it says.
async fn play(scenario: &Scenario) -> Vec<String> {
    let world = World::new(scenario);
    let mut faults = Vec::new();
    let mut earlier = None;
    for ask in &scenario.asks {
        let model = world.scripted(&ask.model);
        let mut listener = world.listen();
        let researcher = world.researcher(scenario, model.clone());
        let came = match (&earlier, ask.resume) {
            (Some(earlier), false) => researcher.follow_up(earlier, &ask.question).await,
            (_, false) => world::begin(&researcher, scenario, &ask.question).await,
            (_, true) => {
                let open = researcher.unfinished().await.unwrap();
                let [open] = open.as_slice() else { panic!("{open:?}") };
                researcher.resume(open).await
            }
        };
        let asked = model.take_asked();
        let seen = scenario::Seen {
            asked: &asked,
            left: model.left(),
            events: std::iter::from_fn(|| listener.try_next()).collect(),
            files: world.files().await,
        };
        faults.extend(ask.expect.faults(&came, &seen));
        earlier = came.ok().map(|record| record.id);
    }
    faults
}

#[test]
fn a_scenario_that_expects_nothing_shows_nothing() {
    for (name, scenario) in Scenario::all() {
        assert!(!scenario.asks.is_empty(), "{name}");
        assert!(
            scenario.asks.iter().all(|ask| ask.expect != Expect::default()),
            "{name}"
        );
    }
}
