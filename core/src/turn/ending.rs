//! How a turn ends: status, message, what is open.

use super::wait::{Wait, WaitKind};
use super::{CallRecord, Phase, Turn, phrases};
use crate::control::AskUser;
use crate::error::ErrorKind;
use crate::lang::Lang;
use crate::model::Usage;
use crate::outcome::Outcome;
use crate::response::{AgentStatus, Decision, ErrorInfo, ExpectsReply, FinishReason, Pending, ToolCallReport};
use crate::sentences::join_sentences;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// How a turn ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Ending {
    /// The status.
    pub status: AgentStatus,
    /// Everything to be spoken.
    pub message: String,
    /// The question alone.
    pub prompt: Option<String>,
    /// Whether a reply is wanted.
    pub expects: ExpectsReply,
    /// Why it ended.
    pub finish: FinishReason,
    /// What waits.
    pub pending: Option<Pending>,
    /// What waits behind it.
    pub queued: Vec<Pending>,
    /// This utterance's calls.
    pub calls: Vec<ToolCallReport>,
    /// What policies and guards decided.
    pub decisions: Vec<Decision>,
    /// How often the model was asked.
    pub rounds: u32,
    /// What it cost.
    pub usage: Option<Usage>,
    /// What went wrong.
    pub error: Option<ErrorInfo>,
}

impl Ending {
    fn new(status: AgentStatus, message: String, finish: FinishReason) -> Self {
        Self {
            status,
            message,
            prompt: None,
            expects: ExpectsReply::None,
            finish,
            pending: None,
            queued: Vec::new(),
            calls: Vec::new(),
            decisions: Vec::new(),
            rounds: 0,
            usage: None,
            error: None,
        }
    }

    pub(super) fn unfinished(lang: Lang) -> Self {
        let message = phrases::failed(lang);
        let mut ending = Self::new(AgentStatus::Error, message.into(), FinishReason::Error);
        ending.error = Some(ErrorInfo::new(ErrorKind::Internal, message));
        ending
    }
}

impl CallRecord {
    /// Whether the call failed with the very words of the question.
    fn asks(&self, ask: &AskUser) -> bool {
        let said = self.result.say.as_deref().unwrap_or_default();
        self.result.outcome == Outcome::Error && !said.is_empty() && ask.question.contains(said)
    }

    fn report(self) -> ToolCallReport {
        let by = match (self.policy, self.outside) {
            (Some(policy), _) => format!("policy:{policy}"),
            (None, Some(caller)) => format!("outside:{caller}"),
            (None, None) => "request".to_owned(),
        };
        ToolCallReport::new(
            self.id,
            self.name,
            self.arguments,
            by,
            self.result.outcome,
            self.result.value,
        )
        .with_provenance(self.provenance)
    }
}

impl Turn {
    /// Everything the model had to do is done. What is still open is asked (again); else the turn
    /// is over.
    pub(super) fn conclude(&mut self, text: String, expects: ExpectsReply) {
        if self.answering && self.records.is_empty() {
            return self.conclude_unclear(text);
        }
        if self.reask(&text) {
            return self.finish_waiting(text);
        }
        self.dialogue.say(text.clone());
        let (status, finish, error) = self.verdict(&text);
        let mut ending = Ending::new(
            status,
            join_sentences(self.remarks.iter().map(String::as_str).chain([text.as_str()])),
            finish,
        );
        ending.expects = expects;
        ending.error = error;
        self.finish(ending);
    }

    /// The model had something to say to the utterance. Beside an open question that is a digression in words, which is
    /// no unclear answer. But a driver who has turned away from the question, in words that only the model knows, is not
    /// held to it: after a few such replies it is put aside.
    pub(super) fn conclude_talk(&mut self, text: String, expects: ExpectsReply) {
        let is_talk = std::mem::take(&mut self.answering) && self.records.is_empty();
        let Some(wait) = self.dialogue.waits.last_mut().filter(|_| is_talk) else {
            return self.conclude(text, expects);
        };
        wait.talk += 1;
        if wait.talk < wait.most_talk() {
            return self.conclude(text, expects);
        }
        let last = self.dialogue.waits.len().saturating_sub(1);
        self.dialogue.drop_wait(last);
        let text = join_sentences([text.as_str(), phrases::put_aside(self.lang)]);
        self.conclude_as(AgentStatus::Cancelled, text, FinishReason::Cancelled);
    }

