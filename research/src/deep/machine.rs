//! Deep research as a machine without IO: it says what to do next and is told what came of it. It can be written down at
//! every step and taken up again.

use super::DeepRun;
use super::batch::{Batch, EntryState, Purpose, Todo};
use super::control::Control;
use super::outputs::{Decomposition, Extension, Reflection, Remedy, Sufficiency, said};
use super::plan::Subtask;
use crate::budget::Budget;
use crate::calls::about;
use crate::id::{FileName, RunId};
use crate::progress::{Progress, StepState};
use crate::record::with_sources;
use crate::resources::Resources;
use crate::run::Head;
use crate::sources::{Cited, Source};
use incar_core::turn::CallResult;
use incar_core::{AssistantMessage, History, Lang, Outcome, Resolved, Timestamp, ToolCall, estimate_tokens};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The tool that reads a page whose address a search gave.
const READ_PAGE: &str = "read_page";
/// After so many rounds in a row in which all calls failed, the model reflects.
const FAILING_ROUNDS: u32 = 2;

/// Where the run is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Phase {
    /// The task on top has no plan yet.
    Plan,
    /// The model is asked for the next calls.
    Reason,
    /// Calls are made.
    Calls(Batch),
    /// A search found something: is it enough?
    Extend {
        query: String,
    },
    /// A page was read: is it enough now?
    Suffice {
        query: String,
        subtask: String,
    },
    /// What was found becomes a report.
    Summarize {
        next: Next,
    },
    /// A step failed.
    Reflect {
        trouble: String,
    },
    /// All becomes the final report.
    Report,
    /// A report is to be written.
    Write {
        file: FileName,
        text: String,
        /// The report as the model goes on seeing it.
        body: String,
        next: Next,
    },
    Done(Cited),
}

/// What follows a report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Next {
    /// The task goes on.
    Continue,
    /// A deeper task.
    Push(String),
    /// The task above goes on.
    Pop,
    /// The run ends.
    End(Cited),
}

/// An intermediate report.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Written {
    pub(super) file: FileName,
    pub(super) text: String,
}

