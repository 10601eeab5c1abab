//! Finding music.

use std::collections::HashSet;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tags::Wanted;
use super::{Collection, Library, NotFound, Source, Track, TrackId};
use crate::names::{Fit, NameIndex, Partial};

/// What music is wanted, in the driver's words without the carrier words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MusicQuery {
    /// A title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub song: Option<String>,
    /// A singer, band or composer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub artist: Option<String>,
    /// An album.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub album: Option<String>,
    /// A genre.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub genre: Option<String>,
    /// A mood.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mood: Option<String>,
    /// What it is to be listened to at: driving, sleeping, a party.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scene: Option<String>,
    /// The language sung in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// A playlist.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playlist: Option<String>,
    /// A chart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chart: Option<String>,
    /// A leading instrument.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instrument: Option<String>,
    /// What it is about or was made for: an era, a feast, a film.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<String>,
    /// Where it is to come from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
}

impl MusicQuery {
    /// The same query, what is blank taken for not said.
    #[must_use]
    pub fn without_blanks(mut self) -> Self {
        for said in [
            &mut self.song,
            &mut self.artist,
            &mut self.album,
            &mut self.genre,
            &mut self.mood,
            &mut self.scene,
            &mut self.language,
            &mut self.playlist,
            &mut self.chart,
            &mut self.instrument,
            &mut self.theme,
        ] {
            *said = said.take().filter(|said| !said.trim().is_empty());
        }
        self
    }
}

/// An argument of a [`MusicQuery`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MusicField {
    /// A title.
    Song,
    /// A singer, band or composer.
    Artist,
    /// An album.
    Album,
    /// A genre.
    Genre,
    /// A mood.
    Mood,
    /// A scene.
    Scene,
    /// A language.
    Language,
    /// A playlist.
    Playlist,
    /// A chart.
    Chart,
    /// An instrument.
    Instrument,
    /// A theme.
    Theme,
}

impl fmt::Display for MusicField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Song => "song",
            Self::Artist => "artist",
            Self::Album => "album",
            Self::Genre => "genre",
            Self::Mood => "mood",
            Self::Scene => "scene",
            Self::Language => "language",
            Self::Playlist => "playlist",
            Self::Chart => "chart",
            Self::Instrument => "instrument",
            Self::Theme => "theme",
        })
    }
}

/// What an argument was matched to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Matched {
    /// What it turned out to be; not always the argument it stood in.
    pub field: MusicField,
    /// What was said.
    pub said: String,
    /// The names in the library, or the ids of the tags; never empty.
    pub names: Vec<String>,
    /// How well it fitted.
    pub fit: Fit,
}

/// Music that was found: at least one track.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct MusicMatches {
    /// The tracks, in playing order, best first.
    pub tracks: Vec<TrackId>,
    /// What each argument was matched to.
    pub matched: Vec<Matched>,
}

/// The state of a search: what may still be played, and in which order.
#[derive(Debug)]
struct Search<'a> {
    library: &'a Library,
    /// In playing order.
    tracks: Vec<TrackId>,
    matched: Vec<Matched>,
}

