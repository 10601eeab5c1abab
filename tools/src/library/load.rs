//! Building the library from its data files, checking that every name is there once and every reference leads
//! somewhere.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::Deserialize;

use super::radio::{Band, Station, Tuning};
use super::tags::{TagKind, TagWords};
use super::video::{Video, VideoKind};
use super::{Album, Artist, Collection, Library, Source, StationId, Track, TrackId, VideoId};
use crate::data_file::{DataError, DataProblem, Owners, Row, rows};
use crate::names::{NameIndex, Role};

const SONGS: &str = "songs.tsv";
const SONG_COLUMNS: &[&str] = &[
    "title",
    "aliases",
    "artists",
    "album",
    "year",
    "language",
    "genres",
    "moods",
    "scenes",
    "instruments",
    "themes",
    "stored",
    "seconds",
];
const ARTISTS: &str = "artists.tsv";
const ARTIST_COLUMNS: &[&str] = &["name", "aliases"];
const STATIONS: &str = "radio.tsv";
const STATION_COLUMNS: &[&str] = &["name", "aliases", "band", "frequency", "city", "genre"];
const VIDEOS: &str = "videos.tsv";
const VIDEO_COLUMNS: &[&str] = &[
    "title", "aliases", "kind", "actors", "genres", "seasons", "episodes", "year",
];

/// The text of the data files.
#[derive(Clone, Copy, Debug)]
pub(super) struct Files<'a> {
    pub(super) songs: &'a str,
    pub(super) artists: &'a str,
    pub(super) tags: &'a str,
    pub(super) charts: &'a str,
    pub(super) playlists: &'a str,
    pub(super) stations: &'a str,
    pub(super) radio_tags: &'a str,
    pub(super) videos: &'a str,
    pub(super) video_tags: &'a str,
}

pub(super) const EMBEDDED: Files<'static> = Files {
    songs: include_str!("../../data/media/songs.tsv"),
    artists: include_str!("../../data/media/artists.tsv"),
    tags: include_str!("../../data/media/tags.tsv"),
    charts: include_str!("../../data/media/charts.toml"),
    playlists: include_str!("../../data/media/playlists.toml"),
    stations: include_str!("../../data/media/radio.tsv"),
    radio_tags: include_str!("../../data/media/radio_tags.tsv"),
    videos: include_str!("../../data/media/videos.tsv"),
    video_tags: include_str!("../../data/media/video_tags.tsv"),
};

impl Library {
    /// The library that ships with the crate.
    ///
    /// # Errors
    /// [`DataError`] where a data file is at fault; the crate's tests hold that none is.
    pub fn embedded() -> Result<Self, DataError> {
        Self::build(&EMBEDDED)
    }

    pub(super) fn build(files: &Files<'_>) -> Result<Self, DataError> {
        let music_tags = TagWords::read("tags.tsv", files.tags)?;
        let radio_tags = TagWords::read("radio_tags.tsv", files.radio_tags)?;
        let video_tags = TagWords::read("video_tags.tsv", files.video_tags)?;
        let tracks = tracks(files.songs, &music_tags)?;
        let keys: HashMap<String, TrackId> = tracks.iter().map(|track| (key(track), track.id)).collect();
        let charts = collections("charts.toml", files.charts, &keys)?;
        let playlists = collections("playlists.toml", files.playlists, &keys)?;
        let by_popularity = by_popularity(&tracks, &charts);
        let artists = artists(files.artists, &tracks, &by_popularity)?;
        let albums = albums(&tracks);
        let stations = stations(files.stations, &radio_tags)?;
        let videos = videos(files.videos, &video_tags)?;
        Ok(Self {
            track_places: tracks
                .iter()
                .enumerate()
                .map(|(place, track)| (track.id, place))
                .collect(),
            titles: index(tracks.iter().map(|track| (track.id, &track.title, &track.aliases[..]))),
            artist_names: index(
                artists
                    .iter()
                    .enumerate()
                    .map(|(place, artist)| (place, &artist.name, &artist.aliases[..])),
            ),
            album_names: index(
                albums
                    .iter()
                    .enumerate()
                    .map(|(place, album)| (place, &album.name, &[][..])),
            ),
            playlist_names: index(
                playlists
                    .iter()
                    .enumerate()
                    .map(|(place, list)| (place, &list.name, &list.aliases[..])),
            ),
            chart_names: index(
                charts
                    .iter()
                    .enumerate()
                    .map(|(place, list)| (place, &list.name, &list.aliases[..])),
            ),
            station_names: index(
                stations
                    .iter()
                    .map(|station| (station.id, &station.name, &station.aliases[..])),
            ),
            video_names: index(videos.iter().map(|video| (video.id, &video.title, &video.aliases[..]))),
            tracks,
            by_popularity,
            artists,
            albums,
            playlists,
            charts,
            stations,
            videos,
            music_tags,
            radio_tags,
            video_tags,
        })
    }
}

