//! The simulator: talk to a car, in Chinese or English, with no key and no network.
//!
//! `cargo run --release --example repl` opens a prompt; `-- --jsonl` reads one JSON object a line
//! and answers one a line; `-- --help` lists the options.

#![allow(clippy::print_stdout, reason = "a REPL prints")]

mod args;
mod assembly;
mod check;
mod data;
mod jsonl;
mod render;
mod research;
mod shell;

use args::{Args, Mode};
use std::process::ExitCode;

fn main() -> ExitCode {
    let args = match Args::from_env() {
        Ok(args) => args,
        Err(error) => {
            eprintln!("repl: {error}\n\n{}", args::USAGE);
            return ExitCode::from(2);
        }
    };
    log_to_stderr();
    // A thread of its own: what is looked into in the background goes on while a line is waited for.
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    let runtime = match runtime.worker_threads(1).enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("repl: no runtime: {error}");
            return ExitCode::FAILURE;
        }
    };
    let outcome = match args.mode {
        Mode::Help => {
            println!("{}", args::USAGE);
            return ExitCode::SUCCESS;
        }
        Mode::CheckConfig => return check::config(&args),
        Mode::CheckPolicies => return check::policies(&args),
        Mode::JsonLines => jsonl::serve(&runtime, &args),
        Mode::Shell => shell::run(&runtime, &args),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("repl: {error}");
            ExitCode::FAILURE
        }
    }
}

/// `INCAR_LOG=info` (or debug, warn, …) shows what happens inside, on stderr.
fn log_to_stderr() {
    let level = std::env::var("INCAR_LOG")
        .ok()
        .and_then(|level| level.parse::<tracing::Level>().ok());
    if let Some(level) = level {
        tracing_subscriber::fmt()
            .with_writer(std::io::stderr)
            .with_max_level(level)
            .init();
    }
}
