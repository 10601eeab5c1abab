//! The machine, driven by a world that is a table: what each tool does is in its name.

mod confirmations;
mod conversations;
mod flows;
mod questions;
mod stopped;

use super::*;
use crate::classify::{Judgement, ReplyClass};
use crate::control::{ASK_USER, AskUser};
use crate::error::ErrorKind;
use crate::history::History;
use crate::model::{ModelError, ModelFinish, ModelReply};
use crate::outcome::Outcome;
use crate::policy::PolicyDecision;
use crate::response::{AgentStatus, CallShape, ExpectsReply, Pending};
use crate::spec::{Concurrency, Effect};
use crate::tool::{Resolved, ToolError, ToolOutput};
use serde_json::json;
use std::time::Duration;

const NOW: Timestamp = Timestamp::from_millis(1_000);

/// A reply of the scripted model: `"text"`, or calls `"set a=1 | read"`, each with an id.
fn reply(script: &str) -> ModelReply {
    if let Some(calls) = script.strip_prefix("! ") {
        let calls = calls.split(" | ").enumerate().map(|(n, call)| {
            let (name, arguments) = call.split_once(' ').unwrap_or((call, "{}"));
            ToolCall::new(format!("c{n}"), name, arguments)
        });
        ModelReply::new(AssistantMessage::calls(calls.collect()), ModelFinish::ToolCalls)
    } else if let Some(text) = script.strip_prefix("declined: ") {
        ModelReply::new(AssistantMessage::text(text), ModelFinish::Declined)
    } else {
        ModelReply::new(AssistantMessage::text(script), ModelFinish::Stop)
    }
}

