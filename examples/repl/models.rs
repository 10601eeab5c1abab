//! Who thinks: the brain on the device, or a model that the environment configures, with the brain behind it.

use incar::brain::Brain;
use incar::chain::{Chain, Deadlines, Link};
use incar::openai::{Config, ConfigError, OpenAiModel, RetryPolicy, Timeouts};
use incar::{ChatModel, Clock, RecordStore, SystemClock};
use incar_testkit::Simulator;
use std::error::Error;
use std::sync::Arc;

/// A simulator that keeps bookings and preferences in `records`, and what it runs on, in words.
pub(crate) fn simulator(
    choice: Option<&str>,
    records: Arc<dyn RecordStore>,
) -> Result<(Simulator, String), Box<dyn Error>> {
    let asked_for = ["INCAR_PROVIDER", "INCAR_MODEL_URL"]
        .iter()
        .any(|name| std::env::var_os(name).is_some());
    let model = match choice {
        Some("brain") => None,
        // A key that lies in the environment is no wish to send what is said to its service.
        None if !asked_for => None,
        choice => configured(choice)?,
    };
    let about = model.as_ref().map_or_else(
        || "the embedded brain (on the device, no network)".to_owned(),
        |model| {
            format!(
                "the model {}; where it does not answer, on the embedded brain",
                model.name()
            )
        },
    );
    let think = |brain: Arc<Brain>| -> Arc<dyn ChatModel> {
        match model {
            Some(model) => Arc::new(backed_by(brain, model)),
            None => brain,
        }
    };
    Ok((Simulator::keeping(records, SystemClock.now(), think)?, about))
}

/// The model with the brain behind it. Who sits at a prompt is more patient than a driver, and a model
/// on this machine may have to be loaded first: the client's own time-outs count.
fn backed_by(brain: Arc<Brain>, model: OpenAiModel) -> Chain {
    let Timeouts { first_token, whole, .. } = Timeouts::default();
    let cloud = Link::cloud(Arc::new(model)).with_deadlines(Deadlines::new(first_token, whole));
    Chain::new(Arc::new(SystemClock), [cloud, Link::device(brain)])
}

/// The model of the environment, or of the provider that was named.
fn configured(provider: Option<&str>) -> Result<Option<OpenAiModel>, ConfigError> {
    let lookup = |name: &str| match (name, provider) {
        ("INCAR_PROVIDER", Some(provider)) => Some(provider.to_owned()),
        (name, _) => std::env::var(name).ok().filter(|value| !value.is_empty()),
    };
    // The chain asks again where that may help.
    let config = Config::from_lookup(lookup)?.map(|config| config.with_retry(RetryPolicy::never()));
    config.map(Config::build).transpose()
}
