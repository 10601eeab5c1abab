//! What stands after the bar of an action, as the arguments of its tool.

use incar_core::{Lang, ToolSpec};
use serde_json::{Map, Value};

/// Why an input is none of the tool's arguments.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum InputFault {
    #[error("not JSON: {0}")]
    NotJson(String),
    #[error("the tool takes several arguments")]
    SeveralArguments(Vec<String>),
    #[error("`{argument}` must be of type {kind}")]
    WrongType { argument: String, kind: String },
}

impl InputFault {
    /// What to tell the model.
    pub(super) fn told(&self, lang: Lang) -> String {
        match self {
            Self::NotJson(fault) => lang.pick(
                format!("输入不是正确的 JSON：{fault}"),
                format!("The input is no correct JSON: {fault}"),
            ),
            Self::SeveralArguments(names) => {
                let names = names.join(", ");
                lang.pick(
                    format!("这个工具有几个参数（{names}），输入要写成 JSON 对象。"),
                    format!("This tool takes several arguments ({names}): write the input as a JSON object."),
                )
            }
            Self::WrongType { argument, kind } => lang.pick(
                format!("参数 {argument} 的类型应当是 {kind}。"),
                format!("The argument {argument} must be of type {kind}."),
            ),
        }
    }
}

/// The arguments that `input` stands for: a JSON object as it is; anything else is the one argument that the tool
/// requires, or the only one it has.
pub(super) fn arguments(spec: &ToolSpec, input: &str) -> Result<Value, InputFault> {
    let input = input.trim();
    if input.starts_with('{') {
        return serde_json::from_str(input).map_err(|error| InputFault::NotJson(error.to_string()));
    }
    let properties = spec.parameters.get("properties").and_then(Value::as_object);
    let mut names = properties.into_iter().flat_map(Map::keys).map(String::as_str);
    let mut required = spec.required();
    let all = || {
        spec.parameters
            .get("properties")
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(Map::keys)
    };
    let only = match (required.next(), required.next()) {
        (Some(only), None) => only,
        (None, _) => match (names.next(), names.next()) {
            _ if input.is_empty() => return Ok(Value::Object(Map::new())),
            (Some(only), None) => only,
            _ => return Err(InputFault::SeveralArguments(all().cloned().collect())),
        },
        (Some(_), Some(_)) => return Err(InputFault::SeveralArguments(all().cloned().collect())),
    };
    let kind = spec
        .argument(only)
        .and_then(|schema| schema.get("type"))
        .and_then(Value::as_str);
    let value = value(input, kind.unwrap_or("string")).ok_or_else(|| InputFault::WrongType {
        argument: only.to_owned(),
        kind: kind.unwrap_or("string").to_owned(),
    })?;
    Ok(Value::Object(Map::from_iter([(only.to_owned(), value)])))
}

fn value(input: &str, kind: &str) -> Option<Value> {
    match kind {
        "string" => Some(unquoted(input).into()),
        _ => serde_json::from_str(input).ok().filter(|value: &Value| match kind {
            "number" | "integer" => value.is_number(),
            "boolean" => value.is_boolean(),
            "array" => value.is_array(),
            _ => false,
        }),
    }
}

/// Models write `search|"x"` as well as `search|x`.
fn unquoted(input: &str) -> &str {
    let inner = input.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    inner.filter(|inner| !inner.contains('"')).unwrap_or(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use incar_core::{Bilingual, Effect, ToolCategory};
    use serde_json::json;

    fn spec(required: &[&str], properties: Value) -> ToolSpec {
        let description = Bilingual::new("工具", "a tool");
        let mut spec = ToolSpec::new("tool", ToolCategory::KNOWLEDGE, Effect::Read, description);
        spec.parameters = json!({"type": "object", "properties": properties, "required": required});
        spec
    }

    #[test]
    fn an_input_becomes_the_arguments_of_the_tools_schema() {
        let search = spec(
            &["query"],
            json!({"query": {"type": "string"}, "count": {"type": "integer"}}),
        );
        let count = spec(&["n"], json!({"n": {"type": "integer"}}));
        let only = spec(&[], json!({"place": {"type": "string"}}));
        let route = spec(
            &["from", "to"],
            json!({"from": {"type": "string"}, "to": {"type": "string"}}),
        );
        let none = spec(&[], json!({}));
        let wrong = |argument: &str, kind: &str| {
            Err(InputFault::WrongType {
                argument: argument.into(),
                kind: kind.into(),
            })
        };
        let several = Err(InputFault::SeveralArguments(vec!["from".into(), "to".into()]));
        for (spec, input, expected) in [
            (&search, "法国首都", Ok(json!({"query": "法国首都"}))),
            (&search, "\"法国首都\"", Ok(json!({"query": "法国首都"}))),
            (
                &search,
                r#"{"query":"a","count":2}"#,
                Ok(json!({"query": "a", "count": 2})),
            ),
            (&search, "", Ok(json!({"query": ""}))),
            (&search, "[1]", Ok(json!({"query": "[1]"}))),
            (&count, "3", Ok(json!({"n": 3}))),
            (&count, "three", wrong("n", "integer")),
            (&only, "杭州", Ok(json!({"place": "杭州"}))),
            (&only, "", Ok(json!({}))),
            (&none, "", Ok(json!({}))),
            (&route, "杭州", several.clone()),
            (&route, r#"{"from":"a","to":"b"}"#, Ok(json!({"from": "a", "to": "b"}))),
        ] {
            assert_eq!(arguments(spec, input), expected, "{input}");
        }
        assert!(matches!(arguments(&search, "{query: a}"), Err(InputFault::NotJson(_))));
    }
}
