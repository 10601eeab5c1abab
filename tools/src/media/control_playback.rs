//! Doing something to what plays.

use std::sync::Arc;

use incar_core::{Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::service::{MediaError, MediaService, PlayOrder, PlayerCommand, PlayerState};
use super::{failed, now, spec, spoken};
use crate::library::{Library, Playback, PlayerError, Repeat};

/// How far forward or back where it is not said, in seconds.
const SKIP: f64 = 15.0;

/// `control_playback`.
#[derive(Debug)]
pub(super) struct ControlPlayback(pub(super) Arc<dyn MediaService>);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What to do with what plays.
    action: Action,
    /// Seconds: the position to go to with `seek`, how far with `forward` and `rewind`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0))]
    seconds: Option<f64>,
    /// With `seek`: which item of the queue to play, counted from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    index: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Pause,
    Resume,
    Stop,
    Next,
    Previous,
    Replay,
    RepeatOne,
    RepeatAll,
    Shuffle,
    InOrder,
    Seek,
    Forward,
    Rewind,
    Faster,
    Slower,
}

impl Action {
    fn effect(self) -> Effect {
        match self {
            Self::Pause
            | Self::Resume
            | Self::Stop
            | Self::RepeatOne
            | Self::RepeatAll
            | Self::Shuffle
            | Self::InOrder
            | Self::Seek => Effect::Set,
            Self::Next | Self::Previous | Self::Replay | Self::Forward | Self::Rewind | Self::Faster | Self::Slower => {
                Effect::Act
            }
        }
    }

    /// Whether an index may stand beside it: "next, the third one".
    fn takes_index(self) -> bool {
        matches!(
            self,
            Self::Resume | Self::Next | Self::Previous | Self::Replay | Self::Seek
        )
    }
}

#[async_trait]
impl TypedTool for ControlPlayback {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "control_playback",
            Effect::Act,
            "控制正在播放的音乐、电台或视频：暂停、继续、停止、上一首、下一首、重播、循环、随机、顺序、跳转、快进、快退、倍速",
            "Control what is playing (music, radio or video): pause, resume, stop, next, previous, replay, repeat, \
             shuffle, play in order, seek, skip forward or back, play faster or slower",
        )
    }

    fn resolve(&self, mut args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        if args.index.is_some() {
            if !args.action.takes_index() {
                return Err(ToolError::new(
                    ErrorKind::InvalidInput,
                    cx.lang.pick(
                        "这个操作不能指定第几个。",
                        "An item of the queue cannot be given for that.",
                    ),
                ));
            }
            args.action = Action::Seek;
        }
        match (args.action, args.seconds, args.index) {
            (Action::Seek, None, None) => {
                return Err(ToolError::ask(
                    ErrorKind::InvalidInput,
                    "seconds",
                    cx.lang.pick("跳到什么位置？", "Where should I jump to?"),
                ));
            }
            (Action::Forward | Action::Rewind, None, _) => args.seconds = Some(SKIP),
            _ => {}
        }
        let effect = args.action.effect();
        Ok((args, effect))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let before = self.0.state();
        let library = self.0.library();
        let mut after = before.clone();
        for command in commands(&args, &before) {
            after = match self.0.control(command).await {
                Ok(state) => state,
                Err(MediaError::Player(PlayerError::NothingPlaying)) if is_idle(args.action) => before.clone(),
                Err(error) => return Err(failed::media(&error, &before, cx.lang)),
            };
        }
        let mut result = now::describe(&library, &after);
        now::put(&mut result, "action", args.action);
        match args.action {
            Action::RepeatOne | Action::RepeatAll | Action::InOrder | Action::Shuffle => {
                now::put(&mut result, "repeat", after.repeat);
                now::put(&mut result, "order", after.order);
            }
            Action::Faster | Action::Slower => now::put(&mut result, "speed_percent", after.speed_percent),
            _ => {}
        }
        if args.action.effect() == Effect::Set && before == after {
            now::put(&mut result, "unchanged", true);
        }
        let say = say(&args, &before, &after, &library, cx.lang);
        Ok(ToolOutput::new(result)?.say(say))
    }
}

