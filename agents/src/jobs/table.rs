//! Which jobs there are, and how each stands.

use super::{ResearchStatus, Told, job};
use incar_core::{Job, JobState, Owner, ResearchFailure, ResearchFindings, ResearchProgress, ResearchTask};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::task::AbortHandle;

/// How many jobs are kept that have ended, so that they can be asked about; the oldest go first.
const MOST_ENDED: usize = 64;

/// All jobs, oldest first.
#[derive(Debug, Default)]
pub(super) struct Table(Vec<Entry>);

/// A job.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) task: ResearchTask,
    pub(super) progress: ResearchProgress,
    pub(super) state: State,
}

/// How a job stands.
#[derive(Debug)]
pub(super) enum State {
    Running(Option<AbortHandle>),
    Done(Arc<ResearchFindings>),
    Failed(ResearchFailure),
    Cancelled,
    Lost,
}

/// What calling a job off came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CalledOff {
    /// It ran, and does not any more.
    Stopped,
    /// It had ended, and its result was not told yet; it will not be.
    Unsaid,
    /// There was nothing.
    Nothing,
}

impl Entry {
    pub(super) fn new(task: ResearchTask) -> Self {
        Self {
            task,
            progress: ResearchProgress::default(),
            state: State::Running(None),
        }
    }

    pub(super) fn owner(&self) -> Owner {
        self.task.speaker.owner()
    }

    pub(super) fn is_running(&self) -> bool {
        matches!(self.state, State::Running(_))
    }

    pub(super) fn job(&self) -> Job {
        job(&self.task.id, self.state.named())
    }

    pub(super) fn status(&self) -> ResearchStatus {
        ResearchStatus {
            job: self.job(),
            question: self.task.question.clone(),
            progress: self.progress.clone(),
        }
    }

    /// What there is to tell of a job that came to something.
    pub(super) fn told(&self) -> Option<Told> {
        let State::Done(findings) = &self.state else {
            return None;
        };
        Some(Told {
            question: self.task.question.clone(),
            lang: self.task.lang,
            findings: findings.clone(),
        })
    }
}

impl State {
    fn named(&self) -> JobState {
        match self {
            Self::Running(_) => JobState::Running,
            Self::Done(_) => JobState::Done,
            Self::Failed(_) => JobState::Failed,
            Self::Cancelled => JobState::Cancelled,
            Self::Lost => JobState::Lost,
        }
    }

    /// Ends the work, if it goes on.
    fn stop(&mut self) {
        if let Self::Running(work) = self {
            if let Some(work) = work {
                work.abort();
            }
            *self = Self::Cancelled;
        }
    }
}

impl Table {
    pub(super) fn add(&mut self, entry: Entry) {
        self.0.push(entry);
        let ended = self.0.iter().filter(|entry| !entry.is_running()).count();
        if ended > MOST_ENDED
            && let Some(oldest) = self.0.iter().position(|entry| !entry.is_running())
        {
            self.0.remove(oldest);
        }
    }

    pub(super) fn get_mut(&mut self, id: &str) -> Option<&mut Entry> {
        self.0.iter_mut().find(|entry| entry.task.id == id)
    }

    pub(super) fn newest(&self, owner: &Owner) -> Option<&Entry> {
        self.0.iter().rfind(|entry| entry.owner() == *owner)
    }

    pub(super) fn running(&self) -> impl Iterator<Item = &Entry> {
        self.0.iter().filter(|entry| entry.is_running())
    }

    /// Calls off the newest job of a speaker. `is_unsaid`: whether the notice of that job waits still.
    pub(super) fn call_off(&mut self, owner: &Owner, is_unsaid: impl Fn(&str) -> bool) -> (CalledOff, Option<Job>) {
        let newest = self.0.iter_mut().rfind(|entry| entry.owner() == *owner);
        let Some(entry) = newest else {
            return (CalledOff::Nothing, None);
        };
        let called_off = match &entry.state {
            State::Running(_) => {
                entry.state.stop();
                CalledOff::Stopped
            }
            State::Done(_) | State::Failed(_) | State::Lost if is_unsaid(&entry.task.id) => {
                entry.state = State::Cancelled;
                CalledOff::Unsaid
            }
            State::Done(_) | State::Failed(_) | State::Cancelled | State::Lost => return (CalledOff::Nothing, None),
        };
        (called_off, Some(entry.job()))
    }

    pub(super) fn forget(&mut self, owner: &Owner) {
        for entry in self.0.iter_mut().filter(|entry| entry.owner() == *owner) {
            entry.state.stop();
        }
        self.0.retain(|entry| entry.owner() != *owner);
    }

    pub(super) fn stop_all(&mut self) {
        self.0.iter_mut().for_each(|entry| entry.state.stop());
    }
}

/// Jobs by how they ended, and how many there were.
#[derive(Debug, Default)]
pub(crate) struct JobTally {
    started: AtomicU64,
    done: AtomicU64,
    failed: AtomicU64,
    cancelled: AtomicU64,
    lost: AtomicU64,
}

impl JobTally {
    /// A job is in `state` now.
    pub(super) fn count(&self, state: JobState) {
        let counter = match state {
            JobState::Running => &self.started,
            JobState::Done => &self.done,
            JobState::Failed => &self.failed,
            JobState::Cancelled => &self.cancelled,
            // A state that is not known here is none that a job ends in.
            _ => &self.lost,
        };
        counter.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn read(&self) -> crate::counters::JobCounts {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        crate::counters::JobCounts {
            started: of(&self.started),
            done: of(&self.done),
            failed: of(&self.failed),
            cancelled: of(&self.cancelled),
            lost: of(&self.lost),
        }
    }
}
