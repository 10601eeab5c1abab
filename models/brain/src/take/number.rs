//! What a frame takes of numbers.

use super::bind;
use crate::frame::{Bind, Frame, Named, Said};
use crate::lexicon::{Lexicon, Tool, Use};
use incar_core::words::{Standing, ValueKind};
use incar_text::{Number, NumberKind};
use serde_json::Value;

pub(super) fn with_number(
    lexicon: &Lexicon,
    tool: &Tool,
    mut frame: Frame,
    number: &Number,
    unit: Option<usize>,
) -> Option<Frame> {
    // Where a tool counts several things, the unit tells them apart: two nights, three guests.
    if let Some(argument) = counted(lexicon, &frame, tool, unit) {
        let end = frame.span.end;
        return bind(frame, argument, Said::Number(number.clone(), unit), end);
    }
    let told = |bind: &Bind| matches!(bind.said, Said::Number(..));
    if frame.number.is_some() || frame.extreme.is_some() || frame.binds.iter().any(told) {
        return None;
    }
    let argument = number_argument(lexicon, &frame, tool, number, unit)?;
    let entry = tool.arguments.get(argument)?;
    frame.cost += match unit {
        Some(_) => 0.0,
        None if entry.has_units => 0.12,
        None => 0.02,
    };
    let inside = match entry.schema.get("enum").and_then(Value::as_array) {
        Some(allowed) => allowed.contains(&Value::String(number.value.to_string())),
        None => number.value >= entry.bounds.0 && number.value <= entry.bounds.1,
    };
    frame.cost += match frame.named {
        _ if inside || frame.direction.is_some() => 0.0,
        // The thing was named: what is out of range is asked about, not given to another tool.
        Named::Topic | Named::Phrase => 0.1,
        Named::No | Named::Implied | Named::Alone => 0.6,
    };
    frame.number = Some((number.clone(), unit));
    if entry.standing == Standing::Alone && unit.is_some() {
        frame.named = frame.named.max(Named::Alone);
    }
    Some(frame)
}

/// The argument that a unit alone decides, of a tool that counts several things.
fn counted(lexicon: &Lexicon, frame: &Frame, tool: &Tool, unit: Option<usize>) -> Option<usize> {
    let uses = lexicon.uses(unit?);
    let counts = |index: &usize| {
        let entry = tool.arguments.get(*index);
        entry.is_some_and(|entry| entry.kind == ValueKind::Number && entry.has_units)
    };
    let mut all = (0..tool.arguments.len()).filter(counts);
    let several = all.clone().nth(1).is_some();
    let index = frame.tool?;
    let united = |argument: &usize| {
        uses.contains(&Use::Unit {
            tool: index,
            argument: *argument,
        })
    };
    all.find(united).filter(|_| several)
}

/// Which argument of the tool a number is for.
pub(crate) fn number_argument(
    lexicon: &Lexicon,
    frame: &Frame,
    tool: &Tool,
    number: &Number,
    unit: Option<usize>,
) -> Option<usize> {
    let index = frame.tool?;
    let part = matches!(number.kind, NumberKind::Percent | NumberKind::Fraction);
    let kinds: &[ValueKind] = if part {
        &[ValueKind::Percent, ValueKind::Number]
    } else {
        &[
            ValueKind::Number,
            ValueKind::Level,
            ValueKind::Percent,
            ValueKind::Seconds,
        ]
    };
    let fits = |argument: usize, kind: ValueKind| {
        let Some(entry) = tool.arguments.get(argument) else {
            return false;
        };
        let bare = unit.is_none() && kind != ValueKind::Seconds;
        // A value of several types takes a percentage as it stands.
        let open = number.kind == NumberKind::Percent && entry.schema.get("type").is_some_and(Value::is_array);
        let share = kind == ValueKind::Percent || entry.bounds.1 == 100.0 || frame.direction.is_some() || open;
        let united = unit.is_some_and(|unit| lexicon.uses(unit).contains(&Use::Unit { tool: index, argument }));
        entry.kind == kind && if part { share } else { bare || united }
    };
    kinds.iter().find_map(|kind| {
        (0..tool.arguments.len()).find(|argument| fits(*argument, *kind) && frame.bound(*argument).is_none())
    })
}