impl Library {
    /// Finds what a query asks for. Everything said must fit.
    ///
    /// Titles, names and words are taken as written, then as other names, parts, near spellings, homophones; only the
    /// best kind of fit counts. Words of genre, mood, scene, language, instrument and theme may stand in any of these.
    /// A word that is no such thing, and a lone `song` that is no title, may be the name of something else.
    ///
    /// # Errors
    /// [`NotFound`] says which part was not found, or that nothing fits all parts.
    pub fn find(&self, query: &MusicQuery) -> Result<MusicMatches, NotFound> {
        let mut search = Search {
            library: self,
            tracks: self.by_popularity.clone(),
            matched: Vec::new(),
        };
        if *query == MusicQuery::default() {
            return Err(NotFound::NothingAsked);
        }
        if let Some(source) = query.source {
            search.keep(|track| track.is_on(source));
        }
        if let Some(said) = &query.playlist {
            search.playlist(said)?;
        }
        if let Some(said) = &query.chart {
            search.collection(MusicField::Chart, said)?;
        }
        if let Some(said) = &query.artist {
            search.artist(said)?;
        }
        if let Some(said) = &query.album {
            search.album(said)?;
        }
        for (field, said) in [
            (MusicField::Genre, &query.genre),
            (MusicField::Mood, &query.mood),
            (MusicField::Scene, &query.scene),
            (MusicField::Language, &query.language),
            (MusicField::Instrument, &query.instrument),
            (MusicField::Theme, &query.theme),
        ] {
            if let Some(said) = said {
                search.tags(field, said)?;
            }
        }
        if let Some(said) = &query.song {
            search.song(said, query)?;
        }
        if search.tracks.is_empty() {
            return Err(NotFound::NothingFitsAll);
        }
        Ok(MusicMatches {
            tracks: search.tracks,
            matched: search.matched,
        })
    }
}

