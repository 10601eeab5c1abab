//! How speech and models start, follow and cancel a job. The embedded brain knows the tools by their words; a cloud model
//! by their descriptions.

use super::table::CalledOff;
use super::work::Refused;
use super::{Jobs, phrases};
use incar_core::words::{Phrase, ToolWords, ValueKind};
use incar_core::{
    Bilingual, Effect, ErrorKind, Interruption, Job, Outcome, ResearchTask, Tool, ToolCallReport, ToolCategory,
    ToolContext, ToolError, ToolOutput, ToolSpec, TypedTool, async_trait,
};
use incar_text::shortened;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::sync::Arc;

/// The tool that starts a job.
pub(crate) const START: &str = "start_research";
pub(crate) const STATUS: &str = "research_status";
const CANCEL: &str = "cancel_research";

/// How much of what is shown a model reads, in characters.
const LONGEST_REPORT: usize = 6_000;

/// The tools of a speaker's background work.
pub(crate) fn tools(jobs: &Arc<Jobs>) -> [Arc<dyn Tool>; 3] {
    [
        Arc::new(incar_core::Erased::new(Start(jobs.clone()))),
        Arc::new(incar_core::Erased::new(Status(jobs.clone()))),
        Arc::new(incar_core::Erased::new(Cancel(jobs.clone()))),
    ]
}

/// The job that the calls of a turn were about.
pub(crate) fn job_of(calls: &[ToolCallReport]) -> Option<Job> {
    let ours = |call: &&ToolCallReport| [START, STATUS, CANCEL].contains(&call.name.as_str());
    let mut calls = calls.iter().rev().filter(ours);
    calls.find_map(|call| Job::deserialize(call.result.get("job")?).ok())
}

/// Whether the calls of a turn told what a job found, and which.
pub(crate) fn told_by(calls: &[ToolCallReport]) -> Option<&str> {
    let told = |call: &&ToolCallReport| call.name == STATUS && call.outcome == Outcome::Ok;
    let call = calls.iter().rev().find(told)?;
    call.result.get("answer")?;
    call.result.get("job")?.get("id")?.as_str()
}

fn spec(name: &'static str, effect: Effect, zh: &str, en: &str) -> ToolSpec {
    ToolSpec::new(name, ToolCategory::RESEARCH, effect, Bilingual::new(zh, en))
}

/// `start_research`.
#[derive(Debug)]
struct Start(Arc<Jobs>);

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StartArgs {
    /// What to look into, whole and in the speaker's words: every condition they named.
    #[schemars(length(min = 1, max = 4096))]
    question: String,
}

#[async_trait]
impl TypedTool for Start {
    type Args = StartArgs;

    fn spec(&self) -> ToolSpec {
        let words = ToolWords::new()
            .argument("question", ValueKind::Text)
            .phrase([
                "(调研|深入调研|研究|深入研究)[一下|下|研究]{question}",
                "(好好查一下|仔细查一下|深入查一下|详细查一下|查查资料看看|深入了解一下){question}",
                "做[个|一个|一份|一下](调研|研究){question}",
                "(research|do some research on|do some research into|look into|dig into|do a deep dive on) {question}",
            ])
            .ask("question", "请问要查什么？", "What should I look into?");
        spec(
            START,
            Effect::Act,
            "在后台查一件要花几分钟的事：比较几个选择、查多份资料、按多个条件做计划。马上返回，有结果时自动告诉说话人。一次工具调用就能办的事不要用它",
            "Look into something in the background that takes minutes: compare options, read several sources, plan under several conditions. Returns at once; the speaker is told by themselves when there is an answer. Not for what one call of another tool does",
        )
        .with_words(words)
    }

    async fn run(&self, args: StartArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let lang = cx.lang;
        let question = args.question.trim();
        if question.is_empty() {
            let ask = lang.pick("请问要查什么？", "What should I look into?");
            return Err(ToolError::ask(ErrorKind::InvalidInput, "question", ask));
        }
        let id = uuid::Uuid::new_v4().simple().to_string();
        let task = ResearchTask::new(id, question, lang, cx.speaker.clone());
        let job = self.0.start(task).map_err(|refused| match refused {
            Refused::Busy(running) => ToolError::new(ErrorKind::Busy, phrases::busy(lang, &running.question)),
            Refused::Crowded => ToolError::new(ErrorKind::Busy, phrases::crowded(lang)),
        })?;
        Ok(ToolOutput::new(json!({"job": job}))?.say(phrases::started(lang)))
    }
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NoArgs {}

/// `research_status`.
#[derive(Debug)]
struct Status(Arc<Jobs>);

#[async_trait]
impl TypedTool for Status {
    type Args = NoArgs;

