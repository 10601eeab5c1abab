//! In a turn that read text from outside (a page, a message, what an MCP server says), a call that
//! changes something runs at once only if the speaker asked for it. Anything else, whoever wrote it
//! into the text, waits for a yes.

use super::evidence::Evidence;
use super::written::Form;
use incar_core::turn::Hold;
use incar_core::{Effect, Grasp, Lang, Provenance, Reading, ToolMessage, ToolSpec};
use serde_json::{Map, Value};

/// The guard's id.
const ID: &str = "untrusted-text";

/// How alike a name that was found and the same name as a model writes it are at least.
const ALIKE: f64 = 0.8;

/// The question to the speaker, where a call must wait for a yes.
pub(super) fn hold(
    spec: &ToolSpec,
    arguments: &Map<String, Value>,
    completed: &[String],
    evidence: &Evidence<'_>,
) -> Option<Hold> {
    if spec.effect == Effect::Read || !evidence.read_from_outside() {
        return None;
    }
    let own = |name: &String, value: &Value| {
        completed.contains(name)
            || evidence.utterance_says(spec, name, value, Form::Same)
            || evidence.answers_something()
                && evidence.source(spec, name, value, Form::Same) == Some(Provenance::EarlierTurn)
            || evidence.prefers(spec, name, value)
            || evidence.completes(spec, arguments, name, value)
    };
    let all_own = arguments.iter().all(|(name, value)| own(name, value));
    if all_own && asked_for(spec, arguments, evidence) || picked(spec, arguments, evidence, own) {
        return None;
    }
    Some(Hold::new(ID, question(spec, arguments, evidence.lang())))
}

/// Whether the speaker's words name the tool. Where nobody can read them, or nobody wrote words for the
/// tool, a value that stands in them must do.
fn asked_for(spec: &ToolSpec, arguments: &Map<String, Value>, evidence: &Evidence<'_>) -> bool {
    let wordless = spec.words.topics.is_empty() && spec.words.phrases.is_empty();
    let Some(whole) = evidence.reading().filter(|_| !wordless) else {
        return !arguments.is_empty();
    };
    let names = |reading: &Reading| reading.grasp >= Grasp::Enough && reading.of(&spec.name).next().is_some();
    // A part that nobody can read ("read me the message, …") does not hide the part that they can.
    let parts = || evidence.utterance().split(['，', ',', '。', '；', ';', '、']);
    names(whole)
        || evidence.answers_something()
        || parts().count() > 1 && parts().filter_map(|part| evidence.read(part)).any(|part| names(&part))
}

/// Whether all that is not the speaker's own is a whole name or number that a tool of the same group
/// found: the station that a search for stations named may be gone to. A text that merely has it in it
/// is none.
fn picked(
    spec: &ToolSpec,
    arguments: &Map<String, Value>,
    evidence: &Evidence<'_>,
    own: impl Fn(&String, &Value) -> bool,
) -> bool {
    let related = |result: &&ToolMessage| {
        let tool = evidence.tools().get(&result.name);
        tool.is_some_and(|tool| tool.category == spec.category && tool.effect == Effect::Read)
    };
    let found: Vec<Value> = evidence
        .results_now()
        .filter(related)
        .filter_map(|result| serde_json::from_str(&result.content).ok())
        .collect();
    !found.is_empty()
        && !arguments.is_empty()
        && evidence
            .results_now()
            .filter(|result| result.untrusted)
            .all(|result| related(&result))
        && arguments
            .iter()
            .all(|(name, value)| own(name, value) || found.iter().any(|result| has_leaf(result, value)))
}

fn has_leaf(json: &Value, leaf: &Value) -> bool {
    match json {
        Value::Array(items) => items.iter().any(|item| has_leaf(item, leaf)),
        Value::Object(fields) => fields.values().any(|field| has_leaf(field, leaf)),
        Value::String(name) => leaf
            .as_str()
            .is_some_and(|leaf| incar_text::similarity(name, leaf) >= ALIKE),
        value => value == leaf,
    }
}

/// What is asked.
fn question(spec: &ToolSpec, arguments: &Map<String, Value>, lang: Lang) -> String {
    let call = described(spec.description.get(lang), spec, arguments, lang);
    lang.pick(
        format!("这不是您说的，是从别处读到的：{call}。要我做吗？"),
        format!("You didn't say this, it comes from text I read: {call}. Shall I do it?"),
    )
}

/// A call in words: `what` the tool does, and with which values.
pub(crate) fn described(what: &str, spec: &ToolSpec, arguments: &Map<String, Value>, lang: Lang) -> String {
    let values: Vec<String> = arguments
        .iter()
        .map(|(name, value)| spoken(spec, name, value, lang))
        .collect();
    if values.is_empty() {
        return what.to_owned();
    }
    lang.pick(
        format!("{what}（{}）", values.join("、")),
        format!("{what} ({})", values.join(", ")),
    )
}

/// A value in the words of the language, where the tool has some.
fn spoken(spec: &ToolSpec, argument: &str, value: &Value, lang: Lang) -> String {
    let Some(text) = value.as_str() else {
        return value.to_string();
    };
    let words = spec
        .words
        .arguments
        .get(argument)
        .and_then(|words| words.values.get(text));
    let fits = |word: &&String| !word.starts_with('<') && Lang::of_text(word) == Some(lang);
    let word = words.and_then(|words| words.iter().find(fits));
    word.map_or(text, String::as_str).to_owned()
}
