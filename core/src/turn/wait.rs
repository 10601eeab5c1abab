//! What waits for the driver's answer.

use super::batch::Batch;
use crate::control::AskUser;
use crate::response::{CallShape, Pending};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// An open question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Wait {
    /// What to ask.
    pub(crate) prompt: String,
    /// Answers that could not be understood, in a row.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) unclear: u8,
    /// Replies in words that had nothing to do with it, in a row.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) talk: u8,
    /// What the answer is for.
    pub(crate) kind: WaitKind,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(value: &u8) -> bool {
    *value == 0
}

/// What an answer is for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WaitKind {
    /// A value of a tool's argument.
    Value(Question),
    /// A question that the model put in words; only the model knows what for.
    Words,
    /// A yes to the held call of this batch.
    Confirm(Box<Batch>),
}

/// A question for a value.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Question {
    pub(crate) question: String,
    pub(crate) tool: String,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(crate) arguments: Map<String, Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) missing: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) choices: Vec<String>,
}

impl Question {
    fn pending(&self) -> Pending {
        Pending::Missing {
            tool: self.tool.clone(),
            arguments: self.arguments.clone(),
            missing: self.missing.clone(),
            choices: self.choices.clone(),
        }
    }

    /// The call of `ask_user` that asks this.
    pub(crate) fn as_ask(&self) -> AskUser {
        AskUser {
            question: self.question.clone(),
            choices: self.choices.clone(),
            tool: Some(self.tool.clone()),
            slot: self.missing.first().cloned(),
            missing: self.missing.iter().skip(1).cloned().collect(),
            arguments: self.arguments.clone(),
        }
    }
}

impl Wait {
    pub(crate) fn from_ask(ask: AskUser) -> Self {
        let prompt = ask.question.clone();
        let kind = match ask.tool {
            Some(tool) => WaitKind::Value(Question {
                question: ask.question,
                tool,
                arguments: ask.arguments,
                missing: ask.slot.into_iter().chain(ask.missing).collect(),
                choices: ask.choices,
            }),
            None => WaitKind::Words,
        };
        Self {
            prompt,
            unclear: 0,
            talk: 0,
            kind,
        }
    }

    pub(crate) fn words(prompt: String) -> Self {
        Self {
            prompt,
            unclear: 0,
            talk: 0,
            kind: WaitKind::Words,
        }
    }

    /// The call of `ask_user` that asks this, where it wants a value.
    pub(crate) fn as_ask(&self) -> Option<AskUser> {
        match &self.kind {
            WaitKind::Value(question) => Some(question.as_ask()),
            WaitKind::Words | WaitKind::Confirm(_) => None,
        }
    }

    /// The tool that waits.
    pub(crate) fn tool(&self) -> Option<&str> {
        match &self.kind {
            WaitKind::Value(question) => Some(&question.tool),
            WaitKind::Confirm(batch) => batch.held().map(|entry| entry.call.name.as_str()),
            WaitKind::Words => None,
        }
    }

    /// What the response shows of it.
    pub(crate) fn pending(&self) -> Option<Pending> {
        match &self.kind {
            WaitKind::Value(question) => Some(question.pending()),
            WaitKind::Confirm(batch) => batch.held().map(|entry| Pending::Confirm {
                confirm: CallShape::new(entry.call.name.clone(), entry.arguments.clone()),
            }),
            WaitKind::Words => None,
        }
    }

    /// So many replies in a row that are only talk put it aside. What may be no clear yes is asked about once more.
    pub(crate) fn most_talk(&self) -> u8 {
        match self.kind {
            WaitKind::Confirm(_) => 2,
            WaitKind::Value(_) | WaitKind::Words => 3,
        }
    }

    /// Whether this asks the same again, with nothing learned in between.
    pub(crate) fn same_as(&self, other: &Self) -> bool {
        match (&self.kind, &other.kind) {
            (WaitKind::Value(a), WaitKind::Value(b)) => {
                a.tool == b.tool && a.missing == b.missing && a.arguments == b.arguments
            }
            (WaitKind::Confirm(a), WaitKind::Confirm(b)) => match (a.held(), b.held()) {
                (Some(a), Some(b)) => a.call.name == b.call.name && a.arguments == b.arguments,
                _ => false,
            },
            _ => false,
        }
    }
}
