//! Work that outlasts a turn: a question that is looked into in the background.

use crate::error::ErrorKind;
use crate::lang::Lang;
use crate::response::CallShape;
use crate::speaker::Speaker;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// Whoever looks into questions in the background: searches, compares, plans, for minutes if need be.
///
/// It only reads and thinks. What it would have done in the car it proposes ([`ResearchFindings::actions`]), and the driver decides.
///
/// ```
/// use incar_core::{ResearchFindings, BackgroundAgent, ResearchFailure, ResearchListener, ResearchProgress, ResearchTask, async_trait};
///
/// #[derive(Debug)]
/// struct Chargers;
///
/// #[async_trait]
/// impl BackgroundAgent for Chargers {
///     async fn research(
///         &self,
///         task: &ResearchTask,
///         listener: &dyn ResearchListener,
///     ) -> Result<ResearchFindings, ResearchFailure> {
///         listener.progressed(ResearchProgress::new("comparing prices").counted(1, 2));
///         Ok(ResearchFindings::new("The one in Jiaxing is cheapest.").with_display(format!("{}\n[1] chargers.csv", task.question)))
///     }
/// }
/// ```
#[async_trait]
pub trait BackgroundAgent: Send + Sync + Debug {
    /// Looks into a question until there is an answer. Dropping the future cancels it.
    ///
    /// # Errors
    /// [`ResearchFailure`] where there is none.
    async fn research(
        &self,
        task: &ResearchTask,
        listener: &dyn ResearchListener,
    ) -> Result<ResearchFindings, ResearchFailure>;
}

/// What is to be looked into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ResearchTask {
    /// The job's id: the same for each try, different for every other job.
    pub id: String,
    /// The question, in the speaker's words.
    pub question: String,
    /// The language to answer in.
    pub lang: Lang,
    /// Who asks.
    pub speaker: Speaker,
    /// The run to go on with, as its researcher named it ([`ResearchProgress::run`]) before its process died.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
}

impl ResearchTask {
    /// `speaker` asks `question`; the answer is to be in `lang`.
    pub fn new(id: impl Into<String>, question: impl Into<String>, lang: Lang, speaker: Speaker) -> Self {
        Self {
            id: id.into(),
            question: question.into(),
            lang,
            speaker,
            run: None,
        }
    }

    /// The same task, to go on with `run`.
    #[must_use]
    pub fn going_on_with(mut self, run: impl Into<String>) -> Self {
        self.run = Some(run.into());
        self
    }
}

/// Hears how far a run is.
pub trait ResearchListener: Send + Sync {
    /// It has come this far.
    fn progressed(&self, progress: ResearchProgress);
}

impl<F: Fn(ResearchProgress) + Send + Sync> ResearchListener for F {
    fn progressed(&self, progress: ResearchProgress) {
        self(progress);
    }
}

/// How far a run is.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ResearchProgress {
    /// What it is at, to be spoken after "now": "比较充电价格", "comparing prices". Empty: nothing worth telling.
    pub doing: String,
    /// Steps that are done.
    pub done: u32,
    /// Steps that are planned; 0 where there is no plan.
    pub planned: u32,
    /// What the researcher calls this run, where it could go on with it after its process died. Told once is enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
}

impl ResearchProgress {
    /// It is at `doing`.
    pub fn new(doing: impl Into<String>) -> Self {
        Self {
            doing: doing.into(),
            ..Self::default()
        }
    }

    /// The same of a run that can be gone on with under this name.
    #[must_use]
    pub fn of_run(mut self, run: impl Into<String>) -> Self {
        self.run = Some(run.into());
        self
    }

    /// The same, `done` of `planned` steps behind it.
    #[must_use]
    pub fn counted(mut self, done: u32, planned: u32) -> Self {
        (self.done, self.planned) = (done, planned);
        self
    }
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ResearchFindings {
    /// The answer in a few spoken sentences, without sources.
    pub spoken: String,
    /// The answer as it is shown, with its sources; `None`: as spoken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display: Option<String>,
    /// What the driver may want done now, the likeliest first. Nothing of it is done unasked: each is offered in words that
    /// the assistant makes of the call itself, and meets the policies after a yes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actions: Vec<CallShape>,
}

impl ResearchFindings {
    /// The answer `spoken`.
    pub fn new(spoken: impl Into<String>) -> Self {
        Self {
            spoken: spoken.into(),
            display: None,
            actions: Vec::new(),
        }
    }

    /// The same answer, shown as `display`.
    #[must_use]
    pub fn with_display(mut self, display: impl Into<String>) -> Self {
        self.display = Some(display.into());
        self
    }

    /// The same answer, after which `call` is offered.
    #[must_use]
    pub fn proposing(mut self, call: CallShape) -> Self {
        self.actions.push(call);
        self
    }
}

/// Why a run came to nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}: {message}")]
#[non_exhaustive]
pub struct ResearchFailure {
    /// What kind of failure.
    pub kind: ErrorKind,
    /// Why, as one speakable sentence in the language of the task.
    pub message: String,
}

impl ResearchFailure {
    /// A failure of `kind`, with a speakable sentence.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }
}
