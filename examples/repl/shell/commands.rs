//! What starts with a slash.

use super::voice::Pace;
use super::{Shell, look};
use crate::render;
use incar::brain::Band;
use incar::{Lang, Seat};
use serde_json::Value;
use std::time::Duration;
use tokio::runtime::Runtime;

/// The commands and what they do.
pub(crate) const COMMANDS: &[(&str, &str)] = &[
    ("help", "this list"),
    (
        "state [part]",
        "the car's signals, all or those whose name has the part",
    ),
    ("tools", "the tools, with their effect"),
    ("agents", "the agents and what they can do"),
    ("sessions", "the open questions of this seat"),
    ("set <signal> <value>", "set a signal: /set Vehicle.Speed 80"),
    (
        "seat [position]",
        "speak from another seat: driver, passenger, rear_left, …",
    ),
    ("lang [zh|en|auto]", "answer in this language"),
    ("model [name]", "who thinks: brain, or a provider (this starts anew)"),
    ("advance <seconds>", "let time pass"),
    ("drive <km/h> [minutes]", "drive at this speed, for that long"),
    ("ring <number>", "somebody calls from that number"),
    ("contacts [part]", "the phone book"),
    ("library <query>", "songs by title, artist or album"),
    ("places <query>", "places by name or kind, near the car"),
    (
        "why [text]",
        "which model answered last; what the brain understands of a text, and by which words",
    ),
    (
        "voice [on|off]",
        "give replies at the pace of speech; Ctrl-C talks over them",
    ),
    ("stats", "turns, calls and waits so far, in numbers"),
    ("trace [on|off]", "show every step of a turn"),
    ("reset", "everything as at the start"),
    ("quit", "leave"),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Next {
    Go,
    Quit,
}

pub(crate) fn run(runtime: &Runtime, shell: &mut Shell, line: &str) -> Next {
    let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
    let rest = rest.trim();
    match name {
        "help" => COMMANDS.iter().for_each(|(usage, does)| say!("  /{usage:<23} {does}")),
        "state" => state(shell, rest),
        "tools" => tools(shell),
        "agents" => agents(shell),
        "sessions" => sessions(runtime, shell),
        "set" => set(shell, rest),
        "seat" => seat(shell, rest),
        "lang" => lang(shell, rest),
        "model" => model(shell, rest),
        "advance" => {
            advance(shell, rest);
            shell.tell_notices(runtime);
        }
        "drive" => look::drive(shell, rest),
        "ring" => look::ring(shell, rest),
        "contacts" => look::contacts(shell, rest),
        "library" => look::library(shell, rest),
        "places" => look::places(shell, rest),
        "why" => why(shell, rest),
        "voice" => {
            shell.pace = match (rest, shell.pace) {
                ("on", _) | ("", Pace::AtOnce) => Pace::Spoken,
                _ => Pace::AtOnce,
            };
            say!("voice is {}", if shell.pace == Pace::Spoken { "on" } else { "off" });
        }
        "stats" => stats(shell),
        "trace" => {
            shell.trace = match rest {
                "on" => true,
                "off" => false,
                _ => !shell.trace,
            };
            say!("trace is {}", if shell.trace { "on" } else { "off" });
        }
        "reset" => {
            shell.simulator.reset();
            shell.last_changes.clear();
            say!("Everything is as at the start.");
        }
        "quit" | "exit" => return Next::Quit,
        _ => say!("There is no /{name}; /help lists the commands."),
    }
    Next::Go
}

fn state(shell: &Shell, part: &str) {
    let part = part.to_lowercase();
    let mut domain = String::new();
    for (signal, value) in shell.simulator.state() {
        if !signal.to_lowercase().contains(&part) {
            continue;
        }
        let group = look::domain_of(&signal);
        if group != domain {
            say!("{}", shell.style.bold(&group));
            domain = group;
        }
        say!("  {signal} = {value}");
    }
    if !shell.last_changes.is_empty() {
        say!("{}", shell.style.bold("changed last"));
        for (signal, before, after) in &shell.last_changes {
            say!("  {signal}: {before} -> {after}");
        }
    }
}

fn tools(shell: &Shell) {
    for tool in shell.simulator.assistant().tools().iter() {
        let spec = tool.spec();
        let effect = format!("{:?}", spec.effect).to_lowercase();
        let text = format!(
            "{} ({effect}) {}",
            spec.name,
            spec.description.get(shell.lang.unwrap_or(Lang::En))
        );
        render::wrap(&text, "  ", "      ")
            .iter()
            .for_each(|line| say!("{line}"));
    }
}

fn agents(shell: &Shell) {
    let lang = shell.lang.unwrap_or(Lang::En);
    for agent in shell.simulator.assistant().agents() {
        let profile = agent.profile();
        let can: Vec<&str> = profile
            .capabilities
            .iter()
            .map(|capability| capability.get(lang))
            .collect();
        let text = format!("{}: {}", profile.name, can.join("; "));
        render::wrap(&text, "  ", "      ")
            .iter()
            .for_each(|line| say!("{line}"));
    }
}

fn sessions(runtime: &Runtime, shell: &Shell) {
    let speaker = shell.simulator.speaker(shell.seat);
    match runtime.block_on(shell.simulator.assistant().sessions(&speaker)) {
        Ok(ids) if ids.is_empty() => say!("Nothing waits for the {} seat.", shell.seat),
        Ok(ids) => ids.iter().for_each(|id| say!("  {id} waits for an answer")),
        Err(error) => say!("{error}"),
    }
}

fn stats(shell: &Shell) {
    let counters = shell.simulator.assistant().counters();
    let (turns, calls) = (counters.turns, counters.tool_calls);
    let list = |all: &[(&str, u64)]| {
        let some = all.iter().filter(|(_, count)| *count > 0);
        let some: Vec<String> = some.map(|(name, count)| format!("{name} {count}")).collect();
        some.join(", ")
    };
    let by_status = list(&[
        ("SUCCESS", turns.success),
        ("WAITING_INPUT", turns.waiting_input),
        ("COMPLETED", turns.completed),
        ("CANCELLED", turns.cancelled),
        ("EXPIRED", turns.expired),
        ("ERROR", turns.error),
    ]);
    let by_outcome = list(&[
        ("ok", calls.ok),
        ("error", calls.error),
        ("denied", calls.denied),
        ("cancelled", calls.cancelled),
        ("unknown", calls.unknown),
    ]);
    say!("  turns          {:>6}  {by_status}", turns.total());
    say!("  tool calls     {:>6}  {by_outcome}", calls.total());
    for (name, count) in [
        ("waits opened", counters.waits_opened),
        ("expiries", counters.expiries),
        ("fallbacks", counters.fallbacks),
        ("refusals", counters.refusals),
        ("interruptions", counters.interruptions),
    ] {
        say!("  {name:<14} {count:>6}");
    }
}

fn set(shell: &mut Shell, rest: &str) {
    let Some((signal, value)) = rest.split_once(' ') else {
        say!("Say which signal and which value: /set Vehicle.Speed 80");
        return;
    };
    let value = value.trim();
    let value = look::typed(value);
    match shell.simulator.set(signal, &value) {
        Ok(()) => say!("{signal} = {value}"),
        Err(error) => say!("{error}"),
    }
}

fn seat(shell: &mut Shell, rest: &str) {
    match Seat::from_name(rest) {
        Some(seat) => shell.seat = seat,
        None if rest.is_empty() => say!("You sit on the {} seat.", shell.seat),
        None => say!("There is no seat {rest:?}: {}", Seat::ALL.map(Seat::as_str).join(", ")),
    }
}

fn lang(shell: &mut Shell, rest: &str) {
    match (rest, Lang::from_tag(rest)) {
        (_, Some(lang)) => shell.lang = Some(lang),
        ("auto", None) => shell.lang = None,
        (other, None) if !other.is_empty() => say!("There is no language {other:?}: zh, en or auto"),
        _ => say!(
            "Answers are in {}.",
            shell
                .lang
                .map_or("the language spoken", |lang| lang.pick("Chinese", "English"))
        ),
    }
}

fn model(shell: &mut Shell, rest: &str) {
    if rest.is_empty() {
        say!("It runs on {}.", shell.about);
        return;
    }
    match shell.assembly.change_model(rest) {
        Ok(simulator) => {
            shell.about = shell.assembly.about(&simulator);
            shell.simulator = simulator;
            say!("It runs on {} now.", shell.about);
        }
        Err(error) => say!("{error}"),
    }
}

fn advance(shell: &mut Shell, rest: &str) {
    match rest
        .parse::<f64>()
        .ok()
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    {
        Some(by) => shell.simulator.advance(by),
        None => say!("Say how many seconds: /advance 10"),
    }
}

fn why(shell: &Shell, text: &str) {
    if text.is_empty() {
        return who(shell);
    }
    let assistant = shell.simulator.assistant();
    let explanation = shell.simulator.brain().explain(text, assistant.offered(), shell.seat);
    say!(
        "  sure to {:.0} %, {}",
        explanation.confidence.value() * 100.0,
        match explanation.band() {
            Band::Act => "acts",
            Band::Ask => "asks first",
            Band::Decline => "does not act",
        }
    );
    for call in explanation.calls {
        say!("  {} {} by: {}", call.tool, Value::Object(call.arguments), call.words);
    }
}

/// Which model answered last, and why that one.
fn who(shell: &Shell) {
    let Some(model) = &shell.last_model else {
        say!("No model was asked: code decided, or nothing was said yet.");
        return;
    };
    say!("  {} answered ({})", model.name, model.why.as_str());
    for passed in &model.passed {
        say!("  {} did not ({})", passed.name, passed.why.as_str());
    }
}
