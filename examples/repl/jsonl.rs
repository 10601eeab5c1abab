//! JSON lines: one object in, one out, in order; nothing else on stdout.

use crate::args::Args;
use crate::assembly::Assembly;
use crate::data::Data;
use incar::{AgentResponse, ErrorInfo, ErrorKind, Lang, Seat, Utterance};
use incar_testkit::{Simulator, SimulatorError};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::error::Error;
use std::io::{BufRead, Read, Write};
use std::time::Duration;
use tokio::runtime::Runtime;

/// The longest line that is read, in bytes.
const LONGEST: u64 = 1024 * 1024;

/// What a line may be.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum Request {
    Say(Say),
    Reset(Reset),
    Set(Set),
    Advance(Advance),
    State(State),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Say {
    say: String,
    seat: Option<Seat>,
    locale: Option<String>,
    session_id: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Reset {
    reset: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Set {
    set: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Advance {
    advance: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    state: bool,
}

pub(crate) fn serve(runtime: &Runtime, args: &Args) -> Result<(), Box<dyn Error>> {
    let _within = runtime.enter();
    let mut simulator = Assembly::of(args, &Data::Nothing)?.simulator()?;
    let (mut input, mut output) = (std::io::stdin().lock(), std::io::stdout().lock());
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.by_ref().take(LONGEST + 1).read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let whole = line.ends_with(b"\n");
        let answer = if !whole && line.len() as u64 > LONGEST {
            input.skip_until(b'\n')?;
            refused("the line is longer than 1 MiB")
        } else {
            let text = String::from_utf8_lossy(&line);
            match text.trim() {
                "" => refused("the line is empty"),
                text => answer(runtime, &mut simulator, text),
            }
        };
        serde_json::to_writer(&mut output, &answer)?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
}

fn answer(runtime: &Runtime, simulator: &mut Simulator, line: &str) -> Value {
    let request = match serde_json::from_str(line) {
        Ok(request) => request,
        Err(error) => {
            let kind = if error.is_data() {
                "no request: say, reset, set, advance or state"
            } else {
                "no JSON"
            };
            return refused(&format!("{kind} ({error})"));
        }
    };
    match request {
        Request::Say(say) => {
            let mut utterance = Utterance::new(say.say).by(simulator.speaker(say.seat.unwrap_or_default()));
            if let Some(lang) = say.locale.as_deref().and_then(Lang::from_tag) {
                utterance = utterance.in_lang(lang);
            }
            if let Some(id) = say.session_id {
                utterance = utterance.resuming(id);
            }
            let mut response = runtime.block_on(simulator.assistant().handle(utterance));
            response.data.notices = runtime.block_on(simulator.hear_notices());
            serde_json::to_value(response).unwrap_or_else(|error| refused(&error.to_string()))
        }
        Request::Reset(Reset { reset: true }) => {
            simulator.reset();
            json!({"ok": true})
        }
        Request::Set(Set { set }) => match simulator.set_all(&set) {
            Ok(()) => json!({"ok": true}),
            Err(error) => failed(&error),
        },
        Request::Advance(Advance { advance }) => match Duration::try_from_secs_f64(advance) {
            Ok(by) => {
                simulator.advance(by);
                json!({"ok": true})
            }
            Err(error) => {
                json!({"ok": false, "error": {"kind": ErrorKind::InvalidInput, "message": error.to_string()}})
            }
        },
        Request::State(State { state: true }) => json!({"ok": true, "state": simulator.state()}),
        Request::Reset(Reset { reset: false }) | Request::State(State { state: false }) => {
            refused("`reset` and `state` can only be true")
        }
    }
}

fn refused(why: &str) -> Value {
    let response = AgentResponse::failed("", "", ErrorInfo::new(ErrorKind::InvalidInput, why));
    serde_json::to_value(response).unwrap_or(Value::Null)
}

fn failed(error: &SimulatorError) -> Value {
    json!({"ok": false, "error": {"kind": ErrorKind::InvalidInput, "message": error.to_string()}})
}
