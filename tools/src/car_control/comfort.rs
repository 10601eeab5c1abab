//! Massage, the warm steering wheel and fragrance: a power and three levels each.

use super::car::Car;
use super::level::Level;
use super::motion::place_name;
use super::place::{Noun, Position, Subject};
use super::setting::{Spoken, apply, put, result};
use super::wish::{Power, Scale, Wish};
use super::{signals, spec};
use crate::vehicle::{Command, number};
use incar_core::{Effect, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const SCALE: Scale = Scale {
    argument: "level",
    min: 1.0,
    max: 3.0,
    step: 1.0,
};

/// What a bare "on" means where it is off.
const BARE_ON: f64 = 2.0;

/// The level, 0 for off, that power, level and change come to from `current`.
fn target(
    power: Option<Power>,
    level: Option<Level>,
    change: Option<f64>,
    current: f64,
    lang: Lang,
) -> Result<f64, ToolError> {
    let (step, end) = level.map_or((None, None), Level::split);
    match (power, Wish::of(step.map(f64::round), change, end)) {
        (Some(Power::Off), _) => Ok(0.0),
        (_, Some(wish @ Wish::By(_))) => Scale { min: 0.0, ..SCALE }.target(wish, current, lang).map(f64::round),
        (_, Some(wish)) => SCALE.target(wish, current, lang),
        (_, None) if current > 0.0 => Ok(current),
        (_, None) => Ok(BARE_ON),
    }
}

/// The resolved power and level of a target.
fn resolved(target: f64) -> (Option<Power>, Option<Level>) {
    if target > 0.0 {
        (Some(Power::On), Some(Level::Step(target)))
    } else {
        (Some(Power::Off), None)
    }
}

/// The target of resolved arguments.
fn level_of(level: Option<Level>) -> f64 {
    match level {
        Some(Level::Step(step)) => step,
        Some(Level::End(_)) | None => 0.0,
    }
}

fn percent(level: f64) -> f64 {
    (level * 100.0 / SCALE.max).round()
}

fn from_percent(percent: f64) -> f64 {
    (percent * SCALE.max / 100.0).round().max(0.0)
}

fn spoken(subject: &Subject, level: f64, mode: Option<&str>, lang: Lang) -> Spoken {
    if level <= 0.0 {
        return Spoken::power(subject, false, lang);
    }
    let value = match mode {
        Some(mode) => lang.pick(format!("{mode}，{level}档"), format!("{mode}, level {level}")),
        None => lang.pick(format!("{level}档"), format!("level {level}")),
    };
    Spoken::value(subject, &value, lang)
}

/// `set_seat_massage`.
#[derive(Debug)]
pub(super) struct SetSeatMassage(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MassageArgs {
    /// Which seat; the speaker's own where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seat: Option<Position>,
    /// On or off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    power: Option<Power>,
    /// The programme, in the driver's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mode: Option<String>,
    /// "1", "2", "3", "max" or "min".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    level: Option<Level>,
}

const MASSAGE: Noun = Noun {
    zh: "座椅按摩",
    en: "seat massage",
    en_plural: "seat massage",
};

#[async_trait]
impl TypedTool for SetSeatMassage {
    type Args = MassageArgs;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_seat_massage",
            Effect::Set,
            "打开、关闭座椅按摩，设置模式和力度",
            "Switch seat massage on or off, or set its programme and strength",
        )
    }

    fn resolve(&self, mut args: MassageArgs, cx: ToolContext<'_>) -> Result<(MassageArgs, Effect), ToolError> {
        let seat = *args.seat.insert(Position::or_own(args.seat, "seat", cx)?);
        let mut current = 0.0;
        for part in self.0.parts_at(signals::MASSAGE_LEVEL, seat, cx.lang)? {
            current = from_percent(self.0.number(&part.signal, cx.lang)?).max(current);
        }
        (args.power, args.level) = resolved(target(args.power, args.level, None, current, cx.lang)?);
        Ok((args, Effect::Set))
    }

    async fn run(&self, args: MassageArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let seat = Position::or_own(args.seat, "seat", cx)?;
        let level = level_of(args.level);
        let levels = self.0.parts_at(signals::MASSAGE_LEVEL, seat, cx.lang)?;
        let mut commands: Vec<Command> = levels
            .into_iter()
            .map(|part| Command::set(part.signal, percent(level)))
            .collect();
        let mode = args
            .mode
            .as_deref()
            .map(str::trim)
            .filter(|mode| !mode.is_empty() && level > 0.0);
        if let Some(mode) = mode {
            let types = self.0.parts_at(signals::MASSAGE_TYPE, seat, cx.lang)?;
            commands.extend(types.into_iter().map(|part| Command::set(part.signal, mode)));
        }
        let mut answer = result("seat", place_name(seat));
        put(&mut answer, "power", args.power);
        put(&mut answer, "level", number(level));
        if let Some(mode) = mode {
            put(&mut answer, "mode", mode);
        }
        let subject = Subject::at(seat, MASSAGE, cx.lang);
        apply(
            &self.0,
            &commands,
            answer,
            spoken(&subject, level, mode, cx.lang),
            cx.lang,
        )
        .await
    }
}

