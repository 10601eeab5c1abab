//! A researcher that does what it is told, when it is told.

use incar_core::{
    BackgroundAgent, CallShape, ErrorKind, ResearchFailure, ResearchFindings, ResearchListener, ResearchProgress,
    ResearchTask, Seat, async_trait,
};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::mpsc;

/// How often others get their turn before what a run was told counts as done.
const YIELDS: usize = 64;

/// What a run does next.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct ResearchStep {
    /// Whose run. By default the driver's.
    pub seat: Seat,
    /// It is at this now.
    pub doing: Option<String>,
    /// Steps that are done.
    pub done: u32,
    /// Steps that are planned.
    pub planned: u32,
    /// What it calls the run, by which it could go on after a crash.
    pub run: Option<String>,
    /// It ends with this answer.
    pub spoken: Option<String>,
    /// What is shown of the answer.
    pub display: Option<String>,
    /// What the answer proposes, each `{ tool = { arguments } }`.
    pub actions: Vec<Map<String, Value>>,
    /// It ends without an answer, for this reason.
    pub fails: Option<String>,
    /// It panics.
    pub panics: bool,
}

impl ResearchStep {
    /// It ends with the answer `spoken`.
    pub fn answer(spoken: impl Into<String>) -> Self {
        Self {
            spoken: Some(spoken.into()),
            ..Self::default()
        }
    }

    /// The same for the run of `seat`.
    #[must_use]
    pub fn at(mut self, seat: Seat) -> Self {
        self.seat = seat;
        self
    }

    fn findings(self, spoken: String) -> ResearchFindings {
        let findings = ResearchFindings::new(spoken);
        let findings = match self.display {
            Some(display) => findings.with_display(display),
            None => findings,
        };
        let calls = self.actions.into_iter().flatten();
        calls.fold(findings, |findings, (tool, arguments)| {
            findings.proposing(CallShape::new(tool, arguments))
        })
    }
}

/// A [`BackgroundAgent`] whose runs wait until they are told what to do ([`ScriptedResearcher::tell`]).
#[derive(Debug, Default)]
pub struct ScriptedResearcher {
    runs: Mutex<Vec<Run>>,
}

#[derive(Debug)]
struct Run {
    task: ResearchTask,
    steps: mpsc::UnboundedSender<ResearchStep>,
}

impl ScriptedResearcher {
    /// What it was asked, oldest first.
    pub fn asked(&self) -> Vec<ResearchTask> {
        self.runs().iter().map(|run| run.task.clone()).collect()
    }

    /// How many of its runs go on.
    pub fn running(&self) -> usize {
        self.runs().iter().filter(|run| !run.steps.is_closed()).count()
    }

    /// Has the newest run of the step's seat do this, and waits until it has; `false` where there is none. For tests on one
    /// thread.
    pub async fn tell(&self, step: ResearchStep) -> bool {
        settle().await;
        let told = {
            let runs = self.runs();
            let mut of_seat = runs.iter().rev().filter(|run| run.task.speaker.seat == step.seat);
            of_seat.next().is_some_and(|run| run.steps.send(step).is_ok())
        };
        settle().await;
        told
    }

    /// Ends all runs, and forgets them.
    pub fn clear(&self) {
        self.runs().clear();
    }

    fn runs(&self) -> MutexGuard<'_, Vec<Run>> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Lets whatever can go on do so.
async fn settle() {
    for _ in 0..YIELDS {
        tokio::task::yield_now().await;
    }
}

#[async_trait]
impl BackgroundAgent for ScriptedResearcher {
    async fn research(
        &self,
        task: &ResearchTask,
        listener: &dyn ResearchListener,
    ) -> Result<ResearchFindings, ResearchFailure> {
        let (sender, mut steps) = mpsc::unbounded_channel();
        self.runs().push(Run {
            task: task.clone(),
            steps: sender,
        });
        while let Some(mut step) = steps.recv().await {
            assert!(!step.panics, "as scripted");
            if let Some(reason) = step.fails {
                return Err(ResearchFailure::new(ErrorKind::ToolFailed, reason));
            }
            if let Some(spoken) = step.spoken.take() {
                return Ok(step.findings(spoken));
            }
            let progress = ResearchProgress::new(step.doing.unwrap_or_default()).counted(step.done, step.planned);
            listener.progressed(match step.run {
                Some(run) => progress.of_run(run),
                None => progress,
            });
        }
        Err(ResearchFailure::new(ErrorKind::Internal, "The script is over."))
    }
}
