//! The turn machine: from an utterance to a reply, without doing anything itself. It says what to
//! do next and is told what came of it. First turn, resumed turn, streaming and blocking are the
//! same machine; it can be written down at every step and taken up again.

mod amend;
mod batch;
mod decide;
mod dialogue;
mod ending;
mod guard;
mod interrupted;
mod opening;
mod outside;
mod phrases;
mod steps;
mod stopped;
#[cfg(test)]
mod tests;
mod wait;

pub use batch::CallResult;
pub use dialogue::{Dialogue, DialogueError, OpenQuestion};
pub use ending::Ending;
pub use guard::{Deed, Findings, Hold, Objection, Repetition, Stop};
pub use interrupted::Unbegun;
pub use outside::{HeldCall, OutsideWish};
pub use stopped::CutOff;

use crate::clock::Timestamp;
use crate::control::AskUser;
use crate::lang::Lang;
use crate::limits::Limits;
use crate::message::{AssistantMessage, Message, ToolCall};
use crate::model::Usage;
use crate::outcome::Outcome;
use crate::policy::PolicyDecision;
use crate::provenance::Provenance;
use crate::response::{CallShape, Decision, ExpectsReply, FinishReason};
use crate::spec::Concurrency;
use crate::tokens::TokenMeter;
use crate::tool::Resolved;
use batch::{Batch, EntryState, Todo};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

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

/// Whether a flow could use what was said to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// It was understood, even where it does not fit (a day that is past).
    Understood,
    /// It brought nothing: a second time ends the question.
    Nothing,
}

/// What a turn is started with.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct TurnSettings {
    /// The turn's id.
    pub id: String,
    /// The language to speak.
    pub lang: Lang,
    /// The bounds.
    pub limits: Limits,
    /// When it started.
    pub now: Timestamp,
    /// Estimated tokens of the system prompt and the tools.
    pub overhead: u64,
    /// A call from outside whose question is put to the speaker when this turn has nothing else to ask.
    pub held: Option<HeldCall>,
}

impl TurnSettings {
    /// Settings with default limits.
    pub fn new(id: impl Into<String>, lang: Lang, now: Timestamp) -> Self {
        Self {
            id: id.into(),
            lang,
            limits: Limits::default(),
            now,
            overhead: 0,
            held: None,
        }
    }

    /// The same with these bounds.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same with the estimated tokens of the system prompt and the tools.
    #[must_use]
    pub fn with_overhead(mut self, tokens: u64) -> Self {
        self.overhead = tokens;
        self
    }

    /// The same; afterwards the speaker is asked whether `held` may run.
    #[must_use]
    pub fn with_held(mut self, held: Option<HeldCall>) -> Self {
        self.held = held;
        self
    }
}

/// What to do next.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Directive<'a> {
    /// Ask the model; then [`Turn::model_replied`] or [`Turn::model_failed`].
    AskModel {
        /// Whether it may call tools.
        tools: ToolUse,
    },
    /// Check a call, make it exact and ask the policies; then [`Turn::resolved`].
    Resolve {
        /// Which.
        index: usize,
        /// The call.
        call: &'a ToolCall,
        /// Who stands behind it.
        origin: Origin,
    },
    /// Run these calls, together; then [`Turn::ran`] for each.
    Run {
        /// Which; see [`Turn::call`].
        indexes: Vec<usize>,
    },
    /// Judge what this reply expects; then [`Turn::judged`].
    Judge {
        /// The reply.
        reply: &'a str,
        /// Whether a tool changed something in this turn.
        acted: bool,
    },
    /// The turn is over; see [`Turn::into_end`].
    Finish,
}

/// Whether the model may call tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolUse {
    /// It may.
    Offered,
    /// It must answer in words.
    Withheld,
}

/// Who stands behind a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Origin {
    /// The model's reply alone.
    Model,
    /// The driver, who said yes to exactly this call.
    Driver,
    /// A policy.
    Policy,
    /// A program outside the car.
    Outside,
}

/// What came of looking at a call.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Verdict {
    /// It was resolved and the policies decided.
    Decided {
        /// The exact call.
        resolved: Resolved,
        /// Whether it may run beside others.
        concurrency: Concurrency,
        /// What the policies say.
        decisions: Vec<PolicyDecision>,
        /// What the guards found.
        findings: Findings,
    },
    /// A guard stops it.
    Guarded {
        /// Which.
        guard: String,
        /// What is to be done instead.
        stop: Stop,
    },
    /// It does not run; this is its result.
    Answer(CallResult),
    /// It is a question to the driver.
    Ask(AskUser),
    /// It is a question about a call that a policy refuses whatever the answer: it is not asked.
    Futile {
        /// The question.
        ask: AskUser,
        /// The policy.
        policy: String,
        /// Why not: speakable.
        reason: String,
    },
}

