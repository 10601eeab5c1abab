//! The media library of the simulated head unit (songs, artists, albums, playlists, charts, stations, videos) and the
//! [`Player`] that plays from it. Plain data: no clock, no file, no waiting.

mod collection;
mod favorites;
mod id;
mod load;
mod music;
mod not_found;
mod player;
mod queue;
mod radio;
mod tags;
mod track;
mod video;

use std::collections::HashMap;
use std::hash::Hash;

pub use self::collection::{Album, Artist, Collection};
pub use self::favorites::Favorites;
pub use self::id::{MediaItem, StationId, TrackId, VideoId};
pub use self::music::{Matched, MusicField, MusicMatches, MusicQuery};
pub use self::not_found::NotFound;
pub use self::player::{Player, PlayerError, Progress};
pub use self::queue::{Playback, QueueItem, Repeat};
pub use self::radio::{Band, RadioQuery, Station, Tuning, TuningError};
use self::tags::TagWords;
pub use self::track::{Source, Track};
pub use self::video::{Video, VideoKind, VideoMatches, VideoQuery};
use crate::names::{Found, NameIndex, Partial};

/// The library. Built once and only read after.
///
/// ```
/// use incar_tools::library::{Library, MusicQuery};
///
/// let library = Library::embedded()?;
/// let mut query = MusicQuery::default();
/// query.song = Some("晴天".into());
/// query.artist = Some("Jay Chou".into());
/// let found = library.find(&query).unwrap();
/// let track = library.track(found.tracks[0]).unwrap();
/// assert_eq!((track.title.as_str(), track.main_artist()), ("晴天", "周杰伦"));
/// # Ok::<(), incar_tools::DataError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Library {
    tracks: Vec<Track>,
    track_places: HashMap<TrackId, usize>,
    /// The places of all tracks, best known first.
    by_popularity: Vec<TrackId>,
    artists: Vec<Artist>,
    albums: Vec<Album>,
    playlists: Vec<Collection>,
    charts: Vec<Collection>,
    stations: Vec<Station>,
    videos: Vec<Video>,
    music_tags: TagWords,
    radio_tags: TagWords,
    video_tags: TagWords,
    titles: NameIndex<TrackId>,
    artist_names: NameIndex<usize>,
    album_names: NameIndex<usize>,
    playlist_names: NameIndex<usize>,
    chart_names: NameIndex<usize>,
    station_names: NameIndex<StationId>,
    video_names: NameIndex<VideoId>,
}

/// Kinds of names the library knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum NameKind {
    /// Titles of songs and pieces.
    Song,
    /// Singers, bands, composers.
    Artist,
    /// Albums.
    Album,
    /// Playlists.
    Playlist,
    /// Charts.
    Chart,
    /// Radio stations.
    Station,
    /// Films, series and shows.
    Video,
}

/// A name people say, and the name as published of what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct LibraryName<'a> {
    /// What people say.
    pub spoken: &'a str,
    /// The name as published.
    pub canonical: &'a str,
}

impl Library {
    /// One embedded library for all tests: it takes its time to build.
    #[cfg(test)]
    pub(crate) fn shared() -> std::sync::Arc<Self> {
        static SHARED: std::sync::LazyLock<std::sync::Arc<Library>> =
            std::sync::LazyLock::new(|| std::sync::Arc::new(Library::embedded().unwrap()));
        SHARED.clone()
    }

    /// All tracks, sorted as in the data file.
    pub fn tracks(&self) -> &[Track] {
        &self.tracks
    }

    /// A track by its id.
    pub fn track(&self, id: TrackId) -> Option<&Track> {
        self.tracks.get(*self.track_places.get(&id)?)
    }

    /// All tracks that are not for children, best known first: for "play anything".
    pub fn popular(&self) -> Vec<TrackId> {
        let for_all = |id: &TrackId| {
            self.track(*id)
                .is_some_and(|track| !track.genres.iter().any(|genre| genre == "children"))
        };
        self.by_popularity.iter().copied().filter(for_all).collect()
    }

    /// All artists.
    pub fn artists(&self) -> &[Artist] {
        &self.artists
    }

