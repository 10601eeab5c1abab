//! What the machine says is to be done, and what it is told of a call.

#[cfg(doc)]
use super::Turn;
use super::{CallResult, Findings, Stop};
use crate::control::AskUser;
use crate::message::ToolCall;
use crate::policy::PolicyDecision;
use crate::spec::Concurrency;
use crate::tool::Resolved;

/// What to do next.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Directive<'a> {
    /// Ask the model; then [`Turn::model_replied`] or [`Turn::model_failed`].
    AskModel {
        /// Whether it may call tools.
        tools: ToolUse,
    },
    /// Check a call, make it exact and ask the policies; then [`Turn::resolved`].
    Resolve {
        /// Which.
        index: usize,
        /// The call.
        call: &'a ToolCall,
        /// Who stands behind it.
        origin: Origin,
    },
    /// Run these calls, together; then [`Turn::ran`] for each.
    Run {
        /// Which; see [`Turn::call`].
        indexes: Vec<usize>,
    },
    /// Judge what this reply expects; then [`Turn::judged`].
    Judge {
        /// The reply.
        reply: &'a str,
        /// Whether a tool changed something in this turn.
        acted: bool,
    },
    /// The turn is over; see [`Turn::into_end`].
    Finish,
}

/// Whether the model may call tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolUse {
    /// It may.
    Offered,
    /// It must answer in words.
    Withheld,
}

/// Who stands behind a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// The model's reply alone.
    Model,
    /// The driver, who said yes to exactly this call, or said what code made it of.
    Driver,
    /// A policy.
    Policy,
    /// A program outside the car.
    Outside,
}

/// What came of looking at a call.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Verdict {
    /// It was resolved and the policies decided.
    Decided {
        /// The exact call.
        resolved: Resolved,
        /// Whether it may run beside others.
        concurrency: Concurrency,
        /// What the policies say.
        decisions: Vec<PolicyDecision>,
        /// What the guards found.
        findings: Findings,
    },
    /// A guard stops it.
    Guarded {
        /// Which.
        guard: String,
        /// What is to be done instead.
        stop: Stop,
    },
    /// It does not run; this is its result.
    Answer(CallResult),
    /// It is a question to the driver.
    Ask(AskUser),
    /// It is a question about a call that a policy refuses whatever the answer: it is not asked.
    Futile {
        /// The question.
        ask: AskUser,
        /// The policy.
        policy: String,
        /// Why not: speakable.
        reason: String,
    },
}

/// A call that is to run.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct RunnableCall<'a> {
    /// The call.
    pub call: &'a ToolCall,
    /// The exact arguments and what they do.
    pub resolved: &'a Resolved,
    /// How many calls of the same tool ran before it in this turn: equal calls are different
    /// effects.
    pub ordinal: usize,
    /// Whether the driver said yes to exactly this call.
    pub confirmed: bool,
}
