//! Plays a scenario and tells what came out otherwise than expected.

use crate::model::{Asked, ScriptedModel};
use crate::research::ScriptedResearcher;
use crate::scenario::{Expect, Mode, Scenario, Step};
use crate::simulator::{Simulator, SimulatorError};
use incar_agents::{AssistantBuilder, Utterance};
use incar_core::{AgentResponse, CallShape, Effect, Lang, Outcome, Pending, Seat, ToolCallReport};
use serde_json::{Map, Value};
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;

/// What came out otherwise than expected.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The simulator could not be made, or refused a signal.
    #[error("step {step}: {source}")]
    Simulator {
        /// Which step, from 1; 0: before the first.
        step: usize,
        /// Why.
        source: SimulatorError,
    },
    /// A step came out otherwise.
    #[error("step {step} ({said}), {mode:?}: {}\n  response: {response}", wrong.join("; "))]
    Step {
        /// Which step, from 1.
        step: usize,
        /// What was said.
        said: String,
        /// Who thought.
        mode: Mode,
        /// What was wrong.
        wrong: Vec<String>,
        /// What came.
        response: String,
    },
}

/// A simulator for each mode, made once: every scenario starts on it as after a reset.
#[derive(Debug)]
pub struct Stage {
    brain: Simulator,
    scripted: Simulator,
    script: Arc<ScriptedModel>,
    researcher: Option<Arc<ScriptedResearcher>>,
}

impl Stage {
    /// Makes the simulators.
    ///
    /// # Errors
    /// [`SimulatorError`] where shipped data is broken.
    pub fn new() -> Result<Self, SimulatorError> {
        Self::customised(&|builder| builder)
    }

    /// Makes the simulators with what `customise` adds to their assistants: so scenario files can speak
    /// of tools and agents of your own.
    ///
    /// # Errors
    /// [`SimulatorError`] where shipped data is broken or an assistant cannot be put together.
    pub fn customised(customise: &dyn Fn(AssistantBuilder) -> AssistantBuilder) -> Result<Self, SimulatorError> {
        let script = Arc::new(ScriptedModel::default());
        Ok(Self {
            brain: Simulator::customised(None, customise)?,
            scripted: Simulator::customised(Some(script.clone()), customise)?,
            script,
            researcher: None,
        })
    }

    /// The same; `researcher` does what the steps say. `customise` has to hand it to the assistants.
    #[must_use]
    pub fn with_researcher(mut self, researcher: Arc<ScriptedResearcher>) -> Self {
        self.researcher = Some(researcher);
        self
    }

    /// Plays `scenario` with `mode`'s model.
    ///
    /// # Errors
    /// The first [`Failure`].
    pub async fn play(&mut self, scenario: &Scenario, mode: Mode) -> Result<(), Failure> {
        self.script.clear();
        let simulator = match mode {
            Mode::Brain => &mut self.brain,
            Mode::Script => &mut self.scripted,
        };
        simulator.reset();
        if let Some(researcher) = &self.researcher {
            researcher.clear();
        }
        run(simulator, &self.script, self.researcher.as_deref(), scenario, mode).await
    }
}

/// Plays `scenario` with `mode`'s model on a fresh simulator.
///
/// # Errors
/// The first [`Failure`].
pub async fn play(scenario: &Scenario, mode: Mode) -> Result<(), Failure> {
    let mut stage = Stage::new().map_err(|source| Failure::Simulator { step: 0, source })?;
    stage.play(scenario, mode).await
}

async fn run(
    simulator: &mut Simulator,
    script: &ScriptedModel,
    researcher: Option<&ScriptedResearcher>,
    scenario: &Scenario,
    mode: Mode,
) -> Result<(), Failure> {
    let mut last_session = None;
    for (step, number) in scenario.steps.iter().zip(1..) {
        if mode == Mode::Script {
            step.model.iter().cloned().for_each(|reply| script.push(reply));
        }
        let mut wrong = Vec::new();
        for research in &step.research {
            match researcher {
                Some(researcher) if researcher.tell(research.clone()).await => {}
                _ => wrong.push(format!("no research goes on that could do this: {research:?}")),
            }
        }
        let response = act(simulator, step, last_session.as_deref())
            .await
            .map_err(|source| Failure::Simulator { step: number, source })?;
        if let Some(response) = &response {
            judge(&step.expect, response, simulator, &mut wrong);
            if mode == Mode::Script {
                judge_requests(&step.expect, &script.take_asked(), script.left(), &mut wrong);
            }
            last_session.clone_from(&response.session_id);
        }
        judge_notices(&step.expect, simulator, &mut wrong).await;
        for (signal, expected) in &step.expect.state {
            let found = simulator.state().remove(signal).unwrap_or(Value::Null);
            if !same(expected, &found) {
                wrong.push(format!("{signal}: expected {expected}, found {found}"));
            }
        }
        if !wrong.is_empty() {
            return Err(Failure::Step {
                step: number,
                said: step.say.clone().unwrap_or_default(),
                mode,
                wrong,
                response: response
                    .map(|response| serde_json::to_string(&response).unwrap_or_default())
                    .unwrap_or_default(),
            });
        }
    }
    Ok(())
}

