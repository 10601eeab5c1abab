//! What the machine makes of what it is told.

use super::batch::{Batch, CallResult, Entry, EntryState, Todo};
use super::wait::{Wait, WaitKind};
use super::{CallRecord, Phase, Turn, Verdict, dialogue, guard, phrases};
use crate::classify::{Judgement, ReplyClass};
use crate::clock::Timestamp;
use crate::control::ASK_USER;
use crate::error::ErrorKind;
use crate::message::ToolCall;
use crate::model::{ModelError, ModelFinish, ModelReply, Usage};
use crate::outcome::Outcome;
use crate::response::{AgentStatus, Decision, ErrorInfo, ExpectsReply, FinishReason};
use crate::sentences::join_sentences;
use crate::spec::Effect;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The tool of the flow that takes a call in, and the call as it is to stand in the history: the
/// question that it became, or the whole call.
fn taken_in(flows: &BTreeMap<String, Value>, entry: &Entry, verdict: &Verdict) -> Option<(String, ToolCall)> {
    let tool = match verdict {
        Verdict::Ask(ask) => ask.tool.as_deref()?,
        Verdict::Decided { .. } => entry.call.name.as_str(),
        Verdict::Guarded { .. } | Verdict::Answer(_) | Verdict::Futile { .. } => return None,
    };
    if !flows.contains_key(tool) {
        return None;
    }
    let (name, arguments) = match verdict {
        Verdict::Ask(ask) => (ASK_USER, serde_json::to_string(ask).ok()?),
        _ => (tool, entry.arguments.to_string()),
    };
    Some((tool.to_owned(), ToolCall::new(entry.call.id.clone(), name, arguments)))
}

impl CallRecord {
    pub(super) fn changed(&self) -> bool {
        self.result.outcome == Outcome::Ok && self.result.effect.is_some_and(|effect| effect != Effect::Read)
    }
}

impl Turn {
    /// The model answered.
    pub fn model_replied(&mut self, reply: ModelReply) {
        if !matches!(self.phase, Phase::Ask) {
            return;
        }
        self.rounds += 1;
        if let Some(usage) = reply.usage {
            self.usage = Some(self.usage.unwrap_or_default().plus(usage));
            self.meter.reported(usage);
        }
        self.declined = reply.finish == Some(ModelFinish::Declined);
        if reply.finish == Some(ModelFinish::Aside) {
            self.answering = false;
        }
        let mut message = reply.message;
        let may_call = self.bound.is_none() && !self.only_words;
        if may_call && !message.tool_calls.is_empty() {
            self.phase = Phase::Batch(self.admit(Batch::new(message)));
            return;
        }
        message.tool_calls.clear();
        match reply.finish {
            Some(ModelFinish::ContentFilter) => {
                let error = ErrorInfo::new(ErrorKind::ModelRejected, phrases::filtered(self.lang));
                self.fail(error, FinishReason::ContentFilter);
            }
            finish => {
                if finish == Some(ModelFinish::Length) && self.bound.is_none() {
                    self.bound = Some(FinishReason::Length);
                }
                if message.content.trim().is_empty() {
                    self.conclude_in_own_words();
                } else if self.declined
                    || finish == Some(ModelFinish::Aside)
                    || self.only_repeats_results(&message.content)
                {
                    self.mark_spoken();
                    self.conclude(message.content, ExpectsReply::None);
                } else {
                    self.phase = Phase::Judge(message);
                }
            }
        }
    }

    /// The model did not answer.
    pub fn model_failed(&mut self, error: &ModelError) {
        if !matches!(self.phase, Phase::Ask) {
            return;
        }
        if self.only_words || (self.bound.is_some() && !self.records.is_empty()) {
            // All that was to be done is done and known; the sentence does not need the model.
            self.conclude_in_own_words();
            return;
        }
        if let Some(objection) = self.objection.take() {
            // What it said before was not true; what is true is known.
            self.say_instead(objection);
            return;
        }
        if let Some(ask) = self.asked_by_tool() {
            // Nor does the question that a tool asks.
            self.put_question(&ask);
            return;
        }
        let message = if error.kind == ErrorKind::ModelRejected {
            phrases::failed(self.lang)
        } else {
            phrases::no_model(self.lang)
        };
        let mut info = ErrorInfo::new(error.kind, message);
        info.retryable = error.retryable;
        self.fail(info, FinishReason::Error);
    }

