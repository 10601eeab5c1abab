//! How the model of a run is asked.

use incar_openai::{Config, Timeouts};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How the model of a run is asked: close to its best guess, briefly, and not for long.
///
/// A service's parameters belong to its client, so that they are set where the client is made
/// ([`ModelProfile::configure`]); the timeout also holds for models that are none of a service.
///
/// ```
/// use incar_openai::{Config, Provider};
/// use incar_research::ModelProfile;
///
/// let profile = ModelProfile::default().with_max_tokens(4_000);
/// let model = profile.configure(Config::new(Provider::DashScope).with_key("sk-0123")).build()?;
/// # Ok::<(), incar_openai::ConfigError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct ModelProfile {
    /// The model's name; `qwen-max` unless set. `None`: the one that its service's configuration names.
    pub model: Option<String>,
    /// The temperature; 0.1 unless set.
    pub temperature: f64,
    /// The nucleus; 0.8 unless set.
    pub top_p: f64,
    /// The most tokens of a reply; 2,000 unless set.
    pub max_tokens: u32,
    /// How long a reply may take; 30 s unless set.
    pub timeout: Duration,
}

impl Default for ModelProfile {
    fn default() -> Self {
        Self {
            model: Some("qwen-max".to_owned()),
            temperature: 0.1,
            top_p: 0.8,
            max_tokens: 2_000,
            timeout: Duration::from_secs(30),
        }
    }
}

impl ModelProfile {
    /// The same for another model; `None`: the one that its service's configuration names.
    #[must_use]
    pub fn with_model(mut self, model: Option<String>) -> Self {
        self.model = model;
        self
    }

    /// The same with another temperature, 0 to 2.
    #[must_use]
    pub fn with_temperature(mut self, temperature: f64) -> Self {
        self.temperature = temperature;
        self
    }

    /// The same with another nucleus, above 0 to 1.
    #[must_use]
    pub fn with_top_p(mut self, top_p: f64) -> Self {
        self.top_p = top_p;
        self
    }

    /// The same with replies of at most so many tokens.
    #[must_use]
    pub fn with_max_tokens(mut self, tokens: u32) -> Self {
        self.max_tokens = tokens;
        self
    }

    /// The same with so much time for a reply.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// A client's configuration with this profile.
    #[must_use]
    pub fn configure(&self, config: Config) -> Config {
        let usual = Timeouts::default();
        let timeouts = Timeouts::new(
            usual.connect.min(self.timeout),
            usual.first_token.min(self.timeout),
            self.timeout,
        );
        let config = config
            .with_temperature(self.temperature)
            .with_top_p(self.top_p)
            .with_max_tokens(self.max_tokens)
            .with_timeouts(timeouts);
        match &self.model {
            Some(model) => config.with_model(model),
            None => config,
        }
    }
}
