//! What happens in a turn, as a waterfall: rounds of the model, calls of tools, sentences to be spoken.
//!
//! `cargo run --example timeline -- '打开主驾车窗，放首晴天'` needs no key: the embedded brain thinks.
//! `INCAR_PROVIDER`, `INCAR_MODEL_URL` and the rest choose a model as for the REPL; `COLUMNS` is how
//! wide the terminal is, `NO_COLOR` leaves the colours out.

#![allow(clippy::print_stdout, reason = "an example prints")]

mod spans;
mod waterfall;

use futures_util::StreamExt;
use incar::{Clock, Seat, SentenceKind, SystemClock, TurnEvent, Utterance};
use incar_config::{Config, Environment, Stores, Surroundings};
use incar_testkit::{Simulator, SimulatorError};
use spans::{Recorder, Span};
use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use waterfall::{Row, Waterfall};

fn main() -> ExitCode {
    let said: Vec<String> = std::env::args().skip(1).collect();
    if said.is_empty() {
        eprintln!("usage: timeline UTTERANCE...   (several are one conversation)");
        return ExitCode::from(2);
    }
    match run(&said) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("timeline: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A simulated car on which the environment's model thinks, and nothing is kept.
fn simulator() -> Result<Simulator, Box<dyn Error>> {
    let (config, stores) = (Config::from_environment(&Environment::process())?, Stores::in_memory());
    let builder = Simulator::builder().starting_at(SystemClock.now());
    let simulator = builder.customised(|builder, parts| {
        let surroundings = Surroundings::new(parts.vehicle.clone(), parts.brain.clone(), Arc::new(SystemClock));
        let applied = config.apply(builder, &stores, &surroundings);
        applied.map_err(|wrong| SimulatorError::Customise(wrong.into()))
    });
    Ok(simulator.build()?)
}

fn run(said: &[String]) -> Result<(), Box<dyn Error>> {
    let recorder = Recorder::default();
    tracing_subscriber::registry().with(recorder.clone()).init();
    // The turn on one thread, the listener on another: sentences are timed when they come.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let simulator = simulator()?;
    // The brain compiles the words of all tools when it first needs them: that is no part of a turn.
    simulator
        .brain()
        .explain("", simulator.assistant().offered(), Seat::Driver);
    let drawing = Waterfall::for_terminal();
    for said in said {
        recorder.take();
        let utterance = Utterance::new(said).by(simulator.speaker(Seat::Driver));
        let (started, mut rows, reply) = runtime.block_on(async {
            let started = Instant::now();
            let mut events = simulator.assistant().handle_streaming(utterance);
            let (mut rows, mut reply) = (Vec::new(), None);
            while let Some(event) = events.next().await {
                match event {
                    TurnEvent::Sentence { text, kind } => rows.push(sentence(&text, kind)),
                    TurnEvent::Retracted => rows.push(Row::moment("taken back", "", Instant::now())),
                    TurnEvent::Done { response } => reply = Some(response),
                    _ => {}
                }
            }
            (started, rows, reply)
        });
        rows.extend(recorder.take().iter().map(row));
        println!("driver> {said}");
        if let Some(response) = reply {
            println!(
                "car>    {}  [{}, {}]",
                response.message,
                response.status.as_str(),
                response.agent
            );
        }
        println!("{}", drawing.draw(started, rows));
    }
    Ok(())
}

fn sentence(text: &str, kind: SentenceKind) -> Row {
    let what = match kind {
        SentenceKind::Progress => "progress",
        _ => "sentence",
    };
    Row::moment(what, text.trim(), Instant::now())
}

fn row(span: &Span) -> Row {
    let field = |name: &str| span.fields.get(name).map_or("", String::as_str);
    match span.name {
        "invoke_agent" => Row::span("turn", field("gen_ai.agent.name"), span.began, span.ended),
        "chat" => {
            let model = match field("gen_ai.response.model") {
                "" => field("gen_ai.request.model"),
                model => model,
            };
            let row = Row::span(
                &format!("round {}", field("incar.round")),
                model,
                span.began,
                span.ended,
            );
            match field("gen_ai.response.time_to_first_chunk").parse() {
                Ok(seconds) => row.silent_for(seconds),
                Err(_) => row,
            }
        }
        _ => {
            let tool = match field("incar.outcome") {
                "ok" => field("gen_ai.tool.name").to_owned(),
                outcome => format!("{} ({outcome})", field("gen_ai.tool.name")),
            };
            Row::span("  tool", &tool, span.began, span.ended)
        }
    }
}
