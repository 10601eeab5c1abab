//! How the map is shown and spoken.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the map is shown, and how much of the guidance is spoken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MapView {
    /// From 3 (a continent) to 20 (a building).
    pub zoom: u8,
    /// What is in view.
    pub extent: MapExtent,
    /// Flat or in perspective.
    pub dimension: MapDimension,
    /// What is up.
    pub orientation: MapOrientation,
    /// How much of the guidance is spoken.
    pub guidance: GuidanceVoice,
    /// Whether the traffic is drawn.
    pub traffic: TrafficLayer,
}

#[allow(missing_docs)] // The names say it.
mod parts {
    use super::{Deserialize, Serialize};

    /// What is in view.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum MapExtent {
        Car,
        /// The whole route, or the surroundings without one.
        Overview,
    }

    /// Flat or in perspective.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum MapDimension {
        Flat,
        Perspective,
    }

    /// What is up on the map.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum MapOrientation {
        North,
        Heading,
    }

    /// How much of the guidance is spoken.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum GuidanceVoice {
        Off,
        Brief,
        Detailed,
    }

    /// Whether the traffic is drawn.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum TrafficLayer {
        Shown,
        Hidden,
    }
}
pub use parts::{GuidanceVoice, MapDimension, MapExtent, MapOrientation, TrafficLayer};

const ZOOM: std::ops::RangeInclusive<u8> = 3..=20;

impl Default for MapView {
    fn default() -> Self {
        Self {
            zoom: 16,
            extent: MapExtent::Car,
            dimension: MapDimension::Flat,
            orientation: MapOrientation::Heading,
            guidance: GuidanceVoice::Detailed,
            traffic: TrafficLayer::Hidden,
        }
    }
}

/// What to do with the map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum MapAction {
    ZoomIn,
    ZoomOut,
    Overview,
    TwoD,
    ThreeD,
    NorthUp,
    HeadingUp,
    GuidanceOn,
    GuidanceOff,
    GuidanceBrief,
    GuidanceDetailed,
    ShowTraffic,
    HideTraffic,
    ReportEvent,
}

impl MapView {
    /// The view after an action.
    pub(super) fn after(mut self, action: MapAction) -> Self {
        match action {
            MapAction::ZoomIn => self.zoom_to(self.zoom.saturating_add(1)),
            MapAction::ZoomOut => self.zoom_to(self.zoom.saturating_sub(1)),
            MapAction::Overview => self.extent = MapExtent::Overview,
            MapAction::TwoD => self.dimension = MapDimension::Flat,
            MapAction::ThreeD => self.dimension = MapDimension::Perspective,
            MapAction::NorthUp => self.orientation = MapOrientation::North,
            MapAction::HeadingUp => self.orientation = MapOrientation::Heading,
            MapAction::GuidanceOn if self.guidance != GuidanceVoice::Off => {}
            MapAction::GuidanceOn | MapAction::GuidanceDetailed => self.guidance = GuidanceVoice::Detailed,
            MapAction::GuidanceOff => self.guidance = GuidanceVoice::Off,
            MapAction::GuidanceBrief => self.guidance = GuidanceVoice::Brief,
            MapAction::ShowTraffic => self.traffic = TrafficLayer::Shown,
            MapAction::HideTraffic => self.traffic = TrafficLayer::Hidden,
            MapAction::ReportEvent => {}
        }
        self
    }

    /// Zooming leaves the overview.
    fn zoom_to(&mut self, zoom: u8) {
        self.zoom = zoom.clamp(*ZOOM.start(), *ZOOM.end());
        self.extent = MapExtent::Car;
    }
}
