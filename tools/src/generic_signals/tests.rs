use super::*;
use crate::car_control::testing::Bench;
use crate::testing::at_once;
use crate::toml_file::{Document, Place};
use crate::vehicle::{Catalogue, SimulatedCar};
use incar_core::{ErrorKind, Lang, ManualClock, Refusal, Seat, Speaker, Timestamp, ToolContext, ToolError};
use serde_json::{Value, json};

/// A file as releases are written, cut down and of the test's own making.
const VSS: &str = r#"{"Vehicle": {"type": "branch", "description": "x", "children": {
  "Speed": {"type": "sensor", "datatype": "float", "unit": "km/h", "description": "Speed."},
  "Body": {"type": "branch", "description": "x", "children": {
    "Acme": {"type": "branch", "description": "x", "children": {
      "Fountain": {"type": "branch", "description": "x", "children": {
        "IsOn": {"type": "actuator", "datatype": "boolean", "description": "Is the fountain running."},
        "Mode": {"type": "actuator", "datatype": "string", "allowed": ["GENTLE", "PARTY_TIME"], "description": "Fountain mode."},
        "Jets": {"type": "actuator", "datatype": "uint8[]", "description": "Each jet."}}}}}}},
  "Cabin": {"type": "branch", "description": "x", "children": {
    "Seat": {"type": "branch", "description": "x", "children": {
      "Row1": {"type": "branch", "description": "x", "children": {
        "DriverSide": {"type": "branch", "description": "x", "children": {"Calf": {"type": "actuator", "datatype": "uint8", "unit": "percent", "min": 0, "max": 100, "description": "Calf support."}}},
        "PassengerSide": {"type": "branch", "description": "x", "children": {"Calf": {"type": "actuator", "datatype": "uint8", "unit": "percent", "min": 0, "max": 100, "description": "Calf support."}}}}},
      "Row2": {"type": "branch", "description": "x", "children": {
        "DriverSide": {"type": "branch", "description": "x", "children": {"Calf": {"type": "actuator", "datatype": "uint8", "unit": "percent", "min": 0, "max": 100, "description": "Calf support."}}},
        "PassengerSide": {"type": "branch", "description": "x", "children": {"Calf": {"type": "actuator", "datatype": "uint8", "unit": "percent", "min": 0, "max": 100, "description": "Calf support."}}}}}}}}}}}}"#;

const WORDS: &str = r#"
[[signal]]
path = "Vehicle.Cabin.Seat.*.*.Calf"
zh = ["小腿托"]
en = ["calf support"]

[[signal]]
path = "Vehicle.Body.Acme.Fountain.Mode"
zh = ["喷泉模式"]
values = { PARTY_TIME = ["派对"] }
"#;

const CALF: &str = "Vehicle.Cabin.Seat.*.*.Calf";
const PASSENGER_CALF: &str = "Vehicle.Cabin.Seat.Row1.PassengerSide.Calf";
const FOUNTAIN: &str = "Vehicle.Body.Acme.Fountain.IsOn";
const MODE: &str = "Vehicle.Body.Acme.Fountain.Mode";

fn patterns(texts: &[&str]) -> Vec<Pattern> {
    let at = |text: &&str| Pattern::new(*text, Place::line("c.toml", 3));
    texts.iter().map(at).collect()
}

fn allowed(set: &[&str], read: &[&str]) -> Result<AllowedSignals, String> {
    let vss = Vss::parse("vss.json", VSS).unwrap();
    let words = Document::parse("words.toml", WORDS).unwrap();
    AllowedSignals::new(&vss, &patterns(set), &patterns(read), Some(&words)).map_err(|wrong| wrong.to_string())
}

struct Car {
    tools: Vec<Arc<dyn Tool>>,
    car: Arc<SimulatedCar>,
    clock: Arc<ManualClock>,
}