/// Where nothing plays, these have nothing to do: what is wanted is so already.
fn is_idle(action: Action) -> bool {
    matches!(action, Action::Pause | Action::Stop)
}

/// What to tell the player, in order.
fn commands(args: &Args, now: &PlayerState) -> Vec<PlayerCommand> {
    let ms = (args.seconds.unwrap_or_default() * 1000.0).round() as u64;
    match args.action {
        Action::Pause => vec![PlayerCommand::Pause],
        Action::Resume => vec![PlayerCommand::Resume],
        Action::Stop => vec![PlayerCommand::Stop],
        Action::Next => vec![PlayerCommand::Next],
        Action::Previous => vec![PlayerCommand::Previous],
        Action::Replay => vec![PlayerCommand::Replay],
        Action::RepeatOne => vec![PlayerCommand::Repeat(Repeat::One)],
        Action::RepeatAll => vec![PlayerCommand::Repeat(Repeat::All)],
        // One song over and over is no shuffling.
        Action::Shuffle if now.repeat == Repeat::One => vec![
            PlayerCommand::Repeat(Repeat::Off),
            PlayerCommand::Order(PlayOrder::Shuffled),
        ],
        Action::Shuffle => vec![PlayerCommand::Order(PlayOrder::Shuffled)],
        Action::InOrder => vec![
            PlayerCommand::Repeat(Repeat::Off),
            PlayerCommand::Order(PlayOrder::InOrder),
        ],
        Action::Seek => {
            let jump = args.index.map(|index| PlayerCommand::Jump(index.saturating_sub(1)));
            let seek = args.seconds.map(|_| PlayerCommand::Seek(ms));
            jump.into_iter().chain(seek).collect()
        }
        Action::Forward => vec![PlayerCommand::Forward(ms)],
        Action::Rewind => vec![PlayerCommand::Rewind(ms)],
        Action::Faster => vec![PlayerCommand::Faster],
        Action::Slower => vec![PlayerCommand::Slower],
    }
}

fn say(args: &Args, before: &PlayerState, after: &PlayerState, library: &Library, lang: Lang) -> String {
    let item = after
        .item
        .map(|item| spoken::item(library, item, lang))
        .unwrap_or_default();
    let position = spoken::time(after.position_ms, lang);
    match args.action {
        Action::Pause | Action::Stop if before.playback == Playback::Stopped => lang
            .pick("现在没有在播放。", "Nothing is playing right now.")
            .to_owned(),
        Action::Pause => lang.pick("已暂停。", "Paused.").to_owned(),
        Action::Stop => lang.pick("已停止播放。", "Stopped.").to_owned(),
        Action::Resume if before.playback == Playback::Playing => {
            lang.pick(format!("{item}正在播放。"), format!("{item} is playing."))
        }
        Action::Resume => lang.pick(format!("继续播放{item}。"), format!("Going on with {item}.")),
        Action::Seek if args.index.is_none() => lang.pick(format!("跳到{position}。"), format!("Now at {position}.")),
        Action::Next | Action::Previous | Action::Seek => {
            lang.pick(format!("正在播放{item}。"), format!("Playing {item}."))
        }
        Action::Replay => lang.pick(format!("从头播放{item}。"), format!("Playing {item} from the start.")),
        Action::RepeatOne => lang.pick("已打开单曲循环。", "Repeating this one.").to_owned(),
        Action::RepeatAll => lang.pick("已打开列表循环。", "Repeating the whole queue.").to_owned(),
        Action::Shuffle => lang.pick("已打开随机播放。", "Shuffling.").to_owned(),
        Action::InOrder => lang
            .pick("已改为顺序播放。", "Playing in order, without repeating.")
            .to_owned(),
        Action::Forward => lang.pick(format!("快进到{position}。"), format!("Skipped forward to {position}.")),
        Action::Rewind => lang.pick(format!("快退到{position}。"), format!("Skipped back to {position}.")),
        Action::Faster | Action::Slower => {
            let times = f64::from(after.speed_percent) / 100.0;
            lang.pick(format!("现在是{times}倍速。"), format!("Now at {times} times speed."))
        }
    }
}
