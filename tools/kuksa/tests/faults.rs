//! What a driver hears when the broker is down, slow, wrong or gone: the rows of ARCHITECTURE's table.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod common;
#[path = "common/proxy.rs"]
mod proxy;

use common::{Broker, config, reads, until};
use incar_core::{Lang, ManualClock, Outcome, Refusal, Seat, Speaker, Timestamp, ToolContext, ToolRegistry};
use incar_kuksa::server::{Access, Grant};
use incar_kuksa::{KuksaConfig, KuksaError, KuksaVehicle, Token};
use incar_tools::car_control;
use incar_tools::vehicle::{Actuation, Command, Progress, Vehicle, VehicleError};
use proxy::{Line, Proxy};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

const WINDOW: &str = "Vehicle.Cabin.Door.Row1.DriverSide.Window.Position";

/// Short bounds: what is waited for here does not come.
fn impatient(url: String) -> KuksaConfig {
    KuksaConfig::new(url)
        .with_deadline(Duration::from_millis(400))
        .with_confirm(Duration::from_millis(400))
}

fn open() -> [Command; 1] {
    [Command::set(WINDOW, 50.0)]
}

/// "打开主驾车窗一半" and "open the driver's window halfway": what comes of it, and what is said.
async fn drivers_wish(vehicle: &Arc<KuksaVehicle>) -> [(Outcome, String); 2] {
    let car: Arc<dyn Vehicle> = vehicle.clone();
    let mut registry = ToolRegistry::new();
    car_control::register(&mut registry, &car).unwrap();
    let tool = registry.get("control_window").unwrap();
    let speaker = Speaker::new("car", Seat::Driver);
    let clock = ManualClock::at(Timestamp::from_millis(0));
    let half = json!({"window": "driver", "action": "open", "percentage": 50});
    let ask = async |lang| {
        let context = ToolContext::new(&speaker, lang, &clock, "key");
        let run = async {
            let resolved = tool.resolve(&half, context)?;
            Ok::<_, Refusal>(tool.run(&resolved.arguments, context).await?)
        };
        match run.await {
            Ok(output) => (Outcome::Ok, output.say.unwrap_or_default()),
            Err(Refusal::Failed(error)) => (error.outcome(), error.message),
            Err(refusal) => panic!("{refusal:?}"),
        }
    };
    [ask(Lang::Zh).await, ask(Lang::En).await]
}

async fn check(vehicle: &Arc<KuksaVehicle>, outcome: Outcome, zh: &str, en: &str) {
    assert_eq!(
        drivers_wish(vehicle).await,
        [(outcome, zh.to_owned()), (outcome, en.to_owned())]
    );
}

const UNREACHABLE: (&str, &str) = (
    "现在连不上车辆，没有执行。",
    "I cannot reach the car right now, so nothing was done.",
);
const NO_ANSWER: (&str, &str) = (
    "车辆没有响应，请稍后再试。",
    "The car did not answer. Please try again later.",
);

/// Nothing is told of a car that is not heard.
fn knows_nothing(vehicle: &KuksaVehicle) {
    assert_eq!(vehicle.value(WINDOW), Err(VehicleError::NoAnswer(WINDOW.into())));
    assert_eq!(vehicle.target(WINDOW), Err(VehicleError::NoAnswer(WINDOW.into())));
    assert!(vehicle.snapshot().is_empty());
}

/// A command that the broker has and has not answered.
async fn under_way(vehicle: &Arc<KuksaVehicle>, broker: &Broker) -> JoinHandle<Result<Vec<Actuation>, VehicleError>> {
    let wish = tokio::spawn({
        let vehicle = vehicle.clone();
        async move { vehicle.actuate(&open()).await }
    });
    until(
        || broker.car.target(WINDOW) == Ok(50.0.into()),
        || "the command did not arrive".into(),
    )
    .await;
    wish
}

