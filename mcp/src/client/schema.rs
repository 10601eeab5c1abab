//! Schemas from outside: taken only where every call can be checked against them.
//!
//! A schema that says something this module cannot check is refused with its tool: nothing reaches a
//! server unchecked, and nothing huge reaches a model.

use regex_lite::Regex;
use serde_json::{Map, Value};

/// How deep a schema may nest.
const DEEPEST: usize = 8;
/// How long a schema may be as JSON, in bytes, references resolved.
const LONGEST: usize = 16 * 1024;
/// How long a description of one argument may be, in characters.
const LONGEST_DESCRIPTION: usize = 500;

/// What says nothing that a call could miss.
const ANNOTATIONS: [&str; 11] = [
    "title",
    "description",
    "default",
    "examples",
    "format",
    "deprecated",
    "readOnly",
    "writeOnly",
    "$comment",
    "$id",
    "$schema",
];

/// Why a schema is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum SchemaFault {
    #[error("its schema is no object of arguments")]
    NoObject,
    #[error("its schema is too large or too deep")]
    TooLarge,
    #[error("its schema cannot be checked: `{0}`")]
    Unchecked(String),
}

/// A schema that calls can be checked against: references resolved, texts shortened.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Schema(Value);

impl Schema {
    /// Reads a tool's schema.
    pub(crate) fn read(written: &Value) -> Result<Self, SchemaFault> {
        let Some(root) = written.as_object() else {
            return Err(SchemaFault::NoObject);
        };
        if root.get("type").is_some_and(|kind| kind != "object") {
            return Err(SchemaFault::NoObject);
        }
        let mut budget = LONGEST;
        let mut schema = Reader { root }.read(written, 0, &mut budget)?;
        let object = schema.as_object_mut().ok_or(SchemaFault::NoObject)?;
        object.insert("type".into(), "object".into());
        object.entry("properties").or_insert_with(|| Value::Object(Map::new()));
        Ok(Self(schema))
    }

    /// The schema as a model is offered it.
    pub(crate) fn as_value(&self) -> &Value {
        &self.0
    }

    /// The names of the arguments.
    pub(crate) fn has_argument(&self, name: &str) -> bool {
        self.0
            .get("properties")
            .is_some_and(|properties| properties.get(name).is_some())
    }

    /// Whether an argument may be `null`.
    pub(crate) fn takes_null(&self, name: &str) -> bool {
        let argument = self.0.get("properties").and_then(|properties| properties.get(name));
        argument.is_some_and(|argument| check(argument, &Value::Null, name).is_ok())
    }

    /// What is wrong with `arguments`, for the model.
    pub(crate) fn check(&self, arguments: &Value) -> Result<(), String> {
        check(&self.0, arguments, "the arguments")
    }
}

struct Reader<'a> {
    root: &'a Map<String, Value>,
}

