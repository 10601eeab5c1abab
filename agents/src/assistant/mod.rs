//! The Assistant: one entry for every utterance.

mod barge_in;
mod builder;
mod decide;
mod ended;
mod lanes;
mod outside;
mod recovery;
mod requests;
mod research;
mod respond;
mod session;
mod settings;
mod shortlist;
mod unasked;
mod utterance;

pub use barge_in::BargeIn;
pub use builder::{AssistantBuilder, BuildError};
pub use lanes::DoubleText;
pub(crate) use lanes::Interrupt;
pub use outside::{OutsideAnswer, OutsideCall, OutsideConsent, OutsideState};
pub use recovery::Recovered;
pub use settings::{BackChannel, Holding, Settings};
pub use utterance::{Over, Utterance};

use crate::agent::ToolAgentBase;
use crate::counters::Tally;
use crate::jobs::{JobsOwner, job_of};
use crate::notices::NoticeOwner;
use crate::runner::{Origin, Orphans, Progress, Ran, TurnRunner, TurnScope, deadline};
use crate::stream::{Events, TurnStream, spoken_lang};
use crate::telemetry::Invocation;
use barge_in::{keep_heard_so_far, last_words};
use decide::{Decided, in_language_of};
use ended::{Ended, EndedTurns, Kept};
use incar_core::turn::{Consent, Dialogue, Opening, Turn, TurnSettings};
use incar_core::{
    AgentResponse, AgentStatus, CabinContext, ErrorInfo, ErrorKind, ExpectsReply, FinishReason, Lang, Owner,
    RecordStore, SessionId, SessionStore, Speaker, Timings, ToolRegistry, ToolRouter, ToolSet, TurnEvent,
};
use incar_sessions::ShortTermMemory;
use incar_text::speakable;
use lanes::{Lanes, Serving};
use recovery::told_first;
use requests::{Requests, Turned};
use respond::expired_response;
use session::Found;
use shortlist::{Offer, Shortlists};
use std::borrow::Cow;
use std::sync::Arc;
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

#[derive(Debug)]
pub(crate) struct Inner {
    runner: TurnRunner,
    agents: Vec<Arc<dyn ToolAgentBase>>,
    tools: ToolSet,
    /// System prompt and estimated tokens of prompt and tools, Chinese and English.
    prompts: [(String, u64); 2],
    store: Arc<dyn SessionStore>,
    /// Claims of turns that were dropped on their way.
    orphans: Orphans,
    memory: ShortTermMemory,
    context: Option<Arc<dyn CabinContext>>,
    router: Option<Arc<dyn ToolRouter>>,
    records: Option<Arc<dyn RecordStore>>,
    shortlists: Shortlists,
    /// Calls from outside that wait for a yes, and what came of them.
    requests: Requests,
    settings: Settings,
    notices: NoticeOwner,
    /// What is looked into in the background, where somebody does.
    research: Option<JobsOwner>,
    tally: Tally,
    /// Speakers whose utterance is being served.
    lanes: Lanes,
    /// Turns whose replies may still be spoken.
    ended: EndedTurns,
}

/// The voice assistant of a car, or of many: hand it every utterance.
///
/// Cloning it is cheap; the clones are one assistant.
#[derive(Debug, Clone)]
pub struct Assistant {
    inner: Arc<Inner>,
}

impl Assistant {
    /// Starts to put one together.
    pub fn builder() -> AssistantBuilder {
        AssistantBuilder::default()
    }

    /// Serves one utterance. It never fails: what goes wrong is a response of status ERROR.
    ///
    /// Needs a tokio runtime with time enabled. Dropping the future cancels the turn; an effect
    /// that was under way is then in the journal without an outcome.
    pub async fn handle(&self, utterance: Utterance) -> AgentResponse {
        self.inner.handle(Uuid::new_v4(), utterance, &Events::none()).await
    }

    /// Serves one utterance and tells what happens as it happens. The turn runs to its end whether
    /// or not anyone reads; the last event is [`TurnEvent::Done`] with the response.
    ///
    /// Must be called within a tokio runtime.
    pub fn handle_streaming(&self, utterance: Utterance) -> TurnStream {
        let turn = Uuid::new_v4();
        let (events, stream) = Events::channel(turn, utterance.lang);
        let inner = self.inner.clone();
        let served = async move {
            let response = inner.handle(turn, utterance, &events).await;
            events.send(|| TurnEvent::Done {
                response: Box::new(response),
            });
        };
        tokio::spawn(served.in_current_span());
        stream
    }

