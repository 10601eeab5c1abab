//! Words that stand for somebody or some place spoken of before: "text him", 那边的天气.

use super::Listener;
use crate::dialogue::Said;
use crate::lexicon::Tool;
use crate::plan::{self, Step};
use incar_core::words::ValueKind;
use incar_core::{AskUser, ToolCategory};
use incar_text::Text;
use serde_json::{Map, Value};

/// Words that stand for a person.
const PERSONS: &[&str] = &["him", "her", "them", "他", "她", "他们", "她们", "这个人", "那个人"];
/// Words that stand for a place, in Chinese.
const PLACES: &[&str] = &["那里", "那边", "那儿"];
/// The categories of which a tool's known names are places.
const OF_PLACES: &[ToolCategory] = &[
    ToolCategory::NAVIGATION,
    ToolCategory::HOTEL_BOOKING,
    ToolCategory::TRIP_PLANNING,
    ToolCategory::WEATHER,
];

/// A tool's name and arguments: of a question, or of a call before.
type Spoken<'a> = (&'a str, &'a Map<String, Value>);

impl Listener<'_> {
    /// Calls with what their pronouns stand for: what was said last of the same kind.
    pub(super) fn referred(&self, said: &Said<'_>, steps: Vec<Step>) -> Vec<Step> {
        let question = said
            .question
            .iter()
            .map(|asked| (asked.tool.as_str(), &asked.arguments));
        let past = said.past.iter().map(|call| (call.tool.as_str(), &call.arguments));
        let before: Vec<Spoken<'_>> = question.chain(past).collect();
        let referred = |step| match step {
            Step::Call {
                tool,
                mut arguments,
                unsure,
            } => {
                refer_to_person(&mut arguments, &before);
                self.refer_to_place(&tool, &mut arguments, said.utterance, &before);
                let asked = self.refer_to_destination(&tool, &mut arguments, &before);
                asked.map_or(
                    Step::Call {
                        tool,
                        arguments,
                        unsure,
                    },
                    Step::Ask,
                )
            }
            asked @ Step::Ask(_) => asked,
        };
        steps.into_iter().map(referred).collect()
    }

    /// 那边: the place that was named last, for a tool that takes a bare name and was told none.
    fn refer_to_place(&self, tool: &str, arguments: &mut Map<String, Value>, utterance: &str, before: &[Spoken<'_>]) {
        let Some(tool) = self.tool_entry(tool) else { return };
        let name = tool
            .of_kind(ValueKind::Name)
            .and_then(|index| tool.arguments.get(index));
        if let Some(name) = name.filter(|name| !arguments.contains_key(&name.name) && points_away(utterance))
            && let Some(place) = before
                .iter()
                .find_map(|(tool, before)| self.place_of(tool, before, &name.name))
        {
            arguments.insert(name.name.clone(), place);
        }
    }

    /// "Take me there": the argument that is nothing but such a word. Where no place was named, the question for it.
    fn refer_to_destination(
        &self,
        tool: &str,
        arguments: &mut Map<String, Value>,
        before: &[Spoken<'_>],
    ) -> Option<AskUser> {
        let points = |value: &Value| {
            value
                .as_str()
                .is_some_and(|value| value == "there" || PLACES.contains(&value))
        };
        let (slot, _) = arguments.iter().find(|(_, value)| points(value))?;
        let slot = slot.clone();
        let mut places = before
            .iter()
            .filter_map(|(tool, before)| self.place_of(tool, before, &slot));
        if let Some(place) = places.next() {
            arguments.insert(slot, place);
            return None;
        }
        let entry = self.tool_entry(tool)?;
        arguments.remove(&slot);
        Some(plan::question(
            entry,
            &slot,
            std::mem::take(arguments),
            self.driver.lang,
        ))
    }

    fn tool_entry(&self, name: &str) -> Option<&Tool> {
        self.lexicon.tools.get(self.tool_named(name)?)
    }

    /// The place that a call was about.
    fn place_of(&self, tool: &str, arguments: &Map<String, Value>, name: &str) -> Option<Value> {
        let tool = self.tool_entry(tool)?;
        if !OF_PLACES.contains(&tool.spec.category) {
            return None;
        }
        let named = tool.spec.names.keys().find_map(|key| arguments.get(key));
        let bare = || {
            let argument = tool.arguments.get(tool.of_kind(ValueKind::Name)?)?;
            arguments.get(&argument.name)
        };
        named
            .or_else(bare)
            .or_else(|| arguments.get(name))
            .filter(|place| place.is_string())
            .cloned()
    }
}

fn refer_to_person(arguments: &mut Map<String, Value>, before: &[Spoken<'_>]) {
    for (argument, value) in arguments {
        if value.as_str().is_some_and(|value| PERSONS.contains(&value))
            && let Some(meant) = before.iter().find_map(|(_, arguments)| arguments.get(argument))
        {
            *value = meant.clone();
        }
    }
}

/// Whether an utterance points to another place. "Is there" points nowhere.
fn points_away(utterance: &str) -> bool {
    let text = Text::new(utterance);
    let said = text.normal(0..text.len());
    PLACES.iter().any(|place| said.contains(place)) || text.words().last() == Some("there")
}
