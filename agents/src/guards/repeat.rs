//! No second run of the same act within a turn, unless it was said twice.

use super::evidence::Evidence;
use incar_core::Grasp;
use incar_core::turn::Repetition;
use serde_json::Value;

/// Nobody says "next track" more often than this in one breath.
const MOST: usize = 10;

/// How often an equal call was said: as often as the utterance names it (下一首，再下一首), or a number
/// of times (twice). Where the device cannot read all of the utterance, a model's one reply is
/// believed.
pub(super) fn counted(tool: &str, arguments: &Value, evidence: &Evidence<'_>) -> Repetition {
    let Some(reading) = evidence.reading().filter(|reading| reading.grasp == Grasp::Whole) else {
        return Repetition::OneReply;
    };
    let same = |said: &serde_json::Map<String, Value>| {
        let given = arguments.as_object();
        said.iter()
            .all(|(name, value)| given.and_then(|given| given.get(name)) == Some(value))
    };
    let named = reading.of(tool).filter(|call| same(&call.arguments)).count();
    if named == 0 {
        return Repetition::OneReply;
    }
    let times = evidence.numbers().iter().filter_map(|number| count(*number)).max();
    Repetition::Counted(named.max(times.unwrap_or(1)))
}

fn count(number: f64) -> Option<usize> {
    (2..=MOST).find(|&times| (times as f64 - number).abs() < f64::EPSILON)
}
