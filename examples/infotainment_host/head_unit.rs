//! The head unit's player: [`MediaService`] of this maker.
//!
//! It plays songs and the radio; this trim has no screen for videos. What plays, and what is liked, survives the ignition:
//! [`HeadUnit::memory`] is what a car writes to flash.

use incar::tools::library::{Favorites, Library, MediaItem, Player, QueueItem};
use incar::tools::media::{FavoritesEdit, MediaError, MediaService, PlayerCommand, PlayerState, Screen};
use incar::{Clock, Timestamp, async_trait};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex, PoisonError};

/// Where the tuner receives best: the car is sold in Shanghai.
const CITY: &str = "上海";

#[derive(Debug)]
pub(crate) struct HeadUnit {
    library: Arc<Library>,
    clock: Arc<dyn Clock>,
    deck: Mutex<Deck>,
}

/// What is kept while the ignition is off.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Memory {
    player: Player,
    favorites: Favorites,
}

#[derive(Debug)]
struct Deck {
    memory: Memory,
    /// Up to when it has played: the time between two looks at the clock is music.
    played_to: Timestamp,
}

impl HeadUnit {
    /// A head unit that goes on where `memory` stopped. The time in between was silence, not music.
    pub(crate) fn new(library: Arc<Library>, clock: Arc<dyn Clock>, memory: Memory) -> Self {
        let deck = Mutex::new(Deck {
            memory,
            played_to: clock.now(),
        });
        Self { library, clock, deck }
    }

    /// What to keep while the ignition is off.
    pub(crate) fn memory(&self) -> Memory {
        self.at_now(|memory| memory.clone())
    }

    /// What plays, for the status bar.
    pub(crate) fn title(&self) -> Option<String> {
        match self.state().now_playing()? {
            MediaItem::Song(id) => self.library.track(id).map(|track| track.title.clone()),
            MediaItem::Station(id) => self.library.station(id).map(|station| station.name.clone()),
            _ => None,
        }
    }

    fn at_now<T>(&self, act: impl FnOnce(&mut Memory) -> T) -> T {
        let now = self.clock.now();
        // Every change is a whole one, so what a panic left behind is still sound.
        let mut deck = self.deck.lock().unwrap_or_else(PoisonError::into_inner);
        let elapsed = now.since(deck.played_to).as_millis();
        deck.played_to = now;
        deck.memory.player.advance(u64::try_from(elapsed).unwrap_or(u64::MAX));
        act(&mut deck.memory)
    }

    /// The item as this player takes it; `None` for what it cannot play.
    fn playable(&self, item: MediaItem) -> Option<QueueItem> {
        match item {
            MediaItem::Song(id) => self.library.queue_item(id),
            MediaItem::Station(_) | MediaItem::Tuning(_) => Some(QueueItem::endless(item)),
            _ => None,
        }
    }
}

#[async_trait]
impl MediaService for HeadUnit {
    fn library(&self) -> Arc<Library> {
        self.library.clone()
    }

    fn state(&self) -> PlayerState {
        self.at_now(|memory| PlayerState::from(&memory.player))
    }

    fn favorites(&self) -> Favorites {
        self.at_now(|memory| memory.favorites.clone())
    }

    fn radio_city(&self) -> Option<String> {
        Some(CITY.to_owned())
    }

    async fn play(&self, queue: Vec<MediaItem>, _: Option<Screen>) -> Result<PlayerState, MediaError> {
        let queue: Vec<QueueItem> = queue.into_iter().filter_map(|item| self.playable(item)).collect();
        if queue.is_empty() {
            return Err(MediaError::Unplayable);
        }
        self.at_now(|memory| {
            memory.player.play(queue, 0)?;
            Ok(PlayerState::from(&memory.player))
        })
    }

    async fn control(&self, command: PlayerCommand) -> Result<PlayerState, MediaError> {
        // The order of a shuffle need not be guessed by anyone: the time is seed enough.
        let seed = self.clock.now().as_millis();
        self.at_now(|memory| {
            command.apply(&mut memory.player, seed)?;
            Ok(PlayerState::from(&memory.player))
        })
    }

    async fn edit_favorites(&self, edit: FavoritesEdit) -> Result<bool, MediaError> {
        Ok(self.at_now(|memory| match edit {
            FavoritesEdit::Add(item) => memory.favorites.add(item),
            FavoritesEdit::Remove(item) => memory.favorites.remove(item),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incar::ManualClock;
    use std::time::Duration;

    fn head_unit(clock: &Arc<ManualClock>, memory: Memory) -> HeadUnit {
        HeadUnit::new(Arc::new(Library::embedded().unwrap()), clock.clone(), memory)
    }

    #[tokio::test]
    async fn the_music_goes_on_after_the_ignition_where_it_stopped() {
        let clock = Arc::new(ManualClock::default());
        let before = head_unit(&clock, Memory::default());
        let songs = before.library().popular().into_iter().take(3).map(MediaItem::Song);
        before.play(songs.collect(), None).await.unwrap();
        clock.advance(Duration::from_secs(30));
        let flash = serde_json::to_string(&before.memory()).unwrap();

        clock.advance(Duration::from_secs(8 * 60 * 60));
        let after = head_unit(&clock, serde_json::from_str(&flash).unwrap());
        assert_eq!(after.state().position_ms, 30_000);
        assert_eq!(
            after.title(),
            before
                .library()
                .track(before.library().popular()[0])
                .map(|track| track.title.clone())
        );
    }

    #[tokio::test]
    async fn a_video_is_refused_and_the_music_plays_on() {
        let head_unit = head_unit(&Arc::default(), Memory::default());
        let song = MediaItem::Song(head_unit.library().popular()[0]);
        head_unit.play(vec![song], None).await.unwrap();
        let id = head_unit.library().videos()[0].id;
        let video = MediaItem::Video {
            id,
            season: None,
            episode: None,
        };
        assert_eq!(head_unit.play(vec![video], None).await, Err(MediaError::Unplayable));
        assert_eq!(head_unit.state().now_playing(), Some(song));
    }
}
