//! What guards make of calls and replies. They judge outside the machine; what follows from their
//! judgement is decided here.

use super::batch::{CallResult, EntryState};
use super::{CallRecord, Phase, Turn};
use crate::control::AskUser;
use crate::error::ErrorKind;
use crate::message::{AssistantMessage, ToolCall, ToolMessage};
use crate::outcome::Outcome;
use crate::provenance::Provenance;
use crate::response::{AgentStatus, Decision, ErrorInfo, ExpectsReply, FinishReason};
use crate::spec::Effect;
use crate::tool::Resolved;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The guard that the machine is itself: no second run of what was done.
pub(super) const SECOND_RUN: &str = "already-done";

/// The name under which the history tells a model what was wrong with its reply. No tool has it.
const REPLY_CHECK: &str = "reply_check";

/// What guards found out about a call that may run.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Findings {
    /// Where the values of its arguments come from.
    pub provenance: BTreeMap<String, Provenance>,
    /// Why the driver must say yes to it first.
    pub hold: Option<Hold>,
    /// How often it may run.
    pub repetition: Repetition,
}

/// A guard's wish that the driver says yes first.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hold {
    /// The guard.
    pub guard: String,
    /// The question.
    pub question: String,
}

impl Hold {
    /// The `question` of `guard`.
    pub fn new(guard: impl Into<String>, question: impl Into<String>) -> Self {
        Self {
            guard: guard.into(),
            question: question.into(),
        }
    }
}

/// How often one and the same call may do its work in a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Repetition {
    /// As often as one reply calls it, and not again in a later round: nobody counted how often it
    /// was said.
    #[default]
    OneReply,
    /// So often, in one reply or in several: as often as it was said.
    Counted(usize),
    /// As often as the model wants.
    Unbounded,
}

/// What a guard wants instead of a call.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Stop {
    /// The driver is asked for a value.
    Ask(AskUser),
    /// The model is told what is wrong, and may do better.
    Tell(CallResult),
    /// The same; and it wanted what no tool does.
    Beyond(CallResult),
}

/// Why a reply is not spoken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Objection {
    /// The guard.
    pub guard: String,
    /// What is wrong with it, for the model, which is asked once more.
    pub note: String,
    /// What is said where the model does no better: true whatever happened.
    pub instead: String,
    /// Why the turn ends with that: [`FinishReason::Declined`] for what no tool does.
    pub finish: FinishReason,
}

impl Objection {
    /// The objection of `guard`: `note` for the model, `instead` for the driver.
    pub fn new(guard: impl Into<String>, note: impl Into<String>, instead: impl Into<String>) -> Self {
        Self {
            guard: guard.into(),
            note: note.into(),
            instead: instead.into(),
            finish: FinishReason::Error,
        }
    }

    /// The same; what it is about is beyond the car.
    #[must_use]
    pub fn beyond_the_car(mut self) -> Self {
        self.finish = FinishReason::Declined;
        self
    }
}

/// A call of this turn that ended.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Deed<'a> {
    /// The tool.
    pub tool: &'a str,
    /// The arguments as called.
    pub arguments: &'a Value,
    /// What came of it.
    pub result: &'a CallResult,
}

impl Deed<'_> {
    /// Whether it changed something.
    pub fn changed(&self) -> bool {
        self.result.outcome == Outcome::Ok && self.result.effect.is_some_and(|effect| effect != Effect::Read)
    }
}

