//! Media with their tools, for tests: calls go the way the runner takes them.

use std::sync::Arc;
use std::time::Duration;

use incar_core::{
    Lang, ManualClock, Refusal, Resolved, Seat, Speaker, Timestamp, ToolContext, ToolError, ToolOutput, ToolRegistry,
};
use serde_json::Value;

use super::{MediaService, SimulatedMedia};
use crate::library::Library;
use crate::testing::at_once;

pub(super) struct Bench {
    pub(super) clock: Arc<ManualClock>,
    pub(super) media: Arc<SimulatedMedia>,
    pub(super) registry: ToolRegistry,
    pub(super) speaker: Speaker,
    pub(super) lang: Lang,
}

impl Bench {
    pub(super) fn new(lang: Lang) -> Self {
        let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_000)));
        let media = Arc::new(SimulatedMedia::new(Library::shared(), clock.clone()));
        let mut registry = ToolRegistry::new();
        for tool in super::tools(media.clone() as Arc<dyn MediaService>) {
            registry.register_erased(tool).unwrap();
        }
        Self {
            clock,
            media,
            registry,
            speaker: Speaker::new("test", Seat::Driver),
            lang,
        }
    }

    fn context(&self) -> ToolContext<'_> {
        ToolContext::new(&self.speaker, self.lang, &self.clock, "key")
    }

    pub(super) fn resolve(&self, tool: &str, arguments: &Value) -> Result<Resolved, Refusal> {
        self.registry.get(tool).unwrap().resolve(arguments, self.context())
    }

    pub(super) fn call(&self, tool: &str, arguments: Value) -> Result<ToolOutput, ToolError> {
        let resolved = match self.resolve(tool, &arguments) {
            Ok(resolved) => resolved,
            Err(Refusal::Failed(error)) => return Err(error),
            Err(Refusal::Misfit(why)) => panic!("{arguments} misfits: {why}"),
        };
        let tool = self.registry.get(tool).unwrap();
        at_once(tool.run(&resolved.arguments, self.context()))
    }

    /// What is said to a call that succeeds.
    pub(super) fn say(&self, tool: &str, arguments: Value) -> String {
        let output = self
            .call(tool, arguments.clone())
            .unwrap_or_else(|error| panic!("{tool} {arguments}: {error}"));
        output.say.unwrap()
    }

    pub(super) fn advance(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    pub(super) fn signal(&self, name: &str) -> Value {
        self.media.signals()[name].clone()
    }

    pub(super) fn track(&self) -> Value {
        self.signal("Media.Player.Track")
    }
}
