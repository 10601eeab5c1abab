//! The tools by which the model steers deep research: they do nothing but say what comes next.

use incar_core::turn::CallResult;
use incar_core::{Bilingual, Effect, ToolCall, ToolCategory, ToolOutput, ToolSet, ToolSpec, schema_fault, schema_of};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::Arc;

const SUMMARIZE: &str = "summarize_intermediate_results";
const REFLECT: &str = "reflect_failure";
const FINISH: &str = "finish_subtask";

/// What the model wants next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Control {
    /// What was found so far becomes a report.
    Summarize(Ticks),
    /// A step failed.
    Reflect(Trouble),
    /// The subtask is done.
    Finish(Ticks),
}

/// What is behind us.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Ticks {
    /// The numbers of the plan's steps that are done.
    #[serde(default)]
    pub(super) done_steps: Vec<usize>,
    /// The numbers of the gaps that are closed.
    #[serde(default)]
    pub(super) closed_gaps: Vec<usize>,
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(super) struct Trouble {
    /// Which step fails, and how.
    pub(super) trouble: String,
}

/// The tools of research, and those that steer it.
pub(super) fn offered(tools: &ToolSet) -> ToolSet {
    let control = [
        spec(
            SUMMARIZE,
            schema_of::<Ticks>(),
            "把目前查到的写成中间报告，收起原始结果，并报出完成的步骤和补上的缺口",
            "Have what was found so far written as an intermediate report, put the raw results away, and tick steps and gaps",
        ),
        spec(
            REFLECT,
            schema_of::<Trouble>(),
            "某一步反复查不成时，说明不顺之处，换个办法",
            "Say what goes wrong with a step that fails again and again, to find another way",
        ),
        spec(
            FINISH,
            schema_of::<Ticks>(),
            "当前任务查完了",
            "The current task is done",
        ),
    ];
    ToolSet::new(tools.specs().iter().cloned().chain(control).collect())
}

fn spec(name: &'static str, parameters: Value, zh: &str, en: &str) -> Arc<ToolSpec> {
    let mut spec = ToolSpec::new(name, ToolCategory::KNOWLEDGE, Effect::Read, Bilingual::new(zh, en));
    spec.parameters = parameters;
    Arc::new(spec)
}

/// What a call wants next; `None` for a call of another tool. A call that misses its schema is told so.
pub(super) fn read(call: &ToolCall) -> Option<Result<Control, CallResult>> {
    Some(match call.name.as_str() {
        SUMMARIZE => arguments(call).map(Control::Summarize),
        REFLECT => arguments(call).map(Control::Reflect),
        FINISH => arguments(call).map(Control::Finish),
        _ => return None,
    })
}

fn arguments<T: for<'de> Deserialize<'de> + JsonSchema>(call: &ToolCall) -> Result<T, CallResult> {
    let schema = schema_of::<T>();
    let misfit = |fault: &str| CallResult::misfit(fault, Some(&schema));
    let text = match call.arguments.trim() {
        "" => "{}",
        text => text,
    };
    let value: Value = serde_json::from_str(text).map_err(|error| misfit(&error.to_string()))?;
    match schema_fault(&schema, &value) {
        Some(fault) => Err(misfit(&fault)),
        None => serde_json::from_value(value).map_err(|error| misfit(&error.to_string())),
    }
}

/// The result of a call that steers.
pub(super) fn noted() -> CallResult {
    match ToolOutput::new(json!({"noted": true})) {
        Ok(output) => CallResult::ok(output, Effect::Read),
        Err(error) => CallResult::failed(&error),
    }
}
