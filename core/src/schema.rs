//! JSON schemas of tool arguments: made plain for every service, and checked before a tool runs.

use crate::error::ErrorKind;
use crate::lang::Lang;
use crate::tool::{Refusal, ToolError};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value};

/// The JSON schema of `T` in the form in which tools' arguments have theirs, which every model's service takes and every
/// model reads: one plain object without references, titles, formats and null types (an optional field is left out
/// instead), unknown fields refused.
pub fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.inline_subschemas = true;
        settings.meta_schema = None;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    plain(&mut schema);
    if let Value::Object(object) = &mut schema {
        object.remove("description");
        object.entry("type").or_insert_with(|| "object".into());
        object.entry("properties").or_insert_with(|| Value::Object(Map::new()));
        object.insert("additionalProperties".into(), false.into());
    }
    schema
}

/// What is wrong with `value` by `schema` (one of [`schema_of`]), in words for a model; `None` where it fits.
///
/// ```
/// use incar_core::{schema_fault, schema_of};
///
/// #[derive(schemars::JsonSchema)]
/// struct Plan {
///     #[schemars(length(min = 3, max = 5))]
///     steps: Vec<String>,
/// }
///
/// let fault = schema_fault(&schema_of::<Plan>(), &serde_json::json!({"steps": ["search"]}));
/// assert_eq!(fault.as_deref(), Some("`steps` must have 3 to 5 items, not 1"));
/// ```
pub fn schema_fault(schema: &Value, value: &Value) -> Option<String> {
    match check(schema, value, Lang::En) {
        Ok(()) => None,
        Err(Refusal::Misfit(fault)) => Some(fault),
        Err(Refusal::Failed(error)) => Some(match error.argument {
            Some(argument) => format!("`{argument}`: {}", error.message),
            None => error.message,
        }),
    }
}

fn plain(schema: &mut Value) {
    let Value::Object(object) = schema else { return };
    for noise in ["title", "format", "default", "$schema", "$defs"] {
        object.remove(noise);
    }
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|kind| kind != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    unwrap_alternatives(object);
    for nested in ["properties", "$defs"] {
        if let Some(Value::Object(properties)) = object.get_mut(nested) {
            properties.values_mut().for_each(plain);
        }
    }
    if let Some(items) = object.get_mut("items") {
        plain(items);
    }
}

/// `anyOf [X, null]` becomes X, and `oneOf` of constants becomes an `enum`.
fn unwrap_alternatives(object: &mut Map<String, Value>) {
    for key in ["anyOf", "oneOf"] {
        let Some(Value::Array(mut alternatives)) = object.remove(key) else {
            continue;
        };
        alternatives.retain(|alternative| alternative.get("type").and_then(Value::as_str) != Some("null"));
        alternatives.iter_mut().for_each(plain);
        let constants: Option<Vec<Vec<Value>>> = alternatives.iter().map(constants_of).collect();
        match (constants, alternatives.as_mut_slice()) {
            (Some(constants), _) if !constants.is_empty() => {
                object.insert("type".into(), "string".into());
                object.insert("enum".into(), constants.concat().into());
            }
            (_, [Value::Object(only)]) => {
                for (name, value) in std::mem::take(only) {
                    object.entry(name).or_insert(value);
                }
            }
            _ => {
                object.insert(key.into(), alternatives.into());
            }
        }
    }
}

fn constants_of(schema: &Value) -> Option<Vec<Value>> {
    let constant = schema.get("const").map(|value| vec![value.clone()]);
    constant.or_else(|| schema.get("enum").and_then(Value::as_array).cloned())
}

