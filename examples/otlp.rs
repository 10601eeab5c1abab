//! Sends the traces of what you say to a simulated car to an OpenTelemetry collector.
//!
//! `cargo run --example otlp --features otel -- http://localhost:4318 打开主驾车窗`

#![allow(clippy::print_stdout, reason = "an example prints")]

use incar::otel::Exporter;
use incar::{Seat, Utterance};
use incar_testkit::Simulator;
use std::error::Error;
use std::process::ExitCode;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let (Some(collector), said) = (arguments.next(), arguments.collect::<Vec<_>>()) else {
        eprintln!("usage: otlp COLLECTOR UTTERANCE... (a collector is something like http://localhost:4318)");
        return ExitCode::from(2);
    };
    match run(&collector, &said) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("otlp: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(collector: &str, said: &[String]) -> Result<(), Box<dyn Error>> {
    let exporter = Exporter::to_collector(collector, "incar-example")?;
    // incar's own spans, and nothing of the exporter's: that would never end.
    let ours = Targets::new().with_target("incar", LevelFilter::INFO);
    tracing_subscriber::registry()
        .with(exporter.layer().with_filter(ours))
        .init();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let simulator = Simulator::new()?;
        for said in said {
            let utterance = Utterance::new(said).by(simulator.speaker(Seat::Driver));
            println!("{}", simulator.assistant().handle(utterance).await.message);
        }
        Ok::<(), Box<dyn Error>>(())
    })?;
    exporter.flush()?;
    println!("The traces are at {collector}.");
    Ok(())
}
