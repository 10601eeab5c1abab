//! KUKSA's own Python client against the simulated car's broker, with incar's vehicle beside it.
//!
//! Needs the package `kuksa-client` of PyPI: `KUKSA_PYTHON` names the interpreter that has it. `.ci/run` installs it.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod common;

use common::{Broker, reads, until};
use incar_kuksa::server::{Access, Grant};
use incar_kuksa::{KuksaConfig, KuksaVehicle, Token};
use incar_tools::vehicle::{Command, Progress, Vehicle, VehicleError};
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Stdio};

const WINDOW: &str = "Vehicle.Cabin.Door.Row1.DriverSide.Window.Position";
const CLIENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/python/client.py");
const CA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/tls/ca.pem");

/// A run of the Python client.
struct Python {
    process: Child,
    said: BufReader<ChildStdout>,
}

impl Python {
    fn start(broker: &Broker, arguments: &[&str]) -> Self {
        let python = std::env::var("KUKSA_PYTHON").unwrap_or_else(|_| "python3".into());
        let mut process = std::process::Command::new(&python)
            .arg(CLIENT)
            .arg(broker.address.to_string())
            .args(arguments)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{python} with kuksa-client: {error}"));
        let said = BufReader::new(process.stdout.take().unwrap());
        Self { process, said }
    }

    fn line(&mut self) -> serde_json::Value {
        let mut line = String::new();
        self.said.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("the client said {line:?}: {error}"))
    }

    /// All lines to its end.
    fn run(broker: &Broker, arguments: &[&str]) -> Vec<serde_json::Value> {
        let mut python = Self::start(broker, arguments);
        let lines = (&mut python.said)
            .lines()
            .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
            .collect();
        assert!(python.process.wait().unwrap().success(), "{arguments:?}");
        lines
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ended = self.process.kill();
        let _code = self.process.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs kuksa-client of PyPI: .ci/run installs it"]
async fn what_the_vehicle_moves_is_seen_by_kuksas_client() {
    let broker = Broker::start();
    let vehicle = broker.vehicle().await;
    let mut watching = Python::start(&broker, &["watch", WINDOW, "50"]);
    assert_eq!(watching.line(), 0);
    let report = vehicle.actuate(&[Command::set(WINDOW, 50.0)]).await.unwrap();
    assert_eq!(report[0].progress, Progress::Moving);
    let seen: Vec<u64> = std::iter::from_fn(|| watching.line().as_u64())
        .take_while(|at| *at != 50)
        .collect();
    assert!(!seen.is_empty() && seen.is_sorted(), "{seen:?}");
    assert_eq!(
        Python::run(&broker, &["get", WINDOW, "Vehicle.Cabin.DriverPosition"]),
        [serde_json::json!({ WINDOW: 50, "Vehicle.Cabin.DriverPosition": "LEFT" })]
    );
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs kuksa-client of PyPI: .ci/run installs it"]
async fn what_kuksas_client_sets_is_read_by_the_vehicle() {
    let broker = Broker::start();
    let vehicle = broker.vehicle().await;
    assert_eq!(
        Python::run(&broker, &["publish", "Vehicle.Speed", "52.7"]),
        ["published"]
    );
    reads(&vehicle, "Vehicle.Speed", &52.7.into()).await;
    assert_eq!(Python::run(&broker, &["target", WINDOW, "30"]), ["accepted"]);
    reads(&vehicle, WINDOW, &30.0.into()).await;
    assert_eq!(Python::run(&broker, &["errors"]), [404, 400, 400, 400]);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs kuksa-client of PyPI: .ci/run installs it"]
async fn a_part_that_kuksas_client_provides_obeys_the_vehicle() {
    let broker = Broker::start_with(|server| server.without_provider([WINDOW]));
    let vehicle = broker.vehicle().await;
    let open = [Command::set(WINDOW, 40.0)];
    assert_eq!(
        vehicle.actuate(&open).await,
        Err(VehicleError::Unavailable(WINDOW.into()))
    );
    let mut providing = Python::start(&broker, &["provide", WINDOW]);
    assert_eq!(providing.line(), "providing");
    // It says so before the broker has heard of it.
    let mut report = vehicle.actuate(&open).await;
    while report == Err(VehicleError::Unavailable(WINDOW.into())) {
        report = vehicle.actuate(&open).await;
    }
    assert_eq!(report.unwrap()[0].progress, Progress::Done);
    assert_eq!(providing.line(), 40);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs kuksa-client of PyPI: .ci/run installs it"]
async fn both_clients_speak_tls_and_show_a_token() {
    let tls = |name: &str| std::fs::read(format!("{}/tests/tls/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let broker = Broker::start_with(|server| {
        server
            .with_tls(tls("server.pem"), tls("server.key"))
            .with_access(Access::Tokens(vec![Grant::new("secret", "read actuate").unwrap()]))
    });
    let config = KuksaConfig::new(format!("https://{}", broker.address)).with_ca(tls("ca.pem"));
    let vehicle = KuksaVehicle::connect(config.with_token(Token::new("secret").unwrap()))
        .await
        .unwrap();
    vehicle.actuate(&[Command::set(WINDOW, 100.0)]).await.unwrap();
    until(
        || vehicle.value(WINDOW) == Ok(100.0.into()),
        || "the window opens".into(),
    )
    .await;
    assert_eq!(
        Python::run(&broker, &["--ca", CA, "--token", "secret", "get", WINDOW]),
        [serde_json::json!({ WINDOW: 100 })]
    );
}
