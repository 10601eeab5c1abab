//! What a step found, and what it rests on.

use crate::answer::number_of;
use incar_core::{ErrorKind, Outcome};
use incar_text::{Text, numbers};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeSet;

/// The field by which a result tells the number of a source: see [`crate::Sources::take_in`].
const CITE: &str = "cite";
/// The fields in which results tell of when a source is.
const DATES: [&str; 2] = ["updated", "date"];

/// What a step found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Finding {
    /// What was found out, in one or two sentences.
    pub(crate) answer: String,
    /// The bare value: a number with its unit, a date, a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) value: Option<String>,
    /// What the value is of, such as "length of the Jiaozhou Bay Bridge".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) about: Option<String>,
    /// Where it stands: the words of the sources themselves.
    #[serde(default)]
    pub(crate) evidence: Vec<Evidence>,
    /// Events that it tells of, in the order in which they must have happened.
    #[serde(default)]
    pub(crate) events: Vec<Event>,
}

/// Words of a source that say so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Evidence {
    /// The source's number, as in its `cite`.
    pub(crate) source: u32,
    /// Its words, exactly as they stand there.
    pub(crate) quote: String,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Event {
    /// What happened.
    pub(crate) what: String,
    /// When: a year, a month (2016-12) or a day (2016-12-28).
    pub(crate) when: String,
}

/// A call that a step made, and what came of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Observed {
    pub(crate) tool: String,
    pub(crate) arguments: Value,
    pub(crate) outcome: Outcome,
    /// The result, in which every source has its number as `cite`.
    pub(crate) value: Value,
    /// Whether it is text from outside.
    pub(crate) untrusted: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<ErrorKind>,
}

impl Observed {
    /// Whether a quote stands in what a source said here. White space, punctuation and case do not count.
    pub(crate) fn says(&self, source: u32, quote: &str) -> bool {
        let wanted = letters(quote);
        let mut texts = Vec::new();
        texts_of(&self.value, &format!("[{source}]"), false, &mut texts);
        !wanted.is_empty() && texts.iter().any(|text| letters(text).contains(&wanted))
    }

    /// Whether a text stands somewhere in the result.
    pub(crate) fn mentions(&self, text: &str) -> bool {
        fn mentions(value: &Value, text: &str) -> bool {
            match value {
                Value::String(string) => string.contains(text),
                Value::Array(items) => items.iter().any(|item| mentions(item, text)),
                Value::Object(fields) => fields.values().any(|field| mentions(field, text)),
                Value::Null | Value::Bool(_) | Value::Number(_) => false,
            }
        }
        mentions(&self.value, text)
    }

    /// Of when a source is, where the result says that.
    pub(crate) fn date_of(&self, source: u32) -> Option<&str> {
        date_of(&self.value, &format!("[{source}]"))
    }

    /// The numbers of the sources in it.
    pub(crate) fn sources(&self) -> BTreeSet<u32> {
        let mut sources = BTreeSet::new();
        sources_of(&self.value, &mut sources);
        sources
    }

    /// Whether a result of our own tools, such as a sum, is or has this value.
    pub(crate) fn computed(&self, value: &str) -> bool {
        !self.untrusted && self.outcome == Outcome::Ok && has_value(&self.value, value)
    }
}

