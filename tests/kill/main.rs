//! A process is killed (SIGKILL) at every point of a turn; another takes up what it left. An external ledger counts the
//! effects. The child says on a pipe that it is at its point and stays there until it is killed: nothing depends on
//! timing. The table is in ARCHITECTURE.md.
#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test may fail, and a child speaks on its pipe"
)]

mod child;
mod stops;

use child::{Job, Said};
use incar::AgentResponse;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use stops::{Point, Stop};
use tempfile::TempDir;

/// When the first process begins; two seconds pass from each process to the next.
const START: u64 = 1_700_000_000_000;

/// The conversation that is interrupted: what the process says that is killed, and the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// One utterance, one call.
    First,
    /// One utterance, two calls; the first of them is done.
    Batch,
    /// The call waits for a yes; the yes is interrupted.
    Confirmed,
    /// The model asks for a value; its answer is interrupted.
    Answered,
}

const SHAPES: [Shape; 4] = [Shape::First, Shape::Batch, Shape::Confirmed, Shape::Answered];

impl Shape {
    fn before(self, tool: &str) -> Vec<Said> {
        match self {
            Self::First | Self::Batch => vec![],
            Self::Confirmed => vec![Said::new("do it", json!([call(tool)]))],
            Self::Answered => {
                let ask = json!({"question": "Which one?", "tool": tool, "slot": "part"});
                vec![Said::new("do it", json!([{"calls": [{"ask_user": ask}]}]))]
            }
        }
    }

    fn interrupted(self, tool: &str) -> Said {
        match self {
            Self::First => Said::new("do it", json!([call(tool), "All done."])),
            Self::Batch => Said::new(
                "do both",
                json!([{"calls": [{"sibling": {}}, {tool: {}}]}, "All done."]),
            ),
            Self::Confirmed => Said::new("yes", json!(["All done."])),
            Self::Answered => Said::new("the left one", json!([call(tool), "All done."])),
        }
    }

    /// Calls that were done before.
    fn done_before(self) -> &'static [&'static str] {
        match self {
            Self::Batch => &["sibling"],
            Self::First | Self::Confirmed | Self::Answered => &[],
        }
    }
}

fn call(tool: &str) -> Value {
    json!({"calls": [{tool: {}}]})
}

/// The processes of one case, and the ledger of what they did to the world.
struct Case {
    directory: TempDir,
    now: u64,
    confirm: Option<String>,
}

/// What a process told: responses to its utterances, and what it recovered. `reached`: it was killed at its point.
#[derive(Debug, Default)]
struct Told {
    recovered: Vec<AgentResponse>,
    responses: Vec<AgentResponse>,
    reached: bool,
}

impl Case {
    fn new(shape: Shape, tool: &str) -> Self {
        Self {
            directory: tempfile::tempdir().unwrap(),
            now: START,
            confirm: (shape == Shape::Confirmed).then(|| tool.to_owned()),
        }
    }

    /// Runs a process to its end, or to the point where it is killed.
    fn process(&mut self, recover: bool, say: Vec<Said>, stop: Option<Stop>) -> Told {
        let job = Job {
            directory: self.directory.path().to_owned(),
            now: self.now,
            confirm: self.confirm.clone(),
            recover,
            say,
            stop,
        };
        self.now += 2_000;
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args([
                "child_process",
                "--exact",
                "--ignored",
                "--nocapture",
                "--test-threads=1",
            ])
            .env(child::JOB, serde_json::to_string(&job).unwrap())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut told = Told::default();
        for line in BufReader::new(process.stdout.take().unwrap()).lines() {
            let line = line.unwrap();
            if line == child::REACHED {
                told.reached = true;
                process.kill().unwrap();
            } else if let Some(response) = line.strip_prefix(child::RECOVERED) {
                told.recovered.push(serde_json::from_str(response).unwrap());
            } else if let Some(response) = line.strip_prefix(child::RESPONSE) {
                told.responses.push(serde_json::from_str(response).unwrap());
            }
        }
        let status = process.wait().unwrap();
        assert_eq!(status.success(), !told.reached, "{status}");
        told
    }

    /// Every effect: tool and idempotency key.
    fn ledger(&self) -> Vec<(String, String)> {
        let text = std::fs::read_to_string(self.directory.path().join(child::LEDGER)).unwrap_or_default();
        text.lines()
            .map(|line| line.split_once(' ').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap())
            .collect()
    }

    /// How often `tool` had an effect, and how many different effects that were by their keys.
    fn effects(&self, tool: &str) -> (usize, usize) {
        let ledger = self.ledger();
        let keys: Vec<&str> = ledger
            .iter()
            .filter(|(did, _)| did == tool)
            .map(|(_, key)| key.as_str())
            .collect();
        (keys.len(), keys.iter().collect::<BTreeSet<_>>().len())
    }
}

