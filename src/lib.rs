//! `incar` is a framework for in-vehicle voice assistants. A car's infotainment host links it and
//! hands it every utterance, as text from its speech recogniser; it gets back a spoken reply, a
//! status and what was done to the car.
//!
//! This crate re-exports the others. Start with [`Assistant`], [`ToolAgentBase`] and [`TypedTool`];
//! `ARCHITECTURE.md` has the map.
#![doc = include_str!("../README.md")]

pub use incar_agents::{
    AgentProfile, Assistant, AssistantBuilder, BackChannel, BargeIn, BuildError, CallCounts, CarControlAgent, Counters,
    DoubleText, FlowAgent, GuardMode, Guards, Handover, Holding, HotelBookingAgent, JobCounts, KnowledgeAgent,
    MemoryAgent, MusicAgent, NavigationAgent, NoticeStream, OutsideAnswer, OutsideCall, OutsideConsent, OutsideState,
    Over, PhoneAgent, Recovered, ResearchSettings, ResearchStatus, SeedKeywordRule, SessionAgentBase, Settings,
    SystemClock, TextRule, ToolAgentBase, TracedContents, TripPlanningAgent, TurnCounts, TurnStream, Utterance,
    WeatherAgent,
};
pub use incar_core::{
    ASK_USER, AgentResponse, AgentStatus, AllowAll, AskUser, AssistantMessage, Author, BackgroundAgent, Bilingual,
    CabinContext, CallShape, ChatModel, ChatRequest, Checkpoints, Clock, Completion, Conclusion, Concurrency, Decision,
    DeviceModel, Effect, Erased, ErrorInfo, ErrorKind, ExpectsReply, FinishReason, GivenValue, Grasp, History,
    HistoryError, Holder, Intent, Interruption, Job, JobState, Journal, JournalEntry, JournalError, Judgement,
    KnownName, Lang, Lease, Limits, ManualClock, Message, ModelChoice, ModelError, ModelEvent, ModelFinish,
    ModelReason, ModelReply, ModelStream, NameMatch, NameSource, Notice, NoticePriority, NoticeWhen, Outcome, Owner,
    PREFERENCES_SHELF, PassedModel, PassedReason, Pending, PolicyDecision, PolicyGate, PolicyQuery, Preference,
    Preferences, PreferredValue, Private, Provenance, QueryStage, ReadCall, Reading, Reasoning, Record, RecordStore,
    Refusal, RegistryError, ReplyClass, ReplyClassifier, ReplyContext, ResearchFailure, ResearchFindings,
    ResearchListener, ResearchProgress, ResearchTask, Resolved, ResponseData, Seat, SentenceKind, SessionId,
    SessionRecord, SessionStore, Speaker, Stage, StoreError, TextMessage, Timestamp, Timings, Tool, ToolCall,
    ToolCallReport, ToolCategory, ToolContext, ToolError, ToolMessage, ToolOutput, ToolRegistry, ToolRouter, ToolSet,
    ToolSpec, TurnEvent, TypedTool, Usage, UtteranceReader, ask_user_spec, async_trait, schema_fault, schema_of, turn,
    words,
};

/// The embedded brain: understands car speech on the device.
pub mod brain {
    pub use incar_brain::*;
}

/// One typed configuration: a TOML file and environment variables, from settings to an assistant.
#[cfg(feature = "config")]
pub mod config {
    pub use incar_config::*;
}

/// Flows: what an agent gathers over several utterances, as data.
pub mod flow {
    pub use incar_sessions::flow::*;
}

/// The fallback chain: several models as one.
pub mod chain {
    pub use incar_chain::*;
}

/// The car behind Eclipse KUKSA's databroker.
#[cfg(feature = "kuksa")]
pub mod kuksa {
    pub use incar_kuksa::*;
}

/// The client for OpenAI-compatible model services.
pub mod openai {
    pub use incar_openai::*;
}

/// Sends traces to an OpenTelemetry collector.
#[cfg(feature = "otel")]
pub mod otel {
    pub use incar_otel::*;
}

/// MCP both ways: tools of any MCP server, and the car's tools for any MCP client.
#[cfg(feature = "mcp")]
pub mod mcp {
    pub use incar_mcp::*;
}

/// Text on its way to a voice: sentences, and plain words.
pub mod speech {
    pub use incar_text::{LONGEST_SENTENCE, Lang, SentenceSplitter, Speech, sentences, speakable};
}

/// Stores for what outlives a turn.
pub mod sessions {
    pub use incar_sessions::*;
}

/// What a car can do: tools over services, and simulated services.
pub mod tools {
    pub use incar_tools::*;
}

/// For authors of scenario tests: a scripted model, a simulated car, the scenario harness.
#[cfg(feature = "testkit")]
pub mod testkit {
    pub use incar_testkit::*;
}

/// Web search and page reading, and the offline corpus that stands in for both.
#[cfg(feature = "web")]
pub mod web {
    pub use incar_web::*;
}

/// Text files of one folder, read and written.
#[cfg(feature = "files")]
pub mod files {
    pub use incar_files::*;
}

/// Agents that plan, search, verify and write reports.
#[cfg(feature = "research")]
pub mod research {
    pub use incar_research::*;
}

/// What most hosts need.
pub mod prelude {
    pub use crate::{
        AgentProfile, AgentResponse, AgentStatus, Assistant, Bilingual, Effect, Lang, Seat, Speaker, ToolAgentBase,
        ToolCategory, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, Utterance, async_trait,
    };
}
