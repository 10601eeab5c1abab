//! What the media tools need of whatever plays.

use std::fmt::Debug;
use std::sync::Arc;

use incar_core::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::library::{Favorites, Library, MediaItem, Playback, Player, PlayerError, Repeat};

/// The media of one car: a catalogue to find things in, and a player.
///
/// Finding is the [`Library`]'s, so that every back end understands names alike; a back end with a collection of its own
/// (MPD, MPRIS) fills a library from it and plays the items found there.
#[async_trait]
pub trait MediaService: Send + Sync + Debug {
    /// What there is to play. It may be another one later, when the collection has changed.
    fn library(&self) -> Arc<Library>;

    /// What the player does now.
    fn state(&self) -> PlayerState;

    /// What is liked in this car.
    fn favorites(&self) -> Favorites;

    /// The city whose stations the radio receives best, in Chinese as [`crate::library::Station::city`]; None where that
    /// is not known.
    fn radio_city(&self) -> Option<String>;

    /// Plays a new queue from its first item. Videos are shown on `screen`; None keeps the one there was.
    ///
    /// # Errors
    /// [`MediaError`]; what played before then still does.
    async fn play(&self, queue: Vec<MediaItem>, screen: Option<Screen>) -> Result<PlayerState, MediaError>;

    /// Does something to what plays.
    ///
    /// # Errors
    /// [`MediaError`]; nothing has then changed.
    async fn control(&self, command: PlayerCommand) -> Result<PlayerState, MediaError>;

    /// Adds to the favourites or takes away; false where that changes nothing.
    ///
    /// # Errors
    /// [`MediaError`] where the back end failed.
    async fn edit_favorites(&self, edit: FavoritesEdit) -> Result<bool, MediaError>;
}

/// What a player can be told while something plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PlayerCommand {
    /// Hold it.
    Pause,
    /// Go on, also with a queue that was stopped.
    Resume,
    /// Stop, and go back to the start of the item.
    Stop,
    /// Play the next item.
    Next,
    /// Play the item before.
    Previous,
    /// Play the item again from its start.
    Replay,
    /// Play the item with this index in the queue, from 0.
    Jump(usize),
    /// Go to this position, in milliseconds.
    Seek(u64),
    /// Go forward by milliseconds.
    Forward(u64),
    /// Go back by milliseconds.
    Rewind(u64),
    /// Play one step faster.
    Faster,
    /// Play one step slower.
    Slower,
    /// What follows the end of an item.
    Repeat(Repeat),
    /// The order of the queue.
    Order(PlayOrder),
}

impl PlayerCommand {
    /// Does this to `player`; a shuffle takes its order from `seed`.
    ///
    /// # Errors
    /// [`PlayerError`] where the player cannot.
    pub fn apply(self, player: &mut Player, seed: u64) -> Result<(), PlayerError> {
        match self {
            Self::Pause => player.pause(),
            Self::Resume => player.resume(),
            Self::Stop => player.stop(),
            Self::Next => player.play_next(),
            Self::Previous => player.play_previous(),
            Self::Replay => player.replay(),
            Self::Jump(index) => player.jump(index),
            Self::Seek(position) => player.seek(position),
            Self::Forward(by) => player.forward(by),
            Self::Rewind(by) => player.rewind(by),
            Self::Faster => player.faster(),
            Self::Slower => player.slower(),
            Self::Repeat(repeat) => {
                player.set_repeat(repeat);
                Ok(())
            }
            Self::Order(PlayOrder::InOrder) => {
                player.play_in_order();
                Ok(())
            }
            Self::Order(PlayOrder::Shuffled) => {
                player.shuffle(seed);
                Ok(())
            }
        }
    }
}

/// The order in which a queue is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlayOrder {
    /// Its own.
    #[default]
    InOrder,
    /// By chance, each item once.
    Shuffled,
}

/// A change of the favourites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FavoritesEdit {
    /// Like it.
    Add(MediaItem),
    /// Like it no longer.
    Remove(MediaItem),
}

/// A screen that shows videos.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Screen {
    /// In the middle of the dashboard.
    Center,
    /// In front of the passenger.
    Passenger,
    /// For the rows behind.
    Rear,
}

/// What a player does at a moment. Nothing by default; back ends fill in what they know.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlayerState {
    /// What plays, is paused, or would be resumed.
    pub item: Option<MediaItem>,
    /// Whether it plays.
    pub playback: Playback,
    /// The item's index in the queue, from 0.
    pub index: Option<usize>,
    /// How many items the queue has.
    pub queue_length: usize,
    /// How far into the item it is, in milliseconds.
    pub position_ms: u64,
    /// How long the item lasts, in milliseconds; None where it has no known end.
    pub duration_ms: Option<u64>,
    /// What follows the end of an item.
    pub repeat: Repeat,
    /// The order of the queue.
    pub order: PlayOrder,
    /// The speed in percent: 100 is as recorded.
    pub speed_percent: u16,
    /// Where videos are shown.
    pub screen: Option<Screen>,
}

impl PlayerState {
    /// What plays or is paused; None where it is stopped.
    pub fn now_playing(&self) -> Option<MediaItem> {
        match self.playback {
            Playback::Playing | Playback::Paused => self.item,
            Playback::Stopped => None,
        }
    }
}

impl From<&Player> for PlayerState {
    fn from(player: &Player) -> Self {
        let current = player.current();
        Self {
            item: current.map(|item| item.item),
            playback: player.playback(),
            index: player.index(),
            queue_length: player.queue().len(),
            position_ms: player.position_ms(),
            duration_ms: current.and_then(|item| item.duration_ms),
            repeat: player.repeat(),
            order: if player.is_shuffled() {
                PlayOrder::Shuffled
            } else {
                PlayOrder::InOrder
            },
            speed_percent: player.speed_percent(),
            screen: None,
        }
    }
}

/// Why the media service did not do as told.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum MediaError {
    /// The player cannot, as things are.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The back end has none of what was to be played.
    #[error("the player has none of these items")]
    Unplayable,
    /// The back end did not answer; what it did is not known.
    #[error("the player did not answer: {0}")]
    NoAnswer(String),
}
