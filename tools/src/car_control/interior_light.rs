//! Ambient, reading and dome lights: power, brightness, colour and effect, several at once.

use super::car::{Car, Part};
use super::motion::{Motion, place_name};
use super::place::{Noun, Position, Subject};
use super::signals::Placed;
use super::wish::{Extreme, Power, Scale, Wish};
use super::{color, signals, spec};
use crate::vehicle::{Command, number};
use incar_core::{Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// `set_interior_light`.
#[derive(Debug)]
pub(super) struct SetInteriorLight(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Which light.
    light: Light,
    /// On or off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    power: Option<Power>,
    /// Where; for the reading light the speaker's own place where it is not said, else everywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<Position>,
    /// Percent; 0 is off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 100))]
    brightness: Option<f64>,
    /// Percent brighter, or darker where negative; "a bit" is 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    change: Option<f64>,
    /// As bright or as dark as it gets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    level: Option<Extreme>,
    /// The colour, in the driver's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    color: Option<String>,
    /// The effect, in the driver's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mode: Option<String>,
    /// Resolved: the brightness of each light, where they stand apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    each: Option<Vec<f64>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Light {
    Ambient,
    Reading,
    Dome,
    All,
}

/// A light that is on has at least 1 percent.
const SCALE: Scale = Scale {
    argument: "brightness",
    min: 1.0,
    max: 100.0,
    step: 10.0,
};

/// One lamp: its signals.
struct Lamp {
    on: String,
    intensity: String,
    color: Option<String>,
}

#[async_trait]
impl TypedTool for SetInteriorLight {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_interior_light",
            Effect::Set,
            "控制氛围灯、阅读灯、顶灯：开关、亮度、颜色、效果",
            "Control ambient, reading and dome lights: power, brightness, colour, effect",
        )
    }

    fn resolve(&self, mut args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let position = *args.position.get_or_insert(match args.light {
            Light::Reading => Position::or_own(args.position, "position", cx)?,
            Light::Ambient | Light::Dome | Light::All => Position::All,
        });
        let lamps = self.lamps(args.light, position);
        if lamps.is_empty() {
            return Err(super::car::unsupported(cx.lang));
        }
        if let Some(words) = &args.color {
            args.color = Some(check_color(args.light, words, cx.lang)?);
        }
        if args.mode.is_some() && matches!(args.light, Light::Reading | Light::Dome) {
            return Err(super::car::unsupported(cx.lang));
        }
        if args.power != Some(Power::Off) && args.brightness != Some(0.0) {
            if let Some(wish) = Wish::of(args.brightness, args.change, args.level) {
                let current = lamps
                    .iter()
                    .map(|lamp| self.0.number(&lamp.intensity, cx.lang))
                    .collect::<Result<Vec<_>, _>>()?;
                let targets = SCALE.targets(wish, &current, cx.lang)?;
                (args.brightness, args.each) = targets.into_arguments();
                args.brightness = args.brightness.map(f64::round);
                args.each = args.each.map(|each| each.into_iter().map(f64::round).collect());
            }
            args.power = Some(Power::On);
        } else {
            args.power = Some(Power::Off);
            args.brightness = None;
        }
        args.change = None;
        args.level = None;
        Ok((args, Effect::Set))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let position = args.position.unwrap_or(Position::All);
        let on = args.power.is_none_or(Power::is_on);
        let found = args.color.as_deref().and_then(color::find);
        let mut commands = Vec::new();
        for (index, lamp) in self.lamps(args.light, position).into_iter().enumerate() {
            let own = args.each.as_ref().and_then(|each| each.get(index)).copied();
            if let Some(brightness) = args.brightness.or(own) {
                commands.push(Command::set(lamp.intensity, brightness));
            }
            if let (Some(signal), Some(color)) = (lamp.color, found) {
                commands.push(Command::set(signal, color.hex));
            }
            commands.push(Command::set(lamp.on, on));
        }
        if let Some(mode) = &args.mode {
            commands.push(Command::set(signals::AMBIENT_MODE, mode.as_str()));
        }
        let reports = self.0.actuate(&commands, cx.lang).await?;
        let unchanged = Motion::of(&reports).unchanged();

        let mut result = Map::new();
        result.insert("light".into(), serde_json::to_value(args.light).unwrap_or_default());
        result.insert("power".into(), if on { "on".into() } else { "off".into() });
        result.insert("position".into(), place_name(position));
        if let Some(brightness) = args.brightness {
            result.insert("brightness".into(), number(brightness));
        }
        if let Some(color) = found {
            result.insert(
                "color".into(),
                serde_json::json!({"name": cx.lang.pick(color.zh, color.en), "hex": color.hex}),
            );
        }
        if let Some(mode) = &args.mode {
            result.insert("mode".into(), Value::from(mode.as_str()));
        }
        if unchanged {
            result.insert("unchanged".into(), true.into());
        }
        let say = say(&args, position, on, unchanged, found, cx.lang);
        Ok(ToolOutput::new(result)?.say(say))
    }
}

