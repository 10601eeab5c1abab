//! Mishears Chinese text: each line of the input with some characters replaced by others of the same or a near sound.
//!
//! `noise [--rate 0.1] [--seed 1] < clean.txt > noisy.txt`
#![allow(clippy::print_stdout, reason = "what it prints is what it is for")]

#[path = "../tests/support/noise.rs"]
mod noise;

use noise::Noiser;
use std::io::{BufRead, Write};
use std::process::ExitCode;

const USAGE: &str = "usage: noise [--rate 0.1] [--seed 1] < clean.txt > noisy.txt";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let result = options(&arguments).map_err(std::io::Error::other).and_then(hear);
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "{error}");
            ExitCode::FAILURE
        }
    }
}

fn options(arguments: &[String]) -> Result<(f64, u64), &'static str> {
    let (mut rate, mut seed) = (0.1, 1);
    let mut rest = arguments;
    while let [name, value, more @ ..] = rest {
        match name.as_str() {
            "--rate" => rate = value.parse().map_err(|_| USAGE)?,
            "--seed" => seed = value.parse().map_err(|_| USAGE)?,
            _ => return Err(USAGE),
        }
        rest = more;
    }
    let fits = rest.is_empty() && (0.0..=1.0).contains(&rate);
    if fits { Ok((rate, seed)) } else { Err(USAGE) }
}

fn hear((rate, seed): (f64, u64)) -> std::io::Result<()> {
    let mut noiser = Noiser::new(rate, seed);
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        writeln!(out, "{}", noiser.hear(&line?))?;
    }
    Ok(())
}
