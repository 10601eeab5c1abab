//! What the two tools are: schema for models, words for the brain.

use super::allowed::{AllowedSignals, Group, May};
use crate::car_control::Position;
use crate::vehicle::{DataType, SignalInfo};
use incar_core::words::{Needs, ToolWords, Topic, ValueKind};
use incar_core::{Bilingual, Effect, ToolCategory, ToolSpec};
use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::time::Duration;

/// The tool that sets any signal.
pub(crate) const SET_SIGNAL: &str = "set_signal";

/// How many signals a schema lists; more are described in words.
const LISTED: usize = 64;

/// How long the car has to accept a command.
const TIMEOUT: Duration = Duration::from_secs(5);

/// What signals of one tool are told apart by.
const POSITIONS: [Position; 10] = [
    Position::Driver,
    Position::Passenger,
    Position::RearLeft,
    Position::RearRight,
    Position::Front,
    Position::Rear,
    Position::Left,
    Position::Right,
    Position::ThirdRow,
    Position::All,
];

/// `get_signal`.
pub(super) fn get(signals: &AllowedSignals) -> ToolSpec {
    let groups: Vec<&Group> = signals.groups().iter().collect();
    let description = Bilingual::new(
        "读取车上的一个信号（没有专用工具时使用）",
        "Read one of the car's signals, where no other tool does",
    );
    let mut spec = ToolSpec::new("get_signal", ToolCategory::CAR_CONTROL, Effect::Read, description);
    spec.parameters = schema(&groups, None);
    spec.with_timeout(TIMEOUT).with_words(words(&groups, Needs::Question))
}

/// `set_signal`.
pub(super) fn set(signals: &AllowedSignals) -> ToolSpec {
    let groups: Vec<&Group> = signals
        .groups()
        .iter()
        .filter(|group| group.members.iter().any(|member| member.may == May::Set))
        .collect();
    let description = Bilingual::new(
        "设置车上的一个信号（没有专用工具时使用）",
        "Set one of the car's signals, where no other tool does",
    );
    let mut spec = ToolSpec::new(SET_SIGNAL, ToolCategory::CAR_CONTROL, Effect::Set, description);
    let value = json!({
        "type": ["number", "boolean", "string"],
        "description": "A number in the signal's unit, true or false, or one of its names",
    });
    spec.parameters = schema(&groups, Some(value));
    let mut words = words(&groups, Needs::Nothing)
        .number("value", units(&groups))
        .value("value", "true", ["<open>"])
        .value("value", "false", ["<close>"])
        .ask("value", "要设成多少？", "What should I set it to?");
    for group in &groups {
        let infos = group.members.iter().map(|member| &member.info);
        for name in infos.flat_map(|info| &info.allowed) {
            let said = group.values.get(name).cloned().unwrap_or_default();
            words = words.value("value", name, said.into_iter().chain([spoken(name)]));
        }
    }
    for value in &mut words
        .arguments
        .values_mut()
        .flat_map(|argument| argument.values.values_mut())
    {
        value.sort();
        value.dedup();
    }
    spec.with_timeout(TIMEOUT).with_words(words)
}

/// The words of the units of these signals; a percentage needs none.
fn units(groups: &[&Group]) -> Vec<&'static str> {
    let members = groups.iter().flat_map(|group| &group.members);
    let mut units: Vec<&str> = members
        .filter_map(|member| member.info.unit.as_deref())
        .flat_map(|unit| match unit {
            "degrees" | "Celsius" | "celsius" => ["度", "degrees"].as_slice(),
            "mm" => ["毫米", "millimeters"].as_slice(),
            "s" => ["秒", "seconds"].as_slice(),
            _ => [].as_slice(),
        })
        .copied()
        .collect();
    units.sort_unstable();
    units.dedup();
    units
}

/// `MPG_US` is said "mpg us".
fn spoken(name: &str) -> String {
    name.replace('_', " ").to_lowercase()
}

fn schema(groups: &[&Group], value: Option<Value>) -> Value {
    let mut signal = json!({"type": "string", "description": described(groups)});
    if groups.len() <= LISTED {
        let paths: Vec<&str> = groups.iter().map(|group| group.path.as_str()).collect();
        put(&mut signal, "enum", paths.into());
    }
    let mut properties = json!({
        "signal": signal,
        "position": {
            "type": "string",
            "enum": POSITIONS,
            "description": "Which of them, where the signal's path has places (*)",
        },
    });
    let mut required = vec!["signal"];
    if let Some(value) = value {
        put(&mut properties, "value", value);
        required.push("value");
    }
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

fn put(object: &mut Value, key: &str, value: Value) {
    if let Some(object) = object.as_object_mut() {
        object.insert(key.to_owned(), value);
    }
}

/// What the signals may be, in a line each, where they are few.
fn described(groups: &[&Group]) -> String {
    if groups.len() > LISTED {
        return "The path of the Vehicle Signal Specification, with * for rows and sides".to_owned();
    }
    let mut text = "Paths of the Vehicle Signal Specification, * for rows and sides:".to_owned();
    for group in groups {
        if let Some(member) = group.members.first() {
            let _ = write!(text, "\n{}: {}", group.path, values_of(&member.info));
        }
    }
    text
}

/// What a signal may be, in words.
fn values_of(info: &SignalInfo) -> String {
    match info.datatype {
        DataType::Boolean => "true or false".to_owned(),
        DataType::String if info.allowed.is_empty() => "a text".to_owned(),
        DataType::String => info.allowed.join(", "),
        _ => {
            let bound = |bound: Option<f64>| bound.map_or_else(|| "…".to_owned(), |bound| bound.to_string());
            let unit = info.unit.as_deref().unwrap_or_default();
            format!("{} to {} {unit}", bound(info.min), bound(info.max))
        }
    }
}

fn words(groups: &[&Group], needs: Needs) -> ToolWords {
    let mut words =
        ToolWords::new()
            .argument("position", ValueKind::Position)
            .ask("signal", "要看哪一项？", "Which one?");
    for group in groups {
        let mut topic = Topic::default();
        topic.words = group.zh.iter().chain(&group.en).cloned().collect();
        topic.set = Map::from_iter([("signal".to_owned(), Value::from(group.path.as_str()))]);
        topic.needs = needs;
        words.topics.push(topic);
    }
    words
}
