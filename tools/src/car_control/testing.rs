//! A car with its tools, for tests: calls go the way the runner takes them.

use crate::features::{FeatureCatalogue, PageCatalogue};
use crate::testing::at_once;
use crate::vehicle::{Catalogue, SignalValue, SimulatedCar, Vehicle};
use incar_core::{
    Lang, ManualClock, Refusal, Resolved, Seat, Speaker, Timestamp, ToolContext, ToolOutput, ToolRegistry,
};
use serde_json::Value;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

static SIGNALS: LazyLock<Catalogue> = LazyLock::new(|| Catalogue::shipped().unwrap());
static FEATURES: LazyLock<Arc<FeatureCatalogue>> = LazyLock::new(|| Arc::new(FeatureCatalogue::embedded().unwrap()));
static PAGES: LazyLock<Arc<PageCatalogue>> = LazyLock::new(|| Arc::new(PageCatalogue::embedded().unwrap()));

pub(crate) struct Bench {
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) car: Arc<SimulatedCar>,
    pub(crate) registry: ToolRegistry,
    pub(crate) speaker: Speaker,
    pub(crate) lang: Lang,
}

impl Bench {
    pub(crate) fn new() -> Self {
        let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_000)));
        let car = Arc::new(SimulatedCar::with_catalogue(SIGNALS.clone(), clock.clone()));
        let vehicle: Arc<dyn Vehicle> = car.clone();
        let mut registry = ToolRegistry::new();
        super::register_with(&mut registry, &vehicle, FEATURES.clone(), PAGES.clone()).unwrap();
        Self {
            clock,
            car,
            registry,
            speaker: Speaker::new("test", Seat::Driver),
            lang: Lang::En,
        }
    }

    pub(crate) fn context(&self) -> ToolContext<'_> {
        ToolContext::new(&self.speaker, self.lang, &self.clock, "key")
    }

    pub(crate) fn resolve(&self, tool: &str, arguments: &Value) -> Result<Resolved, Refusal> {
        self.registry.get(tool).unwrap().resolve(arguments, self.context())
    }

    pub(crate) fn call(&self, tool: &str, arguments: &Value) -> Result<ToolOutput, Refusal> {
        let resolved = self.resolve(tool, arguments)?;
        let tool = self.registry.get(tool).unwrap();
        Ok(at_once(tool.run(&resolved.arguments, self.context()))?)
    }

    pub(crate) fn advance(&self, seconds: u64) {
        self.clock.advance(Duration::from_secs(seconds));
    }

    pub(crate) fn set(&self, signal: &str, value: impl Into<SignalValue>) {
        self.car.set(signal, value.into()).unwrap();
    }

    pub(crate) fn get(&self, signal: &str) -> SignalValue {
        self.car.value(signal).unwrap()
    }

    pub(crate) fn number(&self, signal: &str) -> f64 {
        self.get(signal).as_number().unwrap()
    }
}
