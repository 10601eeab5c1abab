//! What a policy that loads would still never do, because it names what is not there.

use super::condition::{Comparison, Condition};
use super::facts::Facts;
use super::row::{Action, AddedCall, Name, Row, Scope};
use super::shadow;
use crate::toml_file::{Code, Diagnostic, Faults, Place, choice};
use crate::vehicle::{SignalValue, Vehicle};
use incar_core::{Bilingual, ToolRegistry, ToolSpec};
use serde_json::Value;
use std::sync::Arc;

/// Tells what `rows` name that is not there, and which of them never come to be asked.
pub(super) fn rows(rows: &[Row], facts: &Facts, tools: &ToolRegistry, faults: &Faults) {
    for row in rows {
        let linter = Linter {
            key: format!("policy `{}`", row.id),
            vehicle: facts.vehicle(),
            tools,
            faults,
        };
        let specs = linter.scope(&row.scope);
        linter.condition(&row.when, &specs);
        match &row.action {
            Action::Allow => {}
            Action::Warn(say) | Action::Deny(say) | Action::Confirm(say) => linter.say(say, &row.place, &specs),
            Action::Amend(say, calls) => {
                linter.say(say, &row.place, &specs);
                for call in calls {
                    linter.call(call, &specs);
                }
            }
        }
    }
    shadow::tell(rows, faults);
}

/// Looks names up for one policy or permission.
pub(super) struct Linter<'a> {
    /// What is at fault, as it is told of.
    pub(super) key: String,
    pub(super) vehicle: &'a dyn Vehicle,
    pub(super) tools: &'a ToolRegistry,
    pub(super) faults: &'a Faults,
}

/// The tools that something is about, as far as they are there.
type Specs = Vec<Arc<ToolSpec>>;