impl SetInteriorLight {
    fn lamps(&self, light: Light, position: Position) -> Vec<Lamp> {
        let placed = |on: Placed, intensity: Placed, color: Placed| {
            let layout = self.0.layout();
            let lamp = move |part: Part| Lamp {
                on: part.signal,
                intensity: intensity.at(part.spot, layout),
                color: Some(color.at(part.spot, layout)),
            };
            self.0.parts(on, position).into_iter().map(lamp).collect::<Vec<_>>()
        };
        let ambient = || placed(signals::AMBIENT_ON, signals::AMBIENT_INTENSITY, signals::AMBIENT_COLOR);
        let reading = || placed(signals::READING_ON, signals::READING_INTENSITY, signals::READING_COLOR);
        let dome = || {
            vec![Lamp {
                on: signals::DOME_ON.into(),
                intensity: signals::DOME_INTENSITY.into(),
                color: None,
            }]
        };
        match light {
            Light::Ambient => ambient(),
            Light::Reading => reading(),
            Light::Dome => dome(),
            Light::All => [ambient(), reading(), dome()].into_iter().flatten().collect(),
        }
    }
}

/// The colour's name as the tool keeps it; a question where nobody knows it.
fn check_color(light: Light, words: &str, lang: Lang) -> Result<String, ToolError> {
    if light == Light::Dome {
        return Err(ToolError::new(
            ErrorKind::Unsupported,
            lang.pick("顶灯不能换颜色。", "The dome light has one colour only."),
        ));
    }
    match color::find(words) {
        Some(color) => Ok(lang.pick(color.zh, color.en).to_owned()),
        None => Err(ToolError::choose(
            "color",
            color::examples()
                .map(|color| lang.pick(color.zh, color.en).to_owned())
                .collect(),
            lang.pick(
                format!("没有“{words}”这种颜色，要红色、蓝色还是紫色？"),
                format!("I don't have the colour {words}. Red, blue or purple?"),
            ),
        )),
    }
}

fn noun(light: Light) -> Noun {
    let (zh, en, en_plural) = match light {
        Light::Ambient => ("氛围灯", "ambient light", "ambient lights"),
        Light::Reading => ("阅读灯", "reading light", "reading lights"),
        Light::Dome => ("顶灯", "dome light", "dome light"),
        Light::All => ("车内灯", "interior light", "interior lights"),
    };
    Noun { zh, en, en_plural }
}

fn say(args: &Args, position: Position, on: bool, unchanged: bool, color: Option<color::Color>, lang: Lang) -> String {
    let noun = noun(args.light);
    let subject = match (args.light, position) {
        (Light::Dome, _) | (Light::Ambient, Position::All) => Subject::the(noun.zh, noun.en, lang),
        _ => Subject::at(position, noun, lang),
    };
    let (text, be) = (subject.text, subject.be);
    if !on {
        return if unchanged {
            lang.pick(format!("{text}已经是关着的。"), format!("{text} {be} off already."))
        } else {
            lang.pick(format!("{text}已关闭。"), format!("{text} {be} off."))
        };
    }
    let mut how = Vec::new();
    if let Some(color) = color {
        how.push(lang.pick(color.zh.to_owned(), color.en.to_owned()));
    }
    if let Some(brightness) = args.brightness {
        how.push(lang.pick(format!("亮度{brightness}%"), format!("{brightness}% bright")));
    } else if args.each.is_some() {
        how.push(lang.pick("亮度已调整".to_owned(), "brightness adjusted".to_owned()));
    }
    if let Some(mode) = &args.mode {
        how.push(lang.pick(format!("{mode}模式"), format!("{mode} mode")));
    }
    let how = how.join(lang.pick("，", ", "));
    match (how.is_empty(), unchanged) {
        (true, false) => lang.pick(format!("{text}已打开。"), format!("{text} {be} on.")),
        (true, true) => lang.pick(format!("{text}已经开着了。"), format!("{text} {be} on already.")),
        (false, false) => lang.pick(format!("{text}已设为{how}。"), format!("{text} {be} set to {how}.")),
        (false, true) => lang.pick(
            format!("{text}已经是{how}。"),
            format!("{text} {be} already set to {how}."),
        ),
    }
}
