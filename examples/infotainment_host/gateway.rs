//! The gateway to the car: [`Vehicle`] over the CAN bus.
//!
//! Reads are answered from the last broadcast, at once and without asking anyone: policies read many signals in a turn.
//! A silent bus is told from a standing car, because a value that is not known must count as the unsafe one.

use crate::bus::{Broadcast, Frame, Reading};
use incar::tools::vehicle::{
    Actuation, Catalogue, Command, Order, Progress, SignalInfo, SignalKind, SignalValue, Vehicle, VehicleError,
};
use incar::{Clock, async_trait};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};

/// A bus that was silent for longer is down: its last values are worth nothing.
const SILENCE: Duration = Duration::from_secs(2);
/// How long a frame's acknowledgement may take. Shorter than a tool's time-out, so that the tool can still say what
/// happened.
const ACK: Duration = Duration::from_secs(2);

/// This trim's signals, and the bus they are on.
#[derive(Debug)]
pub(crate) struct Gateway {
    catalogue: Catalogue,
    frames: mpsc::Sender<Frame>,
    heard: watch::Receiver<Broadcast>,
    clock: Arc<dyn Clock>,
}

impl Gateway {
    pub(crate) fn new(
        catalogue: Catalogue,
        frames: mpsc::Sender<Frame>,
        heard: watch::Receiver<Broadcast>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            catalogue,
            frames,
            heard,
            clock,
        }
    }

    /// Lets a sensor measure something new, as the demo's `/signal` does.
    pub(crate) async fn measure(&self, signal: &str, value: SignalValue) -> Result<(), VehicleError> {
        let name = signal.to_owned();
        self.send(signal, |ack| Frame::Measure(name, value, ack)).await
    }

    fn reading(&self, signal: &str) -> Result<Reading, VehicleError> {
        if self.catalogue.info(signal).is_none() {
            return Err(VehicleError::UnknownSignal(signal.to_owned()));
        }
        let broadcast = self.heard.borrow();
        let fresh = self.clock.now().since(broadcast.at) <= SILENCE;
        let reading = broadcast.signals.get(signal).filter(|_| fresh);
        reading
            .cloned()
            .ok_or_else(|| VehicleError::NoAnswer(signal.to_owned()))
    }

    /// Refuses here what the bus would refuse: the driver hears why, and no frame is spent.
    fn check(&self, command: &Command) -> Result<Reading, VehicleError> {
        let signal = &command.signal;
        let info = self
            .catalogue
            .info(signal)
            .ok_or_else(|| VehicleError::UnknownSignal(signal.clone()))?;
        if info.kind != SignalKind::Actuator {
            return Err(VehicleError::NotActuatable(signal.clone()));
        }
        if let Order::Set(value) = &command.order {
            info.check(value)?;
        }
        self.reading(signal)
    }

    /// Sends one frame and waits for its acknowledgement. No acknowledgement is no refusal: the part may move.
    async fn send(
        &self,
        signal: &str,
        frame: impl FnOnce(oneshot::Sender<Result<(), VehicleError>>) -> Frame,
    ) -> Result<(), VehicleError> {
        let (ack, answer) = oneshot::channel();
        let exchange = async {
            self.frames.send(frame(ack)).await.ok()?;
            answer.await.ok()
        };
        let answered = tokio::time::timeout(ACK, exchange).await.ok().flatten();
        answered.unwrap_or_else(|| Err(VehicleError::NoAnswer(signal.to_owned())))
    }
}

#[async_trait]
impl Vehicle for Gateway {
    fn info(&self, signal: &str) -> Option<Arc<SignalInfo>> {
        self.catalogue.info(signal).cloned()
    }

    fn value(&self, signal: &str) -> Result<SignalValue, VehicleError> {
        self.reading(signal).map(|reading| reading.value)
    }

    fn target(&self, signal: &str) -> Result<SignalValue, VehicleError> {
        self.reading(signal).map(|reading| reading.target)
    }

