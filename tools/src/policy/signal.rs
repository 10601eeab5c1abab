//! Setting a signal directly is judged as the calls of the car's own tools that it comes to.

use super::facts::Facts;
use crate::car_control::{Deed, deeds};
use crate::generic_signals::SET_SIGNAL;
use incar_core::{PolicyQuery, QueryStage};
use serde_json::Value;

/// The calls of the car's own tools that a call comes to; none but for `set_signal`.
pub(super) fn deeds_of(call: &PolicyQuery<'_>, facts: &Facts) -> Vec<Deed> {
    if call.tool.name != SET_SIGNAL {
        return Vec::new();
    }
    let signal = call.arguments.get("signal").and_then(Value::as_str);
    let (Some(signal), Some(value)) = (signal, call.arguments.get("value")) else {
        return Vec::new();
    };
    deeds(signal, value, facts.layout())
}

/// The queries that would be asked about these calls.
pub(super) fn queries<'a>(call: &PolicyQuery<'a>, deeds: &'a [Deed]) -> Vec<PolicyQuery<'a>> {
    let query = |deed: &'a Deed| {
        let query = PolicyQuery::new(&deed.tool, &deed.arguments, call.speaker, call.lang, call.utterance);
        match call.stage {
            QueryStage::Call => query,
            QueryStage::Question => query.before_asking(),
        }
    };
    deeds.iter().map(query).collect()
}
