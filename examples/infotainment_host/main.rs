//! An infotainment host that links incar as a car maker would.
//!
//! `cargo run --example infotainment_host` plays a short drive; what is piped in is played instead, a line an utterance
//! (`demo.txt` shows the few commands); `--demo` plays the drive whatever stdin is. Ctrl-C shuts down in order.
//!
//! Where to look: `gateway.rs` and `head_unit.rs` implement two of incar's services, `fridge.rs` is a tool and an agent of
//! the maker's own, `policies.rs` adds a policy, `logbook.rs` is the journal, `host.rs` puts it all together.

#![allow(clippy::print_stdout, reason = "the screen of this host is the terminal")]

mod bus;
mod fridge;
mod gateway;
mod head_unit;
mod host;
mod logbook;
mod policies;
mod screen;
mod script;

use host::Host;
use incar::SystemClock;
use screen::Screen;
use script::Step;
use std::error::Error;
use std::pin::pin;
use std::sync::Arc;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let (screen, drawing) = Screen::start();
    let mut host = Host::start(screen.clone(), Arc::new(SystemClock)).await?;
    let mut lines = script::lines();
    let mut stop = pin!(tokio::signal::ctrl_c());
    loop {
        tokio::select! {
            // In this order: a wish to stop is heard before another utterance, and an utterance only between turns.
            biased;
            stopped = &mut stop => {
                stopped?;
                break;
            }
            () = host.turn_ended(), if host.is_busy() => {}
            line = lines.recv(), if !host.is_busy() => match line.as_deref().map(Step::parse) {
                None => break,
                Some(Ok(None)) => {}
                Some(Ok(Some(step))) => host.play(step).await?,
                Some(Err(problem)) => screen.host(problem),
            },
        }
    }
    host.shut_down().await;
    // The last handle goes, so the screen draws what it still has and ends.
    drop(screen);
    drawing.await?;
    Ok(())
}
