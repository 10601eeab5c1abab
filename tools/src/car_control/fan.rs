//! The fan.

use super::car::{Car, Part};
use super::motion::{Motion, place_name};
use super::place::{Noun, Position, Subject};
use super::temperature::commands;
use super::wish::{Extreme, Scale, Wish, end_words};
use super::{signals, spec};
use crate::vehicle::number;
use incar_core::{Effect, ErrorKind, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Map;

/// `set_fan_speed`.
#[derive(Debug)]
pub(super) struct SetFanSpeed(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10))]
    fan: Option<f64>,
    /// Levels more, or less where negative; "a bit" is 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    change: Option<f64>,
    /// As strong or as weak as it gets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    level: Option<Extreme>,
    /// Where; the whole car where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    zone: Option<Position>,
    /// Resolved: the target of each zone, where they stand apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    each: Option<Vec<f64>>,
}

const SCALE: Scale = Scale {
    argument: "fan",
    min: 1.0,
    max: 10.0,
    step: 1.0,
};

/// A level, where the car counts the fan in percent as VSS does.
const PERCENT_PER_LEVEL: f64 = 10.0;

const NOUN: Noun = Noun {
    zh: "风量",
    en: "fan",
    en_plural: "fans",
};

#[async_trait]
impl TypedTool for SetFanSpeed {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_fan_speed",
            Effect::Set,
            "设置空调风量，或调大、调小",
            "Set the fan, or make it stronger or weaker",
        )
    }

    fn resolve(&self, args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let zone = args.zone.unwrap_or(Position::All);
        let wish = Wish::of(args.fan, args.change, args.level).ok_or_else(|| {
            ToolError::ask(
                ErrorKind::InvalidInput,
                "fan",
                cx.lang.pick("风量要调到几档？", "Which fan level would you like?"),
            )
        })?;
        let parts = self.0.parts_at(signals::ZONE_FAN, zone, cx.lang)?;
        let per_level = per_level(&self.0, &parts);
        let current = parts
            .iter()
            .map(|part| Ok((self.0.number(&part.signal, cx.lang)? / per_level).round()))
            .collect::<Result<Vec<_>, ToolError>>()?;
        let scale = self.0.scale(SCALE, &parts, per_level);
        let (fan, each) = scale.targets(wish, &current, cx.lang)?.into_arguments();
        let resolved = Args {
            fan: fan.map(f64::round),
            each: each.map(|each| each.into_iter().map(f64::round).collect()),
            zone: Some(zone),
            change: None,
            level: None,
        };
        Ok((resolved, Effect::Set))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let zone = args.zone.unwrap_or(Position::All);
        let parts = self.0.parts_at(signals::ZONE_FAN, zone, cx.lang)?;
        let per_level = per_level(&self.0, &parts);
        let value = args.fan.map(|fan| fan * per_level);
        let each: Option<Vec<f64>> = args
            .each
            .as_ref()
            .map(|each| each.iter().map(|fan| fan * per_level).collect());
        let reports = self
            .0
            .actuate(&commands(&parts, value, each.as_deref()), cx.lang)
            .await?;
        let unchanged = Motion::of(&reports).unchanged();
        let mut result = Map::new();
        result.insert("zone".into(), place_name(zone));
        if unchanged {
            result.insert("unchanged".into(), true.into());
        }
        let subject = match zone {
            Position::All => Subject::the(NOUN.zh, NOUN.en, cx.lang),
            _ => Subject::at(zone, NOUN, cx.lang),
        };
        let (text, be) = (subject.text, subject.be);
        let Some(fan) = args.fan else {
            let say = cx
                .lang
                .pick(format!("{text}已调整。"), format!("{text} {be} adjusted."));
            return Ok(ToolOutput::new(result)?.say(say));
        };
        result.insert("fan".into(), number(fan));
        let end = end_words(self.0.scale(SCALE, &parts, per_level).end(fan), cx.lang);
        let say = if unchanged {
            cx.lang.pick(
                format!("{text}已经是{fan}档了{end}。"),
                format!("{text} {be} at level {fan} already{end}."),
            )
        } else {
            cx.lang.pick(
                format!("{text}调到{fan}档{end}。"),
                format!("{text} {be} at level {fan} now{end}."),
            )
        };
        Ok(ToolOutput::new(result)?.say(say))
    }
}

/// What a level is in the car's numbers: a car that does not count in percent counts levels.
pub(super) fn per_level(car: &Car, parts: &[Part]) -> f64 {
    let percent = parts
        .iter()
        .all(|part| car.unit(&part.signal).as_deref() == Some("percent"));
    if percent { PERCENT_PER_LEVEL } else { 1.0 }
}
