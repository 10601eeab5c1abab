//! What is playing.

use std::sync::Arc;

use incar_core::{Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::service::MediaService;
use super::{now, spec, spoken};
use crate::library::{Library, MediaItem, Playback, Track};

/// `get_now_playing`.
#[derive(Debug)]
pub(super) struct GetNowPlaying(pub(super) Arc<dyn MediaService>);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// What to tell of it; all where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    item: Option<Detail>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Detail {
    Song,
    Artist,
    Album,
    Lyrics,
    All,
}

#[async_trait]
impl TypedTool for GetNowPlaying {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "get_now_playing",
            Effect::Read,
            "查询正在播放的内容：歌名、歌手、专辑、歌词",
            "Tell what is playing: the song, the artist, the album, the lyrics",
        )
        .untrusted()
    }

    fn resolve(&self, args: Args, _: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let item = Some(args.item.unwrap_or(Detail::All));
        Ok((Args { item }, Effect::Read))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let library = self.0.library();
        let state = self.0.state();
        let result = now::describe(&library, &state);
        let Some(item) = state.now_playing() else {
            let say = cx.lang.pick("现在没有在播放。", "Nothing is playing right now.");
            return Ok(ToolOutput::new(result)?.say(say));
        };
        let detail = args.item.unwrap_or(Detail::All);
        let track = match item {
            MediaItem::Song(id) => library.track(id),
            MediaItem::Station(_) | MediaItem::Tuning(_) | MediaItem::Video { .. } => None,
        };
        let say = match track {
            Some(track) => about(track, detail, &library, state.playback, cx.lang)?,
            None => whole(&spoken::item(&library, item, cx.lang), state.playback, cx.lang),
        };
        Ok(ToolOutput::new(result)?.say(say))
    }
}

fn about(
    track: &Track,
    detail: Detail,
    library: &Library,
    playback: Playback,
    lang: Lang,
) -> Result<String, ToolError> {
    let title = spoken::title(track, lang);
    let artists = spoken::artists(library, track, lang);
    let song = || spoken::item(library, MediaItem::Song(track.id), lang);
    Ok(match detail {
        Detail::Song => lang.pick(format!("这首歌是《{title}》。"), format!("This is {title}.")),
        Detail::Artist => lang.pick(format!("这首歌是{artists}的。"), format!("This is by {artists}.")),
        Detail::Album => match &track.album {
            Some(album) => lang.pick(
                format!("{}，出自专辑《{album}》。", song()),
                format!("{} is from the album {album}.", song()),
            ),
            None => lang.pick(
                format!("不知道《{title}》出自哪张专辑。"),
                format!("I don't know which album {title} is from."),
            ),
        },
        Detail::Lyrics => {
            return Err(ToolError::new(
                ErrorKind::NotFound,
                lang.pick(
                    format!("没有《{title}》的歌词。"),
                    format!("I don't have the lyrics of {title}."),
                ),
            ));
        }
        Detail::All => match &track.album {
            Some(album) => lang.pick(
                whole(&format!("{}，专辑《{album}》", song()), playback, lang),
                whole(&format!("{}, from {album}", song()), playback, lang),
            ),
            None => whole(&song(), playback, lang),
        },
    })
}

fn whole(what: &str, playback: Playback, lang: Lang) -> String {
    match playback {
        Playback::Paused => lang.pick(format!("暂停着的是{what}。"), format!("Paused: {what}.")),
        Playback::Playing | Playback::Stopped => lang.pick(format!("正在播放{what}。"), format!("Now playing {what}.")),
    }
}
