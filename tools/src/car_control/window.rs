//! The windows.

use super::car::{Car, Part};
use super::motion::{Motion, place_name};
use super::place::{Noun, Position, Subject};
use super::{signals, spec};
use crate::vehicle::Command;
use incar_core::{
    Completion, Effect, ErrorKind, Lang, Seat, Speaker, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool,
    async_trait,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;

/// `control_window`.
#[derive(Debug)]
pub(super) struct ControlWindow(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Which window.
    window: Position,
    /// What to do with it.
    action: Action,
    /// How far open it then stands: 0 is shut, 100 fully open. A bare open is 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 100))]
    percentage: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Open,
    Close,
    Stop,
    Lock,
    Unlock,
}

const NOUN: Noun = Noun {
    zh: "车窗",
    en: "window",
    en_plural: "windows",
};

#[async_trait]
impl TypedTool for ControlWindow {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "control_window",
            Effect::Set,
            "打开、关闭、停止、锁定或解锁车窗，或开到某个百分比",
            "Open, close, stop, lock or unlock windows, or set how far open they stand",
        )
        .with_completion(Arc::new(OneWindow(self.0.clone())))
    }

    fn resolve(&self, mut args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        self.0.parts_at(signals::WINDOW, args.window, cx.lang)?;
        args.percentage = match args.action {
            Action::Open => Some(args.percentage.unwrap_or(100.0).round()),
            Action::Close => Some(args.percentage.unwrap_or(0.0).round()),
            Action::Stop | Action::Lock | Action::Unlock => None,
        };
        Ok((args, Effect::Set))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let subject = Subject::at(args.window, NOUN, cx.lang);
        let mut result = Map::new();
        result.insert("window".into(), place_name(args.window));
        result.insert("action".into(), serde_json::to_value(args.action).unwrap_or_default());
        if matches!(args.action, Action::Lock | Action::Unlock) {
            return self.lock(&args, result, &subject, cx.lang).await;
        }
        let parts = self.0.parts_at(signals::WINDOW, args.window, cx.lang)?;
        self.check_locks(&args, cx)?;
        let commands: Vec<Command> = parts
            .iter()
            .map(|part| match args.percentage {
                Some(to) => Command::set(part.signal.as_str(), to),
                None => Command::stop(part.signal.as_str()),
            })
            .collect();
        let reports = self.0.actuate(&commands, cx.lang).await?;
        let motion = Motion::of(&reports);
        motion.describe(&mut result);
        let spots: Vec<_> = parts.iter().map(|part| part.spot).collect();
        motion.describe_parts("window", &spots, &mut result);
        let say = match args.action {
            Action::Stop => motion.say_stopped(&subject, cx.lang),
            Action::Open | Action::Close | Action::Lock | Action::Unlock => motion.say(&subject, cx.lang),
        };
        Ok(ToolOutput::new(result)?.say(say))
    }
}

impl ControlWindow {
    async fn lock(
        &self,
        args: &Args,
        mut result: Map<String, Value>,
        subject: &Subject,
        lang: Lang,
    ) -> Result<ToolOutput, ToolError> {
        let locked = args.action == Action::Lock;
        let commands: Vec<Command> = self
            .0
            .parts_at(signals::WINDOW_LOCK, args.window, lang)?
            .into_iter()
            .map(|part| Command::set(part.signal, locked))
            .collect();
        let reports = self.0.actuate(&commands, lang).await?;
        result.insert("locked".into(), locked.into());
        let (text, be) = (&subject.text, subject.be);
        let already = Motion::of(&reports).unchanged();
        if already {
            result.insert("unchanged".into(), true.into());
        }
        let say = match (locked, already) {
            (true, false) => lang.pick(format!("{text}已锁定。"), format!("{text} {be} locked.")),
            (true, true) => lang.pick(format!("{text}已经是锁定的。"), format!("{text} {be} already locked.")),
            (false, false) => lang.pick(format!("{text}已解锁。"), format!("{text} {be} unlocked.")),
            (false, true) => lang.pick(format!("{text}没有锁。"), format!("{text} {be} not locked.")),
        };
        Ok(ToolOutput::new(result)?.say(say))
    }

    /// A locked window obeys the driver only, as its own switch does.
    fn check_locks(&self, args: &Args, cx: ToolContext<'_>) -> Result<(), ToolError> {
        let locked = self
            .0
            .parts(signals::WINDOW_LOCK, args.window)
            .iter()
            .any(|part| self.0.is(&part.signal) == Some(true));
        if locked && cx.speaker.seat != Seat::Driver && args.action != Action::Stop {
            return Err(ToolError::new(
                ErrorKind::Denied,
                cx.lang.pick(
                    "车窗锁着，请让驾驶员解锁。",
                    "The window is locked. Please ask the driver to unlock it.",
                ),
            ));
        }
        Ok(())
    }
}

/// The one window that an action can be about, by where the windows stand or are going.
#[derive(Debug)]
struct OneWindow(Car);

impl Completion for OneWindow {
    fn complete(&self, arguments: &mut Map<String, Value>, _: &Speaker) {
        let action = arguments
            .get("action")
            .and_then(|action| Action::deserialize(action).ok());
        let (Some(action), false) = (action, arguments.contains_key("window")) else {
            return;
        };
        let position = |part: &Part| self.0.known_target(&part.signal).and_then(|value| value.as_number());
        let (placed, fits): (_, &dyn Fn(&Part) -> bool) = match action {
            Action::Open => (signals::WINDOW, &|part| position(part) == Some(0.0)),
            Action::Close => (signals::WINDOW, &|part| position(part).is_some_and(|at| at > 0.0)),
            Action::Stop => (signals::WINDOW, &|part| self.0.is_moving(&part.signal)),
            Action::Lock => (signals::WINDOW_LOCK, &|part| self.0.is(&part.signal) == Some(false)),
            Action::Unlock => (signals::WINDOW_LOCK, &|part| self.0.is(&part.signal) == Some(true)),
        };
        if let Some(place) = only(self.0.parts(placed, Position::All), fits) {
            arguments.insert("window".into(), place);
        }
    }
}

/// The place of the only part that fits.
pub(super) fn only(parts: Vec<Part>, fits: impl Fn(&Part) -> bool) -> Option<Value> {
    let mut fitting = parts.into_iter().filter(|part| fits(part));
    match (fitting.next(), fitting.next()) {
        (Some(part), None) => Some(place_name(part.spot.position())),
        _ => None,
    }
}
