//! The model that the environment or a configuration names, asked as research wants it.

use crate::Failure;
use crate::args::Args;
use crate::out::note;
use incar::ChatModel;
use incar::openai::{Provider, RetryPolicy};
use incar::web::{WebSettings, WebTools};
use incar_config::{Config, Environment, Link};
use std::sync::Arc;

pub(crate) const WHAT_TO_SET: &str = "\
research: no model is configured; the one on the device understands commands, not research. Set one of

  DASHSCOPE_API_KEY=…                                 Qwen (qwen-max)
  DEEPSEEK_API_KEY=…  or  OPENAI_API_KEY=…
  INCAR_PROVIDER=ollama INCAR_MODEL=qwen3:8b          a model on this machine
  INCAR_MODEL_URL=http://host:port/v1 INCAR_MODEL=…   any OpenAI-compatible service

or INCAR_CONFIG=incar.toml with a service in [[models.chain]], or see it work without one: research --replay";

/// The first service that is configured; `None` where there is none.
pub(crate) fn configured(args: &Args) -> Result<Option<Arc<dyn ChatModel>>, Failure> {
    let config = match &args.config {
        Some(path) => Config::load(path)?,
        None => Config::from_environment(&Environment::process())?,
    };
    let service = config.models.chain.into_iter().find_map(|link| match link {
        Link::Service(service) => Some(*service),
        _ => None,
    });
    let Some(service) = service else { return Ok(None) };
    // The chain asks again by itself; here the client does.
    let client = service.client.with_retry(RetryPolicy::default());
    let usual = client.clone().build()?;
    let qwen = Provider::DashScope.profile();
    let is_unset = usual.provider() == qwen.name && Some(usual.name()) == qwen.model;
    let model = match (&args.model, is_unset) {
        (Some(named), _) => Some(named.clone()),
        (None, true) => args.profile.model.clone(),
        (None, false) => None,
    };
    let model = args.profile.clone().with_model(model).configure(client).build()?;
    note(format_args!("thinking with {} ({})", model.name(), model.provider()));
    Ok(Some(Arc::new(model)))
}

/// The web by a search service, else the offline articles.
pub(crate) fn web(service: Option<&str>) -> Result<WebTools, Failure> {
    let Some(service) = service else {
        note("searching the offline articles; --search names a service for the web");
        return Ok(WebTools::offline());
    };
    let settings: WebSettings = serde_json::from_value(serde_json::json!({ "search": service }))?;
    Ok(settings.build()?)
}
