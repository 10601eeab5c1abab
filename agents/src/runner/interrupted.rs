//! The calls of an interrupted turn: what was done is history, what is in doubt is repeated where that
//! does no harm, and told as it is where it might.

use super::call::unsafe_now;
use super::{TurnRunner, TurnScope};
use incar_core::turn::{CallResult, RunnableCall, Unbegun};
use incar_core::{Effect, ErrorKind, Lang, PolicyDecision, ToolError, ToolSpec, json_fault};

/// What a tool does, to be spoken. Descriptions are for models; what follows the first clause is their
/// concern.
pub(crate) fn in_short(spec: &ToolSpec, lang: Lang) -> &str {
    let whole = spec.description.get(lang);
    let first = whole.split([':', '：', ';', '；', '。', '.']).next();
    first.unwrap_or(whole).trim()
}

impl TurnRunner {
    /// Brings a call that changes something to its end.
    pub(super) async fn finish(
        &self,
        turn_id: &str,
        call: &RunnableCall<'_>,
        key: &str,
        unbegun: Unbegun,
        scope: TurnScope<'_>,
    ) -> CallResult {
        let entry = match self.journal.find(&scope.speaker.owner(), key).await {
            Ok(entry) => entry,
            Err(error) => {
                tracing::error!(%error, "the journal cannot tell what was done");
                return self.in_doubt(call, scope);
            }
        };
        let Some(entry) = entry else {
            return match (unbegun, self.still_allowed(call, scope)) {
                (Unbegun::Run, Ok(())) => self.execute_journaled(turn_id, call, key, scope).await,
                (Unbegun::Run, Err(refused)) => refused,
                (Unbegun::Cancel, _) => CallResult::cancelled(),
            };
        };
        if let Some(conclusion) = entry.conclusion {
            return serde_json::from_str(&conclusion.result).unwrap_or_else(|error| {
                tracing::error!(error = json_fault(&error), "a journaled result cannot be read");
                self.in_doubt(call, scope)
            });
        }
        let harmless = call.resolved.effect != Effect::Act && unbegun == Unbegun::Run;
        if harmless && self.still_allowed(call, scope).is_ok() {
            return self.execute_journaled(turn_id, call, key, scope).await;
        }
        let result = self.in_doubt(call, scope);
        self.conclude(key, &result, scope).await;
        result
    }

    /// The policies judged the call before the interruption; the car may have moved off since.
    fn still_allowed(&self, call: &RunnableCall<'_>, scope: TurnScope<'_>) -> Result<(), CallResult> {
        let Some(tool) = self.registry.get(&call.call.name) else {
            return Err(unsafe_now(scope));
        };
        let arguments = &call.resolved.arguments;
        for decision in self.gate.decide(&scope.query(tool.spec(), arguments)) {
            match decision {
                PolicyDecision::Deny { reason, .. } => {
                    return Err(CallResult::failed(&ToolError::new(ErrorKind::Denied, reason)));
                }
                // Nobody is there to be asked.
                PolicyDecision::Confirm { .. } if !call.confirmed => return Err(CallResult::cancelled()),
                _ => {}
            }
        }
        Ok(())
    }

    fn in_doubt(&self, call: &RunnableCall<'_>, scope: TurnScope<'_>) -> CallResult {
        let tool = self.registry.get(&call.call.name);
        let what = tool.map_or(&*call.call.name, |tool| in_short(tool.spec(), scope.lang));
        let message = scope.lang.pick(
            format!("刚才中断了，不确定这件事有没有办成：{what}。请您看一下。"),
            format!("I was interrupted and can't tell whether this was done: {what}. Please check."),
        );
        CallResult::failed(&ToolError::new(ErrorKind::ToolFailed, message).in_doubt())
    }
}