fn index<'a, T: Copy + Eq + std::hash::Hash>(
    named: impl Iterator<Item = (T, &'a String, &'a [String])>,
) -> NameIndex<T> {
    let all = named.flat_map(|(id, name, aliases)| {
        let aliases = aliases.iter().map(move |alias| (id, Role::Alias, alias));
        [(id, Role::Main, name)].into_iter().chain(aliases)
    });
    all.collect()
}

/// How charts and playlists name a track.
fn key(track: &Track) -> String {
    format!("{} / {}", track.title, track.main_artist())
}

fn tracks(text: &str, tags: &TagWords) -> Result<Vec<Track>, DataError> {
    let mut tracks = Vec::new();
    let mut seen = Seen::default();
    for row in rows(SONGS, text, SONG_COLUMNS)? {
        let title = row.required("title")?.to_owned();
        row.required("artists")?;
        let artists = row.list("artists");
        let id = TrackId::of(&[&title, artists.first().map(String::as_str).unwrap_or_default()]);
        seen.once(&row, id, &title)?;
        let tagged = |column: &'static str, kind| tagged(&row, column, kind, tags);
        let language = row.required("language")?;
        if !tags.has(TagKind::Language, language) {
            return Err(row.error(DataProblem::Unknown {
                column: "language",
                value: language.to_owned(),
            }));
        }
        row.required("genres")?;
        tracks.push(Track {
            id,
            title,
            aliases: row.list("aliases"),
            artists,
            album: Some(row.text("album").to_owned()).filter(|album| !album.is_empty()),
            year: row.optional("year", |year: &u16| (1600..2100).contains(year))?,
            language: language.to_owned(),
            genres: tagged("genres", TagKind::Genre)?,
            moods: tagged("moods", TagKind::Mood)?,
            scenes: tagged("scenes", TagKind::Scene)?,
            instruments: tagged("instruments", TagKind::Instrument)?,
            themes: tagged("themes", TagKind::Theme)?,
            stored: row
                .list("stored")
                .iter()
                .map(|name| Source::from_name(name).ok_or_else(|| row.value_error("stored")))
                .collect::<Result<_, _>>()?,
            // The longest are whole symphonies, the shortest a verse for children.
            seconds: row.parsed("seconds", |seconds: &u32| (30..=7200).contains(seconds))?,
        });
    }
    Ok(tracks)
}

fn tagged(row: &Row<'_>, column: &'static str, kind: TagKind, tags: &TagWords) -> Result<Vec<String>, DataError> {
    let ids = row.list(column);
    match ids.iter().find(|id| !tags.has(kind, id)) {
        Some(value) => Err(row.error(DataProblem::Unknown {
            column,
            value: value.clone(),
        })),
        None => Ok(ids),
    }
}

/// Tracks by their best place on any chart, of equals those of the first chart; the others after them in a mixed but
/// fixed order.
fn by_popularity(tracks: &[Track], charts: &[Collection]) -> Vec<TrackId> {
    let mut best: HashMap<TrackId, (usize, usize)> = HashMap::new();
    for (chart, collection) in charts.iter().enumerate() {
        for (place, id) in collection.tracks.iter().enumerate() {
            let known = best.entry(*id).or_insert((place, chart));
            *known = (place, chart).min(*known);
        }
    }
    let mut ids: Vec<TrackId> = tracks.iter().map(|track| track.id).collect();
    // Ids are fingerprints: their order mixes artists and languages.
    ids.sort_by_key(|id| (best.get(id).copied().unwrap_or((usize::MAX, usize::MAX)), *id));
    ids
}

fn artists(text: &str, tracks: &[Track], by_popularity: &[TrackId]) -> Result<Vec<Artist>, DataError> {
    let mut of_artist: HashMap<&str, BTreeSet<TrackId>> = HashMap::new();
    for track in tracks {
        for artist in &track.artists {
            of_artist.entry(artist).or_default().insert(track.id);
        }
    }
    let mut artists = Vec::new();
    let mut owners = Owners::default();
    for row in rows(ARTISTS, text, ARTIST_COLUMNS)? {
        let name = row.required("name")?.to_owned();
        let aliases = row.list("aliases");
        for spoken in std::iter::once(&name).chain(&aliases) {
            owners.claim(spoken, &name).map_err(|problem| row.error(problem))?;
        }
        let own = of_artist.remove(name.as_str()).ok_or_else(|| {
            row.error(DataProblem::Unknown {
                column: "name",
                value: name.clone(),
            })
        })?;
        let tracks = by_popularity.iter().copied().filter(|id| own.contains(id)).collect();
        artists.push(Artist { name, aliases, tracks });
    }
    match of_artist.keys().min() {
        Some(name) => Err(DataError::new(
            SONGS,
            name,
            DataProblem::Unknown {
                column: "artists",
                value: (*name).to_owned(),
            },
        )),
        None => Ok(artists),
    }
}

