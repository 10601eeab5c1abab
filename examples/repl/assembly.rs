//! From options and configuration to a simulator.

use crate::args::Args;
use crate::data::Data;
use crate::research;
use incar::tools::vehicle::Vehicle;
use incar::{Clock, SystemClock};
use incar_config::{
    Config, Connections, Diagnostics, Environment, Link, Models, PolicyFiles, Rules, Stores, Surroundings,
};
use incar_testkit::{Simulator, SimulatorError};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;

/// What simulators are made from.
#[derive(Debug)]
pub(crate) struct Assembly {
    config: Config,
    stores: Stores,
    connections: Connections,
    /// Where bookings and preferences are kept, in words.
    pub(crate) kept: String,
}

impl Assembly {
    /// Reads the configuration, opens the stores and connects to servers, within a runtime; `data` is where records are kept
    /// if the configuration does not say.
    pub(crate) fn of(args: &Args, data: &Data) -> Result<Self, Diagnostics> {
        let mut config = read(args.config.as_deref())?;
        if let Some(name) = &args.model {
            config.models = Models::named(name, &Environment::process())?;
        }
        let mut stores = config.open_stores(SystemClock.now())?;
        let kept = if config.store.is_some() {
            "the configured store".to_owned()
        } else {
            let (records, kept) = data.open();
            stores.records = records;
            kept
        };
        let connections = Handle::current().block_on(config.connect())?;
        for fault in connections.faults() {
            eprintln!("repl: {fault}");
        }
        Ok(Self {
            config,
            stores,
            connections,
            kept,
        })
    }

    /// What it checks, with nothing opened and nobody called.
    pub(crate) fn checked(config: Config) -> Self {
        Self {
            config: config.without_servers(),
            stores: Stores::in_memory(),
            connections: Connections::default(),
            kept: String::new(),
        }
    }

    /// What is allowed with these policies.
    pub(crate) fn with_policies(&mut self, policies: PolicyFiles) -> Rules<'_> {
        self.config.policies = policies;
        self.config.rules()
    }

    /// A simulator.
    pub(crate) fn simulator(&self) -> Result<Simulator, SimulatorError> {
        let wrong = |wrong: Diagnostics| SimulatorError::Customise(wrong.into());
        let builder = match self.config.start_vehicle().map_err(wrong)? {
            Some(vehicle) => Simulator::builder().with_vehicle(heard(vehicle)),
            None => Simulator::builder(),
        };
        builder
            .starting_at(SystemClock.now())
            .with_records(self.stores.records.clone())
            .with_signals(self.config.catalogue().map_err(wrong)?)
            .customised(|builder, parts| {
                let surroundings = Surroundings::new(parts.vehicle.clone(), parts.brain.clone(), Arc::new(SystemClock))
                    .with_connections(self.connections.clone());
                let builder = self.config.apply(builder, &self.stores, &surroundings).map_err(wrong)?;
                research::with(builder, &self.config)
            })
            .build()
    }

    /// A simulator on which another model thinks: `brain`, or a provider.
    pub(crate) fn change_model(&mut self, name: &str) -> Result<Simulator, Box<dyn std::error::Error>> {
        let before = self.config.models.clone();
        self.config.models = Models::named(name, &Environment::process())?;
        self.simulator().map_err(|error| {
            self.config.models = before;
            error.into()
        })
    }

    /// What a simulator thinks with, in words.
    pub(crate) fn about(&self, simulator: &Simulator) -> String {
        let names = simulator.assistant().model_name();
        match (self.config.models.chain.as_slice(), names.split_once(" > ")) {
            ([Link::Brain], _) => "the embedded brain (on the device, no network)".to_owned(),
            ([_, Link::Brain], Some((first, _))) => {
                format!("the model {first}; where it does not answer, on the embedded brain")
            }
            _ => format!("these models, one after the other: {names}"),
        }
    }
}

/// How often it is looked whether a car over a network is heard yet, and how long between.
const LOOKS: u32 = 100;
const BETWEEN: Duration = Duration::from_millis(20);

/// The car once it is heard; after two seconds as it is, which an utterance will be told.
fn heard(vehicle: Arc<dyn Vehicle>) -> Arc<dyn Vehicle> {
    for _ in 0..LOOKS {
        if vehicle.is_reachable() {
            break;
        }
        std::thread::sleep(BETWEEN);
    }
    vehicle
}

/// The configuration of the file and the environment.
pub(crate) fn read(path: Option<&Path>) -> Result<Config, Diagnostics> {
    match path {
        Some(path) => Config::load(path),
        None => Config::from_environment(&Environment::process()),
    }
}