async fn lost(vehicle: &KuksaVehicle) {
    until(|| vehicle.trouble().is_some(), || "the loss was not noticed".into()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn down_at_the_start_and_up_later() {
    let mut broker = Broker::start();
    broker.kill();
    let refused = KuksaVehicle::connect(impatient(broker.url())).await.err();
    assert!(matches!(refused, Some(KuksaError::Unreachable(_))), "{refused:?}");

    let vehicle = Arc::new(KuksaVehicle::start(config(broker.url())).unwrap());
    lost(&vehicle).await;
    knows_nothing(&vehicle);
    assert!(vehicle.info(WINDOW).is_some(), "what every car has is not denied");
    check(&vehicle, Outcome::Error, UNREACHABLE.0, UNREACHABLE.1).await;
    broker.restart();
    reads(&*vehicle, WINDOW, &0.0.into()).await;
    assert_eq!(vehicle.trouble(), None);
    vehicle.actuate(&open()).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_before_a_command() {
    let mut broker = Broker::start();
    let vehicle = Arc::new(broker.vehicle().await);
    broker.kill();
    lost(&vehicle).await;
    knows_nothing(&vehicle);
    check(&vehicle, Outcome::Error, UNREACHABLE.0, UNREACHABLE.1).await;
    assert_eq!(broker.car.target(WINDOW), Ok(0.0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_while_a_command_is_on_its_way() {
    let broker = Broker::start();
    let proxy = Proxy::to(broker.address).await;
    let vehicle = Arc::new(KuksaVehicle::connect(config(proxy.url())).await.unwrap());
    proxy.set(Line::Deaf);
    let wish = under_way(&vehicle, &broker).await;
    // The broker has it, its answer is held back: now the line breaks.
    proxy.set(Line::Cut);
    assert_eq!(wish.await.unwrap(), Err(VehicleError::NoAnswer(WINDOW.into())));
    lost(&vehicle).await;
    knows_nothing(&vehicle);
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_after_a_command_was_taken() {
    let mut broker = Broker::standing_still();
    let vehicle = Arc::new(broker.vehicle().await);
    let wish = under_way(&vehicle, &broker).await;
    // A later command is done, so the earlier one is answered too.
    let recirculation = Command::set("Vehicle.Cabin.HVAC.IsRecirculationActive", true);
    assert_eq!(
        vehicle.actuate(&[recirculation]).await.unwrap()[0].progress,
        Progress::Done
    );
    broker.kill();
    assert_eq!(wish.await.unwrap(), Err(VehicleError::NoAnswer(WINDOW.into())));
    knows_nothing(&vehicle);
}

#[tokio::test(flavor = "multi_thread")]
async fn taken_and_not_obeyed() {
    let broker = Broker::standing_still();
    let config = config(broker.url()).with_confirm(Duration::from_millis(400));
    let vehicle = Arc::new(KuksaVehicle::connect(config).await.unwrap());
    check(&vehicle, Outcome::Unknown, NO_ANSWER.0, NO_ANSWER.1).await;
    assert_eq!(vehicle.target(WINDOW), Ok(0.0.into()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broker_that_hangs() {
    let broker = Broker::start();
    let proxy = Proxy::to(broker.address).await;
    let vehicle = Arc::new(KuksaVehicle::connect(impatient(proxy.url())).await.unwrap());
    proxy.set(Line::Deaf);
    let outcome = vehicle.actuate(&open()).await;
    assert_eq!(outcome, Err(VehicleError::NoAnswer(WINDOW.into())));
    // Pings that are not answered tell it even where nobody asks anything.
    lost(&vehicle).await;
    knows_nothing(&vehicle);
    proxy.set(Line::Open);
    until(|| vehicle.value(WINDOW).is_ok(), || "the link did not come back".into()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cut_line_is_taken_up_again() {
    let broker = Broker::start();
    let proxy = Proxy::to(broker.address).await;
    let vehicle = Arc::new(KuksaVehicle::connect(config(proxy.url())).await.unwrap());
    proxy.set(Line::Cut);
    lost(&vehicle).await;
    knows_nothing(&vehicle);
    broker.car.set(WINDOW, 30.0.into()).unwrap();
    proxy.set(Line::Open);
    reads(&*vehicle, WINDOW, &30.0.into()).await;
    let report = vehicle.actuate(&open()).await.unwrap();
    assert_ne!(report[0].progress, Progress::Accepted);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_moves_the_part() {
    let broker = Broker::start_with(|server| server.without_provider([WINDOW]));
    let vehicle = Arc::new(broker.vehicle().await);
    let zh = "车上的这个部件现在没有响应，没有执行。";
    let en = "That part of the car is not available right now, so nothing was done.";
    check(&vehicle, Outcome::Error, zh, en).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_may_read_only() {
    let grants = || {
        Access::Tokens(vec![
            Grant::new("reader", "read").unwrap(),
            Grant::new("blind", "provide:Vehicle.X").unwrap(),
        ])
    };
    let broker = Broker::start_with(|server| server.with_access(grants()));
    let with = |token: &str| config(broker.url()).with_token(Token::new(token).unwrap());
    let vehicle = Arc::new(KuksaVehicle::connect(with("reader")).await.unwrap());
    assert_eq!(vehicle.value(WINDOW), Ok(0.0.into()));
    check(
        &vehicle,
        Outcome::Denied,
        "车辆不允许我控制这个功能。",
        "The car does not let me control that.",
    )
    .await;

    let error = KuksaVehicle::connect(config(broker.url())).await.err();
    assert!(matches!(error, Some(KuksaError::Unauthenticated(_))), "{error:?}");
    let error = KuksaVehicle::connect(with("old")).await.err();
    assert!(matches!(error, Some(KuksaError::Unauthenticated(_))), "{error:?}");
    let error = KuksaVehicle::connect(with("blind")).await.err();
    assert!(matches!(error, Some(KuksaError::PermissionDenied(_))), "{error:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_broker() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            // A client that has hung up does not hear it.
            let _written = stream
                .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi")
                .await;
        }
    });
    let error = KuksaVehicle::connect(impatient(url)).await.err();
    assert!(
        matches!(error, Some(KuksaError::Unreachable(_) | KuksaError::Broker(_))),
        "{error:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_nobody_vouches_for() {
    let tls = |name: &str| std::fs::read(format!("{}/tests/tls/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let broker = Broker::start_with(|server| server.with_tls(tls("server.pem"), tls("server.key")));
    let secure = || config(format!("https://{}", broker.address));
    for wrong in [
        secure(),
        secure().with_ca(tls("ca.pem")).with_server_name("another.car"),
        config(broker.url()).with_deadline(Duration::from_millis(400)),
    ] {
        let told = format!("{wrong:?}");
        let error = KuksaVehicle::connect(wrong).await.err();
        assert!(
            matches!(
                error,
                Some(KuksaError::Unreachable(_) | KuksaError::Late | KuksaError::Broker(_))
            ),
            "{error:?}: {told}"
        );
    }
    KuksaVehicle::connect(secure().with_ca(tls("ca.pem"))).await.unwrap();
}
