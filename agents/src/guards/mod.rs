//! Guards round any model: models act too early and claim too much, so code checks what they call and
//! what they say. `docs/guards.md` has an example of each.
//!
//! A guard a file:
//! - `missing`: a value that nobody gave is asked for;
//! - `opaque`: an id must come from a result;
//! - `repeat`: an act is not done more often than it was said;
//! - `untrusted`: what a page or a message wants is done only if the driver says yes;
//! - `claim`: a reply says only what was done (with `claim_words`);
//! - `beyond`: what no tool does is said to be beyond the car.
//!
//! They judge on the device, by what `evidence` finds in the conversation. What follows from their
//! judgement is up to the turn machine ([`incar_core::turn`]).

mod beyond;
mod claim;
mod claim_words;
mod evidence;
mod missing;
mod opaque;
mod repeat;
#[cfg(test)]
mod tests;
mod untrusted;
mod written;

pub(crate) use claim::{Spoken, judge as judge_reply};
pub(crate) use evidence::{Evidence, Heard, Hearing};
pub(crate) use untrusted::described;

use incar_core::ToolSpec;
use incar_core::turn::{CallResult, Findings, Repetition, Stop, Verdict};
use serde_json::{Map, Value};

/// Whether a guard does its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GuardMode {
    /// It does.
    #[default]
    On,
    /// The model is believed.
    Off,
}

impl GuardMode {
    fn is_on(self) -> bool {
        self == Self::On
    }
}

/// What the guards make of a call.
#[derive(Debug)]
pub(crate) enum Ruling {
    /// It may run, as far as they are concerned.
    Pass(Findings),
    /// It may not.
    Stopped(Stopped),
}

/// A call that a guard stopped.
#[derive(Debug)]
pub(crate) struct Stopped {
    pub(crate) guard: &'static str,
    pub(crate) stop: Stop,
}

impl From<Stopped> for Verdict {
    fn from(Stopped { guard, stop }: Stopped) -> Self {
        Self::Guarded {
            guard: guard.to_owned(),
            stop,
        }
    }
}

/// The guards, each with its own switch. All are on by default.
///
/// ```
/// use incar_agents::{GuardMode, Guards};
/// let mut guards = Guards::default();
/// guards.unsupported_claim = GuardMode::Off;
/// assert_eq!(guards.missing_parameter, GuardMode::On);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Guards {
    /// `missing-parameter`: a required value that neither the speaker nor a result, a preference or
    /// the state of the car gave is asked for.
    pub missing_parameter: GuardMode,
    /// `opaque-id`: an id that stands in no result is refused.
    pub opaque_id: GuardMode,
    /// `already-done`: what changed something is not done again, unless it was said again.
    pub already_done: GuardMode,
    /// `untrusted-text`: after text from outside, what the speaker did not ask for needs a yes.
    pub untrusted_text: GuardMode,
    /// `unsupported-claim`: a reply that claims what was not done is not spoken.
    pub unsupported_claim: GuardMode,
    /// `beyond-the-car`: a wish that no tool serves is declined.
    pub beyond_the_car: GuardMode,
}

impl Guards {
    /// No guard: the model is believed in everything. Policies hold all the same.
    pub fn off() -> Self {
        Self {
            missing_parameter: GuardMode::Off,
            opaque_id: GuardMode::Off,
            already_done: GuardMode::Off,
            untrusted_text: GuardMode::Off,
            unsupported_claim: GuardMode::Off,
            beyond_the_car: GuardMode::Off,
        }
    }

    /// Judges a call of the model before its tool sees it. `completed` are the arguments that the tool's own
    /// [`Completion`](incar_core::Completion) filled in. What stops the call comes with the guard's id.
    pub(crate) fn judge_call(
        &self,
        spec: &ToolSpec,
        arguments: &Map<String, Value>,
        completed: &[String],
        evidence: &Evidence<'_>,
    ) -> Ruling {
        if self.opaque_id.is_on()
            && let Some(id) = opaque::unknown_id(spec, arguments, evidence)
        {
            let wrong = format!("`{id}` must be an id that a result of this conversation gave: look it up first");
            return stopped(opaque::ID, Stop::Tell(CallResult::misfit(&wrong, None)));
        }
        let mut findings = Findings::default();
        if self.missing_parameter.is_on() {
            match missing::judge(spec, arguments, completed, evidence) {
                Ok(provenance) => findings.provenance = provenance,
                Err(slot) => {
                    let ask = missing::question(spec, &slot, arguments, evidence.lang());
                    return stopped(missing::ID, Stop::Ask(ask));
                }
            }
        }
        if self.untrusted_text.is_on() {
            findings.hold = untrusted::hold(spec, arguments, completed, evidence);
        }
        Ruling::Pass(findings)
    }

    /// How often an equal call may run: counted only where one came before.
    pub(crate) fn repetition(
        &self,
        tool: &str,
        arguments: &Value,
        equal_before: usize,
        evidence: &Evidence<'_>,
    ) -> Repetition {
        match (self.already_done, equal_before) {
            (GuardMode::Off, _) => Repetition::Unbounded,
            (GuardMode::On, 0) => Repetition::OneReply,
            (GuardMode::On, _) => repeat::counted(tool, arguments, evidence),
        }
    }

    /// What becomes of a call of a tool that is not there; `told`: what the model hears.
    pub(crate) fn unknown_tool(&self, told: &str) -> Verdict {
        let result = CallResult::misfit(told, None);
        match self.beyond_the_car {
            GuardMode::On => Verdict::from(Stopped {
                guard: beyond::ID,
                stop: Stop::Beyond(result),
            }),
            GuardMode::Off => Verdict::Answer(result),
        }
    }
}

fn stopped(guard: &'static str, stop: Stop) -> Ruling {
    Ruling::Stopped(Stopped { guard, stop })
}
