//! A song or piece of music.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::TrackId;
use super::tags::{Tag, TagKind, Wanted};

/// Where music comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Source {
    /// The car's own storage.
    Local,
    /// The phone, over Bluetooth.
    Bluetooth,
    /// A stick in the USB port.
    Usb,
    /// The online service, which has everything.
    Online,
}

impl Source {
    /// The source with this name in the data and in tool arguments.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "local" => Some(Self::Local),
            "bluetooth" => Some(Self::Bluetooth),
            "usb" => Some(Self::Usb),
            "online" => Some(Self::Online),
            _ => None,
        }
    }
}

/// A song or piece of music. Genres, moods and so on are ids of `tags.tsv`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Track {
    /// Its id.
    pub id: TrackId,
    /// The title as published.
    pub title: String,
    /// Other titles.
    pub aliases: Vec<String>,
    /// Who performs it, or composed it; the main artist first; never empty.
    pub artists: Vec<String>,
    /// The album, where known.
    pub album: Option<String>,
    /// The year of publication, or of composition.
    pub year: Option<u16>,
    /// The language sung in; `instrumental` for none.
    pub language: String,
    /// Genres; never empty.
    pub genres: Vec<String>,
    /// Moods.
    pub moods: Vec<String>,
    /// Scenes it suits.
    pub scenes: Vec<String>,
    /// Leading instruments.
    pub instruments: Vec<String>,
    /// What it is about or was made for.
    pub themes: Vec<String>,
    /// Where it lies beside the online service.
    pub stored: Vec<Source>,
    /// How long it lasts, in seconds.
    pub seconds: u32,
}

impl Track {
    /// The main artist.
    pub fn main_artist(&self) -> &str {
        self.artists.first().map(String::as_str).unwrap_or_default()
    }

    /// Whether it can be played from a source.
    pub fn is_on(&self, source: Source) -> bool {
        source == Source::Online || self.stored.contains(&source)
    }

    /// Whether it has what was asked for.
    pub(super) fn fits(&self, wanted: &Wanted) -> bool {
        match wanted {
            Wanted::Year(year) => self.year == Some(*year),
            Wanted::Tag(tag) => self.has(tag),
        }
    }

    fn has(&self, tag: &Tag) -> bool {
        match tag.kind {
            TagKind::Genre => self.genres.iter().any(|id| tag.covers(id)),
            TagKind::Mood => self.moods.iter().any(|id| tag.covers(id)),
            TagKind::Scene => self.scenes.iter().any(|id| tag.covers(id)),
            TagKind::Instrument => self.instruments.iter().any(|id| tag.covers(id)),
            TagKind::Theme => self.themes.iter().any(|id| tag.covers(id)),
            TagKind::Language => tag.covers(&self.language),
            TagKind::Era => self.year.is_some_and(|year| tag.covers(&(year / 10 * 10).to_string())),
            TagKind::Kind => false,
        }
    }
}
