//! Measures the brain with all tools that ship, on commands of your own: how much of them is understood at which
//! confidence, and how long that takes.
//!
//! `measure < commands.tsv`: a text a line; after tabs each reading that is right, as a JSON list of calls
//! (`[{"name":"set_temperature","arguments":{"temperature":23}}]`; `[]` where nothing may be called). Lines without a
//! reading are timed only.
#![allow(clippy::print_stdout, reason = "what it prints is what it is for")]

#[path = "../tests/support/mod.rs"]
mod support;

use incar_brain::{Brain, Explanation};
use incar_core::{ChatModel, ChatRequest, Lang, Message, ModelReply, Seat, Speaker, ToolSet};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::io::BufRead;
use std::time::{Duration, Instant};

const THRESHOLDS: [f32; 9] = [0.0, 0.3, 0.4, 0.52, 0.6, 0.7, 0.8, 0.9, 0.95];

/// How often each text is timed; the shortest time counts, as the others measure what else the machine did.
const RUNS: usize = 7;

#[derive(Debug, Deserialize)]
struct Call {
    name: String,
    arguments: Map<String, Value>,
}

/// What came of one text that has a right reading.
struct Row {
    confidence: f32,
    calls: bool,
    exact: bool,
    nothing: bool,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = support::tools();
    let brain = Brain::new();
    let started = Instant::now();
    let faults = brain.prepare(&tools).len();
    println!("compiled in {:.1?}, {faults} faults", started.elapsed());
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let mut rows = Vec::new();
    let mut times = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let mut columns = line.split('\t');
        let Some(text) = columns.next().filter(|text| !text.trim().is_empty()) else {
            continue;
        };
        times.push(shortest(&brain, &tools, text, &runtime));
        let right: Vec<Vec<Call>> = columns.map(serde_json::from_str).collect::<Result<_, _>>()?;
        if !right.is_empty() {
            let explained = brain.explain(text, &tools, Seat::Driver);
            rows.push(Row {
                confidence: explained.confidence.value(),
                calls: !explained.calls.is_empty(),
                exact: right.iter().any(|calls| same(calls, &explained)),
                nothing: right.iter().all(Vec::is_empty),
            });
        }
    }
    times.sort_unstable();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    println!("{} texts: median {:.0?}, p99 {:.0?}", times.len(), at(50), at(99));
    println!(
        "| confidence at least | taken | exact of those | called where nothing is wished |\n| --- | --- | --- | --- |"
    );
    for threshold in THRESHOLDS {
        print_row(&rows, threshold);
    }
    Ok(())
}

fn shortest(brain: &Brain, tools: &ToolSet, text: &str, runtime: &tokio::runtime::Runtime) -> Duration {
    let speaker = Speaker::new("measure", Seat::Driver);
    let messages = [Message::user(text)];
    let lang = Lang::of_text(text).unwrap_or_default();
    let run = |_| {
        let request = ChatRequest::new("", &messages, &speaker, lang).with_tools(tools);
        let started = Instant::now();
        let _ = runtime.block_on(ModelReply::collect(brain.stream(request)));
        started.elapsed()
    };
    (0..RUNS).map(run).min().unwrap_or_default()
}

fn same(right: &[Call], explained: &Explanation) -> bool {
    let pairs = || right.iter().zip(&explained.calls);
    right.len() == explained.calls.len()
        && pairs().all(|(right, call)| right.name == call.tool && right.arguments == call.arguments)
}

#[expect(clippy::cast_precision_loss, reason = "small counts")]
fn print_row(rows: &[Row], threshold: f32) {
    let wishes = || rows.iter().filter(|row| !row.nothing);
    let taken = |row: &&Row| row.calls && row.confidence >= threshold;
    let (all, some) = (wishes().count().max(1), wishes().filter(taken).count());
    let exact = wishes().filter(taken).filter(|row| row.exact).count();
    let nothing = || rows.iter().filter(|row| row.nothing);
    println!(
        "| {threshold:.2} | {:.3} | {:.3} | {} of {} |",
        some as f64 / all as f64,
        exact as f64 / some.max(1) as f64,
        nothing().filter(taken).count(),
        nothing().count(),
    );
}