    /// The utterance was no answer to the open question, and nothing else either.
    fn conclude_unclear(&mut self, text: String) {
        self.answering = false;
        let unclear = self.dialogue.waits.last_mut().map(|wait| {
            wait.unclear += 1;
            // The question is heard again as it was asked; what goes before it is not in another language.
            (wait.unclear, Lang::of_text(&wait.prompt).unwrap_or(self.lang))
        });
        match unclear {
            Some((2.., _)) => {
                let last = self.dialogue.waits.len().saturating_sub(1);
                self.dialogue.drop_wait(last);
                self.conclude_as(
                    AgentStatus::Cancelled,
                    phrases::gave_up(self.lang).to_owned(),
                    FinishReason::Cancelled,
                );
            }
            Some((_, asked_in)) => {
                let said = if self.declined {
                    phrases::unclear(asked_in).to_owned()
                } else {
                    text
                };
                self.reask(&said);
                self.finish_waiting(said);
            }
            None => self.conclude(text, ExpectsReply::None),
        }
    }

    /// Ends with `status`, unless a question is still open.
    pub(super) fn conclude_as(&mut self, status: AgentStatus, text: String, finish: FinishReason) {
        if self.reask(&text) {
            return self.finish_waiting(text);
        }
        self.dialogue.say(text.clone());
        self.finish(Ending::new(status, text, finish));
    }

    /// Puts the question that is open (or queued) into the history once more, after `said`.
    fn reask(&mut self, said: &str) -> bool {
        if self.dialogue.waits.is_empty() && !self.dialogue.queue.is_empty() {
            let next = self.dialogue.queue.remove(0);
            self.dialogue.waits.push(Wait::from_ask(next));
        }
        let Some(wait) = self.dialogue.waits.last() else {
            return false;
        };
        match &wait.kind {
            WaitKind::Value(question) => {
                let ask = question.as_ask();
                self.dialogue.enter_question(said, &ask);
            }
            WaitKind::Words | WaitKind::Confirm(_) => {
                let whole = join_sentences([said, &wait.prompt]);
                self.dialogue.say(whole);
            }
        }
        true
    }

    /// Ends with the question on top of the stack, after `said`.
    pub(super) fn finish_waiting(&mut self, said: String) {
        let Some(wait) = self.dialogue.waits.last() else {
            return self.finish(Ending::unfinished(self.lang));
        };
        let prompt = wait.prompt.clone();
        let pending = wait.pending();
        let finish = match wait.kind {
            WaitKind::Confirm(_) => FinishReason::Confirm,
            WaitKind::Value(_) | WaitKind::Words => FinishReason::Asked,
        };
        let crowded = self.crowded_out.then(|| phrases::crowded_out(self.lang));
        let parts = self
            .remarks
            .iter()
            .map(String::as_str)
            .chain([said.as_str()])
            .chain(crowded);
        // A model's own question stands in its text already.
        let message = if said.ends_with(&prompt) {
            join_sentences(parts)
        } else {
            join_sentences(parts.chain([prompt.as_str()]))
        };
        let mut ending = Ending::new(AgentStatus::WaitingInput, message, finish);
        ending.prompt = Some(prompt);
        ending.expects = ExpectsReply::Required;
        ending.pending = pending;
        ending.queued = self.dialogue.queued();
        self.dialogue.waited = true;
        self.dialogue.unheard = false;
        self.finish(ending);
    }

    /// Ends in the middle: nothing more is said. What is open stays open.
    pub(super) fn finish_interrupted(&mut self) {
        let mut ending = Ending::new(
            AgentStatus::Cancelled,
            self.results_in_words(),
            FinishReason::Interrupted,
        );
        if let Some(wait) = self.dialogue.waits.last() {
            ending.status = AgentStatus::WaitingInput;
            ending.prompt = Some(wait.prompt.clone());
            ending.pending = wait.pending();
            ending.expects = ExpectsReply::Required;
        }
        self.finish(ending);
    }

    /// Ends in ERROR. What is open stays open: another try can still save it.
    pub(super) fn fail(&mut self, error: ErrorInfo, finish: FinishReason) {
        let done = self.results_in_words();
        let message = join_sentences([done.as_str(), error.message.as_str()]);
        self.dialogue.say(message.clone());
        let mut ending = Ending::new(AgentStatus::Error, message, finish);
        if let Some(wait) = self.dialogue.waits.last() {
            ending.prompt = Some(wait.prompt.clone());
            ending.pending = wait.pending();
            ending.expects = ExpectsReply::Required;
        }
        ending.error = Some(error);
        self.finish(ending);
    }

    fn finish(&mut self, mut ending: Ending) {
        self.dialogue.forget_ended_flows();
        let history = &mut self.dialogue.history;
        if history.has_private() {
            ending.message = history.revealed(&ending.message);
            ending.prompt = ending.prompt.map(|prompt| history.revealed(&prompt));
            history.conceal();
        }
        self.dialogue.asked_at = Some(self.started);
        ending.calls = std::mem::take(&mut self.records)
            .into_iter()
            .map(CallRecord::report)
            .collect();
        ending.decisions = std::mem::take(&mut self.decisions);
        ending.rounds = self.rounds;
        ending.usage = self.usage;
        self.phase = Phase::Done(Box::new(ending));
    }

