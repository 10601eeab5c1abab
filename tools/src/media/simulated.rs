//! Media that live in memory and play with an injected clock.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use incar_core::{Clock, Timestamp, async_trait};
use serde_json::Value;

use super::service::{FavoritesEdit, MediaError, MediaService, PlayOrder, PlayerCommand, PlayerState, Screen};
use super::signals;
use crate::DataError;
use crate::library::{Favorites, Library, MediaItem, Player, PlayerError, QueueItem, VideoKind};

/// The library does not know how long videos last: the usual lengths, in milliseconds.
const FILM_MS: u64 = 2 * 60 * 60 * 1000;
const EPISODE_MS: u64 = 45 * 60 * 1000;
/// Where the simulated car stands at first.
const RADIO_CITY: &str = "北京";

/// The simulated media of one car: the library that ships with the crate and a [`Player`].
///
/// Nothing runs in the background: where the player is follows from the clock when it is asked. The same seed and the
/// same commands shuffle alike.
///
/// ```
/// use incar_core::{ManualClock, Timestamp};
/// use incar_tools::library::Playback;
/// use incar_tools::media::{MediaService, SimulatedMedia};
/// use std::sync::Arc;
///
/// let clock = Arc::new(ManualClock::at(Timestamp::from_millis(0)));
/// let media = SimulatedMedia::embedded(clock)?;
/// assert_eq!(media.state().playback, Playback::Stopped);
/// assert_eq!(media.signals()["Media.Player.State"], "stopped");
/// # Ok::<(), incar_tools::DataError>(())
/// ```
#[derive(Debug)]
pub struct SimulatedMedia {
    library: Arc<Library>,
    clock: Arc<dyn Clock>,
    seed: u64,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    player: Player,
    favorites: Favorites,
    screen: Option<Screen>,
    radio_city: String,
    /// How often it was shuffled: each time is another order.
    shuffles: u64,
    /// Up to when the player has played.
    played_to: Timestamp,
}

impl Inner {
    fn new(now: Timestamp) -> Self {
        Self {
            player: Player::default(),
            favorites: Favorites::default(),
            screen: None,
            radio_city: RADIO_CITY.to_owned(),
            shuffles: 0,
            played_to: now,
        }
    }

    fn state(&self) -> PlayerState {
        PlayerState {
            screen: self.screen,
            ..PlayerState::from(&self.player)
        }
    }

    fn control(&mut self, command: PlayerCommand, seed: u64) -> Result<(), PlayerError> {
        if command == PlayerCommand::Order(PlayOrder::Shuffled) {
            // Shuffled already: doing it twice is doing it once.
            if self.player.is_shuffled() {
                return Ok(());
            }
            self.shuffles += 1;
        }
        command.apply(&mut self.player, seed.wrapping_add(self.shuffles))
    }
}

impl SimulatedMedia {
    /// The library that ships with the crate, and nothing playing.
    ///
    /// # Errors
    /// [`DataError`] where a data file is at fault; the crate's tests hold that none is.
    pub fn embedded(clock: Arc<dyn Clock>) -> Result<Self, DataError> {
        Ok(Self::new(Arc::new(Library::embedded()?), clock))
    }

    /// A library of your own, or one shared by many cars, and nothing playing.
    pub fn new(library: Arc<Library>, clock: Arc<dyn Clock>) -> Self {
        let inner = Mutex::new(Inner::new(clock.now()));
        Self {
            library,
            clock,
            seed: 0,
            inner,
        }
    }

    /// The same media, shuffling by this seed.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Nothing playing, nothing liked, in the first city.
    pub fn reset(&self) {
        self.at_now(|inner| *inner = Inner::new(inner.played_to));
    }

    /// Tells the radio which city it is in (in Chinese, as in the data).
    pub fn set_radio_city(&self, city: impl Into<String>) {
        self.at_now(|inner| inner.radio_city = city.into());
    }

    /// The state to read, by name: `Media.Player.State`, `Media.Player.Track` … What does not apply is null.
    pub fn signals(&self) -> BTreeMap<String, Value> {
        self.at_now(|inner| signals::of(&self.library, &inner.state(), &inner.favorites))
    }

    /// Does something with the state, after the player has played up to now.
    fn at_now<T>(&self, act: impl FnOnce(&mut Inner) -> T) -> T {
        let now = self.clock.now();
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let elapsed = now.since(inner.played_to).as_millis();
        inner.player.advance(u64::try_from(elapsed).unwrap_or(u64::MAX));
        inner.played_to = now;
        act(&mut inner)
    }

    fn queue_item(&self, item: MediaItem) -> Option<QueueItem> {
        match item {
            MediaItem::Song(id) => self.library.queue_item(id),
            MediaItem::Station(id) => self.library.station(id).map(|_| QueueItem::endless(item)),
            MediaItem::Tuning(_) => Some(QueueItem::endless(item)),
            MediaItem::Video { id, .. } => {
                let length = match self.library.video(id)?.kind {
                    VideoKind::Film => FILM_MS,
                    VideoKind::Series | VideoKind::Cartoon | VideoKind::Documentary | VideoKind::Show => EPISODE_MS,
                };
                Some(QueueItem::timed(item, length))
            }
        }
    }
}

#[async_trait]
impl MediaService for SimulatedMedia {
    fn library(&self) -> Arc<Library> {
        self.library.clone()
    }

    fn state(&self) -> PlayerState {
        self.at_now(|inner| inner.state())
    }

    fn favorites(&self) -> Favorites {
        self.at_now(|inner| inner.favorites.clone())
    }

    fn radio_city(&self) -> Option<String> {
        self.at_now(|inner| Some(inner.radio_city.clone()))
    }

    async fn play(&self, queue: Vec<MediaItem>, screen: Option<Screen>) -> Result<PlayerState, MediaError> {
        let queue: Vec<QueueItem> = queue.into_iter().filter_map(|item| self.queue_item(item)).collect();
        if queue.is_empty() {
            return Err(MediaError::Unplayable);
        }
        self.at_now(|inner| {
            inner.player.play(queue, 0)?;
            inner.screen = screen.or(inner.screen);
            Ok(inner.state())
        })
    }

    async fn control(&self, command: PlayerCommand) -> Result<PlayerState, MediaError> {
        self.at_now(|inner| {
            inner.control(command, self.seed)?;
            Ok(inner.state())
        })
    }

    async fn edit_favorites(&self, edit: FavoritesEdit) -> Result<bool, MediaError> {
        Ok(self.at_now(|inner| match edit {
            FavoritesEdit::Add(item) => inner.favorites.add(item),
            FavoritesEdit::Remove(item) => inner.favorites.remove(item),
        }))
    }
}
