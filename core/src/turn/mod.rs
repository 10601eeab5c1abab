//! The turn machine: from an utterance to a reply, without doing anything itself. It says what to
//! do next and is told what came of it. First turn, resumed turn, streaming and blocking are the
//! same machine; it can be written down at every step and taken up again.

mod amend;
mod batch;
mod decide;
mod dialogue;
mod directive;
mod ending;
mod guard;
mod interrupted;
mod opening;
mod outside;
mod phrases;
mod settings;
mod steps;
mod stopped;
#[cfg(test)]
mod tests;
mod wait;

pub use batch::CallResult;
pub use dialogue::{Dialogue, DialogueError, OpenQuestion};
pub use directive::{Directive, Origin, RunnableCall, ToolUse, Verdict};
pub use ending::Ending;
pub use guard::{Deed, Findings, Hold, Objection, Repetition, Stop};
pub use interrupted::Unbegun;
pub use opening::{Consent, Opening};
pub use outside::{HeldCall, OutsideWish};
pub use settings::TurnSettings;
pub use stopped::CutOff;

use crate::clock::Timestamp;
use crate::lang::Lang;
use crate::limits::Limits;
use crate::message::{AssistantMessage, Message, ToolCall};
use crate::model::Usage;
use crate::outcome::Outcome;
use crate::provenance::Provenance;
use crate::response::{Decision, ExpectsReply, FinishReason};
use crate::tokens::TokenMeter;
use batch::{Batch, EntryState, Todo};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Whether a flow could use what was said to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// It was understood, even where it does not fit (a day that is past).
    Understood,
    /// It brought nothing: a second time ends the question.
    Nothing,
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
    /// The call that it begins with is the driver's: they said yes to it, or code made it of what they said.
    #[serde(default)]
    by_driver: bool,
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
        opening.enter(&mut dialogue, said, context, settings.lang);
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
            by_driver: false,
        };
        let only_held = settings.held.is_some() && turn.dialogue.waits.is_empty();
        if let Some(held) = settings.held {
            turn.dialogue.hold(held);
        }
        match opening {
            Opening::Utterance => turn.hand_words_to_model(),
            // What is left to do is the model's.
            Opening::Instead { .. } => {}
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
                        origin: match entry.origin() {
                            Origin::Model if self.by_driver && self.rounds == 0 => Origin::Driver,
                            origin => origin,
                        },
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
