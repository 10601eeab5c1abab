//! The vehicle on a broker does what every vehicle does.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test may fail"
)]

mod common;

use common::{Broker, reads, until};
use incar_core::async_trait;
use incar_kuksa::KuksaVehicle;
use incar_tools::vehicle::{SignalValue, Vehicle, testkit};
use std::time::Duration;

struct Bench {
    broker: Broker,
    vehicle: KuksaVehicle,
}

/// What the suite moves, as far as the car moves it by itself.
const MOVED: [&str; 3] = [
    "Vehicle.Cabin.Seat.Row1.DriverSide.Backrest.Recline",
    "Vehicle.Cabin.Door.Row1.DriverSide.Window.Position",
    "Vehicle.Cabin.Door.Row2.PassengerSide.Window.Position",
];

#[async_trait]
impl testkit::Bench for Bench {
    fn vehicle(&self) -> &dyn Vehicle {
        &self.vehicle
    }

    async fn put(&self, signal: &str, value: SignalValue) {
        self.broker.car.set(signal, value.clone()).unwrap();
        reads(&self.vehicle, signal, &value).await;
    }

    async fn pass(&self, time: Duration) {
        self.broker.clock.advance(time);
        let then: Vec<SignalValue> = MOVED
            .iter()
            .map(|signal| self.broker.car.value(signal).unwrap())
            .collect();
        // Heard once it is as far as the car was, or further on the same way.
        let heard = |(signal, then): (&&str, &SignalValue)| {
            let target = self.broker.car.target(signal).unwrap().as_number().unwrap();
            let off = |value: &SignalValue| (target - value.as_number().unwrap()).abs();
            self.vehicle.value(signal).is_ok_and(|now| off(&now) <= off(then))
        };
        until(
            || MOVED.iter().zip(&then).all(heard),
            || format!("{then:?} was not heard"),
        )
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_vehicle_on_a_broker_conforms() {
    let make = async || {
        let broker = Broker::start();
        let vehicle = broker.vehicle().await;
        Bench { broker, vehicle }
    };
    testkit::conforms(make).await;
}
