//! Reading an utterance on the device: what the guards ask before they believe a model.

use crate::registry::ToolSet;
use crate::speaker::Seat;
use serde_json::{Map, Value};
use std::fmt::Debug;

/// A call that an utterance names.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ReadCall {
    /// The tool.
    pub tool: String,
    /// What is said of its arguments, and nothing that is not said.
    pub arguments: Map<String, Value>,
}

impl ReadCall {
    /// A call of `tool` with what was said of its `arguments`.
    pub fn new(tool: impl Into<String>, arguments: Map<String, Value>) -> Self {
        Self {
            tool: tool.into(),
            arguments,
        }
    }
}

/// How much of an utterance was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[non_exhaustive]
pub enum Grasp {
    /// Too little to rely on: words were left over that may say anything, or nothing was recognised.
    #[default]
    Little,
    /// Enough to know what it is about.
    Enough,
    /// All of it: what it does not name was not said.
    Whole,
}

/// What an utterance says, as far as the device can tell.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Reading {
    /// The calls it names, in the order said.
    pub calls: Vec<ReadCall>,
    /// How much of it was read.
    pub grasp: Grasp,
}

impl Reading {
    /// A reading.
    pub fn new(calls: Vec<ReadCall>, grasp: Grasp) -> Self {
        Self { calls, grasp }
    }

    /// The calls of `tool`.
    pub fn of<'a>(&'a self, tool: &'a str) -> impl Iterator<Item = &'a ReadCall> {
        self.calls.iter().filter(move |call| call.tool == tool)
    }
}

/// A value that a model gave to an argument.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct GivenValue<'a> {
    /// The tool.
    pub tool: &'a str,
    /// The argument.
    pub argument: &'a str,
    /// The value.
    pub value: &'a Value,
}

impl<'a> GivenValue<'a> {
    /// `value` of `argument` of `tool`.
    pub fn new(tool: &'a str, argument: &'a str, value: &'a Value) -> Self {
        Self { tool, argument, value }
    }
}

/// Reads utterances on the device, without a model call, by the words that tools carry. The
/// embedded brain is one.
pub trait UtteranceReader: Send + Sync + Debug {
    /// What `text`, said from `seat` with nothing said before, says.
    fn read(&self, text: &str, tools: &ToolSet, seat: Seat) -> Reading;

    /// Whether some word of `text` may mean this value: a synonym of an enum's value, a place in the
    /// car. It looks at words, not at their order, and is cheap beside [`UtteranceReader::read`].
    fn names(&self, text: &str, tools: &ToolSet, seat: Seat, given: GivenValue<'_>) -> bool;
}
