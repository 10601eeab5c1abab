//! What the assistant has of work in the background: its answers become part of the conversation, and what they propose is
//! offered, one call at a time.

use super::lanes::Serving;
use super::{Assistant, DoubleText, Inner};
use crate::jobs::{ResearchStatus, STATUS, Told, told_by};
use crate::stream::Events;
use incar_core::turn::{Dialogue, Ending};
use incar_core::{
    AgentStatus, AssistantMessage, CallShape, ExpectsReply, History, Job, Lang, Outcome, Owner, ResearchFindings,
    Speaker, StoreError, ToolCall, ToolMessage, join_sentences,
};
use incar_sessions::Memory;
use serde_json::json;
use std::sync::Arc;
use uuid::Uuid;

impl Assistant {
    /// A notice was spoken to its end. Where it told the answer of a job, that is part of the conversation from here on:
    /// what the speaker says next may be about it, and a yes makes the call that it offered. Without this a yes is no answer
    /// to what nobody may have heard. Ids of other notices are ignored.
    pub async fn heard(&self, notice_id: &str) {
        self.inner.heard(notice_id).await;
    }

    /// How the newest background job of a speaker stands; `None` where there is none that is known.
    pub fn research(&self, speaker: &Speaker) -> Option<ResearchStatus> {
        self.inner.research.as_ref()?.status(&speaker.owner())
    }

    /// Takes up the background jobs of `car` that a process left which died: what was found is told, what can go on does
    /// ([`ResearchProgress::run`](incar_core::ResearchProgress::run)), and the rest is told to be lost. Call it once when the process starts, where
    /// no other one serves this car. Without [records](crate::AssistantBuilder::with_records) that outlive the process there
    /// are none. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// Where the store fails.
    pub async fn resume_research(&self, car: &str) -> Result<Vec<Job>, StoreError> {
        match &self.inner.research {
            Some(jobs) => jobs.resume(car).await,
            None => Ok(Vec::new()),
        }
    }
}

impl Inner {
    async fn heard(&self, notice_id: &str) {
        let Some(jobs) = &self.research else { return };
        let Some((owner, told)) = jobs.heard(notice_id).await else {
            return;
        };
        // After the turn that is on its way, which would not know of it.
        let nobody = Serving::new(Uuid::nil(), "", &Events::none());
        let place = self.lanes.enter(&owner, nobody, DoubleText::Enqueue, None, |_| false);
        let Ok(_place) = place.await else { return };
        self.remember_answer(&owner, notice_id, &told, &jobs.in_words(&told))
            .await;
    }

    /// Puts an answer that came unasked into what is remembered of the conversation.
    async fn remember_answer(&self, owner: &Owner, job: &str, told: &Told, words: &str) {
        // Where a question is open, an answer is an answer to that.
        if !matches!(self.store.waiting(owner).await, Ok(None)) {
            return;
        }
        let now = self.runner.clock.now();
        let mut history = self.memory.recall(owner, now).history;
        history.user(told.question.as_str());
        if let Err(error) = tell(&mut history, job, told, words) {
            tracing::error!(%error, "an answer could not be remembered");
            return;
        }
        let memory = Memory::from(history).offering(told.findings.actions.iter().cloned());
        self.memory.remember(owner, memory, now);
    }

    /// What a job found, where this turn told it.
    pub(super) fn found_by(&self, ending: &Ending) -> Option<Arc<ResearchFindings>> {
        let id = told_by(&ending.calls)?;
        let (_, told) = self.research.as_ref()?.found(id)?;
        Some(told.findings)
    }

    /// Ends the turn with the first of these offers, unless it ended with a question or in an error; whether it does.
    pub(super) fn puts_offer(
        &self,
        offers: &[CallShape],
        dialogue: &mut Dialogue,
        ending: &mut Ending,
        lang: Lang,
    ) -> bool {
        let ended_well = matches!(ending.status, AgentStatus::Success | AgentStatus::Completed);
        let free = ended_well && dialogue.open_question().is_none();
        let offer = offers.first().filter(|_| free);
        let question = offer.and_then(|call| self.research.as_ref()?.question_about(call, lang));
        let Some(question) = question else { return false };
        ending.message = join_sentences([ending.message.as_str(), question.as_str()]);
        ending.expects = ExpectsReply::Optional;
        dialogue.say_more(&question);
        true
    }
}

/// The answer as the conversation keeps it: as what the tool that tells it would have given, so that a model sees that the
/// text is from outside, and guards where the values of the offered calls come from.
fn tell(history: &mut History, job: &str, told: &Told, words: &str) -> Result<(), incar_core::HistoryError> {
    let call = ToolCall::new(format!("told_{job}"), STATUS, "{}");
    let findings = json!({"answer": told.findings.spoken, "proposed": told.findings.actions});
    let mut result = ToolMessage::new(&call, findings.to_string(), Outcome::Ok);
    result.untrusted = true;
    history.exchange(AssistantMessage::calls(vec![call]), vec![result])?;
    history.reply(AssistantMessage::text(words))
}
