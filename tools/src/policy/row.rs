//! One policy.

use super::condition::{Comparison, Condition};
use crate::toml_file::Place;
use incar_core::{Bilingual, PolicyQuery, Seat};
use serde_json::{Map, Value};

/// One policy.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) place: Place,
    /// The calls that it is about.
    pub(super) scope: Scope,
    /// The seats that it is about; all where there is none.
    pub(super) seats: Vec<Seat>,
    pub(super) when: Condition,
    pub(super) action: Action,
}

/// Calls of some tools, by their arguments.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    pub(super) tools: Vec<Name>,
    /// Arguments that a call must have, each one of several values.
    pub(super) arguments: Vec<(Name, Comparison)>,
}

/// The name of something that must be there, and where it was written.
#[derive(Debug, Clone)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) place: Place,
}

/// What a policy decides.
#[derive(Debug, Clone)]
pub(super) enum Action {
    Allow,
    Warn(Bilingual),
    Deny(Bilingual),
    Confirm(Bilingual),
    Amend(Bilingual, Vec<AddedCall>),
}

/// A call that an amendment adds.
#[derive(Debug, Clone)]
pub(super) struct AddedCall {
    pub(super) tool: Name,
    pub(super) arguments: Map<String, Value>,
    pub(super) when: Condition,
    /// One call for each window that stands further open, its place in an argument.
    pub(super) each_open_window: Option<EachOpenWindow>,
}

/// Which windows get a call of their own.
#[derive(Debug, Clone)]
pub(super) struct EachOpenWindow {
    /// The argument that takes the window's place.
    pub(super) argument: String,
    /// Percent.
    pub(super) above: f64,
}

impl Row {
    /// Whether it is about this tool, these arguments and this seat.
    pub(super) fn concerns(&self, call: &PolicyQuery<'_>) -> bool {
        let seat = call.speaker.seat;
        let concerned = self.seats.is_empty()
            || self.seats.contains(&seat)
            // Who has no seat may do no more than any seat may.
            || seat == Seat::Outside && !matches!(self.action, Action::Allow);
        concerned && self.scope.fits(&call.tool.name, call.arguments)
    }
}

impl Scope {
    /// Whether it is about this tool and these arguments.
    pub(super) fn fits(&self, tool: &str, arguments: &Value) -> bool {
        self.tools.iter().any(|own| own.text == tool)
            && self.arguments.iter().all(|(name, comparison)| {
                arguments
                    .get(&name.text)
                    .is_some_and(|value| comparison.holds(value) == Some(true))
            })
    }

    /// Whether every call of `other` is one of these.
    pub(super) fn covers(&self, other: &Self) -> bool {
        let has = |tool: &Name| self.tools.iter().any(|own| own.text == tool.text);
        other.tools.iter().all(has)
            && self.arguments.iter().all(|(name, wide)| {
                let narrow = other.arguments.iter().find(|(own, _)| own.text == name.text);
                narrow.is_some_and(|(_, narrow)| wide.covers(narrow))
            })
    }
}
