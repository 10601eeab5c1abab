//! What the tools share: the car, asked and moved in the tools' terms.

use super::place::{Layout, Position, Spot};
use super::signals::{self, Placed};
use super::wish::Scale;
use crate::vehicle::{Actuation, Command, SignalValue, Vehicle, VehicleError};
use incar_core::{ErrorKind, Lang, ToolError};
use std::sync::Arc;

/// The car that the tools act on.
#[derive(Debug, Clone)]
pub(crate) struct Car(Arc<dyn Vehicle>);

/// One part of the car: where it is, and its signal.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) spot: Spot,
    pub(crate) signal: String,
}

impl Car {
    pub(crate) fn new(vehicle: Arc<dyn Vehicle>) -> Self {
        Self(vehicle)
    }

    /// Which side the driver sits on; left where the car does not say.
    pub(crate) fn layout(&self) -> Layout {
        match self.0.value(signals::DRIVER_POSITION) {
            Ok(SignalValue::Text(side)) if side == "RIGHT" => Layout::RightHandDrive,
            _ => Layout::LeftHandDrive,
        }
    }

    /// The parts at `position` that this car has; empty where it has none there.
    pub(crate) fn parts(&self, placed: Placed, position: Position) -> Vec<Part> {
        let layout = self.layout();
        position
            .spots(layout)
            .iter()
            .map(|spot| Part {
                spot: *spot,
                signal: placed.at(*spot, layout),
            })
            .filter(|part| self.0.info(&part.signal).is_some())
            .collect()
    }

    /// The parts at `position`, at least one.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] where the car has none there.
    pub(crate) fn parts_at(&self, placed: Placed, position: Position, lang: Lang) -> Result<Vec<Part>, ToolError> {
        let parts = self.parts(placed, position);
        if parts.is_empty() {
            Err(unsupported(lang))
        } else {
            Ok(parts)
        }
    }

    /// Where the signal stands or is going.
    pub(crate) fn target(&self, signal: &str, lang: Lang) -> Result<SignalValue, ToolError> {
        self.0.target(signal).map_err(|error| failed(&error, lang))
    }

    /// As [`Car::target`], of a signal with numbers.
    pub(crate) fn number(&self, signal: &str, lang: Lang) -> Result<f64, ToolError> {
        self.target(signal, lang)?
            .as_number()
            .ok_or_else(|| ToolError::new(ErrorKind::Internal, unsupported(lang).message))
    }

    /// Whether a boolean signal is true; `None` where it is not known.
    pub(crate) fn is(&self, signal: &str) -> Option<bool> {
        self.0.target(signal).ok()?.as_bool()
    }

    /// Whether this car has the signal.
    pub(crate) fn has(&self, signal: &str) -> bool {
        self.0.info(signal).is_some()
    }

    /// Whether the signal may have that value.
    pub(crate) fn allows(&self, signal: &str, value: impl Into<SignalValue>) -> bool {
        self.0
            .info(signal)
            .is_some_and(|info| info.check(&value.into()).is_ok())
    }

    /// The lowest and highest value of a signal with numbers.
    pub(crate) fn range(&self, signal: &str) -> (f64, f64) {
        self.0.info(signal).map_or((0.0, 0.0), |info| info.range())
    }

    /// As much of a tool's scale as these parts go, with `per` of the signal's unit for one of the tool's.
    pub(crate) fn scale(&self, scale: Scale, parts: &[Part], per: f64) -> Scale {
        scale.within(parts.iter().map(|part| {
            let (min, max) = self.range(&part.signal);
            (min / per, max / per)
        }))
    }

    /// The unit of a signal's numbers.
    pub(crate) fn unit(&self, signal: &str) -> Option<String> {
        self.0.info(signal)?.unit.clone()
    }

    /// The value now, where it is known.
    pub(crate) fn known(&self, signal: &str) -> Option<SignalValue> {
        self.0.value(signal).ok()
    }

    /// Where the signal stands or is going, where that is known.
    pub(crate) fn known_target(&self, signal: &str) -> Option<SignalValue> {
        self.0.target(signal).ok()
    }

    /// Whether the signal is on its way.
    pub(crate) fn is_moving(&self, signal: &str) -> bool {
        self.0.value(signal) != self.0.target(signal)
    }

    /// Fails where the car cannot be told anything.
    pub(crate) fn reached(&self, lang: Lang) -> Result<(), ToolError> {
        if self.0.is_reachable() {
            Ok(())
        } else {
            Err(failed(&VehicleError::Unreachable(String::new()), lang))
        }
    }

    /// Gives commands to the car.
    pub(crate) async fn actuate(&self, commands: &[Command], lang: Lang) -> Result<Vec<Actuation>, ToolError> {
        self.0.actuate(commands).await.map_err(|error| {
            let told = failed(&error, lang);
            if error.is_in_doubt() { told.in_doubt() } else { told }
        })
    }
}

/// This car cannot do that.
pub(crate) fn unsupported(lang: Lang) -> ToolError {
    ToolError::new(
        ErrorKind::Unsupported,
        lang.pick("这台车没有这个功能。", "This car does not have that."),
    )
}

/// A failure of the car, as the driver hears it.
fn failed(error: &VehicleError, lang: Lang) -> ToolError {
    match error {
        VehicleError::UnknownSignal(_) | VehicleError::NotActuatable(_) => unsupported(lang),
        VehicleError::NoPower(_) => ToolError::new(
            ErrorKind::ToolFailed,
            lang.pick(
                "车辆没有供电，现在用不了这个功能。",
                "The car has no power for that right now.",
            ),
        ),
        VehicleError::NoAnswer(_) => ToolError::new(
            ErrorKind::ToolFailed,
            lang.pick(
                "车辆没有响应，请稍后再试。",
                "The car did not answer. Please try again later.",
            ),
        ),
        VehicleError::Unreachable(_) => ToolError::new(
            ErrorKind::ToolFailed,
            lang.pick(
                "现在连不上车辆，没有执行。",
                "I cannot reach the car right now, so nothing was done.",
            ),
        ),
        VehicleError::Unavailable(_) => ToolError::new(
            ErrorKind::ToolFailed,
            lang.pick(
                "车上的这个部件现在没有响应，没有执行。",
                "That part of the car is not available right now, so nothing was done.",
            ),
        ),
        VehicleError::NotPermitted(_) => ToolError::new(
            ErrorKind::Denied,
            lang.pick("车辆不允许我控制这个功能。", "The car does not let me control that."),
        ),
        VehicleError::Refused { .. } => ToolError::new(
            ErrorKind::ToolFailed,
            lang.pick("车辆拒绝了这个操作。", "The car refused that."),
        ),
        VehicleError::OutOfRange { .. } => ToolError::new(
            ErrorKind::OutOfRange,
            lang.pick("这台车设不到那么多。", "This car cannot be set to that."),
        ),
        VehicleError::NotAllowed { .. } => ToolError::new(
            ErrorKind::Unsupported,
            lang.pick("这台车没有这个选项。", "This car does not have that option."),
        ),
        VehicleError::WrongType { .. } => ToolError::new(
            ErrorKind::Internal,
            lang.pick("这个设置没有成功。", "That setting did not work."),
        ),
    }
}