impl Turn {
    /// The calls of this turn that ended, in order.
    pub fn deeds(&self) -> impl Iterator<Item = Deed<'_>> {
        self.records.iter().map(|record| Deed {
            tool: &record.name,
            arguments: &record.arguments,
            result: &record.result,
        })
    }

    /// A guard objects to the reply that was to be judged. The model is asked once more in a turn;
    /// after that, and where it may not act any more, code says what is true.
    pub fn objected(&mut self, objection: Objection) {
        let Phase::Judge(reply) = &mut self.phase else { return };
        let text = std::mem::take(&mut reply.content);
        let first = self.objection.is_none();
        let again = first && self.bound.is_none() && !self.only_words && self.rounds < self.limits.rounds;
        let decision = if again { "retry" } else { "replace" };
        self.decisions.push(Decision::guard(&*objection.guard, decision, ""));
        self.beyond |= objection.finish == FinishReason::Declined;
        if again {
            self.tell_model(&text, &objection.note);
            self.objection = Some(objection);
            self.phase = Phase::Ask;
        } else {
            self.say_instead(objection);
        }
    }

    /// Says what is true in the place of a reply that was not.
    pub(super) fn say_instead(&mut self, objection: Objection) {
        let done = self.results_in_words();
        if !done.is_empty() {
            self.conclude(done, ExpectsReply::None);
        } else if self.beyond {
            self.conclude_as(AgentStatus::Success, objection.instead, FinishReason::Declined);
        } else {
            let error = ErrorInfo::new(ErrorKind::Internal, objection.instead).retryable();
            self.fail(error, FinishReason::Error);
        }
    }

    /// What was said and must not be, and why, as an exchange: the model sees both, the driver hears neither.
    fn tell_model(&mut self, reply: &str, note: &str) {
        let from = self.dialogue.history.messages().len();
        let call = ToolCall::new(
            format!("check_{from}"),
            REPLY_CHECK,
            json!({ "reply": reply }).to_string(),
        );
        let content = json!({"error": {"kind": ErrorKind::InvalidInput, "message": note}}).to_string();
        let result = ToolMessage::new(&call, content, Outcome::Error);
        self.dialogue.enter(AssistantMessage::calls(vec![call]), vec![result]);
        let added = self.dialogue.history.messages().iter().skip(from);
        added.for_each(|message| self.meter.add(message));
    }

    /// A guard stops a call. It is none of the turn's calls: nothing of it reached a tool.
    pub(super) fn stop(&mut self, index: usize, guard: String, stop: Stop) {
        let Phase::Batch(batch) = &mut self.phase else { return };
        let Some(entry) = batch.entries.get_mut(index) else {
            return;
        };
        let decision = match &stop {
            Stop::Ask(_) => "ask",
            Stop::Tell(_) => "refuse",
            Stop::Beyond(_) => "decline",
        };
        self.decisions
            .push(Decision::guard(guard, decision, entry.call.id.clone()));
        self.beyond |= matches!(stop, Stop::Beyond(_));
        let result = match stop {
            Stop::Tell(result) | Stop::Beyond(result) => result,
            Stop::Ask(ask) => {
                let slot = ask.slot.as_deref().unwrap_or_default();
                let wrong = format!("not run: `{slot}` was not said; the speaker is being asked for it");
                batch.asked_by_code |= batch.asks.is_empty();
                batch.asks.push(ask);
                CallResult::misfit(&wrong, None)
            }
        };
        entry.state = EntryState::Done(result);
    }

    /// The result of an equal call that did its work already, where this one is not to be done again:
    /// in an earlier round nothing that changed anything is, in the same reply an act only as often
    /// as it was said.
    pub(super) fn already_done(
        &self,
        index: usize,
        arguments: &Value,
        resolved: &Resolved,
        repetition: Repetition,
    ) -> Option<CallResult> {
        let Phase::Batch(batch) = &self.phase else { return None };
        let entry = batch.entries.get(index)?;
        let acts = resolved.effect == Effect::Act;
        let most = match repetition {
            Repetition::Unbounded => return None,
            Repetition::Counted(most) if acts => Some(most),
            Repetition::Counted(_) | Repetition::OneReply => None,
        };
        if resolved.effect == Effect::Read {
            return None;
        }
        let counts = |record: &&CallRecord| record.round < self.rounds || most.is_some();
        let done = self.equal_deeds(&entry.call.name, arguments).filter(counts);
        let pending = most.map_or(0, |_| batch.pending_before(index, &entry.call.name, arguments));
        if done.clone().count() + pending < most.unwrap_or(1) {
            return None;
        }
        let mut result = match done.last() {
            Some(earlier) => {
                let mut result = earlier.result.clone();
                result.value = json!({"already_done": true, "result": earlier.result.value});
                result
            }
            None => CallResult::misfit("not run: the same call of this reply is still to be decided", None),
        };
        result.say = None;
        Some(result)
    }

    /// How many equal calls of this turn changed something or are about to.
    pub fn equal_before(&self, index: usize, tool: &str, arguments: &Value) -> usize {
        let Phase::Batch(batch) = &self.phase else { return 0 };
        self.equal_deeds(tool, arguments).count() + batch.pending_before(index, tool, arguments)
    }

    fn equal_deeds<'a>(
        &'a self,
        tool: &'a str,
        arguments: &'a Value,
    ) -> impl Iterator<Item = &'a CallRecord> + Clone + 'a {
        self.records
            .iter()
            .filter(move |record| record.changed() && record.name == tool && record.arguments == *arguments)
    }
}
