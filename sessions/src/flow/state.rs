//! What a flow has gathered.

use super::definition::FlowDefinition;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What a flow has gathered so far: written down between utterances, for as long as days.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct FlowState {
    /// The definition's version that wrote it.
    pub version: u16,
    /// The values, checked.
    pub values: Map<String, Value>,
    /// The slots in the order their values were given: what "go back" goes back to.
    pub given: Vec<String>,
    /// Slots that are not to be asked for.
    pub skipped: Vec<String>,
    /// The slot that was asked for last.
    pub asked: Option<String>,
}

impl FlowState {
    /// Reads a state as it was written. One that cannot be read is an empty one: what is lost is asked
    /// for again.
    pub fn from_value(state: Option<&Value>) -> Self {
        state
            .and_then(|state| Self::deserialize(state).ok())
            .unwrap_or_default()
    }

    /// The state, to be written.
    pub fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// The value of a slot.
    pub fn value(&self, slot: &str) -> Option<&Value> {
        self.values.get(slot)
    }

    pub(super) fn put(&mut self, slot: &str, value: Value) -> bool {
        self.skipped.retain(|skipped| skipped != slot);
        if self.values.get(slot) == Some(&value) {
            return false;
        }
        self.given.retain(|given| given != slot);
        self.given.push(slot.to_owned());
        self.values.insert(slot.to_owned(), value);
        true
    }

    pub(super) fn take(&mut self, slot: &str) -> Option<Value> {
        self.given.retain(|given| given != slot);
        self.values.remove(slot)
    }

    /// Drops what the definition does not know: it was written by another version.
    pub(super) fn fit(&mut self, definition: &FlowDefinition) {
        let known = |slot: &String| definition.slot_named(slot).is_some();
        self.values.retain(|slot, _| known(slot));
        let values = &self.values;
        self.given.retain(|slot| values.contains_key(slot));
        for slot in &definition.slots {
            if self.values.contains_key(&slot.name) && !self.given.contains(&slot.name) {
                self.given.push(slot.name.clone());
            }
        }
        self.skipped.retain(known);
        self.asked = self.asked.take().filter(known);
        if self.version != definition.version {
            // What may be skipped may be another now.
            self.skipped.clear();
            self.version = definition.version;
        }
    }
}
