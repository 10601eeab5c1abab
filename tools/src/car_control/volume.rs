//! How loud media, guidance, calls and system sounds are.

use super::car::Car;
use super::motion::Motion;
use super::place::Subject;
use super::wish::{Extreme, Power, Scale, Wish, end_words};
use super::{signals, spec};
use crate::vehicle::{Command, SignalValue, number};
use incar_core::{Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Map;

/// `set_volume`.
#[derive(Debug)]
pub(super) struct SetVolume(pub(super) Car);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Of what; media where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    channel: Option<Channel>,
    /// Percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 100))]
    volume: Option<f64>,
    /// Percent louder, or quieter where negative; "a bit" is 10.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    change: Option<f64>,
    /// As loud or as quiet as it gets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    level: Option<Extreme>,
    /// Muted, or heard again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mute: Option<Power>,
    /// Resolved: the volume of each channel, where they stand apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    each: Option<Vec<f64>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Channel {
    Media,
    Navigation,
    Call,
    System,
    All,
}

const SCALE: Scale = Scale {
    argument: "volume",
    min: 0.0,
    max: 100.0,
    step: 10.0,
};

/// One channel's signals.
struct Sound {
    volume: &'static str,
    mute: &'static str,
}

impl Sound {
    /// VSS mutes guidance by a name, the rest is yes or no.
    fn muted(&self, muted: bool) -> SignalValue {
        match (self.mute == signals::NAVIGATION_MUTE, muted) {
            (true, true) => "MUTED".into(),
            (true, false) => "UNMUTED".into(),
            (false, muted) => muted.into(),
        }
    }
}

const MEDIA: Sound = Sound {
    volume: signals::MEDIA_VOLUME,
    mute: signals::MEDIA_MUTE,
};
const NAVIGATION: Sound = Sound {
    volume: signals::NAVIGATION_VOLUME,
    mute: signals::NAVIGATION_MUTE,
};
const CALL: Sound = Sound {
    volume: signals::CALL_VOLUME,
    mute: signals::CALL_MUTE,
};
const SYSTEM: Sound = Sound {
    volume: signals::SYSTEM_VOLUME,
    mute: signals::SYSTEM_MUTE,
};

impl Channel {
    fn sounds(self) -> &'static [Sound] {
        match self {
            Self::Media => &[MEDIA],
            Self::Navigation => &[NAVIGATION],
            Self::Call => &[CALL],
            Self::System => &[SYSTEM],
            Self::All => &[MEDIA, NAVIGATION, CALL, SYSTEM],
        }
    }

    fn subject(self, lang: Lang) -> Subject {
        match self {
            Self::Media => Subject::the("媒体音量", "media volume", lang),
            Self::Navigation => Subject::the("导航音量", "navigation volume", lang),
            Self::Call => Subject::the("通话音量", "call volume", lang),
            Self::System => Subject::the("系统音量", "system volume", lang),
            Self::All => Subject::the("全部音量", "volume of everything", lang),
        }
    }
}

#[async_trait]
impl TypedTool for SetVolume {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "set_volume",
            Effect::Set,
            "设置媒体、导航、通话或系统音量，或静音",
            "Set the volume of media, navigation, calls or system sounds, or mute them",
        )
    }

    fn resolve(&self, args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let channel = args.channel.unwrap_or(Channel::Media);
        let current = channel
            .sounds()
            .iter()
            .map(|sound| self.0.number(sound.volume, cx.lang))
            .collect::<Result<Vec<_>, _>>()?;
        let (volume, each) = match (Wish::of(args.volume, args.change, args.level), args.mute) {
            (Some(wish), _) => {
                let scale = SCALE.within(channel.sounds().iter().map(|sound| self.0.range(sound.volume)));
                scale.targets(wish, &current, cx.lang)?.into_arguments()
            }
            (None, Some(_)) => (None, None),
            (None, None) => {
                return Err(ToolError::ask(
                    ErrorKind::InvalidInput,
                    "volume",
                    cx.lang.pick("音量要调到多少？", "How loud would you like it?"),
                ));
            }
        };
        let sets = volume.is_some() || each.is_some();
        let resolved = Args {
            channel: Some(channel),
            volume: volume.map(f64::round),
            each: each.map(|each| each.into_iter().map(f64::round).collect()),
            // A volume that is set is meant to be heard.
            mute: args.mute.or(sets.then_some(Power::Off)),
            change: None,
            level: None,
        };
        Ok((resolved, Effect::Set))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let channel = args.channel.unwrap_or(Channel::Media);
        let mut commands = Vec::new();
        for (index, sound) in channel.sounds().iter().enumerate() {
            let own = args.each.as_ref().and_then(|each| each.get(index)).copied();
            if let Some(volume) = args.volume.or(own) {
                commands.push(Command::set(sound.volume, volume));
            }
            // Where the car cannot mute, a volume that is set is heard anyway.
            if let Some(mute) = args.mute
                && (mute.is_on() || self.0.has(sound.mute))
            {
                commands.push(Command::set(sound.mute, sound.muted(mute.is_on())));
            }
        }
        let reports = self.0.actuate(&commands, cx.lang).await?;
        let unchanged = Motion::of(&reports).unchanged();
        let mut result = Map::new();
        result.insert("channel".into(), serde_json::to_value(channel).unwrap_or_default());
        if let Some(volume) = args.volume {
            result.insert("volume".into(), number(volume));
        }
        if let Some(mute) = args.mute {
            result.insert("mute".into(), serde_json::to_value(mute).unwrap_or_default());
        }
        if unchanged {
            result.insert("unchanged".into(), true.into());
        }
        let say = say(channel, &args, unchanged, cx.lang);
        Ok(ToolOutput::new(result)?.say(say))
    }
}

fn say(channel: Channel, args: &Args, unchanged: bool, lang: Lang) -> String {
    let text = channel.subject(lang).text;
    let muted = args.mute == Some(Power::On);
    match (args.volume, args.each.is_some(), muted) {
        (_, _, true) => lang.pick(format!("{text}已静音。"), format!("{text} is muted.")),
        (Some(volume), _, false) => {
            let end = end_words(SCALE.end(volume), lang);
            if unchanged {
                lang.pick(
                    format!("{text}已经是{volume}了{end}。"),
                    format!("{text} is at {volume} already{end}."),
                )
            } else {
                lang.pick(
                    format!("{text}调到{volume}{end}。"),
                    format!("{text} is at {volume} now{end}."),
                )
            }
        }
        (None, true, false) => lang.pick(format!("{text}已调整。"), format!("{text} is adjusted.")),
        (None, false, false) if unchanged => lang.pick(format!("{text}没有静音。"), format!("{text} was not muted.")),
        (None, false, false) => lang.pick(format!("{text}已取消静音。"), format!("{text} is no longer muted.")),
    }
}
