//! Talking over the assistant: what it does then, and what of its reply was heard.

use super::ended::{Ended, Kept, Said};
use super::{BackChannel, Inner, Over, Utterance};
use crate::act::is_back_channel;
use crate::runner::{GivingBack, without_holding};
use crate::stream::spoken_lang;
use incar_core::turn::Dialogue;
use incar_core::{AgentResponse, AgentStatus, FinishReason, Lang, Lease, Stage, StoreError};
use incar_sessions::Memory;
use incar_text::{Heard, heard_of};
use uuid::Uuid;

/// What came of interrupting a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BargeIn {
    /// The turn was on its way: it stops, and ends with the finish reason `interrupted`.
    Stopped,
    /// The turn was over: of its reply the conversation keeps what was heard.
    CutShort,
    /// The turn was over and its reply was heard to its end, or is not kept: nothing changed.
    Unchanged,
    /// The turn is not known, waits for the one before it, was interrupted already, or the speaker's next
    /// one has begun: that one answers to the whole reply. Nothing changed.
    Unknown,
}

/// What the id of a turn says; nothing where it is none.
pub(super) fn turn_of(id: &str) -> Option<Uuid> {
    Uuid::try_parse(id).ok()
}

impl Inner {
    pub(super) async fn interrupt(&self, turn: &str, spoken: &str) -> Result<BargeIn, StoreError> {
        let Some(turn) = turn_of(turn) else {
            return Ok(BargeIn::Unknown);
        };
        if self.lanes.interrupt(turn, spoken) {
            return Ok(BargeIn::Stopped);
        }
        let Some(owner) = self.ended.with(turn, |ended| ended.owner.clone()) else {
            return Ok(BargeIn::Unknown);
        };
        // Nothing else is done with the conversation meanwhile.
        let Ok(_place) = self.lanes.enter_idle(&owner).await else {
            return Ok(BargeIn::Unknown);
        };
        match self.ended.take(turn) {
            Some(ended) => self.cut_short(&ended, spoken).await,
            None => Ok(BargeIn::Unknown),
        }
    }

    /// The response to an utterance that only says "I am listening" while the assistant speaks.
    pub(super) fn back_channel(&self, turn_id: &str, utterance: &Utterance) -> Option<AgentResponse> {
        let over = utterance.over.as_ref()?;
        let ignored = match self.settings.back_channel {
            BackChannel::Ignored => is_back_channel(&utterance.text) && !self.is_answer(over),
            BackChannel::Served => false,
        };
        ignored.then(|| {
            let text = utterance.text.as_str();
            AgentResponse::new(turn_id, text, AgentStatus::Success, FinishReason::Declined)
        })
    }

    /// Whether what is said over a turn answers it: a question that was heard to its end.
    fn is_answer(&self, over: &Over) -> bool {
        let heard = |ended: &Ended| {
            let message = ended.message.as_deref().unwrap_or_default();
            ended.asks && matches!(hear(message, &over.spoken, ended.lang), Heard::Whole { .. })
        };
        over.spoken_of().and_then(|(turn, _)| self.ended.with(turn, heard)) == Some(true)
    }

    /// Keeps of the reply of a turn that is over what was heard. The speaker's lane must be held.
    pub(super) async fn cut_short(&self, ended: &Ended, spoken: &str) -> Result<BargeIn, StoreError> {
        if let Some(unread) = ended.unread.upgrade() {
            unread.silence();
        }
        let now = self.runner.clock.now();
        match &ended.kept {
            Kept::Nowhere => Ok(BargeIn::Unchanged),
            Kept::Memory => {
                let memory = self.memory.recall(&ended.owner, now);
                let mut dialogue = Dialogue::new(memory.history);
                let cut = keep_heard(&mut dialogue, ended.said(), spoken, ended.lang);
                if cut == BargeIn::CutShort {
                    // What was not heard cannot be accepted.
                    let memory = Memory::from(dialogue.into_history());
                    self.memory.remember(&ended.owner, memory, now);
                    self.tally.cut_off();
                }
                Ok(cut)
            }
            Kept::Session(id) => {
                let lease = match self.store.claim(id, &ended.owner, now).await {
                    Ok(lease) => lease,
                    Err(StoreError::Expired | StoreError::Unknown) => return Ok(BargeIn::Unchanged),
                    Err(error) => return Err(error),
                };
                let giving_back = GivingBack::new(&self.orphans, &lease);
                let cut = self.cut_short_claimed(lease, ended, spoken).await?;
                giving_back.done();
                if cut == BargeIn::CutShort {
                    self.tally.cut_off();
                }
                Ok(cut)
            }
        }
    }