/// What to do next.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Directive<'a> {
    Decompose,
    Reason,
    Resolve { index: usize, call: &'a ToolCall },
    Run { indexes: Vec<usize> },
    Extend { query: &'a str },
    Suffice { query: &'a str, subtask: &'a str },
    Summarize,
    Reflect { trouble: &'a str },
    Report,
    Write { file: &'a FileName, text: &'a str },
    Finish,
}

impl DeepRun {
    /// A run for a question.
    pub(crate) fn open(id: RunId, question: &str, lang: Lang, budget: Budget, depth: usize, now: Timestamp) -> Self {
        Self {
            head: Head::new(id, question, lang, budget, now),
            max_depth: depth.max(1),
            root: Subtask::new(question),
            stack: Vec::new(),
            reports: Vec::new(),
            working: History::default(),
            made: BTreeSet::new(),
            failing: 0,
            bound: None,
            final_file: None,
            phase: Phase::Plan,
        }
    }

    /// The task that is worked on.
    pub(super) fn task(&self) -> &Subtask {
        self.stack.last().unwrap_or(&self.root)
    }

    fn task_mut(&mut self) -> &mut Subtask {
        self.stack.last_mut().unwrap_or(&mut self.root)
    }

    /// How deep the task is, from 1.
    pub(super) fn depth(&self) -> usize {
        self.stack.len() + 1
    }

    pub(super) fn can_go_deeper(&self) -> bool {
        self.depth() < self.max_depth
    }

    /// What to do next. Asking twice gives the same answer until something is told.
    pub(super) fn directive(&self) -> Directive<'_> {
        match &self.phase {
            Phase::Plan => Directive::Decompose,
            Phase::Reason => Directive::Reason,
            Phase::Calls(batch) => match batch.todo() {
                Todo::Resolve(index) => match batch.entries.get(index) {
                    Some(entry) => Directive::Resolve {
                        index,
                        call: &entry.call,
                    },
                    None => Directive::Finish,
                },
                Todo::Run(indexes) => Directive::Run { indexes },
                Todo::Close => Directive::Finish,
            },
            Phase::Extend { query } => Directive::Extend { query },
            Phase::Suffice { query, subtask } => Directive::Suffice { query, subtask },
            Phase::Summarize { .. } => Directive::Summarize,
            Phase::Reflect { trouble } => Directive::Reflect { trouble },
            Phase::Report => Directive::Report,
            Phase::Write { file, text, .. } => Directive::Write { file, text },
            Phase::Done(_) => Directive::Finish,
        }
    }

    /// Moves on as far as that needs nobody: calls that ended enter the history, bounds are noticed. Call it before
    /// [`DeepRun::directive`].
    pub(super) fn advance(&mut self, resources: &Resources) {
        if let Phase::Calls(batch) = &self.phase
            && batch.todo() == Todo::Close
        {
            self.close(resources);
        }
        let spends = match &self.phase {
            Phase::Plan
            | Phase::Reason
            | Phase::Extend { .. }
            | Phase::Suffice { .. }
            | Phase::Summarize { .. }
            | Phase::Reflect { .. } => true,
            Phase::Calls(_) | Phase::Report | Phase::Write { .. } | Phase::Done(_) => false,
        };
        if spends
            && self.bound.is_none()
            && let Some(reason) = self.head.budget.reached(&self.head.spent)
        {
            tracing::info!(run = %self.head.id, ?reason, "a bound was reached; what is known becomes the report");
            self.bound = Some(reason);
            self.phase = Phase::Report;
        }
        if self.phase == Phase::Reason && self.is_crowded() {
            self.phase = Phase::Summarize { next: Next::Continue };
        }
        if self.phase == Phase::Reason && self.task_mut().go_on() {
            self.tell_plan(resources);
        }
    }

    /// Whether the raw results are more than one request is to have.
    fn is_crowded(&self) -> bool {
        let messages = self.working.messages().iter();
        let tokens: u64 = messages.map(|message| estimate_tokens(message.content())).sum();
        tokens > self.head.budget.request_tokens
    }

    /// The task was split up; `None`: the model could not do it.
    pub(super) fn decomposed(&mut self, decomposition: Option<Decomposition>) {
        match decomposition {
            Some(decomposition) => self.task_mut().take_up(decomposition),
            // A deeper task that nobody can plan is left; what its parent knows stays.
            None => drop(self.stack.pop()),
        }
        self.phase = Phase::Reason;
    }

    /// The model said what comes next. No calls: the task is done, and what it says belongs to it.
    pub(super) fn replied(&mut self, reply: AssistantMessage) {
        self.head.spent.rounds += 1;
        if !reply.tool_calls.is_empty() {
            let allowed = self.head.budget.calls.saturating_sub(self.head.spent.calls);
            self.phase = Phase::Calls(Batch::of(reply, allowed, Purpose::Reply));
            return;
        }
        if !reply.content.trim().is_empty() {
            // A text alone is always a reply.
            let _fits = self.working.reply(reply);
        }
        self.end_task();
    }

    fn end_task(&mut self) {
        self.phase = match self.stack.is_empty() {
            true => Phase::Report,
            false => Phase::Summarize { next: Next::Pop },
        };
    }

    /// A call was looked at.
    pub(super) fn resolved(&mut self, index: usize, arguments: Value, ready: Result<Resolved, CallResult>) {
        let Phase::Calls(batch) = &mut self.phase else { return };
        let Some(entry) = batch.entries.get(index) else { return };
        let (arguments, mut state) = match ready {
            Ok(resolved) => (resolved.arguments, EntryState::Ready),
            Err(result) => (arguments, EntryState::Answered(result)),
        };
        let name = entry.call.name.clone();
        if state == EntryState::Ready
            && (self.made.contains(&key(&name, &arguments)) || batch.has_before(index, &name, &arguments))
        {
            state = EntryState::Answered(CallResult::misfit(
                "this very call was made before; its result stands above or in the reports",
                None,
            ));
        }
        if let Some(entry) = batch.entries.get_mut(index) {
            entry.arguments = arguments;
            entry.state = state;
        }
    }

    /// A call of the batch that may run.
    pub(super) fn call(&self, index: usize) -> Option<(&ToolCall, &Value)> {
        let Phase::Calls(batch) = &self.phase else { return None };
        let entry = batch.entries.get(index)?;
        (entry.state == EntryState::Ready).then_some((&entry.call, &entry.arguments))
    }

    /// A call ran.
    pub(super) fn ran(&mut self, index: usize, result: CallResult) {
        if let Phase::Calls(batch) = &mut self.phase
            && let Some(entry) = batch.entries.get_mut(index)
        {
            entry.state = EntryState::Ran(result);
        }
    }

    /// All calls of the batch ended.
    fn close(&mut self, resources: &Resources) {
        let Phase::Calls(mut batch) = std::mem::replace(&mut self.phase, Phase::Reason) else {
            return;
        };
        let known = self.head.sources.all().len();
        let mut searched = Vec::new();
        for entry in &mut batch.entries {
            let EntryState::Ran(result) = &mut entry.state else {
                continue;
            };
            self.head.spent.calls += 1;
            self.head.take_in(&entry.call, &entry.arguments, result, resources);
            if result.outcome == Outcome::Ok {
                self.made.insert(key(&entry.call.name, &entry.arguments));
                if entry.call.name != READ_PAGE {
                    searched.push(about(&entry.arguments));
                }
            }
        }
        let found = self.head.sources.all().len() > known;
        self.failing = if batch.all_failed() { self.failing + 1 } else { 0 };
        let (control, purpose) = (batch.control.take(), batch.purpose.clone());
        let (reply, results) = batch.into_exchange();
        // There is one result for each call, in the order called.
        let _fits = self.working.exchange(reply, results);
        if let Purpose::FollowUp { query, subtask } = purpose {
            self.phase = Phase::Suffice { query, subtask };
            return;
        }
        if let Some(Control::Summarize(ticks) | Control::Finish(ticks)) = &control {
            self.task_mut().tick(&ticks.done_steps, &ticks.closed_gaps);
            self.tell_plan(resources);
        }
        match control {
            Some(Control::Summarize(_)) => self.phase = Phase::Summarize { next: Next::Continue },
            Some(Control::Finish(_)) => self.end_task(),
            Some(Control::Reflect(trouble)) => {
                self.phase = Phase::Reflect {
                    trouble: trouble.trouble,
                }
            }
            None if self.failing >= FAILING_ROUNDS => {
                self.failing = 0;
                let trouble = self.head.lang.pick(
                    "连着几轮的调用都没有结果。",
                    "Every call of the last rounds came to nothing.",
                );
                self.phase = Phase::Reflect {
                    trouble: trouble.to_owned(),
                };
            }
            None if found && !searched.is_empty() && self.can_go_deeper() => {
                self.phase = Phase::Extend {
                    query: searched.join("; "),
                };
            }
            None => {}
        }
    }

    /// Whether what a search found is enough; `None`: the model could not say, and it has to be.
    pub(super) fn extended(&mut self, extension: Option<Extension>, resources: &Resources) {
        let Phase::Extend { query } = std::mem::replace(&mut self.phase, Phase::Reason) else {
            return;
        };
        let Some(extension) = extension.filter(|extension| extension.need_more_information) else {
            return;
        };
        let subtask = said(extension.subtask.as_ref()).unwrap_or(&query).to_owned();
        let url = said(extension.url.as_ref()).filter(|_| resources.tool(READ_PAGE).is_some());
        let allowed = self.head.budget.calls.saturating_sub(self.head.spent.calls);
        self.phase = match url {
            Some(url) => {
                let id = format!("follow_up_{}", self.head.tools.len() + 1);
                let call = ToolCall::new(id, READ_PAGE, json!({ "url": url }).to_string());
                let purpose = Purpose::FollowUp { query, subtask };
                Phase::Calls(Batch::of(AssistantMessage::calls(vec![call]), allowed, purpose))
            }
            None => Phase::Suffice { query, subtask },
        };
    }

    /// Whether what there is now is enough; `None`: the model could not say, and it has to be.
    pub(super) fn sufficed(&mut self, sufficiency: Option<Sufficiency>) {
        let Phase::Suffice { subtask, .. } = std::mem::replace(&mut self.phase, Phase::Reason) else {
            return;
        };
        if sufficiency.is_some_and(|sufficiency| !sufficiency.is_sufficient) && self.can_go_deeper() {
            self.phase = Phase::Summarize {
                next: Next::Push(subtask),
            };
        }
    }

    /// What is done about a step that failed; `None`: the model could not say, and nothing is.
    pub(super) fn reflected(&mut self, reflection: Option<Reflection>) {
        self.phase = Phase::Reason;
        let Some(reflection) = reflection else { return };
        let deeper = self.can_go_deeper();
        let Some(step) = self.task_mut().step_mut(reflection.step) else {
            return;
        };
        match (reflection.remedy, said(reflection.text.as_ref())) {
            (Remedy::Rephrase, Some(text)) => {
                text.clone_into(&mut step.text);
                step.state = StepState::Open;
            }
            (Remedy::Decompose, Some(text)) if deeper => {
                let next = Next::Push(text.to_owned());
                self.phase = Phase::Summarize { next };
            }
            (Remedy::Rephrase | Remedy::Decompose | Remedy::Neither, _) => step.state = StepState::Failed,
        }
    }

    /// The model wrote an intermediate report.
    pub(super) fn summarized(&mut self, text: &str) {
        let Phase::Summarize { next } = std::mem::replace(&mut self.phase, Phase::Reason) else {
            return;
        };
        let number = self.reports.len() + 1;
        let cited = self.head.sources.cite(text.trim());
        let sources = cited.numbers.iter().filter_map(|number| self.head.sources.get(*number));
        self.phase = Phase::Write {
            file: self.head.id.file(&format!("inprocess_report_{number}.md")),
            text: with_sources(&cited.text, sources, self.head.lang),
            body: cited.text,
            next,
        };
    }

    /// The model wrote the final report.
    pub(super) fn reported(&mut self, text: &str) {
        if self.phase != Phase::Report {
            return;
        }
        let cited = self.head.sources.cite(text.trim());
        let sources = cited.numbers.iter().filter_map(|number| self.head.sources.get(*number));
        self.phase = Phase::Write {
            file: self.head.id.file("detailed_report.md"),
            text: with_sources(&cited.text, sources, self.head.lang),
            body: String::new(),
            next: Next::End(cited),
        };
    }

    /// The final report where no model writes it: the intermediate ones, else what the sources say themselves.
    pub(super) fn report_by_code(&self) -> String {
        let lang = self.head.lang;
        let reason = lang.pick(
            "调研没有做完，以下是已经查到的。",
            "The research was not finished. This is what is known so far.",
        );
        let mut parts = vec![reason.to_owned()];
        parts.extend(self.reports.iter().map(|report| report.text.clone()));
        if self.reports.is_empty() {
            let colon = lang.pick("：", ": ");
            let line = |source: &Source| format!("- {}{colon}{} [{}]", source.title, source.excerpt, source.number);
            parts.extend(self.head.sources.all().iter().map(line));
        }
        parts.join("\n\n")
    }

    /// A report was written.
    pub(super) fn written(&mut self, resources: &Resources) {
        let Phase::Write { file, body, next, .. } = std::mem::replace(&mut self.phase, Phase::Reason) else {
            return;
        };
        resources.tell(Progress::Wrote { file: file.clone() });
        let report = Written { file, text: body };
        match next {
            Next::Continue => self.put_away(report),
            Next::Push(objective) => {
                self.put_away(report);
                self.stack.push(Subtask::new(objective));
                self.phase = Phase::Plan;
            }
            Next::Pop => {
                self.put_away(report);
                self.stack.pop();
                self.tell_plan(resources);
            }
            Next::End(answer) => {
                self.final_file = Some(report.file);
                self.phase = Phase::Done(answer);
            }
        }
    }

    /// The raw results go, and the report of them stays.
    fn put_away(&mut self, report: Written) {
        self.reports.push(report);
        self.working = History::default();
    }

    pub(super) fn tell_plan(&self, resources: &Resources) {
        resources.tell(Progress::Planned {
            objective: self.task().objective.clone(),
            depth: self.depth(),
            steps: self.task().plan.clone(),
        });
    }
}

/// What tells a call from others.
fn key(name: &str, arguments: &Value) -> String {
    format!("{name} {arguments}")
}
