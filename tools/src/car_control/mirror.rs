//! Mirrors and wipers.

use super::car::{Car, Part};
use super::place::{Position, Subject};
use super::setting::{Spoken, apply, put, result};
use super::wish::{Scale, Wish};
use super::{signals, spec};
use crate::vehicle::Command;
use incar_core::{Effect, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `set_mirror`.
#[derive(Debug)]
pub(super) struct SetMirror(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MirrorArgs {
    /// Which mirror; both where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mirror: Option<Mirror>,
    /// What to do with it.
    action: MirrorAction,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mirror {
    Left,
    Right,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum MirrorAction {
    Fold,
    Unfold,
    HeatOn,
    HeatOff,
    Up,
    Down,
    Left,
    Right,
}

/// One nudge of a mirror or screen, in percent of its way.
pub(super) const NUDGE: Scale = Scale {
    argument: "move",
    min: -100.0,
    max: 100.0,
    step: 10.0,
};

impl MirrorAction {
    /// Which way it nudges: the signal and the change. VSS: 100 is fully left, fully up.
    fn nudge(self) -> Option<(signals::Placed, f64)> {
        match self {
            Self::Up => Some((signals::MIRROR_TILT, NUDGE.step)),
            Self::Down => Some((signals::MIRROR_TILT, -NUDGE.step)),
            Self::Left => Some((signals::MIRROR_PAN, NUDGE.step)),
            Self::Right => Some((signals::MIRROR_PAN, -NUDGE.step)),
            Self::Fold | Self::Unfold | Self::HeatOn | Self::HeatOff => None,
        }
    }
}

#[async_trait]
impl TypedTool for SetMirror {
    type Args = MirrorArgs;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_mirror",
            Effect::Set,
            "折叠、展开、加热或调节外后视镜",
            "Fold, unfold, heat or tilt the outside mirrors",
        )
    }

    fn resolve(&self, mut args: MirrorArgs, _: ToolContext<'_>) -> Result<(MirrorArgs, Effect), ToolError> {
        args.mirror.get_or_insert(Mirror::All);
        // "Up" has no target that doing it twice would leave as it is.
        let effect = if args.action.nudge().is_some() {
            Effect::Act
        } else {
            Effect::Set
        };
        Ok((args, effect))
    }

    async fn run(&self, args: MirrorArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let mirror = args.mirror.unwrap_or(Mirror::All);
        let commands = match (args.action, args.action.nudge()) {
            (_, Some((placed, change))) => self.nudge(placed, change, mirror, cx)?,
            (MirrorAction::Fold | MirrorAction::Unfold, None) => {
                self.switch(signals::MIRROR_FOLDED, args.action == MirrorAction::Fold, mirror, cx)?
            }
            (_, None) => self.switch(signals::MIRROR_HEATING, args.action == MirrorAction::HeatOn, mirror, cx)?,
        };
        let (zh, en) = match mirror {
            Mirror::Left => ("左后视镜", "left mirror"),
            Mirror::Right => ("右后视镜", "right mirror"),
            Mirror::All => ("后视镜", "mirrors"),
        };
        let mut subject = Subject::the(zh, en, cx.lang);
        if mirror == Mirror::All {
            subject.be = "are";
        }
        let mut answer = result("mirror", mirror);
        put(&mut answer, "action", args.action);
        let spoken = spoken(&subject, args.action, cx);
        apply(&self.0, &commands, answer, spoken, cx.lang).await
    }
}

fn spoken(subject: &Subject, action: MirrorAction, cx: ToolContext<'_>) -> Spoken {
    let (text, be) = (&subject.text, subject.be);
    let (zh, en) = match action {
        MirrorAction::Fold => ("折叠", "folded"),
        MirrorAction::Unfold => ("展开", "unfolded"),
        MirrorAction::HeatOn => ("开启加热", "heated"),
        MirrorAction::HeatOff => ("关闭加热", "no longer heated"),
        MirrorAction::Up => ("往上调了一点", "a bit higher"),
        MirrorAction::Down => ("往下调了一点", "a bit lower"),
        MirrorAction::Left => ("往左调了一点", "a bit further left"),
        MirrorAction::Right => ("往右调了一点", "a bit further right"),
    };
    let already = match action.nudge() {
        Some(_) => cx.lang.pick(
            format!("{text}已经到头了。"),
            format!("{text} {be} at the end already."),
        ),
        None => cx
            .lang
            .pick(format!("{text}已经{zh}了。"), format!("{text} {be} {en} already.")),
    };
    Spoken {
        done: cx.lang.pick(format!("{text}已{zh}。"), format!("{text} {be} {en}.")),
        already,
    }
}

impl SetMirror {
    fn parts(&self, placed: signals::Placed, mirror: Mirror, cx: ToolContext<'_>) -> Result<Vec<Part>, ToolError> {
        // Mirrors stand in front: each side has one.
        let side = match mirror {
            Mirror::Left => Position::Left,
            Mirror::Right => Position::Right,
            Mirror::All => Position::Front,
        };
        let parts = self.0.parts_at(placed, side, cx.lang)?;
        let mut front = self.0.parts_at(placed, Position::Front, cx.lang)?;
        front.retain(|own| parts.iter().any(|part| part.signal == own.signal));
        Ok(front)
    }

    fn switch(
        &self,
        placed: signals::Placed,
        on: bool,
        mirror: Mirror,
        cx: ToolContext<'_>,
    ) -> Result<Vec<Command>, ToolError> {
        let parts = self.parts(placed, mirror, cx)?.into_iter();
        Ok(parts.map(|part| Command::set(part.signal, on)).collect())
    }

    fn nudge(
        &self,
        placed: signals::Placed,
        change: f64,
        mirror: Mirror,
        cx: ToolContext<'_>,
    ) -> Result<Vec<Command>, ToolError> {
        self.parts(placed, mirror, cx)?
            .into_iter()
            .map(|part| {
                let now = self.0.number(&part.signal, cx.lang)?;
                let to = NUDGE.target(Wish::By(change), now, cx.lang)?;
                Ok(Command::set(part.signal, to))
            })
            .collect()
    }
}

/// `set_wiper`.
#[derive(Debug)]
pub(super) struct SetWiper(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WiperArgs {
    /// How it wipes.
    mode: WiperMode,
    /// Which wiper; the front one where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wiper: Option<Wiper>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum WiperMode {
    Off,
    Auto,
    Low,
    High,
    Once,
    Wash,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Wiper {
    Front,
    Rear,
}

#[async_trait]
impl TypedTool for SetWiper {
    type Args = WiperArgs;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_wiper",
            Effect::Set,
            "控制雨刮：关闭、自动、低速、高速、刮一次、喷水清洗",
            "Control the wipers: off, automatic, slow, fast, one wipe, wash",
        )
    }

    fn resolve(&self, mut args: WiperArgs, _: ToolContext<'_>) -> Result<(WiperArgs, Effect), ToolError> {
        args.wiper.get_or_insert(Wiper::Front);
        let effect = if matches!(args.mode, WiperMode::Once | WiperMode::Wash) {
            Effect::Act
        } else {
            Effect::Set
        };
        Ok((args, effect))
    }

    async fn run(&self, args: WiperArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let wiper = args.wiper.unwrap_or(Wiper::Front);
        let (place, zh, en) = match wiper {
            Wiper::Front => ("Front", "雨刮", "wiper"),
            Wiper::Rear => ("Rear", "后雨刮", "rear wiper"),
        };
        let subject = Subject::the(zh, en, cx.lang);
        let mode = |mode: &str| Command::set(format!("Vehicle.Body.Windshield.{place}.Wiping.Mode"), mode);
        let count = |what: &str| {
            let signal = format!("Vehicle.Incar.Windshield.{place}.{what}");
            // The count comes round to 0 at the end of its type.
            let next = (self.0.number(&signal, cx.lang)? + 1.0).rem_euclid(65_536.0);
            Ok::<_, ToolError>(Command::set(signal, next))
        };
        let (command, spoken) = match args.mode {
            WiperMode::Off => (mode("OFF"), Spoken::power(&subject, false, cx.lang)),
            WiperMode::Auto => (
                mode("RAIN_SENSOR"),
                Spoken::value(&subject, cx.lang.pick("自动", "automatic"), cx.lang),
            ),
            WiperMode::Low => (
                mode("SLOW"),
                Spoken::value(&subject, cx.lang.pick("低速", "slow"), cx.lang),
            ),
            WiperMode::High => (
                mode("FAST"),
                Spoken::value(&subject, cx.lang.pick("高速", "fast"), cx.lang),
            ),
            WiperMode::Once => (
                count("SingleWipes")?,
                Spoken::same(cx.lang.pick("刮一次雨刮。", "Wiping once.")),
            ),
            WiperMode::Wash => (
                count("Washes")?,
                Spoken::same(cx.lang.pick("正在喷水清洗。", "Washing the windscreen.")),
            ),
        };
        let mut answer = result("wiper", wiper);
        put(&mut answer, "mode", args.mode);
        apply(&self.0, &[command], answer, spoken, cx.lang).await
    }
}
