//! What the policies and the machine's own guard make of a call.

use super::batch::{CallResult, Cleared, Entry, EntryState};
use super::{CallRecord, Phase, Turn, amend, phrases};
use crate::error::ErrorKind;
use crate::message::ToolCall;
use crate::outcome::Outcome;
use crate::policy::PolicyDecision;
use crate::response::Decision;
use crate::spec::{Concurrency, Effect};
use crate::tool::Resolved;
use serde_json::{Value, json};

impl Turn {
    /// Applies what the policies say: a refusal first, then what the driver must say yes to, then
    /// what runs before it.
    pub(super) fn decide(
        &mut self,
        index: usize,
        resolved: Resolved,
        concurrency: Concurrency,
        decisions: Vec<PolicyDecision>,
    ) {
        let (said, lang) = (self.said_calls(), self.lang);
        let Phase::Batch(batch) = &mut self.phase else { return };
        let Some(entry) = batch.entries.get_mut(index) else {
            return;
        };
        let id = entry.call.id.clone();
        let (mut held, mut added, mut told) = (None, Vec::new(), Vec::new());
        for decision in decisions {
            match decision {
                PolicyDecision::Allow { policy } => told.push((policy, "allow", None)),
                PolicyDecision::Deny { policy, reason } => {
                    self.decisions.push(Decision::policy(policy, "deny", id));
                    self.end_call(index, CallResult::refused(ErrorKind::Denied, Outcome::Denied, &reason));
                    return;
                }
                PolicyDecision::Confirm { policy, .. } if entry.cleared.confirmed => {
                    told.push((policy, "confirmed", None))
                }
                PolicyDecision::Confirm { policy, question } => held = held.or(Some((policy, question))),
                PolicyDecision::Warn { policy, say } => told.push((policy, "warn", Some(say))),
                // Amendments are one level deep, and made once.
                PolicyDecision::Amend { .. } if entry.policy.is_some() || entry.cleared.amended => {}
                PolicyDecision::Amend { policy, calls, say } => {
                    // What the same utterance asked is not undone: the driver only hears of it.
                    let (undoing, adding): (Vec<_>, Vec<_>) = calls
                        .into_iter()
                        .partition(|call| said.iter().any(|said| amend::undoes(call, said)));
                    if adding.is_empty() && !undoing.is_empty() {
                        told.push((policy, "warn", Some(phrases::left_as_asked(lang).to_owned())));
                        continue;
                    }
                    added.extend(adding.into_iter().map(|call| (policy.clone(), call)));
                    told.push((policy, "amend", Some(say)));
                }
            }
        }
        if let Some((policy, question)) = held {
            self.decisions.push(Decision::policy(policy, "confirm", id));
            entry.state = EntryState::Held { question };
            return;
        }
        for (policy, decision, say) in told {
            self.decisions.push(Decision::policy(policy, decision, id.clone()));
            self.remarks.extend(say);
        }
        if added.is_empty() {
            entry.state = EntryState::Ready { resolved, concurrency };
            return;
        }
        entry.cleared.amended = true;
        let added = added.into_iter().enumerate().map(|(nth, (policy, call))| Entry {
            call: ToolCall {
                id: format!("{id}.{policy}.{nth}"),
                ..call
            },
            policy: Some(policy),
            arguments: Value::Null,
            cleared: Cleared::default(),
            state: EntryState::New,
        });
        batch.entries.splice(index..index, added);
    }

    /// What this utterance itself asked for, so far.
    fn said_calls(&self) -> Vec<(String, Value)> {
        let Phase::Batch(batch) = &self.phase else {
            return Vec::new();
        };
        let called = batch
            .entries
            .iter()
            .filter(|entry| entry.policy.is_none())
            .map(|entry| {
                let arguments = serde_json::from_str(&entry.call.arguments).unwrap_or_default();
                (entry.call.name.clone(), arguments)
            });
        let ran = self.records.iter().filter(|record| record.policy.is_none());
        called
            .chain(ran.map(|record| (record.name.clone(), record.arguments.clone())))
            .collect()
    }

    /// A call that changed something in an earlier round of this turn is not done again.
    pub(super) fn already_done(&self, index: usize, arguments: &Value, resolved: &Resolved) -> Option<CallResult> {
        let Phase::Batch(batch) = &self.phase else { return None };
        let name = &batch.entries.get(index)?.call.name;
        let same =
            |record: &&CallRecord| record.round < self.rounds && record.name == *name && record.arguments == *arguments;
        let earlier = self.records.iter().filter(same).find(|record| record.changed())?;
        if resolved.effect == Effect::Read {
            return None;
        }
        let mut result = earlier.result.clone();
        result.value = json!({"already_done": true, "result": earlier.result.value});
        result.say = None;
        Some(result)
    }
}