    /// All albums.
    pub fn albums(&self) -> &[Album] {
        &self.albums
    }

    /// All playlists.
    pub fn playlists(&self) -> &[Collection] {
        &self.playlists
    }

    /// All charts.
    pub fn charts(&self) -> &[Collection] {
        &self.charts
    }

    /// All radio stations.
    pub fn stations(&self) -> &[Station] {
        &self.stations
    }

    /// A radio station by its id.
    pub fn station(&self, id: StationId) -> Option<&Station> {
        self.stations.iter().find(|station| station.id == id)
    }

    /// All videos.
    pub fn videos(&self) -> &[Video] {
        &self.videos
    }

    /// A video by its id.
    pub fn video(&self, id: VideoId) -> Option<&Video> {
        self.videos.iter().find(|video| video.id == id)
    }

    /// A track as an item of the player's queue.
    pub fn queue_item(&self, id: TrackId) -> Option<QueueItem> {
        let track = self.track(id)?;
        Some(QueueItem::timed(MediaItem::Song(id), u64::from(track.seconds) * 1000))
    }

    /// The names as published of what fits a spoken name best; None where nothing does.
    pub fn look_up(&self, kind: NameKind, said: &str) -> Option<Found<&str>> {
        match kind {
            NameKind::Song => best(&self.titles, said, |id| Some(self.track(id)?.title.as_str())),
            NameKind::Artist => best(&self.artist_names, said, |at| Some(self.artists.get(at)?.name.as_str())),
            NameKind::Album => best(&self.album_names, said, |at| Some(self.albums.get(at)?.name.as_str())),
            NameKind::Playlist => best(&self.playlist_names, said, |at| {
                Some(self.playlists.get(at)?.name.as_str())
            }),
            NameKind::Chart => best(&self.chart_names, said, |at| Some(self.charts.get(at)?.name.as_str())),
            NameKind::Station => best(&self.station_names, said, |id| Some(self.station(id)?.name.as_str())),
            NameKind::Video => best(&self.video_names, said, |id| Some(self.video(id)?.title.as_str())),
        }
    }

    /// Every name of a kind, other names included, for whoever compiles vocabularies from them.
    pub fn names(&self, kind: NameKind) -> Box<dyn Iterator<Item = LibraryName<'_>> + '_> {
        match kind {
            NameKind::Song => spoken(self.tracks.iter().map(|track| (&track.title, &track.aliases))),
            NameKind::Artist => spoken(self.artists.iter().map(|artist| (&artist.name, &artist.aliases))),
            NameKind::Album => Box::new(self.albums.iter().map(|album| LibraryName {
                spoken: &album.name,
                canonical: &album.name,
            })),
            NameKind::Playlist => spoken(self.playlists.iter().map(|list| (&list.name, &list.aliases))),
            NameKind::Chart => spoken(self.charts.iter().map(|list| (&list.name, &list.aliases))),
            NameKind::Station => spoken(self.stations.iter().map(|station| (&station.name, &station.aliases))),
            NameKind::Video => spoken(self.videos.iter().map(|video| (&video.title, &video.aliases))),
        }
    }
}

fn best<'a, T: Copy + Eq + Hash>(
    names: &NameIndex<T>,
    said: &str,
    published: impl Fn(T) -> Option<&'a str>,
) -> Option<Found<&'a str>> {
    let found = names.lookup(said, Partial::MostOfName)?;
    let mut ids: Vec<&str> = Vec::new();
    for name in found.ids.into_iter().filter_map(published) {
        if !ids.contains(&name) {
            ids.push(name);
        }
    }
    Some(Found { fit: found.fit, ids })
}

fn spoken<'a>(
    named: impl Iterator<Item = (&'a String, &'a Vec<String>)> + 'a,
) -> Box<dyn Iterator<Item = LibraryName<'a>> + 'a> {
    Box::new(named.flat_map(|(name, aliases)| {
        std::iter::once(name).chain(aliases).map(move |spoken| LibraryName {
            spoken,
            canonical: name,
        })
    }))
}
