//! What a turn is started with.

use super::HeldCall;
use crate::clock::Timestamp;
use crate::lang::Lang;
use crate::limits::Limits;

/// What a turn is started with.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TurnSettings {
    /// The turn's id.
    pub id: String,
    /// The language to speak.
    pub lang: Lang,
    /// The bounds.
    pub limits: Limits,
    /// When it started.
    pub now: Timestamp,
    /// Estimated tokens of the system prompt and the tools.
    pub overhead: u64,
    /// A call from outside whose question is put to the speaker when this turn has nothing else to ask.
    pub held: Option<HeldCall>,
}

impl TurnSettings {
    /// Settings with default limits.
    pub fn new(id: impl Into<String>, lang: Lang, now: Timestamp) -> Self {
        Self {
            id: id.into(),
            lang,
            limits: Limits::default(),
            now,
            overhead: 0,
            held: None,
        }
    }

    /// The same with these bounds.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same with the estimated tokens of the system prompt and the tools.
    #[must_use]
    pub fn with_overhead(mut self, tokens: u64) -> Self {
        self.overhead = tokens;
        self
    }

    /// The same; afterwards the speaker is asked whether `held` may run.
    #[must_use]
    pub fn with_held(mut self, held: Option<HeldCall>) -> Self {
        self.held = held;
        self
    }
}
