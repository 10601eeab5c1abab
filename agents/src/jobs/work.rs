//! One job, from its beginning to its notice.

use super::phrases;
use super::table::{Entry, State};
use super::{Jobs, Told, job};
use crate::stream::spoken_lang;
use futures_util::FutureExt;
use incar_core::{
    ErrorKind, Job, JobState, Lang, Notice, ResearchFailure, ResearchFindings, ResearchProgress, ResearchTask,
    join_sentences,
};
use incar_text::{sentences, shortened, speakable};
use std::convert::Infallible;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::mpsc;
use tracing::Instrument;
use tracing::field::Empty;

/// How much of an answer is spoken, and how much is shown, in characters.
const LONGEST_SPOKEN: usize = 600;
const LONGEST_SHOWN: usize = 40_000;
/// How much of what a worker says it is doing.
const LONGEST_DOING: usize = 80;

/// Why a question is not looked into.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Refused {
    /// The speaker's last one still is.
    Busy(Box<ResearchTask>),
    /// Too many are.
    Crowded,
}

impl Jobs {
    /// Begins to look into a question. Must be called within a tokio runtime.
    pub(super) fn start(self: &Arc<Self>, task: ResearchTask) -> Result<Job, Refused> {
        let owner = task.speaker.owner();
        let mut table = self.table();
        if let Some(running) = table.running().find(|entry| entry.owner() == owner) {
            return Err(Refused::Busy(Box::new(running.task.clone())));
        }
        if table.running().count() >= self.settings.most {
            return Err(Refused::Crowded);
        }
        let id = task.id.clone();
        table.add(Entry::new(task.clone()));
        let work = Work {
            jobs: Arc::downgrade(self),
            task,
            budget: self.settings.budget,
        };
        let working = tokio::spawn(work.run(self.researcher.clone()).in_current_span());
        // The table is locked: the work cannot end before it is known how to stop it.
        if let Some(entry) = table.get_mut(&id) {
            entry.state = State::Running(Some(working.abort_handle()));
        }
        self.tally.count(JobState::Running);
        Ok(job(&id, JobState::Running))
    }

    fn progressed(&self, id: &str, mut progress: ResearchProgress) {
        progress.doing = shortened(&progress.doing, LONGEST_DOING);
        if let Some(entry) = self.table().get_mut(id).filter(|entry| entry.is_running()) {
            entry.progress = progress;
        }
    }

    /// A job came to its end by itself: the driver is told once there is room for it.
    async fn ended(&self, task: &ResearchTask, outcome: Result<ResearchFindings, ResearchFailure>) {
        let outcome = outcome.map(|findings| self.bounded(findings, task.lang));
        if let Ok(findings) = &outcome {
            self.save(task, Some(findings)).await;
        } else {
            self.unsave(&task.speaker.owner(), &task.id).await;
        }
        self.conclude(task, outcome);
    }

    /// Takes the end of a job in and tells it.
    pub(super) fn conclude(&self, task: &ResearchTask, outcome: Result<ResearchFindings, ResearchFailure>) {
        let mut table = self.table();
        // It may have been called off while it was being written down.
        let Some(entry) = table.get_mut(&task.id).filter(|entry| entry.is_running()) else {
            return;
        };
        let notice = match outcome {
            Ok(findings) => {
                entry.state = State::Done(Arc::new(findings));
                entry.told().map(|told| self.notice(task, &told))
            }
            Err(error) => {
                let text = phrases::failed(task.lang, &task.question, &error.message);
                entry.state = State::Failed(error);
                Some(Notice::new(task.speaker.clone(), text))
            }
        };
        self.tally.count(entry.job().state);
        drop(table);
        if let Some(notice) = notice {
            self.notices.push(notice.with_id(task.id.as_str()));
        }
    }

    /// What is said and shown of an answer.
    fn notice(&self, task: &ResearchTask, told: &Told) -> Notice {
        let text = self.in_words(told);
        let notice = Notice::new(task.speaker.clone(), text);
        match &told.findings.display {
            Some(display) => notice.with_display(display.as_str()),
            None => notice,
        }
    }

    /// The answer as it is told, with the question about the first call that it proposes.
    pub(crate) fn in_words(&self, told: &Told) -> String {
        let begun = phrases::about(told.lang, &told.question);
        let offer = told.findings.actions.first();
        let offer = offer.and_then(|call| self.question_about(call, told.lang));
        let parts = [
            begun.as_str(),
            told.findings.spoken.as_str(),
            offer.as_deref().unwrap_or_default(),
        ];
        join_sentences(parts)
    }

