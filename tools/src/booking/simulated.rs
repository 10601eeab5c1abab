//! A booking service that makes its hotels up: the same ones on every machine, and said to be made up.

use super::names::city_named;
use super::{Booking, BookingError, BookingService, RoomType, Stay};
use crate::places::{Gazetteer, Query};
use incar_core::{Holder, Lang, Record, RecordStore, Timestamp, async_trait};
use std::fmt::Debug;
use std::sync::Arc;

/// Where bookings stand in the record store.
pub(super) const SHELF: &str = "bookings";
/// So many hotels of a city are looked at.
const HOTELS: usize = 12;

/// Hotels of the simulator, in every city of the gazetteer; the bookings are kept in a [`RecordStore`].
#[derive(Debug, Clone)]
pub struct SimulatedBooking(Arc<dyn RecordStore>);

impl SimulatedBooking {
    /// A service that keeps its bookings in `records`.
    pub fn new(records: Arc<dyn RecordStore>) -> Self {
        Self(records)
    }
}

#[async_trait]
impl BookingService for SimulatedBooking {
    async fn book(&self, holder: &Holder, stay: &Stay, key: &str, at: Timestamp) -> Result<Booking, BookingError> {
        let number = format!("H{:06}", hash(key) % 1_000_000);
        if let Some(earlier) = self
            .bookings(holder)
            .await?
            .into_iter()
            .find(|known| known.number == number)
        {
            return Ok(earlier);
        }
        let (hotel, price) = hotel(stay).ok_or(BookingError::City)?;
        let mut booking = Booking::new(number, hotel, stay.clone(), price);
        booking.simulated = true;
        let value = serde_json::to_value(&booking).map_err(|error| BookingError::Unavailable(error.to_string()))?;
        self.0
            .put(holder, SHELF, Record::new(booking.number.clone(), value, at))
            .await
            .map_err(|error| BookingError::Unavailable(error.to_string()))?;
        Ok(booking)
    }

    async fn bookings(&self, holder: &Holder) -> Result<Vec<Booking>, BookingError> {
        let records = self
            .0
            .list(holder, SHELF)
            .await
            .map_err(|error| BookingError::Unavailable(error.to_string()))?;
        // What another version wrote and nobody can read is no booking of this service.
        Ok(records
            .into_iter()
            .filter_map(|record| serde_json::from_value(record.value).ok())
            .collect())
    }

    async fn cancel(&self, holder: &Holder, number: &str) -> Result<Booking, BookingError> {
        let deleted = self
            .0
            .delete(holder, SHELF, number)
            .await
            .map_err(|error| BookingError::Unavailable(error.to_string()))?;
        deleted
            .and_then(|record| serde_json::from_value(record.value).ok())
            .ok_or(BookingError::Unknown)
    }
}

/// A hotel in the city and its price: which one depends on what is wanted, always in the same way.
fn hotel(stay: &Stay) -> Option<(String, u32)> {
    let city = city_named(&stay.city)?;
    let query = Query::new("").category("hotel").near(city.position).limit(HOTELS);
    let hotels = Gazetteer::embedded().search(&query);
    let lang = Lang::of_text(&stay.city).unwrap_or_default();
    let wish = hash(&format!("{}/{}/{:?}", city.id.as_str(), stay.check_in, stay.room_type));
    let nth = usize::try_from(wish % hotels.len().max(1) as u64).ok()?;
    let hotel = &hotels.get(nth)?.place;
    let usual = 240 + u32::try_from(hash(hotel.id.as_str()) % 40).ok()? * 10;
    let factor = match stay.room_type {
        RoomType::Standard => 100,
        RoomType::King | RoomType::Twin => 110,
        RoomType::Family => 150,
        RoomType::Suite => 220,
    };
    Some((hotel.spoken_name(lang).to_owned(), usual * factor / 100))
}

/// FNV-1a: the same on every machine.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
