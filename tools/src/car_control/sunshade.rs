//! The shades: roof, windscreen, rear screen and the side windows.

use super::car::{Car, unsupported};
use super::motion::Motion;
use super::place::{Position, Subject};
use super::{signals, spec};
use crate::vehicle::Command;
use incar_core::{Effect, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Map;

/// `control_sunshade`.
#[derive(Debug)]
pub(super) struct ControlSunshade(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Which shade; the roof's where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shade: Option<Shade>,
    /// What to do with it.
    action: Action,
    /// How far open it then stands: 0 is shut, 100 fully open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 100))]
    percentage: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Shade {
    Roof,
    Front,
    Rear,
    Left,
    Right,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Open,
    Close,
    Stop,
}

#[async_trait]
impl TypedTool for ControlSunshade {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "control_sunshade",
            Effect::Set,
            "打开、关闭或停止遮阳帘，或开到某个百分比",
            "Open, close or stop the sunshades, or set how far open they stand",
        )
    }

    fn resolve(&self, mut args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let shade = *args.shade.get_or_insert(Shade::Roof);
        if self.signals(shade).is_empty() {
            return Err(unsupported(cx.lang));
        }
        args.percentage = match args.action {
            Action::Open => Some(args.percentage.unwrap_or(100.0).round()),
            Action::Close => Some(args.percentage.unwrap_or(0.0).round()),
            Action::Stop => None,
        };
        Ok((args, Effect::Set))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let shade = args.shade.unwrap_or(Shade::Roof);
        let commands: Vec<Command> = self
            .signals(shade)
            .into_iter()
            .map(|signal| match args.percentage {
                Some(to) => Command::set(signal, to),
                None => Command::stop(signal),
            })
            .collect();
        let reports = self.0.actuate(&commands, cx.lang).await?;
        let motion = Motion::of(&reports);
        let mut result = Map::new();
        result.insert("shade".into(), serde_json::to_value(shade).unwrap_or_default());
        result.insert("action".into(), serde_json::to_value(args.action).unwrap_or_default());
        motion.describe(&mut result);
        let (zh, en) = match shade {
            Shade::Roof => ("天窗遮阳帘", "roof shade"),
            Shade::Front => ("前遮阳帘", "front shade"),
            Shade::Rear => ("后遮阳帘", "rear shade"),
            Shade::Left => ("左侧遮阳帘", "left shades"),
            Shade::Right => ("右侧遮阳帘", "right shades"),
            Shade::All => ("全部遮阳帘", "shades"),
        };
        let several = matches!(shade, Shade::Left | Shade::Right | Shade::All);
        let mut subject = Subject::the(zh, en, cx.lang);
        if several {
            subject.be = "are";
        }
        let say = match args.action {
            Action::Stop => motion.say_stopped(&subject, cx.lang),
            Action::Open | Action::Close => motion.say(&subject, cx.lang),
        };
        Ok(ToolOutput::new(result)?.say(say))
    }
}

impl ControlSunshade {
    /// The signals of a shade that this car has.
    fn signals(&self, shade: Shade) -> Vec<String> {
        let side = |position: Position| {
            let parts = self.0.parts(signals::DOOR_SHADE, position).into_iter();
            parts.map(|part| part.signal).collect::<Vec<_>>()
        };
        let one = |signal: &str| {
            if self.0.has(signal) {
                vec![signal.to_owned()]
            } else {
                Vec::new()
            }
        };
        match shade {
            Shade::Roof => one(signals::ROOF_SHADE),
            Shade::Front => one(signals::FRONT_SHADE),
            Shade::Rear => one(signals::REAR_SHADE),
            Shade::Left => side(Position::Left),
            Shade::Right => side(Position::Right),
            Shade::All => [Shade::Roof, Shade::Front, Shade::Rear]
                .into_iter()
                .flat_map(|shade| self.signals(shade))
                .chain(side(Position::All))
                .collect(),
        }
    }
}
