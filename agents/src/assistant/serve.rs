//! The way of an utterance through the assistant: from its lane to its response.

use super::Inner;
use super::barge_in::{keep_heard_so_far, last_words};
use super::decide::{Decided, in_language_of};
use super::ended::{Ended, Kept};
use super::lanes::{Interrupt, Serving};
use super::recovery::{Recovered, told_first};
use super::requests::Turned;
use super::respond::expired_response;
use super::session::{self, Found};
use super::shortlist::Offer;
use super::utterance::{self, Over, Utterance};
use crate::jobs::job_of;
use crate::runner::{Origin, Progress, Ran, TurnScope, deadline};
use crate::stream::{Events, spoken_lang};
use crate::telemetry::Invocation;
use incar_core::turn::{Consent, Dialogue, Opening, Turn, TurnSettings};
use incar_core::{
    AgentResponse, AgentStatus, ErrorInfo, ErrorKind, ExpectsReply, FinishReason, Lang, Owner, Timings, TurnEvent,
};
use incar_text::speakable;
use std::borrow::Cow;
use std::time::Instant;
use tracing::Instrument;
use uuid::Uuid;

/// What goes out of a running turn, what reaches into it, and when it was heard.
#[derive(Debug, Clone, Copy)]
struct Line<'a> {
    events: &'a Events,
    interrupt: &'a Interrupt,
    started: Instant,
}

/// A response, and what is known of the conversation once it is given.
#[derive(Debug)]
struct Served {
    response: AgentResponse,
    kept: Kept,
    /// What of the message the conversation has.
    said: Wording,
}

/// How the message stands in the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wording {
    /// As the last reply's own words.
    LastWords,
    /// Beside other words.
    Among,
    /// It was there before.
    Again,
}

impl Served {
    /// A response of which the conversation knows nothing.
    fn apart(response: AgentResponse) -> Self {
        Self {
            response,
            kept: Kept::Nowhere,
            said: Wording::Among,
        }
    }
}

impl Inner {
    pub(super) async fn handle(&self, turn: Uuid, utterance: Utterance, events: &Events) -> AgentResponse {
        let started = Instant::now();
        let turn_id = turn.simple().to_string();
        events.send(|| TurnEvent::Heard {
            turn_id: turn_id.clone(),
            text: utterance.text.clone(),
        });
        if let Some(response) = self.back_channel(&turn_id, &utterance) {
            return response;
        }
        let invocation = Invocation::begin(&turn_id, &utterance, self.runner.traced);
        let serving = self.serve(turn, &turn_id, &utterance, events, started);
        let mut response = match serving.instrument(invocation.span.clone()).await {
            Ok(response) => response,
            Err(error) => {
                // What is no utterance is not repeated: it may be megabytes.
                let text = match error.kind {
                    ErrorKind::InvalidInput => "",
                    _ => utterance.text.as_str(),
                };
                let served = Served::apart(AgentResponse::failed(turn_id, text, error));
                self.note_end(turn, &utterance, &served, events);
                served.response
            }
        };
        if response.timings.total_us == 0 {
            let total = u64::try_from(started.elapsed().as_micros()).unwrap_or(u64::MAX);
            response.timings = Timings::new(total, 0, 0);
        }
        invocation.ended(&response);
        self.tally.ended(&response);
        events.conclude(&response.message);
        if let Some(prompt) = &response.prompt {
            events.send(|| TurnEvent::Question { prompt: prompt.clone() });
        }
        put_into_words(&mut response, utterance.lang);
        response
    }

