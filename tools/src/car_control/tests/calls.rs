//! What holds of every call.

use super::*;
use incar_core::ErrorKind;
use proptest::prelude::*;
use serde_json::{Map, json};

#[test]
fn what_cannot_be_set_is_asked_about() {
    let check = |tool: &str, arguments: Value, kind: ErrorKind, argument: &str| {
        let bench = Bench::new();
        let before = bench.car.state();
        let error = refused(&bench, tool, &arguments);
        assert_eq!(
            (error.kind, error.argument.as_deref()),
            (kind, Some(argument)),
            "{tool} {arguments}"
        );
        assert_eq!(bench.car.state(), before);
    };
    use ErrorKind::{InvalidInput, OutOfRange};
    check(
        "control_window",
        json!({"window": "driver", "action": "open", "percentage": 120}),
        OutOfRange,
        "percentage",
    );
    check("set_temperature", json!({"temperature": 40}), OutOfRange, "temperature");
    check("set_temperature", json!({"change": 20}), OutOfRange, "temperature");
    check(
        "set_temperature",
        json!({"temperature": 23.2}),
        InvalidInput,
        "temperature",
    );
    check("set_temperature", json!({}), InvalidInput, "temperature");
    check("set_fan_speed", json!({"fan": 11}), OutOfRange, "fan");
    check("set_fan_speed", json!({}), InvalidInput, "fan");
    check("set_seat_heating", json!({"level": "5"}), OutOfRange, "level");
    check("set_seat_heating", json!({"level": 0}), OutOfRange, "level");
    check(
        "set_interior_light",
        json!({"light": "ambient", "brightness": 101}),
        OutOfRange,
        "brightness",
    );
    check(
        "set_interior_light",
        json!({"light": "ambient", "color": "隐形"}),
        InvalidInput,
        "color",
    );
    check("set_volume", json!({"volume": 101}), OutOfRange, "volume");
    check("set_volume", json!({"change": 80}), OutOfRange, "volume");
    check("set_volume", json!({}), InvalidInput, "volume");
}

#[test]
fn a_relative_wish_is_resolved_to_what_it_comes_to() {
    let bench = Bench::new();
    for (tool, arguments, resolved) in [
        (
            "set_temperature",
            json!({"change": 2}),
            json!({"temperature": 24.0, "zone": "driver"}),
        ),
        (
            "set_fan_speed",
            json!({"level": "max"}),
            json!({"fan": 10.0, "zone": "all"}),
        ),
        (
            "set_volume",
            json!({"change": -10}),
            json!({"channel": "media", "volume": 20.0, "mute": "off"}),
        ),
        (
            "set_seat_heating",
            json!({"change": 1}),
            json!({"seat": "driver", "power": "on", "level": "1"}),
        ),
        (
            "control_trunk",
            json!({"action": "open"}),
            json!({"trunk": "rear", "action": "open", "percentage": 100.0}),
        ),
        (
            "set_ac_power",
            json!({"power": "on"}),
            json!({"power": "on", "zone": "all"}),
        ),
    ] {
        assert_eq!(
            bench.resolve(tool, &arguments).unwrap().arguments,
            resolved,
            "{tool} {arguments}"
        );
    }
}

#[test]
fn a_hidden_argument_is_not_taken_from_a_model() {
    let bench = Bench::new();
    let result = bench.resolve("set_temperature", &json!({"temperature": 20, "each": [90]}));
    assert!(matches!(result, Err(Refusal::Misfit(_))), "{result:?}");
}

#[test]
fn a_relative_wish_twice_is_two_steps() {
    for (tool, change, argument, start) in [
        ("set_temperature", 1.0, DRIVER_TEMPERATURE, 22.0),
        ("set_volume", 10.0, MEDIA, 30.0),
        ("set_volume", -10.0, MEDIA, 30.0),
    ] {
        let bench = Bench::new();
        for step in [1.0, 2.0] {
            bench.call(tool, &json!({"change": change})).unwrap();
            assert_eq!(bench.number(argument), start + step * change, "{tool}");
        }
    }
}

/// Values of one argument, by its schema: in range and out of it.
fn values(schema: &Value) -> BoxedStrategy<Value> {
    if let Some(allowed) = schema.get("enum").and_then(Value::as_array) {
        return proptest::sample::select(allowed.clone()).boxed();
    }
    match schema.get("type") {
        Some(Value::String(kind)) if kind == "string" => "[a-z]{0,6}|红色|blue|1|7".prop_map(Value::from).boxed(),
        Some(Value::Array(_)) => prop_oneof![Just(json!("max")), (-1..6i32).prop_map(|n| json!(n.to_string()))].boxed(),
        _ => (-260..260i32).prop_map(|half| json!(f64::from(half) / 2.0)).boxed(),
    }
}

/// Calls of every tool with some of its arguments.
fn calls() -> impl Strategy<Value = (String, Value)> {
    let bench = Bench::new();
    let tools: Vec<(String, Map<String, Value>)> = bench
        .registry
        .iter()
        .map(|tool| {
            let spec = tool.spec();
            (
                spec.name.to_string(),
                spec.parameters["properties"].as_object().unwrap().clone(),
            )
        })
        .collect();
    proptest::sample::select(tools).prop_flat_map(|(name, properties)| {
        let arguments: Vec<_> = properties
            .iter()
            .map(|(argument, schema)| (Just(argument.clone()), proptest::option::of(values(schema))))
            .collect();
        arguments.prop_map(move |arguments| {
            let given = arguments.into_iter().filter_map(|(name, value)| Some((name, value?)));
            (name.clone(), Value::Object(given.collect()))
        })
    })
}

proptest! {
    #[test]
    fn no_call_takes_a_signal_out_of_its_range(calls in proptest::collection::vec(calls(), 1..8), wait in 0u64..5) {
        use crate::vehicle::Vehicle;
        let bench = Bench::new();
        for (tool, arguments) in &calls {
            match bench.call(tool, arguments) {
                Ok(output) => {
                    let say = output.say.unwrap_or_default();
                    prop_assert!(say.ends_with('.'), "{tool} {arguments}: {say}");
                }
                Err(Refusal::Failed(error)) => {
                    prop_assert!(error.kind != ErrorKind::Internal, "{tool} {arguments}: {error}");
                }
                Err(Refusal::Misfit(_)) => {}
            }
            bench.advance(wait);
        }
        for (name, value) in bench.car.snapshot() {
            prop_assert!(bench.car.info(&name).unwrap().check(&value).is_ok(), "{name}: {value}");
        }
    }

    #[test]
    fn a_resolved_call_resolves_to_itself((tool, arguments) in calls()) {
        let bench = Bench::new();
        if let Ok(first) = bench.resolve(&tool, &arguments) {
            // What a schema hides is for the run only.
            if ["each", "id"].iter().all(|hidden| first.arguments.get(hidden).is_none()) {
                prop_assert_eq!(bench.resolve(&tool, &first.arguments).unwrap(), first);
            }
        }
    }
}
