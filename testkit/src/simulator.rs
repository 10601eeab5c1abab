//! A car with everything in it, on a clock that moves only when told to.

use incar_agents::{
    Assistant, AssistantBuilder, BuildError, CarControlAgent, HotelBookingAgent, KnowledgeAgent, MemoryAgent,
    MusicAgent, NavigationAgent, PhoneAgent, TripPlanningAgent, WeatherAgent,
};
use incar_brain::Brain;
use incar_core::{ChatModel, Clock, ManualClock, Notice, RecordStore, Seat, Speaker, Timestamp, ToolRegistry};
use incar_sessions::MemoryRecords;
use incar_tools::booking::{BookingService, SimulatedBooking};
use incar_tools::contacts::PhoneBook;
use incar_tools::knowledge::Manual;
use incar_tools::media::SimulatedMedia;
use incar_tools::navigation::SimulatedNavigation;
use incar_tools::phone::{PhoneError, PhoneService, SimulatedPhone};
use incar_tools::policy::{Facts, Policies};
use incar_tools::preferences::PreferenceBook;
use incar_tools::vehicle::{Catalogue, SignalValue, SimulatedCar, Vehicle, VehicleError};
use incar_tools::weather::{Locator, SimulatedWeather, VehicleLocator, WeatherService};
use incar_tools::{CabinState, booking, car_control, knowledge, media, navigation, phone, preferences, weather};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// When a simulator's clock starts where nothing else is said: Monday, 1 June 2026, 10:00 in Beijing.
const START: Timestamp = Timestamp::from_millis(1_780_279_200_000);

/// The simulated weather is the same on every machine.
const WEATHER_SEED: u64 = 1;

/// Beijing's hours from UTC.
const BEIJING: i8 = 8;

/// A simulated car, its media, navigation and phone, and an assistant that serves it.
#[derive(Debug)]
pub struct Simulator {
    start: Timestamp,
    clock: Arc<ManualClock>,
    car: Arc<SimulatedCar>,
    /// What the tools act on: the simulated car, or another.
    vehicle: Arc<dyn Vehicle>,
    driven: Driven,
    media: Arc<SimulatedMedia>,
    navigation: Arc<SimulatedNavigation>,
    phone: Arc<SimulatedPhone>,
    brain: Arc<Brain>,
    assistant: Assistant,
    resets: u32,
}

/// Whose the car is that the tools act on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Driven {
    /// The simulator's own.
    Here,
    /// Another ([`SimulatorBuilder::with_vehicle`]).
    Elsewhere,
}

/// Why a simulator could not be made, or refused something.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SimulatorError {
    /// The data of a service cannot be read.
    #[error("the simulated services: {0}")]
    Service(String),
    /// The assistant cannot be put together.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The signal or its value is refused.
    #[error(transparent)]
    Vehicle(#[from] VehicleError),
    /// Nobody can call: from that number, or now.
    #[error(transparent)]
    Phone(#[from] PhoneError),
    /// The car is not the simulator's own.
    #[error("the car is not simulated here: set `{0}` where it is")]
    NotSimulated(String),
    /// What was to be done to the assistant could not be.
    #[error(transparent)]
    Customise(Box<dyn std::error::Error + Send + Sync>),
    /// The value is none that a signal can have.
    #[error("`{0}` is no value of a signal: it must be true, false, a number or a text")]
    Value(Value),
}

/// What a simulated car's assistant runs on.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Parts {
    /// The car that the tools act on.
    pub vehicle: Arc<dyn Vehicle>,
    /// The embedded brain.
    pub brain: Arc<Brain>,
    /// The simulation's clock.
    pub clock: Arc<ManualClock>,
}

/// What is done to the assistant before it is built.
type Customise<'a> = Box<dyn FnOnce(AssistantBuilder, &Parts) -> Result<AssistantBuilder, SimulatorError> + 'a>;

/// Puts a [`Simulator`] together.
pub struct SimulatorBuilder<'a> {
    start: Timestamp,
    records: Arc<dyn RecordStore>,
    signals: Option<Catalogue>,
    vehicle: Option<Arc<dyn Vehicle>>,
    customise: Vec<Customise<'a>>,
}

impl std::fmt::Debug for SimulatorBuilder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SimulatorBuilder")
            .field("start", &self.start)
            .field("records", &self.records)
            .field("vehicle", &self.vehicle)
            .finish_non_exhaustive()
    }
}

impl<'a> SimulatorBuilder<'a> {
    /// When its clock starts. By default Monday, 1 June 2026, 10:00 in Beijing.
    #[must_use]
    pub fn starting_at(mut self, start: Timestamp) -> Self {
        self.start = start;
        self
    }

    /// Where bookings and preferences are kept. By default in memory.
    #[must_use]
    pub fn with_records(mut self, records: Arc<dyn RecordStore>) -> Self {
        self.records = records;
        self
    }

    /// The signals of its car. By default those that ship.
    #[must_use]
    pub fn with_signals(mut self, signals: Catalogue) -> Self {
        self.signals = Some(signals);
        self
    }

