//! The host: it owns the services, builds an assistant for as long as the ignition is on, and hands it every utterance.

use crate::bus;
use crate::fridge::{PicnicAgent, SetFridge};
use crate::gateway::Gateway;
use crate::head_unit::{HeadUnit, Memory};
use crate::logbook::Logbook;
use crate::policies;
use crate::screen::{Screen, Shown};
use crate::script::{Step, Switch};
use futures_util::StreamExt;
use incar::brain::Brain;
use incar::sessions::MemoryStore;
use incar::tools::library::Library;
use incar::tools::vehicle::{Catalogue, Vehicle};
use incar::tools::{car_control, media};
use incar::{
    Assistant, CarControlAgent, Clock, Effect, MusicAgent, Seat, Settings, Speaker, ToolRegistry, TurnEvent,
    TurnStream, Utterance,
};
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

const CAR: &str = "DEMO-0001";
const POWER: &str = "Vehicle.LowVoltageSystemState";
/// How long a question waits: longer than a stop for fuel.
const WAIT: Duration = Duration::from_secs(30 * 60);
/// How long a turn may take to end when the host shuts down.
const GRACE: Duration = Duration::from_secs(5);

/// What lives as long as the process, and what lives as long as the ignition is on.
pub(crate) struct Host {
    clock: Arc<dyn Clock>,
    gateway: Arc<Gateway>,
    library: Arc<Library>,
    brain: Arc<Brain>,
    store: Arc<MemoryStore>,
    logbook: Arc<Logbook>,
    screen: Screen,
    listening: Switch,
    /// The head unit's memory as JSON: what a car writes to flash.
    flash: String,
    running: Option<Running>,
    turns: JoinSet<()>,
}

struct Running {
    assistant: Assistant,
    head_unit: Arc<HeadUnit>,
}

impl Host {
    /// A host with the ignition on.
    ///
    /// # Errors
    /// Where a data file, a policy or a word is at fault: then it must not start at all.
    pub(crate) async fn start(screen: Screen, clock: Arc<dyn Clock>) -> Result<Self, Box<dyn Error>> {
        let trim = Catalogue::from_toml(include_str!("trim.toml"))?;
        let (frames, heard) = bus::start(trim.clone(), clock.clone());
        let mut host = Self {
            gateway: Arc::new(Gateway::new(trim, frames, heard, clock.clone())),
            library: Arc::new(Library::embedded()?),
            brain: Arc::new(Brain::new()),
            store: Arc::new(MemoryStore::default()),
            logbook: Arc::new(Logbook::default()),
            screen,
            listening: Switch::On,
            flash: serde_json::to_string(&Memory::default())?,
            running: None,
            turns: JoinSet::new(),
            clock,
        };
        host.ignition_on().await?;
        Ok(host)
    }

    /// Puts an assistant together over the host's services.
    fn assemble(&self) -> Result<Running, Box<dyn Error>> {
        let vehicle: Arc<dyn Vehicle> = self.gateway.clone();
        let memory: Memory = serde_json::from_str(&self.flash)?;
        let head_unit = Arc::new(HeadUnit::new(self.library.clone(), self.clock.clone(), memory));
        let mut registry = ToolRegistry::new();
        car_control::register(&mut registry, &vehicle)?;
        let assistant = Assistant::builder()
            .with_tool_agent(CarControlAgent::default())
            .with_tool_agent(MusicAgent::default())
            .with_tool_agent(PicnicAgent::default())
            .with_registry(&registry)
            .with_tools(media::tools(head_unit.clone()))
            .with_tool(SetFridge(vehicle.clone()))
            .with_model(self.brain.clone())
            .with_policies(Arc::new(policies::of(vehicle)?))
            .with_journal(self.logbook.clone())
            .with_store(self.store.clone())
            .with_clock(self.clock.clone())
            .with_settings(Settings::default().with_wait(WAIT))
            .build()?;
        // A misspelt argument in a tool's words would only show as a driver who is not understood.
        if let Some(fault) = self.brain.prepare(assistant.offered()).first() {
            return Err(format!("the words of a tool are at fault: {fault:?}").into());
        }
        Ok(Running { assistant, head_unit })
    }

    /// Does one step. An utterance's turn runs on by itself: see [`Host::turn_ended`].
    ///
    /// # Errors
    /// Where the ignition is turned on and the assistant cannot be put together.
    pub(crate) async fn play(&mut self, step: Step) -> Result<(), Box<dyn Error>> {
        match step {
            Step::Say(seat, text) => self.say(seat, text),
            Step::Ignition(Switch::Off) => self.ignition_off().await,
            Step::Ignition(Switch::On) => self.ignition_on().await?,
            Step::Signal(name, value) => {
                let shown = format!("{name} = {value}");
                match self.gateway.measure(&name, value).await {
                    Ok(()) => self.screen.host(shown),
                    Err(error) => self.screen.host(format!("the bus refused that: {error}")),
                }
            }
            Step::Screen(switch) => self.listening = switch,
            Step::Remark(remark) => self.screen.show(Shown::Remark(remark)),
        }
        Ok(())
    }

