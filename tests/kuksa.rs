//! The assistant on a car behind a broker: what it moves, what it hears, and what it says when the car is gone.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

#[path = "../tools/kuksa/tests/common/mod.rs"]
mod common;
#[path = "../tools/kuksa/tests/common/proxy.rs"]
mod proxy;

use common::{Broker, config, reads, until};
use incar::brain::Brain;
use incar::kuksa::KuksaVehicle;
use incar::tools::policy::{Facts, Policies};
use incar::tools::vehicle::Vehicle;
use incar::tools::{CabinState, car_control};
use incar::{
    AgentStatus, Assistant, CabinContext, CarControlAgent, ManualClock, Outcome, Seat, Speaker, Timestamp,
    ToolRegistry, ToolSet, Utterance,
};
use proxy::{Line, Proxy};
use std::sync::Arc;

const WINDOW: &str = "Vehicle.Cabin.Door.Row1.DriverSide.Window.Position";
const DOOR: &str = "Vehicle.Cabin.Door.Row1.DriverSide.Position";

struct Cabin {
    vehicle: Arc<KuksaVehicle>,
    assistant: Assistant,
    context: CabinState,
    tools: ToolRegistry,
}

impl Cabin {
    async fn at(url: String) -> Self {
        let vehicle = Arc::new(KuksaVehicle::connect(config(url)).await.unwrap());
        let car: Arc<dyn Vehicle> = vehicle.clone();
        let clock = Arc::new(ManualClock::at(Timestamp::from_millis(1_780_279_200_000)));
        let mut tools = ToolRegistry::new();
        car_control::register(&mut tools, &car).unwrap();
        let brain = Arc::new(Brain::new());
        let context = CabinState::new(car.clone(), clock.clone(), jiff::tz::Offset::constant(8));
        let assistant = Assistant::builder()
            .with_tool_agent(CarControlAgent::default())
            .with_registry(&tools)
            .with_model(brain.clone())
            .with_router(brain.clone())
            .with_reader(brain)
            .with_policies(Arc::new(Policies::shipped(Facts::of(car)).unwrap()))
            .with_context(Arc::new(context.clone()))
            .with_clock(clock)
            .build()
            .unwrap();
        Self {
            vehicle,
            assistant,
            context,
            tools,
        }
    }

    /// What is answered, and what came of the calls.
    async fn say(&self, text: &str) -> (AgentStatus, String, Vec<Outcome>) {
        let response = self.assistant.handle(Utterance::new(text)).await;
        let outcomes = response.data.tool_results.iter().map(|call| call.outcome).collect();
        (response.status, response.message, outcomes)
    }

    fn context(&self) -> String {
        let specs = self.tools.iter().map(|tool| tool.spec().clone()).collect();
        self.context
            .describe(&Speaker::new("car", Seat::Driver), &ToolSet::new(specs))
            .unwrap()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wished_is_done_in_the_car_and_what_changes_there_is_known() {
    let broker = Broker::start();
    let cabin = Cabin::at(broker.url()).await;
    let (status, message, outcomes) = cabin.say("打开主驾车窗一半").await;
    assert_eq!(
        (status, outcomes),
        (AgentStatus::Success, vec![Outcome::Ok]),
        "{message}"
    );
    assert_eq!(message, "主驾车窗正在调到50%。");
    reads(&*cabin.vehicle, WINDOW, &50.0.into()).await;
    assert_eq!(broker.car.value(WINDOW), Ok(50.0.into()));
    assert!(
        cabin.context().contains(r#""open_windows":["driver"]"#),
        "{}",
        cabin.context()
    );
    let (_, message, _) = cabin.say("车窗状态怎么样").await;
    assert_eq!(message, "主驾车窗开着。");

    // A hand shuts it, and the car drives: context, status and policies know.
    broker.car.set(WINDOW, 0.0.into()).unwrap();
    broker.car.set("Vehicle.Speed", 60.0.into()).unwrap();
    reads(&*cabin.vehicle, "Vehicle.Speed", &60.0.into()).await;
    reads(&*cabin.vehicle, WINDOW, &0.0.into()).await;
    assert!(cabin.context().contains(r#""speed_kmh":60.0"#), "{}", cabin.context());
    assert!(!cabin.context().contains("open_windows"), "{}", cabin.context());
    let (_, message, _) = cabin.say("车窗状态怎么样").await;
    assert_eq!(message, "车窗都关着。");
    let (_, message, outcomes) = cabin.say("打开主驾车门").await;
    assert!(!outcomes.contains(&Outcome::Ok), "{message}");
    assert_eq!(broker.car.target(DOOR), Ok(0.0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_car_that_is_gone_nothing_is_claimed() {
    let mut broker = Broker::start();
    let cabin = Cabin::at(broker.url()).await;
    broker.kill();
    until(
        || cabin.vehicle.trouble().is_some(),
        || "the loss was not noticed".into(),
    )
    .await;
    let (_, message, outcomes) = cabin.say("打开主驾车窗一半").await;
    assert_eq!(
        (message.as_str(), outcomes),
        ("现在连不上车辆，没有执行。", vec![Outcome::Error])
    );
    let (_, message, _) = cabin.say("车窗状态怎么样").await;
    assert_eq!(message, "现在读不到。");
    broker.restart();
    until(
        || cabin.vehicle.value(WINDOW).is_ok(),
        || "the link did not come back".into(),
    )
    .await;
    let (_, message, outcomes) = cabin.say("打开主驾车窗一半").await;
    assert_eq!(
        (message.as_str(), outcomes),
        ("主驾车窗正在调到50%。", vec![Outcome::Ok])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_cut_in_the_middle_of_a_turn_leaves_a_doubt() {
    let broker = Broker::start();
    let proxy = Proxy::to(broker.address).await;
    let cabin = Arc::new(Cabin::at(proxy.url()).await);
    proxy.set(Line::Deaf);
    let turn = tokio::spawn({
        let cabin = cabin.clone();
        async move { cabin.say("打开主驾车窗一半").await }
    });
    until(
        || broker.car.target(WINDOW) == Ok(50.0.into()),
        || "the command did not arrive".into(),
    )
    .await;
    proxy.set(Line::Cut);
    let (_, message, outcomes) = turn.await.unwrap();
    assert_eq!(
        (message.as_str(), outcomes),
        ("车辆没有响应，请稍后再试。", vec![Outcome::Unknown])
    );
}
