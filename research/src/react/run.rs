//! A run in ReAct text mode: the machine's steps, carried out and kept.

use super::input;
use super::machine::{React, ReactEnd, ReactLimits, ReactStep};
use crate::answer::{AnswerKind, normalize};
use crate::data::fenced;
use crate::error::ResearchError;
use crate::progress::Progress;
use crate::prompts::{Prompt, Task};
use crate::record::{Method, RunRecord, Verified};
use crate::resources::{Request, Resources};
use crate::run::{AnyRunRef, Head, OUTAGES};
use crate::team::describe_tools;
use incar_core::{FinishReason, Lang, Message, ToolCall};
use serde::{Deserialize, Serialize};

/// So many characters of a result are shown.
const SHOWN: usize = 8_000;
/// What a model answers that does not know.
const UNKNOWN: [&str; 4] = ["unknown", "不知道", "未知", "i don't know"];

/// A run in ReAct text mode on its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct ReactRun {
    pub(crate) head: Head,
    react: React,
}

impl ReactRun {
    /// A run; `earlier` is what was asked and answered before, the oldest first.
    pub(crate) fn open(head: Head, limits: ReactLimits, earlier: &[RunRecord], resources: &Resources) -> Self {
        let tools = describe_tools(resources, head.lang);
        let earlier = earlier
            .iter()
            .map(|record| format!("Question: {}\nAnswer: {}\n\n", record.question, record.answer));
        let opening = Prompt::of(Task::React, head.lang).user(&[
            ("tools", &tools),
            ("earlier", &earlier.collect::<String>()),
            ("question", &head.question),
        ]);
        let react = React::new(opening, head.lang, limits);
        Self { head, react }
    }

    /// Brings the run to its end. It is kept at every step.
    pub(crate) async fn finish(mut self, resources: &Resources) -> Result<RunRecord, ResearchError> {
        let watch = resources.stopwatch(&self.head);
        let end = loop {
            self.head.spent.time = watch.read(resources.clock.now());
            // Time that passed while nobody worked on the run is none of its own.
            let step = self.react.next(self.head.began.plus(self.head.spent.time));
            resources.save(&self.head.id, AnyRunRef::React(&self)).await?;
            match step {
                ReactStep::Ask(messages) => {
                    let said = self.ask(&messages, resources).await?;
                    self.react.said(&said);
                }
                ReactStep::Call { tool, input } => {
                    let observation = self.call(&tool, &input, resources).await;
                    self.react.observed(&observation);
                }
                ReactStep::End(end) => break end,
            }
        };
        self.conclude(end, resources).await
    }

    async fn ask(&mut self, messages: &[Message], resources: &Resources) -> Result<String, ResearchError> {
        resources.tell(Progress::Round {
            number: self.react.iterations() + 1,
        });
        let mut outages = 0;
        loop {
            let request = Request {
                run: self.head.id.as_str(),
                system: Prompt::of(Task::React, self.head.lang).system,
                messages,
                tools: None,
                lang: self.head.lang,
            };
            match resources.reply(request).await {
                Ok(reply) => {
                    self.head.spent.rounds += 1;
                    self.head.spend(reply.usage.unwrap_or_default(), resources);
                    return Ok(reply.message.content);
                }
                Err(error) if error.retryable && outages < OUTAGES => outages += 1,
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Calls a tool with what stands after the bar; what comes of it, or what keeps it from being called, as the model
    /// reads it.
    async fn call(&mut self, tool: &str, input: &str, resources: &Resources) -> String {
        let lang = self.head.lang;
        let Some(known) = resources.tool(tool) else {
            return resources.registry.unknown(tool);
        };
        let arguments = match input::arguments(known.spec(), input) {
            Ok(arguments) => arguments,
            Err(fault) => return fault.told(lang),
        };
        let id = format!("call_{}", self.react.tool_calls() + 1);
        let key = format!("{}/{id}", self.head.id);
        let call = ToolCall::new(id, tool, arguments.to_string());
        let found = |address: &str| self.head.knows(address, &[]) || self.react.observed_text(address);
        let mut result = match resources.look_at(&call, self.head.caller(), found).ready {
            Ok(resolved) => resources.run(tool, &resolved.arguments, &key, lang).await,
            Err(result) => result,
        };
        self.head.spent.calls += 1;
        self.head.take_in(&call, &arguments, &mut result, resources);
        let mut text = result.value.to_string();
        if let Some((end, _)) = text.char_indices().nth(SHOWN) {
            text.truncate(end);
        }
        if result.untrusted { fenced(&text) } else { text }
    }

    async fn conclude(self, end: ReactEnd, resources: &Resources) -> Result<RunRecord, ResearchError> {
        let lang = self.head.lang;
        let (answer, finish) = match end {
            ReactEnd::Answered(answer) => (Some(answer), FinishReason::Done),
            ReactEnd::IterationLimit => (None, FinishReason::RoundLimit),
            ReactEnd::TimeLimit => (None, FinishReason::TimeLimit),
        };
        let known = answer.filter(|answer| !UNKNOWN.contains(&normalize(answer, AnswerKind::Text).as_str()));
        let text = known.clone().unwrap_or_else(|| nothing(lang).to_owned());
        let cited = self.head.sources.cite(&text);
        let mut record = self.head.into_record(Method::React, cited, finish);
        // Nobody checks what the model says here: there is nothing that its confidence could be computed from.
        record.verified = known.is_none().then(|| Verified {
            value: String::new(),
            confidence: 0.0,
            abstained: true,
            steps: Vec::new(),
        });
        resources.keep_record(&record).await?;
        resources.tell(Progress::Finished { reason: record.finish });
        Ok(record)
    }
}

fn nothing(lang: Lang) -> &'static str {
    lang.pick("没有查到可靠的答案。", "No reliable answer was found.")
}
