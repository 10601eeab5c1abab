//! What happens during a turn, as it happens.

use crate::outcome::Outcome;
use crate::response::{AgentResponse, FinishReason};
use serde::Serialize;
use serde_json::Value;

/// What a sentence belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SentenceKind {
    /// The reply.
    Reply,
    /// What a model says while it goes on working: its calls come next.
    Progress,
    /// A word while something is slow. It is no part of the reply, and is not remembered.
    Holding,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum TurnEvent {
    /// The utterance was taken.
    Heard {
        /// The turn.
        turn_id: String,
        /// What was said.
        text: String,
    },
    /// The agents it concerns were chosen.
    Routed {
        /// Their names.
        agents: Vec<String>,
    },
    /// The model is asked.
    Round {
        /// Which round, from 1.
        number: u32,
    },
    /// More text of the model.
    Delta {
        /// The text.
        text: String,
    },
    /// A sentence to be spoken, as soon as that is certain enough: what is not spoken yet goes on after
    /// it. Those of the reply are together the response's `message`.
    Sentence {
        /// The sentence in plain words, with the blanks after it.
        text: String,
        /// What it belongs to.
        kind: SentenceKind,
    },
    /// What came of the reply since the last round began, in deltas and sentences, is void: the model
    /// broke off, or it turned out to be no reply. What is not spoken yet is not to be spoken.
    Retracted,
    /// A call starts.
    ToolStarted {
        /// The call.
        id: String,
        /// The tool.
        name: String,
        /// The arguments it runs with.
        arguments: Value,
    },
    /// A call ended.
    ToolFinished {
        /// The call.
        id: String,
        /// The tool.
        name: String,
        /// How.
        outcome: Outcome,
    },
    /// A bound was reached.
    Bound {
        /// Which.
        reason: FinishReason,
    },
    /// A question is put to the driver.
    Question {
        /// The question.
        prompt: String,
    },
    /// The turn ended.
    Done {
        /// Its response.
        response: Box<AgentResponse>,
    },
}
