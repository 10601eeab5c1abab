//! What somebody likes.

use serde::{Deserialize, Serialize};

use super::MediaItem;

/// Favourite songs, stations and videos, in the order they were added.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Favorites {
    items: Vec<MediaItem>,
}

/// Videos are liked as a whole, not by the episode.
fn whole(item: MediaItem) -> MediaItem {
    match item {
        MediaItem::Video { id, .. } => MediaItem::Video {
            id,
            season: None,
            episode: None,
        },
        MediaItem::Song(_) | MediaItem::Station(_) | MediaItem::Tuning(_) => item,
    }
}

impl Favorites {
    /// Adds something; false where it was there before.
    pub fn add(&mut self, item: MediaItem) -> bool {
        let is_new = !self.contains(item);
        if is_new {
            self.items.push(whole(item));
        }
        is_new
    }

    /// Removes something; false where it was not there.
    pub fn remove(&mut self, item: MediaItem) -> bool {
        let before = self.items.len();
        self.items.retain(|known| *known != whole(item));
        self.items.len() < before
    }

    /// Whether something is liked.
    pub fn contains(&self, item: MediaItem) -> bool {
        self.items.contains(&whole(item))
    }

    /// The songs.
    pub fn songs(&self) -> impl Iterator<Item = MediaItem> {
        self.items
            .iter()
            .copied()
            .filter(|item| matches!(item, MediaItem::Song(_)))
    }

    /// The stations and frequencies.
    pub fn radio(&self) -> impl Iterator<Item = MediaItem> {
        self.items
            .iter()
            .copied()
            .filter(|item| matches!(item, MediaItem::Station(_) | MediaItem::Tuning(_)))
    }

    /// The videos.
    pub fn videos(&self) -> impl Iterator<Item = MediaItem> {
        self.items
            .iter()
            .copied()
            .filter(|item| matches!(item, MediaItem::Video { .. }))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Band, StationId, TrackId, Tuning, VideoId};
    use super::*;

    #[test]
    fn each_thing_is_liked_once_and_by_its_kind() {
        let mut favorites = Favorites::default();
        let song = MediaItem::Song(TrackId::of(&["a"]));
        let station = MediaItem::Station(StationId::of(&["b"]));
        let tuning = MediaItem::Tuning(Tuning::new(Some(Band::Fm), 97.4).unwrap());
        let episode = |episode| MediaItem::Video {
            id: VideoId::of(&["c"]),
            season: None,
            episode,
        };
        for item in [song, station, tuning, episode(Some(3))] {
            assert!(favorites.add(item));
            assert!(!favorites.add(item));
        }
        assert!(!favorites.add(episode(Some(4))));
        assert_eq!(favorites.songs().collect::<Vec<_>>(), [song]);
        assert_eq!(favorites.radio().collect::<Vec<_>>(), [station, tuning]);
        assert_eq!(favorites.videos().collect::<Vec<_>>(), [episode(None)]);
        assert!(favorites.remove(station));
        assert!(!favorites.remove(station));
        assert!(!favorites.contains(station));
    }
}
