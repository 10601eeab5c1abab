//! The vocabulary of incar and the turn itself: messages, tools, models and the state machine
//! that takes an utterance to a reply. No HTTP, no file, no clock of its own, no async loop.

mod choice;
mod classify;
mod clock;
mod context;
mod control;
mod error;
mod event;
mod history;
mod journal;
mod json_fault;
mod lang;
mod limits;
mod message;
mod model;
mod names;
mod notice;
mod outcome;
mod policy;
mod preferences;
mod private;
mod provenance;
mod reader;
mod records;
mod registry;
mod research;
mod response;
mod run;
mod schema;
mod sentences;
mod session;
mod speaker;
mod spec;
mod tokens;
mod tool;
pub mod turn;
pub mod words;

pub use async_trait::async_trait;
pub use choice::{ModelChoice, ModelReason, PassedModel, PassedReason};
pub use classify::{Judgement, ReplyClass, ReplyClassifier, ReplyContext};
pub use clock::{Clock, ManualClock, Timestamp};
pub use context::CabinContext;
pub use control::{ASK_USER, AskUser, ask_user_spec};
pub use error::ErrorKind;
pub use event::{SentenceKind, TurnEvent};
pub use history::{History, HistoryError};
pub use journal::{Conclusion, Intent, Journal, JournalEntry, JournalError};
pub use json_fault::json_fault;
pub use lang::{Bilingual, Lang};
pub use limits::Limits;
pub use message::{AssistantMessage, Message, Reasoning, TextMessage, ToolCall, ToolMessage};
pub use model::{
    ChatModel, ChatRequest, DeviceModel, ModelError, ModelEvent, ModelFinish, ModelReply, ModelStream, Usage,
};
pub use names::{Completion, KnownName, NameMatch, NameSource};
pub use notice::{Notice, NoticePriority, NoticeWhen};
pub use outcome::Outcome;
pub use policy::{AllowAll, PolicyDecision, PolicyGate, PolicyQuery, QueryStage};
pub use preferences::{PREFERENCES_SHELF, Preference, Preferences, PreferredValue};
pub use private::Private;
pub use provenance::Provenance;
pub use reader::{GivenValue, Grasp, ReadCall, Reading, UtteranceReader};
pub use records::{Record, RecordStore};
pub use registry::{RegistryError, ToolRegistry, ToolRouter, ToolSet};
pub use research::{
    BackgroundAgent, ResearchFailure, ResearchFindings, ResearchListener, ResearchProgress, ResearchTask,
};
pub use response::{
    AgentResponse, AgentStatus, CallShape, Decision, ErrorInfo, ExpectsReply, FinishReason, Job, JobState, Pending,
    ResponseData, Timings, ToolCallReport,
};
pub use run::{ToolPanicked, run_tool};
pub use schema::{schema_fault, schema_of};
pub use sentences::join_sentences;
pub use session::{Checkpoints, Lease, SessionId, SessionRecord, SessionStore, Stage, StoreError};
pub use speaker::{Holder, Owner, Seat, Speaker};
pub use spec::{Author, Concurrency, Effect, Interruption, ToolCategory, ToolSpec};
pub use tokens::estimate_tokens;
pub use tool::{Erased, Refusal, Resolved, Tool, ToolContext, ToolError, ToolOutput, TypedTool};
