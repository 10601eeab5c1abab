//! A world that can stop a turn wherever it touches the outside.

use incar::sessions::{DurableSettings, DurableStore};
use incar::{
    AgentProfile, Assistant, Bilingual, Checkpoints, Clock, Conclusion, Effect, Intent, Journal, JournalEntry,
    JournalError, Lease, ManualClock, Owner, PolicyDecision, PolicyGate, PolicyQuery, SessionId, SessionRecord,
    SessionStore, Settings, StoreError, Timestamp, ToolAgentBase, ToolCategory, ToolContext, ToolError, ToolOutput,
    ToolSpec, TypedTool, async_trait,
};
use incar_testkit::ScriptedModel;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Notify;

pub(crate) const CLAIM_AGE: Duration = Duration::from_secs(1);

/// Stops the turn at one of its points; it does not go on.
#[derive(Debug, Default)]
pub(crate) struct Stops {
    left: Mutex<Option<usize>>,
    reached: Notify,
}

impl Stops {
    async fn point(&self) {
        let stop = {
            let mut left = self.left.lock().unwrap();
            let stop = *left == Some(0);
            *left = left.and_then(|left| left.checked_sub(1));
            stop
        };
        if stop {
            self.reached.notify_one();
            std::future::pending::<()>().await;
        }
    }
}

#[derive(Debug)]
pub(crate) struct World {
    pub(crate) clock: Arc<ManualClock>,
    pub(crate) model: Arc<ScriptedModel>,
    pub(crate) store: DurableStore,
    stops: Arc<Stops>,
    ledger: Arc<Mutex<Vec<(String, String)>>>,
    degrees: Arc<AtomicI64>,
    /// Keys of intents without an outcome.
    open: Arc<Mutex<BTreeSet<String>>>,
}

impl World {
    pub(crate) fn new() -> Self {
        let now = Timestamp::from_millis(1_700_000_000_000);
        let settings = DurableSettings::default().with_claim_age(CLAIM_AGE);
        Self {
            clock: Arc::new(ManualClock::at(now)),
            model: Arc::default(),
            store: DurableStore::in_memory(settings, now).unwrap(),
            stops: Arc::default(),
            ledger: Arc::default(),
            degrees: Arc::new(AtomicI64::new(20)),
            open: Arc::default(),
        }
    }

    /// A process: what it shares with the one before is the store and the world.
    pub(crate) fn assistant(&self) -> Assistant {
        let profile = AgentProfile::new("ledger", Bilingual::new("账", "Ledger")).uses(ToolCategory::new("ledger"));
        let outside = Arc::new(Outside {
            store: self.store.clone(),
            stops: self.stops.clone(),
            open: self.open.clone(),
        });
        let mut builder = Assistant::builder()
            .with_tool_agent(LedgerAgent(profile))
            .with_model(self.model.clone())
            .with_policies(Arc::new(ConfirmTrunk))
            .with_clock(self.clock.clone())
            .with_settings(Settings::default().with_remembered(0))
            .with_journal(outside.clone())
            .with_store(outside);
        for (name, effect) in [
            ("look", Effect::Read),
            ("set", Effect::Set),
            ("act", Effect::Act),
            ("trunk", Effect::Act),
            ("warmer", Effect::Set),
        ] {
            builder = builder.with_tool(Entry {
                name,
                effect,
                ledger: self.ledger.clone(),
                degrees: self.degrees.clone(),
                stops: self.stops.clone(),
            });
        }
        builder.build().unwrap()
    }

    pub(crate) fn now(&self) -> u64 {
        self.clock.now().as_millis()
    }

    pub(crate) fn interrupt_at(&self, point: Option<usize>) {
        *self.stops.left.lock().unwrap() = point;
    }

    pub(crate) async fn interrupted(&self) {
        self.stops.reached.notified().await;
    }

    pub(crate) fn ledger(&self) -> Vec<(String, String)> {
        self.ledger.lock().unwrap().clone()
    }

    pub(crate) fn degrees(&self) -> i64 {
        self.degrees.load(Ordering::SeqCst)
    }

    pub(crate) fn journal_open(&self) -> Vec<String> {
        self.open.lock().unwrap().iter().cloned().collect()
    }
}

#[derive(Debug)]
struct LedgerAgent(AgentProfile);

impl ToolAgentBase for LedgerAgent {
    fn profile(&self) -> &AgentProfile {
        &self.0
    }
}

#[derive(Debug)]
struct ConfirmTrunk;

impl PolicyGate for ConfirmTrunk {
    fn decide(&self, query: &PolicyQuery<'_>) -> Vec<PolicyDecision> {
        let confirm = PolicyDecision::Confirm {
            policy: "trunk-confirm".into(),
            question: "Open the trunk?".into(),
        };
        (query.tool.name == "trunk").then_some(confirm).into_iter().collect()
    }
}

