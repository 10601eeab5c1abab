//! One configuration: a TOML file and environment variables say what an assistant thinks with, keeps things in, drives,
//! allows and is bounded by.
//!
//! [`Config`] is typed. A file that cannot be used is refused with everything that is wrong with it, each with file,
//! line, key and what to do. Secrets never stand in the file: it names an environment variable or a file that has them.
//! [`Config::apply`] is the one way from settings to an assistant.
//!
//! `docs/configuration.md` describes every key; `docs/incar.example.toml` has them all, and `docs/incar.features.example.toml`
//! those that need a feature: `web`, `mcp`, `research`.
//!
//! ```
//! use incar_config::{Config, Environment};
//! use std::path::Path;
//!
//! let environment = Environment::from_iter([("DASHSCOPE_API_KEY", "sk-0123")]);
//! let config = Config::from_toml(
//!     "incar.toml",
//!     r#"
//!     [[models.chain]]
//!     provider = "dashscope"
//!     key_env = "DASHSCOPE_API_KEY"
//!
//!     [[models.chain]]
//!     provider = "brain"
//!     "#,
//!     Path::new("."),
//!     &environment,
//! )?;
//! assert_eq!(config.models.chain.len(), 2);
//! # Ok::<(), incar_config::Diagnostics>(())
//! ```

mod assemble;
mod connections;
mod environment;
#[cfg(feature = "mcp")]
mod mcp;
mod models;
mod policies;
mod reading;
#[cfg(feature = "research")]
mod research;
mod secret;
mod settings;
mod signals;
mod store;
mod vehicle;
#[cfg(feature = "web")]
mod web;

pub use assemble::{Rules, Surroundings};
pub use connections::Connections;
pub use environment::Environment;
pub use incar_tools::toml_file::{Code, Diagnostic, Diagnostics, Place};
#[cfg(feature = "mcp")]
pub use mcp::Mcp;
pub use models::{Link, Models, Service};
pub use policies::{PolicyFiles, Shipped};
#[cfg(feature = "research")]
pub use research::Research;
pub use secret::Secret;
pub use signals::Signals;
pub use store::{Kind, Store, Stores};
pub use vehicle::{Kuksa, Vehicle};
#[cfg(feature = "web")]
pub use web::Web;

use incar_agents::Settings;
use incar_tools::toml_file::{Document, Faults};
use reading::Reading;
use std::path::Path;

/// Everything that can be set. [`Config::default`] is what holds where nothing is: the embedded brain thinks, all is
/// kept in memory, the car is simulated, the shipped policies hold.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Config {
    /// Expiry, bounds of a turn, double texting.
    pub settings: Settings,
    /// Who thinks.
    pub models: Models,
    /// Where things are kept; `None` where the configuration does not say.
    pub store: Option<Store>,
    /// What drives.
    pub vehicle: Vehicle,
    /// What is allowed.
    pub policies: PolicyFiles,
    /// Signals that speech may reach by `get_signal` and `set_signal`; `None`: there are no such tools.
    pub signals: Option<Signals>,
    /// The web; `None`: there are no such tools.
    #[cfg(feature = "web")]
    pub web: Option<Web>,
    /// MCP servers; `None`: there are none.
    #[cfg(feature = "mcp")]
    pub mcp: Option<Mcp>,
    /// Research in the background; `None`: nobody does it.
    #[cfg(feature = "research")]
    pub research: Option<Research>,
}

/// The sections, which are also what variables may begin with: `INCAR_STORE_KIND` is `store.kind`.
const SECTIONS: [&str; 10] = [
    "assistant",
    "limits",
    "models",
    "store",
    "vehicle",
    "policies",
    "signals",
    "web",
    "mcp",
    "research",
];

/// The sections that need a feature of their name, and whether this build has it.
const OPTIONAL: [(&str, bool); 3] = [
    ("web", cfg!(feature = "web")),
    ("mcp", cfg!(feature = "mcp")),
    ("research", cfg!(feature = "research")),
];

