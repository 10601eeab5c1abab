//! What plays, as results tell it: names as published, times in seconds, places in the queue counted from 1.

use serde::Serialize;
use serde_json::{Map, Value};

use super::service::PlayerState;
use crate::library::{Library, MediaItem, Playback, Tuning};

/// The player's state and what it plays. Where nothing plays there is only the state.
pub(super) fn describe(library: &Library, state: &PlayerState) -> Map<String, Value> {
    let mut result = Map::new();
    put(&mut result, "state", state.playback);
    let Some(item) = state.item.filter(|_| state.playback != Playback::Stopped) else {
        return result;
    };
    describe_item(library, item, &mut result);
    if matches!(item, MediaItem::Video { .. }) {
        put_some(&mut result, "screen", state.screen);
    }
    put_some(&mut result, "index", state.index.map(|index| index + 1));
    put(&mut result, "queue_length", state.queue_length);
    put(&mut result, "position", state.position_ms / 1000);
    put_some(&mut result, "duration", state.duration_ms.map(|ms| ms / 1000));
    result
}

fn describe_item(library: &Library, item: MediaItem, result: &mut Map<String, Value>) {
    match item {
        MediaItem::Song(id) => {
            put(result, "kind", "song");
            if let Some(track) = library.track(id) {
                put(result, "title", &track.title);
                put(result, "artist", track.artists.join(", "));
                put_some(result, "album", track.album.as_ref());
            }
        }
        MediaItem::Station(id) => {
            put(result, "kind", "radio");
            if let Some(station) = library.station(id) {
                put(result, "station", &station.name);
                put_tuning(result, station.tuning);
            }
        }
        MediaItem::Tuning(tuning) => {
            put(result, "kind", "radio");
            put_tuning(result, tuning);
        }
        MediaItem::Video { id, season, episode } => {
            put(result, "kind", "video");
            if let Some(video) = library.video(id) {
                put(result, "video", &video.title);
            }
            put_some(result, "season", season);
            put_some(result, "episode", episode);
        }
    }
}

fn put_tuning(result: &mut Map<String, Value>, tuning: Tuning) {
    put(result, "band", tuning.band);
    put(result, "frequency", tuning.frequency());
}

/// Adds a value. What cannot be written as JSON (nothing here) is left out.
pub(super) fn put(result: &mut Map<String, Value>, key: &str, value: impl Serialize) {
    if let Ok(value) = serde_json::to_value(value) {
        result.insert(key.to_owned(), value);
    }
}

fn put_some(result: &mut Map<String, Value>, key: &str, value: Option<impl Serialize>) {
    if let Some(value) = value {
        put(result, key, value);
    }
}
