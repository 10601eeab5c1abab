//! What a frame takes: the readings of spans, one by one, as far as they fit its tool.

mod class;
mod number;
mod phrase;

use crate::frame::{Bind, Frame, Named, Said};
use crate::generic::{Class, Place};
use crate::lattice::{Capture, Edge, Reading};
use crate::lexicon::{Lexicon, Tool, Use};
use incar_core::words::{Needs, Standing, ValueKind};

use class::with_class;
pub(crate) use number::number_argument;
use number::with_number;
use phrase::take_phrase;

/// How many words of a wish may stand before what it is about.
const MOST_PENDING: usize = 10;

/// Takes `edge` into `frame` in every way that fits, each with what it costs.
pub(crate) fn take(lexicon: &Lexicon, frame: &Frame, edge: &Edge, out: &mut Vec<Frame>) {
    let before = out.len();
    read(lexicon, frame, edge, out);
    for taken in out.iter_mut().skip(before) {
        taken.mends.extend_from_slice(&edge.mends);
    }
}

fn read(lexicon: &Lexicon, frame: &Frame, edge: &Edge, out: &mut Vec<Frame>) {
    match &edge.reading {
        Reading::Word(word) => {
            for meaning in lexicon.uses(*word) {
                take_meaning(lexicon, frame, edge, meaning, out);
            }
        }
        Reading::Phrase {
            entry,
            captures,
            telling,
        } => {
            let before = out.len();
            take_phrase(lexicon, frame, edge, *entry, captures, out);
            let free = captures.iter().any(|(_, capture)| matches!(capture, Capture::Text(_)));
            for taken in out.iter_mut().skip(before) {
                taken.untold |= free && *telling == 0 && frame.named <= Named::Implied;
            }
        }
        Reading::Number { unit, .. } => {
            match frame.tool {
                Some(_) => out.extend(taken(lexicon, frame, edge, None)),
                None => {
                    out.extend(waiting(frame, edge));
                    // A unit of its own may name the tool: 二十二度.
                    let units = unit.map_or(&[][..], |unit| lexicon.uses(unit));
                    for meaning in units {
                        if let Use::Unit { tool, argument } = meaning
                            && stands_alone(lexicon, *tool, *argument)
                            && let Some(named) = with_tool(lexicon, frame, *tool, Named::Alone)
                        {
                            out.extend(taken(lexicon, &named, edge, None));
                        }
                    }
                }
            }
        }
        Reading::Bare { tool, argument } => {
            if frame.tool.is_none_or(|known| known == *tool)
                && let Some(named) = with_tool(lexicon, frame, *tool, Named::No)
                && let Some(mut bound) = bind(named, *argument, Said::Text(edge.start..edge.end), edge.end)
            {
                bound.cost += edge.cost;
                out.push(bound);
            }
        }
        Reading::Date | Reading::Target => match frame.tool {
            Some(_) => out.extend(taken(lexicon, frame, edge, None)),
            None => {
                out.extend(waiting(frame, edge));
            }
        },
    }
}

/// The frame with an edge that waits for its tool to be known.
fn waiting(frame: &Frame, edge: &Edge) -> Option<Frame> {
    if frame.pending.len() >= MOST_PENDING {
        return None;
    }
    let mut pending = frame.clone();
    pending.pending.push(edge.clone());
    pending.span.end = edge.end;
    Some(pending)
}

fn stands_alone(lexicon: &Lexicon, tool: usize, argument: usize) -> bool {
    let entry = lexicon.tools.get(tool).and_then(|tool| tool.arguments.get(argument));
    entry.is_some_and(|entry| entry.standing == Standing::Alone)
}

