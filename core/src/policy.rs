//! What may be done: asked by the runner before every call, whoever made it.

use crate::lang::Lang;
use crate::message::ToolCall;
use crate::speaker::Speaker;
use crate::spec::ToolSpec;
use serde_json::Value;
use std::fmt::Debug;

/// A call about to run.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct PolicyQuery<'a> {
    /// The tool.
    pub tool: &'a ToolSpec,
    /// The resolved arguments.
    pub arguments: &'a Value,
    /// Who asked.
    pub speaker: &'a Speaker,
    /// The language to speak.
    pub lang: Lang,
    /// What the speaker said in this turn.
    pub utterance: &'a str,
    /// How far the call is.
    pub stage: QueryStage,
}

/// How far a call is when the policies are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum QueryStage {
    /// It is about to run, and its arguments are exact.
    #[default]
    Call,
    /// An argument is still to be asked for. Only what is sure to be refused whatever the answer
    /// matters now; the policies are asked again when the call is about to run.
    Question,
}

impl<'a> PolicyQuery<'a> {
    /// A query.
    pub fn new(tool: &'a ToolSpec, arguments: &'a Value, speaker: &'a Speaker, lang: Lang, utterance: &'a str) -> Self {
        Self {
            tool,
            arguments,
            speaker,
            lang,
            utterance,
            stage: QueryStage::Call,
        }
    }
}

impl PolicyQuery<'_> {
    /// The same query before an argument is asked for.
    #[must_use]
    pub fn before_asking(mut self) -> Self {
        self.stage = QueryStage::Question;
        self
    }
}

/// What a policy decides.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PolicyDecision {
    /// It may run, whatever the other policies say.
    Allow {
        /// The policy.
        policy: String,
    },
    /// It may run, and the driver is told something.
    Warn {
        /// The policy.
        policy: String,
        /// What to say.
        say: String,
    },
    /// It may not run.
    Deny {
        /// The policy.
        policy: String,
        /// Why not, and what would make it possible: speakable.
        reason: String,
    },
    /// The driver must say yes to this very call first.
    Confirm {
        /// The policy.
        policy: String,
        /// The question.
        question: String,
    },
    /// Other calls run before it.
    Amend {
        /// The policy.
        policy: String,
        /// The calls; their ids are given by the turn.
        calls: Vec<ToolCall>,
        /// What to say of them.
        say: String,
    },
}

impl PolicyDecision {
    /// The tool itself wants a yes first; it is reported under the name `tool-asks`.
    pub fn asked_by_tool(question: impl Into<String>) -> Self {
        Self::Confirm {
            policy: "tool-asks".to_owned(),
            question: question.into(),
        }
    }
}

/// Decides calls. Unknown facts count as the unsafe value.
pub trait PolicyGate: Send + Sync + Debug {
    /// Decides one call against the state of this moment: everything that policies have to say of
    /// it, in any order. Nothing said is allowed.
    fn decide(&self, call: &PolicyQuery<'_>) -> Vec<PolicyDecision>;
}

/// Allows everything: for agents whose tools can do no harm.
#[derive(Debug, Clone, Copy, Default)]
pub struct AllowAll;

impl PolicyGate for AllowAll {
    fn decide(&self, _: &PolicyQuery<'_>) -> Vec<PolicyDecision> {
        Vec::new()
    }
}
