//! What a frame takes: the readings of spans, one by one, as far as they fit its tool.

use crate::frame::{Bind, Direction, Frame, Named, Said};
use crate::generic::{Class, Place};
use crate::lattice::{Capture, Edge, Reading};
use crate::lexicon::{Lexicon, Tool, Use};
use incar_core::words::{Force, Needs, Standing, ValueKind};
use incar_text::{Number, NumberKind};
use serde_json::Value;

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

fn with_class(tool: &Tool, mut frame: Frame, class: Class, edge: &Edge) -> Option<Frame> {
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
        | Class::Alien => return None,
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

fn with_number(
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
        let share = part && (kind == ValueKind::Percent || entry.bounds.1 == 100.0 || frame.direction.is_some());
        let united = unit.is_some_and(|unit| lexicon.uses(unit).contains(&Use::Unit { tool: index, argument }));
        entry.kind == kind && if part { share } else { bare || united }
    };
    kinds.iter().find_map(|kind| {
        (0..tool.arguments.len()).find(|argument| fits(*argument, *kind) && frame.bound(*argument).is_none())
    })
}

fn take_phrase(
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