/// Checks `arguments` against `schema`: required and unknown names, types, enums, bounds. What a
/// schema may say beyond that is left to the tool's own parsing.
pub(crate) fn check(schema: &Value, arguments: &Value, lang: Lang) -> Result<(), Refusal> {
    let Value::Object(arguments) = arguments else {
        return Err(Refusal::Misfit("the arguments must be one JSON object".into()));
    };
    let properties = schema.get("properties").and_then(Value::as_object);
    for required in schema
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
    {
        if arguments.get(required).is_none_or(Value::is_null) {
            return Err(Refusal::Misfit(format!(
                "the required argument `{required}` is missing"
            )));
        }
    }
    let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
    for (name, value) in arguments {
        match properties.and_then(|properties| properties.get(name)) {
            _ if value.is_null() => {}
            Some(property) => check_value(name, property, value, lang)?,
            None if closed => {
                let known = properties.into_iter().flat_map(Map::keys).map(String::as_str);
                return Err(Refusal::Misfit(unknown_name("argument", name, known)));
            }
            None => {}
        }
    }
    Ok(())
}

fn check_value(name: &str, schema: &Value, value: &Value, lang: Lang) -> Result<(), Refusal> {
    if let Some(allowed) = schema.get("enum").and_then(Value::as_array) {
        if !allowed.contains(value) {
            let said = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            let allowed: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
            return Err(Refusal::Misfit(format!(
                "`{name}`: {}",
                unknown_name("value", &said, allowed.iter().copied())
            )));
        }
        return Ok(());
    }
    match schema.get("type") {
        Some(Value::String(kind)) if !has_type(value, kind) => {
            return Err(Refusal::Misfit(format!("`{name}` must be of type {kind}, not {value}")));
        }
        Some(Value::Array(kinds)) if !kinds.iter().filter_map(Value::as_str).any(|kind| has_type(value, kind)) => {
            return Err(Refusal::Misfit(format!(
                "`{name}` must be one of the types {kinds:?}, not {value}"
            )));
        }
        _ => {}
    }
    if let Some(number) = value.as_f64() {
        let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
        let (low, high) = (bound("minimum"), bound("maximum"));
        if low.is_some_and(|low| number < low) || high.is_some_and(|high| number > high) {
            return Err(out_of_range(name, low, high, lang).into());
        }
    }
    if let Some(values) = value.as_array() {
        check_count(name, schema, values.len())?;
        if let Some(items) = schema.get("items") {
            return values
                .iter()
                .try_for_each(|value| check_value(name, items, value, lang));
        }
    }
    match (schema.get("properties"), value) {
        (Some(_), Value::Object(_)) => check(schema, value, lang),
        _ => Ok(()),
    }
}

fn check_count(name: &str, schema: &Value, count: usize) -> Result<(), Refusal> {
    let bound = |key: &str| {
        let bound = schema.get(key).and_then(Value::as_u64);
        bound.and_then(|bound| usize::try_from(bound).ok())
    };
    let wanted = match (bound("minItems"), bound("maxItems")) {
        (Some(least), Some(most)) if count < least || count > most => format!("{least} to {most}"),
        (Some(least), _) if count < least => format!("at least {least}"),
        (_, Some(most)) if count > most => format!("at most {most}"),
        _ => return Ok(()),
    };
    Err(Refusal::Misfit(format!(
        "`{name}` must have {wanted} items, not {count}"
    )))
}

fn has_type(value: &Value, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        _ => true,
    }
}

fn out_of_range(name: &str, low: Option<f64>, high: Option<f64>, lang: Lang) -> ToolError {
    let message = match (low, high) {
        (Some(low), Some(high)) => lang.pick(
            format!("可以设{low}到{high}之间，请问要多少？"),
            format!("It can be between {low} and {high}. What should it be?"),
        ),
        (Some(low), None) => lang.pick(
            format!("最小是{low}，请问要多少？"),
            format!("It must be at least {low}. What should it be?"),
        ),
        (None, Some(high)) => lang.pick(
            format!("最大是{high}，请问要多少？"),
            format!("It can be {high} at most. What should it be?"),
        ),
        (None, None) => lang.pick(
            "超出了范围，请问要多少？".into(),
            "That is out of range. What should it be?".into(),
        ),
    };
    ToolError::ask(ErrorKind::OutOfRange, name, message)
}