impl Config {
    /// The configuration of the file at `path` and the process's environment. Paths in the file are relative to it.
    ///
    /// # Errors
    /// Everything that is wrong.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Diagnostics> {
        let path = path.as_ref();
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::read(Document::read(path)?, folder, &Environment::process())
    }

    /// The configuration of the environment alone: `INCAR_<SECTION>_<KEY>`, and the variables of
    /// [`Models::from_environment`].
    ///
    /// # Errors
    /// Everything that is wrong.
    pub fn from_environment(environment: &Environment) -> Result<Self, Diagnostics> {
        Self::read(Document::empty("the environment"), Path::new(""), environment)
    }

    /// The configuration of `text`, which is told of as `name`. Its paths are relative to `folder`.
    ///
    /// # Errors
    /// Everything that is wrong.
    pub fn from_toml(name: &str, text: &str, folder: &Path, environment: &Environment) -> Result<Self, Diagnostics> {
        Self::read(Document::parse(name, text)?, folder, environment)
    }

    fn read(mut document: Document, folder: &Path, environment: &Environment) -> Result<Self, Diagnostics> {
        for (section, key, variable, text) in environment.settings(&SECTIONS) {
            document.set_from_variable(section, &key, variable, text);
        }
        let faults = Faults::default();
        let root = document.root(&faults);
        let reading = Reading { folder, environment };
        let section = |name| root.section(name);
        let settings = settings::read(section("assistant"), section("limits"));
        #[cfg(feature = "research")]
        let told = faults.count();
        let models = match section("models") {
            Some(section) => models::read(section, reading),
            None => faults.take(Models::from_environment(environment)).unwrap_or_default(),
        };
        #[cfg(feature = "research")]
        let models_told = faults.count() > told;
        let config = Self {
            settings,
            models,
            store: root.section("store").and_then(|section| store::read(section, reading)),
            vehicle: section("vehicle").map_or_else(Vehicle::default, |section| vehicle::read(section, reading)),
            policies: section("policies").map_or_else(PolicyFiles::default, |section| policies::read(section, reading)),
            signals: section("signals").and_then(|section| signals::read(section, reading, &faults)),
            #[cfg(feature = "web")]
            web: section("web").and_then(|section| web::read(section, reading, &faults)),
            #[cfg(feature = "mcp")]
            mcp: section("mcp").and_then(|section| mcp::read(section, reading, &faults)),
            #[cfg(feature = "research")]
            research: section("research").and_then(|section| research::read(section, reading, &faults)),
        };
        for (name, _) in OPTIONAL.iter().filter(|(_, built)| !built) {
            if let Some(section) = root.section(name) {
                let message = format!("this program was built without {name}");
                let fix = format!("build it with --features config,{name}, or leave the section out");
                section.fault("", Code::Unsupported, message, fix);
            }
        }
        #[cfg(feature = "research")]
        if let Some(research) = &config.research {
            research.check(
                &research::Beside {
                    models: (!models_told).then_some(&config.models),
                    searches: root.has("web"),
                    servers: config.server_names().or_else(|| (!root.has("mcp")).then(Vec::new)),
                },
                &faults,
            );
        }
        root.finish();
        faults.into_result(config)
    }
    /// The names of the MCP servers; `None` where there is no such section.
    #[cfg(feature = "research")]
    fn server_names(&self) -> Option<Vec<&str>> {
        #[cfg(feature = "mcp")]
        if let Some(mcp) = &self.mcp {
            return Some(mcp.servers.iter().map(|server| server.name.as_str()).collect());
        }
        None
    }

    /// The same on the simulated car and without MCP servers, so that nothing outside this process is called while an
    /// assistant is put together: for checks.
    #[must_use]
    pub fn without_servers(mut self) -> Self {
        self.vehicle = Vehicle::Simulated;
        #[cfg(feature = "mcp")]
        {
            self.mcp = None;
        }
        self
    }
}
