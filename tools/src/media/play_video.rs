//! Watching films, series and shows.

use std::sync::Arc;

use incar_core::{Effect, ErrorKind, Lang, Seat, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::service::{MediaService, Screen};
use super::{failed, names, now, spec, spoken};
use crate::library::{Library, MediaItem, NameKind, Source, Video, VideoId, VideoKind, VideoQuery};
use crate::names::Fit;

/// More titles than this are too many to choose from by ear.
const MOST_CHOICES: usize = 3;

/// `play_video`.
#[derive(Debug)]
pub(super) struct PlayVideo(pub(super) Arc<dyn MediaService>);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// A title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// A kind: film, series, cartoon, documentary, show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    /// A season, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    season: Option<u16>,
    /// An episode, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    episode: Option<u16>,
    /// Somebody who plays in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    actor: Option<String>,
    /// A genre.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    genre: Option<String>,
    /// Where it is to come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<Source>,
    /// The screen; the center for the driver, else the speaker's own, where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    screen: Option<Screen>,
}

impl Args {
    fn query(&self) -> VideoQuery {
        let said = |text: &Option<String>| text.clone().filter(|text| !text.trim().is_empty());
        VideoQuery {
            title: said(&self.title),
            kind: said(&self.kind),
            genre: said(&self.genre),
            actor: said(&self.actor),
            season: self.season,
            episode: self.episode,
        }
    }
}

#[async_trait]
impl TypedTool for PlayVideo {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "play_video",
            Effect::Act,
            "播放视频：按片名、类型、季、集、演员或题材，可以指定屏幕",
            "Play a film, series or show by title, kind, season, episode, actor or genre, on a screen",
        )
        .with_names("title", names::source(&self.0, NameKind::Video))
        .untrusted()
    }

    fn resolve(&self, mut args: Args, cx: ToolContext<'_>) -> Result<(Args, Effect), ToolError> {
        let query = args.query();
        let has_subject = [&query.title, &query.kind, &query.genre, &query.actor]
            .into_iter()
            .any(Option::is_some);
        if !has_subject {
            let question = cx.lang.pick("想看什么？", "What would you like to watch?");
            return Err(ToolError::ask(ErrorKind::InvalidInput, "title", question));
        }
        let screen = args.screen.or_else(|| own_screen(cx.speaker.seat)).ok_or_else(|| {
            let question = cx.lang.pick("在哪个屏幕上放？", "On which screen?");
            ToolError::ask(ErrorKind::InvalidInput, "screen", question)
        })?;
        args.screen = Some(screen);
        Ok((args, Effect::Act))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let library = self.0.library();
        if let Some(Source::Local | Source::Bluetooth | Source::Usb) = args.source {
            return Err(ToolError::new(
                ErrorKind::NotFound,
                cx.lang.pick(
                    "那里没有视频，只有在线视频。",
                    "There are no videos there, only online.",
                ),
            ));
        }
        let query = args.query();
        let found = library
            .find_videos(&query)
            .map_err(|error| failed::not_found(&error, &library, cx.lang))?;
        must_be_clear(&found.videos, found.fit, &query, &library, cx.lang)?;
        let queue = queue(&found.videos, &query, &library);
        let state = match self.0.play(queue, args.screen).await {
            Ok(state) => state,
            Err(error) => return Err(failed::media(&error, &self.0.state(), cx.lang)),
        };
        let what = state
            .item
            .map(|item| spoken::item(&library, item, cx.lang))
            .unwrap_or_default();
        let say = say(&what, args.screen, cx.lang);
        Ok(ToolOutput::new(now::describe(&library, &state))?.say(say))
    }
}

fn own_screen(seat: Seat) -> Option<Screen> {
    match seat {
        Seat::Outside => None,
        Seat::Passenger => Some(Screen::Passenger),
        Seat::RearLeft | Seat::RearRight | Seat::ThirdRow => Some(Screen::Rear),
        _ => Some(Screen::Center),
    }
}

/// Where a title only looks or sounds like several, the driver chooses.
fn must_be_clear(
    videos: &[VideoId],
    fit: Fit,
    query: &VideoQuery,
    library: &Library,
    lang: Lang,
) -> Result<(), ToolError> {
    let Some(said) = &query.title else { return Ok(()) };
    if !matches!(fit, Fit::Spelling | Fit::Sound) || videos.len() < 2 {
        return Ok(());
    }
    let choices: Vec<String> = videos
        .iter()
        .filter_map(|id| library.video(*id))
        .map(|video| spoken::video_title(video, lang).to_owned())
        .take(MOST_CHOICES)
        .collect();
    let listed = choices.join(lang.pick("、", ", "));
    let question = lang.pick(
        format!("没有找到“{said}”，是哪一个：{listed}？"),
        format!("I couldn't find {said}. Which one is it: {listed}?"),
    );
    Err(ToolError::choose("title", choices, question))
}

/// The first found, from the episode asked for to its last; of films, the others found after it.
fn queue(videos: &[VideoId], query: &VideoQuery, library: &Library) -> Vec<MediaItem> {
    let found: Vec<&Video> = videos.iter().filter_map(|id| library.video(*id)).collect();
    let Some(first) = found.first() else { return Vec::new() };
    if first.kind == VideoKind::Film {
        let films = found.iter().filter(|video| video.kind == VideoKind::Film);
        return films.map(|film| part(film.id, None, None)).collect();
    }
    let start = query.episode.unwrap_or(1);
    // How many episodes a single season has is not known.
    let last = match (query.season, first.episodes) {
        (None, Some(episodes)) => episodes.max(start),
        _ => start,
    };
    (start..=last)
        .map(|episode| part(first.id, query.season, Some(episode)))
        .collect()
}

fn part(id: VideoId, season: Option<u16>, episode: Option<u16>) -> MediaItem {
    MediaItem::Video { id, season, episode }
}

fn say(what: &str, screen: Option<Screen>, lang: Lang) -> String {
    match screen {
        None | Some(Screen::Center) => lang.pick(format!("正在播放{what}。"), format!("Playing {what}.")),
        Some(Screen::Passenger) => lang.pick(
            format!("正在副驾屏播放{what}。"),
            format!("Playing {what} on the passenger screen."),
        ),
        Some(Screen::Rear) => lang.pick(
            format!("正在后排屏播放{what}。"),
            format!("Playing {what} on the rear screen."),
        ),
    }
}
