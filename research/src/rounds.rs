//! Multi-round research: the model calls tools, round after round, until it calls none.
//!
//! The rounds are those of core's turn machine, which is kept after each step; a run that is taken up goes on at the
//! machine's next directive.

use crate::budget::Budget;
use crate::error::ResearchError;
use crate::id::RunId;
use crate::progress::Progress;
use crate::prompts::{Prompt, Task};
use crate::record::{Method, RunRecord};
use crate::resources::{Request, Resources};
use crate::run::{AnyRunRef, Head, Runnable};
use futures_util::StreamExt;
use incar_core::turn::{CallResult, Dialogue, Directive, Findings, Opening, ToolUse, Turn, TurnSettings, Verdict};
use incar_core::{
    AssistantMessage, Concurrency, FinishReason, History, Judgement, Lang, ReplyClass, Timestamp, ToolSet,
    estimate_tokens,
};
use serde::{Deserialize, Serialize};

/// How many questions before this one the model sees, with their answers.
const REMEMBERED: usize = 5;

/// A run of rounds on its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct RoundsRun {
    pub(crate) head: Head,
    turn: Turn,
    /// Calls that ended while others of their round still run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ended: Vec<(usize, CallResult)>,
}

impl RoundsRun {
    /// A run for a question after others, the oldest first.
    pub(crate) fn open(head: Head, earlier: &[RunRecord], tools: &ToolSet) -> Self {
        let prompt = Prompt::of(Task::Rounds, head.lang);
        let mut history = History::default();
        for record in earlier {
            history.user(record.question.clone());
            // A text alone is always a reply.
            let _fits = history.reply(AssistantMessage::text(record.with_sources()));
        }
        let described: u64 = tools
            .specs()
            .iter()
            .map(|spec| {
                estimate_tokens(spec.description.get(head.lang)) + estimate_tokens(&spec.parameters.to_string())
            })
            .sum();
        let settings = TurnSettings::new(head.id.as_str(), head.lang, head.began)
            .with_limits(head.budget.limits())
            .with_overhead(estimate_tokens(prompt.system) + described);
        let said = prompt.user(&[("question", &head.question)]);
        let turn = Turn::open(Dialogue::new(history), Opening::Utterance, &said, None, settings);
        Self {
            head,
            turn,
            ended: Vec::new(),
        }
    }

    /// Brings the run to its end. It is kept at every step.
    pub(crate) async fn finish(mut self, resources: &Resources) -> Result<RunRecord, ResearchError> {
        let watch = resources.stopwatch(&self.head);
        loop {
            self.head.spent.time = watch.read(resources.clock.now());
            // Time that passed while nobody worked on the run is none of the turn's.
            self.turn.advance(self.head.began.plus(self.head.spent.time));
            match self.turn.directive() {
                Directive::AskModel { tools } => self.ask(tools, resources).await?,
                Directive::Resolve { index, call, .. } => {
                    let found = |address: &str| self.head.knows(address, self.turn.messages());
                    let looked = resources.look_at(call, self.head.caller(), found);
                    let verdict = match looked.ready {
                        Ok(resolved) => Verdict::Decided {
                            resolved,
                            concurrency: Concurrency::Concurrent,
                            decisions: Vec::new(),
                            findings: Findings::default(),
                        },
                        Err(result) => Verdict::Answer(result),
                    };
                    self.turn.resolved(index, looked.arguments, verdict);
                    continue;
                }
                Directive::Run { indexes } => self.run_together(indexes, resources).await?,
                // No tool call = done: there is nobody who could be asked anything.
                Directive::Judge { .. } => self.turn.judged(Judgement {
                    class: ReplyClass::None,
                    confidence: 1.0,
                }),
                // A directive of a newer machine cannot be carried out here: the turn ends unfinished.
                _ => break,
            }
            self.save(resources).await?;
        }
        self.conclude(resources).await
    }

    async fn save(&self, resources: &Resources) -> Result<(), ResearchError> {
        Ok(resources.save(&self.head.id, AnyRunRef::Rounds(self)).await?)
    }

