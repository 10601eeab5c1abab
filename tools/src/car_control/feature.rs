//! Any other function of the car by its name, and pages of the head unit.

use super::car::Car;
use super::place::Subject;
use super::setting::{Spoken, apply, put, result};
use super::spec;
use super::wish::Power;
use crate::features::{FeatureCatalogue, Lookup, PageCatalogue};
use crate::vehicle::Command;
use incar_core::{Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// `set_vehicle_feature`.
#[derive(Debug)]
pub(super) struct SetVehicleFeature {
    pub(super) car: Car,
    pub(super) features: Arc<FeatureCatalogue>,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FeatureArgs {
    /// The function's name, in the driver's words.
    feature: String,
    /// On or off.
    power: Power,
    /// Resolved: the function's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    id: Option<String>,
    /// Resolved: whether this takes away a protection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    takes_protection: Option<bool>,
}

#[async_trait]
impl TypedTool for SetVehicleFeature {
    type Args = FeatureArgs;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_vehicle_feature",
            Effect::Set,
            "打开或关闭车上的其他功能，如儿童锁、热点、蓝牙、无线充电、哨兵模式",
            "Switch any other function of the car: child lock, hotspot, Bluetooth, wireless charging, sentry mode",
        )
        .with_judged(&["id", "takes_protection"])
    }

    fn resolve(&self, mut args: FeatureArgs, cx: ToolContext<'_>) -> Result<(FeatureArgs, Effect), ToolError> {
        let found = self.features.lookup(&args.feature);
        let feature = only(found, "feature", &args.feature, cx.lang, |feature| {
            cx.lang
                .pick(feature.zh.first(), feature.en.first())
                .cloned()
                .unwrap_or_default()
        })?;
        args.id = Some(feature.id.clone());
        args.takes_protection = Some(feature.off_is_unsafe && !args.power.is_on());
        Ok((args, Effect::Set))
    }

    async fn run(&self, args: FeatureArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let feature = args.id.as_deref().and_then(|id| self.features.feature(id));
        let feature = feature.ok_or_else(|| unknown(&args.feature, cx.lang))?;
        let on = args.power.is_on();
        let signals = feature.signals.iter();
        let commands: Vec<Command> = signals.map(|signal| Command::set(signal.as_str(), on)).collect();
        let (zh, en) = (feature.zh.first(), feature.en.first());
        let mut answer = result("feature", cx.lang.pick(zh, en));
        put(&mut answer, "id", &feature.id);
        put(&mut answer, "power", args.power);
        let name = |name: Option<&String>| name.cloned().unwrap_or_default();
        let subject = Subject::the(&name(zh), &name(en), cx.lang);
        apply(
            &self.car,
            &commands,
            answer,
            Spoken::power(&subject, on, cx.lang),
            cx.lang,
        )
        .await
    }
}

/// `open_page`.
#[derive(Debug)]
pub(super) struct OpenPage {
    pub(super) car: Car,
    pub(super) pages: Arc<PageCatalogue>,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PageArgs {
    /// The page's or app's name, in the driver's words.
    page: String,
    /// Open where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    action: Option<PageAction>,
    /// Resolved: the page's id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    id: Option<String>,
    /// Resolved: whether the page asks for typing or longer reading.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    needs_typing: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum PageAction {
    Open,
    Close,
}

/// The page in front; VSS has none.
pub(super) const PAGE: &str = "Vehicle.Incar.HMI.Page";

#[async_trait]
impl TypedTool for OpenPage {
    type Args = PageArgs;

    fn spec(&self) -> ToolSpec {
        spec(
            "open_page",
            Effect::Act,
            "打开或关闭车机页面或应用",
            "Open or close a page or app of the head unit",
        )
        .with_judged(&["id", "needs_typing"])
    }

    fn resolve(&self, mut args: PageArgs, cx: ToolContext<'_>) -> Result<(PageArgs, Effect), ToolError> {
        let found = self.pages.lookup(&args.page);
        let page = only(found, "page", &args.page, cx.lang, |page| {
            cx.lang
                .pick(page.zh.first(), page.en.first())
                .cloned()
                .unwrap_or_default()
        })?;
        args.action.get_or_insert(PageAction::Open);
        args.id = Some(page.id.clone());
        args.needs_typing = Some(page.needs_typing_or_reading);
        Ok((args, Effect::Act))
    }

    async fn run(&self, args: PageArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let page = args.id.as_deref().and_then(|id| self.pages.page(id));
        let page = page.ok_or_else(|| unknown(&args.page, cx.lang))?;
        let open = args.action != Some(PageAction::Close);
        let in_front = self
            .car
            .known(PAGE)
            .is_some_and(|value| value.as_text() == Some(page.id.as_str()));
        let commands = match (open, in_front) {
            (true, _) => vec![Command::set(PAGE, page.id.as_str())],
            (false, true) => vec![Command::set(PAGE, "")],
            (false, false) => Vec::new(),
        };
        let name = cx
            .lang
            .pick(page.zh.first(), page.en.first())
            .cloned()
            .unwrap_or_default();
        let mut answer = result("page", &name);
        put(&mut answer, "id", &page.id);
        put(&mut answer, "action", args.action);
        let spoken = match (cx.lang, open) {
            (Lang::Zh, true) => Spoken {
                done: format!("已打开{name}。"),
                already: format!("{name}已经打开了。"),
            },
            (Lang::Zh, false) => Spoken {
                done: format!("已关闭{name}。"),
                already: format!("{name}没有打开。"),
            },
            (Lang::En, true) => Spoken {
                done: format!("Here is {name}."),
                already: format!("This is {name} already."),
            },
            (Lang::En, false) => Spoken {
                done: format!("Closed {name}."),
                already: format!("Not open: {name}."),
            },
        };
        apply(&self.car, &commands, answer, spoken, cx.lang).await
    }
}

/// The one entry that a name fits, or a question, or that nobody knows it.
fn only<'a, T>(
    found: Option<Lookup<'a, T>>,
    argument: &str,
    said: &str,
    lang: Lang,
    name: impl Fn(&T) -> String,
) -> Result<&'a T, ToolError> {
    let found = found.ok_or_else(|| unknown(said, lang))?;
    match found.entries.as_slice() {
        [] => Err(unknown(said, lang)),
        [only] => Ok(only),
        several => {
            let choices: Vec<String> = several.iter().take(3).map(|entry| name(entry)).collect();
            let question = lang.pick(
                format!("是{}？", choices.join("，还是")),
                format!("Do you mean {}?", choices.join(" or ")),
            );
            Err(ToolError::choose(argument, choices, question))
        }
    }
}

fn unknown(said: &str, lang: Lang) -> ToolError {
    ToolError::new(
        ErrorKind::Unsupported,
        lang.pick(format!("这台车没有“{said}”。"), format!("This car has no {said}.")),
    )
}
