//! A file of the Vehicle Signal Specification, as its releases are written: a tree in JSON.

use crate::toml_file::{Code, Diagnostic, Diagnostics, Place, read_text};
use crate::vehicle::{DataType, SignalInfo, SignalKind, SignalValue};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::{Error as Unknown, StrDeserializer};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::Path;

/// The signals of a file of the Vehicle Signal Specification.
#[derive(Debug, Clone, Default)]
pub struct Vss {
    name: String,
    signals: BTreeMap<String, VssSignal>,
}

/// One signal of the file.
#[derive(Debug, Clone)]
pub(super) struct VssSignal {
    /// What it is; `None` where its type is none that a tool can speak of (a list).
    pub(super) info: Option<SignalInfo>,
    pub(super) description: String,
    pub(super) default: Option<SignalValue>,
}

impl Vss {
    /// Reads the file at `path`.
    ///
    /// # Errors
    /// Where it cannot be read or is no such file.
    pub fn read(path: &Path) -> Result<Self, Diagnostics> {
        Self::parse(&path.display().to_string(), &read_text(path)?)
    }

    /// Reads the text of a file; `name` is its name in what is told of it.
    ///
    /// # Errors
    /// Where it is no such file.
    pub fn parse(name: &str, text: &str) -> Result<Self, Diagnostics> {
        let fault = |place: Place, message: String| {
            let fix = "export it as JSON: vspec export json";
            Diagnostic::new(place, "", Code::Syntax, message, fix)
        };
        let tree: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
            fault(
                Place::line(name, error.line()),
                format!("it is no JSON of a tree of signals: {error}"),
            )
        })?;
        let mut signals = BTreeMap::new();
        for (branch, node) in &tree {
            walk(branch, node, &mut signals);
        }
        if signals.is_empty() {
            return Err(fault(Place::whole(name), "it has no signals".to_owned()).into());
        }
        Ok(Self {
            name: name.to_owned(),
            signals,
        })
    }

    /// The paths of all signals.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.signals.keys().map(String::as_str)
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn signal(&self, path: &str) -> Option<&VssSignal> {
        self.signals.get(path)
    }
}

fn walk(path: &str, node: &Value, signals: &mut BTreeMap<String, VssSignal>) {
    if let Some(children) = node.get("children").and_then(Value::as_object) {
        for (name, child) in children {
            walk(&format!("{path}.{name}"), child, signals);
        }
    } else if let Some(signal) = signal(path, node) {
        signals.insert(path.to_owned(), signal);
    }
}

fn signal(path: &str, node: &Value) -> Option<VssSignal> {
    let text = |key: &str| node.get(key).and_then(Value::as_str);
    let kind: SignalKind = named(text("type")?)?;
    let info = text("datatype").and_then(named::<DataType>).map(|datatype| SignalInfo {
        name: path.to_owned(),
        kind,
        datatype,
        unit: text("unit").map(str::to_owned),
        min: node.get("min").and_then(Value::as_f64),
        max: node.get("max").and_then(Value::as_f64),
        allowed: {
            let allowed = node.get("allowed").and_then(Value::as_array).into_iter().flatten();
            allowed.filter_map(Value::as_str).map(str::to_owned).collect()
        },
    });
    Some(VssSignal {
        info,
        description: text("description").unwrap_or_default().to_owned(),
        default: node.get("default").and_then(|value| SignalValue::try_from(value).ok()),
    })
}

/// The kind or type of that name.
fn named<'a, T: Deserialize<'a>>(name: &'a str) -> Option<T> {
    let name: StrDeserializer<'a, Unknown> = name.into_deserializer();
    T::deserialize(name).ok()
}

impl VssSignal {
    /// The value that a simulated car starts with.
    pub(super) fn start(&self, info: &SignalInfo) -> SignalValue {
        let usual = match info.datatype {
            DataType::Boolean => SignalValue::Bool(false),
            DataType::String => SignalValue::Text(info.allowed.first().cloned().unwrap_or_default()),
            _ => {
                let (low, high) = info.range();
                SignalValue::Number(0.0_f64.max(low).min(high))
            }
        };
        let default = self.default.clone().filter(|default| info.check(default).is_ok());
        default.unwrap_or(usual)
    }
}
