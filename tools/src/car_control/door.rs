//! The doors.

use super::car::{Car, Part};
use super::motion::{Motion, place_name};
use super::place::{Noun, Position, Subject};
use super::window::only;
use super::{signals, spec};
use crate::vehicle::Command;
use incar_core::{
    Completion, Effect, ErrorKind, Lang, Speaker, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;

/// `control_door`.
#[derive(Debug)]
pub(super) struct ControlDoor(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Which door.
    door: Position,
    /// What to do with it.
    action: Action,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Open,
    Close,
    Lock,
    Unlock,
}

const NOUN: Noun = Noun {
    zh: "车门",
    en: "door",
    en_plural: "doors",
};

#[async_trait]
impl TypedTool for ControlDoor {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "control_door",
            Effect::Act,
            "打开、关闭、锁上或解锁车门",
            "Open, close, lock or unlock doors",
        )
        .with_completion(Arc::new(OneDoor(self.0.clone())))
    }

    fn resolve(&self, args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        self.0.parts_at(signals::DOOR, args.door, cx.lang)?;
        Ok((args, Effect::Act))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let doors = self.0.parts_at(signals::DOOR, args.door, cx.lang)?;
        let locks = self.0.parts_at(signals::DOOR_LOCK, args.door, cx.lang)?;
        let lock = |locked: bool| locks.iter().map(move |part| Command::set(part.signal.as_str(), locked));
        let go = |to: f64| doors.iter().map(move |part| Command::set(part.signal.as_str(), to));
        if args.action == Action::Lock {
            self.check_shut(&doors, cx.lang)?;
        }
        let commands: Vec<Command> = match args.action {
            // A locked door does not open; whoever says "open" means both.
            Action::Open => go(100.0).chain(lock(false)).collect(),
            Action::Close => go(0.0).collect(),
            Action::Lock => lock(true).collect(),
            Action::Unlock => lock(false).collect(),
        };
        let reports = self.0.actuate(&commands, cx.lang).await?;
        let reports = reports.get(..doors.len()).unwrap_or(&reports);
        let motion = Motion::of(reports);
        let subject = Subject::at(args.door, NOUN, cx.lang);
        let mut result = Map::new();
        result.insert("door".into(), place_name(args.door));
        result.insert("action".into(), serde_json::to_value(args.action).unwrap_or_default());
        let say = match args.action {
            Action::Open | Action::Close => {
                motion.describe(&mut result);
                let spots: Vec<_> = doors.iter().map(|part| part.spot).collect();
                motion.describe_parts("door", &spots, &mut result);
                motion.say(&subject, cx.lang)
            }
            Action::Lock | Action::Unlock => {
                let locked = args.action == Action::Lock;
                result.insert("locked".into(), locked.into());
                if motion.unchanged() {
                    result.insert("unchanged".into(), true.into());
                }
                say_locked(&subject, locked, motion.unchanged(), cx.lang)
            }
        };
        Ok(ToolOutput::new(result)?.say(say))
    }
}

fn say_locked(subject: &Subject, locked: bool, already: bool, lang: Lang) -> String {
    let (text, be) = (&subject.text, subject.be);
    match (locked, already) {
        (true, false) => lang.pick(format!("{text}已上锁。"), format!("{text} {be} locked.")),
        (true, true) => lang.pick(format!("{text}已经锁着了。"), format!("{text} {be} already locked.")),
        (false, false) => lang.pick(format!("{text}已解锁。"), format!("{text} {be} unlocked.")),
        (false, true) => lang.pick(format!("{text}没有上锁。"), format!("{text} {be} already unlocked.")),
    }
}

impl ControlDoor {
    /// A door that stands open cannot be locked.
    fn check_shut(&self, doors: &[Part], lang: Lang) -> Result<(), ToolError> {
        for door in doors {
            if self.0.number(&door.signal, lang)? > 0.0 {
                let text = Subject::at(door.spot.position(), NOUN, lang).text;
                return Err(ToolError::new(
                    ErrorKind::ToolFailed,
                    lang.pick(
                        format!("{text}还开着，关好后才能上锁。"),
                        format!("{text} is open. Close it first, then I can lock."),
                    ),
                ));
            }
        }
        Ok(())
    }
}

/// The one door that an action can be about.
#[derive(Debug)]
struct OneDoor(Car);

impl Completion for OneDoor {
    fn complete(&self, arguments: &mut Map<String, Value>, _: &Speaker) {
        let action = arguments
            .get("action")
            .and_then(|action| Action::deserialize(action).ok());
        let (Some(action), false) = (action, arguments.contains_key("door")) else {
            return;
        };
        let position = |part: &Part| self.0.known_target(&part.signal).and_then(|value| value.as_number());
        let (placed, fits): (_, &dyn Fn(&Part) -> bool) = match action {
            Action::Open => (signals::DOOR, &|part| position(part) == Some(0.0)),
            Action::Close => (signals::DOOR, &|part| position(part).is_some_and(|at| at > 0.0)),
            Action::Lock => (signals::DOOR_LOCK, &|part| self.0.is(&part.signal) == Some(false)),
            Action::Unlock => (signals::DOOR_LOCK, &|part| self.0.is(&part.signal) == Some(true)),
        };
        if let Some(place) = only(self.0.parts(placed, Position::All), fits) {
            arguments.insert("door".into(), place);
        }
    }
}
