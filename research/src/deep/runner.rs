//! Carries out what the machine says.

use super::DeepRun;
use super::control;
use super::machine::{Directive, Phase};
use super::outputs::{Decomposition, Extension, Reflection, Remedy, said};
use super::requests::Wording;
use crate::ask::{AskError, Asked, Question};
use crate::error::ResearchError;
use crate::id::FileName;
use crate::progress::{Progress, StepState};
use crate::record::{Method, RunRecord};
use crate::resources::{Request, Resources};
use crate::run::{AnyRunRef, Runnable};
use futures_util::StreamExt;
use incar_core::{FinishReason, ToolSet};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

impl DeepRun {
    /// Brings the run to its end. It is kept at every step.
    pub(crate) async fn finish(mut self, resources: &Resources) -> Result<RunRecord, ResearchError> {
        let watch = resources.stopwatch(&self.head);
        let tools = control::offered(&resources.offered);
        loop {
            self.head.spent.time = watch.read(resources.clock.now());
            self.advance(resources);
            match self.directive() {
                Directive::Decompose => self.decompose(resources).await?,
                Directive::Reason => self.reason(&tools, resources).await?,
                Directive::Resolve { index, call } => {
                    let found = |address: &str| self.head.knows(address, self.working.messages());
                    let looked = resources.look_at(call, self.head.caller(), found);
                    self.resolved(index, looked.arguments, looked.ready);
                    continue;
                }
                Directive::Run { indexes } => self.run_together(&indexes, resources).await?,
                Directive::Extend { query } => {
                    let wording = self.to_extend(query);
                    let judge = |extension: &Extension| self.fault_of(extension);
                    let extension = or_none(self.ask(wording, judge, resources).await, &mut self, resources)?;
                    self.extended(extension, resources);
                }
                Directive::Suffice { query, subtask } => {
                    let wording = self.to_suffice(query, subtask);
                    let sufficiency = or_none(self.ask(wording, |_| None, resources).await, &mut self, resources)?;
                    self.sufficed(sufficiency);
                }
                Directive::Reflect { trouble } => {
                    let wording = self.to_reflect(trouble);
                    let steps = self.task().plan.len();
                    let judge = |reflection: &Reflection| fault_of_remedy(reflection, steps);
                    let reflection = or_none(self.ask(wording, judge, resources).await, &mut self, resources)?;
                    self.reflected(reflection);
                    self.tell_plan(resources);
                }
                Directive::Summarize => {
                    self.tell_step(resources, "整理中间报告", "Writing an intermediate report");
                    let text = self.write(self.to_summarize(), resources).await?;
                    self.summarized(&text);
                }
                Directive::Report => self.report(resources).await?,
                Directive::Write { file, text } => {
                    resources.write_once(file, text).await?;
                    self.written(resources);
                }
                Directive::Finish => break,
            }
            resources.save(&self.head.id, AnyRunRef::Deep(&self)).await?;
        }
        self.conclude(resources).await
    }

    async fn decompose(&mut self, resources: &Resources) -> Result<(), ResearchError> {
        self.tell_step(resources, "制定计划", "Making a plan");
        let asked = self.ask(self.to_decompose(), fault_of_plan, resources).await;
        self.head.spend(asked.usage, resources);
        let decomposition = match asked.answer {
            Ok(decomposition) => Some(decomposition),
            // Without a plan for the question there is no run.
            Err(AskError::Unusable { .. }) if self.depth() > 1 => None,
            Err(error) => return Err(error.into()),
        };
        self.decomposed(decomposition);
        self.tell_plan(resources);
        Ok(())
    }

    async fn reason(&mut self, tools: &ToolSet, resources: &Resources) -> Result<(), ResearchError> {
        resources.tell(Progress::Round {
            number: self.head.spent.rounds + 1,
        });
        let running = self.task().plan.iter().find(|step| step.state == StepState::Running);
        if let Some(step) = running {
            resources.tell(Progress::Working {
                step: step.text.clone(),
            });
        }
        let wording = self.to_reason();
        let reply = resources.reply(self.request(&wording, Some(tools))).await?;
        self.replied(reply.message);
        self.head.spend(reply.usage.unwrap_or_default(), resources);
        Ok(())
    }

    async fn report(&mut self, resources: &Resources) -> Result<(), ResearchError> {
        self.tell_step(resources, "撰写最终报告", "Writing the final report");
        let text = match self.write(self.to_report(), resources).await {
            Ok(text) => text,
            // At a bound there is no other try: what is known is told.
            Err(error @ (ResearchError::Model(_) | ResearchError::Unusable { .. })) if self.bound.is_some() => {
                tracing::warn!(run = %self.head.id, error = %error.kind(), "the model did not write the report");
                self.report_by_code()
            }
            Err(error) => return Err(error),
        };
        self.reported(&text);
        Ok(())
    }