impl Reader<'_> {
    fn read(&self, schema: &Value, depth: usize, budget: &mut usize) -> Result<Value, SchemaFault> {
        if depth > DEEPEST {
            return Err(SchemaFault::TooLarge);
        }
        let object = match schema {
            Value::Bool(true) => return Ok(Value::Object(Map::new())),
            Value::Object(object) => object,
            _ => return Err(SchemaFault::Unchecked("a schema that is no object".into())),
        };
        let mut read = Map::new();
        for (key, value) in object {
            let value = self.keyword(key, value, depth, budget)?;
            let Some(value) = value else { continue };
            // What a reference stands for counts at each place: a few that multiply cannot blow up.
            let cost = key.len()
                + if value.is_object() || value.is_array() {
                    4
                } else {
                    value.to_string().len()
                };
            *budget = budget.checked_sub(cost).ok_or(SchemaFault::TooLarge)?;
            if key == "$ref" {
                let Value::Object(target) = value else { continue };
                target.into_iter().for_each(|(key, value)| {
                    read.entry(key).or_insert(value);
                });
            } else {
                read.insert(key.clone(), value);
            }
        }
        Ok(Value::Object(read))
    }

    fn keyword(
        &self,
        key: &str,
        value: &Value,
        depth: usize,
        budget: &mut usize,
    ) -> Result<Option<Value>, SchemaFault> {
        let unchecked = || SchemaFault::Unchecked(key.chars().take(40).collect());
        Ok(Some(match key {
            "description" => match value.as_str() {
                Some(text) => plain_text(text, LONGEST_DESCRIPTION).into(),
                None => return Ok(None),
            },
            "$defs" | "definitions" => return Ok(None),
            key if ANNOTATIONS.contains(&key) => return Ok(None),
            "$ref" => {
                let path = value
                    .as_str()
                    .and_then(|path| path.strip_prefix("#/"))
                    .ok_or_else(unchecked)?;
                let mut target = None;
                for part in path.split('/') {
                    let object = target.map_or(Some(self.root), Value::as_object);
                    target = Some(object.and_then(|object| object.get(part)).ok_or_else(unchecked)?);
                }
                self.read(target.ok_or_else(unchecked)?, depth + 1, budget)?
            }
            "properties" => {
                let properties = value.as_object().ok_or_else(unchecked)?;
                let mut read = Map::new();
                for (name, schema) in properties {
                    *budget = budget.checked_sub(name.len()).ok_or(SchemaFault::TooLarge)?;
                    read.insert(name.clone(), self.read(schema, depth + 1, budget)?);
                }
                Value::Object(read)
            }
            "additionalProperties" if value.is_boolean() => value.clone(),
            "items" | "additionalProperties" | "not" => self.read(value, depth + 1, budget)?,
            "anyOf" | "oneOf" | "allOf" => {
                let all = value.as_array().filter(|all| !all.is_empty()).ok_or_else(unchecked)?;
                let read: Result<Vec<_>, _> = all.iter().map(|one| self.read(one, depth + 1, budget)).collect();
                Value::Array(read?)
            }
            "type" => {
                let kinds: Vec<&str> = match value {
                    Value::String(kind) => vec![kind.as_str()],
                    Value::Array(kinds) => kinds.iter().map(|kind| kind.as_str().unwrap_or_default()).collect(),
                    _ => return Err(unchecked()),
                };
                let known = ["string", "number", "integer", "boolean", "array", "object", "null"];
                if kinds.is_empty() || !kinds.iter().all(|kind| known.contains(kind)) {
                    return Err(unchecked());
                }
                value.clone()
            }
            "enum" if value.is_array() => self.plain(value, budget)?,
            "const" => self.plain(value, budget)?,
            "required" if value.as_array().is_some_and(|all| all.iter().all(Value::is_string)) => {
                self.plain(value, budget)?
            }
            "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" if value.is_number() => value.clone(),
            "minLength" | "maxLength" | "minItems" | "maxItems" | "minProperties" | "maxProperties"
                if value.is_u64() =>
            {
                value.clone()
            }
            "uniqueItems" if value.is_boolean() => value.clone(),
            "pattern"
                if value
                    .as_str()
                    .is_some_and(|text| text.len() <= 500 && Regex::new(text).is_ok()) =>
            {
                value.clone()
            }
            _ => return Err(unchecked()),
        }))
    }

    fn plain(&self, value: &Value, budget: &mut usize) -> Result<Value, SchemaFault> {
        *budget = budget
            .checked_sub(value.to_string().len())
            .ok_or(SchemaFault::TooLarge)?;
        Ok(value.clone())
    }
}

/// Text from outside without control characters, cut to `longest` characters.
pub(crate) fn plain_text(text: &str, longest: usize) -> String {
    text.chars()
        .filter(|c| !c.is_control() || *c == '\n')
        .take(longest)
        .collect()
}

fn check(schema: &Value, value: &Value, what: &str) -> Result<(), String> {
    let Some(schema) = schema.as_object() else {
        return Ok(());
    };
    schema
        .iter()
        .try_for_each(|(key, rule)| check_keyword(schema, key, rule, value, what))
}