/// A tool whose effect is an entry in the ledger.
#[derive(Debug)]
struct Entry {
    name: &'static str,
    effect: Effect,
    ledger: Arc<Mutex<Vec<(String, String)>>>,
    degrees: Arc<AtomicI64>,
    stops: Arc<Stops>,
}

#[derive(Debug, Serialize, Deserialize, schemars::JsonSchema)]
struct Wish {
    /// Where a relative wish comes to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<i64>,
}

#[async_trait]
impl TypedTool for Entry {
    type Args = Wish;

    fn spec(&self) -> ToolSpec {
        ToolSpec::new(
            self.name,
            ToolCategory::new("ledger"),
            self.effect,
            Bilingual::new(self.name, self.name),
        )
    }

    fn resolve(&self, mut wish: Wish, _: ToolContext<'_>) -> Result<(Wish, Effect), ToolError> {
        if self.name == "warmer" {
            wish.target.get_or_insert(self.degrees.load(Ordering::SeqCst) + 2);
        }
        Ok((wish, self.effect))
    }

    async fn run(&self, wish: Wish, context: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        self.stops.point().await;
        if let Some(target) = wish.target {
            self.degrees.store(target, Ordering::SeqCst);
        }
        let entry = (self.name.to_owned(), context.idempotency_key.to_owned());
        self.ledger.lock().unwrap().push(entry);
        self.stops.point().await;
        Ok(ToolOutput::new(serde_json::json!({"did": self.name}))?.say(format!("{} is done.", self.name)))
    }
}

/// The store, with a point before and after each of its operations.
#[derive(Debug)]
struct Outside {
    store: DurableStore,
    stops: Arc<Stops>,
    open: Arc<Mutex<BTreeSet<String>>>,
}

impl Outside {
    async fn around<T>(&self, operation: impl Future<Output = T>) -> T {
        self.stops.point().await;
        let result = operation.await;
        self.stops.point().await;
        result
    }
}

#[async_trait]
impl Journal for Outside {
    async fn intend(&self, intent: Intent) -> Result<(), JournalError> {
        let key = intent.key.clone();
        let written = async {
            self.store.intend(intent).await?;
            self.open.lock().unwrap().insert(key);
            Ok(())
        };
        self.around(written).await
    }

    async fn conclude(&self, owner: &Owner, key: &str, conclusion: Conclusion) -> Result<(), JournalError> {
        let written = async {
            self.store.conclude(owner, key, conclusion).await?;
            self.open.lock().unwrap().remove(key);
            Ok(())
        };
        self.around(written).await
    }

    async fn find(&self, owner: &Owner, key: &str) -> Result<Option<JournalEntry>, JournalError> {
        self.around(self.store.find(owner, key)).await
    }

    async fn forget(&self, owner: &Owner) -> Result<(), JournalError> {
        Journal::forget(&self.store, owner).await
    }
}

#[async_trait]
impl SessionStore for Outside {
    async fn insert(&self, record: SessionRecord) -> Result<(), StoreError> {
        self.around(self.store.insert(record)).await
    }

    async fn waiting(&self, owner: &Owner) -> Result<Option<SessionId>, StoreError> {
        self.store.waiting(owner).await
    }

    async fn claim(&self, id: &str, owner: &Owner, now: Timestamp) -> Result<Lease, StoreError> {
        self.stops.point().await;
        // A claim whose lease is lost on its way is held until it ages; nobody could give it back.
        self.store.claim(id, owner, now).await
    }

    async fn put_back(&self, lease: Lease, expires_at: Timestamp, state: Box<str>) -> Result<(), StoreError> {
        self.around(self.store.put_back(lease, expires_at, state)).await
    }

    async fn release(&self, lease: Lease) -> Result<(), StoreError> {
        self.store.release(lease).await
    }

    async fn close(&self, lease: Lease) -> Result<(), StoreError> {
        self.around(self.store.close(lease)).await
    }

    async fn list(&self, owner: &Owner) -> Result<Vec<(SessionId, Timestamp)>, StoreError> {
        SessionStore::list(&self.store, owner).await
    }

    async fn forget(&self, owner: &Owner) -> Result<(), StoreError> {
        SessionStore::forget(&self.store, owner).await
    }

    fn checkpoints(&self) -> Option<&dyn Checkpoints> {
        Some(self)
    }
}

#[async_trait]
impl Checkpoints for Outside {
    async fn begin(&self, record: SessionRecord, now: Timestamp) -> Result<Lease, StoreError> {
        self.stops.point().await;
        self.store.begin(record, now).await
    }

    async fn checkpoint(&self, lease: &Lease, state: Box<str>) -> Result<(), StoreError> {
        self.around(self.store.checkpoint(lease, state)).await
    }

    async fn interrupted(&self, now: Timestamp) -> Result<Vec<Lease>, StoreError> {
        self.store.interrupted(now).await
    }
}
