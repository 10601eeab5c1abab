//! One policy.

use super::condition::{Comparison, Condition};
use incar_core::{Bilingual, PolicyQuery, Seat};
use serde_json::{Map, Value};

/// One policy.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) tools: Vec<String>,
    /// Arguments that the call must have, each one of several values.
    pub(super) arguments: Vec<(String, Comparison)>,
    /// The seats that it is about; all where there is none.
    pub(super) seats: Vec<Seat>,
    pub(super) when: Condition,
    pub(super) action: Action,
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
    pub(super) tool: String,
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
        (self.seats.is_empty() || self.seats.contains(&call.speaker.seat)) && self.fits(&call.tool.name, call.arguments)
    }

    /// Whether it is about this tool and these arguments.
    pub(super) fn fits(&self, tool: &str, arguments: &Value) -> bool {
        self.tools.iter().any(|own| own == tool)
            && self.arguments.iter().all(|(name, comparison)| {
                arguments
                    .get(name)
                    .is_some_and(|value| comparison.holds(value) == Some(true))
            })
    }
}