fn check_keyword(
    schema: &Map<String, Value>,
    key: &str,
    rule: &Value,
    value: &Value,
    what: &str,
) -> Result<(), String> {
    let all = |rule: &Value| rule.as_array().cloned().unwrap_or_default();
    let bound = |has: bool, wrong: &str| {
        if has {
            Ok(())
        } else {
            Err(format!("{what} must be {wrong} {rule}"))
        }
    };
    let limit = rule.as_f64().unwrap_or_default();
    let count = rule
        .as_u64()
        .and_then(|count| usize::try_from(count).ok())
        .unwrap_or_default();
    match key {
        "type" => {
            let fits = |kind: &Value| has_type(value, kind.as_str().unwrap_or_default());
            let fit = rule
                .as_array()
                .map_or_else(|| fits(rule), |kinds| kinds.iter().any(fits));
            bound(fit, "of type")
        }
        "enum" => bound(rule.as_array().is_some_and(|values| values.contains(value)), "one of"),
        "const" => bound(rule == value, "exactly"),
        "anyOf" => bound(all(rule).iter().any(|one| check(one, value, what).is_ok()), "one of"),
        "oneOf" => bound(
            all(rule).iter().filter(|one| check(one, value, what).is_ok()).count() == 1,
            "exactly one of",
        ),
        "allOf" => all(rule).iter().try_for_each(|one| check(one, value, what)),
        "not" => bound(check(rule, value, what).is_err(), "nothing like"),
        _ => match value {
            Value::Number(number) => {
                let number = number.as_f64().unwrap_or(f64::NAN);
                match key {
                    "minimum" => bound(number >= limit, "at least"),
                    "maximum" => bound(number <= limit, "at most"),
                    "exclusiveMinimum" => bound(number > limit, "more than"),
                    "exclusiveMaximum" => bound(number < limit, "less than"),
                    _ => Ok(()),
                }
            }
            Value::String(text) => match key {
                "minLength" => bound(text.chars().count() >= count, "of a length of at least"),
                "maxLength" => bound(text.chars().count() <= count, "of a length of at most"),
                "pattern" => {
                    let pattern = rule.as_str().and_then(|pattern| Regex::new(pattern).ok());
                    bound(pattern.is_some_and(|pattern| pattern.is_match(text)), "like")
                }
                _ => Ok(()),
            },
            Value::Array(items) => match key {
                "items" => items
                    .iter()
                    .enumerate()
                    .try_for_each(|(index, item)| check(rule, item, &format!("{what}[{index}]"))),
                "minItems" => bound(items.len() >= count, "of a length of at least"),
                "maxItems" => bound(items.len() <= count, "of a length of at most"),
                "uniqueItems" if rule == &Value::Bool(true) => {
                    let again = |(index, item)| items.iter().take(index).any(|earlier| earlier == item);
                    bound(!items.iter().enumerate().any(again), "without repetition:")
                }
                _ => Ok(()),
            },
            Value::Object(object) => check_object(schema, key, rule, object, what),
            Value::Null | Value::Bool(_) => Ok(()),
        },
    }
}

fn check_object(
    schema: &Map<String, Value>,
    key: &str,
    rule: &Value,
    object: &Map<String, Value>,
    what: &str,
) -> Result<(), String> {
    let count = rule
        .as_u64()
        .and_then(|count| usize::try_from(count).ok())
        .unwrap_or_default();
    let properties = schema.get("properties").and_then(Value::as_object);
    match key {
        "properties" => properties
            .into_iter()
            .flatten()
            .filter_map(|(name, rule)| Some((name, rule, object.get(name)?)))
            .try_for_each(|(name, rule, value)| check(rule, value, &format!("`{name}`"))),
        "required" => {
            let mut names = rule.as_array().into_iter().flatten().filter_map(Value::as_str);
            match names.find(|name| !object.contains_key(*name)) {
                Some(missing) => Err(format!("the required argument `{missing}` is missing")),
                None => Ok(()),
            }
        }
        "additionalProperties" => {
            let mut extra = object
                .iter()
                .filter(|(name, _)| !properties.is_some_and(|properties| properties.contains_key(*name)));
            match rule {
                Value::Bool(true) => Ok(()),
                Value::Bool(false) => match extra.next() {
                    Some((name, _)) => Err(format!("unknown argument `{name}`")),
                    None => Ok(()),
                },
                rule => extra.try_for_each(|(name, value)| check(rule, value, &format!("`{name}`"))),
            }
        }
        "minProperties" if object.len() < count => Err(format!("{what} must have at least {count} values")),
        "maxProperties" if object.len() > count => Err(format!("{what} must have at most {count} values")),
        _ => Ok(()),
    }
}

