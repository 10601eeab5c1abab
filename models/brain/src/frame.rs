//! A frame: one wish in the making. It takes the readings of spans one by one and says no to what
//! does not fit.

use crate::generic::{Class, Place};
use crate::lattice::{Edge, Mend};
use crate::lexicon::{Lexicon, Tool};
use incar_core::words::{Needs, ValueKind};
use incar_text::Number;
use serde_json::Value;
use std::ops::Range;

/// How a frame came to its tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Named {
    /// Not yet: only values that need the topic beside them.
    No,
    /// By the conversation or the wish before.
    Implied,
    /// By words that stand alone.
    Alone,
    /// By its topic.
    Topic,
    /// By a whole phrase.
    Phrase,
}

/// Which way a change goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Up,
    Down,
}

impl Direction {
    pub(crate) fn opposite(self) -> Self {
        match self {
            Self::Up => Self::Down,
            Self::Down => Self::Up,
        }
    }
}

/// What an argument was said to be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Said {
    /// A value of the schema.
    Value(Value),
    /// Places in the car.
    Places(Vec<Place>),
    /// Free text or a day.
    Text(Range<usize>),
    /// A number in a phrase.
    Number(Number, Option<usize>),
    /// The digits of a number, or a sum.
    Figures(String),
}

/// An argument, what it was said to be and where.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Bind {
    pub(crate) argument: usize,
    pub(crate) said: Said,
    pub(crate) end: usize,
    /// Whether words of its own said it, rather than the topic's.
    pub(crate) own: bool,
}

/// One wish in the making.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Frame {
    pub(crate) tool: Option<usize>,
    pub(crate) named: Named,
    pub(crate) span: Range<usize>,
    pub(crate) binds: Vec<Bind>,
    pub(crate) number: Option<(Number, Option<usize>)>,
    pub(crate) direction: Option<Direction>,
    pub(crate) extreme: Option<Direction>,
    pub(crate) verb: Option<Class>,
    pub(crate) target: bool,
    pub(crate) some: bool,
    pub(crate) negated: bool,
    pub(crate) question: bool,
    pub(crate) also: bool,
    /// Whether a verb said to adjust it, without saying how.
    pub(crate) set: bool,
    /// The argument that the topic named.
    pub(crate) wants: Option<usize>,
    /// Whether the topic stood in the plural.
    pub(crate) plural: bool,
    /// Whether it was only hinted at.
    pub(crate) hint: bool,
    /// Whether it rests on free text that no word of a phrase led up to.
    pub(crate) untold: bool,
    /// The units of it that only sound like what they were taken for.
    pub(crate) mends: Vec<Mend>,
    /// Where free text last ended: a carrier word there may be part of it.
    pub(crate) open_end: usize,
    pub(crate) too: bool,
    pub(crate) needs: Option<Needs>,
    /// Edges taken before the tool was known.
    pub(crate) pending: Vec<Edge>,
    pub(crate) cost: f32,
}

impl Frame {
    /// An empty frame that starts at a unit.
    pub(crate) fn new(start: usize) -> Self {
        Self {
            tool: None,
            named: Named::No,
            span: start..start,
            binds: Vec::new(),
            number: None,
            direction: None,
            extreme: None,
            verb: None,
            target: false,
            some: false,
            negated: false,
            question: false,
            also: false,
            set: false,
            plural: false,
            wants: None,
            hint: false,
            untold: false,
            mends: Vec::new(),
            open_end: 0,
            too: false,
            needs: None,
            pending: Vec::new(),
            cost: 0.0,
        }
    }

    /// A frame whose tool the conversation gives.
    pub(crate) fn implied(tool: usize, cost: f32) -> Self {
        Self {
            tool: Some(tool),
            named: Named::Implied,
            cost,
            ..Self::new(0)
        }
    }

    /// The bound argument.
    pub(crate) fn bound(&self, argument: usize) -> Option<&Bind> {
        self.binds.iter().find(|bind| bind.argument == argument)
    }

    /// Whether a number, a change or an extreme was said.
    pub(crate) fn has_amount(&self) -> bool {
        let told = |bind: &Bind| matches!(bind.said, Said::Number(..));
        self.number.is_some() || self.direction.is_some() || self.extreme.is_some() || self.binds.iter().any(told)
    }

    /// Whether what follows would be taken by both alike.
    pub(crate) fn goes_on_like(&self, other: &Self) -> bool {
        self.tool == other.tool
            && self.named == other.named
            && self.binds.len() == other.binds.len()
            && self.pending.len() == other.pending.len()
            && self.number == other.number
            && self.direction == other.direction
            && self.extreme == other.extreme
            && (
                self.verb,
                self.target,
                self.negated,
                self.question,
                self.too,
                self.needs,
            ) == (
                other.verb,
                other.target,
                other.negated,
                other.question,
                other.too,
                other.needs,
            )
            && self.mends.len() == other.mends.len()
            && self.untold == other.untold
            && self.binds == other.binds
            && self.pending == other.pending
    }

    /// Whether any word of its own said a value, a verb or a change.
    pub(crate) fn says_something(&self) -> bool {
        self.binds.iter().any(|bind| bind.own)
            || self.number.is_some()
            || self.direction.is_some()
            || self.extreme.is_some()
    }
}

/// What closing a frame costs; `None` where it is no wish.
pub(crate) fn closing(lexicon: &Lexicon, frame: &Frame) -> Option<f32> {
    let tool = lexicon.tools.get(frame.tool?)?;
    if frame.named == Named::No || frame.too {
        return None;
    }
    let told = frame.says_something();
    match frame.needs {
        Some(Needs::Question) if !frame.question => return None,
        Some(Needs::Value) if !told && frame.named < Named::Phrase => return None,
        Some(Needs::QuestionOrValue) if !told && !frame.question && frame.named < Named::Phrase => return None,
        _ => {}
    }
    let missing = tool.arguments.iter().enumerate().filter(|(index, argument)| {
        argument.required && frame.bound(*index).is_none() && !implied(tool, frame, &argument.name)
    });
    let price = if frame.named == Named::Phrase { 0.18 } else { 0.4 };
    let mut cost = price * missing.count() as f32;
    let told = told || frame.question && tool.reads;
    if !told && frame.named < Named::Phrase && !tool.arguments.is_empty() {
        cost += match (frame.set, frame.binds.is_empty()) {
            (true, _) => 0.2,
            (false, true) => 0.9,
            (false, false) => 0.3,
        };
    }
    Some(cost)
}

fn implied(tool: &Tool, frame: &Frame, name: &str) -> bool {
    tool.arguments.iter().enumerate().any(|(index, argument)| {
        argument.implies.contains_key(name)
            && (frame.bound(index).is_some()
                || (frame.number.is_some() || frame.extreme.is_some()) && argument.kind == ValueKind::Percent)
    })
}
