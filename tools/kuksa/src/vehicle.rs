//! The car behind a broker, as incar's vehicle.

use crate::actuate::Job;
use crate::config::KuksaConfig;
use crate::error::KuksaError;
use crate::link::Link;
use crate::mirror::{self, Mirror};
use crate::routes::Overlay;
use incar_core::async_trait;
use incar_tools::vehicle::{Actuation, Catalogue, Command, SignalInfo, SignalValue, Vehicle, VehicleError};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::timeout;

/// A car behind KUKSA's databroker (`kuksa.val.v2`).
///
/// Its values are heard as they change and read from memory. The link runs on a thread of its own: a host may block, and
/// need not run on tokio. While the car is not heard, nothing is known of it and nothing is sent to it; the link begins
/// again by itself.
///
/// A command counts once the car's own value says so: it is there ([`Progress::Done`]) or comes nearer
/// ([`Progress::Moving`]). Where neither is seen within [`KuksaConfig::confirm`], the outcome is
/// [`VehicleError::NoAnswer`].
///
/// ```no_run
/// use incar_kuksa::{KuksaConfig, KuksaVehicle};
/// use incar_tools::vehicle::Vehicle;
///
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let car = KuksaVehicle::connect(KuksaConfig::new("http://127.0.0.1:55555")).await?;
/// println!("{}", car.value("Vehicle.Speed")?);
/// # Ok(())
/// # }
/// ```
///
/// [`Progress::Done`]: incar_tools::vehicle::Progress::Done
/// [`Progress::Moving`]: incar_tools::vehicle::Progress::Moving
#[derive(Debug)]
pub struct KuksaVehicle {
    mirror: Arc<Mirror>,
    jobs: mpsc::UnboundedSender<Job>,
    /// How long a first attempt may take: connecting, metadata, subscription and first values.
    patience: Duration,
}

/// The calls of one attempt to connect.
const CALLS_OF_AN_ATTEMPT: u32 = 4;

impl KuksaVehicle {
    /// Starts the link and returns at once: for a host that begins before the car does. Until the car is heard, a driver
    /// is told that it does not answer.
    ///
    /// # Errors
    /// [`KuksaError`] for a configuration that cannot be used, and where no thread can be started.
    pub fn start(config: KuksaConfig) -> Result<Self, KuksaError> {
        let catalogue = Catalogue::shipped().map_err(|error| KuksaError::Catalogue(error.to_string()))?;
        let mirror = Arc::new(Mirror::new(catalogue.clone(), config.confirm));
        let (jobs, inbox) = mpsc::unbounded_channel();
        let patience = config.deadline * CALLS_OF_AN_ATTEMPT;
        let link = Link {
            endpoint: config.endpoint()?,
            shipped: Overlay::shipped()?,
            catalogue,
            mirror: mirror.clone(),
            config,
        };
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| KuksaError::Start(error.to_string()))?;
        std::thread::Builder::new()
            .name("incar-kuksa".into())
            .spawn(move || runtime.block_on(link.run(inbox)))
            .map_err(|error| KuksaError::Start(error.to_string()))?;
        Ok(Self { mirror, jobs, patience })
    }

    /// Starts the link and waits until the car is heard.
    ///
    /// # Errors
    /// As [`KuksaVehicle::start`], and why the car was not heard.
    pub async fn connect(config: KuksaConfig) -> Result<Self, KuksaError> {
        let car = Self::start(config)?;
        car.ready().await?;
        Ok(car)
    }

    /// Waits until the car is heard, or the first attempt failed. Needs tokio.
    ///
    /// # Errors
    /// Why the car is not heard.
    pub async fn ready(&self) -> Result<(), KuksaError> {
        let mut changes = self.mirror.watch();
        let heard = async {
            loop {
                match self.mirror.link() {
                    mirror::Link::Up => return Ok(()),
                    mirror::Link::Down(error) => return Err(error),
                    mirror::Link::Connecting => {}
                }
                if changes.changed().await.is_err() {
                    return Err(KuksaError::Closed);
                }
            }
        };
        timeout(self.patience, heard).await.unwrap_or(Err(KuksaError::Late))
    }

    /// Why the car is not heard at present; `None` where it is, or where that is not known yet.
    pub fn trouble(&self) -> Option<KuksaError> {
        match self.mirror.link() {
            mirror::Link::Down(error) => Some(error),
            mirror::Link::Up | mirror::Link::Connecting => None,
        }
    }

    fn known<T>(&self, signal: &str, value: Option<T>) -> Result<T, VehicleError> {
        value.ok_or_else(|| match self.mirror.info(signal) {
            Some(_) => VehicleError::NoAnswer(signal.to_owned()),
            None => VehicleError::UnknownSignal(signal.to_owned()),
        })
    }
}

#[async_trait]
impl Vehicle for KuksaVehicle {
    fn info(&self, signal: &str) -> Option<Arc<SignalInfo>> {
        self.mirror.info(signal)
    }

    fn is_reachable(&self) -> bool {
        self.mirror.is_up()
    }

    fn value(&self, signal: &str) -> Result<SignalValue, VehicleError> {
        self.known(signal, self.mirror.value(signal))
    }

    fn target(&self, signal: &str) -> Result<SignalValue, VehicleError> {
        self.known(signal, self.mirror.target(signal))
    }

    async fn actuate(&self, commands: &[Command]) -> Result<Vec<Actuation>, VehicleError> {
        let Some(first) = commands.first() else {
            return Ok(Vec::new());
        };
        let (job, outcome) = Job::new(commands.to_vec());
        if self.jobs.send(job).is_err() {
            return Err(VehicleError::Unreachable(first.signal.clone()));
        }
        // A job that is dropped was on its way when the link ended.
        outcome
            .await
            .unwrap_or_else(|_| Err(VehicleError::NoAnswer(first.signal.clone())))
    }

    fn snapshot(&self) -> BTreeMap<String, SignalValue> {
        self.mirror.values()
    }
}
