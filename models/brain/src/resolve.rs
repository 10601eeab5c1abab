//! A frame's arguments as JSON.

use crate::frame::{Direction, Frame, Said};
use crate::generic::Place;
use crate::lattice::Lattice;
use crate::lexicon::{Argument, Lexicon, Tool, Use};
use crate::schema::number_value;
use crate::take::number_argument;
use incar_core::Seat;
use incar_core::words::ValueKind;
use incar_text::{Number, NumberKind};
use serde_json::{Map, Value};
use std::ops::Range;

/// The arguments that a frame says: one set for each place where it names several.
pub(crate) fn arguments(
    lexicon: &Lexicon,
    lattice: &Lattice<'_>,
    frame: &Frame,
    seat: Seat,
) -> Vec<Map<String, Value>> {
    let Some(tool) = frame.tool.and_then(|tool| lexicon.tools.get(tool)) else {
        return Vec::new();
    };
    let mut said = Map::new();
    let mut spread: Option<(String, Vec<Value>)> = None;
    for bind in &frame.binds {
        let Some(argument) = tool.arguments.get(bind.argument) else {
            continue;
        };
        match &bind.said {
            Said::Value(value) => {
                said.insert(argument.name.clone(), value.clone());
            }
            Said::Text(range) => {
                let words = match argument.kind {
                    // The 下 of 下周五 is no carrier; a day is known, so it is given as it was meant.
                    ValueKind::Date => lattice.retold(range, &frame.mends),
                    _ => words_of(lattice, &lattice.trimmed(range.clone())),
                };
                let bare = words.strip_suffix("'s").or_else(|| words.strip_suffix("’s"));
                add_text(&mut said, argument, bare.unwrap_or(&words));
            }
            Said::Figures(figures) => {
                said.insert(argument.name.clone(), crate::schema::fitted(&argument.schema, figures));
            }
            Said::Number(number, unit) => {
                if let Some(value) = amount(lexicon, argument, number, *unit) {
                    said.insert(argument.name.clone(), value);
                }
            }
            Said::Places(places) => {
                let names: Vec<Value> = merged(places).iter().map(|place| place.name(seat).into()).collect();
                match names.as_slice() {
                    [only] => {
                        said.insert(argument.name.clone(), only.clone());
                    }
                    _ => spread = Some((argument.name.clone(), names)),
                }
            }
        }
    }
    add_amount(lexicon, frame, tool, &mut said);
    // "the windows" are all of them.
    if frame.plural
        && spread.is_none()
        && let Some(argument) = tool
            .of_kind(ValueKind::Position)
            .and_then(|index| tool.arguments.get(index))
        && argument.required
    {
        said.entry(argument.name.clone())
            .or_insert_with(|| Place::All.name(seat).into());
    }
    match spread {
        None => vec![said],
        Some((name, values)) => values
            .into_iter()
            .map(|value| {
                let mut one = said.clone();
                one.insert(name.clone(), value);
                one
            })
            .collect(),
    }
}

/// Places said together, as few as they come to.
fn merged(places: &[Place]) -> Vec<Place> {
    let mut merged: Vec<Place> = Vec::new();
    for place in places {
        match merged.last().and_then(|last| last.together(*place)) {
            Some(together) => {
                merged.pop();
                merged.push(together);
            }
            None => merged.push(*place),
        }
    }
    merged
}

fn add_text(said: &mut Map<String, Value>, argument: &Argument, text: &str) {
    if argument.kind == ValueKind::Texts {
        let list = said
            .entry(argument.name.clone())
            .or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(list) = list {
            list.extend(parts(text).map(Value::from));
        }
        return;
    }
    said.insert(argument.name.clone(), crate::schema::fitted(&argument.schema, text));
}

/// The names that a list in one breath holds: 龙井村和灵隐寺.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let split = |part: &&str| !part.trim().is_empty();
    text.split(['、', '和', '，', ','])
        .flat_map(|part| part.split(" and "))
        .map(str::trim)
        .filter(move |part| split(part))
}

/// The speaker's own words for a range.
pub(crate) fn words_of(lattice: &Lattice<'_>, range: &Range<usize>) -> String {
    lattice.text.original(range.clone()).trim().to_owned()
}