/// What the driver hears of the interrupted turn when it is taken up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heard {
    /// Nothing: no turn was on its way.
    Nothing,
    /// That it is done.
    Done,
    /// That nobody knows.
    Unknown,
    /// That it was left undone.
    LeftUndone,
}

fn check_heard(told: &Told, tool: &str, heard: Heard, case: &str) {
    let [response] = told.recovered.as_slice() else {
        assert_eq!((heard, told.recovered.len()), (Heard::Nothing, 0), "{case}: {told:?}");
        return;
    };
    let outcome = response
        .data
        .tool_results
        .iter()
        .find(|call| call.name == tool)
        .map(|call| serde_json::to_value(call.outcome).unwrap());
    let (expected, sentence) = match heard {
        Heard::Nothing => panic!("{case}: nothing is to be told, but: {response:?}"),
        Heard::Done => ("ok", format!("{tool} is done.")),
        Heard::Unknown => ("unknown", format!("can't tell whether this was done: do {tool}")),
        Heard::LeftUndone => ("cancelled", "left the rest undone".to_owned()),
    };
    assert_eq!(outcome, Some(json!(expected)), "{case}: {response:?}");
    assert!(response.message.contains(&sentence), "{case}: {}", response.message);
}

/// One row of the table: the process is killed at `point` of `tool`'s call; the next one recovers.
fn check(shape: Shape, tool: &str, point: Point, effects: (usize, usize), heard: Heard) {
    let case = format!("{shape:?} {tool} {point:?}");
    let mut world = Case::new(shape, tool);
    let before = world.process(false, shape.before(tool), None);
    let waits = !before.responses.is_empty();
    assert!(
        before.responses.iter().all(|response| response.session_id.is_some()),
        "{case}: {before:?}"
    );
    let told = world.process(false, vec![shape.interrupted(tool)], Some(Stop::new(point, tool)));
    assert!(told.reached, "{case}: the point was not reached: {told:?}");

    let told = world.process(true, vec![], None);
    check_heard(&told, tool, heard, &case);
    assert_eq!(world.effects(tool), effects, "{case}: {:?}", world.ledger());
    for sibling in shape.done_before() {
        assert_eq!(
            world.effects(sibling),
            (1, 1),
            "{case}: a finished call is not run again"
        );
    }

    // Whatever was heard: recovering once more does nothing, and the same answer does nothing twice.
    let again = if waits {
        vec![Said::new(
            &shape.interrupted(tool).text,
            json!(["declined: nothing is open"]),
        )]
    } else {
        vec![]
    };
    let untouched = waits && heard == Heard::Nothing && point == Point::BeforeCheckpoint;
    let again = if untouched {
        vec![shape.interrupted(tool)]
    } else {
        again
    };
    let told = world.process(true, again, None);
    assert!(told.recovered.is_empty(), "{case}: {told:?}");
    let expected = if untouched { (1, 1) } else { effects };
    assert_eq!(
        world.effects(tool),
        expected,
        "{case}, answered again: {:?}",
        world.ledger()
    );
    assert!(
        told.responses.iter().all(|response| response.session_id.is_none()),
        "{case}: {told:?}"
    );
}

#[test]
fn a_set_call_is_brought_to_its_end_wherever_the_process_dies() {
    for shape in SHAPES {
        // Before the turn was saved nothing of it is known; in a batch the sibling's save has it.
        let (effects, heard) = match shape {
            Shape::Batch => ((1, 1), Heard::Done),
            Shape::First | Shape::Confirmed | Shape::Answered => ((0, 0), Heard::Nothing),
        };
        check(shape, "set", Point::BeforeCheckpoint, effects, heard);
        check(shape, "set", Point::BeforeIntent, (1, 1), Heard::Done);
        check(shape, "set", Point::AfterIntent, (1, 1), Heard::Done);
        // Repeated: the same target under the same key.
        check(shape, "set", Point::AfterEffect, (2, 1), Heard::Done);
        check(shape, "set", Point::AfterResult, (1, 1), Heard::Done);
        check(shape, "set", Point::AfterSave, (1, 1), Heard::Nothing);
    }
}

