//! Running a call: written down before and after, by its tool's time and the turn's, and by its
//! interruption class.

use super::call::unsafe_now;
use super::{TurnRunner, TurnScope};
use incar_core::turn::{CallResult, RunnableCall};
use incar_core::{
    Clock, Conclusion, Effect, ErrorKind, Intent, Interruption, Journal, JournalError, Lang, Notice, Owner, Speaker,
    Tool, ToolContext, ToolError, ToolPanicked, ToolSpec, run_tool,
};
use serde_json::Value;
use std::sync::Arc;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};
use tracing::Instrument;

impl TurnRunner {
    /// Runs a call that changes the world: nothing happens that is not written down first.
    pub(super) async fn execute_journaled(
        &self,
        turn_id: &str,
        call: &RunnableCall<'_>,
        key: &str,
        scope: TurnScope<'_>,
    ) -> CallResult {
        let intent = Intent::new(
            key.to_owned(),
            scope.speaker.owner(),
            turn_id.to_owned(),
            call.call.name.clone(),
            call.resolved.arguments.clone(),
            call.resolved.effect,
            self.clock.now(),
        );
        if let Err(error) = self.journal.intend(intent).await {
            tracing::error!(%error, "the call does not run");
            return unsafe_now(scope);
        }
        if let Some(tool) = self.registry.get(&call.call.name)
            && tool.spec().interruption == Interruption::RunsToEnd
            && self.latest_end(tool.spec()) > scope.deadline
        {
            return self.execute_to_its_end(tool.clone(), call, key, scope).await;
        }
        let result = self.execute(call, key, scope).await;
        self.conclude(key, &result, scope).await;
        result
    }

    /// Journals what came of a call.
    pub(super) async fn conclude(&self, key: &str, result: &CallResult, scope: TurnScope<'_>) {
        conclude(&*self.journal, &scope.speaker.owner(), key, result).await;
    }

    /// By when a call that begins now has ended.
    fn latest_end(&self, spec: &ToolSpec) -> Instant {
        Instant::now()
            + self
                .tool_timeout
                .map_or(spec.timeout, |longest| longest.min(spec.timeout))
    }

    pub(super) async fn execute(&self, call: &RunnableCall<'_>, key: &str, scope: TurnScope<'_>) -> CallResult {
        let Some(tool) = self.registry.get(&call.call.name) else {
            return CallResult::misfit(&self.registry.unknown(&call.call.name), None);
        };
        let spec = tool.spec();
        let context = ToolContext::new(scope.speaker, scope.lang, &*self.clock, key);
        let (arguments, effect) = (&call.resolved.arguments, call.resolved.effect);
        let by = self.latest_end(spec);
        let running = run(&**tool, arguments, effect, context, by.min(scope.deadline));
        let ended = match spec.interruption {
            Interruption::RunsToEnd => running.await,
            Interruption::Cancellable => tokio::select! {
                biased;
                () = scope.interrupt.raised() => return if effect == Effect::Read {
                    CallResult::cancelled()
                } else {
                    // It was dropped on its way: nobody knows whether it happened.
                    failed(effect, ErrorKind::ToolFailed, scope.lang.pick(
                        "刚才被打断了，不确定有没有办成。",
                        "I was interrupted and can't tell whether that was done.",
                    ))
                },
                ended = running => ended,
            },
        };
        match ended {
            Some(result) => result,
            None if effect == Effect::Read && scope.deadline < by => CallResult::cancelled(),
            None => too_late(spec, effect, scope.lang),
        }
    }

    /// Runs a call that may not be dropped and may take longer than the turn: at the turn's deadline it
    /// goes on by itself, and is journaled when it ends.
    async fn execute_to_its_end(
        &self,
        tool: Arc<dyn Tool>,
        call: &RunnableCall<'_>,
        key: &str,
        scope: TurnScope<'_>,
    ) -> CallResult {
        let by = self.latest_end(tool.spec());
        let name = tool.spec().name.clone();
        let detached = Detached {
            tool,
            arguments: call.resolved.arguments.clone(),
            effect: call.resolved.effect,
            speaker: scope.speaker.clone(),
            lang: scope.lang,
            clock: self.clock.clone(),
            journal: self.journal.clone(),
            key: key.to_owned(),
            by,
        };
        let mut running = WithTurn(Some(tokio::spawn(detached.run().in_current_span())));
        match timeout_at(scope.deadline, running.ended()).await {
            Ok(Some(result)) => result,
            Ok(None) => failed(call.resolved.effect, ErrorKind::ToolFailed, broken(scope.lang)),
            Err(_elapsed) => {
                self.tell_the_end_of(running.leave(), scope);
                tracing::warn!(tool = %name, "a call goes on beyond its turn's deadline");
                failed(
                    call.resolved.effect,
                    ErrorKind::ToolTimeout,
                    scope.lang.pick(
                        "这件事还在办，结果还不知道。",
                        "That is still on its way; I don't know yet how it ends.",
                    ),
                )
            }
        }
    }
}

