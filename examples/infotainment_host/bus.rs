//! The far end of the CAN bus: what in a car is other control units. It takes frames, moves parts in their own time, and
//! broadcasts every signal ten times a second.
//!
//! Only this file is a simulation. In a car it is the driver of your CAN or SOME/IP stack, and [`Frame`] and
//! [`Broadcast`] are its types.

use incar::tools::vehicle::{Catalogue, Command, SignalValue, SimulatedCar, Vehicle, VehicleError};
use incar::{Clock, Timestamp};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};

/// How often every signal is broadcast.
const CYCLE: Duration = Duration::from_millis(100);

/// What is sent over the bus; each frame is acknowledged or refused.
#[derive(Debug)]
pub(crate) enum Frame {
    /// Move these parts, all or none.
    Move(Vec<Command>, Ack),
    /// A sensor measures something new: the demo's way to drive faster or empty the battery.
    Measure(String, SignalValue, Ack),
}

pub(crate) type Ack = oneshot::Sender<Result<(), VehicleError>>;

/// The last cycle of the bus.
#[derive(Debug, Clone)]
pub(crate) struct Broadcast {
    pub(crate) at: Timestamp,
    pub(crate) signals: BTreeMap<String, Reading>,
}

/// A signal as the bus reports it: where the part is, and where it was told to go.
#[derive(Debug, Clone)]
pub(crate) struct Reading {
    pub(crate) value: SignalValue,
    pub(crate) target: SignalValue,
}

/// Powers the bus up: where frames go, and what is heard. It ends when nobody can send frames any more.
pub(crate) fn start(catalogue: Catalogue, clock: Arc<dyn Clock>) -> (mpsc::Sender<Frame>, watch::Receiver<Broadcast>) {
    let (frames, inbox) = mpsc::channel(16);
    let parts = SimulatedCar::with_catalogue(catalogue, clock.clone());
    let (broadcasts, heard) = watch::channel(cycle(&parts, &*clock));
    tokio::spawn(serve(parts, clock, inbox, broadcasts));
    (frames, heard)
}

async fn serve(
    parts: SimulatedCar,
    clock: Arc<dyn Clock>,
    mut inbox: mpsc::Receiver<Frame>,
    broadcasts: watch::Sender<Broadcast>,
) {
    let mut cycles = tokio::time::interval(CYCLE);
    loop {
        let answered = tokio::select! {
            _ = cycles.tick() => None,
            frame = inbox.recv() => match frame {
                None => return,
                Some(Frame::Move(commands, ack)) => Some((ack, parts.actuate(&commands).await.map(drop))),
                Some(Frame::Measure(signal, value, ack)) => Some((ack, parts.set(&signal, value))),
            },
        };
        // What a frame changed is on the bus before its acknowledgement: who was told "done" reads the new state.
        broadcasts.send_replace(cycle(&parts, &*clock));
        if let Some((ack, outcome)) = answered {
            // A sender that stopped waiting has reported the command as in doubt already.
            let _ = ack.send(outcome);
        }
    }
}

fn cycle(parts: &SimulatedCar, clock: &dyn Clock) -> Broadcast {
    let signals = parts.snapshot().into_iter().map(|(signal, value)| {
        let target = parts.target(&signal).unwrap_or_else(|_| value.clone());
        (signal, Reading { value, target })
    });
    Broadcast {
        at: clock.now(),
        signals: signals.collect(),
    }
}
