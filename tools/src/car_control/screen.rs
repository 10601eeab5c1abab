//! The screens.

use super::car::Car;
use super::mirror::NUDGE;
use super::place::Subject;
use super::setting::{Spoken, apply, put, result};
use super::wish::{Extreme, Power, Scale, Wish};
use super::{signals, spec};
use crate::vehicle::{Command, number};
use incar_core::{Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `set_screen`.
#[derive(Debug)]
pub(super) struct SetScreen(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Which screen; the center one where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    screen: Option<Screen>,
    /// On or off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    power: Option<Power>,
    /// Percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 100))]
    brightness: Option<f64>,
    /// Percent brighter, or darker where negative; "a bit" is 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    change: Option<f64>,
    /// As bright or as dark as it gets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    level: Option<Extreme>,
    /// How it looks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mode: Option<Mode>,
    /// Which way to turn or tilt it a bit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    r#move: Option<Move>,
    /// Resolved: the brightness of each screen, where they stand apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    each: Option<Vec<f64>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Screen {
    Center,
    Passenger,
    Rear,
    Cluster,
    Hud,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mode {
    Day,
    Night,
    Auto,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Move {
    Left,
    Right,
    Up,
    Down,
}

const SCALE: Scale = Scale {
    argument: "brightness",
    min: 0.0,
    max: 100.0,
    step: 10.0,
};

impl Screen {
    /// The screens as signals name them.
    fn names(self) -> &'static [&'static str] {
        match self {
            Self::Center => &["Center"],
            Self::Passenger => &["Passenger"],
            Self::Rear => &["Rear"],
            Self::Cluster => &["Cluster"],
            Self::Hud => &["HUD"],
            Self::All => &["Center", "Passenger", "Rear", "Cluster", "HUD"],
        }
    }

    fn subject(self, lang: Lang) -> Subject {
        let (zh, en) = match self {
            Self::Center => ("中控屏", "center screen"),
            Self::Passenger => ("副驾屏", "passenger's screen"),
            Self::Rear => ("后排屏", "rear screen"),
            Self::Cluster => ("仪表屏", "instrument cluster"),
            Self::Hud => ("抬头显示", "head-up display"),
            Self::All => ("全部屏幕", "whole set of screens"),
        };
        Subject::the(zh, en, lang)
    }
}

/// VSS knows the brightness of one screen.
fn brightness_signal(screen: &str) -> String {
    if screen == "Center" {
        signals::HMI_BRIGHTNESS.to_owned()
    } else {
        format!("Vehicle.Incar.Screen.{screen}.Brightness")
    }
}

#[async_trait]
impl TypedTool for SetScreen {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_screen",
            Effect::Set,
            "控制屏幕：开关、亮度、日间夜间模式、转动",
            "Control the screens: power, brightness, day or night look, turning",
        )
    }

    fn resolve(&self, mut args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let screen = *args.screen.get_or_insert(Screen::Center);
        let wish = Wish::of(args.brightness, args.change, args.level);
        if wish.is_none() && args.power.is_none() && args.mode.is_none() && args.r#move.is_none() {
            return Err(ToolError::ask(
                ErrorKind::InvalidInput,
                "brightness",
                cx.lang
                    .pick("屏幕亮度要调到多少？", "How bright would you like the screen?"),
            ));
        }
        if let Some(wish) = wish {
            let current = screen
                .names()
                .iter()
                .map(|name| self.0.number(&brightness_signal(name), cx.lang))
                .collect::<Result<Vec<_>, _>>()?;
            (args.brightness, args.each) = SCALE.targets(wish, &current, cx.lang)?.into_arguments();
        }
        args.change = None;
        args.level = None;
        let effect = if args.r#move.is_some() {
            Effect::Act
        } else {
            Effect::Set
        };
        Ok((args, effect))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let screen = args.screen.unwrap_or(Screen::Center);
        let mut commands = Vec::new();
        for (index, name) in screen.names().iter().enumerate() {
            let own = args.each.as_ref().and_then(|each| each.get(index)).copied();
            if let Some(brightness) = args.brightness.or(own) {
                commands.push(Command::set(brightness_signal(name), brightness));
            }
            if let Some(power) = args.power {
                commands.push(Command::set(format!("Vehicle.Incar.Screen.{name}.IsOn"), power.is_on()));
            }
            if let Some(mode) = args.mode {
                commands.extend(look(name, mode));
            }
            if let Some(way) = args.r#move {
                commands.push(self.turn(name, way, cx.lang)?);
            }
        }
        let mut answer = result("screen", screen);
        if let Some(power) = args.power {
            put(&mut answer, "power", power);
        }
        if let Some(brightness) = args.brightness {
            put(&mut answer, "brightness", number(brightness));
        }
        if let Some(mode) = args.mode {
            put(&mut answer, "mode", mode);
        }
        if let Some(way) = args.r#move {
            put(&mut answer, "move", way);
        }
        let spoken = spoken(&screen.subject(cx.lang), &args, cx.lang);
        apply(&self.0, &commands, answer, spoken, cx.lang).await
    }
}

/// The look of one screen.
fn look(screen: &str, mode: Mode) -> Vec<Command> {
    let name = match mode {
        Mode::Day => "DAY",
        Mode::Night => "NIGHT",
        Mode::Auto => "AUTO",
    };
    let mut commands = vec![Command::set(format!("Vehicle.Incar.Screen.{screen}.Mode"), name)];
    if screen == "Center" && mode != Mode::Auto {
        commands.push(Command::set(signals::HMI_DAY_NIGHT, name));
    }
    commands
}

impl SetScreen {
    fn turn(&self, screen: &str, way: Move, lang: Lang) -> Result<Command, ToolError> {
        let (axis, change) = match way {
            Move::Left => ("Pan", NUDGE.step),
            Move::Right => ("Pan", -NUDGE.step),
            Move::Up => ("Tilt", NUDGE.step),
            Move::Down => ("Tilt", -NUDGE.step),
        };
        let signal = format!("Vehicle.Incar.Screen.{screen}.{axis}");
        let to = NUDGE.target(Wish::By(change), self.0.number(&signal, lang)?, lang)?;
        Ok(Command::set(signal, to))
    }
}

fn spoken(subject: &Subject, args: &Args, lang: Lang) -> Spoken {
    let mut how = Vec::new();
    if let Some(brightness) = args.brightness {
        how.push(lang.pick(format!("亮度{brightness}%"), format!("{brightness}% brightness")));
    } else if args.each.is_some() {
        how.push(lang.pick("新的亮度".to_owned(), "the new brightness".to_owned()));
    }
    match args.mode {
        Some(Mode::Day) => how.push(lang.pick("日间模式", "day mode").to_owned()),
        Some(Mode::Night) => how.push(lang.pick("夜间模式", "night mode").to_owned()),
        Some(Mode::Auto) => how.push(lang.pick("自动模式", "automatic mode").to_owned()),
        None => {}
    }
    if !how.is_empty() {
        return Spoken::value(subject, &how.join(lang.pick("，", ", ")), lang);
    }
    match (args.power, args.r#move) {
        (Some(power), _) => Spoken::power(subject, power.is_on(), lang),
        (None, Some(_)) => {
            let (text, be) = (&subject.text, subject.be);
            Spoken {
                done: lang.pick(format!("{text}转了一点。"), format!("{text} {be} turned a bit.")),
                already: lang.pick(
                    format!("{text}已经到头了。"),
                    format!("{text} {be} at the end already."),
                ),
            }
        }
        (None, None) => Spoken::same(lang.pick("好的。", "Done.")),
    }
}
