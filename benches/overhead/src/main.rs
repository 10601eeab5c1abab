//! What incar itself costs a turn, beside the floor: the same exchanges with a model service, by hand on reqwest.
//!
//! ```sh
//! .ci/ratios                                                          # the table, and a failure over the gates
//! incar-overhead serve                                                      # a model service on loopback; prints its URL
//! incar-overhead floor|incar single|clarify|loop5 plain|stream TURNS URL    # so many turns of a script, one after another
//! ```
//!
//! `.ci/ratios` runs the last line under valgrind with few turns and with many: what differs is what turns cost.
//! `docs/benchmarks.md` has the figures. Service, floor and incar are processes of their own.
#![allow(clippy::print_stdout, reason = "a command")]

mod floor;
mod scripts;
mod served;
mod service;

use floor::Floor;
use scripts::{Script, Transport};
use served::Served;
use std::error::Error;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> Outcome<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    match arguments.as_slice() {
        ["serve"] => runtime.block_on(service::serve()),
        [client, script, transport, sessions, url] => {
            let script = Script::named(script).ok_or("the script: single, clarify or loop5")?;
            let transport = Transport::named(transport).ok_or("the transport: plain or stream")?;
            let sessions = sessions.parse()?;
            runtime.block_on(async {
                match *client {
                    "floor" => play(&Floor::new(url, transport)?, script, sessions).await,
                    "incar" => play(&Served::new(url, transport)?, script, sessions).await,
                    _ => Err("the client: floor or incar".into()),
                }
            })
        }
        _ => Err("incar-overhead serve, or incar-overhead floor|incar SCRIPT plain|stream SESSIONS URL".into()),
    }
}

/// Who has conversations with the service.
trait Client {
    /// What it keeps of one.
    type Conversation;

    fn begin(&self, number: usize) -> Self::Conversation;

    /// The reply to an utterance.
    async fn turn(&self, conversation: &mut Self::Conversation, said: &str) -> Outcome<String>;
}

/// Plays a script so many times, and says when the first reply is there.
async fn play<C: Client>(client: &C, script: &Script, sessions: usize) -> Outcome<()> {
    for number in 0..sessions {
        let mut conversation = client.begin(number);
        for (said, expected) in script.turns {
            let reply = client.turn(&mut conversation, said).await?;
            if reply != *expected {
                return Err(format!("{said:?} was answered {reply:?}, not {expected:?}").into());
            }
            if number == 0 && *said == script.opening() {
                println!("answered");
            }
        }
    }
    Ok(())
}