/// What is taken here is spoken: a yes may answer it.
async fn judge_notices(expect: &Expect, simulator: &Simulator, wrong: &mut Vec<String>) {
    let Some(expected) = &expect.notices else { return };
    let notices = simulator.hear_notices().await.into_iter();
    let (told, shown): (Vec<String>, Vec<String>) = notices
        .map(|notice| (notice.text, notice.display.unwrap_or_default()))
        .unzip();
    let fit = |expected: &[String], found: &[String]| {
        let mut pairs = expected.iter().zip(found);
        expected.len() == found.len()
            && pairs.all(|(part, text)| text.contains(part) && part.is_empty() <= text.is_empty())
    };
    if !fit(expected, &told) {
        wrong.push(format!("notices: expected {expected:?}, found {told:?}"));
    }
    if let Some(expected) = expect.notices_show.as_ref().filter(|expected| !fit(expected, &shown)) {
        wrong.push(format!("notices show: expected {expected:?}, found {shown:?}"));
    }
}

async fn act(
    simulator: &mut Simulator,
    step: &Step,
    last_session: Option<&str>,
) -> Result<Option<AgentResponse>, SimulatorError> {
    for (signal, value) in &step.set {
        simulator.set(signal, value)?;
    }
    if let Some(number) = &step.ring {
        simulator.phone().ring(number)?;
    }
    if step.advance > 0 {
        simulator.advance(Duration::from_secs(step.advance));
    }
    let Some(text) = &step.say else { return Ok(None) };
    let mut utterance = Utterance::new(text).by(simulator.speaker(step.seat.unwrap_or(Seat::Driver)));
    if let Some(lang) = step.locale.as_deref().and_then(Lang::from_tag) {
        utterance = utterance.in_lang(lang);
    }
    match step.session.as_deref() {
        Some("last") => utterance = utterance.resuming(last_session.unwrap_or_default()),
        Some(id) => utterance = utterance.resuming(id),
        None => {}
    }
    Ok(Some(simulator.assistant().handle(utterance).await))
}

fn judge(expect: &Expect, response: &AgentResponse, simulator: &Simulator, wrong: &mut Vec<String>) {
    equal("status", expect.status, response.status, wrong);
    equal("agent", expect.agent.as_deref(), response.agent.as_str(), wrong);
    equal("finish", expect.finish, response.data.finish_reason, wrong);
    equal("expects_reply", expect.expects_reply, response.expects_reply, wrong);
    equal("rounds", expect.rounds, response.data.rounds, wrong);
    equal("message", expect.message.as_deref(), response.message.as_str(), wrong);
    if let Some(prompt) = &expect.prompt {
        equal("prompt", Some(Some(prompt.as_str())), response.prompt.as_deref(), wrong);
    }
    if let Some(kind) = expect.error {
        equal(
            "error",
            Some(Some(kind)),
            response.error.as_ref().map(|error| error.kind),
            wrong,
        );
    }
    if let Some(state) = expect.job {
        equal(
            "job",
            Some(Some(state)),
            response.data.job.as_ref().map(|job| job.state),
            wrong,
        );
    }
    let shown = response.display.as_deref().unwrap_or_default();
    for part in expect.display_has.iter().filter(|part| !shown.contains(*part)) {
        wrong.push(format!("what is shown lacks {part:?}"));
    }
    if !expect.message_has.is_empty() && !expect.message_has.iter().any(|part| response.message.contains(part)) {
        wrong.push(format!("the message has none of {:?}", expect.message_has));
    }
    for part in expect
        .message_lacks
        .iter()
        .filter(|part| response.message.contains(*part))
    {
        wrong.push(format!("the message has {part:?}"));
    }
    let decisions = response.data.decisions.iter().filter(|decision| decision.by == "guard");
    let guards = decisions.map(|decision| format!("{}: {}", decision.id, decision.decision));
    equal("guards", expect.guards.clone(), guards.collect(), wrong);
    judge_calls(expect, response, simulator, wrong);
    judge_pending(expect, response.data.pending.as_ref(), wrong);
    judge_offer(expect, response.data.offer.as_ref(), wrong);
}

