//! A host's own flow: some lines of data and the tool that it calls in the end. docs/flows.md shows this code.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may fail"
)]

use incar::brain::Brain;
use incar::flow::{Choice, FlowDefinition, Slot, SlotKind};
use incar::prelude::*;
use incar::sessions::MemoryStore;
use incar::turn::Dialogue;
use incar::words::{ToolWords, ValueKind};
use incar::{FlowAgent, ManualClock, SessionStore, Settings, Timestamp};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

// ── What a host writes ───────────────────────────────────────────────────────────────────────────────────────────────

/// Books a service of the car.
#[derive(Serialize, Deserialize, schemars::JsonSchema)]
struct ServiceArgs {
    /// What is to be done.
    work: String,
    /// The day.
    day: String,
    /// A telephone number, where one was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    phone: Option<String>,
}

struct BookService;

#[async_trait]
impl TypedTool for BookService {
    type Args = ServiceArgs;

    fn spec(&self) -> ToolSpec {
        let about = Bilingual::new("预约保养", "Book a service for the car");
        let words = ToolWords::new()
            .phrase([
                "(预约|安排)[一次]{work}",
                "(预约|安排)[一次](服务|进店)",
                "book a service",
                "book an {work}",
            ])
            .value("work", "oil", ["换机油", "机油", "oil change"])
            .value("work", "tires", ["换轮胎", "轮胎", "new tires"])
            .argument("day", ValueKind::Date)
            .argument("phone", ValueKind::Text);
        ToolSpec::new("book_service", ToolCategory::new("workshop"), Effect::Act, about).with_words(words)
    }

    async fn run(&self, args: ServiceArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let said = cx.lang.pick("约好了。", "It is booked.");
        Ok(ToolOutput::new(args)?.say(said))
    }
}

fn workshop() -> FlowAgent {
    let work = SlotKind::Choice(vec![
        Choice::new("oil", "换机油", "oil change"),
        Choice::new("tires", "换轮胎", "new tires"),
    ]);
    let flow = FlowDefinition::new(
        "book_service",
        "{day}{work}[，电话{phone}]，要预约吗？",
        "{work} on {day}[, phone {phone}]. Shall I book it?",
    )
    .called(["保养", "预约", "service"])
    .slot(
        Slot::new("work", work)
            .ask("要做什么？", "What is to be done?")
            .called(["项目", "work"]),
    )
    .slot(
        Slot::new("day", SlotKind::Date)
            .ask("哪一天？", "What day?")
            .called(["日期", "day"]),
    )
    .slot(
        Slot::new("phone", SlotKind::Text)
            .ask("联系电话？", "A phone number?")
            .called(["电话", "phone"])
            .offered(),
    );
    let about = Bilingual::new("车间", "Workshop");
    FlowAgent::new(
        AgentProfile::new("workshop", about).uses(ToolCategory::new("workshop")),
        flow,
    )
}

// ── What it does ─────────────────────────────────────────────────────────────────────────────────────────────────────

struct Talk {
    assistant: Assistant,
    clock: Arc<ManualClock>,
    store: Arc<MemoryStore>,
}

impl Talk {
    fn new(agent: FlowAgent, settings: Settings) -> Self {
        let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_780_279_200_000)).ahead_of_utc(480));
        let store = Arc::new(MemoryStore::default());
        let assistant = Assistant::builder()
            .with_flow(agent)
            .with_tool(BookService)
            .with_model(Arc::new(Brain::new()))
            .with_clock(clock.clone())
            .with_store(store.clone())
            .with_settings(settings)
            .build()
            .unwrap();
        Self {
            assistant,
            clock,
            store,
        }
    }

    async fn say(&self, text: &str) -> (AgentStatus, String) {
        let response = self.assistant.handle(Utterance::new(text)).await;
        (response.status, response.message)
    }

    async fn check(&self, script: &[(&str, AgentStatus, &str)]) {
        for (text, status, message) in script {
            assert_eq!(self.say(text).await, (*status, (*message).to_owned()), "{text}");
        }
    }
}

use AgentStatus::{Cancelled, Completed, WaitingInput};

#[tokio::test]
async fn a_flow_of_a_host_needs_no_more_than_data() {
    let talk = Talk::new(workshop(), Settings::default());
    talk.check(&[
        ("预约换机油", WaitingInput, "哪一天？"),
        ("昨天", WaitingInput, "这一天已经过去了。哪一天？"),
        ("后天", WaitingInput, "联系电话？"),
        ("跳过", WaitingInput, "6月3日周三换机油，要预约吗？"),
        ("改一下项目", WaitingInput, "要做什么？"),
        ("换轮胎", WaitingInput, "6月3日周三换轮胎，要预约吗？"),
        ("好的", Completed, "约好了。"),
    ])
    .await;
    talk.check(&[
        ("book a service", WaitingInput, "What is to be done?"),
        ("new tires", WaitingInput, "What day?"),
        ("go back", WaitingInput, "What is to be done?"),
        ("the first one", WaitingInput, "What day?"),
        ("cancel the service", Cancelled, "Okay, cancelled."),
    ])
    .await;
}

#[tokio::test]
async fn a_flow_waits_as_long_as_its_data_or_the_settings_say() {
    let hour = Duration::from_secs(60 * 60);
    let short = Settings::default().with_flow_wait(hour);
    for (agent, settings, waits) in [
        (workshop(), Settings::default(), hour * 24 * 7),
        (workshop(), short.clone(), hour),
    ] {
        let talk = Talk::new(agent, settings);
        talk.check(&[("预约换机油", WaitingInput, "哪一天？")]).await;
        talk.clock.advance(waits - Duration::from_secs(1));
        assert_eq!(talk.say("你刚才问什么").await.0, WaitingInput, "just in time");
        talk.clock.advance(waits);
        assert_ne!(talk.say("后天").await.0, WaitingInput, "too late");
    }
}

#[tokio::test]
async fn what_was_gathered_is_in_the_store_and_another_version_goes_on_with_it() {
    let old = Talk::new(workshop(), Settings::default());
    old.check(&[
        ("预约换机油", WaitingInput, "哪一天？"),
        ("后天", WaitingInput, "联系电话？"),
    ])
    .await;
    // The car is updated: the telephone number is gone from the flow, and the store is read again.
    let owner = Utterance::new("").speaker.owner();
    let id = old.store.waiting(&owner).await.unwrap().unwrap();
    let lease = old
        .store
        .claim(&id, &owner, Timestamp::from_millis(1_780_279_200_000))
        .await
        .unwrap();
    let written = lease.record.state.to_string();
    assert!(
        Dialogue::from_json(&written)
            .unwrap()
            .gathered("book_service")
            .is_some()
    );
    let mut flow = incar::SessionAgentBase::flow(&workshop()).clone().with_version(2);
    flow.slots.retain(|slot| slot.name != "phone");
    flow.summary = Bilingual::new("{day}{work}，要预约吗？", "{work} on {day}?");
    let about = Bilingual::new("车间", "Workshop");
    let profile = AgentProfile::new("workshop", about).uses(ToolCategory::new("workshop"));
    let new = Talk::new(FlowAgent::new(profile, flow), Settings::default());
    new.store.insert(lease.record).await.unwrap();
    new.check(&[
        ("嗯，后天", WaitingInput, "6月3日周三换机油，要预约吗？"),
        ("好的", Completed, "约好了。"),
    ])
    .await;
}