impl TurnRunner {
    /// The driver was told that a call is still on its way: once it ends, what came of it is said unasked.
    fn tell_the_end_of(&self, running: Option<JoinHandle<CallResult>>, scope: TurnScope<'_>) {
        let Some(running) = running else { return };
        let (notices, speaker, lang) = (self.notices.clone(), scope.speaker.clone(), scope.lang);
        tokio::spawn(async move {
            if let Ok(result) = running.await {
                let unsaid = || {
                    lang.pick("刚才那件事办完了。", "What I was still working on is done.")
                        .into()
                };
                notices.push(Notice::new(speaker, result.say.unwrap_or_else(unsaid)));
            }
        });
    }
}

/// A call with all that it needs, whatever becomes of its turn.
struct Detached {
    tool: Arc<dyn Tool>,
    arguments: Value,
    effect: Effect,
    speaker: Speaker,
    lang: Lang,
    clock: Arc<dyn Clock>,
    journal: Arc<dyn Journal>,
    key: String,
    by: Instant,
}

impl Detached {
    async fn run(self) -> CallResult {
        let context = ToolContext::new(&self.speaker, self.lang, &*self.clock, &self.key);
        let ended = run(&*self.tool, &self.arguments, self.effect, context, self.by).await;
        let result = ended.unwrap_or_else(|| too_late(self.tool.spec(), self.effect, self.lang));
        conclude(&*self.journal, &self.speaker.owner(), &self.key, &result).await;
        result
    }
}

/// A call in a task of its own, which ends with the turn's future unless it is left to go on.
struct WithTurn(Option<JoinHandle<CallResult>>);

impl WithTurn {
    /// Its result, once it has ended; `None` where it broke.
    async fn ended(&mut self) -> Option<CallResult> {
        self.0.as_mut()?.await.ok()
    }

    fn leave(mut self) -> Option<JoinHandle<CallResult>> {
        self.0.take()
    }
}

impl Drop for WithTurn {
    fn drop(&mut self) {
        if let Some(running) = &self.0 {
            running.abort();
        }
    }
}

/// Runs a tool; `None`: it had not ended by then.
async fn run(
    tool: &dyn Tool,
    arguments: &Value,
    effect: Effect,
    context: ToolContext<'_>,
    by: Instant,
) -> Option<CallResult> {
    let ended = timeout_at(by, run_tool(tool, arguments, effect, context)).await.ok()?;
    Some(ended.unwrap_or_else(|ToolPanicked| {
        tracing::error!(tool = %tool.spec().name, "a tool panicked");
        failed(effect, ErrorKind::ToolFailed, broken(context.lang))
    }))
}

/// Journals what came of a call. Where that fails, the effect happened and its result is told all
/// the same; only after a crash it would be in doubt.
async fn conclude(journal: &dyn Journal, owner: &Owner, key: &str, result: &CallResult) {
    let concluded = match serde_json::to_string(result) {
        Ok(written) => {
            journal
                .conclude(owner, key, Conclusion::new(result.outcome, written))
                .await
        }
        Err(error) => Err(JournalError(error.to_string())),
    };
    if let Err(error) = concluded {
        tracing::error!(%error, "the result was not journaled");
    }
}

/// A call that did not come to its end: it is in doubt where it changes something.
fn failed(effect: Effect, kind: ErrorKind, message: &str) -> CallResult {
    let error = ToolError::new(kind, message);
    match effect {
        Effect::Read => CallResult::failed(&error),
        Effect::Set | Effect::Act => CallResult::failed(&error.in_doubt()),
    }
}

fn broken(lang: Lang) -> &'static str {
    lang.pick("抱歉，这项功能出错了。", "Sorry, that function failed.")
}

fn too_late(spec: &ToolSpec, effect: Effect, lang: Lang) -> CallResult {
    tracing::warn!(tool = %spec.name, timeout = ?spec.timeout, "a tool did not answer in time");
    let message = lang.pick("抱歉，它没有及时响应。", "Sorry, it didn't respond in time.");
    failed(effect, ErrorKind::ToolTimeout, message)
}
