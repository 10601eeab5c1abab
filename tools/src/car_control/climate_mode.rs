//! Defrosting, and the modes of the climate control.

use super::car::Car;
use super::place::{Position, Subject};
use super::setting::{Spoken, apply, put, result};
use super::wish::Power;
use super::{signals, spec};
use crate::vehicle::Command;
use incar_core::{Effect, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `set_defrost`.
#[derive(Debug)]
pub(super) struct SetDefrost(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DefrostArgs {
    /// What to clear; the front where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    window: Option<Glass>,
    /// On or off.
    power: Power,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Glass {
    Front,
    Rear,
    Mirrors,
    All,
}

impl Glass {
    fn signals(self) -> &'static [&'static str] {
        const ALL: [&str; 4] = [
            signals::DEFROST_FRONT,
            signals::DEFROST_REAR,
            signals::MIRROR_DRIVER_HEATING,
            signals::MIRROR_PASSENGER_HEATING,
        ];
        match self {
            Self::Front => &[signals::DEFROST_FRONT],
            Self::Rear => &[signals::DEFROST_REAR],
            Self::Mirrors => &[signals::MIRROR_DRIVER_HEATING, signals::MIRROR_PASSENGER_HEATING],
            Self::All => &ALL,
        }
    }
}

#[async_trait]
impl TypedTool for SetDefrost {
    type Args = DefrostArgs;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_defrost",
            Effect::Set,
            "打开或关闭除霜除雾",
            "Switch defrosting and demisting on or off",
        )
    }

    fn resolve(&self, mut args: DefrostArgs, _: ToolContext<'_>) -> Result<(DefrostArgs, Effect), ToolError> {
        args.window.get_or_insert(Glass::Front);
        Ok((args, Effect::Set))
    }

    async fn run(&self, args: DefrostArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let glass = args.window.unwrap_or(Glass::Front);
        let on = args.power.is_on();
        let commands: Vec<Command> = glass.signals().iter().map(|signal| Command::set(*signal, on)).collect();
        let (zh, en) = match glass {
            Glass::Front => ("前挡除霜", "front defroster"),
            Glass::Rear => ("后挡除霜", "rear defroster"),
            Glass::Mirrors => ("后视镜除霜", "mirror defroster"),
            Glass::All => ("全部除霜", "whole defroster"),
        };
        let mut answer = result("window", glass);
        put(&mut answer, "power", args.power);
        let spoken = Spoken::power(&Subject::the(zh, en, cx.lang), on, cx.lang);
        apply(&self.0, &commands, answer, spoken, cx.lang).await
    }
}

/// `set_climate_mode`.
#[derive(Debug)]
pub(super) struct SetClimateMode(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ModeArgs {
    /// Which mode.
    mode: Mode,
    /// On or off; on where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    power: Option<Power>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mode {
    Auto,
    Cool,
    Heat,
    Ventilate,
    MaxCool,
    MaxHeat,
    Eco,
    Dry,
    NaturalWind,
    Comfort,
}

/// What a mode does to the air conditioning.
enum Compressor {
    On,
    Off,
    AsItIs,
}

impl Mode {
    /// The signal's value, and how it is said.
    fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Auto => ("AUTO", "自动模式", "automatic mode"),
            Self::Cool => ("COOL", "制冷模式", "cooling mode"),
            Self::Heat => ("HEAT", "制热模式", "heating mode"),
            Self::Ventilate => ("VENTILATE", "通风模式", "ventilation mode"),
            Self::MaxCool => ("MAX_COOL", "最大制冷", "maximum cooling"),
            Self::MaxHeat => ("MAX_HEAT", "最大制热", "maximum heating"),
            Self::Eco => ("ECO", "节能模式", "eco climate mode"),
            Self::Dry => ("DRY", "除湿模式", "dry mode"),
            Self::NaturalWind => ("NATURAL_WIND", "自然风模式", "natural wind mode"),
            Self::Comfort => ("COMFORT", "舒适模式", "comfort climate mode"),
        }
    }

    fn compressor(self) -> Compressor {
        match self {
            Self::Auto | Self::Cool | Self::MaxCool | Self::Dry => Compressor::On,
            Self::Ventilate | Self::NaturalWind => Compressor::Off,
            Self::Heat | Self::MaxHeat | Self::Eco | Self::Comfort => Compressor::AsItIs,
        }
    }

    /// The temperature and fan, in percent, of a mode that gives all there is.
    fn extreme(self) -> Option<(f64, f64)> {
        match self {
            Self::MaxCool => Some((16.0, 100.0)),
            Self::MaxHeat => Some((32.0, 100.0)),
            _ => None,
        }
    }
}

#[async_trait]
impl TypedTool for SetClimateMode {
    type Args = ModeArgs;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_climate_mode",
            Effect::Set,
            "切换空调模式：自动、制冷、制热、通风、除湿等",
            "Switch the climate mode: automatic, cooling, heating, ventilation, dry and more",
        )
    }

    fn resolve(&self, mut args: ModeArgs, _: ToolContext<'_>) -> Result<(ModeArgs, Effect), ToolError> {
        args.power.get_or_insert(Power::On);
        Ok((args, Effect::Set))
    }

    async fn run(&self, args: ModeArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let on = args.power.is_none_or(Power::is_on);
        let (name, zh, en) = args.mode.names();
        let mut commands = Vec::new();
        if on {
            commands.push(Command::set(signals::CLIMATE_MODE, name));
            match args.mode.compressor() {
                Compressor::On => commands.push(Command::set(signals::AC, true)),
                Compressor::Off => commands.push(Command::set(signals::AC, false)),
                Compressor::AsItIs => {}
            }
            if let Some((temperature, fan)) = args.mode.extreme() {
                let zones = |placed| self.0.parts(placed, Position::All).into_iter();
                commands.extend(zones(signals::ZONE_TEMPERATURE).map(|zone| Command::set(zone.signal, temperature)));
                commands.extend(zones(signals::ZONE_FAN).map(|zone| Command::set(zone.signal, fan)));
            }
        } else if self.0.target(signals::CLIMATE_MODE, cx.lang)?.as_text() == Some(name) {
            commands.push(Command::set(signals::CLIMATE_MODE, "OFF"));
        }
        let mut answer = result("mode", args.mode);
        put(&mut answer, "power", args.power);
        let spoken = Spoken::power(&Subject::the(zh, en, cx.lang), on, cx.lang);
        apply(&self.0, &commands, answer, spoken, cx.lang).await
    }
}
