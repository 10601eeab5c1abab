//! What all runs share: how they are kept, how they spend, how they call tools.

use crate::budget::{Budget, Spent, Stopwatch};
use crate::calls::Caller;
use crate::deep::DeepRun;
use crate::error::ResearchError;
use crate::id::{FileName, RunId};
use crate::progress::Progress;
use crate::react::ReactRun;
use crate::record::{Method, RunRecord, ToolUse};
use crate::resources::Resources;
use crate::rounds::RoundsRun;
use crate::sources::{Cited, Sources};
use crate::storage::StorageError;
use crate::team::TeamRun;
use crate::telemetry;
use futures_util::stream::FuturesUnordered;
use incar_core::turn::CallResult;
use incar_core::{FinishReason, Lang, Message, Timestamp, ToolCall, Usage};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tracing::Instrument;

/// The version of what is kept of a run on its way.
const SCHEMA: u16 = 1;

/// What every run keeps beside its own state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Head {
    pub(crate) id: RunId,
    pub(crate) question: String,
    pub(crate) lang: Lang,
    pub(crate) follows: Option<RunId>,
    pub(crate) budget: Budget,
    pub(crate) spent: Spent,
    pub(crate) sources: Sources,
    pub(crate) tools: Vec<ToolUse>,
    pub(crate) began: Timestamp,
}

impl Head {
    pub(crate) fn new(id: RunId, question: &str, lang: Lang, budget: Budget, now: Timestamp) -> Self {
        Self {
            id,
            question: question.to_owned(),
            lang,
            follows: None,
            budget,
            spent: Spent::default(),
            sources: Sources::default(),
            tools: Vec::new(),
            began: now,
        }
    }

    /// The same for a run that asks further about another: what that one cited can be cited.
    pub(crate) fn following(mut self, earlier: Option<&RunRecord>) -> Self {
        if let Some(record) = earlier {
            self.follows = Some(record.id.clone());
            self.sources = record.sources.clone();
        }
        self
    }

    pub(crate) fn caller(&self) -> Caller<'_> {
        Caller {
            run: self.id.as_str(),
            lang: self.lang,
            question: &self.question,
        }
    }

    /// Whether an address is that of a source, or stands in the question or in what tools answered.
    pub(crate) fn knows(&self, address: &str, messages: &[Message]) -> bool {
        self.sources.at(address).is_some()
            || self.question.contains(address)
            || messages.iter().any(|message| match message {
                Message::User(_) | Message::Tool(_) => message.content().contains(address),
                _ => false,
            })
    }

    /// Counts tokens, and tells what is left.
    pub(crate) fn spend(&mut self, usage: Usage, resources: &Resources) {
        self.spent.add(usage);
        resources.tell(Progress::Spent {
            usage: self.spent.usage,
            left: self.budget.left(&self.spent),
        });
    }

    /// Takes in what a call came to: its sources get their numbers. Calls are taken in in the order in which they were
    /// made, not in the order in which they ended, so that numbers are the same whenever a run is told again.
    pub(crate) fn take_in(
        &mut self,
        call: &ToolCall,
        arguments: &Value,
        result: &mut CallResult,
        resources: &Resources,
    ) {
        let sources = self.sources.take_in(&call.name, &call.id, &mut result.value);
        if !sources.is_empty() {
            resources.tell(Progress::Found { sources });
        }
        self.tools.push(ToolUse::new(
            call.id.clone(),
            call.name.clone(),
            arguments.clone(),
            result.outcome,
        ));
    }
}

impl Head {
    /// The record of a run that ended with this answer.
    pub(crate) fn into_record(self, method: Method, answer: Cited, finish: FinishReason) -> RunRecord {
        RunRecord {
            method,
            answer: answer.text,
            cited: answer.numbers,
            removed_citations: answer.removed,
            finish,
            ended: self.began.plus(self.spent.time),
            reports: Vec::new(),
            id: self.id,
            question: self.question,
            lang: self.lang,
            sources: self.sources,
            spent: self.spent,
            tools: self.tools,
            verified: None,
            follows: self.follows,
            began: self.began,
        }
    }
}

/// A call that may run, with its place among those of its reply.
#[derive(Debug, Clone)]
pub(crate) struct Runnable {
    pub(crate) index: usize,
    pub(crate) call: ToolCall,
    pub(crate) arguments: Value,
}

/// A run on its way, as it is kept.
#[derive(Debug, Serialize, Deserialize)]
struct Kept<S> {
    schema: u16,
    run: S,
}

/// A run of any kind.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub(crate) enum AnyRun {
    Rounds(RoundsRun),
    Deep(DeepRun),
    Team(TeamRun),
    React(ReactRun),
}

