//! Calls of tools that only read: checked, judged by the policies, bounded in time.

use crate::data::one_line;
use crate::progress::Progress;
use crate::resources::Resources;
use crate::telemetry;
use incar_core::turn::CallResult;
use incar_core::{
    Effect, ErrorKind, Lang, PolicyDecision, PolicyQuery, Refusal, Resolved, Tool, ToolCall, ToolContext, ToolError,
    ToolPanicked, run_tool,
};
use serde_json::Value;
use std::sync::Arc;
use tracing::Instrument;

/// A call that was looked at.
#[derive(Debug)]
pub(crate) struct Looked {
    /// Its arguments, parsed; the text itself where it is no JSON.
    pub(crate) arguments: Value,
    /// The exact call, or the result that it has without running.
    pub(crate) ready: Result<Resolved, CallResult>,
}

/// For whom a call is made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Caller<'a> {
    /// The run's name.
    pub(crate) run: &'a str,
    pub(crate) lang: Lang,
    /// What the run is to find out: policies see it as what was said.
    pub(crate) question: &'a str,
}

impl Resources {
    /// Parses and checks a call, makes it exact, and asks the policies. A call that would wait for a yes, or bring others
    /// with it, does not run: nobody is there to be asked. An address in it must be one that was found: what a page says
    /// could have the model carry out what it knows in an address of its own making.
    pub(crate) fn look_at(&self, call: &ToolCall, caller: Caller<'_>, found: impl Fn(&str) -> bool) -> Looked {
        match call.parsed() {
            Ok(arguments) => {
                let ready = self.resolve(&call.name, &arguments, caller);
                let ready = ready.and_then(|resolved| match made_up(&resolved.arguments, found) {
                    Some(address) => Err(CallResult::misfit(
                        &format!(
                            "{address} stands neither in a result nor in the question: use an address that was found"
                        ),
                        None,
                    )),
                    None => Ok(resolved),
                });
                Looked { arguments, ready }
            }
            Err(error) => {
                let schema = self.registry.get(&call.name).map(|tool| &tool.spec().parameters);
                Looked {
                    arguments: call.arguments.as_str().into(),
                    ready: Err(CallResult::not_json(&error, schema)),
                }
            }
        }
    }

    fn resolve(&self, name: &str, arguments: &Value, caller: Caller<'_>) -> Result<Resolved, CallResult> {
        let Some(tool) = self.registry.get(name) else {
            return Err(CallResult::misfit(&self.registry.unknown(name), None));
        };
        let context = ToolContext::new(&self.speaker, caller.lang, &*self.clock, caller.run);
        let resolved = tool.resolve(arguments, context).map_err(|refusal| match refusal {
            Refusal::Failed(error) => CallResult::failed(&error),
            Refusal::Misfit(fault) => CallResult::misfit(&fault, Some(&tool.spec().parameters)),
        })?;
        if resolved.effect != Effect::Read {
            let reason = caller.lang.pick(
                "调研时只查资料，不操作。",
                "Research only looks things up; it does nothing else.",
            );
            return Err(CallResult::failed(&ToolError::new(ErrorKind::Denied, reason)));
        }
        let query = PolicyQuery::new(
            tool.spec(),
            &resolved.arguments,
            &self.speaker,
            caller.lang,
            caller.question,
        );
        let mut decisions = self.gate.decide(&query);
        decisions.extend(resolved.confirm.as_deref().map(PolicyDecision::asked_by_tool));
        match decisions.into_iter().find_map(refusal) {
            Some(reason) => Err(CallResult::failed(&ToolError::new(ErrorKind::Denied, reason))),
            None => Ok(resolved),
        }
    }

    /// Runs an exact call by its tool's time, and tells of it.
    pub(crate) async fn run(&self, name: &str, arguments: &Value, key: &str, lang: Lang) -> CallResult {
        self.tell(Progress::Called {
            tool: name.to_owned(),
            about: about(arguments),
        });
        let result = self.execute(name, arguments, key, lang).await;
        self.tell(Progress::Answered {
            tool: name.to_owned(),
            outcome: result.outcome,
        });
        result
    }

    async fn execute(&self, name: &str, arguments: &Value, key: &str, lang: Lang) -> CallResult {
        let Some(tool) = self.registry.get(name) else {
            return CallResult::misfit(&self.registry.unknown(name), None);
        };
        let span = telemetry::call(name, key);
        let context = ToolContext::new(&self.speaker, lang, &*self.clock, key);
        let result = run(&**tool, arguments, context).instrument(span.clone()).await;
        telemetry::answered(&span, &result);
        result
    }

    pub(crate) fn tool(&self, name: &str) -> Option<&Arc<dyn Tool>> {
        self.registry.get(name)
    }
}

async fn run(tool: &dyn Tool, arguments: &Value, context: ToolContext<'_>) -> CallResult {
    let (spec, lang) = (tool.spec(), context.lang);
    let failed = |kind, zh, en| {
        let result = CallResult::failed(&ToolError::new(kind, lang.pick(zh, en)));
        result.of_tool(spec)
    };
    let running = run_tool(tool, arguments, Effect::Read, context);
    match tokio::time::timeout(spec.timeout, running).await {
        Ok(Ok(result)) => result,
        Ok(Err(ToolPanicked)) => {
            tracing::error!(tool = %spec.name, "a tool panicked");
            failed(ErrorKind::ToolFailed, "这项功能出错了。", "That function failed.")
        }
        Err(_elapsed) => failed(ErrorKind::ToolTimeout, "它没有及时响应。", "It didn't respond in time."),
    }
}

/// An address in the arguments that nobody gave.
fn made_up(arguments: &Value, found: impl Fn(&str) -> bool) -> Option<&str> {
    let texts = arguments.as_object().into_iter().flatten();
    let mut addresses = texts.filter_map(|(name, value)| {
        let text = value.as_str()?.trim();
        let is_address = name == "url" || text.starts_with("http://") || text.starts_with("https://");
        is_address.then_some(text)
    });
    addresses.find(|address| !found(address))
}

/// Why a decision keeps a call from running.
fn refusal(decision: PolicyDecision) -> Option<String> {
    match decision {
        PolicyDecision::Deny { reason, .. } => Some(reason),
        PolicyDecision::Confirm { question, .. } => Some(question),
        PolicyDecision::Amend { say, .. } => Some(say),
        PolicyDecision::Allow { .. } | PolicyDecision::Warn { .. } => None,
        // What a newer policy may say is not known to be harmless.
        other => Some(format!("{other:?}")),
    }
}

/// What a call is about, for whoever watches: its first text argument.
pub(crate) fn about(arguments: &Value) -> String {
    let texts = arguments
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(_, value)| value.as_str());
    one_line(texts.into_iter().next().unwrap_or_default(), 80)
}