impl Car {
    fn new() -> Self {
        let signals = Arc::new(allowed(&["Vehicle.Cabin.**", "Vehicle.Body.Acme.*.*"], &["Vehicle.Speed"]).unwrap());
        let clock = Arc::new(ManualClock::at(Timestamp::from_millis(0)));
        let catalogue = Catalogue::shipped().unwrap().with_signals(signals.signals()).unwrap();
        let car = Arc::new(SimulatedCar::with_catalogue(catalogue, clock.clone()));
        let vehicle: Arc<dyn Vehicle> = car.clone();
        Self {
            tools: tools(&signals, &vehicle),
            car,
            clock,
        }
    }

    /// What a call comes to: the resolved arguments and what is said.
    fn call(&self, tool: &str, seat: Seat, lang: Lang, arguments: &Value) -> Result<(Value, String), ToolError> {
        let speaker = Speaker::new("car", seat);
        let context = ToolContext::new(&speaker, lang, &self.clock, "key");
        let tool = self.tools.iter().find(|known| known.spec().name == tool).unwrap();
        let resolved = tool.resolve(arguments, context).map_err(|refusal| match refusal {
            Refusal::Failed(error) => error,
            Refusal::Misfit(message) => ToolError::new(ErrorKind::Internal, message),
        })?;
        // What was resolved resolves to itself.
        assert_eq!(tool.resolve(&resolved.arguments, context).unwrap(), resolved);
        let output = at_once(tool.run(&resolved.arguments, context))?;
        Ok((resolved.arguments, output.say.unwrap()))
    }
}

#[test]
fn an_allowed_actuator_is_set_and_read() {
    let car = Car::new();
    for (tool, seat, lang, arguments, wanted, said) in [
        (
            "set_signal",
            Seat::Driver,
            Lang::Zh,
            json!({"signal": CALF, "position": "passenger", "value": 30}),
            json!({"signal": PASSENGER_CALF, "value": 30}),
            "副驾小腿托调到30%。",
        ),
        (
            "set_signal",
            Seat::Passenger,
            Lang::En,
            json!({"signal": CALF, "value": "30"}),
            json!({"signal": PASSENGER_CALF, "value": 30}),
            "The passenger's calf support is at 30 percent already.",
        ),
        (
            "get_signal",
            Seat::Driver,
            Lang::En,
            json!({"signal": PASSENGER_CALF}),
            json!({"signal": PASSENGER_CALF}),
            "The passenger's calf support is at 30 percent.",
        ),
        (
            "set_signal",
            Seat::Driver,
            Lang::En,
            json!({"signal": FOUNTAIN, "value": true}),
            json!({"signal": FOUNTAIN, "value": true}),
            "The fountain is on.",
        ),
        (
            "set_signal",
            Seat::Driver,
            Lang::Zh,
            json!({"signal": MODE, "value": "party time"}),
            json!({"signal": MODE, "value": "PARTY_TIME"}),
            "喷泉模式调到派对。",
        ),
        (
            "get_signal",
            Seat::Driver,
            Lang::Zh,
            json!({"signal": "Vehicle.Speed"}),
            json!({"signal": "Vehicle.Speed"}),
            "speed是0 km/h。",
        ),
    ] {
        let (resolved, sentence) = car.call(tool, seat, lang, &arguments).unwrap();
        assert_eq!((resolved, sentence.as_str()), (wanted, said), "{arguments}");
    }
    assert_eq!(car.car.value(PASSENGER_CALF).unwrap(), 30.0.into());
}

