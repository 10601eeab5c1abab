//! Turns that were interrupted, by the death of their process or of their future.

use super::session::{Claimed, Found, busy, store_failed, unreadable};
use super::{Inner, Interrupt, Utterance};
use crate::runner::{Origin, Progress, Ran, SavedTurn, TurnScope, deadline};
use crate::stream::Events;
use crate::telemetry::Invocation;
use incar_core::turn::Unbegun;
use incar_core::{
    AgentResponse, ErrorInfo, Lang, Lease, Owner, Preferences, Speaker, StoreError, Timestamp, json_fault,
};
use std::time::Instant;
use tracing::Instrument;

/// An interrupted turn that was brought to its end.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Recovered {
    /// Who is to hear of it.
    pub speaker: Speaker,
    /// What came of it, as if it was the answer to the utterance then.
    pub response: AgentResponse,
}

impl Inner {
    /// Brings every interrupted turn to its end.
    pub(super) async fn recover(&self) -> Result<Vec<Recovered>, StoreError> {
        let Some(checkpoints) = self.store.checkpoints() else {
            return Ok(Vec::new());
        };
        let mut recovered = Vec::new();
        for lease in checkpoints.interrupted(self.runner.clock.now()).await? {
            let owner = lease.record.owner.clone();
            let Ok(_place) = self.lanes.enter_idle(&owner).await else {
                // The speaker was faster: their utterance takes it up.
                self.store.release(lease).await?;
                continue;
            };
            // What cannot be taken up is logged, and is no reason to leave the others lying.
            if let Ok(turn) = self.take_up(lease, None, Lang::default()).await {
                recovered.push(turn);
            }
        }
        Ok(recovered)
    }

    /// What an utterance meets, once the speaker's interrupted turns have come to their end; and what
    /// came of those, whether or not anything is found.
    pub(super) async fn find_after_recovery(
        &self,
        utterance: &Utterance,
        owner: &Owner,
    ) -> Result<(Vec<Recovered>, Result<Found, ErrorInfo>), ErrorInfo> {
        let unbegun = self.release_orphans(owner, utterance.lang).await?;
        let mut recovered = Vec::new();
        loop {
            match self.find(utterance, owner).await {
                Ok(Claimed::Interrupted(lease)) => recovered.push(self.take_up(lease, unbegun, utterance.lang).await?),
                Ok(Claimed::Found(found)) => return Ok((recovered, Ok(found))),
                Err(error) => return Ok((recovered, Err(error))),
            }
        }
    }

    /// Gives back what dropped turns of `owner` held; where there were any, what becomes of their calls.
    async fn release_orphans(&self, owner: &Owner, lang: Lang) -> Result<Option<Unbegun>, ErrorInfo> {
        let orphans = self.orphans.take(owner);
        // Whoever dropped the turn does not want it done any more.
        let unbegun = (!orphans.is_empty()).then_some(Unbegun::Cancel);
        for lease in orphans {
            match self.store.release(lease).await {
                Ok(()) | Err(StoreError::Lost) => {}
                Err(StoreError::Busy) => return Err(busy(lang)),
                Err(error) => return Err(store_failed(&error, lang)),
            }
        }
        Ok(unbegun)
    }

    /// Brings one interrupted turn to its end. `unbegun` says what becomes of calls that had not
    /// begun; by default they run for as long as the wish is fresh.
    pub(super) async fn take_up(
        &self,
        lease: Lease,
        unbegun: Option<Unbegun>,
        lang: Lang,
    ) -> Result<Recovered, ErrorInfo> {
        let (started, now) = (Instant::now(), self.runner.clock.now());
        let saved: SavedTurn<'_> = match serde_json::from_str(&lease.record.state) {
            Ok(saved) => saved,
            Err(error) => {
                tracing::error!(error = json_fault(&error), "a saved turn cannot be read");
                return Err(self.put_aside(lease, now, lang).await);
            }
        };
        let unbegun = unbegun.unwrap_or(if now.since(saved.at) < self.settings.take_up_within {
            Unbegun::Run
        } else {
            Unbegun::Cancel
        });
        let mut turn = saved.turn.into_owned();
        turn.take_up(unbegun);
        let utterance = Utterance::new(saved.utterance)
            .by(saved.speaker.into_owned())
            .in_lang(turn.lang());
        let turn_id = turn.id().to_owned();
        tracing::warn!(turn = turn_id, ?unbegun, "an interrupted turn is taken up");
        let invocation = Invocation::begin(&turn_id, &utterance, self.runner.traced);
        let mut progress = self.progress(&utterance, Some(lease));
        let scope = TurnScope {
            turn: &turn_id,
            system: "",
            tools: &self.tools,
            speaker: &utterance.speaker,
            preferences: &Preferences::default(),
            lang: utterance.lang,
            utterance: &utterance.text,
            steer: None,
            events: &Events::none(),
            // Nobody talks over what was begun long ago.
            interrupt: &Interrupt::default(),
            deadline: deadline(self.settings.deadline),
            origin: Origin::Interrupted(unbegun),
        };
        let running = Box::pin(self.runner.run(turn, scope, &mut progress, started));
        let Ran {
            dialogue,
            ending,
            timings,
            model,
        } = running.instrument(invocation.span.clone()).await;
        let kept = self.keep(progress, &utterance, dialogue, &ending, Vec::new()).await;
        let kept = kept.map_err(|error| store_failed(&error, utterance.lang))?;
        let response = self.respond(&turn_id, &utterance, ending, timings, model, kept);
        invocation.ended(&response);
        self.tally.ended(&response);
        let speaker = utterance.speaker;
        Ok(Recovered { speaker, response })
    }

    /// A turn that cannot be read stays where it is for as long as a wait would: a version that can
    /// read it may still save it.
    async fn put_aside(&self, lease: Lease, now: Timestamp, lang: Lang) -> ErrorInfo {
        let done = if now < lease.record.expires_at {
            self.store.release(lease).await
        } else {
            self.store.close(lease).await
        };
        match done {
            Ok(()) => unreadable(lang),
            Err(error) => store_failed(&error, lang),
        }
    }

    pub(super) fn progress<'a>(&'a self, utterance: &'a Utterance, lease: Option<Lease>) -> Progress<'a> {
        Progress::new(
            &*self.store,
            &self.orphans,
            &utterance.speaker,
            &utterance.text,
            self.settings.wait,
            lease,
        )
    }
}

/// What the driver hears first when an utterance finds an interrupted turn: what came of that. A
/// question of it is asked again at the end anyway.
pub(super) fn told_first(recovered: &[Recovered], message: &mut String) {
    for Recovered { response, .. } in recovered.iter().rev() {
        let said = response.message.as_str();
        let question = response.prompt.as_deref().unwrap_or_default();
        let said = said.strip_suffix(question).unwrap_or(said).trim();
        let space = if said.is_ascii() && !said.is_empty() { " " } else { "" };
        *message = format!("{said}{space}{message}");
    }
}
