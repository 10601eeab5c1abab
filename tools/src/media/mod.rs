//! Music, radio and video: the tools, the service they act on, and a simulated one.
//!
//! The loudness of media is the car's (`set_volume`), not the player's.

mod control_playback;
mod failed;
mod favorites;
mod names;
mod now;
mod now_playing;
mod play_music;
mod play_radio;
mod play_video;
mod service;
mod signals;
mod simulated;
mod spoken;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use incar_core::{Bilingual, Effect, Erased, Tool, ToolCategory, ToolSpec};

pub use self::service::{FavoritesEdit, MediaError, MediaService, PlayOrder, PlayerCommand, PlayerState, Screen};
pub use self::simulated::SimulatedMedia;

/// How long the player has to do as told.
const TIMEOUT: Duration = Duration::from_secs(5);

/// The tools that act on `media`.
///
/// ```
/// use incar_core::{ManualClock, ToolRegistry};
/// use incar_tools::media::{self, SimulatedMedia};
/// use std::sync::Arc;
///
/// let mut registry = ToolRegistry::new();
/// for tool in media::tools(Arc::new(SimulatedMedia::embedded(Arc::new(ManualClock::default()))?)) {
///     registry.register_erased(tool)?;
/// }
/// assert!(registry.get("play_music").is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn tools(media: Arc<dyn MediaService>) -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(Erased::new(play_music::PlayMusic(media.clone()))),
        Arc::new(Erased::new(control_playback::ControlPlayback(media.clone()))),
        Arc::new(Erased::new(now_playing::GetNowPlaying(media.clone()))),
        Arc::new(Erased::new(favorites::PlayFavorites(media.clone()))),
        Arc::new(Erased::new(favorites::EditFavorites(media.clone()))),
        Arc::new(Erased::new(play_radio::PlayRadio(media.clone()))),
        Arc::new(Erased::new(play_video::PlayVideo(media))),
    ]
}

/// A spec of this category, with the tool's words.
fn spec(name: &'static str, effect: Effect, zh: &str, en: &str) -> ToolSpec {
    ToolSpec::new(name, ToolCategory::MUSIC, effect, Bilingual::new(zh, en))
        .with_timeout(TIMEOUT)
        .with_words(crate::words::of(name))
}
