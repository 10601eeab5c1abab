//! The media's state as signals: what a simulator shows.

use std::collections::BTreeMap;

use serde_json::Value;

use super::now;
use super::service::{PlayOrder, PlayerState};
use super::spoken;
use crate::library::{Favorites, Library, MediaItem};
use incar_core::Lang;

/// The signals, each always there; null where it does not apply.
pub(super) fn of(library: &Library, state: &PlayerState, favorites: &Favorites) -> BTreeMap<String, Value> {
    let described = now::describe(library, state);
    let of_item = |key: &str| described.get(key).cloned().unwrap_or_default();
    let names = |items: &mut dyn Iterator<Item = MediaItem>| -> Value {
        items
            .map(|item| spoken::item(library, item, Lang::Zh))
            .collect::<Vec<_>>()
            .into()
    };
    [
        ("Media.Player.State", of_item("state")),
        ("Media.Player.Kind", of_item("kind")),
        ("Media.Player.Track", of_item("title")),
        ("Media.Player.Artist", of_item("artist")),
        ("Media.Player.Album", of_item("album")),
        ("Media.Player.Station", of_item("station")),
        ("Media.Player.Frequency", of_item("frequency")),
        ("Media.Player.Band", of_item("band")),
        ("Media.Player.Video", of_item("video")),
        ("Media.Player.Season", of_item("season")),
        ("Media.Player.Episode", of_item("episode")),
        ("Media.Player.Position", of_item("position")),
        ("Media.Player.Duration", of_item("duration")),
        ("Media.Player.Queue.Index", of_item("index")),
        ("Media.Player.Queue.Length", state.queue_length.into()),
        (
            "Media.Player.Repeat",
            serde_json::to_value(state.repeat).unwrap_or_default(),
        ),
        ("Media.Player.Shuffle", (state.order == PlayOrder::Shuffled).into()),
        ("Media.Player.Speed", state.speed_percent.into()),
        (
            "Media.Player.Screen",
            serde_json::to_value(state.screen).unwrap_or_default(),
        ),
        ("Media.Favorites.Music", names(&mut favorites.songs())),
        ("Media.Favorites.Radio", names(&mut favorites.radio())),
        ("Media.Favorites.Video", names(&mut favorites.videos())),
    ]
    .into_iter()
    .map(|(name, value)| (name.to_owned(), value))
    .collect()
}
