//! The lights outside.

use super::car::Car;
use super::place::Subject;
use super::setting::{Spoken, apply, put, result};
use super::wish::Power;
use super::{signals, spec};
use crate::vehicle::{Command, SignalValue};
use incar_core::{Effect, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `set_exterior_light`.
#[derive(Debug)]
pub(super) struct SetExteriorLight(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Which light.
    light: Light,
    /// On or off.
    power: Power,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Light {
    LowBeam,
    HighBeam,
    FogFront,
    FogRear,
    Fog,
    Position,
    Hazard,
    TurnLeft,
    TurnRight,
    Daytime,
    Welcome,
    Auto,
    All,
}

impl Light {
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::LowBeam => ("近光灯", "low beam"),
            Self::HighBeam => ("远光灯", "high beam"),
            Self::FogFront => ("前雾灯", "front fog light"),
            Self::FogRear => ("后雾灯", "rear fog light"),
            Self::Fog => ("雾灯", "fog light"),
            Self::Position => ("示廓灯", "position light"),
            Self::Hazard => ("双闪", "hazard light"),
            Self::TurnLeft => ("左转向灯", "left turn signal"),
            Self::TurnRight => ("右转向灯", "right turn signal"),
            Self::Daytime => ("日间行车灯", "daytime running light"),
            Self::Welcome => ("迎宾灯", "welcome light"),
            Self::Auto => ("自动大灯", "automatic headlight"),
            Self::All => ("车灯", "exterior lighting"),
        }
    }

    /// What switching it does: some lights go with others.
    fn settings(self, on: bool) -> Vec<(&'static str, SignalValue)> {
        use signals::{
            BEAM_HIGH, BEAM_LOW, DAYTIME, FOG_FRONT, FOG_REAR, HAZARD, LIGHT_SWITCH, POSITION, TURN_LEFT, TURN_RIGHT,
            WELCOME,
        };
        let is = |signal| (signal, SignalValue::Bool(on));
        let off = |signal| (signal, SignalValue::Bool(false));
        match (self, on) {
            (Self::LowBeam, true) => vec![is(BEAM_LOW), (LIGHT_SWITCH, "BEAM".into())],
            // The high beam never shines alone.
            (Self::LowBeam, false) => vec![off(BEAM_LOW), off(BEAM_HIGH), (LIGHT_SWITCH, "OFF".into())],
            (Self::HighBeam, true) => vec![is(BEAM_HIGH), is(BEAM_LOW), (LIGHT_SWITCH, "BEAM".into())],
            (Self::HighBeam, false) => vec![off(BEAM_HIGH)],
            (Self::FogFront, _) => vec![is(FOG_FRONT)],
            (Self::FogRear, _) => vec![is(FOG_REAR)],
            (Self::Fog, _) => vec![is(FOG_FRONT), is(FOG_REAR)],
            (Self::Position, _) => vec![is(POSITION)],
            (Self::Hazard, _) => vec![is(HAZARD)],
            (Self::TurnLeft, true) => vec![is(TURN_LEFT), off(TURN_RIGHT)],
            (Self::TurnLeft, false) => vec![off(TURN_LEFT)],
            (Self::TurnRight, true) => vec![is(TURN_RIGHT), off(TURN_LEFT)],
            (Self::TurnRight, false) => vec![off(TURN_RIGHT)],
            (Self::Daytime, _) => vec![is(DAYTIME)],
            (Self::Welcome, _) => vec![is(WELCOME)],
            (Self::Auto, true) => vec![(LIGHT_SWITCH, "AUTO".into())],
            (Self::Auto, false) => vec![(LIGHT_SWITCH, "OFF".into())],
            // Not those that dazzle or signal something to others.
            (Self::All, true) => vec![
                is(BEAM_LOW),
                is(POSITION),
                is(DAYTIME),
                is(WELCOME),
                (LIGHT_SWITCH, "BEAM".into()),
            ],
            (Self::All, false) => vec![
                off(BEAM_LOW),
                off(BEAM_HIGH),
                off(FOG_FRONT),
                off(FOG_REAR),
                off(POSITION),
                off(DAYTIME),
                off(WELCOME),
                (LIGHT_SWITCH, "OFF".into()),
            ],
        }
    }
}

#[async_trait]
impl TypedTool for SetExteriorLight {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_exterior_light",
            Effect::Set,
            "打开或关闭车外灯：近光、远光、雾灯、双闪、转向灯等",
            "Switch the lights outside on or off: beams, fog, hazard, turn signals and more",
        )
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let on = args.power.is_on();
        let settings = args.light.settings(on).into_iter();
        let commands: Vec<Command> = settings.map(|(signal, value)| Command::set(signal, value)).collect();
        let (zh, en) = args.light.names();
        let mut answer = result("light", args.light);
        put(&mut answer, "power", args.power);
        let spoken = Spoken::power(&Subject::the(zh, en, cx.lang), on, cx.lang);
        apply(&self.0, &commands, answer, spoken, cx.lang).await
    }
}
