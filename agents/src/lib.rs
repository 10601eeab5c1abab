//! The runner, the agents and the Assistant: from an utterance to a response.

mod act;
mod agent;
mod assistant;
mod builtin;
mod classify;
mod clock;
mod counters;
mod flow;
mod flows;
mod guards;
mod jobs;
mod notices;
mod prompt;
mod runner;
mod shape;
mod stream;
mod telemetry;

pub use agent::{AgentProfile, ToolAgentBase};
pub use assistant::{
    Assistant, AssistantBuilder, BackChannel, BargeIn, BuildError, DoubleText, Holding, OutsideAnswer, OutsideCall,
    OutsideConsent, OutsideState, Over, Recovered, Settings, Utterance,
};
pub use builtin::{
    CarControlAgent, KnowledgeAgent, MemoryAgent, MusicAgent, NavigationAgent, PhoneAgent, WeatherAgent,
};
pub use classify::{SeedKeywordRule, TextRule};
pub use clock::SystemClock;
pub use counters::{CallCounts, Counters, JobCounts, TurnCounts};
pub use flow::{FlowAgent, SessionAgentBase};
pub use flows::{HotelBookingAgent, TripPlanningAgent};
pub use guards::{GuardMode, Guards};
pub use jobs::{Handover, ResearchSettings, ResearchStatus};
pub use notices::NoticeStream;
pub use stream::TurnStream;
pub use telemetry::TracedContents;