#[test]
fn what_cannot_be_is_an_honest_error_and_changes_nothing() {
    let car = Car::new();
    let before = car.car.state();
    for (tool, arguments, kind, argument, said) in [
        (
            "set_signal",
            json!({"signal": CALF, "position": "rear", "value": 3}),
            ErrorKind::InvalidInput,
            Some("position"),
            "Which calf support?",
        ),
        (
            "set_signal",
            json!({"signal": CALF, "position": "driver", "value": 130}),
            ErrorKind::OutOfRange,
            Some("value"),
            "It can be between 0 and 100. What should it be?",
        ),
        (
            "set_signal",
            json!({"signal": CALF, "position": "driver", "value": 2.5}),
            ErrorKind::InvalidInput,
            Some("value"),
            "What should I set it to?",
        ),
        (
            "set_signal",
            json!({"signal": FOUNTAIN, "value": 3}),
            ErrorKind::InvalidInput,
            Some("value"),
            "On or off?",
        ),
        (
            "set_signal",
            json!({"signal": MODE, "value": "wild"}),
            ErrorKind::InvalidInput,
            Some("value"),
            "It can be gentle, party time. Which one?",
        ),
        (
            "set_signal",
            json!({"signal": CALF, "position": "third_row", "value": 3}),
            ErrorKind::Unsupported,
            None,
            "This car does not have that.",
        ),
        (
            "set_signal",
            json!({"signal": "Vehicle.Speed", "value": 200}),
            ErrorKind::Unsupported,
            None,
            "I can read that, but not set it.",
        ),
        (
            "set_signal",
            json!({"signal": "Vehicle.Body.Acme.Fountain.Jets", "value": 1}),
            ErrorKind::Denied,
            None,
            "That is not open to me.",
        ),
        (
            "get_signal",
            json!({"signal": "Vehicle.Wings"}),
            ErrorKind::Unsupported,
            None,
            "This car does not have that.",
        ),
        (
            "get_signal",
            json!({"signal": "Vehicle.Speed", "value": 1}),
            ErrorKind::Internal,
            None,
            "unknown argument `value`; it must be one of: signal, position",
        ),
        (
            "set_signal",
            json!({"signal": FOUNTAIN}),
            ErrorKind::Internal,
            None,
            "the required argument `value` is missing",
        ),
    ] {
        let error = car.call(tool, Seat::Driver, Lang::En, &arguments).unwrap_err();
        let found = (error.kind, error.argument.as_deref(), error.message.as_str());
        assert_eq!(found, (kind, argument, said), "{arguments}");
    }
    assert_eq!(car.car.state(), before);
}

#[test]
fn a_list_of_what_is_allowed_is_checked_against_the_file() {
    for (set, read, wanted) in [
        (
            &["Vehicle.Cabin.Seat.*.*.Calv"][..],
            &[][..],
            "c.toml:3: signals: `vss.json` has no signal `Vehicle.Cabin.Seat.*.*.Calv`; did you mean `",
        ),
        (
            &["Vehicle.Speed"],
            &[],
            "c.toml:3: signals: it is a sensor, an attribute or a list: it cannot be set; ",
        ),
        (
            &[],
            &["Vehicle.Body.Acme.Fountain.Jets"],
            "c.toml:3: signals: it is a list: no tool can speak of it; ",
        ),
        (
            &[FOUNTAIN],
            &[],
            "words.toml:3: signal.path: `Vehicle.Cabin.Seat.*.*.Calf` is not allowed; ",
        ),
    ] {
        let error = allowed(set, read).unwrap_err();
        assert!(error.starts_with(wanted), "{error}");
    }
    let error = Vss::parse("v.json", "{\"Vehicle\":\n oops}").unwrap_err().to_string();
    assert!(
        error.starts_with("v.json:2: it is no JSON of a tree of signals: "),
        "{error}"
    );
    assert!(Vss::parse("v.json", "{}").is_err());
}

#[test]
fn neither_tool_is_registered_unless_a_host_turns_it_on() {
    let bench = Bench::new();
    assert!(bench.registry.get("set_signal").is_none() && bench.registry.get("get_signal").is_none());
    let vehicle: Arc<dyn Vehicle> = bench.car.clone();
    let only_read = Arc::new(
        AllowedSignals::new(&Vss::parse("v", VSS).unwrap(), &[], &patterns(&["Vehicle.Speed"]), None).unwrap(),
    );
    let names: Vec<_> = tools(&only_read, &vehicle)
        .iter()
        .map(|tool| tool.spec().name.clone())
        .collect();
    assert_eq!(names, ["get_signal"]);
}
