//! The tools on a maker's car: its bounds are theirs, and its names are found by the table and the overlay.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod common;

use common::{Broker, config, until};
use incar_core::{
    ErrorKind, Lang, ManualClock, Refusal, Seat, Speaker, Timestamp, ToolContext, ToolError, ToolRegistry,
};
use incar_kuksa::{KuksaVehicle, Overlay};
use incar_tools::car_control;
use incar_tools::vehicle::{Catalogue, SignalValue, Vehicle};
use serde_json::{Value, json};
use std::sync::Arc;

struct Bench {
    broker: Broker,
    vehicle: Arc<dyn Vehicle>,
    registry: ToolRegistry,
}

impl Bench {
    async fn new(overlay: &str) -> Self {
        let catalogue = Catalogue::from_toml(include_str!("makers_car.toml")).unwrap();
        let broker = Broker::of(catalogue);
        let config = config(broker.url()).with_overlay(Overlay::from_toml(overlay).unwrap());
        let vehicle: Arc<dyn Vehicle> = Arc::new(KuksaVehicle::connect(config).await.unwrap());
        let mut registry = ToolRegistry::new();
        car_control::register(&mut registry, &vehicle).unwrap();
        Self {
            broker,
            vehicle,
            registry,
        }
    }

    async fn call(&self, tool: &str, arguments: Value) -> Result<String, ToolError> {
        let speaker = Speaker::new("car", Seat::Driver);
        let clock = ManualClock::at(Timestamp::from_millis(0));
        let context = ToolContext::new(&speaker, Lang::Zh, &clock, "key");
        let tool = self.registry.get(tool).unwrap();
        let failed = |refusal| match refusal {
            Refusal::Failed(error) => error,
            Refusal::Misfit(problem) => panic!("{problem}"),
        };
        let resolved = tool.resolve(&arguments, context).map_err(failed)?;
        Ok(tool.run(&resolved.arguments, context).await?.say.unwrap_or_default())
    }

    /// The call is done, the driver hears `say`, and the car's own signals are so.
    async fn check(&self, tool: &str, arguments: Value, say: &str, signals: &[(&str, SignalValue)]) {
        assert_eq!(
            self.call(tool, arguments.clone()).await.unwrap(),
            say,
            "{tool} {arguments}"
        );
        for (signal, value) in signals {
            let reads = || self.broker.car.value(signal).as_ref() == Ok(value);
            until(reads, || format!("{tool} {arguments}: {signal} is not {value}")).await;
        }
    }

    async fn asks(&self, tool: &str, arguments: Value, argument: &str, question: &str) {
        let error = self.call(tool, arguments.clone()).await.unwrap_err();
        assert_eq!(
            (error.kind, error.argument.as_deref()),
            (ErrorKind::OutOfRange, Some(argument)),
            "{tool} {arguments}"
        );
        assert_eq!(error.message, question, "{tool} {arguments}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_car_cannot_do_is_asked_about() {
    let bench = Bench::new("").await;
    let temperature = |degrees| json!({"temperature": degrees, "zone": "driver"});
    bench
        .asks(
            "set_temperature",
            temperature(17),
            "temperature",
            "可以设18到28之间，请问要多少？",
        )
        .await;
    bench
        .asks(
            "set_temperature",
            temperature(29),
            "temperature",
            "可以设18到28之间，请问要多少？",
        )
        .await;
    bench
        .asks(
            "set_fan_speed",
            json!({"fan": 6}),
            "fan",
            "可以设1到5之间，请问要多少？",
        )
        .await;
    bench
        .asks(
            "set_volume",
            json!({"volume": 60}),
            "volume",
            "可以设0到40之间，请问要多少？",
        )
        .await;
    let halfway = json!({"action": "open", "percentage": 50});
    let question = "这台车的天窗不能停在那里，要全开还是关上？";
    bench.asks("control_sunroof", halfway, "percentage", question).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_it_can_is_done_in_its_own_terms() {
    let bench = Bench::new("").await;
    let driver = "Vehicle.Cabin.HVAC.Station.Row1.Driver";
    let temperature = format!("{driver}.Temperature");
    bench
        .check(
            "set_temperature",
            json!({"level": "max", "zone": "driver"}),
            "主驾温度设为28度，已经是最高，空调还没开。",
            &[(&temperature, 28.0.into())],
        )
        .await;
    let fan = format!("{driver}.FanSpeed");
    bench
        .check(
            "set_fan_speed",
            json!({"fan": 4}),
            "风量调到4档。",
            &[(&fan, 4.0.into())],
        )
        .await;
    bench
        .check(
            "set_fan_speed",
            json!({"level": "max"}),
            "风量调到5档，已经是最高。",
            &[(&fan, 5.0.into())],
        )
        .await;
    let ac = "Vehicle.Cabin.HVAC.IsAirConditioningActive";
    bench
        .check(
            "set_ac_power",
            json!({"power": "on"}),
            "空调已打开。",
            &[(ac, true.into())],
        )
        .await;
    let volume = "Vehicle.Cabin.Infotainment.Media.Volume";
    bench
        .check(
            "set_volume",
            json!({"volume": 25}),
            "媒体音量调到25。",
            &[(volume, 25.0.into())],
        )
        .await;
    let mode = "Vehicle.Powertrain.Transmission.PerformanceMode";
    let eco = bench.call("set_drive_mode", json!({"mode": "eco"})).await.unwrap();
    assert!(eco.contains("经济") || eco.contains("节能"), "{eco}");
    assert_eq!(bench.broker.car.value(mode), Ok("ECONOMY".into()));
    // VSS has snow, this car has not.
    let snow = bench.call("set_drive_mode", json!({"mode": "snow"})).await.unwrap_err();
    assert_eq!(
        (snow.kind, snow.message.as_str()),
        (ErrorKind::Unsupported, "这台车没有这个选项。")
    );
    let sunroof = "Vehicle.Cabin.Sunroof.Position";
    bench
        .check(
            "control_sunroof",
            json!({"action": "open"}),
            "天窗已打开了。",
            &[(sunroof, 100.0.into())],
        )
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sides_follow_the_steering_wheel() {
    let bench = Bench::new("").await;
    // The driver of this car sits on the right.
    let left = "Vehicle.Cabin.Door.Row2.PassengerSide.Window.Position";
    let open = json!({"window": "rear_left", "action": "open"});
    bench
        .check("control_window", open, "左后车窗已打开了。", &[(left, 100.0.into())])
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_overlay_names_what_vss_does_not() {
    let without = Bench::new("").await;
    let on = || json!({"power": "on", "level": "2"});
    let refused = without.call("set_fragrance", on()).await.unwrap_err();
    assert_eq!(refused.kind, ErrorKind::Unsupported);

    let overlay = r#"
        "Vehicle.Incar.Fragrance.IsActive" = { path = "Vehicle.Acme.Scent.On" }
        "Vehicle.Incar.Fragrance.Level" = { path = "Vehicle.Acme.Scent.Strength", factor = 2, min = 1 }
    "#;
    let bench = Bench::new(overlay).await;
    bench.call("set_fragrance", on()).await.unwrap();
    assert_eq!(bench.broker.car.value("Vehicle.Acme.Scent.On"), Ok(true.into()));
    assert_eq!(bench.broker.car.value("Vehicle.Acme.Scent.Strength"), Ok(4.0.into()));
    assert_eq!(bench.vehicle.value("Vehicle.Incar.Fragrance.Level"), Ok(2.0.into()));
}
