//! What is different about a call that a program outside the car wants.

use super::interrupted::in_short;
use super::{Origin, TurnScope};
use crate::assistant::OutsideConsent;
use crate::guards::described;
use incar_core::turn::{CallResult, Verdict};
use incar_core::{Effect, ErrorKind, Lang, PolicyDecision, ToolError, ToolSpec};
use serde_json::{Map, Value};

/// The name under which a decision to ask first is reported where no policy made it.
const OUTSIDE: &str = "outside-call";

/// How much of a call is read out, in characters.
const LONGEST: usize = 300;

/// A flow gathers and confirms its values in conversation; its tool is not for programs.
pub(super) fn needs_a_conversation(lang: Lang) -> Verdict {
    let message = lang.pick("这件事要在车里说。", "That has to be said in the car.");
    Verdict::Answer(CallResult::failed(&ToolError::new(ErrorKind::Unsupported, message)))
}

/// Whoever says yes hears that a program asks, and what for; where the host wants that, also for calls
/// that the policies would let pass.
pub(super) fn ask_in_the_car(
    decisions: &mut Vec<PolicyDecision>,
    spec: &ToolSpec,
    arguments: &Value,
    effect: Effect,
    scope: TurnScope<'_>,
) {
    let Origin::Outside(consent) = scope.origin else { return };
    let asked = |decision: &PolicyDecision| matches!(decision, PolicyDecision::Confirm { .. });
    let each = consent == OutsideConsent::EachChange && effect != Effect::Read;
    if each && !decisions.iter().any(asked) {
        let question = scope.lang.pick("要执行吗？", "Shall I do it?").to_owned();
        decisions.push(PolicyDecision::Confirm {
            policy: OUTSIDE.to_owned(),
            question,
        });
    }
    let none = Map::new();
    let values = arguments.as_object().unwrap_or(&none);
    let call = described(in_short(spec, scope.lang), spec, values, scope.lang);
    let call: String = call.chars().take(LONGEST).collect();
    for decision in decisions {
        if let PolicyDecision::Confirm { question, .. } = decision {
            *question = scope.lang.pick(
                format!("车外的程序想要：{call}。{question}"),
                format!("A program outside the car wants this: {call}. {question}"),
            );
        }
    }
}
