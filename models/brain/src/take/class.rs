//! What a frame takes of generic words: verbs, directions, negations.

use super::bind;
use crate::frame::{Direction, Frame, Said};
use crate::generic::Class;
use crate::lattice::Edge;
use crate::lexicon::Tool;
use incar_core::words::ValueKind;

pub(super) fn with_class(tool: &Tool, mut frame: Frame, class: Class, edge: &Edge) -> Option<Frame> {
    let choices = tool.by_class.iter().filter(|(other, ..)| *other == class);
    for (_, argument, value) in choices {
        let said = tool.arguments.get(*argument)?.values.get(*value)?;
        // A verb said twice begins another wish.
        if frame.verb == Some(class) && frame.bound(*argument).is_some() {
            continue;
        }
        let mut with = frame.clone();
        with.verb = Some(class);
        if let Some(with) = bind(with, *argument, Said::Value(said.clone()), edge.end) {
            return Some(with);
        }
    }
    let changes = tool.of_kind(ValueKind::Change).is_some();
    let ranges = tool.of_kind(ValueKind::Level).is_some() || tool.of_kind(ValueKind::Percent).is_some();
    match class {
        Class::Up | Class::Down if changes => {
            let said = if class == Class::Up {
                Direction::Up
            } else {
                Direction::Down
            };
            let said = if std::mem::take(&mut frame.too) {
                said.opposite()
            } else {
                said
            };
            if frame.direction.is_some_and(|known| known != said) || frame.extreme.is_some() {
                return None;
            }
            frame.direction = Some(said);
        }
        Class::Max | Class::Min if ranges => {
            let said = if class == Class::Max {
                Direction::Up
            } else {
                Direction::Down
            };
            if frame.extreme.is_some() || frame.number.is_some() {
                return None;
            }
            // 调低到最低 says one thing.
            frame.direction = None;
            frame.extreme = Some(said);
        }
        Class::Some => {
            frame.some = true;
            frame.cost += if changes || !tool.by_class.is_empty() {
                0.02
            } else {
                0.4
            };
        }
        Class::To => {
            frame.target = true;
            // 我晚点到: right after free text it may well be part of it.
            let ends_text = frame.open_end == edge.start && edge.start > 0;
            frame.cost += if ends_text { 0.14 } else { 0.02 };
        }
        Class::Too if changes => {
            frame.too = true;
            frame.cost += 0.1;
        }
        Class::Not => {
            if frame.negated {
                return None;
            }
            frame.negated = true;
            frame.cost += 0.15;
        }
        Class::Question => {
            frame.question = true;
            frame.cost += if tool.reads { 0.02 } else { 0.7 };
        }
        Class::Also => {
            frame.also = true;
            frame.cost += 0.04;
        }
        // "Turn on sport mode": where a mode is chosen, the verb says nothing.
        Class::Open if chooses(tool) => frame.cost += 0.1,
        // 打开空调一挡: where an amount is set, it says little.
        Class::Open if changes && tool.by_class.iter().all(|(class, ..)| *class != Class::Open) => frame.cost += 0.35,
        Class::By => frame.cost += 0.04,
        Class::Set => {
            frame.set = true;
            frame.cost += 0.04;
        }
        // Words of state belong to a question about it: 空调开了吗.
        Class::Open | Class::Close | Class::Stop | Class::Up | Class::Down | Class::Max | Class::Min if tool.reads => {
            frame.cost += 0.1;
        }
        Class::Open
        | Class::Close
        | Class::Stop
        | Class::Up
        | Class::Down
        | Class::Max
        | Class::Min
        | Class::Too
        | Class::Correct
        | Class::Join
        | Class::Glue
        | Class::Filler
        | Class::Alien
        | Class::Name
        | Class::Unable
        | Class::Later
        | Class::How
        | Class::Told => return None,
    }
    frame.span.end = edge.end;
    Some(frame)
}

/// Whether the tool chooses among values and knows no on and off.
fn chooses(tool: &Tool) -> bool {
    tool.by_class.iter().all(|(class, ..)| *class != Class::Open)
        && tool
            .arguments
            .iter()
            .any(|argument| argument.required && argument.kind == ValueKind::Word && !argument.values.is_empty())
}
