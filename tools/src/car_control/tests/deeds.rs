//! The table of deeds knows whatever the tools do.

use super::*;
use crate::car_control::{Layout, deeds};
use crate::vehicle::Vehicle;
use incar_core::{Effect, ToolSpec};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};

/// Arguments of every kind that the tool takes: each value of each argument at least once.
fn calls_of(spec: &ToolSpec) -> Vec<Value> {
    let properties = spec.parameters["properties"].as_object().unwrap();
    let values = |schema: &Value| -> Vec<Value> {
        if let Some(names) = schema["enum"].as_array() {
            return names.clone();
        }
        let kinds = schema["type"].to_string();
        if kinds.contains("number") || kinds.contains("integer") {
            let low = schema["minimum"].as_f64().unwrap_or(1.0);
            let high = schema["maximum"].as_f64().unwrap_or(2.0);
            return vec![json!(low), json!(high), json!((low + high) / 2.0)];
        }
        [
            "1",
            "max",
            "min",
            "blue",
            "2",
            "ocean",
            "child lock",
            "hotspot",
            "settings",
        ]
        .map(Value::from)
        .to_vec()
    };
    let base: BTreeMap<&str, Value> = spec
        .required()
        .map(|name| (name, values(&properties[name]).remove(0)))
        .collect();
    let mut calls = Vec::new();
    for (name, schema) in properties {
        for value in values(schema) {
            // With each value of the required arguments that decide what a call does.
            let decides = ["action", "power", "direction"]
                .into_iter()
                .find(|name| base.contains_key(name));
            let choices = decides.map_or(vec![None], |decides| {
                values(&properties[decides])
                    .into_iter()
                    .map(|choice| Some((decides, choice)))
                    .collect()
            });
            for choice in choices {
                let mut call = base.clone();
                call.extend(choice);
                call.insert(name.as_str(), value.clone());
                calls.push(json!(call));
            }
        }
    }
    calls
}

#[test]
fn every_signal_that_a_tool_sets_is_known_as_a_deed() {
    let registry = Bench::new().registry;
    let (mut sets, mut unknown) = (BTreeSet::new(), BTreeSet::new());
    for spec in registry
        .iter()
        .map(|tool| tool.spec())
        .filter(|spec| spec.effect != Effect::Read)
    {
        let mut does_something = false;
        let bench = Bench::new();
        let mut before = targets(&bench);
        for call in calls_of(spec) {
            if bench.call(&spec.name, &call).is_err() {
                continue;
            }
            let after = targets(&bench);
            for (signal, value) in after
                .iter()
                .filter(|(signal, value)| before.get(*signal) != Some(value))
            {
                does_something = true;
                sets.insert(signal.clone());
                if deeds(signal, value, Layout::LeftHandDrive).is_empty() {
                    unknown.insert((spec.name.to_string(), signal.clone(), value.to_string()));
                }
            }
            before = after;
        }
        assert!(does_something, "{}", spec.name);
    }
    assert!(sets.len() > 150, "{}", sets.len());
    assert_eq!(unknown, BTreeSet::new());
}

/// Where each actuator stands or is going.
fn targets(bench: &Bench) -> BTreeMap<String, Value> {
    let names = bench.car.snapshot().into_keys();
    names
        .filter_map(|name| {
            let target = bench.car.target(&name).ok()?;
            Some((name, Value::from(&target)))
        })
        .collect()
}
