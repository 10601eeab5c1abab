//! A turn that is stopped on its way: talked over, or out of time.

use super::batch::{CallResult, EntryState};
use super::{Phase, Turn, phrases};
use crate::error::ErrorKind;
use crate::message::AssistantMessage;
use crate::outcome::Outcome;
use crate::response::{ErrorInfo, FinishReason};

/// What becomes of a reply that was on its way when its turn was talked over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutOff<'a> {
    /// None of it was told to anyone: it is dropped.
    Unsaid,
    /// This much of it had come and may have been spoken: it stays in the conversation, marked as cut
    /// off, until it is known what was heard of it ([`Dialogue::cut`](super::Dialogue::cut)).
    SoFar(&'a str),
}

impl Turn {
    /// The driver talks over the turn: what has not begun is left undone, what was done is kept, and
    /// what waited waits on. Nothing, where the turn is over.
    pub fn interrupt(&mut self, reply: CutOff<'_>) {
        if let Phase::Batch(batch) = &mut self.phase {
            batch.cancel_open();
            self.close();
        }
        let said = match (&self.phase, reply) {
            (Phase::Ask, CutOff::SoFar(text)) => text,
            // Whole, but not in the conversation yet.
            (Phase::Judge(whole), CutOff::SoFar(_)) => &whole.content,
            (Phase::Ask | Phase::Judge(_), CutOff::Unsaid) => "",
            (Phase::Batch(_) | Phase::Done(_), _) => return,
        };
        if !said.is_empty() {
            let mut reply = AssistantMessage::text(said);
            reply.interrupted = true;
            self.dialogue.enter_reply(reply);
        }
        self.finish_interrupted();
    }

    /// The turn's time is up: nothing more begins, and the driver hears what was done, and that it is
    /// not all. Tell what became of the calls that run ([`Turn::ran`]) before.
    pub fn out_of_time(&mut self) {
        if let Phase::Batch(batch) = &self.phase {
            let open = |state: &EntryState| !matches!(state, EntryState::Done(_));
            let open: Vec<usize> = (0..)
                .zip(&batch.entries)
                .filter_map(|(index, entry)| open(&entry.state).then_some(index))
                .collect();
            open.into_iter()
                .for_each(|index| self.end_call(index, CallResult::cancelled()));
            self.close();
        }
        if !matches!(self.phase, Phase::Ask | Phase::Judge(_)) {
            return;
        }
        if self.only_words && !self.records.is_empty() {
            // All that was to be done is done and known; only the sentence is late.
            return self.conclude_in_own_words();
        }
        let begun = |outcome| matches!(outcome, Outcome::Ok | Outcome::Unknown);
        let message = if self.records.iter().any(|record| begun(record.result.outcome)) {
            phrases::time_is_up(self.lang)
        } else {
            phrases::too_slow(self.lang)
        };
        let mut error = ErrorInfo::new(ErrorKind::Deadline, message);
        error.retryable = self
            .records
            .iter()
            .all(|record| record.result.outcome != Outcome::Unknown);
        self.fail(error, FinishReason::TimeLimit);
    }
}