fn take_meaning(lexicon: &Lexicon, frame: &Frame, edge: &Edge, meaning: &Use, out: &mut Vec<Frame>) {
    match meaning {
        Use::Unit { .. } | Use::List(_) => {}
        Use::Class(Class::Glue | Class::Filler) => {
            let mut with = frame.clone();
            with.span.end = edge.end;
            with.cost += if frame.open_end == edge.start && edge.start > 0 {
                0.14
            } else {
                0.06
            };
            out.push(with);
        }
        Use::Class(Class::Join) => {
            let mut with = frame.clone();
            with.span.end = edge.end;
            with.cost += 0.12;
            out.push(with);
        }
        Use::Class(_) | Use::Place(_) => match frame.tool {
            Some(_) => out.extend(taken(lexicon, frame, edge, Some(meaning))),
            None => {
                let Some(mut pending) = waiting(frame, edge) else {
                    return;
                };
                // 五挡打开座椅通风: a verb after an amount begins another wish.
                let verb = matches!(meaning, Use::Class(Class::Open | Class::Close));
                let amount = |edge: &Edge| matches!(edge.reading, Reading::Number { .. });
                if verb && frame.pending.iter().any(amount) {
                    pending.cost += 0.5;
                }
                // A word with several generic meanings is taken once; the tool decides.
                if !out.contains(&pending) {
                    out.push(pending);
                }
            }
        },
        Use::Topic { tool, topic } => {
            if frame.tool.is_none_or(|known| known == *tool)
                && let Some(named) = with_tool(lexicon, frame, *tool, Named::Topic)
            {
                out.extend(with_topic(lexicon, named, edge, *tool, *topic));
            }
        }
        Use::Value { tool, argument, value } => {
            let standing = if stands_alone(lexicon, *tool, *argument) {
                Named::Alone
            } else {
                Named::No
            };
            if frame.tool.is_none_or(|known| known == *tool)
                && let Some(named) = with_tool(lexicon, frame, *tool, standing)
                && let Some(value) = lexicon
                    .tools
                    .get(*tool)
                    .and_then(|tool| tool.arguments.get(*argument))
                    .and_then(|argument| argument.values.get(*value))
            {
                out.extend(
                    bind(named, *argument, Said::Value(value.clone()), edge.end).map(|mut bound| {
                        bound.cost += edge.cost;
                        bound
                    }),
                );
            }
        }
    }
}

/// The frame with its tool known: what was pending is taken now.
fn with_tool(lexicon: &Lexicon, frame: &Frame, tool: usize, named: Named) -> Option<Frame> {
    let mut known = frame.clone();
    known.named = known.named.max(named);
    if known.tool.is_some() {
        return Some(known);
    }
    known.tool = Some(tool);
    for edge in std::mem::take(&mut known.pending) {
        known = taken(lexicon, &known, &edge, None)?;
    }
    Some(known)
}

fn with_topic(lexicon: &Lexicon, mut frame: Frame, edge: &Edge, tool: usize, topic: usize) -> Option<Frame> {
    let entry = lexicon.tools.get(tool)?;
    let topic = entry.topics.get(topic)?;
    for (key, value) in &topic.set {
        let argument = entry.argument(key)?;
        match frame.bound(argument) {
            Some(bound) if bound.said == Said::Value(value.clone()) => {}
            Some(_) => return None,
            None => frame.binds.push(Bind {
                argument,
                said: Said::Value(value.clone()),
                end: edge.end,
                own: false,
            }),
        }
    }
    // Of several topics one that needs nothing is enough.
    frame.needs = match frame.needs {
        Some(Needs::Nothing) => Some(Needs::Nothing),
        _ => Some(topic.needs),
    };
    frame.cost += 0.8 * topic.doubt + edge.cost;
    frame.plural |= edge.plural;
    if let Some(wanted) = topic.wants.as_ref().and_then(|name| entry.argument(name)) {
        frame.wants = Some(wanted);
    }
    frame.span.end = edge.end;
    Some(frame)
}

