//! The temperature of the climate zones.

use super::car::{Car, Part};
use super::motion::{Motion, place_name};
use super::place::{Noun, Position, Subject};
use super::wish::{Extreme, Scale, Wish, end_words};
use super::{signals, spec};
use crate::vehicle::{Command, number};
use incar_core::{Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// `set_temperature`.
#[derive(Debug)]
pub(super) struct SetTemperature(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Degrees Celsius, in steps of 0.5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 16, max = 32))]
    temperature: Option<f64>,
    /// Degrees warmer, or cooler where negative; "a bit" is 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    change: Option<f64>,
    /// As warm or as cool as it gets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    level: Option<Extreme>,
    /// Where; the speaker's own place where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    zone: Option<Position>,
    /// Resolved: the target of each zone, where they stand apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    each: Option<Vec<f64>>,
}

const SCALE: Scale = Scale {
    argument: "temperature",
    min: 16.0,
    max: 32.0,
    step: 1.0,
};

const NOUN: Noun = Noun {
    zh: "温度",
    en: "temperature",
    en_plural: "temperature",
};

/// Zones that differ by more than this are told.
const GAP: f64 = 3.0;

#[async_trait]
impl TypedTool for SetTemperature {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_temperature",
            Effect::Set,
            "设置空调温度，或调高、调低",
            "Set the temperature of the air conditioning, or make it warmer or cooler",
        )
    }

    fn resolve(&self, args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let zone = Position::or_own(args.zone, "zone", cx)?;
        let wish = Wish::of(args.temperature, args.change, args.level).ok_or_else(|| {
            ToolError::ask(
                ErrorKind::InvalidInput,
                "temperature",
                cx.lang.pick("要调到多少度？", "What temperature would you like?"),
            )
        })?;
        let parts = self.0.parts_at(signals::ZONE_TEMPERATURE, zone, cx.lang)?;
        let current = parts
            .iter()
            .map(|part| self.0.number(&part.signal, cx.lang))
            .collect::<Result<Vec<_>, _>>()?;
        let scale = self.0.scale(SCALE, &parts, 1.0);
        let (temperature, each) = scale.targets(wish, &current, cx.lang)?.into_arguments();
        for target in temperature.iter().chain(each.iter().flatten()) {
            check_step(*target, cx.lang)?;
        }
        let resolved = Args {
            temperature,
            each,
            zone: Some(zone),
            change: None,
            level: None,
        };
        Ok((resolved, Effect::Set))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let zone = Position::or_own(args.zone, "zone", cx)?;
        let parts = self.0.parts_at(signals::ZONE_TEMPERATURE, zone, cx.lang)?;
        let commands = commands(&parts, args.temperature, args.each.as_deref());
        let reports = self.0.actuate(&commands, cx.lang).await?;
        let unchanged = Motion::of(&reports).unchanged();

        let mut result = Map::new();
        result.insert("zone".into(), place_name(zone));
        if let Some(temperature) = args.temperature {
            result.insert("temperature".into(), number(temperature));
        } else {
            let zones = reports.iter().zip(&parts).map(|(report, part)| {
                serde_json::json!({"zone": place_name(part.spot.position()), "temperature": report.target})
            });
            result.insert("zones".into(), zones.collect());
        }
        if unchanged {
            result.insert("unchanged".into(), true.into());
        }
        let ac_off = self.0.is(signals::AC) == Some(false);
        if ac_off {
            result.insert("ac".into(), "off".into());
        }
        if let Some(gap) = self.gap(&parts, args.temperature) {
            result.insert("gap".into(), gap);
        }
        let scale = self.0.scale(SCALE, &parts, 1.0);
        let end = args.temperature.and_then(|temperature| scale.end(temperature));
        let say = say(zone, args.temperature, unchanged, (end, ac_off), cx.lang);
        Ok(ToolOutput::new(result)?.say(say))
    }
}

impl SetTemperature {
    /// The zone that now differs most, where it differs by more than [`GAP`].
    fn gap(&self, parts: &[Part], temperature: Option<f64>) -> Option<Value> {
        let temperature = temperature?;
        self.0
            .parts(signals::ZONE_TEMPERATURE, Position::All)
            .into_iter()
            .filter(|part| parts.iter().all(|own| own.signal != part.signal))
            .filter_map(|part| {
                let other = self.0.known_target(&part.signal)?.as_number()?;
                Some((part.spot.position(), (temperature - other).abs()))
            })
            .filter(|(_, gap)| *gap > GAP)
            .max_by(|(_, a), (_, b)| a.total_cmp(b))
            .map(|(position, gap)| serde_json::json!({"zone": place_name(position), "difference": number(gap)}))
    }
}

/// One command a part: the one value, or each its own.
pub(super) fn commands(parts: &[Part], value: Option<f64>, each: Option<&[f64]>) -> Vec<Command> {
    let own = |index: usize| value.or_else(|| each.and_then(|each| each.get(index)).copied());
    parts
        .iter()
        .enumerate()
        .filter_map(|(index, part)| Some(Command::set(part.signal.as_str(), own(index)?)))
        .collect()
}

fn check_step(temperature: f64, lang: Lang) -> Result<(), ToolError> {
    if (temperature * 2.0).fract() == 0.0 {
        return Ok(());
    }
    let (low, high) = ((temperature * 2.0).floor() / 2.0, (temperature * 2.0).ceil() / 2.0);
    Err(ToolError::choose(
        "temperature",
        vec![low.to_string(), high.to_string()],
        lang.pick(
            format!("温度每档是半度，要{low}度还是{high}度？"),
            format!("It goes in half degrees. {low} or {high}?"),
        ),
    ))
}

fn say(
    zone: Position,
    temperature: Option<f64>,
    unchanged: bool,
    (end, ac_off): (Option<Extreme>, bool),
    lang: Lang,
) -> String {
    let subject = Subject::at(zone, NOUN, lang).text;
    let subject = if zone == Position::All {
        lang.pick("全车温度".into(), "The temperature everywhere".into())
    } else {
        subject
    };
    let Some(to) = temperature else {
        return lang.pick(format!("{subject}已调整。"), format!("{subject} is adjusted."));
    };
    let end = end_words(end, lang);
    let off = if ac_off {
        lang.pick("，空调还没开", ", but the air conditioning is off")
    } else {
        ""
    };
    match unchanged {
        true => lang.pick(
            format!("{subject}已经是{to}度了{end}{off}。"),
            format!("{subject} is {to} degrees already{end}{off}."),
        ),
        false => lang.pick(
            format!("{subject}设为{to}度{end}{off}。"),
            format!("{subject} is set to {to} degrees{end}{off}."),
        ),
    }
}
