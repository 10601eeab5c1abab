//! Calls that programs outside the car want, such as MCP clients: one call, without a model, through the same
//! resolving, policies and journal as a turn's.

use super::lanes::Serving;
use super::session::busy;
use super::{DoubleText, Inner, Interrupt, Utterance};
use crate::runner::{Origin, Ran, TurnScope, deadline};
use crate::stream::Events;
use incar_core::turn::{Dialogue, Ending, Opening, OutsideWish, Turn, TurnSettings};
use incar_core::{CallShape, ErrorInfo, ErrorKind, History, Lang, Notice, Preferences, Seat, Speaker, ToolCallReport};
use serde_json::Value;
use std::sync::Arc;
use std::time::Instant;
use uuid::Uuid;

/// A call that a program outside the car wants. It has no seat: what goes by who sits where must be said, and
/// policies treat it as the seat that may do least.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct OutsideCall {
    /// Who wants it, in the host's words; never what the program calls itself.
    pub caller: String,
    /// The tool.
    pub tool: String,
    /// Its arguments.
    pub arguments: Value,
    /// Who is asked where a yes is needed. Default: the driver of car `car`.
    pub asks: Speaker,
    /// The language to ask and answer in. Default: Chinese.
    pub lang: Lang,
    /// What needs a yes.
    pub consent: OutsideConsent,
    /// The role that permissions know the program by. Default: none; it counts for every seat then.
    pub role: Option<Arc<str>>,
}

/// Which calls from outside need a yes from somebody in the car.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum OutsideConsent {
    /// All that change something, and those that the policies ask about.
    #[default]
    EachChange,
    /// Those that the policies ask about.
    AsPolicies,
}

/// What a call from outside came to.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum OutsideAnswer {
    /// It ended; what policies added stands before it.
    Ended(Vec<ToolCallReport>),
    /// It waits for a yes in the car.
    Waits {
        /// By which its outcome is asked for.
        id: String,
        /// What will be asked.
        question: String,
    },
    /// It was not even judged.
    Refused(ErrorInfo),
}

/// How a call stands that had to wait for a yes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum OutsideState {
    /// It waits.
    Waits {
        /// What is asked.
        question: String,
    },
    /// It was decided, and this came of it.
    Ended(Box<ToolCallReport>),
    /// It was called off; nothing was done.
    Declined,
    /// Nobody said yes in time; nothing was done.
    Expired,
}

impl OutsideCall {
    /// `caller` wants `tool` called with `arguments`.
    pub fn new(caller: impl Into<String>, tool: impl Into<String>, arguments: Value) -> Self {
        Self {
            caller: caller.into(),
            tool: tool.into(),
            arguments,
            asks: Speaker::new("car", Seat::Driver),
            lang: Lang::default(),
            consent: OutsideConsent::default(),
            role: None,
        }
    }

    /// The same from a program that permissions know by `role`: one that none names may only read.
    #[must_use]
    pub fn with_role(mut self, role: impl Into<Arc<str>>) -> Self {
        self.role = Some(role.into());
        self
    }

    /// The same; `speaker` is asked.
    #[must_use]
    pub fn asking(mut self, speaker: Speaker) -> Self {
        self.asks = speaker;
        self
    }

    /// The same in `lang`.
    #[must_use]
    pub fn in_lang(mut self, lang: Lang) -> Self {
        self.lang = lang;
        self
    }

    /// The same with this need of a yes.
    #[must_use]
    pub fn with_consent(mut self, consent: OutsideConsent) -> Self {
        self.consent = consent;
        self
    }
}