    /// Serves an utterance once it is its turn; an error where it does not come to that.
    async fn serve(
        &self,
        turn: Uuid,
        turn_id: &str,
        utterance: &Utterance,
        events: &Events,
        started: Instant,
    ) -> Result<AgentResponse, ErrorInfo> {
        let lang = utterance.lang;
        if utterance.text.chars().count() > utterance::LONGEST {
            let message = lang.pick(
                "这句话太长了，请说短一点。",
                "That was too long. Please say it shorter.",
            );
            return Err(ErrorInfo::new(ErrorKind::InvalidInput, message));
        }
        let owner = utterance.speaker.owner();
        let (said, policy) = (utterance.text.as_str(), self.settings.double_text);
        let cuts_off = |serving: &str| self.cuts_off(said, serving, lang);
        let over = utterance.over.as_ref().and_then(Over::spoken_of);
        // Of a turn that goes on all the same the voice will have spoken more.
        let cut_short = over.filter(|(turn, _)| self.ended.with(*turn, |ended| ended.owner == owner) == Some(true));
        let serving = Serving::new(turn, said, events);
        let place = self.lanes.enter(&owner, serving, policy, over, cuts_off).await;
        let place = place.map_err(|_crowded| session::busy(lang))?;
        let line = Line {
            events,
            interrupt: place.interrupt(),
            started,
        };
        if let Some((turn, spoken)) = cut_short
            && let Some(ended) = self.ended.take(turn)
        {
            let cut = self.cut_short(&ended, spoken).await;
            cut.map_err(|error| session::store_failed(&error, lang))?;
        }
        // Boxed: it is large, and a future is moved from hand to hand before it runs.
        let serving = Box::pin(self.serve_in_place(turn_id, utterance, &owner, line));
        let served = match serving.await {
            Ok(served) => served,
            Err(error) => Served::apart(AgentResponse::failed(turn_id, said, error)),
        };
        self.note_end(turn, utterance, &served, events);
        // From here on an interruption finds the turn among those that are over.
        let spoken = place.finish();
        if served.response.data.finish_reason == FinishReason::Interrupted {
            // What was heard of it is kept already.
            self.ended.take(turn);
        } else if let Some(spoken) = spoken
            && let Some(ended) = self.ended.take(turn)
            && let Err(error) = self.cut_short(&ended, &spoken).await
        {
            tracing::error!(%error, "what was heard of a reply could not be kept");
        }
        Ok(served.response)
    }

    async fn serve_in_place(
        &self,
        turn_id: &str,
        utterance: &Utterance,
        owner: &Owner,
        line: Line<'_>,
    ) -> Result<Served, ErrorInfo> {
        let (recovered, found) = self.find_after_recovery(utterance, owner).await?;
        let served = match found {
            Ok(found) => self.serve_found(turn_id, utterance, found, &recovered, line).await,
            Err(error) => Err(error),
        };
        match (served, recovered.last()) {
            // The session that was named ended with the interrupted turn: this came of it.
            (Err(error), Some(last)) if error.kind == ErrorKind::UnknownSession => {
                Ok(Served::apart(last.response.clone()))
            }
            (Ok(mut served), Some(_)) => {
                told_first(&recovered, &mut served.response.message);
                served.said = Wording::Among;
                Ok(served)
            }
            (Ok(served), None) => Ok(served),
            (Err(mut error), _) => {
                told_first(&recovered, &mut error.message);
                Err(error)
            }
        }
    }

    /// The turn is over; its reply may still have to be spoken.
    fn note_end(&self, turn: Uuid, utterance: &Utterance, served: &Served, events: &Events) {
        let response = &served.response;
        let asks = response.expects_reply != ExpectsReply::None;
        let own_words = served.said == Wording::LastWords && !asks;
        self.ended.push(Ended {
            turn,
            owner: utterance.speaker.owner(),
            lang: utterance.lang,
            kept: served.kept.clone(),
            message: (!own_words).then(|| response.message.as_str().into()),
            again: served.said == Wording::Again,
            asks,
            unread: events.queue(),
        });
    }

