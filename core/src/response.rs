//! What a host gets back for an utterance. The JSON shapes are API.

use crate::choice::ModelChoice;
use crate::error::ErrorKind;
use crate::model::Usage;
use crate::notice::Notice;
use crate::outcome::Outcome;
use crate::provenance::Provenance;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// How a turn ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum AgentStatus {
    /// Done within one turn.
    Success,
    /// The reply needs an answer before the task can go on; the session is kept.
    WaitingInput,
    /// Done after at least one wait.
    Completed,
    /// The speaker called it off, or a second unclear answer ended it.
    Cancelled,
    /// The wait ran out; nothing was done.
    Expired,
    /// It failed or was refused.
    Error,
}

impl AgentStatus {
    /// The status's name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Success => "SUCCESS",
            Self::WaitingInput => "WAITING_INPUT",
            Self::Completed => "COMPLETED",
            Self::Cancelled => "CANCELLED",
            Self::Expired => "EXPIRED",
            Self::Error => "ERROR",
        }
    }
}

/// Whether a reply is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ExpectsReply {
    /// The task waits for it.
    Required,
    /// "Yes" would be welcome.
    Optional,
    /// No.
    #[default]
    None,
}

/// Why a turn ended where it did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FinishReason {
    /// The model had no more to do.
    Done,
    /// A question is open.
    Asked,
    /// A confirmation is open.
    Confirm,
    /// It was nothing for the car.
    Declined,
    /// A policy refused it.
    Denied,
    /// The speaker called it off.
    Cancelled,
    /// The wait ran out.
    Expired,
    /// The bound on rounds.
    RoundLimit,
    /// The bound on tool calls.
    CallLimit,
    /// A bound on tokens.
    TokenLimit,
    /// The bound on wall time.
    TimeLimit,
    /// The same calls again and again.
    RepeatedCall,
    /// Round after round failed.
    FailingRounds,
    /// The bound on the model's output.
    Length,
    /// The service's filter.
    ContentFilter,
    /// The speaker talked over it.
    Interrupted,
    /// A failure.
    Error,
}

/// The answer to one utterance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct AgentResponse {
    /// The turn.
    pub turn_id: String,
    /// Whose tools ran; `assistant` when several agents' did or none's.
    pub agent: String,
    /// How it ended.
    pub status: AgentStatus,
    /// What was said.
    pub query: String,
    /// Everything to be spoken.
    pub message: String,
    /// What to show instead of `message`, where that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
    /// The question alone, for the screen and for repeating. A host never speaks both.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// The session that waits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// Whether a reply is wanted.
    pub expects_reply: ExpectsReply,
    /// Which model answered, and why that one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelChoice>,
    /// What was done and what is open.
    pub data: ResponseData,
    /// What went wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorInfo>,
    /// Tokens, where the model's service counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<UsageShape>")]
    pub usage: Option<Usage>,
    /// Where the time went.
    pub timings: Timings,
}

#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct UsageShape {
    input_tokens: u64,
    output_tokens: u64,
}

impl AgentResponse {
    /// A response with nothing done.
    pub fn new(
        turn_id: impl Into<String>,
        query: impl Into<String>,
        status: AgentStatus,
        finish: FinishReason,
    ) -> Self {
        Self {
            turn_id: turn_id.into(),
            agent: "assistant".into(),
            status,
            query: query.into(),
            message: String::new(),
            display: None,
            prompt: None,
            session_id: None,
            expects_reply: ExpectsReply::None,
            model: None,
            data: ResponseData::new(finish),
            error: None,
            usage: None,
            timings: Timings::default(),
        }
    }

    /// A response that failed, with a speakable message.
    pub fn failed(turn_id: impl Into<String>, query: impl Into<String>, error: ErrorInfo) -> Self {
        let mut response = Self::new(turn_id, query, AgentStatus::Error, FinishReason::Error);
        response.message.clone_from(&error.message);
        response.error = Some(error);
        response
    }
}

/// What was done and what is open.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ResponseData {
    /// While waiting: the conversation, OpenAI-shaped, without the system prompt. To read only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conversation_history: Vec<Value>,
    /// The names of the tools called for this utterance, each once.
    pub tools_used: Vec<String>,
    /// This utterance's calls, in order.
    pub tool_results: Vec<ToolCallReport>,
    /// What waits for the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pending: Option<Pending>,
    /// Wishes that wait behind this question.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub queued: Vec<Pending>,
    /// What "yes" would do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<CallShape>,
    /// What policies and guards decided.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decisions: Vec<Decision>,
    /// What is to be said unasked, where a host takes it with its responses: [`Notice`]. An assistant
    /// leaves it empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<Notice>,
    /// Work that goes on in the background.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub job: Option<Job>,
    /// How often the model was asked.
    pub rounds: u32,
    /// Why the turn ended.
    pub finish_reason: FinishReason,
}