fn equal<T: PartialEq + Debug>(what: &str, expected: Option<T>, found: T, wrong: &mut Vec<String>) {
    if let Some(expected) = expected.filter(|expected| *expected != found) {
        wrong.push(format!("{what}: expected {expected:?}, found {found:?}"));
    }
}

fn judge_calls(expect: &Expect, response: &AgentResponse, simulator: &Simulator, wrong: &mut Vec<String>) {
    let names = |keep: &dyn Fn(&ToolCallReport) -> bool| -> Vec<String> {
        response
            .data
            .tool_results
            .iter()
            .filter(|call| keep(call))
            .map(|call| call.name.clone())
            .collect()
    };
    let requested = |call: &ToolCallReport| call.by == "request";
    let failed = |call: &ToolCallReport| requested(call) && matches!(call.outcome, Outcome::Error | Outcome::Denied);
    equal("refused", expect.refused.clone(), names(&failed), wrong);
    equal("added", expect.added.clone(), names(&|call| !requested(call)), wrong);
    let Some(expected) = &expect.calls else { return };
    let reads = |name: &str| {
        let tool = simulator.assistant().tools().get(name);
        tool.is_some_and(|tool| tool.spec().effect == Effect::Read)
    };
    let named = |name: &str| expected.iter().any(|call| call.contains_key(name));
    let worked = response
        .data
        .tool_results
        .iter()
        .filter(|call| requested(call) && call.outcome == Outcome::Ok);
    let found: Vec<&ToolCallReport> = worked.filter(|call| !reads(&call.name) || named(&call.name)).collect();
    let fits = |expected: &Map<String, Value>, found: &ToolCallReport| {
        expected
            .iter()
            .next()
            .is_some_and(|(name, arguments)| *name == found.name && same(arguments, &found.arguments))
    };
    if expected.len() != found.len()
        || !expected
            .iter()
            .zip(&found)
            .all(|(expected, found)| fits(expected, found))
    {
        let found: Vec<String> = found
            .iter()
            .map(|call| format!("{}{}", call.name, call.arguments))
            .collect();
        let expected: Vec<String> = expected
            .iter()
            .map(|call| Value::Object(call.clone()).to_string())
            .collect();
        wrong.push(format!(
            "calls: expected [{}], found [{}]",
            expected.join(", "),
            found.join(", ")
        ));
    }
}

fn judge_pending(expect: &Expect, pending: Option<&Pending>, wrong: &mut Vec<String>) {
    let (tool, missing, arguments, confirm) = match pending {
        Some(Pending::Confirm { confirm }) => (Some(&confirm.tool), Vec::new(), confirm.arguments.as_object(), true),
        Some(Pending::Missing {
            tool,
            arguments,
            missing,
            ..
        }) => (Some(tool), missing.clone(), Some(arguments), false),
        _ => (None, Vec::new(), None, false),
    };
    if let Some(expected) = &expect.pending {
        equal("pending", Some(Some(expected)), tool, wrong);
    }
    equal("missing", expect.missing.clone(), missing, wrong);
    equal("confirm", expect.confirm, confirm, wrong);
    for (name, expected) in expect.pending_arguments.iter().flatten() {
        let found = arguments
            .and_then(|arguments| arguments.get(name))
            .unwrap_or(&Value::Null);
        if !same(expected, found) {
            wrong.push(format!("pending argument {name}: expected {expected}, found {found}"));
        }
    }
}

fn judge_offer(expect: &Expect, offer: Option<&CallShape>, wrong: &mut Vec<String>) {
    let Some(expected) = &expect.offer else { return };
    let found: Map<String, Value> = offer
        .map(|call| (call.tool.clone(), call.arguments.clone()))
        .into_iter()
        .collect();
    let (expected, found) = (Value::Object(expected.clone()), Value::Object(found));
    if !same(&expected, &found) {
        wrong.push(format!("offer: expected {expected}, found {found}"));
    }
}

fn judge_requests(expect: &Expect, asked: &[Asked], left: usize, wrong: &mut Vec<String>) {
    if left > 0 {
        wrong.push(format!("{left} scripted replies were not asked for"));
    }
    let seen = asked
        .last()
        .map(|asked| serde_json::to_string(&asked.messages).unwrap_or_default())
        .unwrap_or_default();
    for part in expect.model_saw.iter().filter(|part| !seen.contains(*part)) {
        wrong.push(format!("the model did not see {part:?} in {seen}"));
    }
    if let (Some(expected), Some(asked)) = (expect.model_had_tools, asked.last()) {
        equal("model_had_tools", Some(expected), asked.tools.is_some(), wrong);
    }
}

/// Whether two values are the same; `1` and `1.0` are.
fn same(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Array(a), Value::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter()
                    .all(|(key, value)| b.get(key).is_some_and(|other| same(value, other)))
        }
        _ => expected == found,
    }
}
