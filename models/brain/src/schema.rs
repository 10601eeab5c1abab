//! What a tool's schema says to the parser, with words and without.

use crate::lexicon::Argument;
use incar_core::ToolSpec;
use incar_core::words::{Needs, Standing, Topic, ValueKind};
use serde_json::Value;

/// `value` in the type that `schema` wants.
pub(crate) fn fitted(schema: &Value, value: &str) -> Value {
    // One that may be of several types is true or false where it is written so.
    let kinds = schema.get("type").and_then(Value::as_array);
    if kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == "boolean")) && (value == "true" || value == "false") {
        return (value == "true").into();
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("number" | "integer") => match value.parse::<f64>() {
            Ok(number) => number_value(number),
            Err(_) => value.into(),
        },
        Some("boolean") => match value {
            "true" => true.into(),
            "false" => false.into(),
            other => other.into(),
        },
        _ => value.into(),
    }
}

/// A JSON number, whole where it is whole.
pub(crate) fn number_value(number: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "whole and within bounds")]
    if number.fract() == 0.0 && number.abs() < 1e15 {
        (number as i64).into()
    } else {
        number.into()
    }
}

/// The arguments of a tool, ready for the parser, their values' words not yet read.
pub(crate) fn arguments_of(spec: &ToolSpec) -> Vec<Argument> {
    let required: Vec<&str> = spec.required().collect();
    let properties = spec.parameters.get("properties").and_then(Value::as_object);
    properties
        .into_iter()
        .flatten()
        .map(|(name, schema)| {
            let words = spec.words.arguments.get(name);
            let bound = |key: &str, none: f64| schema.get(key).and_then(Value::as_f64).unwrap_or(none);
            let written = words.map_or(ValueKind::Word, |words| words.kind);
            Argument {
                name: name.clone(),
                kind: match written {
                    ValueKind::Word if words.is_none_or(|words| words.values.is_empty()) => kind_of_schema(schema),
                    kind => kind,
                },
                values: Vec::new(),
                step: words.and_then(|words| words.step).unwrap_or(1.0),
                standing: words.map_or(Standing::WithTopic, |words| words.standing),
                implies: words.map(|words| words.implies.clone()).unwrap_or_default(),
                required: required.contains(&name.as_str()),
                bounds: (bound("minimum", f64::NEG_INFINITY), bound("maximum", f64::INFINITY)),
                has_units: words.is_some_and(|words| !words.units.is_empty()),
                schema: schema.clone(),
            }
        })
        .collect()
}

/// What a schema says of an argument without words.
fn kind_of_schema(schema: &Value) -> ValueKind {
    match schema.get("type").and_then(Value::as_str) {
        _ if schema.get("enum").is_some() => ValueKind::Word,
        Some("number" | "integer") => ValueKind::Number,
        Some("boolean") => ValueKind::Word,
        Some("array") => ValueKind::Texts,
        _ => ValueKind::Text,
    }
}

/// The words that the values of a schema give: their names, and the generic ones they stand for.
pub(crate) fn words_of_schema(schema: &Value) -> Vec<(Value, Vec<String>)> {
    let class = |name: &str| match name {
        "on" | "open" | "true" | "enable" => Some("<open>"),
        "off" | "close" | "closed" | "false" | "disable" => Some("<close>"),
        "stop" => Some("<stop>"),
        _ => None,
    };
    if schema.get("type").and_then(Value::as_str) == Some("boolean") {
        return vec![
            (true.into(), vec!["<open>".into()]),
            (false.into(), vec!["<close>".into()]),
        ];
    }
    let names = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    names
        .filter_map(Value::as_str)
        .map(|name| {
            let word = class(name).map_or_else(|| name.replace('_', " "), str::to_owned);
            (name.into(), vec![word])
        })
        .collect()
}

/// The words that a tool's name gives: `set_fridge` handles a `fridge`.
pub(crate) fn topic_of_name(name: &str) -> Topic {
    let parts: Vec<&str> = name.split(['_', '-']).collect();
    let object = match parts.as_slice() {
        [_, rest @ ..] if !rest.is_empty() => rest.join(" "),
        _ => name.to_owned(),
    };
    let mut topic = Topic::default();
    topic.words.push(object);
    topic.needs = Needs::Nothing;
    topic
}
