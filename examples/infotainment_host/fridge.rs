//! A function that only this maker has: the tool, the words by which drivers name it, and the agent it belongs to.

use incar::prelude::*;
use incar::tools::vehicle::{Actuation, Command, SignalValue, Vehicle, VehicleError};
use incar::words::ToolWords;
use incar::{ErrorKind, ToolCategory};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

const ACTIVE: &str = "Vehicle.Oem.Fridge.IsActive";
const SET_POINT: &str = "Vehicle.Oem.Fridge.SetPoint";

/// Tools find their agent by category.
fn category() -> ToolCategory {
    ToolCategory::new("picnic")
}

#[derive(Debug)]
pub(crate) struct PicnicAgent(AgentProfile);

impl Default for PicnicAgent {
    fn default() -> Self {
        let about = Bilingual::new("野餐装备", "Picnic equipment");
        let profile = AgentProfile::new("picnic", about).can("车载冰箱", "the fridge in the boot");
        Self(profile.uses(category()))
    }
}

impl ToolAgentBase for PicnicAgent {
    fn profile(&self) -> &AgentProfile {
        &self.0
    }
}

/// Sets the fridge in the boot.
#[derive(Debug)]
pub(crate) struct SetFridge(pub(crate) Arc<dyn Vehicle>);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Args {
    /// On or off; on where a temperature is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    power: Option<Power>,
    /// Degrees Celsius; the last ones where it is left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = -6, max = 15))]
    temperature: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Power {
    On,
    Off,
}

/// With these the embedded brain understands the tool; a model in the cloud reads the schema instead.
fn words() -> ToolWords {
    ToolWords::new()
        .topic(["车载冰箱", "冰箱", "fridge", "cool box"])
        .value("power", "on", ["<open>"])
        .value("power", "off", ["<close>"])
        .number("temperature", ["度", "degrees"])
        .ask("temperature", "冰箱要几度？", "How cold should the fridge be?")
}

#[async_trait]
impl TypedTool for SetFridge {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        let about = Bilingual::new(
            "打开、关闭车载冰箱，设置温度",
            "Switches the fridge in the boot and sets its temperature",
        );
        ToolSpec::new("set_fridge", category(), Effect::Set, about).with_words(words())
    }

    /// Fills in what was left out, so that policies, journal and a confirmation see the whole deed.
    fn resolve(&self, args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let (power, temperature) = match (args.power, args.temperature) {
            (Some(Power::Off), _) => (Power::Off, None),
            (_, Some(temperature)) => (Power::On, Some(temperature)),
            (Some(Power::On), None) => (Power::On, self.set_point(cx.lang)?),
            (None, None) => {
                let question = cx.lang.pick("冰箱要几度？", "How cold should the fridge be?");
                return Err(ToolError::ask(ErrorKind::InvalidInput, "temperature", question));
            }
        };
        let resolved = Args {
            power: Some(power),
            temperature,
        };
        Ok((resolved, Effect::Set))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let mut commands = vec![Command::set(ACTIVE, args.power != Some(Power::Off))];
        commands.extend(args.temperature.map(|degrees| Command::set(SET_POINT, degrees)));
        let reports = self.0.actuate(&commands).await;
        let reports = reports.map_err(|error| refused(&error, cx.lang))?;
        let unchanged = reports.iter().all(Actuation::unchanged);
        let say = match (args.temperature, unchanged) {
            (None, false) => cx.lang.pick("冰箱关了。".into(), "The fridge is off.".into()),
            (None, true) => cx
                .lang
                .pick("冰箱本来就关着。".into(), "The fridge is off already.".into()),
            (Some(degrees), false) => cx.lang.pick(
                format!("冰箱开着，设为{degrees}度。"),
                format!("The fridge is on and set to {degrees} degrees."),
            ),
            (Some(degrees), true) => cx.lang.pick(
                format!("冰箱已经开着，是{degrees}度。"),
                format!("The fridge is on already, at {degrees} degrees."),
            ),
        };
        Ok(ToolOutput::new(&args)?.say(say))
    }
}

impl SetFridge {
    fn set_point(&self, lang: Lang) -> Result<Option<f64>, ToolError> {
        let target = self.0.target(SET_POINT).map_err(|error| refused(&error, lang))?;
        Ok(SignalValue::as_number(&target))
    }
}

/// A failure of the car as the driver hears it. Whether a part moved is not known where the car did not answer, and a
/// call in doubt is reported so rather than as a failure.
fn refused(error: &VehicleError, lang: Lang) -> ToolError {
    match error {
        VehicleError::NoAnswer(_) => {
            let message = lang.pick("冰箱没有回应。", "The fridge did not answer.");
            ToolError::new(ErrorKind::ToolFailed, message).in_doubt()
        }
        VehicleError::UnknownSignal(_) => {
            let message = lang.pick("这台车没有冰箱。", "This car has no fridge.");
            ToolError::new(ErrorKind::Unsupported, message)
        }
        _ => ToolError::new(
            ErrorKind::ToolFailed,
            lang.pick("冰箱没有设成。", "The fridge refused that."),
        ),
    }
}
