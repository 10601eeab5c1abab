//! What groups tracks: artists, albums, playlists, charts.

use serde::Serialize;

use super::TrackId;

/// A singer, band or composer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Artist {
    /// The name as published.
    pub name: String,
    /// Other names: translations, nicknames.
    pub aliases: Vec<String>,
    /// The artist's tracks, best known first.
    pub tracks: Vec<TrackId>,
}

/// An album, so far as its songs are in the library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Album {
    /// The name as published.
    pub name: String,
    /// The main artist of its songs.
    pub artist: String,
    /// Its tracks.
    pub tracks: Vec<TrackId>,
}

/// A playlist or chart: a named list of tracks in its own order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Collection {
    /// Its name.
    pub name: String,
    /// Other names.
    pub aliases: Vec<String>,
    /// Its tracks in order.
    pub tracks: Vec<TrackId>,
}
