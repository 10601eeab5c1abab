//! From a configuration to an assistant.

use crate::policies::PolicyFiles;
use crate::store::Stores;
use crate::{Config, Diagnostics};
use incar_agents::AssistantBuilder;
use incar_core::{Clock, DeviceModel, Timestamp, ToolRegistry};
use incar_tools::policy::Facts;
use incar_tools::vehicle::Vehicle;
use std::sync::Arc;

/// What an assistant runs on that no configuration can make: the car, the brain, the time.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Surroundings {
    /// The car that policies and signals read.
    pub vehicle: Arc<dyn Vehicle>,
    /// What thinks on the device.
    pub brain: Arc<dyn DeviceModel>,
    /// The time that the chain's breakers go by.
    pub clock: Arc<dyn Clock>,
}

impl Surroundings {
    /// A car, a brain and the time.
    pub fn new(vehicle: Arc<dyn Vehicle>, brain: Arc<dyn DeviceModel>, clock: Arc<dyn Clock>) -> Self {
        Self { vehicle, brain, clock }
    }
}

impl Config {
    /// Opens the stores; in memory where the configuration does not say.
    ///
    /// # Errors
    /// Where they cannot be opened.
    pub fn open_stores(&self, now: Timestamp) -> Result<Stores, Diagnostics> {
        match &self.store {
            Some(store) => store.open(now),
            None => Ok(Stores::in_memory()),
        }
    }

    /// Puts into `builder` all that is configured: models, stores, policies, permissions, settings. What the host sets
    /// afterwards counts instead. `stores` are those of [`Config::open_stores`], which the host's own tools may need too.
    ///
    /// # Errors
    /// What is wrong with the files that the configuration names.
    pub fn apply(
        &self,
        builder: AssistantBuilder,
        stores: &Stores,
        surroundings: &Surroundings,
    ) -> Result<AssistantBuilder, Diagnostics> {
        let facts = Facts::of(surroundings.vehicle.clone());
        Ok(builder
            .with_model(
                self.models
                    .build(surroundings.brain.clone(), surroundings.clock.clone())?,
            )
            .with_policies(Arc::new(self.policies.gate(&facts)?))
            .with_store(stores.sessions.clone())
            .with_journal(stores.journal.clone())
            .with_records(stores.records.clone())
            .with_settings(self.settings.clone()))
    }
}

impl PolicyFiles {
    /// What is wrong with the files, and what they name that is not there.
    pub fn lint(&self, facts: &Facts, tools: &ToolRegistry) -> Diagnostics {
        let policies = match self.layers() {
            Ok(layers) => layers.lint(facts, tools),
            Err(wrong) => wrong,
        };
        let permissions = match self.permissions(facts) {
            Ok(permissions) => permissions.lint(tools),
            Err(wrong) => wrong,
        };
        policies.into_iter().chain(permissions).collect()
    }
}
