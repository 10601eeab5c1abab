//! One call: looked at, judged, journaled, run.

use super::flow::Looked;
use super::{TurnRunner, TurnScope};
use crate::guards::{Evidence, Ruling, Stopped};
use crate::telemetry::loggable;
use incar_core::turn::{CallResult, Findings, Origin, RunnableCall, Stop, Turn, Verdict};
use incar_core::{
    ASK_USER, AskUser, ErrorKind, PolicyDecision, Refusal, Tool, ToolCall, ToolContext, ToolError, ToolRegistry,
    ToolSpec, ask_user_spec,
};
use serde_json::Value;
use std::io;
use std::sync::Arc;

/// The same for each try of one call, also by another process; different for every other: turn,
/// tool, exact arguments, and how many calls of the tool ran before in the turn.
pub(super) fn idempotency_key(turn_id: &str, call: &RunnableCall<'_>) -> String {
    let mut hash = Fnv::default();
    // Neither a value nor the hash can fail to be written.
    let _ = serde_json::to_writer(&mut hash, &call.resolved.arguments);
    format!("{turn_id}:{}:{:016x}:{}", call.call.name, hash.0, call.ordinal)
}

/// FNV-1a of what is written. Keys differ by turn and tool already; the hash only tells a turn's own calls apart.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl io::Write for Fnv {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = bytes.iter().fold(self.0, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Every decision is logged under its policy's id; arguments, which are private, are not.
pub(super) fn trace(turn_id: &str, call: &ToolCall, verdict: &Verdict, registry: &ToolRegistry) {
    let tool = || loggable(&call.name, registry);
    let told = |policy: &str, decision: &str| tracing::info!(turn = turn_id, tool = tool(), policy, decision, "policy");
    match verdict {
        Verdict::Decided { decisions, .. } => {
            for decision in decisions {
                match decision {
                    PolicyDecision::Allow { policy } => told(policy, "allow"),
                    PolicyDecision::Warn { policy, .. } => told(policy, "warn"),
                    PolicyDecision::Deny { policy, .. } => told(policy, "deny"),
                    PolicyDecision::Confirm { policy, .. } => told(policy, "confirm"),
                    PolicyDecision::Amend { policy, .. } => told(policy, "amend"),
                    _ => {}
                }
            }
        }
        Verdict::Futile { policy, .. } => told(policy, "deny"),
        Verdict::Guarded { guard, stop } => {
            let decision = match stop {
                Stop::Ask(_) => "ask",
                Stop::Tell(_) => "refuse",
                _ => "decline",
            };
            tracing::info!(turn = turn_id, tool = tool(), guard, decision, "guard");
        }
        _ => {}
    }
    if let Verdict::Decided { findings, .. } = verdict {
        if let Some(hold) = &findings.hold {
            tracing::info!(turn = turn_id, tool = tool(), guard = %hold.guard, decision = "confirm", "guard");
        }
        if !findings.provenance.is_empty() {
            tracing::debug!(turn = turn_id, tool = tool(), provenance = ?findings.provenance, "where the values come from");
        }
    }
}

/// A call to be looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look<'a> {
    pub(super) index: usize,
    pub(super) call: &'a ToolCall,
    pub(super) origin: Origin,
}

/// The name under which a decision to ask first is reported where the model asked for it, not a policy.
const UNSURE: &str = "did-you-mean";

impl TurnRunner {
    /// Parses and checks a call, makes it exact, and asks the policies.
    pub(super) fn look_at(&self, look: Look<'_>, turn: &Turn, evidence: &Evidence<'_>, scope: TurnScope<'_>) -> Looked {
        let call = look.call;
        let mut arguments = match call.parsed() {
            Ok(arguments) => arguments,
            Err(error) => {
                let schema = self.registry.get(&call.name).map(|tool| &tool.spec().parameters);
                return Looked::plain(
                    call.arguments.as_str().into(),
                    Verdict::Answer(CallResult::not_json(&error, schema)),
                );
            }
        };
        if call.name == ASK_USER {
            let ask = serde_json::from_value::<AskUser>(arguments.clone());
            return match ask {
                Ok(ask) if !ask.question.trim().is_empty() => self.look_at_question(ask, arguments, turn, scope),
                _ => Looked::plain(
                    arguments,
                    Verdict::Answer(CallResult::misfit(
                        "`question` must be a text",
                        Some(&ask_user_spec().parameters),
                    )),
                ),
            };
        }
        let from_outside = look.origin == Origin::Outside;
        if let Some(flow) = self.flows.of(&call.name)
            && let Value::Object(values) = arguments
        {
            if from_outside {
                return Looked::plain(Value::Object(values), super::outside::needs_a_conversation(scope.lang));
            }
            return self.collect(flow, values, None, turn, scope);
        }
        let Some(tool) = self.registry.get(&call.name) else {
            let verdict = self.guards.unknown_tool(&self.registry.unknown(&call.name));
            return Looked::plain(arguments, verdict);
        };
        // A program says what it wants: nobody's seat and preferences fill in for it.
        let completed = if from_outside {
            Vec::new()
        } else {
            complete(tool, &mut arguments, scope)
        };
        let context = ToolContext::new(scope.speaker, scope.lang, &*self.clock, turn.id());
        let resolved = match tool.resolve(&arguments, context) {
            Ok(resolved) => Ok(resolved),
            Err(Refusal::Failed(error)) => Err(error),
            Err(Refusal::Misfit(wrong)) => {
                let misfit = CallResult::misfit(&wrong, Some(&tool.spec().parameters));
                return Looked::plain(arguments, Verdict::Answer(misfit));
            }
        };
        let findings = match self.findings(look, tool.spec(), &arguments, &completed, turn, evidence) {
            Ruling::Pass(findings) => findings,
            Ruling::Stopped(stopped) => {
                let verdict = self.stopped(stopped, scope);
                return Looked::plain(arguments, verdict);
            }
        };
        // Whoever was invented and does not exist is asked for, not looked for: guards come first.
        let resolved = match resolved {
            Ok(resolved) => resolved,
            Err(error) => return Looked::plain(arguments, Verdict::Answer(CallResult::failed(&error))),
        };
        let mut decisions = self.gate.decide(&scope.query(tool.spec(), &resolved.arguments));
        // What a policy asks for is weightier; one yes answers all.
        decisions.extend(resolved.confirm.as_deref().map(PolicyDecision::asked_by_tool));
        decisions.extend(call.unsure.as_ref().map(|question| PolicyDecision::Confirm {
            policy: UNSURE.to_owned(),
            question: question.clone(),
        }));
        super::outside::ask_in_the_car(&mut decisions, tool.spec(), &arguments, resolved.effect, scope);
        let verdict = Verdict::Decided {
            resolved,
            concurrency: tool.spec().concurrency,
            decisions,
            findings,
        };
        Looked::plain(arguments, verdict)
    }

