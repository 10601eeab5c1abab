//! Warm and cool seats. One signal does both, so the one takes the other's place.

use super::car::{Car, Part};
use super::level::Level;
use super::motion::{Motion, place_name};
use super::place::{Noun, Position, Subject};
use super::temperature::commands;
use super::wish::{Power, Scale, Targets, Wish, end_words};
use super::{signals, spec};
use crate::vehicle::{Actuation, number};
use incar_core::{Effect, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// `set_seat_heating`.
#[derive(Debug)]
pub(super) struct SetSeatHeating(pub(super) Car);

/// `set_seat_ventilation`.
#[derive(Debug)]
pub(super) struct SetSeatVentilation(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Which seat; the speaker's own where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seat: Option<Position>,
    /// On or off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    power: Option<Power>,
    /// "1", "2", "3", "max" or "min".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    level: Option<Level>,
    /// Levels more, or less where negative; "a bit" is 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    change: Option<f64>,
    /// Resolved: the level of each seat, where they stand apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    each: Option<Vec<f64>>,
}

/// Level 0 is off: a change may reach it, a level that is said starts at 1.
const SCALE: Scale = Scale {
    argument: "level",
    min: 1.0,
    max: 3.0,
    step: 1.0,
};
const WITH_OFF: Scale = Scale { min: 0.0, ..SCALE };

/// What a bare "on" means where the seat is off.
const BARE_ON: f64 = 2.0;

/// Which of the two: warm is above zero in the signal, cool below.
#[derive(Debug, Clone, Copy)]
struct Climate {
    sign: f64,
    noun: Noun,
}

const HEATING: Climate = Climate {
    sign: 1.0,
    noun: Noun {
        zh: "座椅加热",
        en: "seat heating",
        en_plural: "seat heating",
    },
};

const VENTILATION: Climate = Climate {
    sign: -1.0,
    noun: Noun {
        zh: "座椅通风",
        en: "seat ventilation",
        en_plural: "seat ventilation",
    },
};

impl Climate {
    fn level(self, percent: f64) -> f64 {
        (percent * self.sign * SCALE.max / 100.0).round().max(0.0)
    }

    fn percent(self, level: f64) -> f64 {
        (level * 100.0 / SCALE.max).round() * self.sign
    }

    fn resolve(self, car: &Car, args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let seat = Position::or_own(args.seat, "seat", cx)?;
        let current = car
            .parts_at(signals::SEAT_HEATING_COOLING, seat, cx.lang)?
            .iter()
            .map(|part| Ok(self.level(car.number(&part.signal, cx.lang)?)))
            .collect::<Result<Vec<_>, ToolError>>()?;
        let (step, end) = args.level.map_or((None, None), Level::split);
        let targets = match (
            args.power,
            Wish::of(step.map(f64::round), args.change.map(f64::round), end),
        ) {
            (Some(Power::Off), _) => Targets::Same(0.0),
            (_, Some(wish @ Wish::By(_))) => WITH_OFF.targets(wish, &current, cx.lang)?,
            (_, Some(wish)) => SCALE.targets(wish, &current, cx.lang)?,
            (_, None) => bare_on(&current),
        };
        let (level, each) = targets.into_arguments();
        let power = level.map(|level| if level > 0.0 { Power::On } else { Power::Off });
        let resolved = Args {
            seat: Some(seat),
            power,
            level: level.filter(|level| *level > 0.0).map(Level::Step),
            change: None,
            each,
        };
        Ok((resolved, Effect::Set))
    }

    async fn run(self, car: &Car, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let seat = Position::or_own(args.seat, "seat", cx)?;
        let parts: Vec<Part> = car.parts_at(signals::SEAT_HEATING_COOLING, seat, cx.lang)?;
        let level = match (args.power, args.level) {
            (_, Some(Level::Step(level))) => Some(level),
            (Some(Power::Off), _) => Some(0.0),
            _ => None,
        };
        let each: Option<Vec<f64>> = args
            .each
            .map(|each| each.into_iter().map(|level| self.percent(level)).collect());
        // Off leaves alone what the other of the two does.
        let own: Vec<Part> = parts
            .into_iter()
            .filter(|part| level != Some(0.0) || self.is_on(car, part))
            .collect();
        let commands = commands(&own, level.map(|level| self.percent(level)), each.as_deref());
        let reports = car.actuate(&commands, cx.lang).await?;
        let mut result = Map::new();
        result.insert("seat".into(), place_name(seat));
        if let Some(level) = level {
            result.insert("power".into(), if level > 0.0 { "on".into() } else { "off".into() });
            result.insert("level".into(), number(level));
        }
        let unchanged = Motion::of(&reports).unchanged();
        if unchanged {
            result.insert("unchanged".into(), true.into());
        }
        if self.replaced(&reports) {
            result.insert("replaced".into(), Value::from(self.other().noun.en));
        }
        let say = self.say(seat, level, unchanged, cx.lang);
        Ok(ToolOutput::new(result)?.say(say))
    }

    fn is_on(self, car: &Car, part: &Part) -> bool {
        car.known_target(&part.signal)
            .and_then(|value| value.as_number())
            .is_none_or(|percent| percent * self.sign > 0.0)
    }

    fn other(self) -> Self {
        if self.sign > 0.0 { VENTILATION } else { HEATING }
    }

    /// Whether the other one was on before.
    fn replaced(self, reports: &[Actuation]) -> bool {
        reports
            .iter()
            .filter_map(|report| report.before.as_ref()?.as_number())
            .any(|before| before * self.sign < 0.0)
    }

    fn say(self, seat: Position, level: Option<f64>, unchanged: bool, lang: Lang) -> String {
        let text = Subject::at(seat, self.noun, lang).text;
        match (level, unchanged) {
            (Some(0.0), false) => lang.pick(format!("{text}已关闭。"), format!("{text} is off.")),
            (Some(0.0), true) => lang.pick(format!("{text}已经是关着的。"), format!("{text} is off already.")),
            (Some(level), false) => {
                let end = end_words(SCALE.end(level).filter(|_| level > 1.0), lang);
                lang.pick(
                    format!("{text}已开到{level}档{end}。"),
                    format!("{text} is on at level {level}{end}."),
                )
            }
            (Some(level), true) => lang.pick(
                format!("{text}已经是{level}档了。"),
                format!("{text} is at level {level} already."),
            ),
            (None, _) => lang.pick(format!("{text}已调整。"), format!("{text} is adjusted.")),
        }
    }
}

/// "On" leaves a seat that is on as it is.
fn bare_on(current: &[f64]) -> Targets {
    let each: Vec<f64> = current
        .iter()
        .map(|level| if *level > 0.0 { *level } else { BARE_ON })
        .collect();
    match each.split_first() {
        Some((first, rest)) if rest.iter().all(|other| other == first) => Targets::Same(*first),
        _ => Targets::Each(each),
    }
}

#[async_trait]
impl TypedTool for SetSeatHeating {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_seat_heating",
            Effect::Set,
            "打开、关闭或调节座椅加热",
            "Switch seat heating on or off, or set its level",
        )
    }

    fn resolve(&self, args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        HEATING.resolve(&self.0, args, cx)
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        HEATING.run(&self.0, args, cx).await
    }
}

#[async_trait]
impl TypedTool for SetSeatVentilation {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_seat_ventilation",
            Effect::Set,
            "打开、关闭或调节座椅通风",
            "Switch seat ventilation on or off, or set its level",
        )
    }

    fn resolve(&self, args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        VENTILATION.resolve(&self.0, args, cx)
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        VENTILATION.run(&self.0, args, cx).await
    }
}
