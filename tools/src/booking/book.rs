//! Booking a room.

use super::names::CityNames;
use super::{Booking, BookingService, RoomType, Stay, TIMEOUT, day, day_name, failed, plural};
use incar_core::{
    Bilingual, Effect, Lang, ToolCategory, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// `book_hotel`.
#[derive(Debug)]
pub(super) struct BookHotel(pub(super) Arc<dyn BookingService>);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// The city.
    city: String,
    /// The day of arrival: ISO 8601, or the driver's words.
    check_in: String,
    /// How many nights, 1 to 30.
    #[schemars(range(min = 1, max = 30))]
    nights: u8,
    /// The kind of room.
    room_type: RoomType,
    /// How many guests, where that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 20))]
    guests: Option<u8>,
}

#[async_trait]
impl TypedTool for BookHotel {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        let description = Bilingual::new("预订酒店房间", "Book a hotel room");
        ToolSpec::new("book_hotel", ToolCategory::HOTEL_BOOKING, Effect::Act, description)
            .with_timeout(TIMEOUT)
            .with_names("city", Arc::new(CityNames))
            .with_words(crate::words::of("book_hotel"))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let stay = Stay {
            city: args.city,
            check_in: day(&args.check_in, "check_in", cx.lang)?,
            nights: args.nights,
            room_type: args.room_type,
            guests: args.guests,
        };
        let booking = self
            .0
            .book(&cx.speaker.holder(), &stay, cx.idempotency_key, cx.clock.now())
            .await
            .map_err(|error| failed(&error, cx.lang))?;
        let mut value = json!(booking);
        if let Some(value) = value.as_object_mut() {
            value.insert("check_out".into(), json!(booking.stay.check_out()));
            value.insert("total".into(), json!(booking.total()));
            value.insert("currency".into(), "CNY".into());
        }
        Ok(ToolOutput::new(value)?.say(sentence(&booking, cx.lang)))
    }
}

fn sentence(booking: &Booking, lang: Lang) -> String {
    let stay = &booking.stay;
    let (room, arrival) = (stay.room_type.name(lang), day_name(stay.check_in, lang));
    let simulated = if booking.simulated {
        lang.pick("这是模拟预订。", " This is a simulated booking.")
    } else {
        ""
    };
    lang.pick(
        format!(
            "已预订{}{}的{room}，{arrival}入住，住{}晚，一共{}元，预订号{}。{simulated}",
            stay.city,
            booking.hotel,
            stay.nights,
            booking.total(),
            booking.number
        ),
        format!(
            "Booked: a {room} at {} in {}, from {arrival} for {}, {} yuan in all; the number is {}.{simulated}",
            booking.hotel,
            stay.city,
            plural(stay.nights, "night", "nights"),
            booking.total(),
            booking.number
        ),
    )
}