/// A call that is to run.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct RunnableCall<'a> {
    /// The call.
    pub call: &'a ToolCall,
    /// The exact arguments and what they do.
    pub resolved: &'a Resolved,
    /// How many calls of the same tool ran before it in this turn: equal calls are different
    /// effects.
    pub ordinal: usize,
    /// Whether the driver said yes to exactly this call.
    pub confirmed: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Phase {
    Ask,
    Batch(Batch),
    Judge(AssistantMessage),
    Done(Box<Ending>),
}

/// A call of this utterance that ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct CallRecord {
    id: String,
    name: String,
    arguments: Value,
    policy: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outside: Option<String>,
    round: u32,
    spoken: bool,
    result: CallResult,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    provenance: BTreeMap<String, Provenance>,
}

/// One turn.
///
/// ```
/// use incar_core::turn::{Dialogue, Directive, Opening, Turn, TurnSettings};
/// use incar_core::{AgentStatus, AssistantMessage, History, Judgement, Lang, ModelFinish, ModelReply, ReplyClass, Timestamp};
///
/// let now = Timestamp::from_millis(0);
/// let mut turn = Turn::open(Dialogue::new(History::default()), Opening::Utterance, "hello", None, TurnSettings::new("t1", Lang::En, now));
/// turn.advance(now);
/// assert!(matches!(turn.directive(), Directive::AskModel { .. }));
/// turn.model_replied(ModelReply::new(AssistantMessage::text("Hello."), ModelFinish::Stop));
/// assert!(matches!(turn.directive(), Directive::Judge { reply: "Hello.", .. }));
/// turn.judged(Judgement { class: ReplyClass::None, confidence: 1.0 });
/// assert_eq!(turn.directive(), Directive::Finish);
/// let (_dialogue, ending) = turn.into_end();
/// assert_eq!((ending.status, ending.message.as_str()), (AgentStatus::Success, "Hello."));
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    #[serde(deserialize_with = "interrupted::known_schema")]
    schema: u16,
    id: String,
    lang: Lang,
    limits: Limits,
    started: Timestamp,
    dialogue: Dialogue,
    phase: Phase,
    meter: TokenMeter,
    rounds: u32,
    calls: u32,
    same_calls: u32,
    last_calls: Option<Vec<ToolCall>>,
    failing_rounds: u32,
    records: Vec<CallRecord>,
    decisions: Vec<Decision>,
    /// What policies want said, beside the tools' own sentences.
    remarks: Vec<String>,
    usage: Option<Usage>,
    bound: Option<FinishReason>,
    /// The sentence after a confirmed call: the model gets no tools for it.
    only_words: bool,
    declined: bool,
    /// Whether the utterance could have been the answer to a question that was open.
    answering: bool,
    /// A wait that had to close because too many were open.
    crowded_out: bool,
    /// Why the model was asked once more: a guard objected to its reply.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    objection: Option<Objection>,
    /// It wanted what no tool does.
    #[serde(default)]
    beyond: bool,
    /// Nobody said anything: the turn is a call from outside, and ends with what came of it.
    #[serde(default)]
    from_outside: bool,
    /// Code made the call, and no model speaks of it.
    #[serde(default)]
    handed_over: bool,
}

impl Turn {
    /// Starts a turn: `said` in `dialogue`, with the cabin context of this moment.
    pub fn open(
        mut dialogue: Dialogue,
        opening: Opening,
        said: &str,
        context: Option<String>,
        settings: TurnSettings,
    ) -> Self {
        let mut meter = TokenMeter::new(settings.overhead);
        let from_outside = matches!(opening, Opening::Outside(_));
        if opening != Opening::Repeat && !from_outside {
            if let Some(context) = dialogue.context_with_pending(context) {
                dialogue.history.context(context);
            }
            dialogue.history.user(said);
        }
        dialogue
            .history
            .messages()
            .iter()
            .for_each(|message| meter.add(message));
        let mut turn = Self {
            schema: interrupted::SCHEMA,
            id: settings.id,
            lang: settings.lang,
            limits: settings.limits,
            started: settings.now,
            answering: opening == Opening::Utterance && !dialogue.waits.is_empty(),
            dialogue,
            phase: Phase::Ask,
            meter,
            rounds: 0,
            calls: 0,
            same_calls: 0,
            last_calls: None,
            failing_rounds: 0,
            records: Vec::new(),
            decisions: Vec::new(),
            remarks: Vec::new(),
            usage: None,
            bound: None,
            only_words: false,
            declined: false,
            crowded_out: false,
            objection: None,
            beyond: false,
            from_outside,
            handed_over: false,
        };
        let only_held = settings.held.is_some() && turn.dialogue.waits.is_empty();
        if let Some(held) = settings.held {
            turn.dialogue.hold(held);
        }
        match opening {
            Opening::Utterance => turn.hand_words_to_model(),
            Opening::Consent(consent) => turn.consent(consent),
            Opening::CallOff => turn.call_off(),
            // The only question that there is was never asked.
            Opening::Repeat if only_held => turn.conclude(String::new(), ExpectsReply::None),
            Opening::Repeat => turn.repeat(),
            Opening::Accept(call) => turn.accept(call),
            Opening::TurnDown => turn.turn_down(),
            Opening::HandOver(call) => turn.hand_over(call),
            Opening::Steer => turn.steer(),
            Opening::Outside(wish) => turn.call_from_outside(wish),
        }
        turn
    }

