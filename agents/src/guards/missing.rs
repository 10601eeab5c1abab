//! A required value that nobody gave is asked for, not invented.
//!
//! Judged are the required arguments, and those of a tool of which one must be said (`empty` in its
//! words: "play music" alone asks what). Other optional arguments are not: what is left out has a
//! meaning of its own, so a model that adds one narrows a wish, and policies see it.
//!
//! How sure a value must be depends on the argument ([`Told`]). A seat or a side of the car, and what
//! the words mark as told plainly (who is called), must have been said, or stand in a result or in
//! what was said or done before. Anything else may be concluded: "the tower in Paris" gives a
//! destination. It is invented only where the device has read the whole utterance and found this
//! tool without a word about this argument.

use super::evidence::{Evidence, is_place};
use super::opaque::is_opaque;
use super::written::Form;
use incar_core::words::{Told, ToolWords};
use incar_core::{AskUser, Effect, Grasp, Lang, Provenance, ToolSpec};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The guard's id.
pub(super) const ID: &str = "missing-parameter";

/// Words by which the speaker leaves the choice to the car.
const ANYTHING: [&str; 16] = [
    "随便",
    "随机",
    "随意",
    "都行",
    "都可以",
    "无所谓",
    "任意",
    "你定",
    "你选",
    "你挑",
    "anything",
    "whatever",
    "surprise me",
    "you choose",
    "you pick",
    "don't care",
];

/// Where the values come from, or the argument that has to be asked for.
pub(super) fn judge(
    spec: &ToolSpec,
    arguments: &Map<String, Value>,
    completed: &[String],
    evidence: &Evidence<'_>,
) -> Result<BTreeMap<String, Provenance>, String> {
    let mut found = BTreeMap::new();
    for name in spec.required() {
        let Some(value) = arguments.get(name).filter(|_| !is_opaque(spec, name)) else {
            continue;
        };
        let filled_in = completed.iter().any(|completed| completed == name);
        let source = if filled_in && evidence.prefers(spec, name, value) {
            Provenance::Preference
        } else if filled_in {
            Provenance::Completion
        } else {
            let concluded = || !natural(spec, name, value) && silent(spec, evidence, |said| !said.contains_key(name));
            provenance(spec, name, value, arguments, evidence, concluded).ok_or(name)?
        };
        found.insert(name.to_owned(), source);
    }
    one_of_several(spec, arguments, evidence, &mut found)?;
    Ok(found)
}

/// Arguments of which one must be said: it is enough that one was.
fn one_of_several(
    spec: &ToolSpec,
    arguments: &Map<String, Value>,
    evidence: &Evidence<'_>,
    found: &mut BTreeMap<String, Provenance>,
) -> Result<(), String> {
    let Some(empty) = &spec.words.empty else { return Ok(()) };
    let mut invented = None;
    let mut given = false;
    for (name, value) in arguments.iter().filter(|(name, _)| !empty.besides.contains(name)) {
        let concluded = || {
            silent(spec, evidence, |said| {
                said.keys().all(|name| empty.besides.contains(name))
            })
        };
        match provenance(spec, name, value, arguments, evidence, concluded) {
            Some(source) => {
                given = true;
                found.insert(name.clone(), source);
            }
            None if told(&spec.words, name) == Told::Plainly => return Err(name.clone()),
            None => invented = invented.or(Some(&empty.ask)),
        }
    }
    match invented {
        Some(ask) if !given => Err(ask.clone()),
        _ => Ok(()),
    }
}

/// Whether naming the thing asks for this value: who says "mirror defrost" wants it on. For what is an act
/// of its own, a trunk, nothing is taken for granted.
fn natural(spec: &ToolSpec, name: &str, value: &Value) -> bool {
    let words = spec.words.arguments.get(name).and_then(|words| words.values.get("on"));
    spec.effect == Effect::Set && value == "on" && words.is_some_and(|words| words.iter().any(|word| word == "<open>"))
}

fn told(words: &ToolWords, argument: &str) -> Told {
    words.arguments.get(argument).map_or(Told::Freely, |words| words.told)
}

/// Where one value comes from; `None`: from nowhere. `silent`: the utterance was read whole, and says
/// nothing that it could have been concluded from.
fn provenance(
    spec: &ToolSpec,
    name: &str,
    value: &Value,
    arguments: &Map<String, Value>,
    evidence: &Evidence<'_>,
    silent: impl Fn() -> bool,
) -> Option<Provenance> {
    let plainly = told(&spec.words, name) == Told::Plainly;
    let form = if plainly { Form::Same } else { Form::Retold };
    if let Some(source) = evidence.source(spec, name, value, form) {
        return Some(source);
    }
    if evidence.prefers(spec, name, value) {
        return Some(Provenance::Preference);
    }
    if evidence.completes(spec, arguments, name, value) {
        return Some(Provenance::Completion);
    }
    if silent() {
        return None;
    }
    // Without a reader nobody knows the words for seats; free text stands for itself.
    let place = is_place(spec, name) && evidence.has_reader();
    let strict = (place || plainly) && spec.effect != Effect::Read;
    let concluded = !strict || evidence.answers(spec, name) || leaves_open(evidence.utterance());
    concluded.then_some(Provenance::Inferred)
}

fn leaves_open(utterance: &str) -> bool {
    let said = utterance.to_lowercase();
    ANYTHING.iter().any(|word| said.contains(word))
}

/// Whether the utterance was read to its last word, names this tool, and `lacks` holds of all it says of
/// it: then a value was not concluded from anything, unless the choice was left to the car.
fn silent(spec: &ToolSpec, evidence: &Evidence<'_>, lacks: impl Fn(&Map<String, Value>) -> bool) -> bool {
    let Some(reading) = evidence.reading().filter(|reading| reading.grasp == Grasp::Whole) else {
        return false;
    };
    let mut calls = reading.of(&spec.name).peekable();
    calls.peek().is_some() && calls.all(|call| lacks(&call.arguments)) && !leaves_open(evidence.utterance())
}

/// The tool's own question for an argument.
pub(super) fn question(spec: &ToolSpec, slot: &str, arguments: &Map<String, Value>, lang: Lang) -> AskUser {
    let words = spec.words.ask.get(slot).map(|words| words.get(lang).to_owned());
    let described = || {
        let what = spec.description.get(lang);
        lang.pick(format!("{what}：请告诉我{slot}。"), format!("{what}: which {slot}?"))
    };
    let mut ask = AskUser::new(words.unwrap_or_else(described));
    ask.tool = Some(spec.name.to_string());
    ask.slot = Some(slot.to_owned());
    ask.arguments = arguments.clone();
    ask.arguments.remove(slot);
    ask
}
