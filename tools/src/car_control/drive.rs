//! Drive modes and driver assistance.

use super::car::Car;
use super::place::Subject;
use super::setting::{Spoken, apply, put, result};
use super::spec;
use super::wish::Power;
use crate::vehicle::Command;
use incar_core::{Effect, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `set_drive_mode`.
#[derive(Debug)]
pub(super) struct SetDriveMode(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ModeArgs {
    /// Which mode.
    mode: Mode,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Mode {
    Comfort,
    Sport,
    Eco,
    Snow,
    Mud,
    Race,
    Individual,
    Custom,
}

impl Mode {
    /// The signal's value, and how it is said.
    fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Comfort => ("COMFORT", "舒适模式", "comfort"),
            Self::Sport => ("SPORT", "运动模式", "sport"),
            Self::Eco => ("ECO", "节能模式", "eco"),
            Self::Snow => ("SNOW", "雪地模式", "snow"),
            Self::Mud => ("MUD", "泥地模式", "mud"),
            Self::Race => ("RACE", "赛道模式", "race"),
            Self::Individual => ("INDIVIDUAL", "个性化模式", "individual"),
            Self::Custom => ("CUSTOM", "自定义模式", "custom"),
        }
    }
}

#[async_trait]
impl TypedTool for SetDriveMode {
    type Args = ModeArgs;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_drive_mode",
            Effect::Set,
            "切换驾驶模式：舒适、运动、节能、雪地等",
            "Switch the drive mode: comfort, sport, eco, snow and more",
        )
    }

    async fn run(&self, args: ModeArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let (name, zh, en) = args.mode.names();
        let command = Command::set("Vehicle.Incar.DriveMode", name);
        let spoken = Spoken {
            done: cx
                .lang
                .pick(format!("已切换到{zh}。"), format!("The drive mode is {en} now.")),
            already: cx
                .lang
                .pick(format!("已经是{zh}了。"), format!("The drive mode is {en} already.")),
        };
        apply(&self.0, &[command], result("mode", args.mode), spoken, cx.lang).await
    }
}

/// `set_driver_assist`.
#[derive(Debug)]
pub(super) struct SetDriverAssist(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AssistArgs {
    /// Which function.
    feature: Aid,
    /// On or off.
    power: Power,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Aid {
    LaneAssist,
    AdaptiveCruise,
    BlindSpot,
    ForwardCollision,
    TrafficSign,
    ParkingAssist,
    RearCrossTraffic,
    AutoHold,
    ParkingBrake,
    Stability,
    Fatigue,
    SurroundView,
}

/// A function's signals and names.
struct Function {
    signals: &'static [&'static str],
    zh: &'static str,
    en: &'static str,
}

impl Aid {
    fn function(self) -> Function {
        let (signals, zh, en): (&[_], _, _) = match self {
            Self::LaneAssist => (
                &["Vehicle.ADAS.LaneDepartureDetection.IsEnabled"],
                "车道辅助",
                "lane assist",
            ),
            Self::AdaptiveCruise => (
                &[
                    "Vehicle.ADAS.CruiseControl.IsEnabled",
                    "Vehicle.ADAS.CruiseControl.IsAdaptive",
                ],
                "自适应巡航",
                "adaptive cruise control",
            ),
            Self::BlindSpot => (
                &["Vehicle.Incar.ADAS.BlindSpot.IsEnabled"],
                "盲区监测",
                "blind spot monitor",
            ),
            Self::ForwardCollision => (
                &["Vehicle.ADAS.ObstacleDetection.Front.Center.IsEnabled"],
                "前向碰撞预警",
                "forward collision warning",
            ),
            Self::TrafficSign => (
                &["Vehicle.Incar.ADAS.TrafficSign.IsEnabled"],
                "交通标志识别",
                "traffic sign recognition",
            ),
            Self::ParkingAssist => (
                &["Vehicle.Incar.ADAS.ParkingAssist.IsEnabled"],
                "泊车辅助",
                "parking assist",
            ),
            Self::RearCrossTraffic => (
                &["Vehicle.Incar.ADAS.RearCrossTraffic.IsEnabled"],
                "后方横向预警",
                "rear cross-traffic alert",
            ),
            Self::AutoHold => (&["Vehicle.Incar.Brake.IsAutoHoldEnabled"], "自动驻车", "auto hold"),
            Self::ParkingBrake => (&["Vehicle.Chassis.ParkingBrake.IsEngaged"], "电子手刹", "parking brake"),
            Self::Stability => (&["Vehicle.ADAS.ESC.IsEnabled"], "车身稳定系统", "stability control"),
            Self::Fatigue => (&["Vehicle.ADAS.DMS.IsEnabled"], "疲劳监测", "fatigue monitor"),
            Self::SurroundView => (
                &["Vehicle.Incar.ADAS.SurroundView.IsEnabled"],
                "全景影像",
                "surround view",
            ),
        };
        Function { signals, zh, en }
    }
}

#[async_trait]
impl TypedTool for SetDriverAssist {
    type Args = AssistArgs;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_driver_assist",
            Effect::Set,
            "打开或关闭驾驶辅助功能",
            "Switch a driver assistance function on or off",
        )
    }

    async fn run(&self, args: AssistArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let on = args.power.is_on();
        let function = args.feature.function();
        let commands: Vec<Command> = function
            .signals
            .iter()
            .map(|signal| Command::set(*signal, on))
            .collect();
        let mut answer = result("feature", args.feature);
        put(&mut answer, "power", args.power);
        let spoken = Spoken::power(&Subject::the(function.zh, function.en, cx.lang), on, cx.lang);
        apply(&self.0, &commands, answer, spoken, cx.lang).await
    }
}
