//! The lexicon of a tool set: compiled once from the tools' words and schemas.

mod patterns;
mod trie;

use crate::generic::{Class, Place, generic};
use crate::schema::{arguments_of, fitted, topic_of_name, words_of_schema};
use crate::sounding::Sounding;
use crate::symbols::{SymbolMap, units_of};
use incar_core::words::{Force, Standing, Topic, ValueKind};
use incar_core::{Effect, ToolSet, ToolSpec};
use serde_json::{Map, Value};
use std::sync::Arc;
use trie::Sprout;
pub(crate) use trie::{Node, Trie};

/// What a word may mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// A generic word.
    Class(Class),
    /// A place in the car.
    Place(Place),
    /// What a tool handles.
    Topic { tool: usize, topic: usize },
    /// A value of a tool's argument.
    Value { tool: usize, argument: usize, value: usize },
    /// A unit of a tool's number.
    Unit { tool: usize, argument: usize },
    /// A word of a list that phrases refer to.
    List(usize),
}

/// An argument, ready for the parser.
#[derive(Debug)]
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) kind: ValueKind,
    pub(crate) values: Vec<Value>,
    pub(crate) step: f64,
    pub(crate) standing: Standing,
    pub(crate) implies: Map<String, Value>,
    pub(crate) required: bool,
    pub(crate) bounds: (f64, f64),
    pub(crate) has_units: bool,
    pub(crate) schema: Value,
}

/// A tool, ready for the parser.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) spec: Arc<ToolSpec>,
    pub(crate) arguments: Vec<Argument>,
    pub(crate) topics: Vec<Topic>,
    pub(crate) by_class: Vec<(Class, usize, usize)>,
    pub(crate) by_place: Vec<(Place, usize, usize)>,
    pub(crate) reads: bool,
    /// The node from which what may be said in short begins.
    pub(crate) elliptical: u32,
    /// Its lists of words, by name.
    lists: Vec<(String, usize)>,
}

impl Tool {
    /// The index of the argument with that name.
    pub(crate) fn argument(&self, name: &str) -> Option<usize> {
        self.arguments.iter().position(|argument| argument.name == name)
    }

    /// The first argument of a kind.
    pub(crate) fn of_kind(&self, kind: ValueKind) -> Option<usize> {
        self.arguments.iter().position(|argument| argument.kind == kind)
    }
}

/// A phrase that a path through the trie ends in.
#[derive(Debug)]
pub(crate) struct PhraseEntry {
    pub(crate) tool: usize,
    pub(crate) set: Vec<(usize, Value)>,
    pub(crate) doubt: f32,
    pub(crate) force: Force,
}

/// A step in the trie of phrases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Link {
    Unit(u32),
    Class(Class),
    Place(Place),
    List(usize),
    Slot(Slot),
}

/// A place in a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Slot {
    pub(crate) tool: usize,
    pub(crate) argument: usize,
    pub(crate) limit: Limit,
}

/// What a place in a phrase is limited to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Limit {
    /// What its argument's kind takes.
    Kind,
    /// A word of a list.
    List(usize),
    /// A number of three digits or more.
    Number,
    /// A year.
    Year,
    /// Arithmetic: 三加五.
    Sum,
    /// Arithmetic that goes on with a result: 乘以二.
    MoreSum,
    /// Free text in the possessive: "Adele's".
    Owner,
    /// Free text and the phrase's own words after it: 中国之声.
    Whole,
}

/// What is wrong with a tool's words.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{tool}: {what}")]
pub struct WordsFault {
    /// The tool.
    pub tool: String,
    /// What is wrong.
    pub what: String,
}

/// All words of a tool set.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    symbols: SymbolMap<String, u32>,
    /// The unit of each symbol.
    units: Vec<String>,
    words: SymbolMap<(u32, u32), u32>,
    nodes: u32,
    lists: usize,
    word_of: SymbolMap<u32, usize>,
    /// Each word as it was first written.
    names: Vec<String>,
    /// What each word may mean.
    uses: Vec<Vec<Use>>,
    /// The trie of phrases while words are added.
    sprout: Sprout,
    /// The trie of phrases; its root is the first node.
    pub(crate) phrases: Trie,
    pub(crate) entries: Vec<PhraseEntry>,
    pub(crate) tools: Vec<Tool>,
    pub(crate) faults: Vec<WordsFault>,
    /// The words that may be heard wrong, by their sound.
    pub(crate) sounding: Sounding,
}

