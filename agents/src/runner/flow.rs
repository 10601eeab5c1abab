//! A call of a flow's tool: what was said is taken in, and the flow says what comes next.

use super::{TurnRunner, TurnScope};
use crate::flow::RegisteredFlow;
use incar_core::turn::{CallResult, Findings, Heard, Turn, Verdict};
use incar_core::{AskUser, PolicyDecision, Refusal, Tool, ToolContext};
use incar_sessions::flow::{FlowContext, FlowInput, FlowState, FlowStep};
use serde_json::{Map, Value};
use std::sync::Arc;

/// What came of looking at a call.
#[derive(Debug)]
pub(super) struct Looked {
    pub(super) arguments: Value,
    pub(super) verdict: Verdict,
    /// What a flow has gathered with it: the tool, the state, and whether it was of use.
    pub(super) gathered: Option<(String, Value, Heard)>,
}

impl Looked {
    pub(super) fn plain(arguments: Value, verdict: Verdict) -> Self {
        Self {
            arguments,
            verdict,
            gathered: None,
        }
    }
}

/// A call with all that it needs, not confirmed yet.
struct Whole {
    state: FlowState,
    arguments: Map<String, Value>,
    question: String,
    heard: Heard,
}

/// The policy that a summary stands under in a response.
const SUMMARY: &str = "flow-summary";

impl TurnRunner {
    /// Takes the values of a call, or of a question about one (`asked`), into what the flow has
    /// gathered before.
    pub(super) fn collect(
        &self,
        flow: &RegisteredFlow,
        values: Map<String, Value>,
        asked: Option<AskUser>,
        turn: &Turn,
        scope: TurnScope<'_>,
    ) -> Looked {
        let definition = &flow.definition;
        let Some(tool) = self.registry.get(&definition.tool) else {
            let wrong = self.registry.unknown(&definition.tool);
            return Looked::plain(Value::Object(values), Verdict::Answer(CallResult::misfit(&wrong, None)));
        };
        let context = FlowContext::new(
            self.clock.now(),
            self.clock.utc_offset(),
            scope.lang,
            &tool.spec().names,
        );
        let input = match scope.steer {
            // No model was asked yet: the call is the steering itself.
            Some(steer) if turn.round() == 0 => steer.clone(),
            _ => FlowInput::Fill {
                values,
                asks: asked.as_ref().and_then(|ask| ask.slot.clone()),
            },
        };
        let gathered = FlowState::from_value(turn.gathered(&definition.tool));
        let (state, step) = definition.advance(gathered, input, &context);
        match step {
            FlowStep::Confirm {
                question,
                arguments,
                understood,
            } => {
                let question = match flow.agent.preview(&arguments, scope.lang) {
                    Some(told) => format!("{told}{}{question}", scope.lang.pick("", " ")),
                    None => question,
                };
                let whole = Whole {
                    state,
                    arguments,
                    question,
                    heard: heard(understood),
                };
                self.whole_call(flow, tool, whole, turn.id(), scope)
            }
            step => self.next_question(flow, &state, step, asked, scope),
        }
    }

    /// All is there: the call is checked like any other, and confirmed.
    fn whole_call(
        &self,
        flow: &RegisteredFlow,
        tool: &Arc<dyn Tool>,
        whole: Whole,
        turn_id: &str,
        scope: TurnScope<'_>,
    ) -> Looked {
        let Whole {
            state,
            arguments,
            question,
            heard,
        } = whole;
        let arguments = Value::Object(arguments);
        let context = ToolContext::new(scope.speaker, scope.lang, &*self.clock, turn_id);
        let resolved = match tool.resolve(&arguments, context) {
            Ok(resolved) => resolved,
            Err(Refusal::Misfit(wrong)) => {
                let misfit = CallResult::misfit(&wrong, Some(&tool.spec().parameters));
                return Looked::plain(arguments, Verdict::Answer(misfit));
            }
            Err(Refusal::Failed(error)) => {
                let slot = error
                    .argument
                    .as_deref()
                    .filter(|slot| flow.definition.slot_named(slot).is_some());
                let Some(slot) = slot else {
                    return Looked::plain(arguments, Verdict::Answer(CallResult::failed(&error)));
                };
                let (state, step) = flow
                    .definition
                    .refuse(state, slot, &error.message, error.choices.clone());
                return self.next_question(flow, &state, step, None, scope);
            }
        };
        let mut decisions = self.gate.decide(&scope.query(tool.spec(), &resolved.arguments));
        decisions.push(PolicyDecision::Confirm {
            policy: SUMMARY.to_owned(),
            question,
        });
        Looked {
            arguments,
            verdict: Verdict::Decided {
                resolved,
                concurrency: tool.spec().concurrency,
                decisions,
                findings: Findings::default(),
            },
            gathered: Some((flow.definition.tool.clone(), state.to_value(), heard)),
        }
    }

    fn next_question(
        &self,
        flow: &RegisteredFlow,
        state: &FlowState,
        step: FlowStep,
        asked: Option<AskUser>,
        scope: TurnScope<'_>,
    ) -> Looked {
        let arguments = Value::Object(state.values.clone());
        let FlowStep::Ask {
            slot,
            question,
            told,
            choices,
            understood,
        } = step
        else {
            return Looked::plain(
                arguments,
                Verdict::Answer(CallResult::misfit("the flow has no question", None)),
            );
        };
        // A model may ask in its own words for what is open anyway.
        let own = asked.filter(|ask| !told && ask.slot.is_some() && ask.slot == slot);
        let mut ask = AskUser::new(own.map_or(question, |ask| ask.question));
        ask.tool = Some(flow.definition.tool.clone());
        if slot.is_some() {
            let others = flow.definition.open(state).into_iter().map(|open| open.name.clone());
            ask.missing = others.filter(|open| Some(open) != slot.as_ref()).collect();
        }
        ask.slot = slot;
        ask.arguments = state.values.clone();
        ask.choices = choices;
        Looked {
            arguments,
            verdict: self.judge_question(ask, scope),
            gathered: Some((flow.definition.tool.clone(), state.to_value(), heard(understood))),
        }
    }
}

fn heard(understood: bool) -> Heard {
    if understood { Heard::Understood } else { Heard::Nothing }
}
