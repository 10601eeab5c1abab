//! What is seen of a run in traces and logs: that it worked, and nothing of what it was about.
//!
//! A program of its own: whether anybody listens is remembered for the whole process at each place that traces.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

#[allow(dead_code, reason = "shared with the tests of the flows")]
#[path = "flows/scenario.rs"]
mod scenario;
#[allow(dead_code, reason = "shared with the tests of the flows")]
#[path = "flows/world.rs"]
mod world;

use scenario::Scenario;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::FmtSpan;
use world::World;

/// Everything that was logged, as text.
#[derive(Debug, Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

#[tokio::test]
async fn runs_are_traced_and_nothing_that_was_asked_found_or_answered_is() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_span_events(FmtSpan::CLOSE)
        .with_writer(log.clone())
        .with_ansi(false)
        .finish();
    let guard = tracing::subscriber::set_default(subscriber);
    for (name, scenario) in Scenario::all() {
        // What is Chinese in a log comes from a question, a source or a reply: incar's own words there are English.
        if name.contains("english") {
            continue;
        }
        let world = World::new(&scenario);
        let Some(first) = scenario.asks.first() else { continue };
        let researcher = world.researcher(&scenario, world.scripted(&first.model));
        let _came = world::begin(&researcher, &scenario, &first.question).await;
    }
    drop(guard);
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    for part in [
        "invoke_agent{",
        "chat{",
        "execute_tool{",
        "gen_ai.agent.name=\"research\"",
        "gen_ai.usage.input_tokens=",
        "gen_ai.tool.name=\"search_web\"",
        "incar.outcome=\"error\"",
        "error.type=\"model_unavailable\"",
        "the model's answer is to be mended",
        "a bound was reached",
    ] {
        assert!(text.contains(part), "{part}: {}", text.get(..2000).unwrap_or(&text));
    }
    let told = text
        .lines()
        .find(|line| line.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)));
    assert_eq!(told, None);
}