fn add_amount(lexicon: &Lexicon, frame: &Frame, tool: &Tool, said: &mut Map<String, Value>) {
    let change = tool
        .of_kind(ValueKind::Change)
        .and_then(|index| tool.arguments.get(index));
    if let Some(extreme) = frame.extreme {
        let level = tool
            .of_kind(ValueKind::Level)
            .and_then(|index| tool.arguments.get(index));
        let share = tool
            .of_kind(ValueKind::Percent)
            .and_then(|index| tool.arguments.get(index));
        let high = extreme == Direction::Up;
        if let Some(level) = level {
            said.insert(level.name.clone(), if high { "max" } else { "min" }.into());
        } else if let Some(share) = share {
            said.insert(share.name.clone(), if high { 100 } else { 0 }.into());
        }
        return;
    }
    match (&frame.number, frame.direction, change) {
        (Some((number, _)), Some(direction), Some(change)) if !frame.target => {
            let amount = signed(share_of(tool, number), direction);
            said.insert(change.name.clone(), number_value(amount));
        }
        // "warm it up" two degrees: the phrase says the direction.
        (Some((number, _)), None, Some(change)) if !frame.target && said.contains_key(&change.name) => {
            let up = said
                .get(&change.name)
                .and_then(Value::as_f64)
                .is_some_and(|amount| amount > 0.0);
            let direction = if up { Direction::Up } else { Direction::Down };
            said.insert(change.name.clone(), number_value(signed(number.value, direction)));
        }
        (Some((number, unit)), _, _) => {
            if let Some(change) = change {
                said.remove(&change.name);
            }
            let argument =
                number_argument(lexicon, frame, tool, number, *unit).and_then(|index| tool.arguments.get(index));
            if let Some(argument) = argument
                && let Some(value) = amount(lexicon, argument, number, *unit)
            {
                said.insert(argument.name.clone(), value);
            }
            add_unit(lexicon, frame, tool, *unit, said);
        }
        (None, Some(direction), Some(change)) => {
            said.insert(change.name.clone(), number_value(signed(change.step, direction)));
        }
        _ => {}
    }
}

/// A unit that is itself a value of an argument: five `cm`.
fn add_unit(lexicon: &Lexicon, frame: &Frame, tool: &Tool, unit: Option<usize>, said: &mut Map<String, Value>) {
    for meaning in unit.map_or(&[][..], |unit| lexicon.uses(unit)) {
        if let Use::Value {
            tool: index,
            argument,
            value,
        } = meaning
            && Some(*index) == frame.tool
            && let Some(argument) = tool.arguments.get(*argument)
            && let Some(value) = argument.values.get(*value)
        {
            said.entry(argument.name.clone()).or_insert_with(|| value.clone());
        }
    }
}

/// A number as a change: 一半 of what goes to a hundred is fifty.
fn share_of(tool: &Tool, number: &Number) -> f64 {
    let whole = tool
        .arguments
        .iter()
        .any(|argument| argument.kind == ValueKind::Number && argument.bounds.1 == 100.0);
    match number.kind {
        NumberKind::Fraction if whole => (number.value * 100.0).round(),
        _ => number.value,
    }
}

fn signed(amount: f64, direction: Direction) -> f64 {
    match direction {
        Direction::Up => amount.abs(),
        Direction::Down => -amount.abs(),
    }
}

/// A number as the argument takes it.
fn amount(lexicon: &Lexicon, argument: &Argument, number: &Number, unit: Option<usize>) -> Option<Value> {
    let value = match number.kind {
        NumberKind::Fraction if argument.bounds.1 == 100.0 || argument.kind == ValueKind::Percent => {
            (number.value * 100.0).round()
        }
        _ if argument.kind == ValueKind::Seconds => number.value * unit.map_or(1.0, |unit| lexicon.seconds(unit)),
        _ => number.value,
    };
    let kind = argument.schema.get("type").and_then(Value::as_str);
    match kind {
        Some("string") => Some(number_value(value).to_string().into()),
        Some("integer") if value.fract() != 0.0 => None,
        _ => Some(number_value(value)),
    }
}
