//! The sunroof.

use super::car::Car;
use super::motion::Motion;
use super::place::Subject;
use super::{signals, spec};
use crate::vehicle::Command;
use incar_core::{Effect, ErrorKind, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// `control_sunroof`.
#[derive(Debug)]
pub(super) struct ControlSunroof(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What to do with it.
    action: Action,
    /// How far open, or tilted, it then stands: 0 is shut, 100 fully.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 100))]
    percentage: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Open,
    Close,
    Tilt,
    Stop,
}

impl Args {
    /// Where a resolved call sends it. VSS: below zero is tilted.
    fn target(&self) -> Option<f64> {
        let percentage = self.percentage?;
        Some(if self.action == Action::Tilt {
            -percentage
        } else {
            percentage
        })
    }
}

#[async_trait]
impl TypedTool for ControlSunroof {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "control_sunroof",
            Effect::Set,
            "打开、关闭、翘起或停止天窗，或开到某个百分比",
            "Open, close, tilt or stop the sunroof, or set how far open it stands",
        )
    }

    fn resolve(&self, mut args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        self.0.target(signals::SUNROOF, cx.lang)?;
        args.percentage = match args.action {
            Action::Open | Action::Tilt => Some(args.percentage.unwrap_or(100.0).round()),
            Action::Close => Some(args.percentage.unwrap_or(0.0).round()),
            Action::Stop => None,
        };
        // One that only a switch moves goes all the way or not at all.
        if args.target().is_some_and(|to| !self.0.allows(signals::SUNROOF, to)) {
            return Err(ToolError::ask(
                ErrorKind::OutOfRange,
                "percentage",
                cx.lang.pick(
                    "这台车的天窗不能停在那里，要全开还是关上？",
                    "This sunroof cannot stop there. Fully open, or closed?",
                ),
            ));
        }
        Ok((args, Effect::Set))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let command = match args.target() {
            Some(to) => Command::set(signals::SUNROOF, to),
            None => Command::stop(signals::SUNROOF),
        };
        let reports = self.0.actuate(&[command], cx.lang).await?;
        let motion = Motion::of(&reports);
        let mut result = Map::new();
        result.insert("action".into(), serde_json::to_value(args.action).unwrap_or_default());
        motion.describe(&mut result);
        let subject = Subject::the("天窗", "sunroof", cx.lang);
        let say = match (args.action, motion.is_moving(), motion.unchanged()) {
            (Action::Stop, _, true) => cx.lang.pick("天窗没有在动。", "The sunroof is not moving.").to_owned(),
            (Action::Stop, _, false) => cx.lang.pick("天窗停下了。", "The sunroof is stopped.").to_owned(),
            (Action::Tilt, true, _) => cx.lang.pick("天窗正在翘起。", "The sunroof is tilting.").to_owned(),
            (Action::Tilt, false, _) => cx
                .lang
                .pick("天窗已经翘起了。", "The sunroof is tilted already.")
                .to_owned(),
            (Action::Open | Action::Close, ..) => motion.say(&subject, cx.lang),
        };
        // The driver's percentage, not the signed one of the signal.
        if let Some(Value::Number(target)) = result.get("target") {
            let tilted = target.as_f64().is_some_and(|target| target < 0.0);
            result.insert("tilted".into(), tilted.into());
        }
        Ok(ToolOutput::new(result)?.say(say))
    }
}