/// What the world says to a call: `read*` runs beside others, `set*`/`act*` alone, `trunk` wants a
/// yes, `door` is denied, `bad` misses its schema, `broken` fails, `shade` is amended.
fn verdict(call: &ToolCall) -> (Value, Verdict) {
    let Ok(arguments) = serde_json::from_str::<Value>(&call.arguments) else {
        return (
            call.arguments.clone().into(),
            Verdict::Answer(CallResult::misfit("not JSON", None)),
        );
    };
    if call.name == ASK_USER && call.arguments.contains("\"door\"") {
        let ask = serde_json::from_value(arguments.clone()).unwrap();
        let (policy, reason) = ("door-moving".into(), "Not while moving.".into());
        return (arguments, Verdict::Futile { ask, policy, reason });
    }
    if call.name == ASK_USER {
        return (
            arguments.clone(),
            Verdict::Ask(serde_json::from_value(arguments).unwrap()),
        );
    }
    let (effect, concurrency) = match call.name.as_str() {
        name if name.starts_with("read") => (Effect::Read, Concurrency::Concurrent),
        name if name.starts_with("set") => (Effect::Set, Concurrency::Serial),
        _ => (Effect::Act, Concurrency::Serial),
    };
    let decisions = match call.name.as_str() {
        "bad" => return (arguments, Verdict::Answer(CallResult::misfit("`x` is missing", None))),
        "door" => vec![PolicyDecision::Deny {
            policy: "door-moving".into(),
            reason: "Not while moving.".into(),
        }],
        "trunk" => vec![PolicyDecision::Confirm {
            policy: "trunk-confirm".into(),
            question: "Open the trunk?".into(),
        }],
        "sunroof" | "sunroof_in_rain" => {
            let shade = PolicyDecision::Amend {
                policy: "sunroof-shade".into(),
                calls: vec![ToolCall::new("", "shade", r#"{"open":true}"#)],
                say: "I open the shade first.".into(),
            };
            let rain = PolicyDecision::Confirm {
                policy: "sunroof-weather".into(),
                question: "It rains. Open it?".into(),
            };
            if call.name == "sunroof" {
                vec![shade]
            } else {
                vec![rain, shade]
            }
        }
        _ => Vec::new(),
    };
    (
        arguments.clone(),
        Verdict::Decided {
            resolved: Resolved::new(arguments, effect),
            concurrency,
            decisions,
            findings: Findings::default(),
        },
    )
}

fn run(name: &str, resolved: &Resolved) -> CallResult {
    if name == "set_fan" {
        return CallResult::failed(&ToolError::ask(ErrorKind::OutOfRange, "fan", "From 1 to 10. Which?"));
    }
    if name.starts_with("broken") {
        return CallResult::failed(&ToolError::new(ErrorKind::ToolFailed, "It broke."));
    }
    CallResult::ok(
        ToolOutput::new(json!({"did": name}))
            .unwrap()
            .say(format!("{name} done.")),
        resolved.effect,
    )
}

fn judge(text: &str) -> Judgement {
    let class = match text {
        text if text.ends_with("else?") => ReplyClass::Courtesy,
        text if text.contains("shall I also") => ReplyClass::Offer,
        text if text.ends_with('?') => ReplyClass::Required,
        _ => ReplyClass::None,
    };
    Judgement { class, confidence: 1.0 }
}

/// Plays a turn to its end; `at_each_step` may swap the machine for another (written and read).
fn play(
    mut turn: Turn,
    script: &[&str],
    mut at_each_step: impl FnMut(Turn) -> Turn,
) -> (Dialogue, Ending, Vec<String>) {
    let mut log = Vec::new();
    let mut replies = script.iter();
    loop {
        turn = at_each_step(turn);
        turn.advance(NOW);
        let step = match turn.directive() {
            Directive::AskModel { tools } => {
                log.push(format!("ask {tools:?}"));
                match replies.next() {
                    Some(&"down") => turn.model_failed(&ModelError::unavailable("down")),
                    Some(script) => turn.model_replied(reply(script)),
                    None => panic!("the script is over: {log:?}"),
                }
                continue;
            }
            Directive::Resolve { index, call, .. } => match flows::gathered(&turn, call) {
                Some((state, heard, arguments, verdict)) => {
                    turn.gather("table", state, heard);
                    (index, (arguments, verdict))
                }
                None => (index, verdict(call)),
            },
            Directive::Run { indexes } => {
                let names: Vec<_> = indexes
                    .iter()
                    .map(|&n| turn.call(n).unwrap().call.name.clone())
                    .collect();
                log.push(format!("run {}", names.join("+")));
                for index in indexes {
                    let call = turn.call(index).unwrap();
                    let result = run(&call.call.name, call.resolved);
                    turn.ran(index, result);
                }
                continue;
            }
            Directive::Judge { reply, .. } => {
                let judgement = judge(reply);
                turn.judged(judgement);
                continue;
            }
            Directive::Finish => break,
        };
        let (index, (arguments, verdict)) = step;
        turn.resolved(index, arguments, verdict);
    }
    let (dialogue, ending) = turn.into_end();
    (dialogue, ending, log)
}

fn open(dialogue: Dialogue, opening: Opening, said: &str) -> Turn {
    Turn::open(dialogue, opening, said, None, TurnSettings::new("t", Lang::En, NOW))
}

fn fresh() -> Dialogue {
    Dialogue::new(History::default())
}

/// One utterance in a fresh conversation.
fn once(script: &[&str]) -> (Dialogue, Ending, Vec<String>) {
    play(open(fresh(), Opening::Utterance, "please"), script, |turn| turn)
}

fn say(dialogue: Dialogue, said: &str, script: &[&str]) -> (Dialogue, Ending, Vec<String>) {
    play(open(dialogue, Opening::Utterance, said), script, |turn| turn)
}

fn consent(dialogue: Dialogue, consent: Consent, script: &[&str]) -> (Dialogue, Ending, Vec<String>) {
    play(open(dialogue, Opening::Consent(consent), "well"), script, |turn| turn)
}

fn outcomes(ending: &Ending) -> Vec<(&str, Outcome)> {
    ending
        .calls
        .iter()
        .map(|call| (call.name.as_str(), call.outcome))
        .collect()
}

const ASK_WINDOW: &str =
    r#"ask_user {"question":"Which window?","tool":"set_window","slot":"window","arguments":{"action":"open"}}"#;

#[test]
fn a_text_reply_ends_the_turn() {
    for (script, status, expects) in [
        ("Hello.", AgentStatus::Success, ExpectsReply::None),
        ("Anything else?", AgentStatus::Success, ExpectsReply::None),
        (
            "Done, shall I also close it",
            AgentStatus::Success,
            ExpectsReply::Optional,
        ),
        ("Where to?", AgentStatus::WaitingInput, ExpectsReply::Required),
    ] {
        let (_, ending, _) = once(&[script]);
        assert_eq!(
            (ending.status, ending.expects, ending.message.as_str()),
            (status, expects, script)
        );
    }
}

#[test]
fn calls_that_may_run_together_do_and_the_others_run_alone_in_order() {
    let (dialogue, ending, log) = once(&["! read_a | read_b | set_a | read_c | act", "All done."]);
    assert_eq!(
        log,
        [
            "ask Offered",
            "run read_a+read_b",
            "run set_a",
            "run read_c",
            "run act",
            "ask Offered"
        ]
    );
    assert_eq!(ending.status, AgentStatus::Success);
    let answered = dialogue
        .history()
        .messages()
        .iter()
        .filter_map(|message| match message {
            Message::Tool(result) => Some(result.name.as_str()),
            _ => None,
        });
    assert_eq!(
        answered.collect::<Vec<_>>(),
        ["read_a", "read_b", "set_a", "read_c", "act"]
    );
}

#[test]
fn a_denied_call_is_an_error_and_a_broken_one_too_but_not_beside_one_that_worked() {
    for (script, status, kind) in [
        ("! door", AgentStatus::Error, Some(ErrorKind::Denied)),
        ("! broken", AgentStatus::Error, Some(ErrorKind::ToolFailed)),
        ("! bad", AgentStatus::Error, Some(ErrorKind::InvalidInput)),
        ("! set_ac | door", AgentStatus::Success, None),
        ("! set_ac | broken", AgentStatus::Success, None),
    ] {
        let (_, ending, _) = once(&[script, "Well."]);
        assert_eq!(
            (ending.status, ending.error.map(|error| error.kind)),
            (status, kind),
            "{script}"
        );
    }
}

#[test]
fn an_amendment_runs_first_and_is_reported_under_its_policy() {
    let (dialogue, ending, log) = once(&["! sunroof", "It opens."]);
    assert_eq!(log, ["ask Offered", "run shade", "run sunroof", "ask Offered"]);
    assert_eq!(ending.message, "I open the shade first. It opens.");
    let by: Vec<_> = ending
        .calls
        .iter()
        .map(|call| (call.name.as_str(), call.by.as_str()))
        .collect();
    assert_eq!(by, [("shade", "policy:sunroof-shade"), ("sunroof", "request")]);
    assert!(
        dialogue
            .history()
            .messages()
            .iter()
            .any(|message| message.content().contains("\"also\""))
    );
}

#[test]
fn an_amendment_never_undoes_what_the_same_utterance_asked() {
    let (_, ending, log) = once(&["! shade {\"open\":false} | sunroof", "Well."]);
    assert_eq!(log, ["ask Offered", "run shade", "run sunroof", "ask Offered"]);
    assert_eq!(ending.calls.iter().filter(|call| call.by != "request").count(), 0);
    assert!(ending.decisions.iter().any(|decision| decision.decision == "warn"));
}

#[test]
fn each_bound_ends_in_a_reply_without_tools_and_with_its_own_reason() {
    let limits = |change: fn(&mut Limits)| {
        let mut limits = Limits::default();
        change(&mut limits);
        limits
    };
    let many = "! read_1 | read_2 | read_3";
    for (limits, script, reason) in [
        (
            limits(|l| l.rounds = 2),
            &["! read_1", "! read_2", "So."][..],
            FinishReason::RoundLimit,
        ),
        (limits(|l| l.calls = 2), &[many, "So."], FinishReason::CallLimit),
        (limits(|l| l.input_tokens = 1), &["So."], FinishReason::TokenLimit),
        (limits(|l| l.total_tokens = 0), &["So."], FinishReason::TokenLimit),
        (limits(|l| l.time = Duration::ZERO), &["So."], FinishReason::TimeLimit),
        (
            limits(|l| l.same_calls = 2),
            &["! read", "! read", "! read", "So."],
            FinishReason::RepeatedCall,
        ),
        (
            limits(|l| l.failing_rounds = 2),
            &["! broken_1", "! broken_2", "So."],
            FinishReason::FailingRounds,
        ),
    ] {
        let settings = TurnSettings::new("t", Lang::En, NOW).with_limits(limits);
        let turn = Turn::open(fresh(), Opening::Utterance, "search for ever", None, settings);
        let (_, ending, log) = play(turn, script, |turn| turn);
        assert_eq!((ending.finish, ending.message.as_str()), (reason, "So."));
        assert_eq!(log.last().unwrap(), "ask Withheld", "{reason:?}");
    }
}

#[test]
fn a_model_that_still_calls_tools_at_the_bound_or_says_nothing_gets_the_tools_own_words_spoken() {
    let settings = TurnSettings::new("t", Lang::En, NOW);
    let script = ["! read_1", "! read_2", "! read_3", "! read_4", "! read_5", "! read_6"];
    let (_, ending, _) = play(
        Turn::open(fresh(), Opening::Utterance, "go on", None, settings),
        &script,
        |turn| turn,
    );
    assert_eq!((ending.finish, ending.calls.len()), (FinishReason::RoundLimit, 5));
    assert!(ending.message.starts_with("read_1 done. read_2 done."));
    let (_, ending, _) = once(&["! set_ac", ""]);
    assert_eq!(ending.message, "set_ac done.");
}

#[test]
fn what_was_done_is_not_done_again_in_a_later_round() {
    let (_, ending, log) = once(&["! act {\"x\":1}", "! act {\"x\":1} | read", "Done."]);
    assert_eq!(log.iter().filter(|step| step.contains("act")).count(), 1);
    assert_eq!(outcomes(&ending), [("act", Outcome::Ok), ("read", Outcome::Ok)]);
    let (_, _, log) = once(&["! act | act", "Twice."]);
    assert_eq!(
        log.iter().filter(|step| step.contains("act")).count(),
        2,
        "called twice at once is meant twice"
    );
}

#[test]
fn a_model_that_fails_says_what_was_done_and_loses_no_question() {
    let (dialogue, _, _) = once(&[&format!("! {ASK_WINDOW}")]);
    let (dialogue, ending, _) = say(dialogue, "first the ac", &["! set_ac", "down"]);
    assert_eq!(ending.status, AgentStatus::Error);
    assert!(ending.message.starts_with("set_ac done."));
    assert_eq!(
        (ending.error.map(|error| error.retryable), dialogue.prompt()),
        (Some(true), Some("Which window?"))
    );
    let (dialogue, _, _) = once(&["! trunk"]);
    let (_, ending, _) = consent(dialogue, Consent::Yes, &["down"]);
    assert_eq!(
        (ending.status, ending.message.as_str()),
        (AgentStatus::Completed, "trunk done.")
    );
}

#[test]
fn a_saved_conversation_of_a_newer_schema_is_refused() {
    let json = fresh().to_json().unwrap();
    assert!(Dialogue::from_json(&json).is_ok());
    assert!(matches!(
        Dialogue::from_json(&json.replace("\"schema\":1", "\"schema\":2")),
        Err(DialogueError::Newer { found: 2, .. })
    ));
    assert!(matches!(Dialogue::from_json("{"), Err(DialogueError::Malformed(_))));
}