    fn say(&mut self, seat: Seat, text: String) {
        self.screen.show(Shown::Heard(seat, text.clone()));
        let Some(running) = &self.running else {
            return self.screen.host("the ignition is off; nobody listens");
        };
        let utterance = Utterance::new(text).by(Speaker::new(CAR, seat));
        let effects = self.logbook.count();
        let events = running.assistant.handle_streaming(utterance);
        let screen = self.screen.clone();
        match self.listening {
            Switch::On => self.turns.spawn(follow(events, screen)),
            Switch::Off => {
                let (tools, logbook) = (running.assistant.tools().clone(), self.logbook.clone());
                self.turns.spawn(async move {
                    if drop_midway(events, &tools, screen).await == Left::Midway {
                        // A deed that was not journaled did not happen, and is not waited for without end.
                        let _ = tokio::time::timeout(GRACE, logbook.settled_after(effects)).await;
                    }
                })
            }
        };
    }

    /// Whether a turn runs. While one does, the microphone is off.
    pub(crate) fn is_busy(&self) -> bool {
        !self.turns.is_empty()
    }

    /// Waits for the end of a turn, and shows what it did. Dropping the future loses nothing.
    pub(crate) async fn turn_ended(&mut self) {
        self.turns.join_next().await;
        self.show_journal();
    }

    fn show_journal(&self) {
        for line in self.logbook.flush() {
            self.screen.show(Shown::Journal(line));
        }
    }

    /// Lets go of the assistant, and keeps what must outlive it: open questions are in the store, the effects in the
    /// logbook, the music in flash.
    async fn ignition_off(&mut self) {
        let Some(running) = self.running.take() else {
            return self.screen.host("the ignition is off already");
        };
        match serde_json::to_string(&running.head_unit.memory()) {
            Ok(memory) => self.flash = memory,
            Err(error) => self.screen.host(format!("the head unit's memory is lost: {error}")),
        }
        let waiting = self.store.len();
        drop(running);
        self.report_power("OFF").await;
        self.screen
            .host(format!("ignition off; questions that wait: {waiting}"));
    }

    async fn ignition_on(&mut self) -> Result<(), Box<dyn Error>> {
        if self.running.is_some() {
            self.screen.host("the ignition is on already");
            return Ok(());
        }
        let running = self.assemble()?;
        // Acknowledged, this frame shows too that the bus is alive: the first utterance meets a car that answers.
        self.report_power("ON").await;
        let music = running.head_unit.title();
        self.running = Some(running);
        let music = music.map_or_else(String::new, |title| format!("; 《{title}》 goes on"));
        self.screen.host(format!("ignition on{music}"));
        Ok(())
    }

    async fn report_power(&self, state: &str) {
        if let Err(error) = self.gateway.measure(POWER, state.into()).await {
            self.screen.host(format!("the bus does not know of it: {error}"));
        }
    }

    /// Takes no more utterances, lets what runs come to its end, and says what is in doubt.
    pub(crate) async fn shut_down(mut self) {
        let running = self.turns.len();
        self.screen.host(format!("shutting down; turns that run: {running}"));
        let drained = tokio::time::timeout(GRACE, async { while self.turns.join_next().await.is_some() {} }).await;
        if drained.is_err() {
            self.screen.host("a turn did not end in time");
        }
        self.show_journal();
        self.ignition_off().await;
        let (count, in_doubt) = (self.logbook.count(), self.logbook.in_doubt());
        self.screen
            .host(format!("journal closed; effects: {count}, in doubt: {in_doubt}"));
    }
}

/// Shows a turn to its end.
async fn follow(mut events: TurnStream, screen: Screen) {
    while let Some(event) = events.next().await {
        screen.show(Shown::Turn(event));
    }
}

/// Where a listener left a turn.
#[derive(Debug, PartialEq, Eq)]
enum Left {
    Midway,
    AtItsEnd,
}

/// A screen that goes black when the first deed starts: the stream is dropped, and the turn does not notice. Without a
/// stream only the journal tells that the deed was done.
async fn drop_midway(mut events: TurnStream, tools: &ToolRegistry, screen: Screen) -> Left {
    while let Some(event) = events.next().await {
        let deed = match &event {
            TurnEvent::ToolStarted { name, .. } => {
                tools.get(name).is_some_and(|tool| tool.spec().effect != Effect::Read)
            }
            _ => false,
        };
        screen.show(Shown::Turn(event));
        if deed {
            screen.host("the screen went black; the turn goes on");
            return Left::Midway;
        }
    }
    Left::AtItsEnd
}

#[cfg(test)]
mod tests;
