//! What happens during a turn, as it happens.

use crate::outcome::Outcome;
use crate::response::{AgentResponse, FinishReason};
use serde::Serialize;
use serde_json::Value;

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
    /// The deltas of this round so far are void: the model broke off. Another one may begin anew.
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
