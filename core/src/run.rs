//! Running a tool: the one place where a panic of a tool is caught.

use crate::spec::Effect;
use crate::tool::{Tool, ToolContext};
use crate::turn::CallResult;
use futures_util::FutureExt;
use serde_json::Value;
use std::panic::AssertUnwindSafe;

/// A tool panicked while it ran a call: how far it came, nobody knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the tool panicked")]
pub struct ToolPanicked;

/// Runs a resolved call, which does `effect`; a panic of the tool ends this call alone. Whoever runs it bounds its time.
///
/// # Errors
/// [`ToolPanicked`]. A tool that fails gives a [`CallResult`] that says so.
pub async fn run_tool(
    tool: &dyn Tool,
    arguments: &Value,
    effect: Effect,
    context: ToolContext<'_>,
) -> Result<CallResult, ToolPanicked> {
    let ended = AssertUnwindSafe(tool.run(arguments, context)).catch_unwind().await;
    let result = match ended.map_err(|_panic| ToolPanicked)? {
        Ok(output) => CallResult::ok(output, effect),
        Err(error) => CallResult::failed(&error),
    };
    Ok(result.of_tool(tool.spec()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{ManualClock, Timestamp};
    use crate::error::ErrorKind;
    use crate::lang::{Bilingual, Lang};
    use crate::outcome::Outcome;
    use crate::speaker::{Seat, Speaker};
    use crate::spec::{ToolCategory, ToolSpec};
    use crate::tool::{Refusal, Resolved, ToolError, ToolOutput};
    use std::sync::Arc;

    /// Answers, fails or breaks, as its argument says.
    struct Moody(Arc<ToolSpec>);

    #[async_trait::async_trait]
    impl Tool for Moody {
        fn spec(&self) -> &Arc<ToolSpec> {
            &self.0
        }

        fn resolve(&self, arguments: &Value, _: ToolContext<'_>) -> Result<Resolved, Refusal> {
            Ok(Resolved::new(arguments.clone(), Effect::Set))
        }

        async fn run(&self, arguments: &Value, _: ToolContext<'_>) -> Result<ToolOutput, ToolError> {
            match arguments.as_str() {
                Some("fail") => Err(ToolError::new(ErrorKind::NotFound, "nothing there")),
                Some(_) => Ok(ToolOutput::from(arguments.clone())),
                None => panic!("no mood"),
            }
        }
    }

    #[test]
    fn whatever_a_tool_does_its_call_ends() {
        let spec = ToolSpec::new(
            "moody",
            ToolCategory::CAR_CONTROL,
            Effect::Set,
            Bilingual::new("试", "Try"),
        );
        let (speaker, clock) = (
            Speaker::new("car", Seat::Driver),
            ManualClock::at(Timestamp::from_millis(0)),
        );
        let run = |arguments: Value, from_outside: bool| {
            let mut spec = spec.clone();
            spec.untrusted = from_outside;
            let tool = Moody(Arc::new(spec));
            let context = ToolContext::new(&speaker, Lang::En, &clock, "key");
            let ended = run_tool(&tool, &arguments, Effect::Set, context)
                .now_or_never()
                .unwrap();
            ended.map(|result| (result.outcome, result.effect, result.untrusted))
        };
        assert_eq!(run("go".into(), false), Ok((Outcome::Ok, Some(Effect::Set), false)));
        assert_eq!(run("go".into(), true), Ok((Outcome::Ok, Some(Effect::Set), true)));
        assert_eq!(run("fail".into(), true), Ok((Outcome::Error, None, true)));
        assert_eq!(run(Value::Null, false), Err(ToolPanicked));
    }
}
