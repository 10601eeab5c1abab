//! Calls that a program outside the car wants (MCP): judged, journaled and run as any other, and held for a
//! yes that only somebody in the car can say.

use super::batch::Batch;
use super::dialogue::{DEPTH, Dialogue};
use super::wait::{Wait, WaitKind};
use super::{Phase, Turn};
use crate::message::{AssistantMessage, ToolCall};
use crate::response::CallShape;

/// A call that a program outside the car wants.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct OutsideWish {
    /// The call's id, by which it is known from now on.
    pub id: String,
    /// Who wants it, in the host's words.
    pub caller: String,
    /// The call.
    pub call: CallShape,
}

impl OutsideWish {
    /// The wish of `caller` for `call`.
    pub fn new(id: impl Into<String>, caller: impl Into<String>, call: CallShape) -> Self {
        Self {
            id: id.into(),
            caller: caller.into(),
            call,
        }
    }
}

/// A call from outside that waits for a yes, taken out of the turn that judged it.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldCall(Wait);

impl HeldCall {
    /// The question.
    pub fn prompt(&self) -> &str {
        &self.0.prompt
    }
}

impl Wait {
    fn holds(&self, id: &str) -> bool {
        match &self.kind {
            WaitKind::Confirm(batch) => batch.entries.iter().any(|entry| entry.call.id == id),
            WaitKind::Value(_) | WaitKind::Words => false,
        }
    }
}

impl Dialogue {
    /// Whether the call `id` waits here for a yes.
    pub fn holds(&self, id: &str) -> bool {
        self.waits.iter().any(|wait| wait.holds(id))
    }

    /// Whether one more question may wait here.
    pub fn has_room(&self) -> bool {
        self.waits.len() < DEPTH
    }

    /// Takes the call `id` out, which waits for a yes; the history has nothing of it.
    pub fn take_held(&mut self, id: &str) -> Option<HeldCall> {
        let index = self.waits.iter().position(|wait| wait.holds(id))?;
        Some(HeldCall(self.waits.remove(index)))
    }

    /// Puts a held call below all that is open: it is asked when nothing else is.
    pub(super) fn hold(&mut self, held: HeldCall) {
        self.waits.insert(0, held.0);
    }
}

impl Turn {
    pub(super) fn call_from_outside(&mut self, wish: OutsideWish) {
        let call = ToolCall::new(wish.id, wish.call.tool, wish.call.arguments.to_string());
        let mut batch = Batch::new(AssistantMessage::calls(vec![call]));
        for entry in &mut batch.entries {
            entry.outside = Some(wish.caller.clone());
        }
        self.phase = Phase::Batch(batch);
    }
}
