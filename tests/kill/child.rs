//! A process that serves utterances, and may be killed on its way.

use crate::stops::{Point, Stop, StoppingStore, Stops};
use incar::sessions::{DurableSettings, DurableStore};
use incar::{
    AgentProfile, AgentResponse, Assistant, Bilingual, Effect, Lang, ManualClock, PolicyDecision, PolicyGate,
    PolicyQuery, Timestamp, ToolAgentBase, ToolCategory, ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool,
    Utterance, async_trait,
};
use incar_testkit::{ScriptedModel, ScriptedReply};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

/// Where a child finds what to do.
pub(crate) const JOB: &str = "INCAR_KILL_TEST_JOB";
/// The file that counts effects, in the job's directory.
pub(crate) const LEDGER: &str = "ledger";
/// The lines a child writes.
pub(crate) const REACHED: &str = "» reached";
pub(crate) const RECOVERED: &str = "» recovered ";
pub(crate) const RESPONSE: &str = "» response ";

/// What a process does.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) directory: PathBuf,
    pub(crate) now: u64,
    /// The tool whose calls want a yes.
    pub(crate) confirm: Option<String>,
    pub(crate) recover: bool,
    pub(crate) say: Vec<Said>,
    pub(crate) stop: Option<Stop>,
}

/// An utterance, and what the model answers to it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Said {
    pub(crate) text: String,
    replies: Value,
}

impl Said {
    pub(crate) fn new(text: &str, replies: Value) -> Self {
        Self {
            text: text.to_owned(),
            replies,
        }
    }
}

/// A tool whose effect is a line in the ledger.
#[derive(Debug)]
struct Entry {
    name: &'static str,
    effect: Effect,
    ledger: PathBuf,
    stops: Stops,
}

#[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
struct Nothing {}

#[async_trait]
impl TypedTool for Entry {
    type Args = Nothing;

    fn spec(&self) -> ToolSpec {
        let what = Bilingual::new(format!("做{}", self.name), format!("do {}: writes a line", self.name));
        ToolSpec::new(self.name, ToolCategory::new("ledger"), self.effect, what)
    }

    async fn run(&self, _: Nothing, context: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let mut ledger = OpenOptions::new().create(true).append(true).open(&self.ledger).unwrap();
        ledger
            .write_all(format!("{} {}\n", self.name, context.idempotency_key).as_bytes())
            .unwrap();
        ledger.sync_all().unwrap();
        self.stops.at(Point::AfterEffect, |tool| tool == self.name);
        Ok(ToolOutput::new(serde_json::json!({"did": self.name}))?.say(format!("{} is done.", self.name)))
    }
}

#[derive(Debug)]
struct LedgerAgent(AgentProfile);

impl ToolAgentBase for LedgerAgent {
    fn profile(&self) -> &AgentProfile {
        &self.0
    }
}

/// Wants a yes to the calls of one tool.
#[derive(Debug)]
struct Confirm(Option<String>);

impl PolicyGate for Confirm {
    fn decide(&self, query: &PolicyQuery<'_>) -> Vec<PolicyDecision> {
        let wants = self.0.as_deref() == Some(&*query.tool.name);
        wants
            .then(|| PolicyDecision::Confirm {
                policy: "confirm".into(),
                question: format!("Shall I do {}?", query.tool.name),
            })
            .into_iter()
            .collect()
    }
}

fn tell(what: &str, response: &AgentResponse) {
    println!("{what}{}", serde_json::to_string(response).unwrap());
}

pub(crate) fn run() {
    let Ok(job) = std::env::var(JOB) else { return };
    let job: Job = serde_json::from_str(&job).unwrap();
    // The harness has begun a line.
    println!();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(serve(job));
}

async fn serve(job: Job) {
    let now = Timestamp::from_millis(job.now);
    let stops = Stops(job.stop.map(Arc::new));
    let store = DurableStore::open(job.directory.join("store"), DurableSettings::default(), now).unwrap();
    let store = Arc::new(StoppingStore {
        store,
        stops: stops.clone(),
    });
    let model = Arc::new(ScriptedModel::default());
    let profile = AgentProfile::new("ledger", Bilingual::new("账", "Ledger")).uses(ToolCategory::new("ledger"));
    let mut builder = Assistant::builder()
        .with_tool_agent(LedgerAgent(profile))
        .with_model(model.clone())
        .with_policies(Arc::new(Confirm(job.confirm)))
        .with_clock(Arc::new(ManualClock::at(now)))
        .with_journal(store.clone())
        .with_store(store);
    for (name, effect) in [("sibling", Effect::Set), ("set", Effect::Set), ("act", Effect::Act)] {
        builder = builder.with_tool(Entry {
            name,
            effect,
            ledger: job.directory.join(LEDGER),
            stops: stops.clone(),
        });
    }
    let assistant = builder.build().unwrap();
    if job.recover {
        for recovered in assistant.recover().await.unwrap() {
            tell(RECOVERED, &recovered.response);
        }
    }
    for said in job.say {
        let replies: Vec<ScriptedReply> = serde_json::from_value(said.replies).unwrap();
        replies.into_iter().for_each(|reply| model.push(reply));
        let response = assistant.handle(Utterance::new(said.text).in_lang(Lang::En)).await;
        tell(RESPONSE, &response);
    }
}
