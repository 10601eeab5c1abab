//! Calling a booking off.

use super::list::named;
use super::trip::{self, trips, unavailable};
use super::{BookingService, TIMEOUT, failed};
use incar_core::{
    Bilingual, Effect, ErrorKind, Holder, Lang, RecordStore, ToolCategory, ToolContext, ToolError, ToolOutput,
    ToolSpec, TypedTool, async_trait,
};
use incar_text::{Text, numbers};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// So many are offered to choose from.
const MOST_CHOICES: usize = 5;

/// `cancel_booking`.
#[derive(Debug)]
pub(super) struct CancelBooking {
    pub(super) service: Arc<dyn BookingService>,
    pub(super) records: Arc<dyn RecordStore>,
}

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Which: its number, the city or hotel, "1" for the first, "last", or "all".
    which: String,
}

/// Something that can be called off.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Item {
    number: String,
    /// What it can be called by: city, hotel, destination.
    names: Vec<String>,
    spoken: String,
    is_trip: bool,
}

#[async_trait]
impl TypedTool for CancelBooking {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        let description = Bilingual::new("取消酒店预订或行程", "Cancel a hotel booking or a trip");
        ToolSpec::new("cancel_booking", ToolCategory::HOTEL_BOOKING, Effect::Act, description)
            .with_timeout(TIMEOUT)
            .with_words(crate::words::of("cancel_booking"))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let holder = cx.speaker.holder();
        let items = self.items(&holder, cx.lang).await?;
        if items.is_empty() {
            let message = cx
                .lang
                .pick("您没有可以取消的预订。", "You have no bookings to cancel.");
            return Err(ToolError::new(ErrorKind::NotFound, message));
        }
        let meant = meant(&args.which, &items);
        if meant.is_empty() || meant.len() > 1 && !is_all(&args.which) {
            let choices = if meant.is_empty() {
                items.iter().collect()
            } else {
                meant
            };
            return Err(which_one(&choices, cx.lang));
        }
        for item in &meant {
            self.cancel(&holder, item, cx.lang).await?;
        }
        let spoken: Vec<&str> = meant.iter().map(|item| item.spoken.as_str()).collect();
        let numbers: Vec<&str> = meant.iter().map(|item| item.number.as_str()).collect();
        let say = cx.lang.pick(
            format!("已取消{}。", spoken.join("；")),
            format!("Cancelled: {}.", spoken.join("; ")),
        );
        Ok(ToolOutput::new(json!({"cancelled": numbers}))?.say(say))
    }
}

impl CancelBooking {
    async fn items(&self, holder: &Holder, lang: Lang) -> Result<Vec<Item>, ToolError> {
        let bookings = self
            .service
            .bookings(holder)
            .await
            .map_err(|error| failed(&error, lang))?;
        let rooms = bookings.into_iter().map(|booking| Item {
            spoken: named(&booking, lang),
            number: booking.number,
            names: vec![booking.stay.city, booking.hotel],
            is_trip: false,
        });
        let trips = trips(&*self.records, holder, lang).await?;
        let trips = trips.into_iter().map(|trip| Item {
            spoken: trip.named(lang),
            number: trip.number,
            names: vec![trip.plan.destination],
            is_trip: true,
        });
        Ok(rooms.chain(trips).collect())
    }

    async fn cancel(&self, holder: &Holder, item: &Item, lang: Lang) -> Result<(), ToolError> {
        if item.is_trip {
            let deleted = self.records.delete(holder, trip::SHELF, &item.number).await;
            return deleted.map(|_| ()).map_err(|_| unavailable(lang));
        }
        let cancelled = self.service.cancel(holder, &item.number).await;
        cancelled.map(|_| ()).map_err(|error| failed(&error, lang))
    }
}

fn which_one(items: &[&Item], lang: Lang) -> ToolError {
    let choices: Vec<String> = items
        .iter()
        .take(MOST_CHOICES)
        .map(|item| item.spoken.clone())
        .collect();
    let question = lang.pick(
        format!("要取消哪一个：{}？", choices.join("，还是")),
        format!("Which one should I cancel: {}?", choices.join(", or ")),
    );
    ToolError::choose("which", choices, question)
}

fn is_all(which: &str) -> bool {
    let all = ["all", "全部", "所有", "都", "全都", "every", "both"];
    let which = which.trim().to_lowercase();
    all.iter()
        .any(|word| which == *word || which.strip_suffix("的") == Some(*word))
}

/// The items that `which` names.
fn meant<'i>(which: &str, items: &'i [Item]) -> Vec<&'i Item> {
    if is_all(which) {
        return items.iter().collect();
    }
    if let Some(chosen) = items.iter().find(|item| item.spoken == which) {
        return vec![chosen];
    }
    let said = Text::new(which).words().collect::<Vec<_>>().join("");
    let heard = |name: &str| {
        let name = Text::new(name).words().collect::<Vec<_>>().join("");
        !name.is_empty() && !said.is_empty() && (said.contains(&name) || name.contains(&said))
    };
    let named: Vec<&Item> = items
        .iter()
        .filter(|item| item.number.eq_ignore_ascii_case(which.trim()) || item.names.iter().any(|name| heard(name)))
        .collect();
    if !named.is_empty() {
        return named;
    }
    let last = ["last", "latest", "最后", "最近", "最新", "刚才", "刚刚"];
    if last.iter().any(|word| said.contains(word)) {
        return items.last().into_iter().collect();
    }
    if let [(_, number)] = numbers(&Text::new(which)).as_slice() {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small ordinal, saturating"
        )]
        let nth = number.value as usize;
        return nth.checked_sub(1).and_then(|nth| items.get(nth)).into_iter().collect();
    }
    // "The booking", of which there is one.
    let only = [
        "这个", "那个", "it", "that", "this", "the", "酒店", "预订", "行程", "booking", "hotel", "trip",
    ];
    match items {
        [item] if only.iter().any(|word| said.contains(word)) => vec![item],
        _ => Vec::new(),
    }
}