    async fn actuate(&self, commands: &[Command]) -> Result<Vec<Actuation>, VehicleError> {
        let Some(first) = commands.first() else {
            return Ok(Vec::new());
        };
        let before = commands
            .iter()
            .map(|command| self.check(command))
            .collect::<Result<Vec<_>, _>>()?;
        self.send(&first.signal, |ack| Frame::Move(commands.to_vec(), ack))
            .await?;
        let report = |(command, before): (&Command, Reading)| {
            let now = self.reading(&command.signal)?;
            let progress = if now.value == now.target {
                Progress::Done
            } else {
                Progress::Moving
            };
            let signal = command.signal.clone();
            Ok(Actuation::new(signal, before.target, now.target, now.value, progress))
        };
        commands.iter().zip(before).map(report).collect()
    }

    fn snapshot(&self) -> BTreeMap<String, SignalValue> {
        let known = |info: &Arc<SignalInfo>| Some((info.name.clone(), self.value(&info.name).ok()?));
        self.catalogue.iter().filter_map(known).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use incar::{ManualClock, Timestamp};

    const WINDOW: &str = "Vehicle.Cabin.Door.Row1.DriverSide.Window.Position";

    struct Bench {
        gateway: Gateway,
        inbox: mpsc::Receiver<Frame>,
        clock: Arc<ManualClock>,
        // A bus whose broadcasts nobody can send any more is still the last one heard.
        _broadcasts: watch::Sender<Broadcast>,
    }

    /// A gateway on a bus that has reported a shut window, and takes frames only where a test does.
    fn bench() -> Bench {
        let clock = Arc::new(ManualClock::at(Timestamp::from_millis(0)));
        let shut = Reading {
            value: 0.0.into(),
            target: 0.0.into(),
        };
        let (broadcasts, heard) = watch::channel(Broadcast {
            at: clock.now(),
            signals: BTreeMap::from([(WINDOW.to_owned(), shut)]),
        });
        let (frames, inbox) = mpsc::channel(1);
        let catalogue = Catalogue::from_toml(include_str!("trim.toml")).unwrap();
        Bench {
            gateway: Gateway::new(catalogue, frames, heard, clock.clone()),
            inbox,
            clock,
            _broadcasts: broadcasts,
        }
    }

    fn open(signal: &str, to: f64) -> [Command; 1] {
        [Command::set(signal, to)]
    }

    #[test]
    fn the_values_of_a_silent_bus_are_not_known() {
        let bench = bench();
        assert_eq!(bench.gateway.value(WINDOW), Ok(0.0.into()));
        bench.clock.advance(SILENCE + Duration::from_millis(1));
        assert_eq!(
            bench.gateway.value(WINDOW),
            Err(VehicleError::NoAnswer(WINDOW.to_owned()))
        );
    }

    #[tokio::test]
    async fn what_this_trim_cannot_do_is_refused_without_a_frame() {
        let mut bench = bench();
        let check = async |signal: &str, to: f64| bench.gateway.actuate(&open(signal, to)).await.unwrap_err();
        let sunroof = "Vehicle.Cabin.Sunroof.Position";
        assert_eq!(
            check(sunroof, 100.0).await,
            VehicleError::UnknownSignal(sunroof.to_owned())
        );
        assert_eq!(
            check("Vehicle.Speed", 50.0).await,
            VehicleError::NotActuatable("Vehicle.Speed".to_owned())
        );
        assert!(matches!(check(WINDOW, 120.0).await, VehicleError::OutOfRange { .. }));
        assert!(bench.inbox.try_recv().is_err());
    }

    #[tokio::test]
    async fn a_frame_that_nobody_acknowledges_leaves_the_outcome_open() {
        let mut bench = bench();
        let command = open(WINDOW, 100.0);
        let (outcome, frame) = tokio::join!(bench.gateway.actuate(&command), async {
            bench.inbox.recv().await.map(|frame| matches!(frame, Frame::Move(..)))
        });
        assert_eq!(outcome, Err(VehicleError::NoAnswer(WINDOW.to_owned())));
        assert_eq!(frame, Some(true));
    }
}
