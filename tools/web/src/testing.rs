//! What the tests of this crate share.

use incar_core::{Lang, ManualClock, Refusal, Seat, Speaker, Timestamp, Tool, ToolContext, ToolOutput};
use serde_json::Value;
use std::sync::Arc;

/// When tests happen: 1 June 2026.
pub(crate) fn clock() -> ManualClock {
    ManualClock::at(Timestamp::from_millis(1_780_279_200_000))
}

/// Calls the tool of that name as the runner does: resolved, then run.
pub(crate) async fn call_at(
    clock: &ManualClock,
    tools: &[Arc<dyn Tool>],
    name: &str,
    lang: Lang,
    arguments: &Value,
) -> Result<ToolOutput, Refusal> {
    let tool = tools.iter().find(|tool| tool.spec().name == name).unwrap();
    let speaker = Speaker::new("test", Seat::Driver);
    let context = ToolContext::new(&speaker, lang, clock, "key");
    let resolved = tool.resolve(arguments, context)?;
    Ok(tool.run(&resolved.arguments, context).await?)
}

/// The same at the usual time.
pub(crate) async fn call(
    tools: &[Arc<dyn Tool>],
    name: &str,
    lang: Lang,
    arguments: &Value,
) -> Result<ToolOutput, Refusal> {
    call_at(&clock(), tools, name, lang, arguments).await
}
