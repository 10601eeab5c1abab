//! Tools, journals and stores that do what a case needs.

use incar::{
    AgentProfile, Assistant, Bilingual, Conclusion, Effect, Intent, Journal, JournalEntry, JournalError, Lease, Owner,
    SessionId, SessionRecord, SessionStore, StoreError, Timestamp, ToolAgentBase, ToolCategory, ToolContext, ToolError,
    ToolOutput, ToolSpec, TypedTool, async_trait,
};
use incar_testkit::{ScriptedModel, ScriptedReply};
use serde::{Deserialize, Serialize};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{Barrier, Notify};

/// What the tools of a case did, and what they wait for.
#[derive(Debug)]
pub(crate) struct World {
    deeds: Mutex<Vec<String>>,
    pub(crate) started: Notify,
    pub(crate) opened: Notify,
    pub(crate) finished: Notify,
    meeting: Barrier,
}

impl Default for World {
    fn default() -> Self {
        Self {
            deeds: Mutex::default(),
            started: Notify::new(),
            opened: Notify::new(),
            finished: Notify::new(),
            meeting: Barrier::new(2),
        }
    }
}

impl World {
    pub(crate) fn deeds(&self) -> Vec<String> {
        self.deeds.lock().unwrap().clone()
    }
}

#[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
pub(crate) struct Nothing {}

/// A tool that does what its name says.
#[derive(Debug)]
pub(crate) struct Deed {
    name: &'static str,
    effect: Effect,
    world: Arc<World>,
}

impl Deed {
    pub(crate) fn new(name: &'static str, effect: Effect, world: Arc<World>) -> Self {
        Self { name, effect, world }
    }
}

#[async_trait]
impl TypedTool for Deed {
    type Args = Nothing;

    fn spec(&self) -> ToolSpec {
        ToolSpec::new(
            self.name,
            ToolCategory::new("deeds"),
            self.effect,
            Bilingual::new(self.name, self.name),
        )
        .with_timeout(Duration::from_secs(3))
    }

    async fn run(&self, _: Nothing, _: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        match self.name {
            "wait" => {
                self.world.started.notify_one();
                self.world.opened.notified().await;
            }
            "meet_a" | "meet_b" => {
                self.world.meeting.wait().await;
            }
            "panic" => panic!("as asked"),
            name if name.starts_with("hang") => {
                self.world.started.notify_one();
                std::future::pending().await
            }
            _ => {}
        }
        self.world.deeds.lock().unwrap().push(self.name.to_owned());
        self.world.finished.notify_one();
        ToolOutput::new(serde_json::json!({"did": self.name}))
    }
}

#[derive(Debug)]
struct DeedAgent(AgentProfile);

impl ToolAgentBase for DeedAgent {
    fn profile(&self) -> &AgentProfile {
        &self.0
    }
}

/// An assistant with a scripted model and one tool for every deed.
pub(crate) struct Setup {
    pub(crate) assistant: Assistant,
    pub(crate) model: Arc<ScriptedModel>,
    pub(crate) world: Arc<World>,
}

impl Setup {
    pub(crate) fn new(script: &[ScriptedReply]) -> Self {
        Self::with(script, |builder| builder)
    }

    pub(crate) fn with_journal(script: &[ScriptedReply], journal: Arc<dyn Journal>) -> Self {
        Self::with(script, |builder| builder.with_journal(journal))
    }

    pub(crate) fn with_store(script: &[ScriptedReply], store: Arc<dyn SessionStore>) -> Self {
        Self::with(script, |builder| builder.with_store(store))
    }

    pub(crate) fn with(
        script: &[ScriptedReply],
        with: impl FnOnce(incar::AssistantBuilder) -> incar::AssistantBuilder,
    ) -> Self {
        let model = Arc::new(ScriptedModel::default());
        script.iter().cloned().for_each(|reply| model.push(reply));
        let world = Arc::new(World::default());
        let profile = AgentProfile::new("deeds", Bilingual::new("事", "Deeds")).uses(ToolCategory::new("deeds"));
        let mut builder = Assistant::builder()
            .with_tool_agent(DeedAgent(profile))
            .with_model(model.clone());
        for (name, effect) in [
            ("look", Effect::Read),
            ("meet_a", Effect::Read),
            ("meet_b", Effect::Read),
            ("hang_reading", Effect::Read),
            ("set", Effect::Set),
            ("act", Effect::Act),
            ("wait", Effect::Act),
            ("panic", Effect::Act),
            ("hang", Effect::Act),
        ] {
            builder = builder.with_tool(Deed::new(name, effect, world.clone()));
        }
        Self {
            assistant: with(builder).build().unwrap(),
            model,
            world,
        }
    }
}