/// `set_steering_wheel_heating`.
#[derive(Debug)]
pub(super) struct SetSteeringWheelHeating(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WheelArgs {
    /// On or off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    power: Option<Power>,
    /// "1", "2", "3", "max" or "min".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    level: Option<Level>,
}

#[async_trait]
impl TypedTool for SetSteeringWheelHeating {
    type Args = WheelArgs;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_steering_wheel_heating",
            Effect::Set,
            "打开、关闭或调节方向盘加热",
            "Switch the steering wheel heating on or off, or set its level",
        )
    }

    fn resolve(&self, args: WheelArgs, cx: ToolContext<'_>) -> Result<(WheelArgs, Effect), ToolError> {
        let current = from_percent(self.0.number(signals::WHEEL_HEATING, cx.lang)?);
        let (power, level) = resolved(target(args.power, args.level, None, current, cx.lang)?);
        Ok((WheelArgs { power, level }, Effect::Set))
    }

    async fn run(&self, args: WheelArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let level = level_of(args.level);
        let command = Command::set(signals::WHEEL_HEATING, percent(level));
        let mut answer = result("power", args.power);
        put(&mut answer, "level", number(level));
        let subject = Subject::the("方向盘加热", "steering wheel heating", cx.lang);
        apply(
            &self.0,
            &[command],
            answer,
            spoken(&subject, level, None, cx.lang),
            cx.lang,
        )
        .await
    }
}

/// `set_fragrance`.
#[derive(Debug)]
pub(super) struct SetFragrance(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FragranceArgs {
    /// On or off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    power: Option<Power>,
    /// "1", "2", "3", "max" or "min".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    level: Option<Level>,
    /// Levels more, or less where negative; "a bit" is 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    change: Option<f64>,
    /// The scent, in the driver's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scent: Option<String>,
}

#[async_trait]
impl TypedTool for SetFragrance {
    type Args = FragranceArgs;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_fragrance",
            Effect::Set,
            "打开、关闭香氛，设置浓度和香型",
            "Switch the fragrance on or off, or set its strength and scent",
        )
    }

    fn resolve(&self, mut args: FragranceArgs, cx: ToolContext<'_>) -> Result<(FragranceArgs, Effect), ToolError> {
        let on = self.0.is(signals::FRAGRANCE_ON) == Some(true);
        let current = if on {
            self.0.number(signals::FRAGRANCE_LEVEL, cx.lang)?
        } else {
            0.0
        };
        (args.power, args.level) = resolved(target(args.power, args.level, args.change, current, cx.lang)?);
        args.change = None;
        Ok((args, Effect::Set))
    }

    async fn run(&self, args: FragranceArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let level = level_of(args.level);
        let mut commands = vec![Command::set(signals::FRAGRANCE_ON, level > 0.0)];
        if level > 0.0 {
            commands.push(Command::set(signals::FRAGRANCE_LEVEL, level));
        }
        let scent = args
            .scent
            .as_deref()
            .map(str::trim)
            .filter(|scent| !scent.is_empty() && level > 0.0);
        if let Some(scent) = scent {
            commands.push(Command::set(signals::FRAGRANCE_SCENT, scent));
        }
        let mut answer = result("power", args.power);
        put(&mut answer, "level", number(level));
        if let Some(scent) = scent {
            put(&mut answer, "scent", scent);
        }
        let subject = Subject::the("香氛", "fragrance", cx.lang);
        apply(
            &self.0,
            &commands,
            answer,
            spoken(&subject, level, scent, cx.lang),
            cx.lang,
        )
        .await
    }
}
