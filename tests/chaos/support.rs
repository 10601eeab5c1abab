//! A simulated car whose model is a chain of a service on this machine and the embedded brain.

use crate::server::Service;
use incar::brain::Brain;
use incar::chain::{Chain, Deadlines, Link, Retry};
use incar::openai::{Config, Provider, ReplyLimits, RetryPolicy, Timeouts};
use incar::{AgentResponse, Lang, ManualClock, Outcome, PassedReason, Seat, Utterance};
use incar_testkit::Simulator;
use std::sync::Arc;
use std::time::Duration;

/// The chain's patience. Long enough for a machine that is busy, short enough to be waited for.
pub(crate) const FIRST: Duration = Duration::from_millis(600);
pub(crate) const WHOLE: Duration = Duration::from_millis(1_200);

/// The client's own patience is longer: the chain's is what is tried.
pub(crate) fn client(url: &str) -> Config {
    let long = Duration::from_secs(60);
    Config::new(Provider::Custom)
        .with_base_url(url)
        .with_model("cloud")
        .with_key("sk-secret")
        .with_timeouts(Timeouts::new(long, long, long))
        .with_retry(RetryPolicy::never())
        .with_limits(ReplyLimits::new(32 << 10, 128 << 10))
}

/// A car, its clock and what it runs on.
pub(crate) struct Car {
    pub(crate) simulator: Simulator,
    pub(crate) clock: Arc<ManualClock>,
}

impl Car {
    pub(crate) fn with(config: Config) -> Self {
        let clock = Arc::new(ManualClock::default());
        let cloud = Link::cloud(Arc::new(config.build().unwrap()))
            .with_deadlines(Deadlines::new(FIRST, WHOLE))
            .with_retry(Retry::new(1, Duration::from_millis(5), Duration::from_millis(50)));
        let chain = Chain::new(clock.clone(), [cloud, Link::device(Arc::new(Brain::new()))]);
        Self {
            simulator: Simulator::with_model(Arc::new(chain)).unwrap(),
            clock,
        }
    }

    pub(crate) fn on(service: &Service) -> Self {
        Self::with(client(&service.url))
    }

    pub(crate) async fn say(&self, said: &str) -> AgentResponse {
        let utterance = Utterance::new(said).by(self.simulator.speaker(Seat::Driver));
        self.simulator.assistant().handle(utterance.in_lang(Lang::Zh)).await
    }
}

/// The calls that were made, in order: `set_climate:ok`.
pub(crate) fn calls(response: &AgentResponse) -> Vec<String> {
    let outcome = |outcome| match outcome {
        Outcome::Ok => "ok",
        _ => "not ok",
    };
    let results = response.data.tool_results.iter();
    results
        .map(|call| format!("{}:{}", call.name, outcome(call.outcome)))
        .collect()
}

/// Who answered, and why those before it did not.
pub(crate) fn answered(response: &AgentResponse) -> (&str, Vec<PassedReason>) {
    let model = response.model.as_ref().unwrap();
    (&model.name, model.passed.iter().map(|passed| passed.why).collect())
}