    /// A call was looked at: `arguments` as parsed (the text itself where it is no JSON).
    pub fn resolved(&mut self, index: usize, arguments: Value, verdict: Verdict) {
        let repeated = match &verdict {
            Verdict::Decided { resolved, findings, .. } => {
                self.already_done(index, &arguments, resolved, findings.repetition)
            }
            Verdict::Guarded { .. } | Verdict::Answer(_) | Verdict::Ask(_) | Verdict::Futile { .. } => None,
        };
        let Phase::Batch(batch) = &mut self.phase else { return };
        let asked_before = !batch.asks.is_empty();
        let own = batch
            .entries
            .iter()
            .take(index)
            .filter(|entry| entry.policy.is_none())
            .count();
        let Some(entry) = batch.entries.get_mut(index) else {
            return;
        };
        if !matches!(entry.state, EntryState::New) {
            return;
        }
        let changed = entry.arguments != arguments;
        entry.arguments = arguments;
        if let Some((tool, call)) = taken_in(&self.dialogue.flows, entry, &verdict) {
            entry.call = call;
            // A yes was to another call than the one that the flow makes of it now.
            entry.cleared.confirmed &= !changed;
            if let Some(call) = batch.reply.tool_calls.get_mut(own) {
                call.clone_from(&entry.call);
            }
            batch.supersede(&tool, index);
        }
        let Some(entry) = batch.entries.get_mut(index) else {
            return;
        };
        if let Some(result) = repeated {
            self.decisions
                .push(Decision::guard(guard::SECOND_RUN, "skip", entry.call.id.clone()));
            entry.state = EntryState::Done(result);
            return;
        }
        match verdict {
            Verdict::Answer(result) => self.end_call(index, result),
            Verdict::Futile { ask, policy, reason } => {
                let id = entry.call.id.clone();
                entry.arguments = Value::Object(ask.arguments);
                self.decisions.push(Decision::policy(policy, "deny", id));
                self.end_call(index, CallResult::refused(ErrorKind::Denied, Outcome::Denied, &reason));
                if let (Some(record), Some(tool)) = (self.records.last_mut(), ask.tool) {
                    record.name = tool;
                }
            }
            Verdict::Ask(ask) => {
                let noted = if asked_before {
                    json!({"queued": true})
                } else {
                    json!({"asked": true})
                };
                entry.state = EntryState::Done(CallResult {
                    value: noted,
                    outcome: Outcome::Ok,
                    say: None,
                    private: Vec::new(),
                    error: None,
                    untrusted: false,
                    effect: None,
                });
                batch.asks.push(ask);
            }
            Verdict::Guarded { guard, stop } => self.stop(index, guard, stop),
            Verdict::Decided {
                resolved,
                concurrency,
                decisions,
                findings,
            } => self.decide(index, resolved, concurrency, decisions, findings),
        }
    }

    /// A call ran.
    pub fn ran(&mut self, index: usize, result: CallResult) {
        let running = match &self.phase {
            Phase::Batch(batch) => batch
                .entries
                .get(index)
                .is_some_and(|entry| matches!(entry.state, EntryState::Ready { .. })),
            Phase::Ask | Phase::Judge(_) | Phase::Done(_) => false,
        };
        if running {
            self.end_call(index, result);
        }
    }

    /// A reply was judged.
    pub fn judged(&mut self, judgement: Judgement) {
        let Phase::Judge(reply) = &mut self.phase else { return };
        let text = std::mem::take(&mut reply.content);
        self.mark_spoken();
        match judgement.class {
            ReplyClass::Required => {
                let wait = Wait::words(text.clone());
                self.dialogue.say(text.clone());
                if self.open_wait(wait) {
                    self.finish_waiting(text);
                }
            }
            ReplyClass::Offer => self.conclude_talk(text, ExpectsReply::Optional),
            ReplyClass::Courtesy | ReplyClass::None => self.conclude_talk(text, ExpectsReply::None),
        }
    }

