//! A car that does not say how it is: nothing is told of it.

use crate::car_control;
use crate::testing::at_once;
use crate::vehicle::{Actuation, Command, SignalInfo, SignalValue, SimulatedCar, Vehicle, VehicleError};
use incar_core::{
    ErrorKind, Lang, ManualClock, Outcome, Refusal, Seat, Speaker, Timestamp, ToolContext, ToolError, ToolRegistry,
    async_trait,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What every car has, and no value of it; commands fail so.
#[derive(Debug)]
struct Unheard {
    has: SimulatedCar,
    fails: fn(String) -> VehicleError,
}

#[async_trait]
impl Vehicle for Unheard {
    fn info(&self, signal: &str) -> Option<Arc<SignalInfo>> {
        self.has.info(signal)
    }

    fn value(&self, signal: &str) -> Result<SignalValue, VehicleError> {
        Err(VehicleError::NoAnswer(signal.to_owned()))
    }

    fn target(&self, signal: &str) -> Result<SignalValue, VehicleError> {
        self.value(signal)
    }

    async fn actuate(&self, commands: &[Command]) -> Result<Vec<Actuation>, VehicleError> {
        Err((self.fails)(commands[0].signal.clone()))
    }

    fn snapshot(&self) -> BTreeMap<String, SignalValue> {
        BTreeMap::new()
    }
}

/// What a call on such a car fails with.
fn failure(tool: &str, arguments: &Value, lang: Lang, fails: fn(String) -> VehicleError) -> ToolError {
    let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_000)));
    let has = SimulatedCar::new(clock.clone()).unwrap();
    let vehicle: Arc<dyn Vehicle> = Arc::new(Unheard { has, fails });
    let mut registry = ToolRegistry::new();
    car_control::register(&mut registry, &vehicle).unwrap();
    let speaker = Speaker::new("test", Seat::Driver);
    let context = ToolContext::new(&speaker, lang, &clock, "key");
    let tool = registry.get(tool).unwrap();
    match tool.resolve(arguments, context) {
        Ok(resolved) => at_once(tool.run(&resolved.arguments, context)).unwrap_err(),
        Err(Refusal::Failed(error)) => error,
        Err(Refusal::Misfit(problem)) => panic!("{problem}"),
    }
}

#[test]
fn what_is_not_known_is_not_told() {
    for item in [
        "battery",
        "fuel",
        "range",
        "tire_pressure",
        "odometer",
        "speed",
        "doors",
        "windows",
        "lights",
        "climate",
        "seats",
        "temperature_inside",
        "temperature_outside",
        "maintenance",
        "charging",
        "all",
    ] {
        let error = failure(
            "get_vehicle_status",
            &json!({"item": item}),
            Lang::Zh,
            VehicleError::NoAnswer,
        );
        assert_eq!(error.message, "现在读不到。", "{item}");
        assert_eq!(error.outcome(), Outcome::Error, "{item}");
    }
}

#[test]
fn each_failure_of_the_car_is_told_as_what_it_is() {
    let check = |fails: fn(String) -> VehicleError, kind, outcome, zh: &str, en: &str| {
        for (lang, say) in [(Lang::Zh, zh), (Lang::En, en)] {
            let error = failure(
                "control_window",
                &json!({"window": "driver", "action": "open"}),
                lang,
                fails,
            );
            assert_eq!(
                (error.kind, error.outcome(), error.message.as_str()),
                (kind, outcome, say)
            );
        }
    };
    check(
        VehicleError::NoAnswer,
        ErrorKind::ToolFailed,
        Outcome::Unknown,
        "车辆没有响应，请稍后再试。",
        "The car did not answer. Please try again later.",
    );
    check(
        VehicleError::Unreachable,
        ErrorKind::ToolFailed,
        Outcome::Error,
        "现在连不上车辆，没有执行。",
        "I cannot reach the car right now, so nothing was done.",
    );
    check(
        VehicleError::Unavailable,
        ErrorKind::ToolFailed,
        Outcome::Error,
        "车上的这个部件现在没有响应，没有执行。",
        "That part of the car is not available right now, so nothing was done.",
    );
    check(
        VehicleError::NotPermitted,
        ErrorKind::Denied,
        Outcome::Denied,
        "车辆不允许我控制这个功能。",
        "The car does not let me control that.",
    );
    let refused = |signal| VehicleError::Refused {
        signal,
        reason: "no".into(),
    };
    check(
        refused,
        ErrorKind::ToolFailed,
        Outcome::Error,
        "车辆拒绝了这个操作。",
        "The car refused that.",
    );
}
