//! From a configuration to an assistant.

use crate::policies::{PolicyFiles, Shipped};
use crate::store::Stores;
use crate::{Code, Config, Connections, Diagnostic, Diagnostics, Place};
use incar_agents::AssistantBuilder;
use incar_core::{Clock, DeviceModel, PolicyGate, Timestamp, Tool, ToolRegistry};
use incar_tools::policy::{Facts, Permitted, PolicyLayers};
use incar_tools::vehicle::{Catalogue, Vehicle};
use std::sync::Arc;

/// What an assistant runs on besides what is configured: the car, the brain, the time, and the servers once they are connected.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Surroundings {
    /// The car that policies and signals read.
    pub vehicle: Arc<dyn Vehicle>,
    /// What thinks on the device.
    pub brain: Arc<dyn DeviceModel>,
    /// The time that the chain's breakers go by.
    pub clock: Arc<dyn Clock>,
    /// The servers of `[mcp]`, connected.
    pub connections: Connections,
}

impl Surroundings {
    /// A car, a brain and the time.
    pub fn new(vehicle: Arc<dyn Vehicle>, brain: Arc<dyn DeviceModel>, clock: Arc<dyn Clock>) -> Self {
        Self {
            vehicle,
            brain,
            clock,
            connections: Connections::default(),
        }
    }

    /// The same with the servers of [`Config::connect`].
    #[must_use]
    pub fn with_connections(mut self, connections: Connections) -> Self {
        self.connections = connections;
        self
    }
}

impl Config {
    /// Opens the stores, and the folder of research; in memory where the configuration does not say.
    ///
    /// # Errors
    /// Where they cannot be opened.
    pub fn open_stores(&self, now: Timestamp) -> Result<Stores, Diagnostics> {
        let stores = match &self.store {
            Some(store) => store.open(now)?,
            None => Stores::in_memory(),
        };
        #[cfg(feature = "research")]
        if let Some(research) = &self.research {
            return research.open(stores);
        }
        Ok(stores)
    }

    /// What is allowed, with what ships for the tools that are on.
    pub fn rules(&self) -> Rules<'_> {
        Rules {
            files: &self.policies,
            signals: self.signals.is_some(),
        }
    }

    /// The signals of a simulated car: those that ship, and those that are allowed beside them.
    ///
    /// # Errors
    /// Where a signal's default cannot be.
    pub fn catalogue(&self) -> Result<Catalogue, Diagnostics> {
        let signals = self.signals.iter().flat_map(|signals| signals.allowed.signals());
        let catalogue = Catalogue::shipped().and_then(|shipped| shipped.with_signals(signals));
        catalogue.map_err(|error| {
            let place = Place::whole("the configuration");
            let fix = "mend the signal in the file of the Vehicle Signal Specification";
            Diagnostic::new(place, "signals.vss", Code::Unusable, error.to_string(), fix).into()
        })
    }

    /// The car, where it is another than the simulated one. It is reached in the background.
    ///
    /// # Errors
    /// Where it cannot be reached so, or this program was built without it.
    pub fn start_vehicle(&self) -> Result<Option<Arc<dyn Vehicle>>, Diagnostics> {
        let signals = self.signals.iter().flat_map(|signals| signals.allowed.signals());
        self.vehicle.start(signals.map(|(info, _)| info.name))
    }

    /// Puts into `builder` all that is configured: models, stores, policies, permissions, signals, the web, MCP servers,
    /// research, settings. What the host sets afterwards counts instead. `stores` are those of [`Config::open_stores`],
    /// which the host's own tools may need too. The host's tools should be in `builder` by then: research may propose calls
    /// of what is there.
    ///
    /// # Errors
    /// What is wrong with the files that the configuration names; servers of `[mcp]` that `surroundings` does not have.
    pub fn apply(
        &self,
        builder: AssistantBuilder,
        stores: &Stores,
        surroundings: &Surroundings,
    ) -> Result<AssistantBuilder, Diagnostics> {
        let facts = Facts::of(surroundings.vehicle.clone());
        let signals = self
            .signals
            .as_ref()
            .map(|signals| signals.tools(&surroundings.vehicle));
        let gate: Arc<dyn PolicyGate> = Arc::new(self.rules().gate(&facts)?);
        let web = self.web_tools()?;
        let builder = builder
            .with_tools(signals.unwrap_or_default())
            .with_tools(web.iter().cloned())
            .with_tools(self.connected_tools(surroundings)?)
            .with_model(
                self.models
                    .build(surroundings.brain.clone(), surroundings.clock.clone())?,
            )
            .with_policies(gate.clone())
            .with_store(stores.sessions.clone())
            .with_journal(stores.journal.clone())
            .with_records(stores.records.clone())
            .with_settings(self.settings.clone());
        #[cfg(feature = "research")]
        if let Some(research) = &self.research {
            return research.put_into(builder, &self.models, stores, surroundings, web, gate);
        }
        Ok(builder)
    }

    #[cfg(feature = "web")]
    fn web_tools(&self) -> Result<Vec<Arc<dyn Tool>>, Diagnostics> {
        let tools = self.web.as_ref().map(|web| Ok(web.build()?.tools()));
        tools.unwrap_or_else(|| Ok(Vec::new()))
    }

    #[cfg(not(feature = "web"))]
    fn web_tools(&self) -> Result<Vec<Arc<dyn Tool>>, Diagnostics> {
        Ok(Vec::new())
    }

    fn connected_tools(&self, surroundings: &Surroundings) -> Result<Vec<Arc<dyn Tool>>, Diagnostics> {
        #[cfg(feature = "mcp")]
        if let Some(mcp) = &self.mcp
            && surroundings.connections.mcp().is_none()
        {
            return Err(mcp.not_connected());
        }
        Ok(surroundings.connections.tools())
    }
}

/// What is allowed: permissions, and the policies of files and tools.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    files: &'a PolicyFiles,
    signals: bool,
}

impl Rules<'_> {
    /// Permissions, and policies for what they let through.
    ///
    /// # Errors
    /// What is wrong with the files.
    pub fn gate(&self, facts: &Facts) -> Result<Permitted, Diagnostics> {
        let policies = self.layers()?.load(facts.clone())?;
        Ok(self.files.permissions(facts)?.before(Arc::new(policies)))
    }

    /// What is wrong with the files, what they name that is not there, and policies that never come to be asked; `tools`
    /// are the assistant's.
    pub fn lint(&self, facts: &Facts, tools: &ToolRegistry) -> Diagnostics {
        let policies = match self.layers() {
            Ok(layers) => layers.lint(facts, tools),
            Err(wrong) => wrong,
        };
        let permissions = match self.files.permissions(facts) {
            Ok(permissions) => permissions.lint(tools),
            Err(wrong) => wrong,
        };
        policies.into_iter().chain(permissions).collect()
    }

    fn layers(&self) -> Result<PolicyLayers, Diagnostics> {
        let layers = match self.files.shipped {
            Shipped::Loaded if self.signals => PolicyLayers::shipped().with_signals(),
            Shipped::Loaded => PolicyLayers::shipped(),
            Shipped::LeftOut => PolicyLayers::default(),
        };
        self.files.over(layers)
    }
}
