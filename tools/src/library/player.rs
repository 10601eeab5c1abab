//! The media player: a state machine that is told what to do and how much time has passed.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::queue::shuffled;
use super::{Playback, QueueItem, Repeat};

/// Speeds in percent, slowest first.
const SPEEDS: [u16; 6] = [50, 75, 100, 125, 150, 200];
const NORMAL_SPEED: u16 = 100;

/// Why the player did not do as told. It is then as it was before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// There is nothing to play.
    #[error("the queue is empty")]
    EmptyQueue,
    /// Nothing is playing or paused.
    #[error("nothing is playing")]
    NothingPlaying,
    /// The last item is playing and nothing follows it.
    #[error("this is the end of the queue")]
    EndOfQueue,
    /// The first item is playing and nothing comes before it.
    #[error("this is the start of the queue")]
    StartOfQueue,
    /// The queue has no such item.
    #[error("the queue has {len} items, none has the index {index}")]
    NoSuchItem {
        /// The index asked for, from 0.
        index: usize,
        /// How many items there are.
        len: usize,
    },
    /// What plays cannot be moved about in.
    #[error("there is no moving about in a live programme")]
    NotSeekable,
    /// The position lies beyond the end.
    #[error("the end is at {duration_ms} ms")]
    BeyondEnd {
        /// How long what plays lasts, in milliseconds.
        duration_ms: u64,
    },
    /// It plays at the highest or lowest speed already.
    #[error("the speed is at its limit of {percent} percent")]
    SpeedLimit {
        /// The speed in percent.
        percent: u16,
    },
}

/// What happened while time passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// The same item goes on, or nothing plays.
    Same,
    /// Another item plays, or the same one again.
    Moved,
    /// The queue came to its end: stopped, and ready to start again from its first item.
    Ended,
}

/// The media player.
///
/// Time comes from outside, by [`Player::advance`]. A queue that ends stops and goes back to its first item. Saved with
/// serde it comes back as it was; a saved state that contradicts itself is refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Saved")]
pub struct Player {
    queue: Vec<QueueItem>,
    /// Indices into the queue, in playing order: each once.
    order: Vec<usize>,
    /// Which place of the order is current.
    cursor: usize,
    position_ms: u64,
    playback: Playback,
    repeat: Repeat,
    shuffle_seed: Option<u64>,
    speed_percent: u16,
}

impl Default for Player {
    fn default() -> Self {
        Self {
            queue: Vec::new(),
            order: Vec::new(),
            cursor: 0,
            position_ms: 0,
            playback: Playback::Stopped,
            repeat: Repeat::Off,
            shuffle_seed: None,
            speed_percent: NORMAL_SPEED,
        }
    }
}

impl Player {
    /// The queue, in its own order.
    pub fn queue(&self) -> &[QueueItem] {
        &self.queue
    }

    /// The current item's index in the queue; None where the queue is empty.
    pub fn index(&self) -> Option<usize> {
        self.order.get(self.cursor).copied()
    }

    /// The item that plays, is paused, or would be resumed.
    pub fn current(&self) -> Option<QueueItem> {
        self.queue.get(self.index()?).copied()
    }

    /// The item that plays or is paused.
    ///
    /// # Errors
    /// [`PlayerError::NothingPlaying`].
    pub fn now_playing(&self) -> Result<QueueItem, PlayerError> {
        match self.playback {
            Playback::Playing | Playback::Paused => self.current().ok_or(PlayerError::NothingPlaying),
            Playback::Stopped => Err(PlayerError::NothingPlaying),
        }
    }

    /// How far into the current item it is, in milliseconds.
    pub fn position_ms(&self) -> u64 {
        self.position_ms
    }

    /// Whether it plays.
    pub fn playback(&self) -> Playback {
        self.playback
    }

    /// What follows the end of an item.
    pub fn repeat(&self) -> Repeat {
        self.repeat
    }

    /// Whether the order is shuffled.
    pub fn is_shuffled(&self) -> bool {
        self.shuffle_seed.is_some()
    }

    /// The speed in percent: 100 is as recorded.
    pub fn speed_percent(&self) -> u16 {
        self.speed_percent
    }

    /// Plays a new queue from an index. Repeat and shuffle stay as set, the speed becomes normal.
    ///
    /// # Errors
    /// [`PlayerError::EmptyQueue`], [`PlayerError::NoSuchItem`].
    pub fn play(&mut self, queue: Vec<QueueItem>, start: usize) -> Result<(), PlayerError> {
        if queue.is_empty() {
            return Err(PlayerError::EmptyQueue);
        }
        if start >= queue.len() {
            return Err(PlayerError::NoSuchItem {
                index: start,
                len: queue.len(),
            });
        }
        self.queue = queue;
        self.reorder(start);
        self.speed_percent = NORMAL_SPEED;
        self.start(self.cursor);
        Ok(())
    }

