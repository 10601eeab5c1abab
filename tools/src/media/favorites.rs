//! What is liked: playing it, adding to it, taking from it.

use std::sync::Arc;

use incar_core::{Effect, ErrorKind, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::service::{FavoritesEdit, MediaService};
use super::{failed, now, spec, spoken};
use crate::library::{Favorites, MediaItem};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Media {
    Music,
    Radio,
    Video,
}

impl Media {
    fn of(item: MediaItem) -> Self {
        match item {
            MediaItem::Song(_) => Self::Music,
            MediaItem::Station(_) | MediaItem::Tuning(_) => Self::Radio,
            MediaItem::Video { .. } => Self::Video,
        }
    }

    fn liked(self, favorites: &Favorites) -> Vec<MediaItem> {
        match self {
            Self::Music => favorites.songs().collect(),
            Self::Radio => favorites.radio().collect(),
            Self::Video => favorites.videos().collect(),
        }
    }

    fn name(self, lang: Lang) -> &'static str {
        match self {
            Self::Music => lang.pick("歌曲", "songs"),
            Self::Radio => lang.pick("电台", "stations"),
            Self::Video => lang.pick("视频", "videos"),
        }
    }
}

/// `play_favorites`.
#[derive(Debug)]
pub(super) struct PlayFavorites(pub(super) Arc<dyn MediaService>);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PlayArgs {
    /// Which favourites; music where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    media: Option<Media>,
}

#[async_trait]
impl TypedTool for PlayFavorites {
    type Args = PlayArgs;

    fn spec(&self) -> ToolSpec {
        spec(
            "play_favorites",
            Effect::Act,
            "播放收藏的歌曲、电台或视频",
            "Play the favourite songs, radio stations or videos",
        )
    }

    fn resolve(&self, args: PlayArgs, _: ToolContext<'_>) -> Result<(PlayArgs, Effect), ToolError> {
        let media = Some(args.media.unwrap_or(Media::Music));
        Ok((PlayArgs { media }, Effect::Act))
    }

    async fn run(&self, args: PlayArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let media = args.media.unwrap_or(Media::Music);
        let liked = media.liked(&self.0.favorites());
        let count = liked.len();
        let name = media.name(cx.lang);
        if liked.is_empty() {
            return Err(ToolError::new(
                ErrorKind::NotFound,
                cx.lang.pick(
                    format!("还没有收藏{name}。"),
                    format!("There are no favorite {name} yet."),
                ),
            ));
        }
        let library = self.0.library();
        let state = match self.0.play(liked, None).await {
            Ok(state) => state,
            Err(error) => return Err(failed::media(&error, &self.0.state(), cx.lang)),
        };
        let first = state
            .item
            .map(|item| spoken::item(&library, item, cx.lang))
            .unwrap_or_default();
        let say = cx.lang.pick(
            format!("正在播放收藏的{name}，共{count}个，先是{first}。"),
            format!("Playing your {count} favorite {name}, starting with {first}."),
        );
        let say = if count == 1 {
            cx.lang.pick(
                format!("正在播放收藏的{first}。"),
                format!("Playing your favorite, {first}."),
            )
        } else {
            say
        };
        Ok(ToolOutput::new(now::describe(&library, &state))?.say(say))
    }
}

/// `edit_favorites`.
#[derive(Debug)]
pub(super) struct EditFavorites(pub(super) Arc<dyn MediaService>);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct EditArgs {
    /// Add what is playing to the favourites, or remove it.
    action: Action,
    /// What kind of thing it is; whatever is playing where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    media: Option<Media>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Action {
    Add,
    Remove,
}

#[async_trait]
impl TypedTool for EditFavorites {
    type Args = EditArgs;

    fn spec(&self) -> ToolSpec {
        spec(
            "edit_favorites",
            Effect::Act,
            "收藏正在播放的歌曲、电台或视频，或取消收藏",
            "Add the song, station or video that is playing to the favourites, or remove it from them",
        )
    }

    async fn run(&self, args: EditArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let state = self.0.state();
        let library = self.0.library();
        let item = state.now_playing().ok_or_else(|| failed::nothing_playing(cx.lang))?;
        if let Some(media) = args.media.filter(|media| *media != Media::of(item)) {
            let name = media.name(cx.lang);
            return Err(ToolError::new(
                ErrorKind::NotFound,
                cx.lang.pick(
                    format!("现在播放的不是{name}。"),
                    format!("What is playing is none of the {name}."),
                ),
            ));
        }
        let edit = match args.action {
            Action::Add => FavoritesEdit::Add(item),
            Action::Remove => FavoritesEdit::Remove(item),
        };
        let changed = match self.0.edit_favorites(edit).await {
            Ok(changed) => changed,
            Err(error) => return Err(failed::media(&error, &state, cx.lang)),
        };
        let mut result = now::describe(&library, &state);
        now::put(&mut result, "action", args.action);
        if !changed {
            now::put(&mut result, "unchanged", true);
        }
        let what = spoken::item(&library, item, cx.lang);
        let say = match (args.action, changed) {
            (Action::Add, true) => cx
                .lang
                .pick(format!("已收藏{what}。"), format!("Added {what} to your favorites.")),
            (Action::Add, false) => cx.lang.pick(
                format!("{what}已经收藏过了。"),
                format!("{what} is among your favorites already."),
            ),
            (Action::Remove, true) => cx.lang.pick(
                format!("已取消收藏{what}。"),
                format!("Removed {what} from your favorites."),
            ),
            (Action::Remove, false) => cx.lang.pick(
                format!("{what}没有收藏过。"),
                format!("{what} was not among your favorites."),
            ),
        };
        Ok(ToolOutput::new(result)?.say(say))
    }
}
