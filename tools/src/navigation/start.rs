//! Setting off.

use super::finder::{Finder, failed};
use super::phrase;
use super::service::{Around, RoutePreference, Trip};
use super::{spec, trip};
use incar_core::{Effect, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `start_navigation`.
#[derive(Debug)]
pub(super) struct StartNavigation(pub(super) Finder);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// Where to: the name of a place, its id from a search, a kind of place, home or company.
    destination: String,
    /// Stops on the way, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    via: Option<Vec<String>>,
    /// Which route to prefer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    preference: Option<RoutePreference>,
}

#[async_trait]
impl TypedTool for StartNavigation {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "start_navigation",
            Effect::Act,
            "导航去一个地方，可带途经点和路线偏好",
            "Navigate to a place, with stops on the way and a route preference where wished",
        )
        .with_names("destination", self.0.names())
        .with_names("via", self.0.names())
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let (lang, map) = (cx.lang, self.0.map.as_ref());
        let mut trip = Trip::to(self.0.one(&args.destination, Around::Car, "destination", lang).await?);
        for stop in args.via.iter().flatten() {
            trip.via.push(self.0.likeliest(stop, Around::Car, lang).await?);
        }
        trip.preference = args.preference;
        let guidance = map.start(trip).await.map_err(|error| failed(&error, lang))?;

        let to = phrase::name(&guidance.destination, lang);
        let via: Vec<String> = guidance.via.iter().map(|place| phrase::name(place, lang)).collect();
        let over = match (via.is_empty(), phrase::list(&via, lang)) {
            (true, _) => String::new(),
            (false, via) => lang.pick(format!("，途经{via}"), format!(" via {via}")),
        };
        let by = args.preference.map_or_else(String::new, |preference| {
            let by = phrase::preference(preference, lang);
            lang.pick(format!("，{by}"), format!(", {by}"))
        });
        let extent = trip::extent(&guidance, map, lang);
        let say = lang.pick(
            format!("开始导航去{to}{over}{by}{extent}"),
            format!("Navigating to {to}{over}{by}{extent}"),
        );
        Ok(ToolOutput::new(trip::describe(&guidance, map, lang))?.say(say))
    }
}
