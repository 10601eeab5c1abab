//! What is asked about a call that findings propose. The words are code's own, made of the very call: whoever wrote the
//! findings has read pages that others wrote.

use crate::guards::described;
use crate::runner::in_short;
use incar_core::{CallShape, Effect, Lang, ToolCategory, ToolSet, ToolSpec};
use serde_json::{Map, Value};

/// How much of a call is read out, in characters; a call that takes more is not offered.
const LONGEST: usize = 200;

/// Calls with one plain argument, in a question of their own.
const PLAIN: [(&str, &str, [&str; 2], [&str; 2]); 3] = [
    (
        "start_navigation",
        "destination",
        ["要导航去", "吗？"],
        ["Shall I navigate to ", "?"],
    ),
    (
        "add_waypoint",
        "place",
        ["要把", "加为途经点吗？"],
        ["Shall I add ", " as a stop?"],
    ),
    (
        "book_hotel",
        "city",
        ["要预订", "的酒店吗？"],
        ["Shall I book a hotel in ", "?"],
    ),
];

/// The question; `None` where the call cannot be offered: no such tool, arguments that it does not take or that it lacks,
/// nothing that it changes, or more than can be said.
pub(super) fn question(call: &CallShape, offered: &ToolSet, lang: Lang) -> Option<String> {
    let spec = offered.get(&call.tool)?;
    let arguments = call.arguments.as_object()?;
    if spec.effect == Effect::Read || spec.category == ToolCategory::RESEARCH || !fits(spec, arguments) {
        return None;
    }
    let question = plainly(call, arguments, lang).unwrap_or_else(|| {
        let what = in_short(spec, lang).split(['，', ',']).next().unwrap_or_default();
        let call = described(what, spec, arguments, lang);
        lang.pick(format!("要我做这件事吗：{call}？"), format!("Shall I do this: {call}?"))
    });
    (question.chars().count() <= LONGEST).then_some(question)
}

fn fits(spec: &ToolSpec, arguments: &Map<String, Value>) -> bool {
    arguments.keys().all(|name| spec.argument(name).is_some())
        && spec.required().all(|name| arguments.contains_key(name))
}

fn plainly(call: &CallShape, arguments: &Map<String, Value>, lang: Lang) -> Option<String> {
    let (_, argument, zh, en) = PLAIN.iter().find(|(tool, ..)| *tool == call.tool)?;
    let value = arguments
        .get(*argument)?
        .as_str()
        .map(str::trim)
        .filter(|value| !value.is_empty())?;
    let [before, after] = lang.pick(zh, en);
    (arguments.len() == 1).then(|| format!("{before}{value}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use incar_core::Bilingual;
    use serde_json::json;
    use std::sync::Arc;

    fn tools() -> ToolSet {
        let tool = |name, category, effect, described, schema| {
            let mut spec = ToolSpec::new(name, category, effect, described);
            spec.parameters = schema;
            Arc::new(spec)
        };
        let places = json!({"properties": {"destination": {}, "via": {}}, "required": ["destination"]});
        ToolSet::new(vec![
            tool(
                "start_navigation",
                ToolCategory::NAVIGATION,
                Effect::Act,
                Bilingual::new("导航去一个地方，可带途经点", "Navigate to a place, with stops"),
                places,
            ),
            tool(
                "look",
                ToolCategory::NAVIGATION,
                Effect::Read,
                Bilingual::new("看", "Look"),
                json!({"properties": {}}),
            ),
            tool(
                "start_research",
                ToolCategory::RESEARCH,
                Effect::Act,
                Bilingual::new("查", "Research"),
                json!({"properties": {}}),
            ),
        ])
    }

    #[test]
    fn the_question_says_the_very_call() {
        let to = |arguments| CallShape::new("start_navigation", arguments);
        let long = "x".repeat(300);
        for (call, zh, en) in [
            (
                to(json!({"destination": "西湖"})),
                Some("要导航去西湖吗？"),
                Some("Shall I navigate to 西湖?"),
            ),
            (
                to(json!({"destination": "西湖", "via": ["嘉兴"]})),
                Some("要我做这件事吗：导航去一个地方（西湖、[\"嘉兴\"]）？"),
                Some("Shall I do this: Navigate to a place (西湖, [\"嘉兴\"])?"),
            ),
            (to(json!({})), None, None),
            (to(json!({"destination": "西湖", "door": "open"})), None, None),
            (to(json!({"destination": long})), None, None),
            (to(json!("西湖")), None, None),
            (CallShape::new("look", json!({})), None, None),
            (CallShape::new("start_research", json!({})), None, None),
            (CallShape::new("open_everything", json!({})), None, None),
        ] {
            assert_eq!(question(&call, &tools(), Lang::Zh).as_deref(), zh, "{call:?}");
            assert_eq!(question(&call, &tools(), Lang::En).as_deref(), en, "{call:?}");
        }
    }
}
