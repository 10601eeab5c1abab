//! A turn whose process died, taken up by another.

use super::batch::{CallResult, EntryState};
use super::{Phase, Turn};
use crate::outcome::Outcome;
use crate::response::FinishReason;
use serde::{Deserialize, Deserializer};

/// The version of a serialised turn. A reader refuses what is newer than it knows.
pub(super) const SCHEMA: u16 = 1;

pub(super) fn known_schema<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u16, D::Error> {
    let found = u16::deserialize(deserializer)?;
    if found > SCHEMA {
        return Err(serde::de::Error::custom(format!(
            "the saved turn has schema {found}; this version reads up to {SCHEMA}"
        )));
    }
    Ok(found)
}

/// What becomes of the calls of an interrupted turn that were not looked at yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unbegun {
    /// They run: the wish is still fresh.
    Run,
    /// They are cancelled: nobody expects them any more.
    Cancel,
}

impl Turn {
    /// Takes up a turn that was saved on its way. The calls of its last reply come to their end, and
    /// nothing else begins. No model is asked: the tools' own sentences tell what came of it, also
    /// where that is not known.
    pub fn take_up(&mut self, unbegun: Unbegun) {
        self.bound = Some(FinishReason::Interrupted);
        let Phase::Batch(batch) = &self.phase else { return };
        if unbegun == Unbegun::Run {
            return;
        }
        let new = |state: &EntryState| matches!(state, EntryState::New | EntryState::Held { .. });
        let indexes: Vec<usize> = (0..)
            .zip(&batch.entries)
            .filter_map(|(index, entry)| new(&entry.state).then_some(index))
            .collect();
        for index in indexes {
            self.end_call(index, CallResult::cancelled());
        }
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.bound == Some(FinishReason::Interrupted)
    }

    /// Whether the turn was interrupted and calls of it never ran.
    pub(super) fn left_undone(&self) -> bool {
        self.is_interrupted()
            && self
                .records
                .iter()
                .any(|record| record.result.outcome == Outcome::Cancelled)
    }
}
