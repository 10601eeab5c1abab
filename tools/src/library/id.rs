//! Ids of what can be played.

use serde::{Deserialize, Serialize};

use super::Tuning;

/// Defines an id that is a fingerprint of names, so that it stays the same when the data files are sorted anew or grow.
macro_rules! fingerprint_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(u32);

        impl $name {
            pub(super) fn of(names: &[&str]) -> Self {
                Self(fingerprint(names))
            }
        }
    };
}

fingerprint_id! {
    /// A track: a fingerprint of title and main artist, the same in every version of the library that has the track.
    TrackId
}
fingerprint_id! {
    /// A radio station: a fingerprint of its name.
    StationId
}
fingerprint_id! {
    /// A film, series or show: a fingerprint of its kind and title.
    VideoId
}

/// 32 bits of FNV-1a. Two names with one fingerprint are refused when the library is built.
fn fingerprint(names: &[&str]) -> u32 {
    let bytes = names.iter().flat_map(|name| name.bytes().chain(std::iter::once(0)));
    bytes.fold(0x811c_9dc5, |hash: u32, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// Something that can be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum MediaItem {
    /// A song or piece of the library.
    Song(TrackId),
    /// A radio station of the library.
    Station(StationId),
    /// A frequency on which the library knows no station.
    Tuning(Tuning),
    /// A video, or one episode of it.
    Video {
        /// The film, series or show.
        id: VideoId,
        /// Season, from 1.
        season: Option<u16>,
        /// Episode, from 1.
        episode: Option<u16>,
    },
}