/// The frame, its tool known, with a generic edge taken; `None` where it does not fit.
fn taken(lexicon: &Lexicon, frame: &Frame, edge: &Edge, meaning: Option<&Use>) -> Option<Frame> {
    let tool = lexicon.tools.get(frame.tool?)?;
    let mut with = match (&edge.reading, meaning) {
        (Reading::Word(word), None) => {
            // Of a word's generic meanings the first that fits counts.
            let uses = lexicon.uses(*word);
            let mut fits = uses
                .iter()
                .filter(|meaning| matches!(meaning, Use::Class(_) | Use::Place(_)));
            return fits.find_map(|meaning| taken(lexicon, frame, edge, Some(meaning)));
        }
        // "Too" says that another one is meant only behind what it is about: not in "too bright".
        (Reading::Word(word), Some(Use::Class(Class::Also)))
            if !frame.says_something() && lexicon.uses(*word).contains(&Use::Class(Class::Too)) =>
        {
            return None;
        }
        (Reading::Word(_), Some(Use::Class(class))) => with_class(tool, frame.clone(), *class, edge)?,
        (Reading::Word(_), Some(Use::Place(place))) => with_place(tool, frame.clone(), *place, edge)?,
        (Reading::Number { number, unit }, _) => with_number(lexicon, tool, frame.clone(), number, *unit)?,
        (Reading::Date, _) => {
            let argument = tool.of_kind(ValueKind::Date)?;
            bind(frame.clone(), argument, Said::Text(edge.start..edge.end), edge.end)?
        }
        (Reading::Target, _) => {
            let mut with = frame.clone();
            with.target = true;
            with
        }
        (Reading::Word(_) | Reading::Phrase { .. } | Reading::Bare { .. }, _) => return None,
    };
    with.cost += edge.cost;
    with.span.end = edge.end;
    Some(with)
}

fn bind(mut frame: Frame, argument: usize, said: Said, end: usize) -> Option<Frame> {
    frame.span.end = end;
    match frame.binds.iter_mut().find(|bind| bind.argument == argument) {
        None => frame.binds.push(Bind {
            argument,
            said,
            end,
            own: true,
        }),
        Some(bound) if bound.said == said => {
            bound.own = true;
            frame.cost += 0.25;
        }
        Some(_) => return None,
    }
    Some(frame)
}

fn with_place(tool: &Tool, mut frame: Frame, place: Place, edge: &Edge) -> Option<Frame> {
    for (other, argument, value) in &tool.by_place {
        if *other == place {
            let said = tool.arguments.get(*argument)?.values.get(*value)?;
            if let Some(with) = bind(frame.clone(), *argument, Said::Value(said.clone()), edge.end) {
                return Some(with);
            }
        }
    }
    let Some(argument) = tool.of_kind(ValueKind::Position) else {
        // "my" and "all" say little where no place is wanted.
        frame.cost += 0.15;
        // Of a state one may ask by its place: "is the driver window open".
        let asked = tool.reads && tool.of_kind(ValueKind::Name).is_none();
        return (asked || matches!(place, Place::Own | Place::All)).then_some(frame);
    };
    let amount = frame.has_amount();
    match frame.binds.iter_mut().find(|bind| bind.argument == argument) {
        None => {
            // 后 after the topic is rather "after that" than "the rear".
            frame.cost += match (edge.end - edge.start, frame.named) {
                (1, Named::Topic | Named::Phrase) => 0.3,
                (1, _) => 0.05,
                _ => 0.0,
            };
            // What was said so far is whole; the place rather begins the next wish.
            frame.cost += if frame.has_amount() && frame.named >= Named::Topic {
                0.06
            } else {
                0.0
            };
            return bind(frame, argument, Said::Places(vec![place]), edge.end);
        }
        Some(bound) => {
            let Said::Places(places) = &mut bound.said else {
                return None;
            };
            let last = *places.last()?;
            match last.narrowed(place) {
                Some(exact) => {
                    places.pop();
                    places.push(exact);
                }
                // 主驾和副驾, 主驾副驾: more places of the same wish stand close together.
                None if edge.start <= bound.end + 3 && place != last && !amount => places.push(place),
                // A place said again after an amount rather begins the next wish.
                None if place == last => frame.cost += if amount { 0.5 } else { 0.0 },
                None => return None,
            }
            bound.end = edge.end;
            bound.own = true;
        }
    }
    Some(frame)
}