    async fn ask(&mut self, tools: ToolUse, resources: &Resources) -> Result<(), ResearchError> {
        resources.tell(Progress::Round {
            number: self.turn.round(),
        });
        let offered = match tools {
            ToolUse::Offered => Some(&resources.offered),
            ToolUse::Withheld => None,
        };
        let asked = resources
            .reply(Request {
                run: self.head.id.as_str(),
                system: Prompt::of(Task::Rounds, self.head.lang).system,
                messages: self.turn.messages(),
                tools: offered,
                lang: self.head.lang,
            })
            .await;
        match asked {
            Ok(reply) => {
                self.head.spent.rounds = self.turn.round();
                self.head.spend(reply.usage.unwrap_or_default(), resources);
                self.turn.model_replied(reply);
                Ok(())
            }
            // At a bound there is no other try: what the tools found is told.
            Err(error) if self.turn.bound().is_some() && !self.head.tools.is_empty() => {
                tracing::warn!(run = %self.head.id, error = %error.loggable(), "the model did not answer at the bound");
                self.turn.model_failed(&error);
                Ok(())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Runs the calls of a round together. Each is kept as it ends, so that none is made again; they are taken in when all
    /// have ended.
    async fn run_together(&mut self, indexes: Vec<usize>, resources: &Resources) -> Result<(), ResearchError> {
        let open = indexes
            .iter()
            .filter(|index| self.ended.iter().all(|(ended, _)| ended != *index));
        let calls = open.filter_map(|&index| {
            let runnable = self.turn.call(index)?;
            Some(Runnable {
                index,
                call: runnable.call.clone(),
                arguments: runnable.resolved.arguments.clone(),
            })
        });
        let mut running = resources.perform(&self.head, calls.collect());
        while let Some(ended) = running.next().await {
            self.ended.push(ended);
            if !running.is_empty() {
                self.save(resources).await?;
            }
        }
        drop(running);
        self.ended.sort_by_key(|(index, _)| *index);
        for (index, mut result) in std::mem::take(&mut self.ended) {
            let Some(runnable) = self.turn.call(index) else {
                continue;
            };
            let (call, arguments) = (runnable.call.clone(), runnable.resolved.arguments.clone());
            self.head.take_in(&call, &arguments, &mut result, resources);
            self.head.spent.calls += 1;
            self.turn.ran(index, result);
        }
        Ok(())
    }

    async fn conclude(self, resources: &Resources) -> Result<RunRecord, ResearchError> {
        let Self { head, turn, .. } = self;
        let (_, ending) = turn.into_end();
        let answer = head.sources.cite(&ending.message);
        // Calls that all failed are an answer too: that nothing was found.
        let finish = match ending.finish {
            FinishReason::Error | FinishReason::Denied if !ending.calls.is_empty() => FinishReason::Done,
            finish => finish,
        };
        let record = head.into_record(Method::Rounds, answer, finish);
        resources.keep_record(&record).await?;
        resources.tell(Progress::Finished { reason: record.finish });
        Ok(record)
    }
}

impl Resources {
    /// A run of rounds for a question, which may follow another run.
    pub(crate) async fn open_rounds(
        &self,
        id: RunId,
        question: &str,
        lang: Lang,
        budget: Budget,
        now: Timestamp,
        follows: Option<&RunRecord>,
    ) -> Result<RoundsRun, ResearchError> {
        let head = Head::new(id, question, lang, budget, now).following(follows);
        Ok(RoundsRun::open(head, &self.earlier(follows).await?, &self.offered))
    }

    /// What was asked and answered up to a record, the oldest first.
    pub(crate) async fn earlier(&self, last: Option<&RunRecord>) -> Result<Vec<RunRecord>, ResearchError> {
        let mut earlier = Vec::new();
        let mut next = last.cloned();
        while let Some(record) = next.take() {
            if earlier.len() + 1 < REMEMBERED
                && let Some(id) = &record.follows
            {
                next = self.record(id).await?;
            }
            earlier.push(record);
        }
        earlier.reverse();
        Ok(earlier)
    }
}
