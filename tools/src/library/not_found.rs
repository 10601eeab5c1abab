//! Why nothing was found, so that the caller can say so honestly.

use serde::Serialize;
use thiserror::Error;

use super::{MusicField, TrackId};

/// Why nothing was found.
#[derive(Clone, Debug, PartialEq, Eq, Error, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
#[non_exhaustive]
pub enum NotFound {
    /// Nothing was asked for.
    #[error("nothing was asked for")]
    NothingAsked,
    /// What one argument says is not in the library.
    #[error("no {field} is called {said:?}")]
    Unknown {
        /// The argument.
        field: MusicField,
        /// What was said.
        said: String,
    },
    /// The artist is known, but not with this song.
    #[error("no song of {artist} is called {song:?}")]
    NotByArtist {
        /// What was said of the song.
        song: String,
        /// The artist's name as published.
        artist: String,
        /// The song by others, if there is one.
        by_others: Vec<TrackId>,
    },
    /// Each part is known, but nothing has them all.
    #[error("nothing fits everything that was asked for")]
    NothingFitsAll,
    /// No station is known by this name.
    #[error("no station is called {said:?}")]
    UnknownStation {
        /// What was said.
        said: String,
    },
    /// No station is known on this frequency, though it can be tuned to.
    #[error("no station is known on {frequency}")]
    NoStationOn {
        /// MHz on fm, kHz on am.
        frequency: String,
    },
    /// No video is known by this title, actor, kind or genre.
    #[error("no video is known for {said:?}")]
    UnknownVideo {
        /// What was said.
        said: String,
    },
    /// The video is known, but has no such season or episode.
    #[error("{title} has no season {season:?}, episode {episode:?}")]
    NoSuchEpisode {
        /// The title as published.
        title: String,
        /// The season asked for.
        season: Option<u16>,
        /// The episode asked for.
        episode: Option<u16>,
    },
}
