//! Makes the schema of a tool's arguments one that a service takes. The schemas of incar's own tools
//! are plain already; those of hosts and of MCP servers may be anything.

use crate::dialect::{Nulls, SchemaRules};
use serde_json::{Map, Value};

/// How deep a schema is followed: one that refers to itself is cut there.
const DEPTH: usize = 12;

/// `schema` without references (local ones are put in place, others accept anything), notes for
/// tools, and what `rules` refuse. The result is an object schema with `properties`.
///
/// ```
/// use incar_openai::{adapt_schema, Dialect};
/// let schema = serde_json::json!({
///     "$defs": {"Seat": {"enum": ["driver", "passenger"]}},
///     "properties": {"seat": {"$ref": "#/$defs/Seat", "description": "Whose."}}
/// });
/// assert_eq!(adapt_schema(&schema, &Dialect::COMMON.schema), serde_json::json!({
///     "type": "object",
///     "properties": {"seat": {"enum": ["driver", "passenger"], "description": "Whose."}}
/// }));
/// ```
pub fn adapt(schema: &Value, rules: &SchemaRules) -> Value {
    let adapter = Adapter { root: schema, rules };
    let mut object = match adapter.schema(schema, 0) {
        Value::Object(object) => object,
        _ => Map::new(),
    };
    object.insert("type".into(), "object".into());
    object.entry("properties").or_insert_with(|| Map::new().into());
    Value::Object(object)
}

struct Adapter<'a> {
    root: &'a Value,
    rules: &'a SchemaRules,
}

impl Adapter<'_> {
    fn schema(&self, schema: &Value, depth: usize) -> Value {
        let Value::Object(schema) = schema else {
            // `true` and `false` are schemas too.
            return schema.clone();
        };
        if depth > DEPTH {
            return Map::new().into();
        }
        let mut adapted = match schema.get("$ref").and_then(Value::as_str) {
            Some(reference) => self.referred(reference, depth),
            None => Map::new(),
        };
        for (keyword, value) in schema {
            if self.is_kept(keyword) {
                adapted.insert(keyword.clone(), self.keyword(keyword, value, depth));
            }
        }
        if self.rules.nulls == Nulls::Dropped {
            drop_nulls(&mut adapted);
        }
        Value::Object(adapted)
    }

    fn referred(&self, reference: &str, depth: usize) -> Map<String, Value> {
        let target = reference
            .strip_prefix('#')
            .and_then(|pointer| self.root.pointer(pointer));
        match target.map(|target| self.schema(target, depth + 1)) {
            Some(Value::Object(object)) => object,
            _ => Map::new(),
        }
    }

    fn is_kept(&self, keyword: &str) -> bool {
        let is_note = matches!(
            keyword,
            "$ref" | "$schema" | "$defs" | "definitions" | "$id" | "$comment"
        );
        !is_note && !self.rules.refused.contains(&keyword)
    }

    fn keyword(&self, keyword: &str, value: &Value, depth: usize) -> Value {
        match (keyword, value) {
            ("properties" | "patternProperties", Value::Object(named)) => named
                .iter()
                .map(|(name, schema)| (name.clone(), self.schema(schema, depth + 1)))
                .collect(),
            ("anyOf" | "oneOf" | "allOf" | "prefixItems", Value::Array(list)) => {
                list.iter().map(|schema| self.schema(schema, depth + 1)).collect()
            }
            ("items" | "additionalProperties" | "not", schema) => self.schema(schema, depth + 1),
            (_, value) => value.clone(),
        }
    }
}

/// An argument that may be null is one that may be left out.
fn drop_nulls(schema: &mut Map<String, Value>) {
    schema.remove("nullable");
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            schema.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(values)) = schema.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    if schema.get("default").is_some_and(Value::is_null) {
        schema.remove("default");
    }
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(choices)) = schema.get_mut(keyword) else {
            continue;
        };
        choices.retain(|choice| choice.get("type").and_then(Value::as_str) != Some("null"));
        if let [Value::Object(only)] = choices.as_mut_slice() {
            let only = std::mem::take(only);
            schema.remove(keyword);
            for (name, value) in only {
                schema.entry(name).or_insert(value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialect;
    use serde_json::json;

    fn check(rules: SchemaRules, property: &Value, expected: &Value) {
        let schema = json!({
            "$schema": "x", "$defs": {"A": {"type": "string", "pattern": "a"}, "B": {"$ref": "#/$defs/A"}},
            "type": "object", "properties": {"p": property}, "required": ["p"]
        });
        let adapted = adapt(&schema, &rules);
        assert_eq!(
            adapted,
            json!({"type": "object", "properties": {"p": expected}, "required": ["p"]})
        );
        assert_eq!(adapt(&adapted, &rules), adapted, "adapting once is enough");
    }

    #[test]
    fn references_are_put_in_place() {
        let common = Dialect::COMMON.schema;
        check(
            common,
            &json!({"$ref": "#/$defs/B"}),
            &json!({"type": "string", "pattern": "a"}),
        );
        check(
            common,
            &json!({"type": "array", "items": {"$ref": "#/$defs/A", "description": "d"}}),
            &json!({"type": "array", "items": {"type": "string", "pattern": "a", "description": "d"}}),
        );
        check(common, &json!({"$ref": "other.json#/A"}), &json!({}));
        check(common, &json!({"$ref": "#/nowhere"}), &json!({}));
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let schema = json!({
            "$defs": {"Tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/Tree"}}}, "Loop": {"$ref": "#/$defs/Loop"}},
            "properties": {"tree": {"$ref": "#/$defs/Tree"}, "loop": {"$ref": "#/$defs/Loop"}}
        });
        let adapted = adapt(&schema, &Dialect::COMMON.schema).to_string();
        assert!(!adapted.contains("$ref") && adapted.len() < 2000, "{adapted}");
    }

    #[test]
    fn nulls_go_where_they_are_refused() {
        let common = Dialect::COMMON.schema;
        let kept = SchemaRules {
            nulls: Nulls::Kept,
            ..common
        };
        for (nullable, plain) in [
            (
                json!({"type": ["string", "null"], "default": null}),
                json!({"type": "string"}),
            ),
            (json!({"type": "string", "nullable": true}), json!({"type": "string"})),
            (json!({"enum": ["a", null]}), json!({"enum": ["a"]})),
            (
                json!({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}], "description": "d"}),
                json!({"type": "integer", "minimum": 1, "description": "d"}),
            ),
            (
                json!({"oneOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]}),
                json!({"oneOf": [{"type": "integer"}, {"type": "string"}]}),
            ),
        ] {
            check(common, &nullable, &plain);
            check(kept, &nullable, &nullable);
        }
    }

    #[test]
    fn refused_keywords_go_but_arguments_of_that_name_stay() {
        let pattern = json!({"type": "object", "properties": {"pattern": {"type": "string", "pattern": "a"}}});
        check(
            Dialect::LLAMA_CPP.schema,
            &pattern,
            &json!({"type": "object", "properties": {"pattern": {"type": "string"}}}),
        );
    }

    #[test]
    fn what_is_no_object_becomes_one() {
        for schema in [json!(true), json!(null), json!({})] {
            assert_eq!(
                adapt(&schema, &Dialect::COMMON.schema),
                json!({"type": "object", "properties": {}})
            );
        }
    }
}