    /// The same for a conversation that waits. A turn on its way, and a newer version's, is not changed.
    async fn cut_short_claimed(&self, lease: Lease, ended: &Ended, spoken: &str) -> Result<BargeIn, StoreError> {
        let waits = lease.record.stage == Stage::Waiting;
        let dialogue = waits.then(|| Dialogue::from_json(&lease.record.state));
        let mut cut = BargeIn::Unchanged;
        let mut shorter = None;
        if let Some(Ok(mut dialogue)) = dialogue {
            cut = keep_heard(&mut dialogue, ended.said(), spoken, ended.lang);
            shorter = (cut == BargeIn::CutShort).then(|| dialogue.to_json());
        }
        let expires_at = lease.record.expires_at;
        match shorter {
            None => self.store.release(lease).await?,
            Some(Ok(state)) => self.store.put_back(lease, expires_at, state.into()).await?,
            Some(Err(error)) => {
                self.store.release(lease).await?;
                return Err(StoreError::Backend(error.to_string()));
            }
        }
        Ok(cut)
    }
}

/// The words of the last reply: its text, or the question that it is.
pub(super) fn last_words(dialogue: &Dialogue) -> &str {
    let said = dialogue.last_reply().map_or("", |(_, reply)| reply.content.as_str());
    if said.is_empty() {
        dialogue.prompt().unwrap_or_default()
    } else {
        said
    }
}

/// How much of `text` was heard. A word that held the speaker on is no part of it.
fn hear(text: &str, spoken: &str, lang: Lang) -> Heard {
    match heard_of(text, spoken, spoken_lang(lang)) {
        Heard::Other => heard_of(text, without_holding(spoken), spoken_lang(lang)),
        heard => heard,
    }
}

/// Keeps of what was said since the last utterance only what was heard, by what the voice had spoken:
/// what the model said beside its calls, and the message. An open question that was not heard to its end
/// is marked so.
pub(super) fn keep_heard(dialogue: &mut Dialogue, said: Said<'_>, spoken: &str, lang: Lang) -> BargeIn {
    let message = match said {
        Said::LastWords => last_words(dialogue),
        Said::Message(message) | Said::Again(message) => message,
    };
    let message = message.to_owned();
    let replies: Vec<(usize, String)> = match said {
        Said::LastWords | Said::Message(_) => dialogue
            .replies()
            .map(|(at, reply)| (at, reply.content.clone()))
            .collect(),
        // What stands in the conversation was heard before.
        Said::Again(_) => Vec::new(),
    };
    let last = replies.last().map(|(at, _)| *at);
    let mut rest = spoken;
    // Whether the voice came to an end before what follows.
    let mut silent = false;
    for (at, text) in &replies {
        let is_message = Some(*at) == last && (text.is_empty() || message.contains(text.as_str()));
        if is_message || text.is_empty() {
            continue;
        }
        let heard = if silent { Heard::Part(0) } else { hear(text, rest, lang) };
        match heard {
            Heard::Whole { then } => rest = rest.get(then..).unwrap_or_default(),
            Heard::Part(cut) => {
                dialogue.cut(*at, kept(text, cut));
                silent = true;
            }
            // A host that does not count it among what was spoken.
            Heard::Other => {}
        }
    }
    let heard = if silent {
        Heard::Part(0)
    } else {
        hear(&message, rest, lang)
    };
    if let Heard::Whole { .. } = heard {
        return BargeIn::Unchanged;
    }
    if dialogue.prompt().is_some_and(|prompt| message.contains(prompt)) {
        dialogue.leave_unheard();
    }
    let reply = replies
        .last()
        .filter(|(at, text)| Some(*at) == last && message.contains(text.as_str()));
    if let Some((at, text)) = reply {
        let from = message.find(text.as_str()).unwrap_or_default();
        let heard = match heard {
            Heard::Part(cut) => kept(text, cut.saturating_sub(from)),
            // The voice says it in words of its own: those are what was heard.
            Heard::Other | Heard::Whole { .. } => rest.trim().chars().take(super::utterance::LONGEST).collect(),
        };
        dialogue.cut(*at, heard);
    }
    BargeIn::CutShort
}

/// Of a turn that was talked over on its way: keeps what was heard of what the model had said by then.
pub(super) fn keep_heard_so_far(dialogue: &mut Dialogue, spoken: &str, lang: Lang) {
    let on_its_way = dialogue.last_reply().filter(|(_, reply)| reply.interrupted);
    let message = on_its_way.map_or_else(String::new, |(_, reply)| reply.content.clone());
    keep_heard(dialogue, Said::Message(&message), spoken, lang);
}

/// The first `cut` bytes of `text`; all of it where that is more.
fn kept(text: &str, cut: usize) -> String {
    text.get(..cut).unwrap_or(text).trim_end().to_owned()
}