impl Lexicon {
    /// Compiles the words of `tools`.
    pub(crate) fn compile(tools: &ToolSet) -> Self {
        let mut lexicon = Self::default();
        for (class, words) in &generic().classes {
            for word in words {
                lexicon.add(word, Use::Class(*class));
            }
        }
        for (place, words) in &generic().positions {
            for word in words {
                lexicon.add(word, Use::Place(*place));
            }
        }
        for spec in tools.specs() {
            lexicon.add_tool(spec);
        }
        lexicon.index_sounds();
        lexicon.phrases = std::mem::take(&mut lexicon.sprout).grown();
        lexicon
    }

    fn index_sounds(&mut self) {
        let characters = self.symbols.iter().map(|(unit, symbol)| (unit.as_str(), *symbol));
        self.sounding = Sounding::new(self.words(), characters);
    }

    /// Each word as it was first written, with what it may mean.
    pub(crate) fn words(&self) -> impl Iterator<Item = (&str, &[Use])> {
        let uses = self.uses.iter().map(Vec::as_slice);
        self.names.iter().map(String::as_str).zip(uses)
    }

    /// The symbol of a folded unit, if any word has it.
    pub(crate) fn symbol(&self, unit: &str) -> Option<u32> {
        self.symbols.get(unit).copied()
    }

    /// The unit that a symbol stands for.
    pub(crate) fn spelled(&self, symbol: u32) -> &str {
        self.units.get(symbol as usize).map_or("", String::as_str)
    }

    /// The node of the words' trie after a symbol.
    pub(crate) fn step(&self, node: u32, symbol: u32) -> Option<u32> {
        self.words.get(&(node, symbol)).copied()
    }

    /// The word that ends at a node.
    pub(crate) fn word_at(&self, node: u32) -> Option<usize> {
        self.word_of.get(&node).copied()
    }

    /// What a word may mean.
    pub(crate) fn uses(&self, word: usize) -> &[Use] {
        self.uses.get(word).map_or(&[], Vec::as_slice)
    }

    /// How many seconds a unit of time has; 1 for any other word.
    pub(crate) fn seconds(&self, unit: usize) -> f64 {
        match self.names.get(unit).map(String::as_str) {
            Some("分钟" | "分" | "minutes" | "minute" | "min") => 60.0,
            Some("小时" | "hours" | "hour") => 3600.0,
            _ => 1.0,
        }
    }

    fn intern(&mut self, unit: &str) -> u32 {
        if let Some(symbol) = self.symbols.get(unit) {
            return *symbol;
        }
        let symbol = u32::try_from(self.symbols.len()).unwrap_or(u32::MAX);
        self.symbols.insert(unit.to_owned(), symbol);
        self.units.push(unit.to_owned());
        symbol
    }

    fn add(&mut self, word: &str, meaning: Use) {
        let units = units_of(word);
        if units.is_empty() {
            return;
        }
        let mut node = 0;
        for unit in &units {
            let symbol = self.intern(unit);
            node = match self.words.get(&(node, symbol)) {
                Some(next) => *next,
                None => {
                    self.nodes += 1;
                    self.words.insert((node, symbol), self.nodes);
                    self.nodes
                }
            };
        }
        let index = *self.word_of.entry(node).or_insert_with(|| {
            self.names.push(word.to_owned());
            self.uses.push(Vec::new());
            self.uses.len() - 1
        });
        if let Some(uses) = self.uses.get_mut(index)
            && !uses.contains(&meaning)
        {
            uses.push(meaning);
        }
    }

