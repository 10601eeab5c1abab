//! Hotel rooms and trips: booked and saved behind a service, listed and called off.

mod book;
mod cancel;
mod itinerary;
mod list;
mod names;
mod simulated;
#[cfg(test)]
mod tests;
mod trip;

pub use itinerary::{DayPlan, Itinerary};
pub use simulated::SimulatedBooking;

use incar_core::{Erased, ErrorKind, Holder, Lang, RecordStore, Timestamp, Tool, ToolError, async_trait};
use jiff::ToSpan;
use jiff::civil::Date;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

/// How long a booking service has to answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Books rooms.
#[async_trait]
pub trait BookingService: Send + Sync + Debug {
    /// Books a room for `holder`. The same `key` books the same room once, however often it is tried.
    ///
    /// # Errors
    /// [`BookingError`] where nothing was booked.
    async fn book(&self, holder: &Holder, stay: &Stay, key: &str, at: Timestamp) -> Result<Booking, BookingError>;

    /// What `holder` has booked, oldest first.
    ///
    /// # Errors
    /// [`BookingError::Unavailable`].
    async fn bookings(&self, holder: &Holder) -> Result<Vec<Booking>, BookingError>;

    /// Calls a booking off, by its number.
    ///
    /// # Errors
    /// [`BookingError`] where it was not.
    async fn cancel(&self, holder: &Holder, number: &str) -> Result<Booking, BookingError>;
}

/// A room for some nights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stay {
    /// The city's name.
    pub city: String,
    /// The first night's day.
    pub check_in: Date,
    /// How many nights, 1 to 30.
    pub nights: u8,
    /// What room.
    pub room_type: RoomType,
    /// For how many, where that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guests: Option<u8>,
}

impl Stay {
    /// The day of leaving.
    pub fn check_out(&self) -> Date {
        self.check_in.saturating_add(i32::from(self.nights).days())
    }
}

/// What room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RoomType {
    /// One wide bed.
    King,
    /// Two beds.
    Twin,
    /// Whatever is usual there.
    Standard,
    /// Several rooms.
    Suite,
    /// For a family.
    Family,
}

impl RoomType {
    /// Its name.
    pub fn name(self, lang: Lang) -> &'static str {
        match self {
            Self::King => lang.pick("大床房", "king room"),
            Self::Twin => lang.pick("双床房", "twin room"),
            Self::Standard => lang.pick("标准间", "standard room"),
            Self::Suite => lang.pick("套房", "suite"),
            Self::Family => lang.pick("家庭房", "family room"),
        }
    }
}

/// A room that is booked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Booking {
    /// Its number.
    pub number: String,
    /// The hotel's name.
    pub hotel: String,
    /// What was booked.
    #[serde(flatten)]
    pub stay: Stay,
    /// Yuan for one night.
    pub price_per_night: u32,
    /// Whether a simulator made it up.
    pub simulated: bool,
}

impl Booking {
    /// A booking in a hotel, for this many yuan a night.
    pub fn new(number: impl Into<String>, hotel: impl Into<String>, stay: Stay, price_per_night: u32) -> Self {
        Self {
            number: number.into(),
            hotel: hotel.into(),
            stay,
            price_per_night,
            simulated: false,
        }
    }

    /// Yuan for all nights.
    pub fn total(&self) -> u32 {
        self.price_per_night * u32::from(self.stay.nights)
    }
}

/// Why nothing was booked, or called off.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BookingError {
    /// No such city.
    #[error("no such city")]
    City,
    /// No room is left.
    #[error("no room is left")]
    NoRoom,
    /// No booking has this number.
    #[error("no such booking")]
    Unknown,
    /// The service cannot be reached.
    #[error("the booking service cannot be reached: {0}")]
    Unavailable(String),
}

/// The tools: `book_hotel`, `save_trip`, `list_bookings`, `cancel_booking`. Trips are kept in `records`.
pub fn tools(service: &Arc<dyn BookingService>, records: &Arc<dyn RecordStore>) -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(Erased::new(book::BookHotel(service.clone()))),
        Arc::new(Erased::new(trip::SaveTrip(records.clone()))),
        Arc::new(Erased::new(list::ListBookings {
            service: service.clone(),
            records: records.clone(),
        })),
        Arc::new(Erased::new(cancel::CancelBooking {
            service: service.clone(),
            records: records.clone(),
        })),
    ]
}

fn failed(error: &BookingError, lang: Lang) -> ToolError {
    let (kind, message) = match error {
        BookingError::City => (
            ErrorKind::NotFound,
            lang.pick("没有找到这个城市。", "I don't know that city."),
        ),
        BookingError::NoRoom => (ErrorKind::NotFound, lang.pick("没有空房了。", "There is no room left.")),
        BookingError::Unknown => (
            ErrorKind::NotFound,
            lang.pick("没有找到这个预订。", "There is no such booking."),
        ),
        BookingError::Unavailable(_) => (
            ErrorKind::ToolFailed,
            lang.pick(
                "预订服务暂时连不上。",
                "The booking service can't be reached right now.",
            ),
        ),
    };
    ToolError::new(kind, message)
}

/// A day, ISO 8601.
fn day(said: &str, argument: &str, lang: Lang) -> Result<Date, ToolError> {
    said.parse().map_err(|_| {
        let message = lang.pick("请问是哪一天？", "Which day?");
        ToolError::ask(ErrorKind::InvalidInput, argument, message)
    })
}

fn day_name(day: Date, lang: Lang) -> String {
    crate::weather::date_name(day, lang)
}

fn plural(count: impl Into<u32>, one: &str, many: &str) -> String {
    let count = count.into();
    format!("{count} {}", if count == 1 { one } else { many })
}
