//! What code decides about an utterance before any model sees it.

use super::{Inner, Utterance};
use crate::act::{Act, act_of, called_off_before, calls_off, settles, steering_of};
use crate::jobs::{Handover, START, wants_research};
use incar_core::turn::{Consent, Dialogue, HeldCall, OpenQuestion, Opening};
use incar_core::{CallShape, Lang};
use incar_sessions::flow::{FlowInput, FlowState};
use serde_json::json;

/// What code decided about an utterance.
#[derive(Debug)]
pub(super) struct Decided {
    pub(super) opening: Opening,
    /// How it steers the flow that waits.
    pub(super) steer: Option<FlowInput>,
    /// A call from outside whose question is to be put afterwards.
    pub(super) held: Option<HeldCall>,
}

impl From<Opening> for Decided {
    fn from(opening: Opening) -> Self {
        Self {
            opening,
            steer: None,
            held: None,
        }
    }
}

/// What stops whatever is going on.
const HALT: &[&str] = &[
    "停",
    "停下",
    "停一下",
    "停止",
    "等等",
    "等一下",
    "打住",
    "stop",
    "wait",
    "hold on",
    "hang on",
];

impl Inner {
    /// Whether `said` may cut off the turn that serves `serving`: not where it is known to be for an
    /// agent of lower priority.
    pub(super) fn cuts_off(&self, said: &str, serving: &str, lang: Lang) -> bool {
        let plain = said.trim().trim_end_matches(['。', '.', '!', '！']).to_lowercase();
        if HALT.contains(&plain.as_str()) || act_of(said, "") == Some(Act::Cancel) {
            return true;
        }
        match (self.priority(said, lang), self.priority(serving, lang)) {
            (Some(new), Some(running)) => new >= running,
            _ => true,
        }
    }

    /// The priority of the agent that `said` concerns, where the device can tell.
    fn priority(&self, said: &str, lang: Lang) -> Option<u8> {
        let best = *self.router.as_ref()?.rank(said, &self.tools, lang).first()?;
        let profile = self.profile_of(&self.tools.specs().get(best)?.category)?;
        Some(profile.priority)
    }

    /// What `text` is to the conversation, as far as code decides it. `offer`: the call that the last
    /// reply offered.
    pub(super) fn decided(&self, utterance: &Utterance, dialogue: &Dialogue, offer: Option<CallShape>) -> Decided {
        let text = utterance.text.as_str();
        let flow = self.decided_for_flow(text, dialogue);
        let decided = flow.or_else(|| self.wished_instead(utterance, dialogue));
        decided.unwrap_or_else(|| match opening_of(text, dialogue, offer) {
            Opening::Utterance if dialogue.open_question().is_none() && self.hands_over(text) => {
                let question = json!({"question": text.trim()});
                Opening::HandOver(CallShape::new(START, question)).into()
            }
            opening => opening.into(),
        })
    }

    /// "Never mind, play some jazz": the open question is called off for a wish that is none of its answers. "Never mind,
    /// the second one" is one.
    fn wished_instead(&self, utterance: &Utterance, dialogue: &Dialogue) -> Option<Decided> {
        dialogue.open_question()?;
        let (called_off, wish) = called_off_before(&utterance.text)?;
        let tool = self.router.as_ref()?.tool_for(wish, &self.tools, &utterance.speaker)?;
        let other = dialogue.waiting_tool() != Some(&*self.tools.specs().get(tool)?.name);
        other.then(|| {
            let (called_off, wish) = (called_off.to_owned(), wish.to_owned());
            Opening::Instead { called_off, wish }.into()
        })
    }

    /// Whether `text` is plainly something to look into in the background.
    fn hands_over(&self, text: &str) -> bool {
        let jobs = self.research.as_ref();
        jobs.is_some_and(|jobs| jobs.handover() == Handover::Rules && wants_research(text))
    }

    /// What it is to the flow whose question is open.
    fn decided_for_flow(&self, text: &str, dialogue: &Dialogue) -> Option<Decided> {
        let definition = &self.runner.flows.waiting(dialogue)?.definition;
        if calls_off(text, definition) {
            return Some(Opening::CallOff.into());
        }
        let state = FlowState::from_value(dialogue.gathered(&definition.tool));
        let steer = |input| Decided {
            opening: Opening::Steer,
            steer: Some(input),
            held: None,
        };
        if let Some(input) = steering_of(text, definition, &state) {
            return Some(steer(input));
        }
        // "What should I change?" – "Nothing, it is right."
        let doubted = state.asked.is_none() && dialogue.open_question() == Some(OpenQuestion::Value);
        (doubted && settles(text)).then(|| steer(FlowInput::Skip))
    }
}

fn opening_of(text: &str, dialogue: &Dialogue, offer: Option<CallShape>) -> Opening {
    if !text.chars().any(char::is_alphanumeric) {
        return Opening::Repeat;
    }
    let Some(question) = dialogue.open_question() else {
        let Some(offer) = offer else { return Opening::Utterance };
        return match act_of(text, dialogue.last_said().unwrap_or_default()) {
            Some(Act::Yes) => Opening::Accept(offer),
            Some(Act::No | Act::Cancel) => Opening::TurnDown,
            Some(Act::Repeat) | None => Opening::Utterance,
        };
    };
    match (act_of(text, dialogue.prompt().unwrap_or_default()), question) {
        (Some(Act::Repeat), _) => Opening::Repeat,
        (Some(Act::Cancel), _) => Opening::CallOff,
        (Some(Act::Yes), OpenQuestion::Confirm) => Opening::Consent(Consent::Yes),
        (Some(Act::No), OpenQuestion::Confirm) => Opening::Consent(Consent::No),
        (Some(Act::Yes | Act::No) | None, _) => Opening::Utterance,
    }
}

/// The utterance in the language of the question that it answers, where its own words have none: "3".
pub(super) fn in_language_of(utterance: &Utterance, dialogue: &Dialogue) -> Option<Utterance> {
    let asked = dialogue.prompt().filter(|_| Lang::of_text(&utterance.text).is_none());
    let lang = asked.and_then(Lang::of_text)?;
    Some(utterance.clone().in_lang(lang))
}