    /// Moves on as far as that needs nobody: finished batches enter the history, bounds are noticed.
    /// Call it before [`Turn::directive`] with the time of this moment.
    pub fn advance(&mut self, now: Timestamp) {
        loop {
            match &mut self.phase {
                Phase::Batch(batch) => match batch.todo() {
                    Todo::Resolve(_) | Todo::Run(_) => return,
                    Todo::Held => self.hold(),
                    Todo::Close => self.close(),
                },
                Phase::Ask => {
                    if self.bound.is_none() && !self.only_words {
                        self.bound = self.reached(now);
                    }
                    return;
                }
                Phase::Judge(_) | Phase::Done(_) => return,
            }
        }
    }

    fn reached(&self, now: Timestamp) -> Option<FinishReason> {
        if self.failing_rounds >= self.limits.failing_rounds {
            Some(FinishReason::FailingRounds)
        } else if self.rounds >= self.limits.rounds {
            Some(FinishReason::RoundLimit)
        } else if self.calls >= self.limits.calls {
            Some(FinishReason::CallLimit)
        } else if self.meter.input() > self.limits.input_tokens || self.spent() >= self.limits.total_tokens {
            Some(FinishReason::TokenLimit)
        } else if now.since(self.started) >= self.limits.time {
            Some(FinishReason::TimeLimit)
        } else {
            None
        }
    }

    /// Tokens of all requests and replies so far.
    fn spent(&self) -> u64 {
        self.usage.map_or(0, Usage::total)
    }

    /// Takes a reply's calls in, as far as the bounds allow.
    fn admit(&mut self, mut batch: Batch) -> Batch {
        let same = self.last_calls.as_ref().is_some_and(|last| {
            let pair = |a: &ToolCall, b: &ToolCall| a.name == b.name && a.arguments == b.arguments;
            last.len() == batch.entries.len() && last.iter().zip(&batch.entries).all(|(a, b)| pair(a, &b.call))
        });
        self.same_calls = if same { self.same_calls + 1 } else { 1 };
        self.last_calls = Some(batch.reply.tool_calls.clone());
        let repeated = self.same_calls > self.limits.same_calls;
        if repeated {
            self.bound = Some(FinishReason::RepeatedCall);
        }
        for entry in batch.entries.iter_mut().filter(|entry| entry.call.name != ASK_USER) {
            if repeated {
                entry.state = EntryState::Done(CallResult::misfit(
                    "the same call was made before; its result stands above",
                    None,
                ));
            } else if self.calls >= self.limits.calls {
                self.bound = Some(FinishReason::CallLimit);
                entry.state = EntryState::Done(CallResult::misfit("not run: too many calls in this turn", None));
            } else {
                self.calls += 1;
            }
        }
        batch
    }

    pub(super) fn end_call(&mut self, index: usize, result: CallResult) {
        let Phase::Batch(batch) = &mut self.phase else { return };
        let Some(entry) = batch.entries.get_mut(index) else {
            return;
        };
        self.records.push(CallRecord {
            id: entry.call.id.clone(),
            name: entry.call.name.clone(),
            arguments: entry.arguments.clone(),
            policy: entry.policy.clone(),
            outside: entry.outside.clone(),
            round: self.rounds,
            spoken: false,
            result: result.clone(),
            provenance: std::mem::take(&mut entry.provenance),
        });
        entry.state = EntryState::Done(result);
    }

