//! What a run tells while it works. It waits for nobody: a listener that is slow misses the oldest.

use crate::budget::Left;
use crate::id::{FileName, RunId};
use crate::sources::Source;
use incar_core::{FinishReason, Outcome, Usage};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

/// So many events wait for a listener.
const WAITING: usize = 256;

/// One thing that happened in a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Progress {
    /// It began, or goes on where it was.
    Started {
        /// The run.
        id: RunId,
        /// The question.
        question: String,
        /// Whether it goes on where it was.
        resumed: bool,
    },
    /// There is a plan, or its ticks changed.
    Planned {
        /// What the plan is for.
        objective: String,
        /// How deep that is below the question, from 1.
        depth: usize,
        /// The steps.
        steps: Vec<PlanStep>,
    },
    /// The model is asked.
    Round {
        /// Which round, from 1.
        number: u32,
    },
    /// A step of the work begins: what it is, in the run's language.
    Working {
        /// What it is.
        step: String,
    },
    /// A tool is called.
    Called {
        /// The tool.
        tool: String,
        /// What it is called with: the most telling argument.
        about: String,
    },
    /// A call ended.
    Answered {
        /// The tool.
        tool: String,
        /// How.
        outcome: Outcome,
    },
    /// Sources came in.
    Found {
        /// The new ones.
        sources: Vec<Source>,
    },
    /// What the run spent so far, and what is left.
    Spent {
        /// Tokens.
        usage: Usage,
        /// What is left.
        left: Left,
    },
    /// A report was written.
    Wrote {
        /// Its file.
        file: FileName,
    },
    /// The run ended.
    Finished {
        /// Why.
        reason: FinishReason,
    },
    /// The listener was too slow for so many events.
    Missed {
        /// How many.
        events: u64,
    },
}

/// One step of a plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PlanStep {
    /// What is to be done.
    pub text: String,
    /// How far it is.
    pub state: StepState,
}

impl PlanStep {
    /// A step that is still to be done.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            state: StepState::Open,
        }
    }
}

/// How far a step of a plan is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum StepState {
    /// Still to be done.
    #[default]
    Open,
    /// Being done.
    Running,
    /// Done.
    Done,
    /// It failed.
    Failed,
}

/// Where events go: to every listener that there is.
#[derive(Debug, Clone)]
pub struct ProgressSender {
    events: broadcast::Sender<Progress>,
}

impl Default for ProgressSender {
    fn default() -> Self {
        Self {
            events: broadcast::Sender::new(WAITING),
        }
    }
}

impl ProgressSender {
    /// Tells what happened; never waits.
    pub fn send(&self, event: Progress) {
        // Without a listener nobody is told.
        let _unheard = self.events.send(event);
    }

    /// A listener, which hears everything from now on.
    pub fn listen(&self) -> ProgressListener {
        ProgressListener {
            events: self.events.subscribe(),
        }
    }
}

/// Hears what runs tell.
#[derive(Debug)]
pub struct ProgressListener {
    events: broadcast::Receiver<Progress>,
}

impl ProgressListener {
    /// The next event; `None` once nobody can send any more.
    pub async fn next(&mut self) -> Option<Progress> {
        match self.events.recv().await {
            Ok(event) => Some(event),
            Err(RecvError::Lagged(events)) => Some(Progress::Missed { events }),
            Err(RecvError::Closed) => None,
        }
    }

    /// The next event that is there already.
    pub fn try_next(&mut self) -> Option<Progress> {
        match self.events.try_recv() {
            Ok(event) => Some(event),
            Err(TryRecvError::Lagged(events)) => Some(Progress::Missed { events }),
            Err(TryRecvError::Empty | TryRecvError::Closed) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slow_listener_misses_the_oldest_and_is_told_how_many() {
        let sender = ProgressSender::default();
        let mut slow = sender.listen();
        for number in 0..1_000 {
            sender.send(Progress::Round { number });
        }
        assert_eq!(slow.try_next(), Some(Progress::Missed { events: 1_000 - 256 }));
        assert_eq!(slow.try_next(), Some(Progress::Round { number: 1_000 - 256 }));
    }

    #[tokio::test]
    async fn every_listener_hears_all_until_nobody_sends() {
        let sender = ProgressSender::default();
        let (mut one, mut other) = (sender.listen(), sender.listen());
        sender.send(Progress::Round { number: 1 });
        drop(sender);
        for listener in [&mut one, &mut other] {
            assert_eq!(listener.next().await, Some(Progress::Round { number: 1 }));
            assert_eq!(listener.next().await, None);
        }
    }
}
