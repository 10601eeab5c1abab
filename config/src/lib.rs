//! One configuration: a TOML file and environment variables say what an assistant thinks with, keeps things in, drives,
//! allows and is bounded by.
//!
//! [`Config`] is typed. A file that cannot be used is refused with everything that is wrong with it, each with file,
//! line, key and what to do. Secrets never stand in the file: it names an environment variable or a file that has them.
//! [`Config::apply`] is the one way from settings to an assistant.
//!
//! `docs/configuration.md` describes every key; `docs/incar.example.toml` has them all.
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
mod environment;
mod models;
mod policies;
mod reading;
mod secret;
mod settings;
mod signals;
mod store;
mod vehicle;

pub use assemble::{Rules, Surroundings};
pub use environment::Environment;
pub use incar_tools::toml_file::{Code, Diagnostic, Diagnostics, Place};
pub use models::{Link, Models, Service};
pub use policies::{PolicyFiles, Shipped};
pub use secret::Secret;
pub use signals::Signals;
pub use store::{Kind, Store, Stores};
pub use vehicle::{Kuksa, Vehicle};

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
}

/// The sections, which are also what variables may begin with: `INCAR_STORE_KIND` is `store.kind`.
const SECTIONS: [&str; 7] = [
    "assistant",
    "limits",
    "models",
    "store",
    "vehicle",
    "policies",
    "signals",
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
        let config = Self {
            settings: settings::read(section("assistant"), section("limits")),
            models: match root.section("models") {
                Some(section) => models::read(section, reading),
                None => faults.take(Models::from_environment(environment)).unwrap_or_default(),
            },
            store: root.section("store").and_then(|section| store::read(section, reading)),
            vehicle: section("vehicle").map_or_else(Vehicle::default, |section| vehicle::read(section, reading)),
            policies: section("policies").map_or_else(PolicyFiles::default, |section| policies::read(section, reading)),
            signals: section("signals").and_then(|section| signals::read(section, reading, &faults)),
        };
        root.finish();
        faults.into_result(config)
    }
}