impl Search<'_> {
    fn keep(&mut self, fits: impl Fn(&Track) -> bool) {
        let library = self.library;
        self.tracks.retain(|id| library.track(*id).is_some_and(&fits));
    }

    /// Keeps these tracks, in their order.
    fn keep_in_order(&mut self, ordered: impl IntoIterator<Item = TrackId>) {
        let kept: HashSet<TrackId> = self.tracks.drain(..).collect();
        self.tracks = ordered.into_iter().filter(|id| kept.contains(id)).collect();
    }

    fn note(&mut self, field: MusicField, said: &str, names: Vec<String>, fit: Fit) {
        self.matched.push(Matched {
            field,
            said: said.to_owned(),
            names,
            fit,
        });
    }

    fn artist(&mut self, said: &str) -> Result<(), NotFound> {
        let found = self
            .library
            .artist_names
            .lookup(said, Partial::MostOfName)
            .ok_or_else(|| unknown(MusicField::Artist, said))?;
        let artists: Vec<_> = found
            .ids
            .iter()
            .filter_map(|place| self.library.artists.get(*place))
            .collect();
        let names: Vec<String> = artists.iter().map(|artist| artist.name.clone()).collect();
        self.keep(|track| track.artists.iter().any(|artist| names.contains(artist)));
        self.note(MusicField::Artist, said, names, found.fit);
        Ok(())
    }

    fn album(&mut self, said: &str) -> Result<(), NotFound> {
        let library = self.library;
        let left: HashSet<TrackId> = self.tracks.iter().copied().collect();
        let has_tracks_left = |place: &usize| {
            library
                .albums
                .get(*place)
                .is_some_and(|album| album.tracks.iter().any(|id| left.contains(id)))
        };
        let found = library
            .album_names
            .lookup_among(said, Partial::MostOfName, has_tracks_left)
            .ok_or_else(|| unknown(MusicField::Album, said))?;
        let albums: Vec<_> = found
            .ids
            .iter()
            .filter_map(|place| library.albums.get(*place))
            .collect();
        self.keep_in_order(albums.iter().flat_map(|album| album.tracks.iter().copied()));
        let names = albums.iter().map(|album| album.name.clone()).collect();
        self.note(MusicField::Album, said, names, found.fit);
        Ok(())
    }

    /// A playlist by its name, else whatever its words ask for: `睡前听的歌单` is music for sleeping.
    fn playlist(&mut self, said: &str) -> Result<(), NotFound> {
        self.collection(MusicField::Playlist, said).or_else(|error| {
            if self.wanted(MusicField::Playlist, said) {
                Ok(())
            } else {
                Err(error)
            }
        })
    }

    fn collection(&mut self, field: MusicField, said: &str) -> Result<(), NotFound> {
        let (lists, names) = match field {
            MusicField::Chart => (&self.library.charts, &self.library.chart_names),
            _ => (&self.library.playlists, &self.library.playlist_names),
        };
        let (list, fit) = first_list(lists, names, said, Partial::Anywhere).ok_or_else(|| unknown(field, said))?;
        self.keep_in_order(list.tracks.iter().copied());
        self.note(field, said, vec![list.name.clone()], fit);
        Ok(())
    }

    /// Keeps what the words of tags ask for; false where the words name no tag.
    fn wanted(&mut self, field: MusicField, said: &str) -> bool {
        let wanted = self.library.music_tags.resolve(said);
        if wanted.is_empty() {
            return false;
        }
        self.keep(|track| wanted.iter().all(|wanted| track.fits(wanted)));
        self.note(field, said, wanted.iter().map(Wanted::name).collect(), Fit::Exact);
        true
    }

    fn tags(&mut self, field: MusicField, said: &str) -> Result<(), NotFound> {
        if self.wanted(field, said) || self.other_name(said) {
            Ok(())
        } else {
            Err(unknown(field, said))
        }
    }

    /// A word in the wrong place: the whole name of a song, album, playlist, chart or artist.
    fn other_name(&mut self, said: &str) -> bool {
        let library = self.library;
        if let Some(found) = library.titles.exact(said) {
            let titles = self.titles_of(&found.ids);
            self.keep_in_order(found.ids);
            self.note(MusicField::Song, said, titles, found.fit);
            return true;
        }
        if library.album_names.exact(said).is_some() && self.album(said).is_ok() {
            return true;
        }
        for (field, names) in [
            (MusicField::Playlist, &library.playlist_names),
            (MusicField::Chart, &library.chart_names),
        ] {
            if names.exact(said).is_some() && self.collection(field, said).is_ok() {
                return true;
            }
        }
        library.artist_names.exact(said).is_some() && self.artist(said).is_ok()
    }

    fn song(&mut self, said: &str, query: &MusicQuery) -> Result<(), NotFound> {
        let library = self.library;
        let left: HashSet<TrackId> = self.tracks.iter().copied().collect();
        if let Some(found) = library
            .titles
            .lookup_among(said, Partial::MostOfName, |id| left.contains(id))
        {
            let titles = self.titles_of(&found.ids);
            let titled: HashSet<TrackId> = found.ids.into_iter().collect();
            self.tracks.retain(|id| titled.contains(id));
            self.note(MusicField::Song, said, titles, found.fit);
            return Ok(());
        }
        if let Some(artist) = self.matched.iter().find(|matched| matched.field == MusicField::Artist) {
            let others = library.titles.exact(said).map(|found| found.ids).unwrap_or_default();
            return Err(NotFound::NotByArtist {
                song: said.to_owned(),
                artist: artist.names.join(", "),
                by_others: others,
            });
        }
        let is_alone = *query
            == MusicQuery {
                song: query.song.clone(),
                source: query.source,
                ..MusicQuery::default()
            };
        if is_alone && self.other_name(said) {
            return Ok(());
        }
        Err(unknown(MusicField::Song, said))
    }

    /// The different titles of these tracks.
    fn titles_of(&self, ids: &[TrackId]) -> Vec<String> {
        let mut titles: Vec<String> = Vec::new();
        for track in ids.iter().filter_map(|id| self.library.track(*id)) {
            if !titles.contains(&track.title) {
                titles.push(track.title.clone());
            }
        }
        titles
    }
}

fn first_list<'a>(
    lists: &'a [Collection],
    names: &NameIndex<usize>,
    said: &str,
    partial: Partial,
) -> Option<(&'a Collection, Fit)> {
    let found = names.lookup(said, partial)?;
    Some((lists.get(*found.ids.first()?)?, found.fit))
}

fn unknown(field: MusicField, said: &str) -> NotFound {
    NotFound::Unknown {
        field,
        said: said.to_owned(),
    }
}

#[cfg(test)]
#[path = "music_tests.rs"]
mod tests;
