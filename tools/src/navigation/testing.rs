//! A car on the map with its tools, for tests: calls go the way the runner takes them.

use super::{NavigationService, SimulatedNavigation, tools};
use crate::testing::at_once;
use crate::vehicle::{Catalogue, SignalValue, SimulatedCar, Vehicle};
use incar_core::{
    Lang, ManualClock, Refusal, Resolved, Seat, Speaker, Timestamp, Tool, ToolContext, ToolError, ToolOutput,
};
use serde_json::Value;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

static SIGNALS: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::shipped().unwrap());

pub(super) struct Bench {
    pub(super) clock: Arc<ManualClock>,
    pub(super) car: Arc<SimulatedCar>,
    pub(super) map: Arc<SimulatedNavigation>,
    tools: Vec<Arc<dyn Tool>>,
    speaker: Speaker,
    lang: Lang,
}

impl Bench {
    /// Monday, 1 June 2026, 10:00 in Beijing.
    pub(super) fn new(lang: Lang) -> Self {
        let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_780_279_200_000)));
        let car = Arc::new(SimulatedCar::with_catalogue(SIGNALS.clone(), clock.clone()));
        let map = Arc::new(SimulatedNavigation::new(car.clone()));
        Self {
            clock,
            car,
            tools: tools(map.clone()),
            map,
            speaker: Speaker::new("test", Seat::Driver),
            lang,
        }
    }

    fn context(&self) -> ToolContext<'_> {
        ToolContext::new(&self.speaker, self.lang, &self.clock, "key")
    }

    pub(super) fn tool(&self, name: &str) -> &Arc<dyn Tool> {
        self.tools.iter().find(|tool| tool.spec().name == name).unwrap()
    }

    pub(super) fn resolve(&self, tool: &str, arguments: &Value) -> Result<Resolved, Refusal> {
        self.tool(tool).resolve(arguments, self.context())
    }

    pub(super) fn try_call(&self, tool: &str, arguments: &Value) -> Result<ToolOutput, Refusal> {
        let resolved = self.resolve(tool, arguments)?;
        Ok(at_once(self.tool(tool).run(&resolved.arguments, self.context()))?)
    }

    pub(super) fn call(&self, tool: &str, arguments: Value) -> ToolOutput {
        self.try_call(tool, &arguments)
            .unwrap_or_else(|error| panic!("{tool} {arguments}: {error}"))
    }

    pub(super) fn fail(&self, tool: &str, arguments: Value) -> ToolError {
        match self.try_call(tool, &arguments) {
            Err(Refusal::Failed(error)) => error,
            other => panic!("{tool} {arguments}: {other:?}"),
        }
    }

    pub(super) fn set(&self, signal: &str, value: impl Into<SignalValue>) {
        self.car.set(signal, value.into()).unwrap();
    }

    pub(super) fn number(&self, signal: &str) -> f64 {
        self.car.value(signal).unwrap().as_number().unwrap()
    }

    /// Drives on at this speed for so many seconds, then stops.
    pub(super) fn drive(&self, kmh: f64, seconds: u64) {
        self.set("Vehicle.Speed", kmh);
        self.clock.advance(Duration::from_secs(seconds));
        self.set("Vehicle.Speed", 0.0);
    }

    /// The English name of where guidance leads; nothing without guidance.
    pub(super) fn destination(&self) -> Option<String> {
        self.map.guidance().map(|guidance| guidance.destination.name.en)
    }
}
