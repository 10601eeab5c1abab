//! Looking for places.

use super::finder::{Choice, Finder, MOST_SPOKEN, meant, not_found};
use super::service::{Around, Search};
use super::{phrase, spec, trip};
use incar_core::{Effect, Lang, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// So many places stand in a result.
const MOST_LISTED: usize = 5;

/// `search_location`.
#[derive(Debug)]
pub(super) struct SearchLocation(pub(super) Finder);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Args {
    /// A place's name or a kind of place, in the driver's words.
    query: String,
    /// Where to look: current, destination, route, or the name of a place. Near the car where it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    near: Option<String>,
    /// Only places of this kind, in the driver's words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    category: Option<String>,
}

#[async_trait]
impl TypedTool for SearchLocation {
    type Args = Args;

    fn spec(&self) -> ToolSpec {
        spec(
            "search_location",
            Effect::Read,
            "查找地点或附近、沿途的加油站、餐厅等，不开始导航",
            "Look for a place, or for gas stations, restaurants and the like nearby or along the route, without navigating",
        )
        .with_names("query", self.0.names())
        .with_names("near", self.0.names())
        .untrusted()
    }

    async fn run(&self, args: Args, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let lang = cx.lang;
        let around = self.around(args.near.as_deref(), lang).await?;
        let search = Search::new(&args.query).around(around).category(args.category);
        let hits = self.0.search(search, lang).await?;
        let hits = meant(&args.query, &hits).map_or(hits.as_slice(), std::slice::from_ref);
        let mut choices = self.0.offer(hits, lang);
        choices.truncate(MOST_LISTED);
        if choices.is_empty() {
            return Err(not_found(&args.query, lang));
        }
        let places = choices.iter().map(|choice| describe(choice, lang)).collect::<Vec<_>>();
        let mut result = json!({"query": args.query, "places": places});
        let say = match (choices.as_slice(), result.as_object_mut()) {
            ([_, _, ..], Some(result)) => {
                let labels = choices.iter().take(MOST_SPOKEN).map(|choice| choice.label.clone());
                result.insert("choices".into(), labels.collect());
                // What a chosen one is for: the question can then be asked by code.
                result.insert(
                    "choose".into(),
                    json!({"tool": "start_navigation", "argument": "destination"}),
                );
                ask_which(&choices, lang)
            }
            _ => choices.iter().map(|choice| found(choice, lang)).collect(),
        };
        Ok(ToolOutput::new(result)?.say(say))
    }
}

impl SearchLocation {
    async fn around(&self, near: Option<&str>, lang: Lang) -> Result<Around, ToolError> {
        Ok(match near.map(str::trim) {
            None | Some("" | "current") => Around::Car,
            Some("destination") => Around::Destination,
            Some("route") => Around::Route,
            Some(here) if super::finder::means_here(here) => Around::Car,
            Some(place) => Around::Point(self.0.one(place, Around::Car, "near", lang).await?.position),
        })
    }
}

fn describe(choice: &Choice, lang: Lang) -> Value {
    let place = &choice.place;
    let mut result = Map::new();
    result.insert("name".into(), choice.label.as_str().into());
    result.insert("id".into(), place.id.as_str().into());
    let area = [&place.city, &place.admin, &place.country].map(|area| area.get(lang));
    if let Some(area) = area.into_iter().find(|area| !area.is_empty()) {
        result.insert("area".into(), area.into());
    }
    if let Some(distance_m) = choice.distance_m {
        result.insert("distance_m".into(), trip::whole(distance_m));
    }
    Value::Object(result)
}

fn found(choice: &Choice, lang: Lang) -> String {
    let name = &choice.label;
    match choice.distance_m {
        None => lang.pick(format!("找到了{name}。"), format!("I found {name}.")),
        Some(metres) => {
            let about = phrase::about(metres, lang);
            lang.pick(
                format!("找到了{name}，直线距离{about}。"),
                format!("I found {name}, {about} away."),
            )
        }
    }
}

fn ask_which(choices: &[Choice], lang: Lang) -> String {
    let spoken: Vec<String> = choices
        .iter()
        .take(MOST_SPOKEN)
        .map(|choice| choice.spoken(lang))
        .collect();
    let spoken = phrase::list(&spoken, lang);
    lang.pick(
        format!("找到了{spoken}，要去哪一个？"),
        format!("I found {spoken}. Which one would you like?"),
    )
}
