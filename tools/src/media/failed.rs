//! Failures as the driver hears them.

use incar_core::{ErrorKind, Lang, ToolError};

use super::service::{MediaError, PlayerState};
use super::spoken;
use crate::library::{Library, MusicField, NotFound, PlayerError};

/// Nothing that was looked for was found: a sentence that names it.
pub(super) fn not_found(error: &NotFound, library: &Library, lang: Lang) -> ToolError {
    let message = match error {
        NotFound::NothingAsked => return ask_what(lang),
        NotFound::Unknown { field, said } => unknown(*field, said, lang),
        NotFound::NotByArtist {
            song,
            artist,
            by_others,
        } => {
            let artist = spoken::artist(library, artist, lang);
            let other = by_others.first().and_then(|id| library.track(*id));
            match other.map(|track| spoken::artists(library, track, lang)) {
                Some(others) => lang.pick(
                    format!("没有找到{artist}的《{song}》，只有{others}的。"),
                    format!("I couldn't find {song} by {artist}, only by {others}."),
                ),
                None => lang.pick(
                    format!("没有找到{artist}的《{song}》。"),
                    format!("I couldn't find {song} by {artist}."),
                ),
            }
        }
        NotFound::NothingFitsAll => lang
            .pick(
                "没有找到同时符合这些要求的内容。",
                "I found nothing that fits all of that.",
            )
            .to_owned(),
        NotFound::UnknownStation { said } => lang.pick(
            format!("没有找到电台“{said}”。"),
            format!("I couldn't find a radio station called {said}."),
        ),
        NotFound::NoStationOn { frequency } => lang.pick(
            format!("{frequency}没有已知的电台。"),
            format!("I know no station on {frequency}."),
        ),
        NotFound::UnknownVideo { said } => lang.pick(
            format!("没有找到视频“{said}”。"),
            format!("I couldn't find a video for {said}."),
        ),
        NotFound::NoSuchEpisode { title, season, episode } => {
            let video = library.videos().iter().find(|video| video.title == *title);
            let title = video.map_or(title.as_str(), |video| spoken::video_title(video, lang));
            no_such_episode(title, *season, *episode, lang)
        }
    };
    ToolError::new(ErrorKind::NotFound, message)
}

/// Nothing was said of what to play.
pub(super) fn ask_what(lang: Lang) -> ToolError {
    let question = lang.pick("想听什么歌？", "What would you like to hear?");
    ToolError::ask(ErrorKind::InvalidInput, "song", question)
}

/// Nothing plays that one could do this to.
pub(super) fn nothing_playing(lang: Lang) -> ToolError {
    ToolError::new(
        ErrorKind::NotFound,
        lang.pick("现在没有在播放。", "Nothing is playing right now."),
    )
}

fn unknown(field: MusicField, said: &str, lang: Lang) -> String {
    match lang {
        Lang::Zh => match field {
            MusicField::Song => format!("没有找到歌曲《{said}》。"),
            MusicField::Artist => format!("没有找到歌手“{said}”。"),
            MusicField::Album => format!("没有找到专辑《{said}》。"),
            MusicField::Playlist => format!("没有找到歌单“{said}”。"),
            MusicField::Chart => format!("没有找到榜单“{said}”。"),
            MusicField::Genre
            | MusicField::Mood
            | MusicField::Scene
            | MusicField::Language
            | MusicField::Instrument
            | MusicField::Theme => format!("没有找到“{said}”这类音乐。"),
        },
        Lang::En => match field {
            MusicField::Song => format!("I couldn't find a song called {said}."),
            MusicField::Artist => format!("I couldn't find an artist called {said}."),
            MusicField::Album => format!("I couldn't find an album called {said}."),
            MusicField::Playlist => format!("I couldn't find a playlist called {said}."),
            MusicField::Chart => format!("I couldn't find a chart called {said}."),
            MusicField::Genre
            | MusicField::Mood
            | MusicField::Scene
            | MusicField::Language
            | MusicField::Instrument
            | MusicField::Theme => format!("I couldn't find any music for {said}."),
        },
    }
}

fn no_such_episode(title: &str, season: Option<u16>, episode: Option<u16>, lang: Lang) -> String {
    let zh = [
        season.map(|season| format!("第{season}季")),
        episode.map(|episode| format!("第{episode}集")),
    ];
    let en = [
        season.map(|season| format!("season {season}")),
        episode.map(|episode| format!("episode {episode}")),
    ];
    let zh: String = zh.into_iter().flatten().collect();
    let en: Vec<String> = en.into_iter().flatten().collect();
    lang.pick(
        format!("《{title}》没有{zh}。"),
        format!("{title} has no {}.", en.join(", ")),
    )
}

/// The player did not do as told. `state` is what it did then.
pub(super) fn media(error: &MediaError, state: &PlayerState, lang: Lang) -> ToolError {
    match error {
        MediaError::Player(error) => player(*error, state, lang),
        MediaError::Unplayable => ToolError::new(
            ErrorKind::NotFound,
            lang.pick("这个内容现在播放不了。", "That cannot be played right now."),
        ),
        MediaError::NoAnswer(_) => ToolError::new(
            ErrorKind::ToolFailed,
            lang.pick(
                "播放器没有响应，请稍后再试。",
                "The player did not answer. Please try again later.",
            ),
        )
        .in_doubt(),
    }
}

fn player(error: PlayerError, state: &PlayerState, lang: Lang) -> ToolError {
    match error {
        PlayerError::EmptyQueue | PlayerError::NothingPlaying => nothing_playing(lang),
        PlayerError::EndOfQueue => ToolError::new(
            ErrorKind::NotFound,
            lang.pick("后面没有了，这是最后一个。", "This is the last one in the queue."),
        ),
        PlayerError::StartOfQueue => ToolError::new(
            ErrorKind::NotFound,
            lang.pick("前面没有了，这是第一个。", "This is the first one in the queue."),
        ),
        PlayerError::NoSuchItem { len, .. } => ToolError::ask(
            ErrorKind::OutOfRange,
            "index",
            lang.pick(
                format!("播放列表里只有{len}个，要第几个？"),
                format!("There are only {len} in the queue. Which one?"),
            ),
        ),
        PlayerError::NotSeekable => ToolError::new(
            ErrorKind::Unsupported,
            lang.pick("直播节目不能跳转或变速。", "A live programme cannot be moved about in."),
        ),
        PlayerError::BeyondEnd { duration_ms } => {
            let whole = spoken::time(duration_ms, lang);
            let position = spoken::time(state.position_ms, lang);
            ToolError::ask(
                ErrorKind::OutOfRange,
                "seconds",
                lang.pick(
                    format!("一共{whole}，现在在{position}，要多少？"),
                    format!("It lasts {whole} and is at {position}. How far?"),
                ),
            )
        }
        PlayerError::SpeedLimit { percent } => {
            let times = f64::from(percent) / 100.0;
            ToolError::new(
                ErrorKind::OutOfRange,
                lang.pick(
                    format!("已经是{times}倍速，不能再调了。"),
                    format!("It is at {times} times speed already, that is the limit."),
                ),
            )
        }
    }
}