    /// All calls of the batch ended: it enters the history.
    pub(super) fn close(&mut self) {
        let Phase::Batch(batch) = std::mem::replace(&mut self.phase, Phase::Ask) else {
            return;
        };
        let mut own = batch.entries.iter().filter(|entry| entry.policy.is_none()).peekable();
        let failed =
            |entry: &Entry| matches!(&entry.state, EntryState::Done(result) if result.outcome == Outcome::Error);
        let all_failed = own.peek().is_some() && own.all(failed);
        self.failing_rounds = if all_failed { self.failing_rounds + 1 } else { 0 };
        self.answer_waits(&batch);
        if let Some(wait) = self.dialogue.waits.last_mut() {
            wait.talk = 0;
        }
        let said = batch.reply.content.clone();
        let asked_by_code = batch.asked_by_code;
        let (reply, results, asks) = batch.into_exchange();
        if let Some(tool) = asks.first().and_then(|ask| ask.tool.as_deref()) {
            self.dialogue.drop_held(tool);
        }
        let from = self.dialogue.history.messages().len();
        self.dialogue.enter(reply, results);
        self.dialogue
            .history
            .messages()
            .iter()
            .skip(from)
            .for_each(|message| self.meter.add(message));
        let mut asks = asks.into_iter();
        if let Some(first) = asks.next() {
            self.dialogue.queue.splice(0..0, asks);
            if asked_by_code {
                return self.put_question(&first);
            }
            if self.open_wait(Wait::from_ask(first.clone())) {
                let said = if said.trim().is_empty() {
                    self.results_beside(&first)
                } else {
                    said
                };
                self.finish_waiting(said);
            }
        } else if self.declined_by_speaker() {
            self.conclude_as(
                AgentStatus::Cancelled,
                phrases::not_done(self.lang).to_owned(),
                FinishReason::Cancelled,
            );
        } else if self.from_outside {
            // Nobody is there to answer what a tool asks: its error tells the program.
            let said = self.own_words();
            self.conclude(said, ExpectsReply::None);
        } else if self.is_interrupted() || self.handed_over {
            self.conclude_in_own_words();
        } else if self.only_words
            && let Some(ask) = self.asked_by_tool()
        {
            // The model gets no tools any more, `ask_user` included.
            self.put_question(&ask);
        }
    }

    /// A call of the batch waits for a yes: the turn ends with that question.
    fn hold(&mut self) {
        let Phase::Batch(batch) = std::mem::replace(&mut self.phase, Phase::Ask) else {
            return;
        };
        self.answer_waits(&batch);
        let Some(held) = batch.held() else { return };
        let EntryState::Held { question } = &held.state else {
            return;
        };
        let wait = Wait {
            prompt: question.clone(),
            unclear: 0,
            talk: 0,
            kind: WaitKind::Confirm(Box::new(batch)),
        };
        let prompt = wait.prompt.clone();
        if self.open_wait(wait) {
            let said = self.results_in_words();
            self.dialogue.say(join_sentences([said.as_str(), &prompt]));
            self.finish_waiting(said);
        }
    }

    /// Questions whose tool was now called are answered.
    fn answer_waits(&mut self, batch: &Batch) {
        let answered = |tool: &str| {
            batch.entries.iter().any(|entry| {
                entry.policy.is_none()
                    && entry.call.name == tool
                    && match &entry.state {
                        EntryState::Done(result) => match result.outcome {
                            Outcome::Ok | Outcome::Denied | Outcome::Unknown | Outcome::Cancelled => true,
                            Outcome::Error => {
                                !matches!(result.error, Some(ErrorKind::InvalidInput | ErrorKind::OutOfRange))
                            }
                        },
                        EntryState::Held { .. } => true,
                        EntryState::New | EntryState::Ready { .. } => false,
                    }
            })
        };
        self.dialogue.waits.retain(|wait| match &wait.kind {
            WaitKind::Value(question) => !answered(&question.tool),
            WaitKind::Words | WaitKind::Confirm(_) => true,
        });
    }

    /// Puts a question on top. A question of the same tool gives way to it. Returns whether it is
    /// to be asked: the same question a second time without an answer ends in CANCELLED instead.
    pub(super) fn open_wait(&mut self, mut wait: Wait) -> bool {
        let rival = self
            .dialogue
            .waits
            .iter()
            .position(|old| old.tool().is_some() && old.tool() == wait.tool());
        if let Some(index) = rival {
            let unclear = self
                .dialogue
                .waits
                .get(index)
                .filter(|old| old.same_as(&wait))
                .map(|old| old.unclear);
            self.dialogue.drop_wait(index);
            if let Some(unclear) = unclear.filter(|_| self.answering && self.records.is_empty()) {
                wait.unclear = unclear + 1;
            }
        }
        if wait.unclear >= 2 {
            self.answering = false;
            self.conclude_as(
                AgentStatus::Cancelled,
                phrases::gave_up(self.lang).to_owned(),
                FinishReason::Cancelled,
            );
            return false;
        }
        if self.dialogue.waits.len() >= dialogue::DEPTH {
            self.dialogue.drop_wait(0);
            self.crowded_out = true;
        }
        self.dialogue.waits.push(wait);
        true
    }
}
