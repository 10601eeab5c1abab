//! Research in the car: a service behind the assistant's trait for work in the background, and what the driver hears of an
//! answer.

use crate::ask::Question;
use crate::data::one_line;
use crate::error::ResearchError;
use crate::id::RunId;
use crate::progress::{Progress, ProgressSender, StepState};
use crate::prompts::{Prompt, Task};
use crate::record::Method;
use crate::request::{ResearchAnswer, ResearchRequest, ResearchService};
use crate::resources::Resources;
use crate::sources::Sources;
use incar_core::{
    BackgroundAgent, CallShape, ErrorKind, Lang, Message, ResearchFailure, ResearchFindings, ResearchListener,
    ResearchProgress, ResearchTask, ToolSpec, async_trait, schema_fault,
};
use incar_text::speakable;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// How much of an answer the model reads that puts it in spoken words, and how much is spoken where none does.
const LONGEST_ANSWER: usize = 12_000;
const LONGEST_SPOKEN: usize = 400;
/// How many calls are proposed.
const MOST_ACTIONS: usize = 3;
/// How much is said of what a tool is called with.
const LONGEST_ABOUT: usize = 40;

/// A research service as the assistant's agent in the background ([`BackgroundAgent`]).
///
/// Of an answer the driver hears a few spoken sentences, which the model makes of it; sources are only shown. What it
/// proposes is limited to the tools of [`InCar::proposing`], and the assistant asks before any of it is done.
///
/// ```
/// use incar_core::ToolSpec;
/// use incar_research::{InCar, Method, Researcher, Resources};
/// use std::sync::Arc;
///
/// fn in_the_car(resources: Resources, navigation: impl IntoIterator<Item = Arc<ToolSpec>>) -> InCar {
///     let researcher = Arc::new(Researcher::new(resources.clone()));
///     InCar::new(researcher, resources).by(Method::Rounds).proposing(navigation)
/// }
/// ```
#[derive(Debug, Clone)]
pub struct InCar {
    service: Arc<dyn ResearchService>,
    resources: Resources,
    method: Method,
    proposable: Vec<Arc<ToolSpec>>,
}

/// What the driver hears of an answer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Brief {
    /// The answer in two or three short spoken sentences.
    spoken: String,
    /// What the driver may want done now.
    #[serde(default)]
    actions: Vec<Action>,
}

/// A call that is proposed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Action {
    /// The tool.
    tool: String,
    /// Its arguments.
    arguments: Map<String, Value>,
}

impl InCar {
    /// What an answer may propose where nobody says otherwise: the way to a place and a room there.
    pub const PROPOSED: [&str; 3] = ["start_navigation", "add_waypoint", "book_hotel"];

    /// The answers of `service`, put into spoken words by the model of `resources`; by a team that verifies, unless set.
    pub fn new(service: Arc<dyn ResearchService>, resources: Resources) -> Self {
        Self {
            service,
            resources,
            method: Method::Team,
            proposable: Vec::new(),
        }
    }