    fn spec(&self) -> ToolSpec {
        let words = ToolWords::new().phrase([
            "(查|研究|调研|找)(得|的)(怎么样|怎样|如何)[了]",
            "(查|研究|调研|找)(到哪里|到哪儿|到哪|到哪一步|到什么程度)了",
            "(查|研究|调研)(完|好|出来|出结果)了(吗|没|没有)",
            "[让你|叫你|刚才让你]查的(事|事情|东西|那个|那件事)(怎么样|如何|有结果|好)[了](吗|没有|)",
            "(有|出)结果了(吗|没|没有)",
            "(查询|研究|调研)(进度|进展)[怎么样|如何|到哪了][了]",
            "查到了什么",
            "how (is|goes) [the|your|my] (research|search)[ going| coming along]",
            "(how's|hows) the research [going|coming along]",
            "(how far are you|how far along are you|how far are you along) with the research",
            "(is|are) the (research|results) (done|finished|ready|in)[ yet]",
            "(any results|anything yet|any progress|any news) [yet|from the research|on the research]",
            "what did you find [out]",
            "what (is|was|did) the (research|result of the research) [say|find]",
            "(status|progress) of the research",
        ]);
        spec(
            STATUS,
            Effect::Read,
            "后台查询的进展；查完时给出结果",
            "How far the research in the background is; its answer once it is done",
        )
        .with_words(words)
        .untrusted()
    }

    async fn run(&self, _: NoArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let (lang, owner) = (cx.lang, cx.speaker.owner());
        let Some(status) = self.0.status(&owner) else {
            return Ok(ToolOutput::new(json!({"job": null}))?.say(phrases::nothing(lang)));
        };
        if let Some((_, told)) = self.0.heard(&status.job.id).await {
            let report = told.findings.display.as_deref();
            let report = report.map(|report| shortened(report, LONGEST_REPORT));
            let value = json!({
                "job": status.job,
                "question": told.question,
                "answer": told.findings.spoken,
                "report": report,
                "proposed": told.findings.actions,
            });
            return Ok(ToolOutput::new(value)?.say(told.findings.spoken.as_str()));
        }
        let failure = self.0.failure(&owner);
        let say = phrases::standing(lang, &status, failure.as_deref());
        let value = json!({"job": status.job, "question": status.question, "progress": status.progress});
        Ok(ToolOutput::new(value)?.say(say))
    }
}

/// `cancel_research`.
#[derive(Debug)]
struct Cancel(Arc<Jobs>);

#[async_trait]
impl TypedTool for Cancel {
    type Args = NoArgs;

    fn spec(&self) -> ToolSpec {
        let mut words = ToolWords::new().phrase([
            "(别|不要|不用|不必|停止|取消|先别|别再|不用再|停下)(查|查询|研究|调研|搜)[资料]了",
            "(停止|取消|停掉|终止|中止)[刚才的|那个|后台的](查询|研究|调研)",
            "(cancel|stop|abort|drop|forget about|never mind) the research",
            "stop (researching|looking into it|looking it up|looking into that)",
            "(you can stop|you needn't go on) [looking|researching]",
        ]);
        words.phrases.push({
            let mut doubtful = Phrase::default();
            doubtful.patterns = vec![
                "(cancel|stop|abort) the search".into(),
                "别找了".into(),
                "不用找了".into(),
            ];
            doubtful.doubt = 0.1;
            doubtful
        });
        let mut spec = spec(
            CANCEL,
            Effect::Set,
            "取消后台查询",
            "Cancel the research in the background",
        )
        .with_words(words);
        spec.interruption = Interruption::RunsToEnd;
        spec
    }

    async fn run(&self, _: NoArgs, cx: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
        let (called_off, job) = self.0.call_off(&cx.speaker.owner()).await;
        let say = match called_off {
            CalledOff::Stopped => phrases::stopped(cx.lang),
            CalledOff::Unsaid => phrases::unsaid(cx.lang),
            CalledOff::Nothing => phrases::nothing(cx.lang),
        };
        Ok(ToolOutput::new(json!({"job": job}))?.say(say))
    }
}