    /// A question about a flow's tool tells the flow what is known; any other is judged as it is.
    fn look_at_question(&self, ask: AskUser, arguments: Value, turn: &Turn, scope: TurnScope<'_>) -> Looked {
        let flow = ask.tool.as_deref().and_then(|tool| self.flows.of(tool));
        match flow {
            Some(flow) => self.collect(flow, ask.arguments.clone(), Some(ask), turn, scope),
            None => Looked::plain(arguments, self.judge_question(ask, scope)),
        }
    }

    /// What the guards say to a call. What the driver said yes to, or a policy added, is none of theirs.
    fn findings(
        &self,
        look: Look<'_>,
        spec: &ToolSpec,
        arguments: &Value,
        completed: &[String],
        turn: &Turn,
        evidence: &Evidence<'_>,
    ) -> Ruling {
        let (Origin::Model, Value::Object(given)) = (look.origin, arguments) else {
            return Ruling::Pass(Findings::default());
        };
        let mut findings = match self.guards.judge_call(spec, given, completed, evidence) {
            Ruling::Pass(findings) => findings,
            stopped @ Ruling::Stopped(_) => return stopped,
        };
        let equal = turn.equal_before(look.index, &look.call.name, arguments);
        findings.repetition = self.guards.repetition(&look.call.name, arguments, equal, evidence);
        Ruling::Pass(findings)
    }

    /// Policy comes before asking here too.
    fn stopped(&self, stopped: Stopped, scope: TurnScope<'_>) -> Verdict {
        match stopped.stop {
            Stop::Ask(ask) => match self.judge_question(ask, scope) {
                Verdict::Ask(ask) => Verdict::from(Stopped {
                    stop: Stop::Ask(ask),
                    ..stopped
                }),
                refused => refused,
            },
            _ => stopped.into(),
        }
    }

    /// Policy comes before asking: what is refused whatever the answer is not asked about.
    pub(super) fn judge_question(&self, ask: AskUser, scope: TurnScope<'_>) -> Verdict {
        let Some(tool) = ask.tool.as_deref().and_then(|name| self.registry.get(name)) else {
            return Verdict::Ask(ask);
        };
        let so_far = Value::Object(ask.arguments.clone());
        let query = scope.query(tool.spec(), &so_far).before_asking();
        let refusal = self
            .gate
            .decide(&query)
            .into_iter()
            .find_map(|decision| match decision {
                PolicyDecision::Deny { policy, reason } => Some((policy, reason)),
                _ => None,
            });
        match refusal {
            Some((policy, reason)) => Verdict::Futile { ask, policy, reason },
            None => Verdict::Ask(ask),
        }
    }
}

/// The result of a call that does not run because it could not be written down first.
pub(super) fn unsafe_now(scope: TurnScope<'_>) -> CallResult {
    let message = scope
        .lang
        .pick("抱歉，现在没法安全地执行。", "Sorry, I can't do that safely right now.");
    CallResult::failed(&ToolError::new(ErrorKind::Store, message))
}

/// What was not said is decided by the driver's preferences, then by the car's state. Returns the names
/// of what was filled in.
fn complete(tool: &Arc<dyn Tool>, arguments: &mut Value, scope: TurnScope<'_>) -> Vec<String> {
    let spec = tool.spec();
    let Value::Object(arguments) = arguments else {
        return Vec::new();
    };
    if scope.preferences.is_empty() && spec.completion.is_none() {
        return Vec::new();
    }
    let given = arguments.len();
    let names: Vec<String> = arguments.keys().cloned().collect();
    scope.preferences.complete(&spec.name, arguments);
    if let Some(completion) = &spec.completion
        && spec.required().any(|name| !arguments.contains_key(name))
    {
        completion.complete(arguments, scope.speaker);
    }
    if arguments.len() == given {
        return Vec::new();
    }
    arguments.keys().filter(|name| !names.contains(name)).cloned().collect()
}
