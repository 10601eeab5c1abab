//! Playing music.

use std::sync::Arc;

use incar_core::{Effect, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};

use super::service::MediaService;
use super::{failed, names, now, spec, spoken};
use crate::library::{Library, Matched, MediaItem, MusicField, MusicMatches, MusicQuery, NameKind, Track, TrackId};
use crate::names::Fit;

/// More names than this are too many to choose from by ear.
const MOST_CHOICES: usize = 3;

/// `play_music`.
#[derive(Debug)]
pub(super) struct PlayMusic(pub(super) Arc<dyn MediaService>);

#[async_trait]
impl TypedTool for PlayMusic {
    type Args = MusicQuery;

    fn spec(&self) -> ToolSpec {
        let spec = spec(
            "play_music",
            Effect::Act,
            "播放音乐：按歌名、歌手、专辑、歌单、榜单，或按风格、心情、场景、语言、乐器、主题；可以同时给几项。随便听听用榜单“热歌榜”",
            "Play music by song, artist, album, playlist or chart, or by genre, mood, scene, language, instrument or \
             theme; several may be given at once. For anything at all, play the chart 热歌榜",
        );
        [
            ("song", NameKind::Song),
            ("artist", NameKind::Artist),
            ("album", NameKind::Album),
            ("playlist", NameKind::Playlist),
            ("chart", NameKind::Chart),
        ]
        .into_iter()
        .fold(spec, |spec, (argument, kind)| {
            spec.with_names(argument, names::source(&self.0, kind))
        })
        .untrusted()
    }

    fn resolve(&self, args: MusicQuery, cx: ToolContext<'_>) -> Result<(MusicQuery, Effect), ToolError> {
        let args = args.without_blanks();
        if args == MusicQuery::default() {
            return Err(failed::ask_what(cx.lang));
        }
        Ok((args, Effect::Act))
    }

    async fn run(&self, args: MusicQuery, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let library = self.0.library();
        let found = library
            .find(&args)
            .map_err(|error| failed::not_found(&error, &library, cx.lang))?;
        must_be_clear(&found, &library, cx.lang)?;
        let tracks = queue(&found, &args, &library);
        let count = tracks.len();
        let queue = tracks.into_iter().map(MediaItem::Song).collect();
        let state = match self.0.play(queue, None).await {
            Ok(state) => state,
            Err(error) => return Err(failed::media(&error, &self.0.state(), cx.lang)),
        };
        let mut result = now::describe(&library, &state);
        now::put(&mut result, "matched", &found.matched);
        let say = say(&found.matched, state.item, count, &library, cx.lang);
        Ok(ToolOutput::new(result)?.say(say))
    }
}

/// Where a name only looks or sounds like several, the driver chooses.
fn must_be_clear(found: &MusicMatches, library: &Library, lang: Lang) -> Result<(), ToolError> {
    for matched in &found.matched {
        let is_guess = matches!(matched.fit, Fit::Spelling | Fit::Sound);
        if !is_guess || matched.names.len() < 2 {
            continue;
        }
        let names = matched.names.iter().take(MOST_CHOICES);
        let choices: Vec<String> = names
            .map(|name| match matched.field {
                MusicField::Artist => spoken::artist(library, name, lang).to_owned(),
                _ => name.clone(),
            })
            .collect();
        let listed = choices.join(lang.pick("、", ", "));
        let question = lang.pick(
            format!("没有找到“{}”，是哪一个：{listed}？", matched.said),
            format!("I couldn't find {}. Which one is it: {listed}?", matched.said),
        );
        return Err(ToolError::choose(matched.field.to_string(), choices, question));
    }
    Ok(())
}

