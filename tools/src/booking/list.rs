//! What is booked and planned.

use super::trip::{Trip, trips};
use super::{Booking, BookingService, TIMEOUT, day_name, failed, plural};
use incar_core::{
    Bilingual, Effect, Lang, RecordStore, ToolCategory, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool,
    async_trait,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// So many are spoken.
const SPOKEN: usize = 3;

/// `list_bookings`.
#[derive(Debug)]
pub(super) struct ListBookings {
    pub(super) service: Arc<dyn BookingService>,
    pub(super) records: Arc<dyn RecordStore>,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {}

#[async_trait]
impl TypedTool for ListBookings {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        let description = Bilingual::new("查看已订的酒店和已存的行程", "List booked hotels and saved trips");
        ToolSpec::new("list_bookings", ToolCategory::HOTEL_BOOKING, Effect::Read, description)
            .with_timeout(TIMEOUT)
            .with_words(crate::words::of("list_bookings"))
    }

    async fn run(&self, _: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let holder = cx.speaker.holder();
        let bookings = self
            .service
            .bookings(&holder)
            .await
            .map_err(|error| failed(&error, cx.lang))?;
        let trips = trips(&*self.records, &holder, cx.lang).await?;
        let say = sentence(&bookings, &trips, cx.lang);
        Ok(ToolOutput::new(json!({"bookings": bookings, "trips": trips}))?.say(say))
    }
}

/// A booking in few words.
pub(super) fn named(booking: &Booking, lang: Lang) -> String {
    let stay = &booking.stay;
    lang.pick(
        format!(
            "{}入住{}{}{}晚",
            day_name(stay.check_in, lang),
            stay.city,
            booking.hotel,
            stay.nights
        ),
        format!(
            "{} in {} from {} for {}",
            booking.hotel,
            stay.city,
            day_name(stay.check_in, lang),
            plural(stay.nights, "night", "nights")
        ),
    )
}

fn sentence(bookings: &[Booking], trips: &[Trip], lang: Lang) -> String {
    let all = bookings
        .iter()
        .map(|booking| named(booking, lang))
        .chain(trips.iter().map(|trip| trip.named(lang)));
    let all: Vec<String> = all.collect();
    if all.is_empty() {
        return lang.pick("您还没有预订。", "You have no bookings.").to_owned();
    }
    let list = all
        .iter()
        .take(SPOKEN)
        .cloned()
        .collect::<Vec<_>>()
        .join(lang.pick("；", "; "));
    let count = u32::try_from(all.len()).unwrap_or(u32::MAX);
    lang.pick(
        format!("您有{count}个预订：{list}。"),
        format!("You have {}: {list}.", plural(count, "booking", "bookings")),
    )
}