/// A journal that remembers what it was told, and what had been done by then.
#[derive(Debug, Default)]
pub(crate) struct RecordingJournal {
    entries: Mutex<Vec<String>>,
    tools: Mutex<Vec<(String, String)>>,
    world: Mutex<Option<Arc<World>>>,
}

impl RecordingJournal {
    pub(crate) fn watch(&self, world: Arc<World>) {
        *self.world.lock().unwrap() = Some(world);
    }

    pub(crate) fn entries(&self) -> Vec<String> {
        self.entries.lock().unwrap().clone()
    }
}

#[async_trait]
impl Journal for RecordingJournal {
    async fn intend(&self, intent: Intent) -> Result<(), JournalError> {
        let done = self
            .world
            .lock()
            .unwrap()
            .as_ref()
            .map(|world| world.deeds().join(","))
            .unwrap_or_default();
        self.entries
            .lock()
            .unwrap()
            .push(format!("intend {} after [{done}]", intent.tool));
        self.tools.lock().unwrap().push((intent.key, intent.tool));
        Ok(())
    }

    async fn conclude(&self, _: &Owner, key: &str, conclusion: Conclusion) -> Result<(), JournalError> {
        let outcome = conclusion.outcome;
        let tools = self.tools.lock().unwrap();
        let tool = tools
            .iter()
            .find(|(known, _)| known == key)
            .map(|(_, tool)| tool.clone())
            .unwrap();
        self.entries
            .lock()
            .unwrap()
            .push(format!("conclude {tool} {outcome:?}"));
        Ok(())
    }

    async fn find(&self, _: &Owner, _: &str) -> Result<Option<JournalEntry>, JournalError> {
        Ok(None)
    }

    async fn forget(&self, _: &Owner) -> Result<(), JournalError> {
        self.entries.lock().unwrap().push("forget".into());
        Ok(())
    }
}

/// A journal whose disk is full.
#[derive(Debug)]
pub(crate) struct FailingJournal;

#[async_trait]
impl Journal for FailingJournal {
    async fn intend(&self, _: Intent) -> Result<(), JournalError> {
        Err(JournalError("the disk is full".into()))
    }

    async fn conclude(&self, _: &Owner, _: &str, _: Conclusion) -> Result<(), JournalError> {
        Err(JournalError("the disk is full".into()))
    }

    async fn find(&self, _: &Owner, _: &str) -> Result<Option<JournalEntry>, JournalError> {
        Err(JournalError("the disk is full".into()))
    }

    async fn forget(&self, _: &Owner) -> Result<(), JournalError> {
        Err(JournalError("the disk is full".into()))
    }
}

/// A store that is out of reach.
#[derive(Debug)]
pub(crate) struct FailingStore;

fn gone<T>() -> Result<T, StoreError> {
    Err(StoreError::Backend("gone".into()))
}

#[async_trait]
impl SessionStore for FailingStore {
    async fn insert(&self, _: SessionRecord) -> Result<(), StoreError> {
        gone()
    }

    async fn waiting(&self, _: &Owner) -> Result<Option<SessionId>, StoreError> {
        Ok(None)
    }

    async fn claim(&self, _: &str, _: &Owner, _: Timestamp) -> Result<Lease, StoreError> {
        gone()
    }

    async fn put_back(&self, _: Lease, _: Timestamp, _: Box<str>) -> Result<(), StoreError> {
        gone()
    }

    async fn release(&self, _: Lease) -> Result<(), StoreError> {
        gone()
    }

    async fn close(&self, _: Lease) -> Result<(), StoreError> {
        gone()
    }

    async fn list(&self, _: &Owner) -> Result<Vec<(SessionId, Timestamp)>, StoreError> {
        gone()
    }

    async fn forget(&self, _: &Owner) -> Result<(), StoreError> {
        gone()
    }
}