    /// What to do next. Asking twice gives the same answer until something is told.
    pub fn directive(&self) -> Directive<'_> {
        match &self.phase {
            Phase::Ask => Directive::AskModel {
                tools: if self.bound.is_some() || self.only_words {
                    ToolUse::Withheld
                } else {
                    ToolUse::Offered
                },
            },
            Phase::Batch(batch) => match batch.todo() {
                Todo::Run(indexes) => Directive::Run { indexes },
                Todo::Resolve(index) => match batch.entries.get(index) {
                    Some(entry) => Directive::Resolve {
                        index,
                        call: &entry.call,
                        origin: entry.origin(),
                    },
                    None => Directive::Finish,
                },
                Todo::Held | Todo::Close => Directive::Finish,
            },
            Phase::Judge(reply) => Directive::Judge {
                reply: &reply.content,
                acted: self.acted(),
            },
            Phase::Done(_) => Directive::Finish,
        }
    }

    /// The turn's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The language that is spoken.
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// The conversation so far: what the model is to see.
    pub fn messages(&self) -> &[Message] {
        self.dialogue.history.messages()
    }

    /// The number of the round that runs or is asked for next, from 1.
    pub fn round(&self) -> u32 {
        match self.phase {
            Phase::Ask => self.rounds + 1,
            Phase::Batch(_) | Phase::Judge(_) | Phase::Done(_) => self.rounds,
        }
    }

    /// The bound that was reached, if one was.
    pub fn bound(&self) -> Option<FinishReason> {
        self.bound
    }

    /// A call that [`Directive::Run`] named.
    pub fn call(&self, index: usize) -> Option<RunnableCall<'_>> {
        let Phase::Batch(batch) = &self.phase else { return None };
        let entry = batch.entries.get(index)?;
        let EntryState::Ready { resolved, .. } = &entry.state else {
            return None;
        };
        let name = &entry.call.name;
        let earlier = batch.entries.iter().take(index);
        // What was cancelled never ran; a turn that is taken up may cancel calls before it looks at others.
        let ran = |record: &&CallRecord| record.name == *name && record.result.outcome != Outcome::Cancelled;
        let ended = self.records.iter().filter(ran).count();
        let running = earlier
            .filter(|other| matches!(other.state, EntryState::Ready { .. }) && other.call.name == *name)
            .count();
        Some(RunnableCall {
            call: &entry.call,
            resolved,
            ordinal: ended + running,
            confirmed: entry.cleared.confirmed,
        })
    }

    /// What the flow of `tool` has gathered so far.
    pub fn gathered(&self, tool: &str) -> Option<&Value> {
        self.dialogue.gathered(tool)
    }

    /// A flow took in what a call says of `tool`: tell it before [`Turn::resolved`] for that call.
    pub fn gather(&mut self, tool: &str, state: Value, heard: Heard) {
        self.dialogue.flows.insert(tool.to_owned(), state);
        if heard == Heard::Understood {
            self.answering = false;
        }
    }

    /// Whether a text has a handle of what is private: it is to be spoken otherwise than it stands.
    pub fn has_handle(&self, text: &str) -> bool {
        self.dialogue.history.has_handle(text)
    }

    /// Whether a tool changed something in this turn.
    pub fn acted(&self) -> bool {
        self.records.iter().any(CallRecord::changed)
    }

    /// The conversation and how the turn ended. Before it ended, an ending of status ERROR.
    pub fn into_end(self) -> (Dialogue, Ending) {
        match self.phase {
            Phase::Done(ending) => (self.dialogue, *ending),
            Phase::Ask | Phase::Batch(_) | Phase::Judge(_) => (self.dialogue, Ending::unfinished(self.lang)),
        }
    }
}