    /// The findings, of a length that can be spoken and kept, with the calls that can be offered.
    fn bounded(&self, mut findings: ResearchFindings, lang: Lang) -> ResearchFindings {
        findings.spoken = to_be_spoken(&findings.spoken, lang);
        findings.display = findings.display.map(|display| shortened(&display, LONGEST_SHOWN));
        findings.actions.retain(|call| {
            let offered = self.question_about(call, lang).is_some();
            if !offered {
                // The name may be made up; it is not logged.
                tracing::warn!("a call that research proposes cannot be offered");
            }
            offered
        });
        findings
    }

    /// Begins again what a process left that died, or tells that it is lost.
    pub(super) fn resumed(self: &Arc<Self>, task: ResearchTask) -> Job {
        let can_go_on = task.run.is_some();
        let started = can_go_on.then(|| self.start(task.clone()).ok()).flatten();
        started.unwrap_or_else(|| self.lost(task))
    }

    fn lost(&self, task: ResearchTask) -> Job {
        let text = phrases::lost(task.lang, &task.question);
        let notice = Notice::new(task.speaker.clone(), text).with_id(task.id.as_str());
        let mut entry = Entry::new(task);
        entry.state = State::Lost;
        let job = entry.job();
        self.tally.count(JobState::Lost);
        self.table().add(entry);
        self.notices.push(notice);
        job
    }

    /// Takes in what a process had found that died before it was told.
    pub(super) fn found_before(&self, task: ResearchTask, findings: ResearchFindings) -> Job {
        let id = task.id.clone();
        self.table().add(Entry::new(task.clone()));
        self.conclude(&task, Ok(findings));
        job(&id, JobState::Done)
    }
}

/// A job that runs. It holds the jobs weakly: they end with their assistant.
struct Work {
    jobs: Weak<Jobs>,
    task: ResearchTask,
    budget: Duration,
}

impl Work {
    async fn run(self, researcher: Arc<dyn incar_core::BackgroundAgent>) {
        let Self { jobs, task, budget } = self;
        let span = tracing::info_span!(
            "research",
            otel.kind = "internal",
            otel.status_code = Empty,
            error.type = Empty,
            incar.job.id = task.id,
            incar.job.state = Empty,
        );
        let working = async {
            let (named, names) = mpsc::unbounded_channel();
            let listener = |mut progress: ResearchProgress| {
                // Nobody listens only where the work has ended.
                let _ = progress.run.take().map(|run| named.send(run));
                if let Some(jobs) = jobs.upgrade() {
                    jobs.progressed(&task.id, progress);
                }
            };
            let looking = AssertUnwindSafe(researcher.research(&task, &listener)).catch_unwind();
            let writing_down = write_down(&jobs, task.clone(), names);
            let both = async {
                tokio::select! {
                    ended = looking => ended,
                    never = writing_down => match never {},
                }
            };
            match tokio::time::timeout(budget, both).await {
                Ok(Ok(outcome)) => outcome,
                Ok(Err(_panic)) => {
                    tracing::error!("a researcher panicked");
                    let why = phrases::broke(task.lang);
                    Err(ResearchFailure::new(ErrorKind::Internal, why))
                }
                Err(_elapsed) => Err(ResearchFailure::new(ErrorKind::Deadline, phrases::too_long(task.lang))),
            }
        };
        let outcome = working.instrument(span.clone()).await;
        match &outcome {
            Ok(_) => span.record("incar.job.state", JobState::Done.as_str()),
            Err(error) => span
                .record("incar.job.state", JobState::Failed.as_str())
                .record("otel.status_code", "ERROR")
                .record("error.type", error.kind.as_str()),
        };
        if let Some(jobs) = jobs.upgrade() {
            jobs.ended(&task, outcome).await;
        }
    }
}

/// Writes the job down, and again under each name that its run gets: by that it can be gone on with.
async fn write_down(
    jobs: &Weak<Jobs>,
    mut task: ResearchTask,
    mut names: mpsc::UnboundedReceiver<String>,
) -> Infallible {
    loop {
        if let Some(jobs) = jobs.upgrade() {
            jobs.save(&task, None).await;
        }
        match names.recv().await {
            Some(run) => task.run = Some(run),
            None => std::future::pending().await,
        }
    }
}

/// As many whole sentences as can be listened to, in plain words; of one that is too long, its beginning.
fn to_be_spoken(text: &str, lang: Lang) -> String {
    let text = speakable(text.trim(), spoken_lang(lang));
    let mut spoken = String::new();
    let mut length = 0;
    for sentence in sentences(&text) {
        length += sentence.chars().count();
        if length > LONGEST_SPOKEN {
            break;
        }
        spoken.push_str(&sentence);
    }
    match spoken.trim() {
        "" => shortened(&text, LONGEST_SPOKEN),
        spoken => spoken.to_owned(),
    }
}
