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
use incar_tools::vehicle::{Catalogue, SignalValue, SimulatedCar, Vehicle};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// A clock that runs, or stands, and can be moved on.
#[derive(Debug)]
pub(crate) struct RunningClock {
    start: Option<Instant>,
    ahead: ManualClock,
}

impl RunningClock {
    pub(crate) fn advance(&self, by: Duration) {
        self.ahead.advance(by);
    }
}

impl Clock for RunningClock {
    fn now(&self) -> Timestamp {
        let ran = self.start.map_or(Duration::ZERO, |start| start.elapsed());
        self.ahead.now().plus(ran)
    }
}

/// A broker that can be killed and started again at the same address.
pub(crate) struct Broker {
    pub(crate) car: Arc<SimulatedCar>,
    pub(crate) clock: Arc<RunningClock>,
    pub(crate) address: SocketAddr,
    runtime: Option<Runtime>,
}

impl Broker {
    pub(crate) fn start() -> Self {
        Self::start_with(|server| server)
    }

    pub(crate) fn start_with(configure: impl FnOnce(CarServer) -> CarServer) -> Self {
        Self::with(Catalogue::shipped().unwrap(), Some(Instant::now()), configure)
    }

    /// A car with signals of its own.
    pub(crate) fn of(catalogue: Catalogue) -> Self {
        Self::with(catalogue, Some(Instant::now()), |server| server)
    }

    /// A car in which no time passes: what is told to move does not.
    pub(crate) fn standing_still() -> Self {
        Self::with(Catalogue::shipped().unwrap(), None, |server| server)
    }

    fn with(catalogue: Catalogue, start: Option<Instant>, configure: impl FnOnce(CarServer) -> CarServer) -> Self {
        let clock = Arc::new(RunningClock {
            start,
            ahead: ManualClock::at(Timestamp::from_millis(1_780_279_200_000)),
        });
        let car = Arc::new(SimulatedCar::with_catalogue(catalogue, clock.clone()));
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
    pub(crate) fn kill(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }

    pub(crate) fn restart(&mut self) {
        self.kill();
        self.serve(|server| server);
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub(crate) async fn vehicle(&self) -> KuksaVehicle {
        KuksaVehicle::connect(config(self.url())).await.unwrap()
    }
}

impl Drop for Broker {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Bounds that a busy machine keeps.
pub(crate) fn config(url: String) -> KuksaConfig {
    KuksaConfig::new(url)
        .with_deadline(Duration::from_secs(5))
        .with_confirm(Duration::from_secs(5))
}

/// Waits until the vehicle reads `value`.
pub(crate) async fn reads(vehicle: &dyn Vehicle, signal: &str, value: &SignalValue) {
    until(
        || vehicle.value(signal).as_ref() == Ok(value),
        || format!("{signal}: {value:?}, not {:?}", vehicle.value(signal)),
    )
    .await;
}

/// Waits until something holds, and fails where it does not in ten seconds.
pub(crate) async fn until(holds: impl Fn() -> bool, wanted: impl Fn() -> String) {
    let end = Instant::now() + Duration::from_secs(10);
    while !holds() {
        assert!(Instant::now() < end, "{}", wanted());
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