    async fn serve_found(
        &self,
        turn_id: &str,
        utterance: &Utterance,
        found: Found,
        recovered: &[Recovered],
        line: Line<'_>,
    ) -> Result<Served, ErrorInfo> {
        let (owner, lang) = (utterance.speaker.owner(), utterance.lang);
        let (lease, dialogue, mut offers, expired) = match found {
            Found::Waiting(lease, dialogue) => (Some(lease), *dialogue, Vec::new(), None),
            Found::Expired(session) => {
                self.notices.found_lapsed(self.left_open(session, utterance));
                return Ok(Served::apart(expired_response(turn_id, utterance)));
            }
            Found::Nothing { expired } => {
                let memory = self.memory.recall(&owner, self.runner.clock.now());
                (None, Dialogue::new(memory.history), memory.offers, expired)
            }
        };
        let is_expired = expired.is_some();
        let lapsed = expired.and_then(|session| self.notices.found_lapsed(self.left_open(session, utterance)));
        let was_waiting = lease.is_some();
        let in_its_language = in_language_of(utterance, &dialogue);
        let utterance = in_its_language.as_ref().unwrap_or(utterance);
        let mut decided = self.decided(utterance, &dialogue, offers.first().cloned());
        let unheard = match decided.opening {
            Opening::Consent(Consent::Yes) => dialogue.is_unheard() || !recovered.is_empty(),
            Opening::Consent(Consent::No) => !recovered.is_empty(),
            _ => false,
        };
        if unheard {
            // It is asked before it is answered.
            decided = Opening::Repeat.into();
        }
        let again = decided.opening == Opening::Repeat;
        let mut progress = self.progress(utterance, lease);
        let request = self.requests.next(&owner, &dialogue, self.runner.clock.now());
        if decided.opening == Opening::Repeat && dialogue.open_question().is_none() && request.is_none() {
            let mut response = AgentResponse::new(
                turn_id,
                utterance.text.as_str(),
                AgentStatus::Success,
                FinishReason::Declined,
            );
            response.message = lang.pick("我在，请说。", "I'm listening.").into();
            return Ok(Served::apart(response));
        }
        decided.held = request.as_ref().map(|request| request.held.clone());
        // What was offered is answered, and the next offer is due; or it is not open any more.
        match decided.opening {
            Opening::Accept(_) | Opening::TurnDown => drop(offers.drain(..1)),
            _ => offers.clear(),
        }
        let Ran {
            mut dialogue,
            mut ending,
            timings,
            model,
        } = self
            .turn(turn_id, utterance, dialogue, decided, line, &mut progress)
            .await;
        if ending.finish == FinishReason::Interrupted
            && let Some(spoken) = line.interrupt.spoken()
        {
            keep_heard_so_far(&mut dialogue, &spoken, utterance.lang);
        }
        let mut said = if again {
            Wording::Again
        } else if last_words(&dialogue) == ending.message {
            Wording::LastWords
        } else {
            Wording::Among
        };
        let nothing_done = ending.finish == FinishReason::Declined && ending.calls.is_empty();
        if is_expired && nothing_done {
            // It was no wish of its own: it answered a question that is not open any more.
            return Ok(Served::apart(expired_response(turn_id, utterance)));
        }
        if let Some(open) = lapsed {
            self.notices.tell_lapsed(&open);
        }
        let turned = Turned {
            dialogue: &mut dialogue,
            ending: &mut ending,
            now: self.runner.clock.now(),
            wait: self.settings.wait,
        };
        self.requests.settle(&owner, request, turned);
        let found = self.found_by(&ending);
        if let Some(found) = &found {
            offers.clone_from(&found.actions);
        }
        if self.puts_offer(&offers, &mut dialogue, &mut ending, utterance.lang) {
            said = Wording::Among;
        } else {
            offers = self.offer_of(&ending, utterance).into_iter().collect();
        }
        let (job, offer) = (job_of(&ending.calls), offers.first().cloned());
        let session_id = self
            .keep(progress, utterance, dialogue, &ending, offers)
            .await
            .map_err(|error| session::store_failed(&error, lang))?;
        if session_id.is_some() && !was_waiting {
            self.tally.wait_opened();
        }
        let kept = match &session_id {
            Some((id, _)) => Kept::Session(id.clone()),
            None => Kept::Memory,
        };
        let mut response = self.respond(turn_id, utterance, ending, timings, model, session_id);
        response.data.offer = offer;
        response.data.job = job;
        response.display = found.and_then(|found| found.display.clone());
        Ok(Served { response, kept, said })
    }

    async fn turn(
        &self,
        turn_id: &str,
        utterance: &Utterance,
        dialogue: Dialogue,
        decided: Decided,
        line: Line<'_>,
        progress: &mut Progress<'_>,
    ) -> Ran {
        let lang = utterance.lang;
        let [zh, en] = &self.prompts;
        let (system, overhead) = lang.pick(zh, en);
        let settings = TurnSettings::new(turn_id, lang, self.runner.clock.now())
            .with_limits(self.settings.limits)
            .with_overhead(*overhead)
            .with_held(decided.held);
        let Offer { tools, concerned } = self.offered(&utterance.text, &dialogue, lang);
        line.events.send(|| TurnEvent::Routed {
            agents: self.agents_of(&tools),
        });
        let context = self
            .context
            .as_ref()
            .and_then(|context| context.describe(&utterance.speaker, &concerned));
        let preferences = self.preferences(&utterance.speaker).await;
        let turn = Turn::open(dialogue, decided.opening, utterance.text.trim(), context, settings);
        let scope = TurnScope {
            turn: turn_id,
            system,
            tools: &tools,
            speaker: &utterance.speaker,
            preferences: &preferences,
            lang,
            utterance: &utterance.text,
            steer: decided.steer.as_ref(),
            events: line.events,
            interrupt: line.interrupt,
            deadline: deadline(self.settings.deadline),
            origin: Origin::Utterance,
        };
        Box::pin(self.runner.run(turn, scope, progress, line.started)).await
    }
}

/// What is spoken is in plain words; what was written is shown.
fn put_into_words(response: &mut AgentResponse, lang: Lang) {
    if let Cow::Owned(spoken) = speakable(&response.message, spoken_lang(lang))
        && spoken != response.message
    {
        let written = std::mem::replace(&mut response.message, spoken);
        // What has more to show, such as sources, shows that.
        response.display.get_or_insert(written);
    }
}
