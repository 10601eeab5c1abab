//! The map on the screen and the voice of the guidance.

use super::finder::{Finder, failed};
use super::map_view::{GuidanceVoice, MapAction};
use super::spec;
use incar_core::{Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// `control_map`.
#[derive(Debug)]
pub(super) struct ControlMap(pub(super) Finder);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What to do.
    action: MapAction,
    /// What to report, in the driver's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    event: Option<String>,
}

#[async_trait]
impl TypedTool for ControlMap {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "control_map",
            Effect::Set,
            "缩放地图、看全程、切换二维三维和朝向、语音播报开关与详简、路况显示、上报路况事件",
            "Zoom the map, show the overview, switch 2D or 3D and what is up, guidance voice on, off, brief or detailed, traffic layer, report an event",
        )
    }

    fn resolve(&self, args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let effect = match args.action {
            MapAction::ReportEvent if args.event.as_deref().is_none_or(|event| event.trim().is_empty()) => {
                let question = cx.lang.pick("要上报什么情况？", "What should I report?");
                return Err(ToolError::ask(ErrorKind::InvalidInput, "event", question));
            }
            MapAction::ZoomIn | MapAction::ZoomOut | MapAction::ReportEvent => Effect::Act,
            _ => Effect::Set,
        };
        Ok((args, effect))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let (lang, map) = (cx.lang, self.0.map.as_ref());
        if let (MapAction::ReportEvent, Some(event)) = (args.action, &args.event) {
            let event = event.trim();
            let reported = map.report_event(event).await;
            reported.map_err(|error| failed(&error, lang))?;
            let say = lang.pick(format!("已上报{event}。"), format!("I reported {event}."));
            return Ok(ToolOutput::new(json!({"reported": event}))?.say(say));
        }
        let before = map.map_view();
        let view = before.after(args.action);
        let set = map.set_map_view(view).await;
        set.map_err(|error| failed(&error, lang))?;
        let unchanged = view == before;
        let mut result = json!({"action": args.action, "map": view});
        if let (true, Some(result)) = (unchanged, result.as_object_mut()) {
            result.insert("unchanged".into(), true.into());
        }
        let done = sentence(args.action, lang);
        let say = match (args.action, unchanged) {
            (MapAction::ZoomIn, true) => lang
                .pick("地图已经放到最大了。", "The map is at its largest already.")
                .into(),
            (MapAction::ZoomOut, true) => lang
                .pick("地图已经缩到最小了。", "The map is at its smallest already.")
                .into(),
            (MapAction::GuidanceOn, true) if view.guidance == GuidanceVoice::Brief => lang
                .pick(
                    "播报已经开着，是简洁模式。",
                    "The guidance voice is on already, in brief.",
                )
                .into(),
            (_, true) => lang.pick(format!("已经是这样了，{done}。"), format!("It is so already: {done}.")),
            (_, false) => lang.pick(format!("{done}。"), format!("{}.", capitalized(done))),
        };
        Ok(ToolOutput::new(result)?.say(say))
    }
}

/// How it is then, without a full stop.
fn sentence(action: MapAction, lang: Lang) -> &'static str {
    match action {
        MapAction::ZoomIn => lang.pick("地图已放大", "the map is larger"),
        MapAction::ZoomOut => lang.pick("地图已缩小", "the map is smaller"),
        MapAction::Overview => lang.pick("地图显示全览", "the map shows the overview"),
        MapAction::TwoD => lang.pick("地图为二维视图", "the map is in 2D"),
        MapAction::ThreeD => lang.pick("地图为三维视图", "the map is in 3D"),
        MapAction::NorthUp => lang.pick("地图正北朝上", "north is up on the map"),
        MapAction::HeadingUp => lang.pick("地图车头朝上", "the heading is up on the map"),
        MapAction::GuidanceOn => lang.pick("导航播报已打开", "the guidance voice is on"),
        MapAction::GuidanceOff => lang.pick("导航播报已关闭", "the guidance voice is off"),
        MapAction::GuidanceBrief => lang.pick("导航播报为简洁模式", "the guidance voice is brief"),
        MapAction::GuidanceDetailed => lang.pick("导航播报为详细模式", "the guidance voice is detailed"),
        MapAction::ShowTraffic => lang.pick("地图显示路况", "the map shows traffic"),
        MapAction::HideTraffic => lang.pick("地图不显示路况", "the map hides traffic"),
        MapAction::ReportEvent => lang.pick("已上报", "it is reported"),
    }
}

fn capitalized(text: &str) -> String {
    let mut chars = text.chars();
    chars
        .next()
        .map(|first| first.to_uppercase().chain(chars).collect())
        .unwrap_or_default()
}
