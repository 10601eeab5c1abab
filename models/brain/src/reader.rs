//! The brain as the one who reads what an utterance says, so that a model is not believed blindly.

use crate::Brain;
use crate::confidence::Confidence;
use crate::generic::{Class, Place};
use crate::lexicon::{Argument, Lexicon, Tool, Use};
use crate::plan::add_implied;
use crate::symbols::stems;
use crate::understand::understand;
use incar_core::words::ValueKind;
use incar_core::{GivenValue, Grasp, ReadCall, Reading, Seat, ToolSet, UtteranceReader};
use incar_text::{Gap, Text};
use serde_json::Value;

impl UtteranceReader for Brain {
    fn read(&self, text: &str, tools: &ToolSet, seat: Seat) -> Reading {
        let lexicon = self.lexicon(tools);
        let understood = understand(&lexicon, text, seat, None);
        let grasp = match understood.confidence {
            _ if understood.wishes.is_empty() => Grasp::Little,
            confidence if confidence >= Confidence::WHOLE => Grasp::Whole,
            confidence if confidence >= Confidence::ACT => Grasp::Enough,
            _ => Grasp::Little,
        };
        let calls = understood.wishes.into_iter().filter_map(|mut wish| {
            let tool = lexicon.tools.get(wish.tool)?;
            add_implied(tool, &mut wish.arguments);
            Some(ReadCall::new(tool.spec.name.to_string(), wish.arguments))
        });
        Reading::new(calls.collect(), grasp)
    }

    fn names(&self, text: &str, tools: &ToolSet, seat: Seat, given: GivenValue<'_>) -> bool {
        let lexicon = self.lexicon(tools);
        let found = lexicon
            .tools
            .iter()
            .enumerate()
            .find(|(_, tool)| tool.spec.name == given.tool);
        let Some((index, tool)) = found else { return false };
        let Some(argument) = tool.argument(given.argument) else {
            return false;
        };
        let sought = Sought {
            tool,
            index,
            argument,
            value: given.value,
            seat,
        };
        let text = Text::new(text);
        any_word(&lexicon, &text, |word| {
            lexicon.uses(word).iter().any(|meaning| sought.is(meaning))
        })
    }
}

/// Whether some word of the lexicon that stands in `text` is `wanted`.
fn any_word(lexicon: &Lexicon, text: &Text, wanted: impl Fn(usize) -> bool) -> bool {
    let symbols: Vec<Option<u32>> = stems(text).map(|stem| lexicon.symbol(stem)).collect();
    (0..symbols.len()).any(|start| {
        let mut node = 0;
        for (at, symbol) in symbols.iter().enumerate().skip(start) {
            let broken = at > start && text.gap_before(at) >= Gap::Comma;
            let Some(next) = symbol.filter(|_| !broken).and_then(|symbol| lexicon.step(node, symbol)) else {
                return false;
            };
            node = next;
            if lexicon.word_at(node).is_some_and(&wanted) {
                return true;
            }
        }
        false
    })
}

/// A value that some word may mean.
struct Sought<'a> {
    tool: &'a Tool,
    index: usize,
    argument: usize,
    value: &'a Value,
    seat: Seat,
}

impl Sought<'_> {
    fn is(&self, meaning: &Use) -> bool {
        let Some(argument) = self.tool.arguments.get(self.argument) else {
            return false;
        };
        match meaning {
            Use::Value {
                tool,
                argument: at,
                value,
            } => (*tool, *at) == (self.index, self.argument) && argument.values.get(*value) == Some(self.value),
            Use::Topic { tool, topic } => {
                *tool == self.index
                    && self
                        .tool
                        .topics
                        .get(*topic)
                        .is_some_and(|topic| topic.set.get(&argument.name) == Some(self.value))
            }
            Use::Place(place) => self.is_place(argument, *place),
            Use::Class(class) => self.is_class(argument, *class),
            Use::Unit { .. } | Use::List(_) => false,
        }
    }

    fn is_place(&self, argument: &Argument, place: Place) -> bool {
        if argument.kind == ValueKind::Position {
            return self.value.as_str() == Some(place.name(self.seat));
        }
        self.listed(&self.tool.by_place, place)
    }

    fn is_class(&self, argument: &Argument, class: Class) -> bool {
        let number = self.value.as_f64();
        match argument.kind {
            ValueKind::Change => match class {
                Class::Up => number.is_some_and(|number| number > 0.0),
                Class::Down => number.is_some_and(|number| number < 0.0),
                Class::Some | Class::Too => true,
                _ => false,
            },
            ValueKind::Level => match class {
                Class::Max => self.value.as_str() == Some("max"),
                Class::Min => self.value.as_str() == Some("min"),
                _ => false,
            },
            ValueKind::Percent => match class {
                Class::Max | Class::Open => number == Some(100.0),
                Class::Min | Class::Close => number == Some(0.0),
                _ => false,
            },
            // 都打开: all of them.
            ValueKind::Position => class == Class::Also && self.value.as_str() == Some(Place::All.name(self.seat)),
            _ => self.listed(&self.tool.by_class, class),
        }
    }

    /// Whether the words of a class, or of a place, stand for the value.
    fn listed<K: PartialEq>(&self, list: &[(K, usize, usize)], key: K) -> bool {
        list.iter().any(|(other, argument, value)| {
            *other == key
                && *argument == self.argument
                && self
                    .tool
                    .arguments
                    .get(*argument)
                    .and_then(|argument| argument.values.get(*value))
                    == Some(self.value)
        })
    }
}
