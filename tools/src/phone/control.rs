//! What to do with a call.

use super::callee::{self, Target};
use super::{CallDirection, CallOrder, Line, Microphone, PhoneService, Sound, spec};
use incar_core::{Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// `control_call`.
#[derive(Debug)]
pub(super) struct ControlCall(pub(super) Arc<dyn PhoneService>);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What to do with the call.
    action: Action,
    /// Resolved: the number that is called again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    number: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Answer,
    HangUp,
    Reject,
    Redial,
    Mute,
    Unmute,
    SpeakerOn,
    SpeakerOff,
}

impl Action {
    fn effect(self) -> Effect {
        match self {
            Self::Answer | Self::HangUp | Self::Reject | Self::Redial => Effect::Act,
            Self::Mute | Self::Unmute | Self::SpeakerOn | Self::SpeakerOff => Effect::Set,
        }
    }

    /// The order to the telephone; `None` where a number is dialled instead.
    fn order(self) -> Option<CallOrder> {
        Some(match self {
            Self::Answer => CallOrder::Answer,
            Self::HangUp => CallOrder::HangUp,
            Self::Reject => CallOrder::Reject,
            Self::Mute => CallOrder::Microphone(Microphone::Muted),
            Self::Unmute => CallOrder::Microphone(Microphone::Live),
            Self::SpeakerOn => CallOrder::Sound(Sound::Speaker),
            Self::SpeakerOff => CallOrder::Sound(Sound::Private),
            Self::Redial => return None,
        })
    }
}

impl ControlCall {
    /// The number dialled last; where none was, the last that called.
    fn last_number(&self, lang: Lang) -> Result<String, ToolError> {
        let calls = self.0.calls();
        let dialled = calls.iter().find(|call| call.direction == CallDirection::Outgoing);
        dialled
            .or_else(|| calls.first())
            .map(|call| call.number.clone())
            .ok_or_else(|| {
                ToolError::new(
                    ErrorKind::NotFound,
                    lang.pick("没有可以重拨的号码。", "There is no number to redial."),
                )
            })
    }

    /// The other side of the call there is.
    fn other_side(&self, line: &Line, lang: Lang) -> Option<Target> {
        let number = line.call.as_ref()?.number.clone();
        let name = callee::name_of(&self.0.book(), &number, lang);
        Some(Target { name, number })
    }
}

#[async_trait]
impl TypedTool for ControlCall {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "control_call",
            Effect::Act,
            "接听、挂断、拒接或重拨电话，静音或取消静音，打开或关闭免提",
            "Answer, hang up, reject or redial a call, mute or unmute it, switch the speaker on or off",
        )
    }

    fn resolve(&self, mut args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        args.number = match args.action {
            Action::Redial => Some(self.last_number(cx.lang)?),
            _ => None,
        };
        let effect = args.action.effect();
        Ok((args, effect))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let lang = cx.lang;
        let before = self.0.line();
        let spoken = |error: super::PhoneError| error.spoken(lang);
        let line = match args.action.order() {
            Some(order) => self.0.control(order).await.map_err(spoken)?,
            None => {
                let number = args.number.map_or_else(|| self.last_number(lang), Ok)?;
                let call = self.0.dial(&number).await.map_err(spoken)?;
                Line::new(Some(call), before.speaker)
            }
        };
        let unchanged = line == before;
        // Who was hung up on is told by the line as it was.
        let whom = self.other_side(&line, lang).or_else(|| self.other_side(&before, lang));
        let result = json!({
            "action": args.action,
            "state": line.call.as_ref().map_or("idle", |call| call.state.as_str()),
            "contact": whom.as_ref().and_then(|whom| whom.name.as_deref()),
            "muted": line.call.as_ref().is_some_and(|call| call.muted),
            "speaker": line.speaker,
            "unchanged": unchanged,
        });
        let spoken = whom.map(|whom| whom.spoken(lang)).unwrap_or_default();
        let say = say(args.action, unchanged, &spoken, lang);
        Ok(ToolOutput::new(result)?.say(say))
    }
}

fn say(action: Action, unchanged: bool, whom: &str, lang: Lang) -> String {
    let fixed = |zh: &str, en: &str| lang.pick(zh, en).to_owned();
    match (action, unchanged) {
        (Action::Answer, _) => lang.pick(
            format!("已接听{whom}的来电。"),
            format!("Answered the call from {whom}."),
        ),
        (Action::HangUp, _) => fixed("已挂断。", "The call is ended."),
        (Action::Reject, _) => lang.pick(
            format!("已拒接{whom}的来电。"),
            format!("Rejected the call from {whom}."),
        ),
        (Action::Redial, _) => lang.pick(format!("正在重拨{whom}。"), format!("Calling {whom} again.")),
        (Action::Mute, false) => fixed("麦克风已静音。", "Your microphone is muted."),
        (Action::Mute, true) => fixed("麦克风已经静音了。", "Your microphone is muted already."),
        (Action::Unmute, false) => fixed("已取消静音。", "Your microphone is on again."),
        (Action::Unmute, true) => fixed("麦克风没有静音。", "Your microphone is not muted."),
        (Action::SpeakerOn, false) => fixed("免提已打开。", "The speaker is on."),
        (Action::SpeakerOn, true) => fixed("免提已经是打开的。", "The speaker is on already."),
        (Action::SpeakerOff, false) => fixed("免提已关闭。", "The speaker is off."),
        (Action::SpeakerOff, true) => fixed("免提已经是关闭的。", "The speaker is off already."),
    }
}
