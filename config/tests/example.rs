//! The documented configuration is one, and makes an assistant.
#![cfg(feature = "redb")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails loudly")]

use incar_agents::{Assistant, CarControlAgent, DoubleText};
use incar_brain::Brain;
use incar_chain::Mode;
use incar_config::{Config, Environment, Kind, Link, Shipped, Surroundings, Vehicle};
use incar_core::{Clock, ManualClock, Timestamp};
use incar_tools::vehicle::SimulatedCar;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const EXAMPLE: &str = include_str!("../../docs/incar.example.toml");

fn example(text: &str) -> Config {
    let environment = Environment::from_iter([
        ("DASHSCOPE_API_KEY", "sk-must-not-be-shown"),
        ("REDIS_URL", "redis://:pw-must-not-be-shown@db/"),
    ]);
    Config::from_toml("incar.example.toml", text, Path::new("../docs"), &environment).unwrap()
}

#[test]
fn the_example_says_what_it_says() {
    let config = example(EXAMPLE);
    assert_eq!(config.settings.wait, Duration::from_secs(300));
    assert_eq!(config.settings.double_text, DoubleText::Interrupt);
    assert_eq!(config.settings.limits.input_tokens, 32_000);
    assert_eq!(config.models.mode, Mode::CloudFirst);
    let [Link::Service(cloud), Link::Service(local), Link::Brain] = config.models.chain.as_slice() else {
        panic!("{:?}", config.models);
    };
    assert_eq!(cloud.deadlines.first, Duration::from_secs(5));
    assert_eq!(local.deadlines.first, Duration::from_secs(8));
    assert_eq!(config.vehicle, Vehicle::Simulated);
    assert_eq!(config.policies.shipped, Shipped::Loaded);
    assert!(matches!(config.store.unwrap().kind, Kind::Redb { file } if file == Path::new("../docs/incar.redb")));
}

#[test]
fn a_secret_is_in_the_configuration_and_shows_itself_nowhere() {
    let redis = EXAMPLE
        .replace("kind = \"redb\"", "kind = \"memory\"")
        .replace("file = \"incar.redb\"\n", "");
    let shown = format!("{:#?}", example(&redis));
    assert!(shown.contains("ApiKey([redacted])"), "{shown}");
    assert!(!shown.contains("must-not-be-shown"), "{shown}");
}

#[test]
fn the_commented_choices_are_choices_too() {
    let kuksa = "[vehicle]\nbackend = \"kuksa\"\nurl = \"https://127.0.0.1:55555\"\ntoken_env = \"REDIS_URL\"\ndeadline_ms = 2000\n";
    let config = example(kuksa);
    let Vehicle::Kuksa(kuksa) = &config.vehicle else {
        panic!("{config:?}");
    };
    assert_eq!(kuksa.deadline, Duration::from_secs(2));
    assert!(!format!("{config:?}").contains("must-not-be-shown"));
    assert!(matches!(
        example("[models]\nmode = \"device-first\"\nsure = 0.8\n").models.mode,
        Mode::DeviceFirst { .. }
    ));
}

#[test]
fn what_works_beside_the_driver_asks_the_first_service_unless_nothing_may_leave_the_car() {
    let config = example(EXAMPLE);
    assert!(config.models.service().is_some());
    let device = EXAMPLE.replace("mode = \"cloud-first\"", "mode = \"device-only\"");
    assert!(example(&device).models.service().is_none());
    assert!(Config::default().models.service().is_none());
}

#[test]
fn a_variable_takes_the_place_of_what_the_file_says() {
    let environment = Environment::from_iter([("INCAR_LIMITS_ROUNDS", "3"), ("INCAR_MODELS_MODE", "device-only")]);
    let config = Config::from_toml("c.toml", "[limits]\nrounds = 9\n", Path::new(""), &environment).unwrap();
    assert_eq!(config.settings.limits.rounds, 3);
    assert_eq!(config.models.mode, Mode::DeviceOnly);
}

#[test]
fn the_environment_alone_chooses_a_service_with_the_brain_behind_it() {
    let chain = |variables: &[(&str, &str)]| {
        let environment = Environment::from_iter(variables.iter().copied());
        Config::from_environment(&environment).map(|config| config.models.chain.len())
    };
    assert_eq!(chain(&[]).unwrap(), 1);
    // A key that lies in the environment is no wish to use it.
    assert_eq!(chain(&[("DASHSCOPE_API_KEY", "sk-1")]).unwrap(), 1);
    assert_eq!(
        chain(&[("DASHSCOPE_API_KEY", "sk-1"), ("INCAR_PROVIDER", "dashscope")]).unwrap(),
        2
    );
    let error = chain(&[("INCAR_PROVIDER", "skynet")]).unwrap_err().to_string();
    assert!(error.contains("skynet"), "{error}");
}

#[test]
fn a_secret_may_stand_in_a_file_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[[models.chain]]\nprovider = \"deepseek\"\nkey_file = \"the.key\"\n";
    let load = || Config::from_toml("c.toml", text, folder.path(), &Environment::default());
    std::fs::write(folder.path().join("the.key"), "  \n").unwrap();
    let error = load().unwrap_err().to_string();
    assert!(
        error.starts_with("c.toml:3: models.chain.key_file: the file is empty; "),
        "{error}"
    );
    std::fs::write(folder.path().join("the.key"), "sk-1\n").unwrap();
    assert!(load().is_ok());
}

#[test]
fn the_example_makes_an_assistant() {
    let folder = tempfile::tempdir().unwrap();
    let stored = folder.path().join("incar.redb");
    let text = EXAMPLE.replace("\"incar.redb\"", &format!("{:?}", stored.display().to_string()));
    let config = example(&text);
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(Timestamp::from_millis(1_000)));
    let car = Arc::new(SimulatedCar::new(clock.clone()).unwrap());
    let brain = Arc::new(Brain::new());
    let stores = config.open_stores(clock.now()).unwrap();
    assert!(stored.is_file());
    let builder = Assistant::builder().with_tool_agent(CarControlAgent::default());
    let surroundings = Surroundings::new(car, brain, clock);
    let assistant = config.apply(builder, &stores, &surroundings).unwrap().build().unwrap();
    assert_eq!(assistant.model_name().split(" > ").count(), 3);
}