fn has_type(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => value.is_null(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(schema: Value) -> Result<Schema, SchemaFault> {
        Schema::read(&schema)
    }

    #[test]
    fn what_can_be_checked_is_taken_and_checked() {
        let schema = read(json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "query": {"type": "string", "minLength": 1, "description": "what\u{7} to look for"},
                "depth": {"$ref": "#/$defs/Depth", "default": "basic"},
                "near": {"type": "object", "properties": {"lat": {"type": "number", "minimum": -90, "maximum": 90}},
                    "required": ["lat"], "additionalProperties": false},
                "tags": {"type": "array", "items": {"type": "string", "pattern": "^[a-z]+$"}, "maxItems": 2, "uniqueItems": true},
                "limit": {"anyOf": [{"type": "integer", "exclusiveMinimum": 0}, {"type": "null"}]}
            },
            "required": ["query"],
            "additionalProperties": false,
            "$defs": {"Depth": {"type": "string", "enum": ["basic", "advanced"]}}
        }))
        .unwrap();
        assert_eq!(
            schema.as_value()["properties"]["query"]["description"],
            "what to look for"
        );
        assert_eq!(
            schema.as_value()["properties"]["depth"]["enum"],
            json!(["basic", "advanced"])
        );
        assert_eq!(schema.as_value().get("$defs"), None);
        for fits in [
            json!({"query": "x"}),
            json!({"query": "x", "depth": "basic", "near": {"lat": 1}, "tags": ["a", "b"], "limit": null}),
        ] {
            assert_eq!(schema.check(&fits), Ok(()), "{fits}");
        }
        for (misses, wrong) in [
            (json!([]), "type"),
            (json!({}), "`query` is missing"),
            (json!({"query": ""}), "length"),
            (json!({"query": 1}), "`query` must be of type"),
            (json!({"query": "x", "depth": "deep"}), "`depth` must be one of"),
            (json!({"query": "x", "near": {}}), "`lat` is missing"),
            (json!({"query": "x", "near": {"lat": 91}}), "at most"),
            (
                json!({"query": "x", "near": {"lat": 1, "lon": 2}}),
                "unknown argument `lon`",
            ),
            (json!({"query": "x", "tags": ["A"]}), "`tags`[0]"),
            (json!({"query": "x", "tags": ["a", "a"]}), "repetition"),
            (json!({"query": "x", "tags": ["a", "b", "c"]}), "at most"),
            (json!({"query": "x", "limit": 0}), "`limit`"),
            (json!({"query": "x", "other": 0}), "unknown argument"),
        ] {
            let found = schema.check(&misses);
            assert!(
                found.as_ref().is_err_and(|found| found.contains(wrong)),
                "{misses}: {found:?}"
            );
        }
    }

    #[test]
    fn what_cannot_be_checked_is_refused() {
        let deep = (0..20).fold(
            json!({"type": "string"}),
            |inner, _| json!({"type": "array", "items": inner}),
        );
        let wide: Map<String, Value> = (0..5000)
            .map(|n| (format!("p{n}"), json!({"type": "string"})))
            .collect();
        let bomb = json!({"type": "object", "properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {
            "a": {"anyOf": vec![json!({"$ref": "#/$defs/b"}); 30]}, "b": {"anyOf": vec![json!({"$ref": "#/$defs/c"}); 30]},
            "c": {"anyOf": vec![json!({"type": "string"}); 30]}}});
        for (schema, fault) in [
            (json!("string"), "no object"),
            (json!({"type": "array"}), "no object"),
            (json!({"type": "object", "properties": {"a": deep}}), "too deep"),
            (json!({"type": "object", "properties": wide}), "too large"),
            (bomb, "too large"),
            (json!({"type": "object", "properties": {"a": {"$ref": "#"}}}), "$ref"),
            (
                json!({"type": "object", "properties": {"a": {"$ref": "#/properties/a"}}}),
                "too deep",
            ),
            (
                json!({"type": "object", "properties": {"a": {"$ref": "https://a.b/c"}}}),
                "$ref",
            ),
            (json!({"type": "object", "if": {}, "then": {}}), "if"),
            (
                json!({"type": "object", "properties": {"a": {"type": "string", "pattern": "(?=x)"}}}),
                "pattern",
            ),
            (json!({"type": "object", "properties": {"a": {"type": "text"}}}), "type"),
            (json!({"type": "object", "properties": {"a": 3}}), "no object"),
            (json!({"type": "object", "patternProperties": {}}), "patternProperties"),
        ] {
            let found = read(schema.clone()).unwrap_err().to_string();
            assert!(found.contains(fault), "{schema}: {found}");
        }
    }
}
