//! What a reply expects of the driver.

use crate::lang::Lang;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// What a reply expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ReplyClass {
    /// An answer, before the task can go on: a missing value, a choice, a confirmation.
    Required,
    /// Nothing, but "yes" would be welcome: an offer after the work is done or declined.
    Offer,
    /// Nothing: politeness such as "anything else?".
    Courtesy,
    /// Nothing: a statement.
    None,
}

/// A reply and what is known about how it came to be.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ReplyContext<'a> {
    /// The reply.
    pub text: &'a str,
    /// What the driver had said.
    pub user: Option<&'a str>,
    /// Whether a tool changed something in this turn.
    pub acted: bool,
    /// The language of the turn, where known.
    pub lang: Option<Lang>,
}

impl<'a> ReplyContext<'a> {
    /// A reply about which nothing else is known.
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            user: None,
            acted: false,
            lang: None,
        }
    }

    /// The same with what the driver had said and whether a tool changed something.
    #[must_use]
    pub fn after(mut self, user: Option<&'a str>, acted: bool) -> Self {
        (self.user, self.acted) = (user, acted);
        self
    }
}

/// A judgement.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// What the reply expects.
    pub class: ReplyClass,
    /// How sure, 0 to 1.
    pub confidence: f32,
}

/// Judges what a reply expects.
pub trait ReplyClassifier: Send + Sync + Debug {
    /// Judges one reply.
    fn classify(&self, reply: &ReplyContext<'_>) -> Judgement;
}
