//! The simulated car as a broker on loopback, on a runtime of its own that can be killed.

#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    reason = "shared by tests that each use a part of it"
)]

use incar_core::{Clock, ManualClock, Timestamp};
use incar_kuksa::server::CarServer;
use incar_kuksa::{KuksaConfig, KuksaVehicle};
use incar_tools::vehicle::{SignalValue, SimulatedCar, Vehicle};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// A clock that runs, and can be moved on.
#[derive(Debug)]
pub struct RunningClock {
    start: Instant,
    ahead: ManualClock,
}

impl RunningClock {
    pub fn advance(&self, by: Duration) {
        self.ahead.advance(by);
    }
}

impl Clock for RunningClock {
    fn now(&self) -> Timestamp {
        self.ahead.now().plus(self.start.elapsed())
    }
}

/// A broker that can be killed and started again at the same address.
pub struct Broker {
    pub car: Arc<SimulatedCar>,
    pub clock: Arc<RunningClock>,
    pub address: SocketAddr,
    runtime: Option<Runtime>,
}

impl Broker {
    pub fn start() -> Self {
        Self::start_with(|server| server)
    }

    pub fn start_with(configure: impl FnOnce(CarServer) -> CarServer) -> Self {
        let clock = Arc::new(RunningClock {
            start: Instant::now(),
            ahead: ManualClock::at(Timestamp::from_millis(1_780_279_200_000)),
        });
        let car = Arc::new(SimulatedCar::new(clock.clone()).unwrap());
        let mut broker = Self {
            car,
            clock,
            address: ([127, 0, 0, 1], 0).into(),
            runtime: None,
        };
        broker.serve(configure);
        broker
    }

    fn serve(&mut self, configure: impl FnOnce(CarServer) -> CarServer) {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .unwrap();
        let server = configure(CarServer::new(self.car.clone(), self.clock.clone()));
        let address = self.address;
        let listening = std::thread::scope(|scope| {
            let bound = scope.spawn(|| runtime.block_on(server.bind(address)).unwrap());
            bound.join().unwrap()
        });
        self.address = listening.address();
        runtime.spawn(listening.serve());
        self.runtime = Some(runtime);
    }

    /// Ends it as a crash does: no goodbye.
    pub fn kill(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }

    pub fn restart(&mut self) {
        self.kill();
        self.serve(|server| server);
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub async fn vehicle(&self) -> KuksaVehicle {
        KuksaVehicle::connect(config(self.url())).await.unwrap()
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Bounds that a busy machine keeps.
pub fn config(url: String) -> KuksaConfig {
    KuksaConfig::new(url)
        .with_deadline(Duration::from_secs(5))
        .with_confirm(Duration::from_secs(5))
}

/// Waits until the vehicle reads `value`.
pub async fn reads(vehicle: &dyn Vehicle, signal: &str, value: &SignalValue) {
    until(
        || vehicle.value(signal).as_ref() == Ok(value),
        || format!("{signal}: {value:?}, not {:?}", vehicle.value(signal)),
    )
    .await;
}

/// Waits until something holds, and fails where it does not in ten seconds.
pub async fn until(holds: impl Fn() -> bool, wanted: impl Fn() -> String) {
    let end = Instant::now() + Duration::from_secs(10);
    while !holds() {
        assert!(Instant::now() < end, "{}", wanted());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