    fn add_tool(&mut self, spec: &Arc<ToolSpec>) {
        let index = self.tools.len();
        let words = &spec.words;
        let arguments: Vec<Argument> = arguments_of(spec);
        let mut tool = Tool {
            spec: spec.clone(),
            arguments,
            topics: words.topics.clone(),
            by_class: Vec::new(),
            by_place: Vec::new(),
            reads: spec.effect == Effect::Read,
            elliptical: 0,
            lists: Vec::new(),
        };
        for (name, list) in &words.lists {
            tool.lists.push((name.clone(), self.lists));
            for word in list {
                self.add(word, Use::List(self.lists));
            }
            self.lists += 1;
        }
        tool.elliptical = self.sprout.root();
        if tool.topics.is_empty() && words.phrases.is_empty() {
            tool.topics.push(topic_of_name(&spec.name));
        }
        for (topic, entry) in tool.topics.iter().enumerate() {
            for word in &entry.words {
                self.add(word, Use::Topic { tool: index, topic });
            }
            for key in entry.set.keys() {
                self.known(spec, tool.argument(key), key);
            }
        }
        for argument in 0..tool.arguments.len() {
            self.add_argument(spec, index, &mut tool, argument);
        }
        for key in words.arguments.keys().chain(words.ask.keys()) {
            self.known(spec, tool.argument(key), key);
        }
        for phrase in &words.phrases {
            self.add_patterns(spec, &tool, index, phrase, 0);
        }
        for phrase in &words.elliptical {
            self.add_patterns(spec, &tool, index, phrase, tool.elliptical);
        }
        self.tools.push(tool);
    }

    fn known(&mut self, spec: &ToolSpec, argument: Option<usize>, key: &str) {
        if argument.is_none() {
            self.fault(spec, format!("no argument `{key}`"));
        }
    }

    fn fault(&mut self, spec: &ToolSpec, what: String) {
        self.faults.push(WordsFault {
            tool: spec.name.to_string(),
            what,
        });
    }

    fn add_argument(&mut self, spec: &ToolSpec, tool_index: usize, tool: &mut Tool, argument: usize) {
        let Some(entry) = tool.arguments.get_mut(argument) else {
            return;
        };
        let written = spec.words.arguments.get(&entry.name);
        let mut values: Vec<(Value, Vec<String>)> = written
            .into_iter()
            .flat_map(|words| &words.values)
            .map(|(value, words)| (fitted(&entry.schema, value), words.clone()))
            .collect();
        if values.is_empty() && entry.kind == ValueKind::Word {
            values = words_of_schema(&entry.schema);
        }
        let allowed = entry.schema.get("enum").and_then(Value::as_array).cloned();
        for (value, words) in values {
            if allowed.as_ref().is_some_and(|allowed| !allowed.contains(&value)) {
                let what = format!("`{value}` is no value of `{}`", entry.name);
                self.faults.push(WordsFault {
                    tool: spec.name.to_string(),
                    what,
                });
                continue;
            }
            let at = entry.values.len();
            entry.values.push(value);
            for word in words {
                match class_name(&word).map(|name| (class_named(name), place_named(name))) {
                    Some((Some(class), _)) => tool.by_class.push((class, argument, at)),
                    Some((None, Some(place))) => tool.by_place.push((place, argument, at)),
                    Some((None, None)) => {
                        let what = format!("no class `{word}`");
                        self.faults.push(WordsFault {
                            tool: spec.name.to_string(),
                            what,
                        });
                    }
                    None => self.add(
                        &word,
                        Use::Value {
                            tool: tool_index,
                            argument,
                            value: at,
                        },
                    ),
                }
            }
        }
        for unit in written.into_iter().flat_map(|words| &words.units) {
            self.add(
                unit,
                Use::Unit {
                    tool: tool_index,
                    argument,
                },
            );
        }
    }
}

fn class_name(word: &str) -> Option<&str> {
    word.strip_prefix('<')?.strip_suffix('>')
}

fn class_named(name: &str) -> Option<Class> {
    serde_json::from_value(Value::String(name.to_owned())).ok()
}

fn place_named(name: &str) -> Option<Place> {
    serde_json::from_value(Value::String(name.to_owned())).ok()
}
