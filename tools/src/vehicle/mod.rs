//! The car itself: signals that are read, and moved.
//!
//! [`Vehicle`] is the service that the car's tools act on. [`SimulatedCar`] is one that lives in memory and moves with
//! an injected clock; a gateway to a real car answers reads from what it has subscribed to.

mod catalogue;
mod simulated;
#[cfg(any(test, feature = "testkit"))]
pub mod testkit;
mod value;

pub use catalogue::expand as expand_pattern;
pub use catalogue::{Catalogue, CatalogueError, DataType, SignalInfo, SignalKind};
pub use simulated::SimulatedCar;
pub(crate) use value::number;
pub use value::{NoSignalValue, SignalValue};

use incar_core::async_trait;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

/// A car: its signals by the names of the Vehicle Signal Specification, read at once and moved in time.
///
/// Reads are synchronous and cheap (policies make many in a turn): a back end on a network answers them from what it
/// has subscribed to.
#[async_trait]
pub trait Vehicle: Send + Sync + Debug {
    /// What `signal` is; `None` where this car has no such signal. A car on a network may be told anew, as after an
    /// update of its software.
    fn info(&self, signal: &str) -> Option<Arc<SignalInfo>>;

    /// Whether the car can be told anything at present: while it cannot, tools put no question about a call.
    fn is_reachable(&self) -> bool {
        true
    }

    /// The value of `signal` now.
    ///
    /// # Errors
    /// [`VehicleError::UnknownSignal`], or [`VehicleError::NoAnswer`] where its value is not known.
    fn value(&self, signal: &str) -> Result<SignalValue, VehicleError>;

    /// The value that `signal` moves to; its value now where it is at rest.
    ///
    /// # Errors
    /// As [`Vehicle::value`].
    fn target(&self, signal: &str) -> Result<SignalValue, VehicleError>;

    /// Gives `commands`, all or none: returns once they are accepted, not once they are done.
    ///
    /// # Errors
    /// [`VehicleError`] where one of them cannot be given; nothing moved then, unless
    /// [`VehicleError::is_in_doubt`].
    async fn actuate(&self, commands: &[Command]) -> Result<Vec<Actuation>, VehicleError>;

    /// Every signal with its value now.
    fn snapshot(&self) -> BTreeMap<String, SignalValue>;
}

/// What to do with one signal.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Command {
    /// The signal.
    pub signal: String,
    /// What to do with it.
    pub order: Order,
}

/// What can be done with a signal.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Order {
    /// Go to this value.
    Set(SignalValue),
    /// Stop where it is.
    Stop,
}

impl Command {
    /// Sends `signal` to `value`.
    pub fn set(signal: impl Into<String>, value: impl Into<SignalValue>) -> Self {
        Self {
            signal: signal.into(),
            order: Order::Set(value.into()),
        }
    }

    /// Stops `signal` where it is.
    pub fn stop(signal: impl Into<String>) -> Self {
        Self {
            signal: signal.into(),
            order: Order::Stop,
        }
    }
}

/// What became of one command, as far as it is known on return.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Actuation {
    /// The signal.
    pub signal: String,
    /// Where it stood or was going before the command; `None` where that was not known.
    pub before: Option<SignalValue>,
    /// Where it goes, or stands.
    pub target: SignalValue,
    /// Where it is now.
    pub value: SignalValue,
    /// How far it is.
    pub progress: Progress,
}

impl Actuation {
    /// A report.
    pub fn new(
        signal: String,
        before: impl Into<Option<SignalValue>>,
        target: SignalValue,
        value: SignalValue,
        progress: Progress,
    ) -> Self {
        Self {
            signal,
            before: before.into(),
            target,
            value,
            progress,
        }
    }

    /// Whether the command asked for nothing that was not so, or on its way, already.
    pub fn unchanged(&self) -> bool {
        self.before.as_ref() == Some(&self.target)
    }
}

/// How far a command is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Progress {
    /// Accepted; the car has not said more.
    Accepted,
    /// On its way.
    Moving,
    /// There.
    Done,
}

/// Why a signal was not read or moved.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VehicleError {
    /// This car has no such signal.
    #[error("this car has no signal `{0}`")]
    UnknownSignal(String),
    /// The value is of another type than the signal.
    #[error("`{signal}` is of type {expected}, not {value}")]
    WrongType {
        /// The signal.
        signal: String,
        /// Its type.
        expected: DataType,
        /// The value given.
        value: SignalValue,
    },
    /// The value is outside the signal's range.
    #[error("`{signal}` goes from {min} to {max}, not to {value}")]
    OutOfRange {
        /// The signal.
        signal: String,
        /// Its lowest value.
        min: f64,
        /// Its highest value.
        max: f64,
        /// The value given.
        value: f64,
    },
    /// The value is none of those allowed.
    #[error("`{signal}` is one of {}, not {value}", allowed.join(", "))]
    NotAllowed {
        /// The signal.
        signal: String,
        /// What it may be.
        allowed: Vec<String>,
        /// The value given.
        value: String,
    },
    /// The signal can be read only.
    #[error("`{0}` is a sensor or attribute: it cannot be moved")]
    NotActuatable(String),
    /// What the signal needs to move is missing: the car is off, or the battery is empty.
    #[error("`{0}` has no power")]
    NoPower(String),
    /// The car did not answer: its value is not known, or whether it moved.
    #[error("the car did not answer about `{0}`")]
    NoAnswer(String),
    /// The car cannot be reached: the command was not sent.
    #[error("the car cannot be reached: `{0}` was told nothing")]
    Unreachable(String),
    /// Nothing in the car moves the signal at present.
    #[error("nothing in the car moves `{0}` at present")]
    Unavailable(String),
    /// Who speaks to the car may not do that.
    #[error("not permitted: `{0}`")]
    NotPermitted(String),
    /// The car refused the command.
    #[error("the car refused `{signal}`: {reason}")]
    Refused {
        /// The signal.
        signal: String,
        /// Why, in the car's words.
        reason: String,
    },
}

impl VehicleError {
    /// The signal it is about.
    pub fn signal(&self) -> &str {
        match self {
            Self::UnknownSignal(signal)
            | Self::NotActuatable(signal)
            | Self::NoPower(signal)
            | Self::NoAnswer(signal)
            | Self::Unreachable(signal)
            | Self::Unavailable(signal)
            | Self::NotPermitted(signal)
            | Self::Refused { signal, .. }
            | Self::WrongType { signal, .. }
            | Self::OutOfRange { signal, .. }
            | Self::NotAllowed { signal, .. } => signal,
        }
    }

    /// Whether a command that failed so may have moved something.
    pub fn is_in_doubt(&self) -> bool {
        matches!(self, Self::NoAnswer(_))
    }
}