impl Linter<'_> {
    fn fault(&self, place: &Place, key: &str, code: Code, message: String, fix: String) {
        let key = if key.is_empty() {
            self.key.clone()
        } else {
            format!("{}.{key}", self.key)
        };
        self.faults
            .push(Diagnostic::new(place.clone(), key, code, message, fix));
    }

    /// Looks up tools and arguments; the tools that are there.
    pub(super) fn scope(&self, scope: &Scope) -> Specs {
        let specs: Specs = scope.tools.iter().filter_map(|tool| self.tool(tool, "tool")).collect();
        for (name, wanted) in &scope.arguments {
            for spec in &specs {
                self.argument(std::slice::from_ref(spec), name, Some(wanted), "arguments");
            }
        }
        specs
    }

    fn tool(&self, tool: &Name, key: &str) -> Option<Arc<ToolSpec>> {
        if let Some(found) = self.tools.get(&tool.text) {
            return Some(found.spec().clone());
        }
        let names: Vec<String> = self.tools.iter().map(|tool| tool.spec().name.to_string()).collect();
        let fix = choice(&tool.text, names.iter().map(String::as_str));
        let message = format!("there is no tool `{}`", tool.text);
        self.fault(&tool.place, key, Code::UnknownTool, message, fix);
        None
    }

    /// Looks an argument up in any of `specs`, and whether it may be what it is compared with.
    fn argument(&self, specs: &[Arc<ToolSpec>], name: &Name, wanted: Option<&Comparison>, key: &str) {
        let having =
            |spec: &&Arc<ToolSpec>| spec.argument(&name.text).is_some() || spec.judged.contains(&name.text.as_str());
        let Some(spec) = specs.iter().find(having) else {
            let Some(first) = specs.first() else { return };
            let known = specs.iter().flat_map(|spec| arguments_of(spec));
            let fix = choice(&name.text, known.collect::<Vec<_>>());
            let message = format!("the tool `{}` has no argument `{}`", first.name, name.text);
            self.fault(&name.place, key, Code::UnknownArgument, message, fix);
            return;
        };
        if let (Some(schema), Some(wanted)) = (spec.argument(&name.text), wanted) {
            self.comparison(
                name,
                wanted,
                key,
                |value| misfit(schema, value),
                schema_is_number(schema),
            );
        }
    }

    /// Tells what of a comparison can never hold.
    fn comparison(
        &self,
        name: &Name,
        wanted: &Comparison,
        key: &str,
        misfit: impl Fn(&Value) -> Option<String>,
        is_number: bool,
    ) {
        match wanted {
            Comparison::OneOf(values) => {
                for (value, fix) in values.iter().filter_map(|value| Some((value, misfit(value)?))) {
                    let message = format!("`{}` is never {value}", name.text);
                    self.fault(&name.place, key, Code::UnknownValue, message, fix);
                }
            }
            Comparison::Above(_) | Comparison::Below(_) if is_number => {}
            Comparison::Above(_) | Comparison::Below(_) => {
                let message = format!("`{}` is no number", name.text);
                self.fault(
                    &name.place,
                    key,
                    Code::UnknownValue,
                    message,
                    "compare it with `is`".to_owned(),
                );
            }
        }
    }

    pub(super) fn condition(&self, condition: &Condition, specs: &[Arc<ToolSpec>]) {
        condition.each_leaf(&mut |leaf| match leaf {
            Condition::Signal(names, wanted) => {
                names.iter().for_each(|name| self.signal(name, wanted));
            }
            Condition::Argument(name, wanted) => self.argument(specs, name, Some(wanted), "when.argument"),
            Condition::Fact(_) | Condition::All(_) | Condition::Any(_) | Condition::Not(_) => {}
        });
    }

    fn signal(&self, name: &Name, wanted: &Comparison) {
        let key = "when.signal";
        let Some(info) = self.vehicle.info(&name.text) else {
            let known = self.vehicle.snapshot();
            let fix = choice(&name.text, known.keys().map(String::as_str));
            let message = format!("the car has no signal `{}`", name.text);
            self.fault(&name.place, key, Code::UnknownSignal, message, fix);
            return;
        };
        let misfit = |value: &Value| {
            let value = SignalValue::try_from(value);
            match value.map(|value| info.check(&value)) {
                Ok(Ok(())) => None,
                Ok(Err(error)) => Some(error.to_string()),
                Err(error) => Some(error.to_string()),
            }
        };
        let is_number = !matches!(
            info.datatype,
            crate::vehicle::DataType::Boolean | crate::vehicle::DataType::String
        );
        self.comparison(name, wanted, key, misfit, is_number);
    }

    fn call(&self, call: &AddedCall, specs: &[Arc<ToolSpec>]) {
        self.condition(&call.when, specs);
        let Some(spec) = self.tool(&call.tool, "calls.tool") else {
            return;
        };
        let at = |text: &str| Name {
            text: text.to_owned(),
            place: call.tool.place.clone(),
        };
        for (name, value) in &call.arguments {
            let wanted = Comparison::OneOf(vec![value.clone()]);
            self.argument(std::slice::from_ref(&spec), &at(name), Some(&wanted), "calls.arguments");
        }
        if let Some(each) = &call.each_open_window {
            self.argument(
                std::slice::from_ref(&spec),
                &at(&each.argument),
                None,
                "calls.each_open_window",
            );
        }
    }

    /// Looks up what stands in braces: `{text}` is the argument `text`.
    pub(super) fn say(&self, say: &Bilingual, place: &Place, specs: &[Arc<ToolSpec>]) {
        for sentence in [&say.zh, &say.en] {
            for part in sentence.split('{').skip(1) {
                if let Some((name, _)) = part.split_once('}') {
                    let name = Name {
                        text: name.to_owned(),
                        place: place.clone(),
                    };
                    self.argument(specs, &name, None, "say");
                }
            }
        }
    }
}

fn arguments_of(spec: &ToolSpec) -> impl Iterator<Item = &str> {
    let properties = spec.parameters.get("properties").and_then(Value::as_object);
    let written = properties.into_iter().flat_map(|properties| properties.keys());
    written.map(String::as_str).chain(spec.judged.iter().copied())
}

/// What to write instead of `value`, where the schema does not take it.
fn misfit(schema: &Value, value: &Value) -> Option<String> {
    if let Some(allowed) = schema.get("enum").and_then(Value::as_array) {
        let said = value.as_str().unwrap_or_default();
        let names = allowed.iter().filter_map(Value::as_str);
        return (!allowed.contains(value)).then(|| choice(said, names));
    }
    let kinds: Vec<&str> = match schema.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    let fits = |kind: &&str| match *kind {
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "number" | "integer" => value.as_f64().is_some_and(|number| within(schema, number)),
        _ => true,
    };
    let bound = |key: &str| {
        schema
            .get(key)
            .map(|bound| format!(" {key} {bound}"))
            .unwrap_or_default()
    };
    (!kinds.iter().any(fits)).then(|| format!("it is a {}{}{}", kinds.join(" or "), bound("minimum"), bound("maximum")))
}

fn within(schema: &Value, number: f64) -> bool {
    let bound = |key: &str| schema.get(key).and_then(Value::as_f64);
    bound("minimum").is_none_or(|low| number >= low) && bound("maximum").is_none_or(|high| number <= high)
}

fn schema_is_number(schema: &Value) -> bool {
    let number = |kind: &Value| matches!(kind.as_str(), Some("number" | "integer"));
    match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(number),
        Some(kind) => number(kind),
        None => true,
    }
}