    fn verdict(&self, text: &str) -> (AgentStatus, FinishReason, Option<ErrorInfo>) {
        let reason = self
            .bound
            .unwrap_or(if self.declined || self.beyond && self.records.is_empty() {
                FinishReason::Declined
            } else {
                FinishReason::Done
            });
        let good = if self.dialogue.waited {
            AgentStatus::Completed
        } else {
            AgentStatus::Success
        };
        let own = || self.records.iter().filter(|record| record.policy.is_none());
        if own().next().is_none() || own().any(|record| record.result.outcome == Outcome::Ok) {
            return (good, reason, None);
        }
        if own().any(|record| record.result.outcome == Outcome::Denied) {
            return (
                AgentStatus::Error,
                FinishReason::Denied,
                Some(ErrorInfo::new(ErrorKind::Denied, text)),
            );
        }
        let last = own().rfind(|record| record.result.error.is_some());
        let kind = last
            .and_then(|record| record.result.error)
            .unwrap_or(ErrorKind::ToolFailed);
        let mut info = ErrorInfo::new(kind, text);
        // What may have happened is looked at before it is tried again.
        info.retryable = matches!(kind, ErrorKind::ToolFailed | ErrorKind::ToolTimeout)
            && own().all(|record| record.result.outcome != Outcome::Unknown);
        let reason = if self.bound.is_some() {
            reason
        } else {
            FinishReason::Error
        };
        (AgentStatus::Error, reason, Some(info))
    }

    /// What the tools themselves say of what they did, where it was not said yet.
    pub(super) fn results_in_words(&mut self) -> String {
        let unspoken = self
            .records
            .iter()
            .filter(|record| !record.spoken && (record.policy.is_none() || record.result.outcome == Outcome::Unknown));
        let said = join_sentences(unspoken.filter_map(|record| record.result.say.as_deref()));
        self.mark_spoken();
        said
    }

    /// What the tools say of what they did beside a question: what a tool asks is that question itself.
    pub(super) fn results_beside(&mut self, ask: &AskUser) -> String {
        for record in self.records.iter_mut().filter(|record| record.asks(ask)) {
            record.spoken = true;
        }
        self.results_in_words()
    }

    /// Whether `text` is nothing but what the tools say of their results. Those are statements,
    /// however they sound ("say \"open the port\""): what a tool asks comes as an error that asks.
    pub(super) fn only_repeats_results(&self, text: &str) -> bool {
        let told = self.records.iter().filter_map(|record| record.result.say.as_deref());
        let mut rest = Cow::Borrowed(text);
        for sentence in told.filter(|sentence| !sentence.is_empty()) {
            if rest.contains(sentence) {
                rest = rest.replace(sentence, "").into();
            }
        }
        rest.len() < text.len() && !rest.chars().any(char::is_alphanumeric)
    }

    pub(super) fn mark_spoken(&mut self) {
        self.records.iter_mut().for_each(|record| record.spoken = true);
    }

    /// Ends where the model has no words: with a tool's question, or with what the tools say.
    pub(super) fn conclude_in_own_words(&mut self) {
        if let Some(ask) = self.asked_by_tool() {
            return self.put_question(&ask);
        }
        let said = self.own_words();
        self.conclude(said, ExpectsReply::None);
    }

    /// The question that the last call put to the driver (a value out of range, several that fit),
    /// if nothing was done since.
    pub(super) fn asked_by_tool(&self) -> Option<AskUser> {
        let record = self
            .records
            .last()
            .filter(|record| record.result.outcome == Outcome::Error)?;
        let error = record.result.value.get("error")?;
        let slot = error.get("argument")?.as_str()?;
        let mut ask = AskUser::new(error.get("message")?.as_str()?);
        ask.tool = Some(record.name.clone());
        ask.slot = Some(slot.to_owned());
        ask.arguments = record.arguments.as_object().cloned().unwrap_or_default();
        ask.arguments.remove(slot);
        let choices = error.get("choices").and_then(|choices| choices.as_array());
        ask.choices = choices
            .into_iter()
            .flatten()
            .filter_map(|choice| Some(choice.as_str()?.to_owned()))
            .collect();
        Some(ask)
    }

    /// Asks after saying what was done.
    pub(super) fn put_question(&mut self, ask: &AskUser) {
        let said = self.results_beside(ask);
        self.dialogue.enter_question(&said, ask);
        if self.open_wait(Wait::from_ask(ask.clone())) {
            self.finish_waiting(said);
        }
    }

    /// A reply where the model has none.
    pub(super) fn own_words(&mut self) -> String {
        let worked = self.records.iter().any(|record| record.result.outcome == Outcome::Ok);
        let undone = self.left_undone().then(|| phrases::left_undone(self.lang));
        let results = self.results_in_words();
        let said = join_sentences([results.as_str()].into_iter().chain(undone));
        if !said.is_empty() {
            said
        } else if worked {
            phrases::done(self.lang).to_owned()
        } else {
            phrases::failed(self.lang).to_owned()
        }
    }
}