#[test]
fn an_act_call_in_doubt_is_told_and_never_repeated() {
    for shape in SHAPES {
        let (effects, heard) = match shape {
            Shape::Batch => ((1, 1), Heard::Done),
            Shape::First | Shape::Confirmed | Shape::Answered => ((0, 0), Heard::Nothing),
        };
        check(shape, "act", Point::BeforeCheckpoint, effects, heard);
        check(shape, "act", Point::BeforeIntent, (1, 1), Heard::Done);
        check(shape, "act", Point::AfterIntent, (0, 0), Heard::Unknown);
        check(shape, "act", Point::AfterEffect, (1, 1), Heard::Unknown);
        check(shape, "act", Point::AfterResult, (1, 1), Heard::Done);
        check(shape, "act", Point::AfterSave, (1, 1), Heard::Nothing);
    }
}

#[test]
fn after_a_long_time_nothing_runs_any_more() {
    for (tool, point, effects, heard) in [
        ("set", Point::BeforeIntent, (0, 0), Heard::LeftUndone),
        ("act", Point::BeforeIntent, (0, 0), Heard::LeftUndone),
        ("set", Point::AfterIntent, (0, 0), Heard::Unknown),
        ("act", Point::AfterEffect, (1, 1), Heard::Unknown),
        ("set", Point::AfterResult, (1, 1), Heard::Done),
    ] {
        let mut world = Case::new(Shape::First, tool);
        let said = Shape::First.interrupted(tool);
        assert!(world.process(false, vec![said], Some(Stop::new(point, tool))).reached);
        world.now += 24 * 60 * 60 * 1_000;
        let told = world.process(true, vec![], None);
        check_heard(&told, tool, heard, &format!("{tool} {point:?}, a day later"));
        assert_eq!(world.effects(tool), effects, "{tool} {point:?}");
    }
}

#[test]
fn a_process_that_dies_while_it_recovers_leaves_nothing_behind() {
    for (tool, first, second, effects, heard) in [
        ("set", Point::AfterIntent, Point::AfterEffect, (2, 1), Heard::Done),
        ("set", Point::AfterEffect, Point::AfterResult, (2, 1), Heard::Done),
        ("act", Point::BeforeIntent, Point::AfterEffect, (1, 1), Heard::Unknown),
        ("act", Point::AfterEffect, Point::AfterResult, (1, 1), Heard::Unknown),
    ] {
        let mut world = Case::new(Shape::First, tool);
        let said = Shape::First.interrupted(tool);
        assert!(world.process(false, vec![said], Some(Stop::new(first, tool))).reached);
        assert!(world.process(true, vec![], Some(Stop::new(second, tool))).reached);
        let told = world.process(true, vec![], None);
        check_heard(&told, tool, heard, &format!("{tool} {first:?} {second:?}"));
        assert_eq!(world.effects(tool), effects, "{tool} {first:?} {second:?}");
    }
}

#[test]
fn a_host_that_does_not_recover_is_told_with_the_next_utterance() {
    for (tool, point, effects, sentence) in [
        ("set", Point::AfterEffect, (2, 1), "set is done."),
        (
            "act",
            Point::AfterEffect,
            (1, 1),
            "can't tell whether this was done: do act",
        ),
        ("act", Point::AfterResult, (1, 1), "act is done."),
    ] {
        for shape in SHAPES {
            let mut world = Case::new(shape, tool);
            world.process(false, shape.before(tool), None);
            let said = shape.interrupted(tool);
            let text = said.text.clone();
            assert!(world.process(false, vec![said], Some(Stop::new(point, tool))).reached);
            let told = world.process(false, vec![Said::new(&text, json!(["Hello."]))], None);
            let message = &told.responses[0].message;
            assert!(
                message.contains(sentence) && message.ends_with("Hello."),
                "{tool} {point:?} {shape:?}: {message}"
            );
            assert_eq!(world.effects(tool), effects, "{tool} {point:?} {shape:?}");
        }
    }
}

#[test]
fn a_question_that_was_never_heard_is_asked_before_it_is_answered() {
    // The second call of the reply waits for a yes. The process dies before it asks.
    let mut world = Case::new(Shape::Confirmed, "act");
    let both = json!([{"calls": [{"set": {}}, {"act": {}}]}]);
    let stop = Stop::new(Point::AfterResult, "set");
    assert!(
        world
            .process(false, vec![Said::new("do both", both)], Some(stop))
            .reached
    );
    let yes = || Said::new("yes", json!([]));
    let told = world.process(false, vec![yes()], None);
    assert_eq!(told.responses[0].message, "set is done. Shall I do act?", "{told:?}");
    assert_eq!(world.effects("act"), (0, 0));
    let told = world.process(false, vec![Said::new("yes", json!(["It is done."]))], None);
    assert_eq!(told.responses[0].message, "It is done.", "{told:?}");
    assert_eq!((world.effects("set"), world.effects("act")), ((1, 1), (1, 1)));
}

/// What the processes of the other tests do.
#[test]
#[ignore = "a child of the other tests"]
fn child_process() {
    child::run();
}