impl super::Assistant {
    /// Makes one call for a program outside the car. It runs to its end whether or not the future is
    /// polled on.
    ///
    /// Where it needs a yes, the speaker gets a notice ([`Assistant::notices`](super::Assistant::notices)), and
    /// the question is put at the end of their next turn, or at once by an utterance of nothing
    /// (`Utterance::new("")`), which a host may make when it sees [`OutsideAnswer::Waits`]. Only the speaker's own words answer it. It waits for as long as any
    /// question ([`Settings::wait`](crate::Settings::wait)); at most 4 wait for one seat.
    ///
    /// Needs a tokio runtime.
    pub async fn call_from_outside(&self, call: OutsideCall) -> OutsideAnswer {
        let (inner, lang) = (self.inner.clone(), call.lang);
        let running = tokio::spawn(async move { inner.call_from_outside(call).await });
        running.await.unwrap_or_else(|error| {
            tracing::error!(%error, "a call from outside was cut short");
            let message = lang.pick("抱歉，出错了。", "Sorry, something went wrong.");
            OutsideAnswer::Refused(ErrorInfo::new(ErrorKind::Internal, message))
        })
    }

    /// How the call `id` stands that `caller` made; `None` where there is none, or it ended long ago.
    pub fn outside_call(&self, caller: &str, id: &str) -> Option<OutsideState> {
        self.inner.requests.state(id, caller, self.inner.runner.clock.now())
    }
}

impl Inner {
    async fn call_from_outside(&self, call: OutsideCall) -> OutsideAnswer {
        let lang = call.lang;
        let car: Arc<str> = call.asks.car.clone();
        let mut speaker = Speaker::new(car, Seat::Outside);
        speaker.role = call.role;
        let owner = speaker.owner();
        let (turn, events) = (Uuid::new_v4(), Events::none());
        let serving = Serving::new(turn, "", &events);
        let place = self
            .lanes
            .enter(&owner, serving, DoubleText::Enqueue, None, |_| false)
            .await;
        let Ok(_place) = place else {
            return OutsideAnswer::Refused(busy(lang));
        };
        let id = format!("outside_{}", turn.simple());
        let wish = OutsideWish::new(
            id.as_str(),
            call.caller.as_str(),
            CallShape::new(call.tool, call.arguments),
        );
        let settings = TurnSettings::new(id.as_str(), lang, self.runner.clock.now()).with_limits(self.settings.limits);
        let turn = Turn::open(
            Dialogue::new(History::default()),
            Opening::Outside(wish),
            "",
            None,
            settings,
        );
        let utterance = Utterance::new("").by(speaker).in_lang(lang);
        let mut progress = self.progress(&utterance, None);
        let scope = TurnScope {
            turn: &id,
            system: "",
            tools: &self.tools,
            speaker: &utterance.speaker,
            preferences: &Preferences::default(),
            lang,
            utterance: "",
            steer: None,
            events: &events,
            interrupt: &Interrupt::default(),
            deadline: deadline(self.settings.deadline),
            origin: Origin::Outside(call.consent),
        };
        let Ran {
            mut dialogue, ending, ..
        } = Box::pin(self.runner.run(turn, scope, &mut progress, Instant::now())).await;
        let (lease, giving_back) = progress.into_lease();
        if let Some(lease) = lease
            && let Err(error) = self.store.close(lease).await
        {
            tracing::error!(%error, "the session of a call from outside was not closed");
        }
        giving_back.done();
        let Some(held) = dialogue.take_held(&id) else {
            return ended(ending);
        };
        let (question, now) = (held.prompt().to_owned(), self.runner.clock.now());
        let asked = call.asks.owner();
        match self
            .requests
            .queue(&id, &call.caller, &asked, held, now, self.settings.wait)
        {
            Ok(()) => {
                let text = lang.pick(
                    "车外的程序想让我做一件事，需要您同意。",
                    "A program outside the car wants something done and needs your consent.",
                );
                self.notices.push(Notice::new(call.asks, text));
                OutsideAnswer::Waits { id, question }
            }
            Err(_crowded) => OutsideAnswer::Refused(busy(lang)),
        }
    }
}

fn ended(ending: Ending) -> OutsideAnswer {
    if ending.calls.is_empty() {
        let error = ending
            .error
            .unwrap_or_else(|| ErrorInfo::new(ErrorKind::Internal, ending.message));
        return OutsideAnswer::Refused(error);
    }
    OutsideAnswer::Ended(ending.calls)
}
