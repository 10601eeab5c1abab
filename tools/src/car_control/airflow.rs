//! Where the air comes from, and where it goes.

use super::car::Car;
use super::motion::place_name;
use super::place::{Noun, Position, Subject};
use super::setting::{Spoken, apply, put, result};
use super::wish::Power;
use super::{signals, spec};
use crate::vehicle::Command;
use incar_core::{Effect, ErrorKind, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `set_air_circulation`.
#[derive(Debug)]
pub(super) struct SetAirCirculation(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CirculationArgs {
    /// The air inside, fresh air, or whichever the car finds better.
    mode: Circulation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Circulation {
    Inside,
    Outside,
    Auto,
}

#[async_trait]
impl TypedTool for SetAirCirculation {
    type Args = CirculationArgs;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_air_circulation",
            Effect::Set,
            "切换内循环、外循环或自动循环",
            "Recirculate the air inside, take it from outside, or choose automatically",
        )
    }

    async fn run(&self, args: CirculationArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let automatic = Command::set(signals::CIRCULATION_AUTO, args.mode == Circulation::Auto);
        let commands = match args.mode {
            Circulation::Auto => vec![automatic],
            Circulation::Inside => vec![automatic, Command::set(signals::RECIRCULATION, true)],
            Circulation::Outside => vec![automatic, Command::set(signals::RECIRCULATION, false)],
        };
        let mode = match args.mode {
            Circulation::Inside => cx.lang.pick("内循环", "recirculation"),
            Circulation::Outside => cx.lang.pick("外循环", "fresh air"),
            Circulation::Auto => cx.lang.pick("自动循环", "automatic"),
        };
        let subject = Subject::the("空气循环", "air circulation", cx.lang);
        let spoken = Spoken::value(&subject, mode, cx.lang);
        apply(&self.0, &commands, result("mode", args.mode), spoken, cx.lang).await
    }
}

/// `set_airflow`.
#[derive(Debug)]
pub(super) struct SetAirflow(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AirflowArgs {
    /// Where the air blows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    direction: Option<Direction>,
    /// Whether it sweeps to and fro.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    swing: Option<Power>,
    /// Where; the whole car where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    zone: Option<Position>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Direction {
    Face,
    Feet,
    Windshield,
    FaceFeet,
    FeetWindshield,
    Away,
    Toward,
}

impl Direction {
    /// The signal, its value, and how it is said.
    fn setting(self) -> (signals::Placed, &'static str, &'static str, &'static str) {
        match self {
            Self::Face => (signals::ZONE_AIRFLOW, "FACE", "吹面", "the face"),
            Self::Feet => (signals::ZONE_AIRFLOW, "FEET", "吹脚", "the feet"),
            Self::Windshield => (signals::ZONE_AIRFLOW, "WINDSHIELD", "吹挡风玻璃", "the windscreen"),
            Self::FaceFeet => (signals::ZONE_AIRFLOW, "FACE_FEET", "吹面吹脚", "face and feet"),
            Self::FeetWindshield => (
                signals::ZONE_AIRFLOW,
                "FEET_WINDSHIELD",
                "吹脚除霜",
                "feet and windscreen",
            ),
            Self::Away => (signals::ZONE_AIM, "AWAY", "避人", "blow away from people"),
            Self::Toward => (signals::ZONE_AIM, "TOWARD", "对人", "blow toward people"),
        }
    }
}

const NOUN: Noun = Noun {
    zh: "风向",
    en: "airflow",
    en_plural: "airflow",
};

#[async_trait]
impl TypedTool for SetAirflow {
    type Args = AirflowArgs;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_airflow",
            Effect::Set,
            "设置出风方向或扫风",
            "Set where the air blows, or let it sweep",
        )
    }

    fn resolve(&self, mut args: AirflowArgs, cx: ToolContext<'_>) -> Result<(AirflowArgs, Effect), ToolError> {
        let zone = *args.zone.get_or_insert(Position::All);
        self.0.parts_at(signals::ZONE_AIRFLOW, zone, cx.lang)?;
        if args.direction.is_none() && args.swing.is_none() {
            return Err(ToolError::ask(
                ErrorKind::InvalidInput,
                "direction",
                cx.lang.pick(
                    "风往哪儿吹？吹面、吹脚还是吹挡风玻璃？",
                    "Where should it blow: face, feet or windscreen?",
                ),
            ));
        }
        Ok((args, Effect::Set))
    }

    async fn run(&self, args: AirflowArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let zone = args.zone.unwrap_or(Position::All);
        let mut commands = Vec::new();
        let mut how = Vec::new();
        let mut answer = result("zone", place_name(zone));
        if let Some(direction) = args.direction {
            let (placed, value, zh, en) = direction.setting();
            let parts = self.0.parts_at(placed, zone, cx.lang)?;
            commands.extend(parts.into_iter().map(|part| Command::set(part.signal, value)));
            put(&mut answer, "direction", direction);
            how.push(cx.lang.pick(zh, en));
        }
        if let Some(swing) = args.swing {
            let parts = self.0.parts_at(signals::ZONE_SWING, zone, cx.lang)?;
            commands.extend(parts.into_iter().map(|part| Command::set(part.signal, swing.is_on())));
            put(&mut answer, "swing", swing);
            how.push(match swing {
                Power::On => cx.lang.pick("扫风", "sweep"),
                Power::Off => cx.lang.pick("不扫风", "stay still"),
            });
        }
        let subject = match zone {
            Position::All => Subject::the(NOUN.zh, NOUN.en, cx.lang),
            _ => Subject::at(zone, NOUN, cx.lang),
        };
        let spoken = Spoken::value(&subject, &how.join(cx.lang.pick("、", ", ")), cx.lang);
        apply(&self.0, &commands, answer, spoken, cx.lang).await
    }
}