    fn request<'a>(&'a self, wording: &'a Wording, tools: Option<&'a ToolSet>) -> Request<'a> {
        Request {
            run: self.head.id.as_str(),
            system: wording.system,
            messages: &wording.messages,
            tools,
            lang: self.head.lang,
        }
    }

    /// Asks for a report.
    async fn write(&mut self, wording: Wording, resources: &Resources) -> Result<String, ResearchError> {
        let asked = resources.text(self.request(&wording, None)).await;
        self.head.spend(asked.usage, resources);
        Ok(asked.answer?)
    }

    async fn ask<T: DeserializeOwned + JsonSchema>(
        &self,
        wording: Wording,
        judge: impl Fn(&T) -> Option<String> + Send + Sync,
        resources: &Resources,
    ) -> Asked<T> {
        let question = Question {
            run: self.head.id.as_str(),
            system: wording.system,
            messages: &wording.messages,
            lang: self.head.lang,
        };
        resources.ask(question, judge).await
    }

    /// A page that is to be read is one that a search gave.
    fn fault_of(&self, extension: &Extension) -> Option<String> {
        let url = said(extension.url.as_ref()).filter(|_| extension.need_more_information)?;
        let unknown = self.head.sources.at(url).is_none();
        unknown.then(|| format!("`url`: {url} is none of the addresses that the search gave"))
    }

    /// Runs calls together. Each is kept as it ends, so that none is made again.
    async fn run_together(&mut self, indexes: &[usize], resources: &Resources) -> Result<(), ResearchError> {
        let calls = indexes.iter().filter_map(|&index| {
            let (call, arguments) = self.call(index)?;
            Some(Runnable {
                index,
                call: call.clone(),
                arguments: arguments.clone(),
            })
        });
        let mut running = resources.perform(&self.head, calls.collect());
        while let Some((index, result)) = running.next().await {
            self.ran(index, result);
            if !running.is_empty() {
                resources.save(&self.head.id, AnyRunRef::Deep(self)).await?;
            }
        }
        Ok(())
    }

    fn tell_step(&self, resources: &Resources, zh: &str, en: &str) {
        resources.tell(Progress::Working {
            step: self.head.lang.pick(zh, en).to_owned(),
        });
    }

    async fn conclude(self, resources: &Resources) -> Result<RunRecord, ResearchError> {
        let files: Vec<FileName> = self
            .reports
            .into_iter()
            .map(|report| report.file)
            .chain(self.final_file)
            .collect();
        let Phase::Done(answer) = self.phase else {
            return Err(ResearchError::Unreadable {
                id: self.head.id,
                reason: "it stands nowhere".to_owned(),
            });
        };
        let finish = self.bound.unwrap_or(FinishReason::Done);
        let mut record = self.head.into_record(Method::Deep, answer, finish);
        record.reports = files;
        resources.keep_record(&record).await?;
        resources.tell(Progress::Finished { reason: record.finish });
        Ok(record)
    }
}

/// An answer, and what it cost; `None` where it cannot be used: the run goes on without it.
fn or_none<T>(asked: Asked<T>, run: &mut DeepRun, resources: &Resources) -> Result<Option<T>, ResearchError> {
    run.head.spend(asked.usage, resources);
    match asked.answer {
        Ok(answer) => Ok(Some(answer)),
        Err(AskError::Unusable { .. }) => {
            tracing::warn!(run = %run.head.id, "the model's answer cannot be used; going on without an answer");
            Ok(None)
        }
        Err(AskError::Model(error)) => Err(error.into()),
    }
}

/// A plan says something in every step.
fn fault_of_plan(decomposition: &Decomposition) -> Option<String> {
    let blank = decomposition.working_plan.iter().any(|step| step.trim().is_empty());
    blank.then(|| "`working_plan`: a step is empty".to_owned())
}

/// A remedy is one of a step that there is, and says what to do instead.
fn fault_of_remedy(reflection: &Reflection, steps: usize) -> Option<String> {
    if !(1..=steps).contains(&reflection.step) {
        return Some(format!("`step` must be 1 to {steps}, not {}", reflection.step));
    }
    let wants_text = reflection.remedy != Remedy::Neither;
    (wants_text && said(reflection.text.as_ref()).is_none()).then(|| "`text` is missing".to_owned())
}
