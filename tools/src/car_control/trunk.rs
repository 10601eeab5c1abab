//! The trunk behind, and the one in front.

use super::car::Car;
use super::motion::Motion;
use super::place::Subject;
use super::{signals, spec};
use crate::vehicle::Command;
use incar_core::{Effect, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Map;

/// `control_trunk`.
#[derive(Debug)]
pub(super) struct ControlTrunk(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Which one; the rear one where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trunk: Option<Trunk>,
    /// What to do with it.
    action: Action,
    /// How far open it then stands: 0 is shut, 100 fully open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 100))]
    percentage: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Trunk {
    Rear,
    Front,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Open,
    Close,
    Stop,
}

impl Trunk {
    fn signals(self) -> (&'static str, &'static str) {
        match self {
            Self::Rear => (signals::TRUNK_REAR, signals::TRUNK_REAR_LOCK),
            Self::Front => (signals::TRUNK_FRONT, signals::TRUNK_FRONT_LOCK),
        }
    }
}

#[async_trait]
impl TypedTool for ControlTrunk {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "control_trunk",
            Effect::Act,
            "打开、关闭或停止后备箱或前备箱",
            "Open, close or stop the trunk or the front trunk",
        )
    }

    fn resolve(&self, mut args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let trunk = *args.trunk.get_or_insert(Trunk::Rear);
        self.0.target(trunk.signals().0, cx.lang)?;
        args.percentage = match args.action {
            Action::Open => Some(args.percentage.unwrap_or(100.0).round()),
            Action::Close => Some(args.percentage.unwrap_or(0.0).round()),
            Action::Stop => None,
        };
        Ok((args, Effect::Act))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let trunk = args.trunk.unwrap_or(Trunk::Rear);
        let (position, lock) = trunk.signals();
        let commands = match (args.action, args.percentage) {
            (Action::Open, Some(to)) => vec![Command::set(position, to), Command::set(lock, false)],
            (_, Some(to)) => vec![Command::set(position, to)],
            (_, None) => vec![Command::stop(position)],
        };
        let reports = self.0.actuate(&commands, cx.lang).await?;
        let motion = Motion::of(reports.get(..1).unwrap_or(&reports));
        let subject = match trunk {
            Trunk::Rear => Subject::the("后备箱", "trunk", cx.lang),
            Trunk::Front => Subject::the("前备箱", "front trunk", cx.lang),
        };
        let mut result = Map::new();
        result.insert("trunk".into(), serde_json::to_value(trunk).unwrap_or_default());
        result.insert("action".into(), serde_json::to_value(args.action).unwrap_or_default());
        motion.describe(&mut result);
        let say = match args.action {
            Action::Stop => motion.say_stopped(&subject, cx.lang),
            Action::Open | Action::Close => motion.say(&subject, cx.lang),
        };
        Ok(ToolOutput::new(result)?.say(say))
    }
}