    /// Holds what plays. Paused already, it stays so.
    ///
    /// # Errors
    /// [`PlayerError::NothingPlaying`].
    pub fn pause(&mut self) -> Result<(), PlayerError> {
        self.now_playing()?;
        self.playback = Playback::Paused;
        Ok(())
    }

    /// Goes on, also with a queue that was stopped.
    ///
    /// # Errors
    /// [`PlayerError::NothingPlaying`] where there is no queue.
    pub fn resume(&mut self) -> Result<(), PlayerError> {
        self.current().ok_or(PlayerError::NothingPlaying)?;
        self.playback = Playback::Playing;
        Ok(())
    }

    /// Stops, and goes back to the start of the item.
    ///
    /// # Errors
    /// [`PlayerError::NothingPlaying`].
    pub fn stop(&mut self) -> Result<(), PlayerError> {
        self.now_playing()?;
        self.playback = Playback::Stopped;
        self.position_ms = 0;
        Ok(())
    }

    /// Plays the next item; after the last, the first if all is repeated.
    ///
    /// # Errors
    /// [`PlayerError::NothingPlaying`], [`PlayerError::EndOfQueue`].
    pub fn play_next(&mut self) -> Result<(), PlayerError> {
        self.now_playing()?;
        let cursor = match (self.cursor + 1 < self.order.len(), self.repeat) {
            (true, _) => self.cursor + 1,
            (false, Repeat::All) => 0,
            (false, Repeat::Off | Repeat::One) => return Err(PlayerError::EndOfQueue),
        };
        self.start(cursor);
        Ok(())
    }

    /// Plays the item before; before the first, the last if all is repeated.
    ///
    /// # Errors
    /// [`PlayerError::NothingPlaying`], [`PlayerError::StartOfQueue`].
    pub fn play_previous(&mut self) -> Result<(), PlayerError> {
        self.now_playing()?;
        let cursor = match (self.cursor.checked_sub(1), self.repeat) {
            (Some(cursor), _) => cursor,
            (None, Repeat::All) => self.order.len().saturating_sub(1),
            (None, Repeat::Off | Repeat::One) => return Err(PlayerError::StartOfQueue),
        };
        self.start(cursor);
        Ok(())
    }

    /// Plays the current item from its start.
    ///
    /// # Errors
    /// [`PlayerError::NothingPlaying`] where there is no queue.
    pub fn replay(&mut self) -> Result<(), PlayerError> {
        self.current().ok_or(PlayerError::NothingPlaying)?;
        self.start(self.cursor);
        Ok(())
    }

    /// Plays the item with an index of the queue, from 0.
    ///
    /// # Errors
    /// [`PlayerError::NothingPlaying`] where there is no queue, [`PlayerError::NoSuchItem`].
    pub fn jump(&mut self, index: usize) -> Result<(), PlayerError> {
        self.current().ok_or(PlayerError::NothingPlaying)?;
        let cursor = self.order.iter().position(|known| *known == index);
        self.start(cursor.ok_or(PlayerError::NoSuchItem {
            index,
            len: self.queue.len(),
        })?);
        Ok(())
    }

    /// Goes to a position of what plays, in milliseconds.
    ///
    /// # Errors
    /// [`PlayerError::NothingPlaying`], [`PlayerError::NotSeekable`], [`PlayerError::BeyondEnd`].
    pub fn seek(&mut self, position_ms: u64) -> Result<(), PlayerError> {
        let duration_ms = self.now_playing()?.duration_ms.ok_or(PlayerError::NotSeekable)?;
        if position_ms >= duration_ms {
            return Err(PlayerError::BeyondEnd { duration_ms });
        }
        self.position_ms = position_ms;
        Ok(())
    }

    /// Goes forward by some milliseconds.
    ///
    /// # Errors
    /// As [`Player::seek`].
    pub fn forward(&mut self, by_ms: u64) -> Result<(), PlayerError> {
        self.seek(self.position_ms.saturating_add(by_ms))
    }

    /// Goes back by some milliseconds, at most to the start.
    ///
    /// # Errors
    /// As [`Player::seek`].
    pub fn rewind(&mut self, by_ms: u64) -> Result<(), PlayerError> {
        self.seek(self.position_ms.saturating_sub(by_ms))
    }

    /// Sets what follows the end of an item.
    pub fn set_repeat(&mut self, repeat: Repeat) {
        self.repeat = repeat;
    }

    /// Shuffles what follows: the current item comes first, and the seed fixes the order of the others.
    pub fn shuffle(&mut self, seed: u64) {
        self.shuffle_seed = Some(seed);
        self.reorder(self.index().unwrap_or_default());
    }

    /// Goes back to the queue's own order, at the current item.
    pub fn play_in_order(&mut self) {
        self.shuffle_seed = None;
        self.reorder(self.index().unwrap_or_default());
    }

    /// Plays one step faster.
    ///
    /// # Errors
    /// [`PlayerError::NothingPlaying`], [`PlayerError::SpeedLimit`], [`PlayerError::NotSeekable`] for what has no end.
    pub fn faster(&mut self) -> Result<(), PlayerError> {
        let current = self.speed_percent;
        self.set_speed(SPEEDS.into_iter().find(|speed| *speed > current))
    }