fn albums(tracks: &[Track]) -> Vec<Album> {
    let mut albums: BTreeMap<(&str, &str), Vec<TrackId>> = BTreeMap::new();
    for track in tracks {
        if let Some(album) = &track.album {
            albums.entry((album, track.main_artist())).or_default().push(track.id);
        }
    }
    let album = |((name, artist), tracks): ((&str, &str), _)| Album {
        name: name.to_owned(),
        artist: artist.to_owned(),
        tracks,
    };
    albums.into_iter().map(album).collect()
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CollectionFile {
    #[serde(alias = "chart", alias = "playlist")]
    list: Vec<RawCollection>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCollection {
    name: String,
    aliases: Vec<String>,
    songs: Vec<String>,
}

fn collections(file: &'static str, text: &str, keys: &HashMap<String, TrackId>) -> Result<Vec<Collection>, DataError> {
    let read: CollectionFile = toml::from_str(text).map_err(|error| DataError::syntax(file, &error))?;
    let mut owners = Owners::default();
    read.list
        .into_iter()
        .map(|RawCollection { name, aliases, songs }| {
            let at = |problem| DataError::new(file, &name, problem);
            for spoken in std::iter::once(&name).chain(&aliases) {
                owners.claim(spoken, &name).map_err(at)?;
            }
            if songs.is_empty() {
                return Err(at(DataProblem::Empty { column: "songs" }));
            }
            let mut tracks = Vec::new();
            for song in songs {
                let Some(id) = keys.get(&song).copied() else {
                    return Err(at(DataProblem::Unknown {
                        column: "songs",
                        value: song,
                    }));
                };
                if tracks.contains(&id) {
                    return Err(at(DataProblem::Duplicate {
                        name: song,
                        owner: name.clone(),
                    }));
                }
                tracks.push(id);
            }
            Ok(Collection {
                name: name.clone(),
                aliases,
                tracks,
            })
        })
        .collect()
}

fn stations(text: &str, tags: &TagWords) -> Result<Vec<Station>, DataError> {
    let mut seen = Seen::default();
    let mut owners = Owners::default();
    let mut stations = Vec::new();
    for row in rows(STATIONS, text, STATION_COLUMNS)? {
        let name = row.required("name")?.to_owned();
        let id = StationId::of(&[&name]);
        seen.once(&row, id, &name)?;
        let aliases = row.list("aliases");
        for spoken in std::iter::once(&name).chain(&aliases) {
            owners.claim(spoken, &name).map_err(|problem| row.error(problem))?;
        }
        let band = match row.text("band") {
            "fm" => Band::Fm,
            "am" => Band::Am,
            _ => return Err(row.value_error("band")),
        };
        let frequency = row.parsed("frequency", |frequency: &f64| frequency.is_finite())?;
        let tuning = Tuning::new(Some(band), frequency).map_err(|_| row.value_error("frequency"))?;
        let genre = row.required("genre")?.to_owned();
        if !tags.has(TagKind::Genre, &genre) {
            return Err(row.error(DataProblem::Unknown {
                column: "genre",
                value: genre,
            }));
        }
        stations.push(Station {
            id,
            name,
            aliases,
            tuning,
            city: row.required("city")?.to_owned(),
            genre,
        });
    }
    Ok(stations)
}

fn videos(text: &str, tags: &TagWords) -> Result<Vec<Video>, DataError> {
    let mut seen = Seen::default();
    let mut videos = Vec::new();
    for row in rows(VIDEOS, text, VIDEO_COLUMNS)? {
        let title = row.required("title")?.to_owned();
        let id = VideoId::of(&[row.text("kind"), &title]);
        seen.once(&row, id, &title)?;
        row.required("genres")?;
        videos.push(Video {
            id,
            title,
            aliases: row.list("aliases"),
            kind: VideoKind::from_id(row.text("kind")).ok_or_else(|| row.value_error("kind"))?,
            actors: row.list("actors"),
            genres: tagged(&row, "genres", TagKind::Genre, tags)?,
            seasons: row.optional("seasons", |seasons: &u16| *seasons > 0)?,
            episodes: row.optional("episodes", |episodes: &u16| *episodes > 0)?,
            year: row.parsed("year", |year: &u16| (1888..2100).contains(year))?,
        });
    }
    Ok(videos)
}

/// Which ids are taken, by which name.
#[derive(Debug)]
struct Seen<T>(HashMap<T, String>);

impl<T> Default for Seen<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T: Eq + std::hash::Hash> Seen<T> {
    fn once(&mut self, row: &Row<'_>, id: T, name: &str) -> Result<(), DataError> {
        match self.0.insert(id, name.to_owned()) {
            Some(owner) => Err(row.error(DataProblem::Duplicate {
                name: name.to_owned(),
                owner,
            })),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
#[path = "load_tests.rs"]
mod tests;
