//! Research in the background where the configuration says nothing of it, if a service is there that can think about it.

use incar::AssistantBuilder;
use incar_config::Config;
use incar_testkit::SimulatorError;

/// The same with research by the first configured service, on the offline articles; as it is where there is none, and
/// where the configuration has research of its own.
#[cfg(all(feature = "research", feature = "web"))]
pub(crate) fn with(builder: AssistantBuilder, config: &Config) -> Result<AssistantBuilder, SimulatorError> {
    use incar::SystemClock;
    use incar::openai::RetryPolicy;
    use incar::research::{InCar, Researcher, Resources};
    use incar::web::WebTools;
    use incar_testkit::Simulator;
    use std::sync::Arc;

    let service = config.models.service().filter(|_| config.research.is_none());
    let Some(service) = service else { return Ok(builder) };
    // The chain asks again by itself; here the client does.
    let client = service.client.clone().with_retry(RetryPolicy::default());
    let model = client
        .build()
        .map_err(|error| SimulatorError::Customise(error.into()))?;
    let resources = Resources::new(Arc::new(model), Arc::new(SystemClock))
        .with_tools(WebTools::offline().tools())
        .map_err(|fault| SimulatorError::Customise(fault.into()))?;
    let plain = Simulator::new()?;
    let tools = InCar::PROPOSED
        .iter()
        .filter_map(|tool| plain.assistant().tools().get(tool));
    let researcher = Arc::new(Researcher::new(resources.clone()));
    let in_car = InCar::new(researcher, resources).proposing(tools.map(|tool| tool.spec().clone()));
    Ok(builder.with_research(Arc::new(in_car)))
}

/// Nobody researches without the features `research` and `web`.
#[cfg(not(all(feature = "research", feature = "web")))]
pub(crate) fn with(builder: AssistantBuilder, _: &Config) -> Result<AssistantBuilder, SimulatorError> {
    Ok(builder)
}