/// "unknown …" with the names that are near, or all of them where none is.
pub(crate) fn unknown_name<'a>(what: &str, said: &str, known: impl Iterator<Item = &'a str>) -> String {
    let mut ranked: Vec<(f64, &str)> = known.map(|name| (strsim::jaro_winkler(said, name), name)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let near: Vec<&str> = ranked
        .iter()
        .take_while(|(score, _)| *score > 0.8)
        .take(3)
        .map(|(_, name)| *name)
        .collect();
    if near.is_empty() {
        let all: Vec<&str> = ranked.iter().take(30).map(|(_, name)| *name).collect();
        format!("unknown {what} `{said}`; it must be one of: {}", all.join(", "))
    } else {
        format!("unknown {what} `{said}`; did you mean: {}?", near.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// How it opens.
    #[derive(serde::Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    #[allow(dead_code)]
    enum Way {
        /// Wide.
        Wide,
        Narrow,
    }

    #[derive(serde::Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Args {
        /// How.
        way: Way,
        #[schemars(range(min = 0, max = 100))]
        percentage: Option<f64>,
        via: Option<Vec<String>>,
        other: Option<Way>,
        #[schemars(length(max = 2))]
        stops: Option<Vec<Stop>>,
    }

    #[derive(serde::Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Stop {
        minutes: u8,
    }

    #[test]
    fn a_schema_is_one_plain_object() {
        assert_eq!(
            schema_of::<Args>(),
            json!({
                "type": "object",
                "properties": {
                    "way": {"description": "How.", "type": "string", "enum": ["narrow", "wide"]},
                    "percentage": {"type": "number", "minimum": 0, "maximum": 100},
                    "via": {"type": "array", "items": {"type": "string"}},
                    "other": {"type": "string", "enum": ["narrow", "wide"]},
                    "stops": {"type": "array", "maxItems": 2, "items": {
                        "type": "object", "required": ["minutes"],
                        "properties": {"minutes": {"type": "integer", "minimum": 0, "maximum": 255}}
                    }}
                },
                "required": ["way"],
                "additionalProperties": false
            })
        );
    }

    #[test]
    fn arguments_that_miss_the_schema_are_told_what_is_wrong() {
        for (arguments, wrong) in [
            (json!([]), "one JSON object"),
            (json!({}), "`way` is missing"),
            (json!({"way": null}), "`way` is missing"),
            (json!({"way": "wid"}), "did you mean: wide"),
            (json!({"way": "zzz"}), "one of: "),
            (json!({"way": "wide", "percentag": 3}), "did you mean: percentage"),
            (json!({"way": "wide", "percentage": "3"}), "must be of type number"),
            (json!({"way": "wide", "via": ["a", 1]}), "must be of type string"),
            (json!({"way": "wide", "stops": [{}]}), "`minutes` is missing"),
            (
                json!({"way": "wide", "stops": [{"minutes": "5"}]}),
                "must be of type integer",
            ),
            (
                json!({"way": "wide", "stops": [{"minutes": 1}, {"minutes": 2}, {"minutes": 3}]}),
                "`stops` must have at most 2 items, not 3",
            ),
        ] {
            match check(&schema_of::<Args>(), &arguments, Lang::En) {
                Err(Refusal::Misfit(message)) => assert!(message.contains(wrong), "{arguments}: {message}"),
                other => panic!("{arguments}: {other:?}"),
            }
        }
    }

    #[test]
    fn what_fits_passes_and_null_is_left_out() {
        for arguments in [
            json!({"way": "wide"}),
            json!({"way": "narrow", "percentage": 100, "via": ["a"], "other": null}),
        ] {
            assert_eq!(check(&schema_of::<Args>(), &arguments, Lang::Zh), Ok(()));
        }
    }

    #[test]
    fn a_number_out_of_range_is_a_question_to_the_driver() {
        match check(
            &schema_of::<Args>(),
            &json!({"way": "wide", "percentage": 101}),
            Lang::En,
        ) {
            Err(Refusal::Failed(error)) => {
                assert_eq!(
                    (error.kind, error.argument.as_deref()),
                    (ErrorKind::OutOfRange, Some("percentage"))
                );
            }
            other => panic!("{other:?}"),
        }
    }
}
