//! Stops on the way.

use super::finder::{Finder, failed};
use super::service::{Around, Guidance, NavigationError};
use super::{phrase, spec, trip};
use crate::places::Place;
use incar_core::{
    Completion, Effect, ErrorKind, Lang, Speaker, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait,
};
use incar_text::{NumberKind, Text, numbers};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::sync::Arc;

/// `add_waypoint`.
#[derive(Debug)]
pub(super) struct AddWaypoint(pub(super) Finder);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AddArgs {
    /// Over which place: its name, its id from a search, or a kind of place along the route.
    place: String,
}

#[async_trait]
impl TypedTool for AddWaypoint {
    type Args = AddArgs;

    fn spec(&self) -> ToolSpec {
        spec(
            "add_waypoint",
            Effect::Act,
            "在当前路线上加一个途经点",
            "Add a stop to the route that is being navigated",
        )
        .with_names("place", self.0.names())
    }

    async fn run(&self, args: AddArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let (lang, map) = (cx.lang, self.0.map.as_ref());
        let mut via = guidance(&self.0, lang)?.via;
        let place = self.0.one(&args.place, Around::Route, "place", lang).await?;
        let name = phrase::full_name(&place, lang);
        via.push(place);
        let guidance = map.set_waypoints(via).await.map_err(|error| failed(&error, lang))?;
        let extent = trip::extent(&guidance, map, lang);
        let say = lang.pick(
            format!("已加上途经点{name}，全程{}", extent.trim_start_matches('，')),
            format!("Added {name} as a stop{extent}"),
        );
        let mut result = trip::describe(&guidance, map, lang);
        result.insert("added".into(), name.into());
        Ok(ToolOutput::new(result)?.say(say))
    }
}

/// `remove_waypoint`.
#[derive(Debug)]
pub(super) struct RemoveWaypoint(pub(super) Finder);

#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct RemoveArgs {
    /// Which stop: its name, its number in the order of the route (1 is the next), or all.
    which: String,
}

const ALL: [&str; 8] = [
    "all",
    "all of them",
    "every stop",
    "全部",
    "所有",
    "所有的",
    "全部的",
    "都",
];
const LAST: [&str; 5] = ["last", "the last one", "the last", "最后一个", "最后"];

#[async_trait]
impl TypedTool for RemoveWaypoint {
    type Args = RemoveArgs;

    fn spec(&self) -> ToolSpec {
        spec(
            "remove_waypoint",
            Effect::Act,
            "从当前路线上去掉途经点",
            "Remove stops from the route that is being navigated",
        )
        .with_completion(Arc::new(OnlyStop(self.0.clone())))
    }

    async fn run(&self, args: RemoveArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let (lang, map) = (cx.lang, self.0.map.as_ref());
        let via = guidance(&self.0, lang)?.via;
        if via.is_empty() {
            let none = lang.pick("现在的路线没有途经点。", "There are no stops on this route.");
            return Err(ToolError::new(ErrorKind::NotFound, none));
        }
        let removed = which(&args.which, &via).ok_or_else(|| ask_which(&via, lang))?;
        let (mut kept, mut names) = (Vec::new(), Vec::new());
        for (index, place) in via.into_iter().enumerate() {
            if removed.contains(&index) {
                names.push(phrase::name(&place, lang));
            } else {
                kept.push(place);
            }
        }
        let guidance = map.set_waypoints(kept).await.map_err(|error| failed(&error, lang))?;

        let spoken = phrase::list(&names, lang);
        let say = lang.pick(
            format!("已去掉途经点{spoken}。"),
            format!("Removed {spoken} from the route."),
        );
        let mut result = trip::describe(&guidance, map, lang);
        result.insert("removed".into(), names.into_iter().map(Value::from).collect());
        Ok(ToolOutput::new(result)?.say(say))
    }
}

/// Which stop is meant where there is no choice: the only one, or none, which the tool then tells.
#[derive(Debug)]
struct OnlyStop(Finder);

impl Completion for OnlyStop {
    fn complete(&self, arguments: &mut Map<String, Value>, _: &Speaker) {
        let stops = self.0.map.guidance().map_or(0, |guidance| guidance.via.len());
        if stops < 2 {
            arguments.entry("which").or_insert_with(|| "all".into());
        }
    }
}

fn guidance(finder: &Finder, lang: Lang) -> Result<Guidance, ToolError> {
    finder
        .map
        .guidance()
        .ok_or_else(|| failed(&NavigationError::NoGuidance, lang))
}

/// The indexes of the stops that are meant; `None` where that is not clear.
fn which(said: &str, via: &[Place]) -> Option<Vec<usize>> {
    let said = said.trim().to_lowercase();
    if ALL.contains(&said.as_str()) {
        return Some((0..via.len()).collect());
    }
    if LAST.contains(&said.as_str()) {
        return Some(vec![via.len().checked_sub(1)?]);
    }
    let names = |place: &Place| {
        let long = [Lang::Zh, Lang::En].map(|lang| phrase::full_name(place, lang).to_lowercase());
        let own = [&place.name.zh, &place.name.en].into_iter().chain(&place.aliases);
        own.map(|name| name.to_lowercase()).chain(long).collect::<Vec<_>>()
    };
    let named = |fits: &dyn Fn(&str) -> bool| {
        let indexes = via.iter().enumerate();
        let fitting: Vec<usize> = indexes
            .filter(|(_, place)| {
                place.id.as_str().eq_ignore_ascii_case(&said) || names(place).iter().any(|name| fits(name))
            })
            .map(|(index, _)| index)
            .collect();
        (fitting.len() == 1).then_some(fitting)
    };
    let exact = named(&|name| name == said);
    let part = || {
        (said.chars().count() >= 2)
            .then(|| named(&|name| name.contains(&said)))
            .flatten()
    };
    exact.or_else(part).or_else(|| by_number(&said, via.len()))
}

/// "2", "第二个", "the second".
fn by_number(said: &str, count: usize) -> Option<Vec<usize>> {
    let text = Text::new(said);
    let found = numbers(&text);
    let [(_, number)] = found.as_slice() else { return None };
    let counts = matches!(number.kind, NumberKind::Ordinal | NumberKind::Cardinal);
    (0..count)
        .find(|index| counts && (*index as f64 + 1.0 - number.value).abs() < 0.1)
        .map(|index| vec![index])
}

fn ask_which(via: &[Place], lang: Lang) -> ToolError {
    let names: Vec<String> = via.iter().map(|place| phrase::full_name(place, lang)).collect();
    let spoken = phrase::list(&names, lang);
    let question = lang.pick(
        format!("途经点有{spoken}，要去掉哪一个？"),
        format!("The stops are {spoken}. Which one should I remove?"),
    );
    ToolError::choose("which", names, question)
}