    /// Plays one step slower.
    ///
    /// # Errors
    /// As [`Player::faster`].
    pub fn slower(&mut self) -> Result<(), PlayerError> {
        let current = self.speed_percent;
        self.set_speed(SPEEDS.into_iter().rev().find(|speed| *speed < current))
    }

    /// Lets time pass, in milliseconds.
    pub fn advance(&mut self, elapsed_ms: u64) -> Progress {
        let (Playback::Playing, Some(current)) = (self.playback, self.current()) else {
            return Progress::Same;
        };
        let played = elapsed_ms.saturating_mul(u64::from(self.speed_percent)) / u64::from(NORMAL_SPEED);
        let position = self.position_ms.saturating_add(played);
        match (current.duration_ms, self.repeat) {
            (Some(duration), Repeat::One) if position >= duration => {
                self.position_ms = position % duration;
                Progress::Moved
            }
            (Some(duration), _) if position >= duration => self.advance_past(position - duration),
            _ => {
                self.position_ms = position;
                Progress::Same
            }
        }
    }

    /// The current item ended `over_ms` ago.
    fn advance_past(&mut self, over_ms: u64) -> Progress {
        let mut over = match self.round_ms() {
            // Whole rounds end where they began; without this a long time would be many turns of the loop.
            Some(round) if self.repeat == Repeat::All => over_ms % round,
            _ => over_ms,
        };
        loop {
            if self.play_next().is_err() {
                self.start(0);
                self.playback = Playback::Stopped;
                return Progress::Ended;
            }
            match self.current().and_then(|item| item.duration_ms) {
                Some(duration) if over >= duration => over -= duration,
                _ => {
                    self.position_ms = over;
                    return Progress::Moved;
                }
            }
        }
    }

    /// How long the whole queue lasts; None where an item has no end.
    fn round_ms(&self) -> Option<u64> {
        self.queue
            .iter()
            .try_fold(0u64, |sum, item| Some(sum.saturating_add(item.duration_ms?)))
    }

    fn start(&mut self, cursor: usize) {
        self.cursor = cursor;
        self.position_ms = 0;
        self.playback = Playback::Playing;
    }

    fn reorder(&mut self, current: usize) {
        if self.queue.is_empty() {
            return;
        }
        match self.shuffle_seed {
            Some(seed) => {
                self.order = shuffled(self.queue.len(), current, seed);
                self.cursor = 0;
            }
            None => {
                self.order = (0..self.queue.len()).collect();
                self.cursor = current;
            }
        }
    }

    fn set_speed(&mut self, speed: Option<u16>) -> Result<(), PlayerError> {
        self.now_playing()?.duration_ms.ok_or(PlayerError::NotSeekable)?;
        self.speed_percent = speed.ok_or(PlayerError::SpeedLimit {
            percent: self.speed_percent,
        })?;
        Ok(())
    }
}

/// What a saved player looks like before it is trusted.
#[derive(Deserialize)]
struct Saved {
    queue: Vec<QueueItem>,
    order: Vec<usize>,
    cursor: usize,
    position_ms: u64,
    playback: Playback,
    repeat: Repeat,
    shuffle_seed: Option<u64>,
    speed_percent: u16,
}

/// A saved player that contradicts itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the saved player contradicts itself: {0}")]
struct Contradiction(&'static str);

impl TryFrom<Saved> for Player {
    type Error = Contradiction;

    fn try_from(saved: Saved) -> Result<Self, Self::Error> {
        let Saved {
            queue,
            order,
            cursor,
            position_ms,
            playback,
            repeat,
            shuffle_seed,
            speed_percent,
        } = saved;
        let player = Self {
            queue,
            order,
            cursor,
            position_ms,
            playback,
            repeat,
            shuffle_seed,
            speed_percent,
        };
        player.contradiction().map_or(Ok(player), |why| Err(Contradiction(why)))
    }
}

impl Player {
    fn contradiction(&self) -> Option<&'static str> {
        let mut sorted = self.order.clone();
        sorted.sort_unstable();
        let current = self.current();
        let duration = current.and_then(|item| item.duration_ms);
        [
            (
                !sorted.into_iter().eq(0..self.queue.len()),
                "the order is not one of the queue",
            ),
            (
                self.cursor >= self.order.len().max(1),
                "the cursor is outside the order",
            ),
            (
                self.queue.iter().any(|item| item.duration_ms == Some(0)),
                "an item lasts no time",
            ),
            (
                duration.is_some_and(|duration| self.position_ms >= duration),
                "the position is beyond the end",
            ),
            (
                current.is_none() && self.playback != Playback::Stopped,
                "nothing can play",
            ),
            (!SPEEDS.contains(&self.speed_percent), "the speed is not one there is"),
        ]
        .into_iter()
        .find_map(|(is_so, why)| is_so.then_some(why))
    }
}

#[cfg(test)]
#[path = "player_tests.rs"]
mod tests;