    /// Another car than the simulated one: its signals are not the simulator's to set, and navigation goes on from where
    /// the simulated car is.
    #[must_use]
    pub fn with_vehicle(mut self, vehicle: Arc<dyn Vehicle>) -> Self {
        self.vehicle = Some(vehicle);
        self
    }

    /// What thinks. By default the embedded brain.
    #[must_use]
    pub fn with_model(self, model: Arc<dyn ChatModel>) -> Self {
        self.customised(|builder, _| Ok(builder.with_model(model)))
    }

    /// Adds to its assistant: tools, agents and policies of your own.
    #[must_use]
    pub fn customised(
        mut self,
        customise: impl FnOnce(AssistantBuilder, &Parts) -> Result<AssistantBuilder, SimulatorError> + 'a,
    ) -> Self {
        self.customise.push(Box::new(customise));
        self
    }

    /// Puts it together.
    ///
    /// # Errors
    /// [`SimulatorError`] where shipped data is broken or the assistant cannot be put together.
    pub fn build(self) -> Result<Simulator, SimulatorError> {
        let service = |error: &dyn std::fmt::Display| SimulatorError::Service(error.to_string());
        let clock = Arc::new(ManualClock::at(self.start).ahead_of_utc(i32::from(BEIJING) * 60));
        let signals = match self.signals {
            Some(signals) => signals,
            None => Catalogue::shipped().map_err(|error| service(&error))?,
        };
        let car = Arc::new(SimulatedCar::with_catalogue(signals, clock.clone()));
        let media = Arc::new(SimulatedMedia::embedded(clock.clone()).map_err(|error| service(&error))?);
        let navigation = Arc::new(SimulatedNavigation::new(car.clone()));
        let mut registry = ToolRegistry::new();
        let simulated: Arc<dyn Vehicle> = car.clone();
        let driven = if self.vehicle.is_some() {
            Driven::Elsewhere
        } else {
            Driven::Here
        };
        let vehicle = self.vehicle.unwrap_or(simulated);
        car_control::register(&mut registry, &vehicle).map_err(|error| service(&error))?;
        let book = PhoneBook::embedded().map_err(|error| service(&error))?;
        let phone = Arc::new(SimulatedPhone::new(Arc::new(book), clock.clone()));
        let phone_service: Arc<dyn PhoneService> = phone.clone();
        let forecast: Arc<dyn WeatherService> = Arc::new(SimulatedWeather::new(WEATHER_SEED));
        let locator: Arc<dyn Locator> = Arc::new(VehicleLocator::new(vehicle.clone()));
        let manual = Arc::new(Manual::embedded().map_err(|error| service(&error))?);
        let records = self.records;
        let preferences = PreferenceBook::new(records.clone()).map_err(|error| service(&error))?;
        let bookings: Arc<dyn BookingService> = Arc::new(SimulatedBooking::new(records.clone()));
        let brain = Arc::new(Brain::new());
        let policies = Policies::shipped(Facts::of(vehicle.clone())).map_err(|error| service(&error))?;
        let offset = jiff::tz::Offset::constant(BEIJING);
        let mut builder = Assistant::builder()
            .with_tool_agent(CarControlAgent::default())
            .with_tool_agent(NavigationAgent::default())
            .with_tool_agent(MusicAgent::default())
            .with_tool_agent(PhoneAgent::default())
            .with_tool_agent(WeatherAgent::default())
            .with_tool_agent(KnowledgeAgent::default())
            .with_tool_agent(MemoryAgent::default())
            .with_flow(HotelBookingAgent::default())
            .with_flow(TripPlanningAgent::default())
            .with_registry(&registry)
            .with_tools(navigation::tools(navigation.clone()))
            .with_tools(media::tools(media.clone()))
            .with_tools(phone::tools(&phone_service))
            .with_tools(weather::tools(&forecast, &locator))
            .with_tools(knowledge::tools(&manual, &locator))
            .with_tools(booking::tools(&bookings, &records))
            .with_tools(preferences::tools(&preferences))
            .with_records(records)
            .with_model(brain.clone())
            .with_router(brain.clone())
            .with_reader(brain.clone())
            .with_policies(Arc::new(policies))
            .with_context(Arc::new(CabinState::new(vehicle.clone(), clock.clone(), offset)))
            .with_clock(clock.clone());
        let parts = Parts {
            vehicle: vehicle.clone(),
            brain: brain.clone(),
            clock: clock.clone(),
        };
        for customise in self.customise {
            builder = customise(builder, &parts)?;
        }
        Ok(Simulator {
            start: self.start,
            clock,
            car,
            vehicle,
            driven,
            media,
            navigation,
            phone,
            brain,
            assistant: builder.build()?,
            resets: 0,
        })
    }
}

impl Simulator {
    /// Starts to put one together.
    pub fn builder<'a>() -> SimulatorBuilder<'a> {
        SimulatorBuilder {
            start: START,
            records: Arc::new(MemoryRecords::default()),
            signals: None,
            vehicle: None,
            customise: Vec::new(),
        }
    }

    /// A simulator on which the embedded brain thinks.
    ///
    /// # Errors
    /// [`SimulatorError`] where shipped data is broken.
    pub fn new() -> Result<Self, SimulatorError> {
        Self::builder().build()
    }

