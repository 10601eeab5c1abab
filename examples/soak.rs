//! A soak: many turns of many cars, and what memory does meanwhile.
//!
//! ```sh
//! cargo run --release --example soak -- 200000
//! ```
//!
//! Five hundred speakers talk to one assistant in turn: plain wishes, wishes that ask back and are
//! answered, wishes that ask back and are left, digressions, talk. The resident memory is read at every
//! tenth of the way (Linux); the run fails where the second half grew by more than a tenth.
#![allow(clippy::print_stdout, reason = "a command")]

use incar::{AgentStatus, Seat, Speaker, Utterance};
use incar_testkit::Simulator;
use std::process::ExitCode;

/// How many speakers take turns: few enough that each comes to the bounds of its memory long before the end.
const SPEAKERS: usize = 500;

/// What each speaker says, one after another.
const SAID: &[&str] = &[
    "打开空调",
    "打开车窗",
    "左后",
    "turn on the seat heating",
    "play some music",
    "how much battery is left",
    "Yesterday by The Beatles",
    "打开车窗",
    "再高两度",
    "谢谢",
];

/// The resident memory in KiB; `None` where the system does not tell.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let turns: usize = std::env::args()
        .nth(1)
        .and_then(|number| number.parse().ok())
        .unwrap_or(200_000);
    let simulator = match Simulator::new() {
        Ok(simulator) => simulator,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::FAILURE;
        }
    };
    let (mut waiting, mut failed, mut seen) = (0_u64, 0_u64, Vec::new());
    for turn in 0..turns {
        let speaker = Speaker::new(format!("car-{}", turn % SPEAKERS), Seat::Driver);
        let said = SAID.get((turn / SPEAKERS) % SAID.len()).copied().unwrap_or_default();
        let response = simulator.assistant().handle(Utterance::new(said).by(speaker)).await;
        match response.status {
            AgentStatus::WaitingInput => waiting += 1,
            AgentStatus::Error => failed += 1,
            _ => {}
        }
        // Time passes, so that what is left unanswered expires.
        simulator.advance(std::time::Duration::from_millis(10));
        if (turn + 1) % (turns / 10).max(1) == 0 {
            let memory = resident();
            seen.extend(memory);
            println!(
                "{:>9} turns  {waiting:>8} asked back  {failed:>6} failed  {} KiB",
                turn + 1,
                memory.unwrap_or_default()
            );
        }
    }
    match (seen.get(seen.len() / 2), seen.last()) {
        (Some(half), Some(last)) if *last > half + half / 10 => {
            eprintln!("memory grew from {half} to {last} KiB in the second half");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
