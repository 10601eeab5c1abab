//! Bounds, expiry, and how an assistant behaves while it speaks.

use super::DoubleText;
use incar_core::Limits;
use std::time::Duration;

/// Bounds and expiry.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The bounds of a turn.
    pub limits: Limits,
    /// By when a turn is answered, counted from when it is served, whatever its model and its tools do.
    /// At it the driver hears what was done. What runs is dropped where that may be done; else it goes
    /// on, and its outcome is journaled. Default 60 s: later than [`Limits::time`], at which a model is
    /// asked for the last time.
    pub deadline: Duration,
    /// The longest that a call may take, where its tool ([`ToolSpec::timeout`](incar_core::ToolSpec))
    /// would allow more. Default: as the tools say.
    pub tool_timeout: Option<Duration>,
    /// What is said while something is slow.
    pub holding: Holding,
    /// How long a question waits for its answer. Default 5 minutes.
    pub wait: Duration,
    /// How long a flow waits for its next answer, where it does not say so itself. Default 7 days.
    pub flow_wait: Duration,
    /// How many of a speaker's last utterances are kept as context. Default 6.
    pub remembered: usize,
    /// How many utterances of a conversation that waits are kept: a question may stay open through any
    /// number of digressions. Default 50.
    pub conversation: usize,
    /// What a second utterance does while the first is served. Default: it interrupts.
    pub double_text: DoubleText,
    /// What "uh-huh" does while the assistant speaks. Default: nothing.
    pub back_channel: BackChannel,
    /// How long after a turn was cut short by the death of its process its wish is still fresh: calls
    /// that had not begun are run then, and those in doubt that do no harm twice are repeated. Later
    /// nothing runs. Default 2 minutes.
    pub take_up_within: Duration,
}

/// When a word is said while a model or a tool is slow ("One moment."): to a listener alone, once a
/// turn, and only where nothing of the reply has come by then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Holding {
    /// How long after the turn began; `None`: never. Default 1 s.
    pub after: Option<Duration>,
    /// How long a speaker is spared the next one. Default 30 s.
    pub apart: Duration,
}

impl Holding {
    /// A word `after` that time, and none for `apart` after it.
    pub fn new(after: Duration, apart: Duration) -> Self {
        Self {
            after: Some(after),
            apart,
        }
    }

    /// No word.
    pub fn never() -> Self {
        Self {
            after: None,
            ..Self::default()
        }
    }
}

impl Default for Holding {
    fn default() -> Self {
        Self::new(Duration::from_secs(1), Duration::from_secs(30))
    }
}

/// What a word that only says "I am listening" (嗯, uh-huh) does while the assistant speaks. Where a
/// question was heard to its end it is always an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum BackChannel {
    /// Nothing: the assistant goes on.
    #[default]
    Ignored,
    /// The same as any other utterance.
    Served,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            deadline: Duration::from_secs(60),
            tool_timeout: None,
            holding: Holding::default(),
            wait: Duration::from_secs(5 * 60),
            flow_wait: Duration::from_secs(7 * 24 * 60 * 60),
            remembered: 6,
            conversation: 50,
            double_text: DoubleText::default(),
            back_channel: BackChannel::default(),
            take_up_within: Duration::from_secs(2 * 60),
        }
    }
}

impl Settings {
    /// The same with these bounds of a turn.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same with turns answered by `deadline`.
    #[must_use]
    pub fn with_deadline(mut self, deadline: Duration) -> Self {
        self.deadline = deadline;
        self
    }

    /// The same with no call taking longer than this.
    #[must_use]
    pub fn with_tool_timeout(mut self, timeout: Duration) -> Self {
        self.tool_timeout = Some(timeout);
        self
    }

    /// The same with this said while something is slow.
    #[must_use]
    pub fn with_holding(mut self, holding: Holding) -> Self {
        self.holding = holding;
        self
    }

    /// The same with this expiry of questions.
    #[must_use]
    pub fn with_wait(mut self, wait: Duration) -> Self {
        self.wait = wait;
        self
    }

    /// The same with this expiry of flows.
    #[must_use]
    pub fn with_flow_wait(mut self, wait: Duration) -> Self {
        self.flow_wait = wait;
        self
    }

    /// The same with this many utterances kept as context.
    #[must_use]
    pub fn with_remembered(mut self, utterances: usize) -> Self {
        self.remembered = utterances;
        self
    }

    /// The same with this many utterances kept of a conversation that waits.
    #[must_use]
    pub fn with_conversation(mut self, utterances: usize) -> Self {
        self.conversation = utterances;
        self
    }

    /// The same with this policy for a second utterance while the first is served.
    #[must_use]
    pub fn with_double_text(mut self, policy: DoubleText) -> Self {
        self.double_text = policy;
        self
    }

    /// The same with this policy for "uh-huh" while the assistant speaks.
    #[must_use]
    pub fn with_back_channel(mut self, policy: BackChannel) -> Self {
        self.back_channel = policy;
        self
    }

    /// The same with wishes that were cut short fresh for `within`.
    #[must_use]
    pub fn with_take_up_within(mut self, within: Duration) -> Self {
        self.take_up_within = within;
        self
    }
}
