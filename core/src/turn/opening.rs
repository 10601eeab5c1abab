//! What an utterance is to the conversation, and what code itself makes of it where no model needs to see it.

use super::batch::{Batch, CallResult, EntryState};
use super::wait::{Wait, WaitKind};
use super::{Dialogue, OutsideWish, Phase, Turn, phrases};
use crate::lang::Lang;
use crate::message::{AssistantMessage, ToolCall};
use crate::response::{AgentStatus, CallShape, FinishReason};

/// What the driver said to a confirmation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Consent {
    /// Yes, to exactly that.
    Yes,
    /// No.
    No,
}

/// What an utterance is to the conversation, as far as code decides it.
#[derive(Debug, Clone, PartialEq)]
pub enum Opening {
    /// Something for the model: a wish, an answer, a digression.
    Utterance,
    /// The answer to the open confirmation.
    Consent(Consent),
    /// The open question is called off.
    CallOff,
    /// The open question is called off, and something else is wished: for the model.
    Instead {
        /// The words that call it off.
        called_off: String,
        /// The words of the wish.
        wish: String,
    },
    /// Nothing was said, or the question is to be heard again.
    Repeat,
    /// "Yes" to what the last reply offered: this call.
    Accept(CallShape),
    /// "No" to what the last reply offered.
    TurnDown,
    /// What was said is for this call, as code knows: it is made, and its tool's words are the reply. No model is asked.
    HandOver(CallShape),
    /// The flow that waits is steered (a step back, a value to change): its tool is called once more
    /// without a model, for the flow to make of it what was meant.
    Steer,
    /// Nothing was said: a program outside the car wants a call. No model is asked.
    Outside(OutsideWish),
}

impl Opening {
    /// Enters what was said into the conversation, with the cabin context that belongs to it.
    pub(super) fn enter(&self, dialogue: &mut Dialogue, said: &str, context: Option<String>, lang: Lang) {
        let wish = match self {
            Self::Repeat | Self::Outside(_) => return,
            Self::Instead { called_off, wish } => {
                dialogue.history.user(called_off);
                dialogue.drop_last_wait();
                dialogue.say(phrases::all_right(lang).to_owned());
                wish
            }
            Self::Utterance
            | Self::Consent(_)
            | Self::CallOff
            | Self::Accept(_)
            | Self::TurnDown
            | Self::HandOver(_)
            | Self::Steer => said,
        };
        if let Some(context) = dialogue.context_with_pending(context) {
            dialogue.history.context(context);
        }
        dialogue.history.user(wish);
    }
}

impl Turn {
    /// An open question in words goes to the model with the utterance: only it knows what for.
    pub(super) fn hand_words_to_model(&mut self) {
        if self
            .dialogue
            .waits
            .last()
            .is_some_and(|wait| matches!(wait.kind, WaitKind::Words))
        {
            self.dialogue.waits.pop();
            self.answering = false;
        }
    }

    pub(super) fn consent(&mut self, consent: Consent) {
        let Some(Wait {
            kind: WaitKind::Confirm(mut batch),
            ..
        }) = self
            .dialogue
            .waits
            .pop_if(|wait| matches!(wait.kind, WaitKind::Confirm(_)))
        else {
            return;
        };
        if let Some(entry) = batch.held_mut() {
            match consent {
                Consent::Yes => {
                    entry.state = EntryState::New;
                    entry.cleared.confirmed = true;
                }
                Consent::No => entry.state = EntryState::Done(CallResult::cancelled()),
            }
        }
        match consent {
            Consent::Yes => self.only_words = true,
            Consent::No => self.declined = true,
        }
        self.phase = Phase::Batch(*batch);
    }

    /// Whether the turn was a "no" to a confirmation: nothing is left for the model to say.
    pub(super) fn declined_by_speaker(&self) -> bool {
        self.declined && self.rounds == 0
    }

    pub(super) fn call_off(&mut self) {
        self.dialogue.drop_last_wait();
        self.conclude_as(
            AgentStatus::Cancelled,
            phrases::cancelled(self.lang).to_owned(),
            FinishReason::Cancelled,
        );
    }

    /// What was offered is a wish of its own now; the policies judge it like any other.
    pub(super) fn accept(&mut self, call: CallShape) {
        let id = format!("offer_{}", self.dialogue.history.messages().len());
        let call = ToolCall::new(id, call.tool, call.arguments.to_string());
        (self.only_words, self.by_driver) = (true, true);
        self.phase = Phase::Batch(Batch::new(AssistantMessage::calls(vec![call])));
    }

    /// The call that what was said is for.
    pub(super) fn hand_over(&mut self, call: CallShape) {
        let id = format!("handed_{}", self.dialogue.history.messages().len());
        let call = ToolCall::new(id, call.tool, call.arguments.to_string());
        (self.handed_over, self.by_driver) = (true, true);
        self.phase = Phase::Batch(Batch::new(AssistantMessage::calls(vec![call])));
    }

    pub(super) fn turn_down(&mut self) {
        let text = phrases::all_right(self.lang).to_owned();
        self.conclude_as(AgentStatus::Success, text, FinishReason::Done);
    }

    /// The tool of the flow that waits is called once more, with nothing new.
    pub(super) fn steer(&mut self) {
        let Some(tool) = self.dialogue.waiting_tool().map(str::to_owned) else {
            return self.repeat();
        };
        let id = format!("steer_{}", self.dialogue.history.messages().len());
        let call = ToolCall::new(id, tool, "{}");
        self.phase = Phase::Batch(Batch::new(AssistantMessage::calls(vec![call])));
    }

    pub(super) fn repeat(&mut self) {
        self.finish_waiting(String::new());
    }
}