/// The texts that belong to the source cited as `cite`.
fn texts_of<'a>(value: &'a Value, cite: &str, within: bool, texts: &mut Vec<&'a str>) {
    match value {
        Value::String(text) if within => texts.push(text),
        Value::Array(items) => items.iter().for_each(|item| texts_of(item, cite, within, texts)),
        Value::Object(fields) => {
            let within = match fields.get(CITE).and_then(Value::as_str) {
                Some(number) => number == cite,
                None => within,
            };
            fields.values().for_each(|field| texts_of(field, cite, within, texts));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn date_of<'a>(value: &'a Value, cite: &str) -> Option<&'a str> {
    match value {
        Value::Array(items) => items.iter().find_map(|item| date_of(item, cite)),
        Value::Object(fields) if fields.get(CITE).and_then(Value::as_str) == Some(cite) => {
            DATES.iter().find_map(|name| fields.get(*name)?.as_str())
        }
        Value::Object(fields) => fields.values().find_map(|field| date_of(field, cite)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn sources_of(value: &Value, sources: &mut BTreeSet<u32>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| sources_of(item, sources)),
        Value::Object(fields) => {
            let cite = fields.get(CITE).and_then(Value::as_str);
            let number: Option<u32> = cite.and_then(|cite| cite.strip_prefix('[')?.strip_suffix(']')?.parse().ok());
            sources.extend(number);
            fields.values().for_each(|field| sources_of(field, sources));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Whether a result has a value in it: the same number, or the same words.
fn has_value(result: &Value, value: &str) -> bool {
    match (result, number_of(value)) {
        (Value::Array(items), _) => items.iter().any(|item| has_value(item, value)),
        (Value::Object(fields), _) => fields.values().any(|field| has_value(field, value)),
        (Value::Number(number), Some(wanted)) => number.as_f64() == Some(wanted),
        (Value::String(text), Some(wanted)) => {
            number_of(text) == Some(wanted) || numbers(&Text::new(text)).iter().any(|(_, found)| found.value == wanted)
        }
        (Value::String(text), None) => {
            let wanted = letters(value);
            !wanted.is_empty() && letters(text).contains(&wanted)
        }
        (Value::Null | Value::Bool(_) | Value::Number(_), _) => false,
    }
}

/// The letters and digits of a text, in lower case: what a quote is compared by.
fn letters(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn observed(value: Value, untrusted: bool) -> Observed {
        Observed {
            tool: "search_web".into(),
            arguments: json!({}),
            outcome: Outcome::Ok,
            value,
            untrusted,
            error: None,
        }
    }

    #[test]
    fn a_quote_must_stand_in_the_very_source_that_it_is_said_to_be_from() {
        let results = json!({"query": "moon", "results": [
            {"cite": "[1]", "title": "Bridge", "snippet": "它全长 26.7 公里，2011年6月30日通车。"},
            {"cite": "[2]", "title": "Lake", "snippet": "The lake is 10 km long."},
        ]});
        let observed = observed(results, true);
        for (source, quote, says) in [
            (1, "全长26.7公里", true),
            (1, "2011年6月30日通车", true),
            (1, "全长36.5公里", false),
            (1, "lake is 10 km", false),
            (2, "THE LAKE is 10km long", true),
            (2, "moon", false),
            (3, "lake", false),
            (2, "…", false),
            (2, "", false),
        ] {
            assert_eq!(observed.says(source, quote), says, "[{source}] {quote}");
        }
    }

    #[test]
    fn only_our_own_tools_compute() {
        for (untrusted, value, computed) in [
            (false, "140", true),
            (false, "140公里", true),
            (false, "14", false),
            (false, "晴", true),
            (false, "雨", false),
            (true, "140", false),
        ] {
            let result = json!({"result": 140, "weather": "晴转多云"});
            assert_eq!(observed(result, untrusted).computed(value), computed, "{value}");
        }
    }

    #[test]
    fn a_result_tells_its_sources_and_of_when_they_are() {
        let results = json!({"results": [
            {"cite": "[1]", "title": "Tax", "date": "2023-06-01"},
            {"cite": "[2]", "title": "Tax", "updated": "2026"},
            {"cite": "[3]", "title": "Tax"},
        ]});
        let observed = observed(results, true);
        assert_eq!(observed.sources(), BTreeSet::from([1, 2, 3]));
        let dates = [1, 2, 3, 4].map(|source| observed.date_of(source));
        assert_eq!(dates, [Some("2023-06-01"), Some("2026"), None, None]);
    }
}
