//! The air conditioning, on and off.

use super::car::{Car, Part, unsupported};
use super::motion::{Motion, place_name};
use super::place::{Noun, Position, Subject};
use super::wish::Power;
use super::{signals, spec};
use crate::vehicle::Command;
use incar_core::{Effect, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// `set_ac_power`.
#[derive(Debug)]
pub(super) struct SetAcPower(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// On or off.
    power: Power,
    /// Where; the whole car where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    zone: Option<Position>,
}

const NOUN: Noun = Noun {
    zh: "空调",
    en: "air conditioning",
    en_plural: "air conditioning",
};

#[async_trait]
impl TypedTool for SetAcPower {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_ac_power",
            Effect::Set,
            "打开或关闭空调",
            "Switch the air conditioning on or off",
        )
    }

    fn resolve(&self, mut args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let zone = *args.zone.get_or_insert(Position::All);
        self.zones(zone, cx.lang)?;
        Ok((args, Effect::Set))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let zone = args.zone.unwrap_or(Position::All);
        let on = args.power.is_on();
        let parts = self.zones(zone, cx.lang)?;
        let elsewhere = self
            .0
            .parts(signals::ZONE_POWER, Position::All)
            .iter()
            .filter(|part| parts.iter().all(|own| own.signal != part.signal))
            .any(|part| self.0.is(&part.signal) == Some(true));
        let mut commands: Vec<Command> = parts
            .iter()
            .map(|part| Command::set(part.signal.as_str(), on))
            .collect();
        commands.push(Command::set(signals::AC, on || elsewhere));
        let reports = self.0.actuate(&commands, cx.lang).await?;
        let already = Motion::of(&reports).unchanged();

        let mut result = json!({"power": args.power, "zone": place_name(zone)});
        if already && let Some(result) = result.as_object_mut() {
            result.insert("unchanged".into(), true.into());
        }
        let subject = match zone {
            Position::All => Subject::the(NOUN.zh, NOUN.en, cx.lang).text,
            _ => Subject::at(zone, NOUN, cx.lang).text,
        };
        let say = match (on, already) {
            (true, false) => cx.lang.pick(format!("{subject}已打开。"), format!("{subject} is on.")),
            (true, true) => cx
                .lang
                .pick(format!("{subject}已经开着了。"), format!("{subject} is on already.")),
            (false, false) => cx.lang.pick(format!("{subject}已关闭。"), format!("{subject} is off.")),
            (false, true) => cx
                .lang
                .pick(format!("{subject}已经是关着的。"), format!("{subject} is off already.")),
        };
        Ok(ToolOutput::new(result)?.say(say))
    }
}

impl SetAcPower {
    /// The switches of the zones; none for the whole of a car that has one switch for all.
    fn zones(&self, zone: Position, lang: Lang) -> Result<Vec<Part>, ToolError> {
        match self.0.parts(signals::ZONE_POWER, zone) {
            parts if !parts.is_empty() || (zone == Position::All && self.0.has(signals::AC)) => Ok(parts),
            _ => Err(unsupported(lang)),
        }
    }
}
