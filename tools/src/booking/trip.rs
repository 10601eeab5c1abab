//! Saving a trip.

use super::itinerary::Itinerary;
use super::names::DestinationNames;
use super::{TIMEOUT, day, day_name, plural};
use incar_core::{
    Bilingual, Effect, ErrorKind, Holder, Lang, Record, RecordStore, ToolCategory, ToolContext, ToolError, ToolOutput,
    ToolSpec, TypedTool, async_trait,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Where trips stand in the record store.
pub(super) const SHELF: &str = "trips";

/// `save_trip`.
#[derive(Debug)]
pub(super) struct SaveTrip(pub(super) Arc<dyn RecordStore>);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Where the trip goes.
    destination: String,
    /// The first day: ISO 8601, or the driver's words.
    start_date: String,
    /// How many days, 1 to 30.
    #[schemars(range(min = 1, max = 30))]
    days: u8,
    /// How many people, where that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 50))]
    people: Option<u8>,
    /// What they like to see, where that was said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    interests: Option<String>,
}

/// A trip as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Trip {
    /// Its number.
    pub(super) number: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    people: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    interests: Option<String>,
    #[serde(flatten)]
    pub(super) plan: Itinerary,
}

impl Trip {
    pub(super) fn named(&self, lang: Lang) -> String {
        let days = u32::try_from(self.plan.days.len()).unwrap_or(u32::MAX);
        let start = self
            .plan
            .days
            .first()
            .map(|day| day_name(day.date, lang))
            .unwrap_or_default();
        lang.pick(
            format!("{start}去{}的{days}天行程", self.plan.destination),
            format!(
                "{} in {} from {start}",
                plural(days, "day", "days"),
                self.plan.destination
            ),
        )
    }
}

/// The trips of a holder, oldest first.
pub(super) async fn trips(records: &dyn RecordStore, holder: &Holder, lang: Lang) -> Result<Vec<Trip>, ToolError> {
    let records = records.list(holder, SHELF).await.map_err(|_| unavailable(lang))?;
    Ok(records
        .into_iter()
        .filter_map(|record| serde_json::from_value(record.value).ok())
        .collect())
}

pub(super) fn unavailable(lang: Lang) -> ToolError {
    let message = lang.pick("行程暂时存取不了。", "Trips can't be stored or read right now.");
    ToolError::new(ErrorKind::Store, message)
}

#[async_trait]
impl TypedTool for SaveTrip {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        let description = Bilingual::new("规划并保存行程", "Plan and save a trip");
        ToolSpec::new("save_trip", ToolCategory::TRIP_PLANNING, Effect::Act, description)
            .with_timeout(TIMEOUT)
            .with_names("destination", Arc::new(DestinationNames))
            .with_words(crate::words::of("save_trip"))
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let start = day(&args.start_date, "start_date", cx.lang)?;
        let plan = Itinerary::plan(&args.destination, start, args.days, args.interests.as_deref(), cx.lang);
        let Some(plan) = plan else {
            let message = cx.lang.pick(
                format!("没有找到“{}”，请问去哪里？", args.destination),
                format!("I don't know {}. Where would you like to go?", args.destination),
            );
            return Err(ToolError::ask(ErrorKind::NotFound, "destination", message));
        };
        let trip = Trip {
            number: format!("T{:06}", number(cx.idempotency_key)),
            people: args.people,
            interests: args.interests,
            plan,
        };
        let value = serde_json::to_value(&trip).map_err(|_| unavailable(cx.lang))?;
        let record = Record::new(trip.number.clone(), value, cx.clock.now());
        self.0
            .put(&cx.speaker.holder(), SHELF, record)
            .await
            .map_err(|_| unavailable(cx.lang))?;
        let say = cx.lang.pick(
            format!("{}保存好了。", trip.named(cx.lang)),
            format!("Saved your trip: {}.", trip.named(cx.lang)),
        );
        Ok(ToolOutput::new(trip)?.say(say))
    }
}

/// The same for each try of one call.
fn number(key: &str) -> u64 {
    key.bytes()
        .fold(7_u64, |hash, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)))
        % 1_000_000
}
