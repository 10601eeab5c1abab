//! Finding, keeping and closing a speaker's conversation.

use super::{Inner, Utterance};
use crate::notices::LeftOpen;
use crate::runner::Progress;
use incar_core::turn::{Dialogue, Ending};
use incar_core::{
    CallShape, ErrorInfo, ErrorKind, Lang, Lease, Owner, PREFERENCES_SHELF, Preference, Preferences, SessionId,
    SessionRecord, Speaker, Stage, StoreError,
};
use incar_sessions::{Memory, new_session_id};

/// What a store has for an utterance.
#[derive(Debug)]
pub(super) enum Found {
    /// A conversation that waits, claimed.
    Waiting(Lease, Box<Dialogue>),
    /// The session that was named has expired.
    Expired(SessionId),
    /// Nothing waits.
    Nothing {
        /// What did until it expired.
        expired: Option<SessionId>,
    },
}

/// What a claim by an utterance comes to.
#[derive(Debug)]
pub(super) enum Claimed {
    /// What the utterance meets.
    Found(Found),
    /// A turn that was interrupted on its way; it comes first.
    Interrupted(Lease),
}

pub(super) fn busy(lang: Lang) -> ErrorInfo {
    let message = lang.pick(
        "上一句还在处理，请稍等。",
        "I'm still working on your last request. One moment, please.",
    );
    ErrorInfo::new(ErrorKind::Busy, message).retryable()
}

pub(super) fn store_failed(error: &StoreError, lang: Lang) -> ErrorInfo {
    tracing::error!(%error, "the session store failed");
    let message = lang.pick("抱歉，对话没能保存。", "Sorry, I couldn't keep our conversation.");
    ErrorInfo::new(ErrorKind::Store, message).retryable()
}

pub(super) fn unreadable(lang: Lang) -> ErrorInfo {
    let message = lang.pick(
        "抱歉，刚才的对话没法继续了。",
        "Sorry, I can't go on with that conversation.",
    );
    ErrorInfo::new(ErrorKind::Internal, message)
}

fn unknown_session(lang: Lang) -> ErrorInfo {
    let message = lang.pick("这段对话已经结束了。", "That conversation is over.");
    ErrorInfo::new(ErrorKind::UnknownSession, message)
}

impl Inner {
    pub(super) async fn find(&self, utterance: &Utterance, owner: &Owner) -> Result<Claimed, ErrorInfo> {
        let lang = utterance.lang;
        let named = utterance.session_id.is_some();
        let id: SessionId = match &utterance.session_id {
            Some(id) => id.as_str().into(),
            None => match self
                .store
                .waiting(owner)
                .await
                .map_err(|error| store_failed(&error, lang))?
            {
                Some(id) => id,
                None => return Ok(Claimed::Found(Found::Nothing { expired: None })),
            },
        };
        let lease = match self.store.claim(&id, owner, self.runner.clock.now()).await {
            Ok(lease) => lease,
            Err(StoreError::Expired) if named => return Ok(Claimed::Found(Found::Expired(id))),
            Err(StoreError::Expired) => return Ok(Claimed::Found(Found::Nothing { expired: Some(id) })),
            Err(StoreError::Unknown) if named => return Err(unknown_session(lang)),
            Err(StoreError::Unknown) => return Ok(Claimed::Found(Found::Nothing { expired: None })),
            Err(StoreError::Busy) => return Err(busy(lang)),
            Err(error) => return Err(store_failed(&error, lang)),
        };
        self.notices.unwatch(&id);
        if lease.record.stage == Stage::UnderWay {
            return Ok(Claimed::Interrupted(lease));
        }
        match Dialogue::from_json(&lease.record.state) {
            Ok(mut dialogue) => {
                dialogue.expire(self.runner.clock.now(), self.settings.wait);
                Ok(Claimed::Found(Found::Waiting(lease, Box::new(dialogue))))
            }
            Err(error) => {
                // It stays where it is: a version that can read it may still save it.
                tracing::error!(%error, "a saved conversation cannot be read");
                self.store
                    .release(lease)
                    .await
                    .map_err(|error| store_failed(&error, lang))?;
                Err(unreadable(lang))
            }
        }
    }

    /// Saves a conversation that waits, closes one that does not; what was said is remembered.
    pub(super) async fn keep(
        &self,
        progress: Progress<'_>,
        utterance: &Utterance,
        mut dialogue: Dialogue,
        ending: &Ending,
        offers: Vec<CallShape>,
    ) -> Result<Option<(SessionId, Dialogue)>, StoreError> {
        let (owner, now) = (utterance.speaker.owner(), self.runner.clock.now());
        let (lease, giving_back) = progress.into_lease();
        let Some(question) = ending.prompt.as_deref().filter(|_| dialogue.open_question().is_some()) else {
            if let Some(lease) = lease {
                self.store.close(lease).await?;
            }
            giving_back.done();
            let mut history = dialogue.into_history();
            history.keep_last(self.settings.remembered);
            history.forget_contexts();
            let memory = Memory::from(history).offering(offers);
            self.memory.remember(&owner, memory, now);
            return Ok(None);
        };
        dialogue.keep_last(self.settings.conversation);
        let state = dialogue
            .to_json()
            .map_err(|error| StoreError::Backend(error.to_string()))?;
        let flow_wait = self.runner.flows.wait(&dialogue, self.settings.flow_wait);
        let expires_at = now.plus(flow_wait.unwrap_or(self.settings.wait));
        let id = match lease {
            Some(lease) => {
                let id = lease.record.id.clone();
                self.store.put_back(lease, expires_at, state.into()).await?;
                id
            }
            None => {
                let id = new_session_id();
                self.store
                    .insert(SessionRecord::new(id.clone(), owner, expires_at, state))
                    .await?;
                id
            }
        };
        giving_back.done();
        self.notices.watch(LeftOpen {
            session: id.clone(),
            speaker: utterance.speaker.clone(),
            lang: utterance.lang,
            question: question.into(),
            until: expires_at,
        });
        Ok(Some((id, dialogue)))
    }

    /// What the speaker prefers. A store that fails is no reason not to serve an utterance: the
    /// driver is asked then.
    pub(super) async fn preferences(&self, speaker: &Speaker) -> Preferences {
        let Some(records) = &self.records else {
            return Preferences::default();
        };
        match records.list(&speaker.holder(), PREFERENCES_SHELF).await {
            // The latest wish counts.
            Ok(all) => Preferences::new(all.into_iter().rev().filter_map(Preference::from_record).collect()),
            Err(error) => {
                tracing::error!(%error, "the preferences cannot be read");
                Preferences::default()
            }
        }
    }

    /// Forgets all that a speaker said and did.
    pub(super) async fn forget(&self, speaker: &Speaker) -> Result<(), StoreError> {
        let owner = speaker.owner();
        let place = self.lanes.enter_idle(&owner).await;
        let _place = place.map_err(|_crowded| StoreError::Busy)?;
        drop(self.orphans.take(&owner));
        self.ended.forget(&owner);
        self.memory.forget(&owner);
        self.notices.forget(&owner);
        self.requests.forget(&owner);
        if let Some(jobs) = &self.research {
            jobs.forget(&owner).await?;
        }
        self.store.forget(&owner).await?;
        if let Some(records) = &self.records {
            records.forget(&speaker.holder()).await?;
        }
        let forgotten = self.runner.journal.forget(&owner).await;
        forgotten.map_err(|error| StoreError::Backend(error.to_string()))
    }
}
