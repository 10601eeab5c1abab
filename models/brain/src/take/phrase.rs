//! What a frame takes of whole phrases.

use super::{bind, with_tool};
use crate::frame::{Bind, Frame, Named, Said};
use crate::lattice::{Capture, Edge};
use crate::lexicon::Lexicon;
use incar_core::words::{Force, ValueKind};

pub(super) fn take_phrase(
    lexicon: &Lexicon,
    frame: &Frame,
    edge: &Edge,
    entry: usize,
    captures: &[(usize, Capture)],
    out: &mut Vec<Frame>,
) {
    let Some(phrase) = lexicon.entries.get(entry) else {
        return;
    };
    if frame.tool.is_some_and(|known| known != phrase.tool) {
        return;
    }
    let Some(tool) = lexicon.tools.get(phrase.tool) else {
        return;
    };
    let named = if phrase.force == Force::Part {
        Named::No
    } else {
        Named::Phrase
    };
    let Some(mut with) = with_tool(lexicon, frame, phrase.tool, named) else {
        return;
    };
    for (argument, value) in &phrase.set {
        match bind(with, *argument, Said::Value(value.clone()), edge.end) {
            Some(bound) => with = bound,
            None => return,
        }
    }
    for (argument, capture) in captures {
        let said = match capture {
            Capture::Text(range) => {
                with.open_end = edge.end;
                Said::Text(range.clone())
            }
            Capture::Number(number, unit) => Said::Number(number.clone(), *unit),
            Capture::Figures(figures) => Said::Figures(figures.clone()),
            Capture::Place(place) => Said::Places(vec![*place]),
            Capture::Value(value) => match tool
                .arguments
                .get(*argument)
                .and_then(|argument| argument.values.get(*value))
            {
                Some(value) => Said::Value(value.clone()),
                None => return,
            },
        };
        let repeated = matches!(tool.arguments.get(*argument), Some(entry) if entry.kind == ValueKind::Texts);
        if repeated && with.bound(*argument).is_some() {
            with.binds.push(Bind {
                argument: *argument,
                said,
                end: edge.end,
                own: true,
            });
            continue;
        }
        match bind(with, *argument, said, edge.end) {
            Some(bound) => with = bound,
            None => return,
        }
    }
    with.hint |= phrase.force == Force::Hint && frame.named == Named::No;
    with.cost += edge.cost;
    with.span.end = edge.end;
    out.push(with);
}