    /// The speaker talks over a turn: whatever is on its way of it stops, and the conversation keeps
    /// what was heard. Call it as soon as the voice stops, with the id of the turn
    /// ([`TurnStream::turn_id`], [`AgentResponse::turn_id`]) and with what the voice had spoken of it: the
    /// sentences so far, in order, and the beginning of the one that was cut. A beginning of the message
    /// does as well.
    ///
    /// - **On its way**: its model is not listened to any more (the connection is closed), calls that may
    ///   be dropped are, those that run to their end do and their results stay in the conversation, and
    ///   nothing else begins. No sentence of it comes from its stream once this returns.
    /// - **Over, while the voice still speaks its reply**: of the reply the conversation keeps what was
    ///   heard, marked as cut off. A question that was not heard to its end stays open, and a yes is no
    ///   answer to it: the question is asked again first. An offer that was not heard is dropped.
    ///
    /// What was done stays done. The next utterance finds the truth.
    ///
    /// ```
    /// # async fn example(assistant: &incar_agents::Assistant, turn_id: &str) -> Result<(), incar_core::StoreError> {
    /// use incar_agents::BargeIn;
    /// if assistant.interrupt(turn_id, "It will be sunny in the").await? == BargeIn::Unknown {
    ///     // Too late: the speaker's next turn answers to the whole reply.
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Where the store fails that keeps the conversation.
    pub async fn interrupt(&self, turn_id: &str, spoken: &str) -> Result<BargeIn, incar_core::StoreError> {
        self.inner.interrupt(turn_id, spoken).await
    }

    /// The agents.
    pub fn agents(&self) -> &[Arc<dyn ToolAgentBase>] {
        &self.inner.agents
    }

    /// The tools.
    pub fn tools(&self) -> &ToolRegistry {
        &self.inner.runner.registry
    }

    /// The tools that are offered to the model.
    pub fn offered(&self) -> &ToolSet {
        &self.inner.tools
    }

    /// The name of the model.
    pub fn model_name(&self) -> &str {
        self.inner.runner.model.name()
    }

    /// The sessions that wait for a speaker, newest first.
    ///
    /// # Errors
    /// Where the store fails.
    pub async fn sessions(&self, speaker: &Speaker) -> Result<Vec<SessionId>, incar_core::StoreError> {
        let all = self.inner.store.list(&speaker.owner()).await?;
        Ok(all.into_iter().map(|(id, _)| id).collect())
    }

    /// Brings the turns to their end in whose middle a process died, and says what came of them, to
    /// be spoken. Call it once the services are there, before the first utterance. Without it, each is
    /// taken up by its speaker's next utterance; with a store that does not outlive the process there
    /// are none.
    ///
    /// Calls that were done are not done again. One in doubt is repeated under its idempotency key
    /// where its effect is `set` and the wish is fresh ([`Settings::take_up_within`]); else the driver
    /// is told that its outcome is unknown. No model is asked.
    ///
    /// # Errors
    /// Where the store fails.
    pub async fn recover(&self) -> Result<Vec<Recovered>, incar_core::StoreError> {
        self.inner.recover().await
    }

    /// Forgets a speaker: open questions, short-term memory, what the journal has of the seat, and
    /// lasting facts of the person (of the seat where the person is not known).
    ///
    /// # Errors
    /// [`StoreError::Busy`](incar_core::StoreError::Busy) while an utterance of the speaker is being
    /// served, else where a store fails; then some of it may be left.
    pub async fn forget(&self, speaker: &Speaker) -> Result<(), incar_core::StoreError> {
        self.inner.forget(speaker).await
    }
}

impl Inner {
    async fn handle(&self, turn: Uuid, utterance: Utterance, events: &Events) -> AgentResponse {
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
        let mut decided = self.decided(&utterance.text, &dialogue, offers.first().cloned());
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
        let mut said = match again {
            true => Wording::Again,
            false if last_words(&dialogue) == ending.message => Wording::LastWords,
            false => Wording::Among,
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