impl ResponseData {
    /// Nothing done.
    pub fn new(finish_reason: FinishReason) -> Self {
        Self {
            conversation_history: Vec::new(),
            tools_used: Vec::new(),
            tool_results: Vec::new(),
            pending: None,
            queued: Vec::new(),
            offer: None,
            decisions: Vec::new(),
            notices: Vec::new(),
            job: None,
            rounds: 0,
            finish_reason,
        }
    }
}

/// One call of this utterance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ToolCallReport {
    /// The call's id.
    pub id: String,
    /// The tool.
    pub name: String,
    /// The arguments as called.
    pub arguments: Value,
    /// `request`, `policy:<id>` where a policy added it, or `outside:<caller>` where a program outside the car
    /// wanted it.
    pub by: String,
    /// How it ended.
    #[schemars(with = "String")]
    pub outcome: Outcome,
    /// The result.
    pub result: Value,
    /// Where the values of required arguments come from, as far as guards looked.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub provenance: BTreeMap<String, Provenance>,
}

impl ToolCallReport {
    /// A report.
    pub fn new(id: String, name: String, arguments: Value, by: String, outcome: Outcome, result: Value) -> Self {
        Self {
            id,
            name,
            arguments,
            by,
            outcome,
            result,
            provenance: BTreeMap::new(),
        }
    }

    /// The same report with where the arguments' values come from.
    #[must_use]
    pub fn with_provenance(mut self, provenance: BTreeMap<String, Provenance>) -> Self {
        self.provenance = provenance;
        self
    }
}

/// A tool and its arguments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct CallShape {
    /// The tool.
    pub tool: String,
    /// The arguments.
    pub arguments: Value,
}

impl CallShape {
    /// A call.
    pub fn new(tool: impl Into<String>, arguments: Value) -> Self {
        Self {
            tool: tool.into(),
            arguments,
        }
    }
}

/// What waits for the driver's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Pending {
    /// A yes to exactly this call.
    Confirm {
        /// The call.
        confirm: CallShape,
    },
    /// A value.
    Missing {
        /// The tool that waits.
        tool: String,
        /// Its arguments so far.
        arguments: Map<String, Value>,
        /// The arguments still missing.
        missing: Vec<String>,
        /// What may be answered, where there is a choice.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        choices: Vec<String>,
    },
}

/// What a policy or a guard decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Decision {
    /// `policy` or `guard`.
    pub by: String,
    /// Which one.
    pub id: String,
    /// `allow`, `warn`, `confirm`, `amend`, `deny`, …
    pub decision: String,
    /// The id of the call it is about; empty where it is about the reply.
    pub call: String,
}

impl Decision {
    /// What the policy `id` decided about `call`.
    pub fn policy(id: impl Into<String>, decision: &str, call: impl Into<String>) -> Self {
        Self {
            by: "policy".into(),
            id: id.into(),
            decision: decision.into(),
            call: call.into(),
        }
    }

    /// What the guard `id` decided about `call`.
    pub fn guard(id: impl Into<String>, decision: &str, call: impl Into<String>) -> Self {
        Self {
            by: "guard".into(),
            id: id.into(),
            decision: decision.into(),
            call: call.into(),
        }
    }
}

/// Background work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Job {
    /// Its id.
    pub id: String,
    /// Where it stands.
    pub state: JobState,
}

impl Job {
    /// The work `id`, which stands so.
    pub fn new(id: impl Into<String>, state: JobState) -> Self {
        Self { id: id.into(), state }
    }
}

/// Where background work stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum JobState {
    /// It goes on.
    Running,
    /// It came to a result.
    Done,
    /// It came to nothing.
    Failed,
    /// The speaker called it off.
    Cancelled,
    /// Its process died, and nothing is left of it.
    Lost,
}

impl JobState {
    /// The state's name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
            Self::Lost => "lost",
        }
    }
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct ErrorInfo {
    /// What kind.
    #[schemars(with = "String")]
    pub kind: ErrorKind,
    /// One speakable sentence.
    pub message: String,
    /// Whether the same again may succeed.
    pub retryable: bool,
}

impl ErrorInfo {
    /// A failure that trying again will not mend.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            retryable: false,
        }
    }

    /// The same failure, worth another try.
    #[must_use]
    pub fn retryable(mut self) -> Self {
        self.retryable = true;
        self
    }
}

/// Where the time went, in microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Timings {
    /// From the utterance to the response.
    pub total_us: u64,
    /// Waiting for models.
    pub model_us: u64,
    /// Waiting for tools.
    pub tools_us: u64,
    /// The rest: incar itself.
    pub own_us: u64,
}

impl Timings {
    /// `total`, and what of it models and tools took.
    pub fn new(total_us: u64, model_us: u64, tools_us: u64) -> Self {
        Self {
            total_us,
            model_us,
            tools_us,
            own_us: total_us.saturating_sub(model_us).saturating_sub(tools_us),
        }
    }
}