    /// The same, answered by `method`.
    #[must_use]
    pub fn by(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// The same, which may propose calls of these tools. Each is offered to the driver and done only after a yes.
    #[must_use]
    pub fn proposing(mut self, tools: impl IntoIterator<Item = Arc<ToolSpec>>) -> Self {
        self.proposable.extend(tools);
        self
    }

    async fn answer(&self, task: &ResearchTask, progress: ProgressSender) -> Result<ResearchAnswer, ResearchError> {
        if let Some(run) = task.run.as_deref().and_then(|run| RunId::new(run).ok()) {
            match self.service.take_up(&run, progress.clone()).await {
                // Nothing is left of it: it begins anew.
                Err(ResearchError::UnknownRun(_) | ResearchError::Unreadable { .. }) => {}
                taken_up => return taken_up,
            }
        }
        let request = ResearchRequest::new(task.question.as_str())
            .by(self.method)
            .in_lang(task.lang);
        self.service.answer(&request, progress).await
    }

    async fn findings(&self, task: &ResearchTask, answer: &ResearchAnswer) -> ResearchFindings {
        let display = answer.record.with_sources();
        let brief = match self.brief(task, answer).await {
            Ok(brief) => brief,
            Err(error) => {
                tracing::warn!(kind = %error.kind(), "an answer is spoken as it was written");
                let spoken = beginning(&answer.answer, answer.abstained, task.lang);
                return ResearchFindings::new(spoken).with_display(display);
            }
        };
        let actions = brief.actions.into_iter();
        let proposed = actions.map(|action| CallShape::new(action.tool, Value::Object(action.arguments)));
        let findings = ResearchFindings::new(brief.spoken).with_display(display);
        proposed.fold(findings, ResearchFindings::proposing)
    }

    async fn brief(&self, task: &ResearchTask, answer: &ResearchAnswer) -> Result<Brief, ResearchError> {
        let prompt = Prompt::of(Task::Brief, task.lang);
        let tools = self
            .proposable
            .iter()
            .map(|spec| described(spec, task.lang).to_string());
        let tools = tools
            .reduce(|all, tool| all + "\n" + &tool)
            .unwrap_or_else(|| "-".into());
        let answer: String = answer.answer.chars().take(LONGEST_ANSWER).collect();
        let told = prompt.user(&[
            ("question", task.question.as_str()),
            ("tools", &tools),
            ("answer", &answer),
        ]);
        let question = Question {
            run: &task.id,
            system: prompt.system,
            messages: &[Message::user(told)],
            lang: task.lang,
        };
        let asked = self.resources.ask(question, |brief: &Brief| self.fault(brief)).await;
        Ok(asked.answer?)
    }

    /// What is wrong with a brief.
    fn fault(&self, brief: &Brief) -> Option<String> {
        let spoken = brief.spoken.trim();
        if spoken.is_empty() {
            return Some("`spoken` is empty".into());
        }
        if spoken.chars().count() > LONGEST_SPOKEN {
            return Some(format!("`spoken` is longer than {LONGEST_SPOKEN} characters"));
        }
        if spoken.contains("://") || Sources::default().cite(spoken).removed > 0 {
            return Some("`spoken` has a citation or an address".into());
        }
        if brief.actions.len() > MOST_ACTIONS {
            return Some(format!("`actions` has more than {MOST_ACTIONS} items"));
        }
        brief.actions.iter().find_map(|action| {
            let tool = self.proposable.iter().find(|spec| spec.name == action.tool);
            let Some(tool) = tool else {
                return Some(format!(
                    "`{}` is none of the tools that may be proposed",
                    one_line(&action.tool, 64)
                ));
            };
            schema_fault(&tool.parameters, &Value::Object(action.arguments.clone()))
        })
    }
}

#[async_trait]
impl BackgroundAgent for InCar {
    async fn research(
        &self,
        task: &ResearchTask,
        listener: &dyn ResearchListener,
    ) -> Result<ResearchFindings, ResearchFailure> {
        let sender = ProgressSender::default();
        let mut events = sender.listen();
        let answering = self.answer(task, sender);
        tokio::pin!(answering);
        let mut so_far = ResearchProgress::default();
        let answer = loop {
            tokio::select! {
                biased;
                Some(event) = events.next() => {
                    if note(&mut so_far, event, task.lang) {
                        listener.progressed(so_far.clone());
                    }
                }
                answer = &mut answering => break answer,
            }
        };
        match answer {
            Ok(answer) => Ok(self.findings(task, &answer).await),
            Err(error) => {
                tracing::warn!(kind = %error.kind(), "research came to nothing");
                Err(ResearchFailure::new(error.kind(), why(&error, task.lang)))
            }
        }
    }
}

/// Takes an event in; whether it is worth telling.
fn note(so_far: &mut ResearchProgress, event: Progress, lang: Lang) -> bool {
    match event {
        Progress::Started { id, .. } => so_far.run = Some(id.to_string()),
        // The plan of the question itself; those below come and go.
        Progress::Planned { depth: 1, steps, .. } => {
            let over = |state: StepState| matches!(state, StepState::Done | StepState::Failed);
            let done = steps.iter().filter(|step| over(step.state)).count();
            so_far.done = u32::try_from(done).unwrap_or(u32::MAX);
            so_far.planned = u32::try_from(steps.len()).unwrap_or(u32::MAX);
        }
        Progress::Working { step } => so_far.doing = one_line(&step, LONGEST_ABOUT),
        Progress::Called { about, .. } if !about.trim().is_empty() => {
            let about = one_line(&about, LONGEST_ABOUT);
            so_far.doing = lang.pick(format!("查“{about}”"), format!("looking up “{about}”"));
        }
        _ => return false,
    }
    true
}

fn described(spec: &ToolSpec, lang: Lang) -> Value {
    json!({"tool": spec.name, "what": spec.description.get(lang), "parameters": spec.parameters})
}

/// The beginning of an answer in spoken words: its first paragraph that is no heading, without citations.
fn beginning(answer: &str, abstained: bool, lang: Lang) -> String {
    let plain = Sources::default().cite(answer).text;
    let paragraph = plain
        .split("\n\n")
        .map(str::trim)
        .find(|text| !text.is_empty() && !text.starts_with('#'));
    let spoken = speakable(
        paragraph.unwrap_or_default(),
        lang.pick(incar_text::Lang::Zh, incar_text::Lang::En),
    );
    let spoken = one_line(&spoken, LONGEST_SPOKEN);
    match abstained || spoken.is_empty() {
        false => spoken,
        true => lang
            .pick("没有查到可靠的答案。", "I found no reliable answer.")
            .to_owned(),
    }
}

/// Why there is no answer, to be spoken.
fn why(error: &ResearchError, lang: Lang) -> &'static str {
    match error.kind() {
        ErrorKind::InvalidInput => lang.pick("没有听清要查什么。", "I didn't get what to look into."),
        ErrorKind::ModelUnavailable | ErrorKind::Deadline => lang.pick(
            "现在连不上查询的服务。",
            "I can't reach the research service right now.",
        ),
        ErrorKind::ModelRejected => lang.pick(
            "查询的服务没有给出能用的结果。",
            "The research service gave no usable result.",
        ),
        ErrorKind::Store => lang.pick("查到的内容没能保存。", "What I found could not be kept."),
        _ => lang.pick("查询的时候出错了。", "Something went wrong while I was looking."),
    }
}

#[cfg(test)]
#[path = "in_car_tests.rs"]
mod tests;