/// What was found, in its order. After a single song its artist's others follow, so that the music goes on.
fn queue(found: &MusicMatches, query: &MusicQuery, library: &Library) -> Vec<TrackId> {
    let is_song = found.matched.iter().any(|matched| matched.field == MusicField::Song);
    match found.tracks.first().and_then(|id| library.track(*id)) {
        Some(first) if is_song => {
            let fits = |track: &&Track| query.source.is_none_or(|source| track.is_on(source));
            let artist = library
                .artists()
                .iter()
                .find(|artist| artist.name == first.main_artist());
            let others = artist.into_iter().flat_map(|artist| &artist.tracks);
            let others = others
                .filter_map(|id| library.track(*id))
                .filter(fits)
                .map(|track| track.id);
            std::iter::once(first.id)
                .chain(others.filter(|id| *id != first.id))
                .collect()
        }
        _ => found.tracks.clone(),
    }
}

fn say(matched: &[Matched], first: Option<MediaItem>, count: usize, library: &Library, lang: Lang) -> String {
    let Some(first) = first else { return String::new() };
    let song = spoken::item(library, first, lang);
    if count == 1 || matched.iter().any(|matched| matched.field == MusicField::Song) {
        return lang.pick(format!("正在播放{song}。"), format!("Playing {song}."));
    }
    match matched {
        [only] if let Some(whole) = whole(only, library, lang) => {
            let song = title_alone(only, first, library, lang).unwrap_or(song);
            lang.pick(
                format!("正在播放{whole}，先是{song}。"),
                format!("Playing {whole}, starting with {song}."),
            )
        }
        _ => lang.pick(
            format!("找到{count}首，正在播放{song}。"),
            format!("Found {count} songs, playing {song}."),
        ),
    }
}

/// The title is enough where the artist alone was asked for.
fn title_alone(matched: &Matched, first: MediaItem, library: &Library, lang: Lang) -> Option<String> {
    let MediaItem::Song(id) = first else { return None };
    let track = library.track(id)?;
    let is_by_them = matched.field == MusicField::Artist && matched.names == track.artists;
    let title = spoken::title(track, lang);
    is_by_them.then(|| lang.pick(format!("《{title}》"), title.to_owned()))
}

/// What a match is a whole of: a list by its name, an artist's songs. None for what only has properties.
fn whole(matched: &Matched, library: &Library, lang: Lang) -> Option<String> {
    let name = matched.names.first()?;
    match matched.field {
        MusicField::Chart => Some(lang.pick(name.clone(), format!("the chart {name}"))),
        MusicField::Playlist => {
            let is_list = library.playlists().iter().any(|list| list.name == *name);
            is_list.then(|| lang.pick(format!("歌单“{name}”"), format!("the playlist {name}")))
        }
        MusicField::Album => Some(lang.pick(format!("专辑《{name}》"), format!("the album {name}"))),
        MusicField::Artist => {
            let artist = spoken::artist(library, name, lang);
            Some(lang.pick(format!("{artist}的歌"), format!("songs by {artist}")))
        }
        MusicField::Song
        | MusicField::Genre
        | MusicField::Mood
        | MusicField::Scene
        | MusicField::Language
        | MusicField::Instrument
        | MusicField::Theme => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_guess_among_several_is_asked_about() {
        let library = Library::shared();
        let found = |fit, names: &[&str]| MusicMatches {
            tracks: Vec::new(),
            matched: vec![Matched {
                field: MusicField::Artist,
                said: "周".into(),
                names: names.iter().map(|name| (*name).to_owned()).collect(),
                fit,
            }],
        };
        for fit in [Fit::Exact, Fit::Alias, Fit::Part] {
            assert_eq!(
                must_be_clear(&found(fit, &["周杰伦", "周深"]), &library, Lang::Zh),
                Ok(())
            );
        }
        for fit in [Fit::Spelling, Fit::Sound] {
            assert_eq!(must_be_clear(&found(fit, &["周杰伦"]), &library, Lang::Zh), Ok(()));
            let error = must_be_clear(&found(fit, &["周杰伦", "周深"]), &library, Lang::Zh).unwrap_err();
            assert_eq!(error.argument.as_deref(), Some("artist"));
            assert_eq!(error.choices, ["周杰伦", "周深"]);
            assert_eq!(error.message, "没有找到“周”，是哪一个：周杰伦、周深？");
        }
    }
}