    /// A simulator on which `model` thinks.
    ///
    /// # Errors
    /// [`SimulatorError`] where shipped data is broken.
    pub fn with_model(model: Arc<dyn ChatModel>) -> Result<Self, SimulatorError> {
        Self::builder().with_model(model).build()
    }

    /// A simulator with what `customise` adds to its assistant: tools, agents and policies of your own.
    /// `model` or else the brain thinks.
    ///
    /// # Errors
    /// [`SimulatorError`] where shipped data is broken or the assistant cannot be put together.
    pub fn customised(
        model: Option<Arc<dyn ChatModel>>,
        customise: &dyn Fn(AssistantBuilder) -> AssistantBuilder,
    ) -> Result<Self, SimulatorError> {
        let builder = match model {
            Some(model) => Self::builder().with_model(model),
            None => Self::builder(),
        };
        builder.customised(|builder, _| Ok(customise(builder))).build()
    }

    /// The assistant.
    pub fn assistant(&self) -> &Assistant {
        &self.assistant
    }

    /// The car that the tools act on.
    pub fn vehicle(&self) -> Arc<dyn Vehicle> {
        self.vehicle.clone()
    }

    /// The embedded brain, also where another model thinks.
    pub fn brain(&self) -> &Brain {
        &self.brain
    }

    /// The car's media.
    pub fn media(&self) -> &SimulatedMedia {
        &self.media
    }

    /// The car's navigation.
    pub fn navigation(&self) -> &SimulatedNavigation {
        &self.navigation
    }

    /// The car's phone.
    pub fn phone(&self) -> &SimulatedPhone {
        &self.phone
    }

    /// Who speaks from `seat`.
    pub fn speaker(&self, seat: Seat) -> Speaker {
        Speaker::new(format!("simulated-{}", self.resets), seat)
    }

    /// Takes what is to be said unasked in the car as it is since the last reset.
    pub fn take_notices(&self) -> Vec<Notice> {
        self.assistant.take_notices(&self.speaker(Seat::Driver).car)
    }

    /// The same, spoken to their end: a yes may answer what they offer.
    pub async fn hear_notices(&self) -> Vec<Notice> {
        let notices = self.take_notices();
        for notice in &notices {
            self.assistant.heard(&notice.id).await;
        }
        notices
    }

    /// The time in the simulation.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Lets time pass.
    pub fn advance(&self, by: Duration) {
        self.clock.advance(by);
    }

    /// Sets a signal of the car.
    ///
    /// # Errors
    /// [`SimulatorError::Vehicle`] for an unknown signal, a wrong type or a value out of range.
    pub fn set(&self, signal: &str, value: &Value) -> Result<(), SimulatorError> {
        self.own(signal)?;
        Ok(self.car.set(signal, signal_value(value)?)?)
    }

    /// Sets several signals of the car, all or none.
    ///
    /// # Errors
    /// As [`Simulator::set`]; nothing is set then.
    pub fn set_all(&self, signals: &Map<String, Value>) -> Result<(), SimulatorError> {
        let mut checked = Vec::with_capacity(signals.len());
        for (signal, value) in signals {
            self.own(signal)?;
            let value = signal_value(value)?;
            let info = self
                .car
                .info(signal)
                .ok_or_else(|| VehicleError::UnknownSignal(signal.clone()))?;
            info.check(&value)?;
            checked.push((signal, value));
        }
        for (signal, value) in checked {
            self.car.set(signal, value)?;
        }
        Ok(())
    }

    fn own(&self, signal: &str) -> Result<(), SimulatorError> {
        match self.driven {
            Driven::Here => Ok(()),
            Driven::Elsewhere => Err(SimulatorError::NotSimulated(signal.to_owned())),
        }
    }

    /// Every signal of the car, and what media, navigation and phone are doing.
    pub fn state(&self) -> BTreeMap<String, Value> {
        let signals = self.vehicle.snapshot().into_iter();
        let mut state: BTreeMap<String, Value> = signals.map(|(name, value)| (name, Value::from(&value))).collect();
        state.extend(self.media.signals());
        state.extend(self.navigation.state());
        let phone = self.phone.state().into_iter();
        state.extend(phone.map(|(name, value)| (name, serde_json::to_value(value).unwrap_or_default())));
        state
    }

    /// Puts everything back as it was: the car parked in Beijing, nothing playing, no route. What was
    /// said before belongs to another car from here on: no question of it waits any more.
    pub fn reset(&mut self) {
        self.clock.set(self.start);
        self.car.reset();
        self.media.reset();
        self.navigation.reset();
        self.phone.reset();
        self.resets += 1;
    }
}

fn signal_value(value: &Value) -> Result<SignalValue, SimulatorError> {
    match value {
        Value::Bool(value) => Ok(SignalValue::Bool(*value)),
        Value::Number(number) => Ok(SignalValue::Number(number.as_f64().unwrap_or_default())),
        Value::String(text) => Ok(SignalValue::Text(text.clone())),
        Value::Null | Value::Array(_) | Value::Object(_) => Err(SimulatorError::Value(value.clone())),
    }
}
