//! What the policies make of a call.

use super::batch::{CallResult, Entry, EntryState};
use super::guard::Findings;
use super::{Phase, Turn, amend, phrases};
use crate::error::ErrorKind;
use crate::message::ToolCall;
use crate::outcome::Outcome;
use crate::policy::PolicyDecision;
use crate::response::Decision;
use crate::spec::Concurrency;
use crate::tool::Resolved;
use serde_json::Value;

impl Turn {
    /// Applies what the policies say: a refusal first, then what the driver must say yes to, then
    /// what runs before it.
    pub(super) fn decide(
        &mut self,
        index: usize,
        resolved: Resolved,
        concurrency: Concurrency,
        decisions: Vec<PolicyDecision>,
        findings: Findings,
    ) {
        let adds = |decision: &PolicyDecision| matches!(decision, PolicyDecision::Amend { .. });
        let said = if decisions.iter().any(adds) {
            self.said_calls()
        } else {
            Vec::new()
        };
        let lang = self.lang;
        let Phase::Batch(batch) = &mut self.phase else { return };
        let Some(entry) = batch.entries.get_mut(index) else {
            return;
        };
        let id = entry.call.id.clone();
        entry.provenance = findings.provenance;
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
        // A guard's reason to hold it stands beside the policy's: one question, both decisions.
        let hold = findings.hold.filter(|_| !entry.cleared.confirmed);
        if let Some(hold) = &hold {
            self.decisions
                .push(Decision::guard(hold.guard.clone(), "confirm", id.clone()));
        }
        if let Some((policy, question)) = held {
            self.decisions.push(Decision::policy(policy, "confirm", id));
            entry.state = EntryState::Held { question };
            return;
        }
        if let Some(hold) = hold {
            entry.state = EntryState::Held {
                question: hold.question,
            };
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
        let added = added.into_iter().enumerate().map(|(nth, (policy, call))| {
            let id = format!("{id}.{policy}.{nth}");
            Entry::new(ToolCall { id, ..call }, Some(policy))
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
}
