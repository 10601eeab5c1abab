//! What an assistant has done so far, in numbers.

use incar_core::{AgentResponse, AgentStatus, FinishReason, ModelReason, Outcome};
use std::sync::atomic::{AtomicU64, Ordering};

/// What an assistant has done since it was built. The numbers only grow: whoever wants a rate takes two
/// readings and their difference. Each is exact; readings taken while turns run may differ by these.
///
/// ```
/// # fn report(assistant: &incar_agents::Assistant) -> String {
/// let counters = assistant.counters();
/// format!("{} turns, {} of them failed", counters.turns.total(), counters.turns.error)
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Counters {
    /// Turns, by the status they ended with.
    pub turns: TurnCounts,
    /// Calls of tools, by how they ended.
    pub tool_calls: CallCounts,
    /// Conversations that began to wait for an answer.
    pub waits_opened: u64,
    /// Questions that lapsed before they were answered.
    pub expiries: u64,
    /// Turns that another model answered than the one to be asked first, because that one did not.
    pub fallbacks: u64,
    /// Calls and questions that a policy refused.
    pub refusals: u64,
    /// Turns that their speaker cut off, on their way or while their reply was spoken.
    pub interruptions: u64,
    /// Work in the background.
    pub jobs: JobCounts,
}

/// Work in the background, by how it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
#[allow(missing_docs)] // The names are those of `JobState`.
pub struct JobCounts {
    pub started: u64,
    pub done: u64,
    pub failed: u64,
    pub cancelled: u64,
    pub lost: u64,
}

/// Turns by status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
#[allow(missing_docs)] // The names are those of `AgentStatus`.
pub struct TurnCounts {
    pub success: u64,
    pub waiting_input: u64,
    pub completed: u64,
    pub cancelled: u64,
    pub expired: u64,
    pub error: u64,
}

impl TurnCounts {
    /// All turns.
    pub fn total(&self) -> u64 {
        self.success + self.waiting_input + self.completed + self.cancelled + self.expired + self.error
    }
}

/// Calls by outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
#[allow(missing_docs)] // The names are those of `Outcome`.
pub struct CallCounts {
    pub ok: u64,
    pub error: u64,
    pub denied: u64,
    pub cancelled: u64,
    pub unknown: u64,
}

impl CallCounts {
    /// All calls.
    pub fn total(&self) -> u64 {
        self.ok + self.error + self.denied + self.cancelled + self.unknown
    }
}

/// Where they are counted.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    success: AtomicU64,
    waiting_input: AtomicU64,
    completed: AtomicU64,
    cancelled: AtomicU64,
    expired: AtomicU64,
    error: AtomicU64,
    calls_ok: AtomicU64,
    calls_error: AtomicU64,
    calls_denied: AtomicU64,
    calls_cancelled: AtomicU64,
    calls_unknown: AtomicU64,
    waits_opened: AtomicU64,
    fallbacks: AtomicU64,
    refusals: AtomicU64,
    interruptions: AtomicU64,
}

fn add(counter: &AtomicU64, by: usize) {
    if by > 0 {
        counter.fetch_add(by as u64, Ordering::Relaxed);
    }
}

impl Tally {
    pub(crate) fn wait_opened(&self) {
        add(&self.waits_opened, 1);
    }

    /// The reply of a turn that was over was talked over.
    pub(crate) fn cut_off(&self) {
        add(&self.interruptions, 1);
    }

    /// A turn ended.
    pub(crate) fn ended(&self, response: &AgentResponse) {
        let status = match response.status {
            AgentStatus::Success => &self.success,
            AgentStatus::WaitingInput => &self.waiting_input,
            AgentStatus::Completed => &self.completed,
            AgentStatus::Cancelled => &self.cancelled,
            AgentStatus::Expired => &self.expired,
            AgentStatus::Error => &self.error,
        };
        add(status, 1);
        for call in &response.data.tool_results {
            let outcome = match call.outcome {
                Outcome::Ok => &self.calls_ok,
                Outcome::Error => &self.calls_error,
                Outcome::Denied => &self.calls_denied,
                Outcome::Cancelled => &self.calls_cancelled,
                Outcome::Unknown => &self.calls_unknown,
            };
            add(outcome, 1);
        }
        let refused = response.data.decisions.iter();
        let refused = refused.filter(|decision| decision.by == "policy" && decision.decision == "deny");
        add(&self.refusals, refused.count());
        let fell_back = response.model.as_ref();
        let fell_back = fell_back.is_some_and(|model| model.why == ModelReason::Fallback || !model.passed.is_empty());
        add(&self.fallbacks, usize::from(fell_back));
        let cut_off = response.data.finish_reason == FinishReason::Interrupted;
        add(&self.interruptions, usize::from(cut_off));
    }

    /// A reading; lapsed questions and jobs are counted where they are watched.
    pub(crate) fn read(&self, expiries: u64, jobs: JobCounts) -> Counters {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Counters {
            turns: TurnCounts {
                success: of(&self.success),
                waiting_input: of(&self.waiting_input),
                completed: of(&self.completed),
                cancelled: of(&self.cancelled),
                expired: of(&self.expired),
                error: of(&self.error),
            },
            tool_calls: CallCounts {
                ok: of(&self.calls_ok),
                error: of(&self.calls_error),
                denied: of(&self.calls_denied),
                cancelled: of(&self.calls_cancelled),
                unknown: of(&self.calls_unknown),
            },
            waits_opened: of(&self.waits_opened),
            expiries,
            fallbacks: of(&self.fallbacks),
            refusals: of(&self.refusals),
            interruptions: of(&self.interruptions),
            jobs,
        }
    }
}