impl AnyRun {
    pub(crate) fn head(&self) -> &Head {
        match self {
            Self::Rounds(run) => &run.head,
            Self::Deep(run) => &run.head,
            Self::Team(run) => &run.head,
            Self::React(run) => &run.head,
        }
    }

    /// Brings the run to its end.
    pub(crate) async fn finish(self, resources: &Resources) -> Result<RunRecord, ResearchError> {
        let method = match &self {
            Self::Rounds(_) => Method::Rounds,
            Self::Deep(_) => Method::Deep,
            Self::Team(_) => Method::Team,
            Self::React(_) => Method::React,
        };
        let span = telemetry::run(self.head(), method);
        let working = async {
            match self {
                Self::Rounds(run) => run.finish(resources).await,
                Self::Deep(run) => run.finish(resources).await,
                Self::Team(run) => run.finish(resources).await,
                Self::React(run) => run.finish(resources).await,
            }
        };
        let came = working.instrument(span.clone()).await;
        telemetry::ended(&span, came.as_ref().map_err(ResearchError::kind));
        came
    }
}

/// A reference of the same shape, to write a run without giving it away.
#[derive(Debug, Serialize)]
#[serde(tag = "method", rename_all = "snake_case")]
pub(crate) enum AnyRunRef<'a> {
    Rounds(&'a RoundsRun),
    Deep(&'a DeepRun),
    Team(&'a TeamRun),
    React(&'a ReactRun),
}

/// How often in a row the model is asked again that did not answer and may.
pub(crate) const OUTAGES: u32 = 2;

pub(crate) fn state_file(id: &RunId) -> FileName {
    id.file(STATE)
}

pub(crate) const STATE: &str = "state.json";
pub(crate) const RECORD: &str = "record.json";

impl Resources {
    /// Keeps a run as it is now.
    pub(crate) async fn save(&self, id: &RunId, run: AnyRunRef<'_>) -> Result<(), StorageError> {
        let text = serde_json::to_string(&Kept { schema: SCHEMA, run });
        let text = text.map_err(|error| StorageError(error.to_string()))?;
        self.storage.put(&state_file(id), &text).await
    }

    /// A run as it was kept.
    pub(crate) async fn load(&self, id: &RunId) -> Result<AnyRun, ResearchError> {
        let text = self.storage.get(&state_file(id)).await?;
        let text = text.ok_or_else(|| ResearchError::UnknownRun(id.clone()))?;
        let unreadable = |reason: String| ResearchError::Unreadable { id: id.clone(), reason };
        let kept: Kept<Value> = serde_json::from_str(&text).map_err(|error| unreadable(error.to_string()))?;
        if kept.schema > SCHEMA {
            return Err(unreadable(format!(
                "it has schema {}; this version reads up to {SCHEMA}",
                kept.schema
            )));
        }
        serde_json::from_value(kept.run).map_err(|error| unreadable(error.to_string()))
    }

    /// Writes what is kept of a run that ended.
    pub(crate) async fn keep_record(&self, record: &RunRecord) -> Result<(), StorageError> {
        let text = serde_json::to_string_pretty(record).map_err(|error| StorageError(error.to_string()))?;
        self.write_once(&record.id.file(RECORD), &text).await
    }

    /// The record of a run that ended; `None` where there is none.
    pub(crate) async fn record(&self, id: &RunId) -> Result<Option<RunRecord>, ResearchError> {
        let Some(text) = self.storage.get(&id.file(RECORD)).await? else {
            return Ok(None);
        };
        let record = serde_json::from_str(&text).map_err(|error| ResearchError::Unreadable {
            id: id.clone(),
            reason: error.to_string(),
        })?;
        Ok(Some(record))
    }

    /// Writes a text unless it is there already: a run that is taken up right after it wrote it does not write it again.
    pub(crate) async fn write_once(&self, file: &FileName, text: &str) -> Result<(), StorageError> {
        match self.storage.get(file).await? {
            Some(there) if there == text => Ok(()),
            _ => self.storage.put(file, text).await,
        }
    }

    /// Runs calls together and tells of them; each comes as it ends, with its place.
    pub(crate) fn perform<'a>(
        &'a self,
        head: &Head,
        calls: Vec<Runnable>,
    ) -> FuturesUnordered<impl Future<Output = (usize, CallResult)> + Send + use<'a>> {
        let perform = |runnable: Runnable| {
            let Runnable { index, call, arguments } = runnable;
            let (run, lang) = (head.id.clone(), head.lang);
            async move {
                let key = format!("{run}/{}", call.id);
                (index, self.run(&call.name, &arguments, &key, lang).await)
            }
        };
        calls.into_iter().map(perform).collect()
    }

    pub(crate) fn stopwatch(&self, head: &Head) -> Stopwatch {
        Stopwatch::resume(head.spent.time, self.clock.now())
    }
}
