//! The bounds of a team's work.

use serde::{Deserialize, Serialize};

/// The bounds of a team's work, beside its budget.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct TeamSettings {
    /// How often a plan is made anew after a step failed; 2 unless set.
    pub replans: u32,
    /// Tool calls of a step, checks not counted; 4 unless set.
    pub calls_per_step: usize,
    /// How often a call is made again that failed and may succeed; 2 unless set.
    pub retries: u32,
    /// How often other sources are sought for a finding; 2 unless set, none at 0.
    pub checks: u32,
    /// A finding so sure is not checked by other sources; 0.85 unless set.
    pub sure_enough: f64,
    /// The team abstains where its answer is less sure than this; 0.6 unless set.
    pub abstain_below: f64,
    /// What is done at the same time; 4 unless set, at least 1.
    pub parallel: usize,
}

impl Default for TeamSettings {
    fn default() -> Self {
        Self {
            replans: 2,
            calls_per_step: 4,
            retries: 2,
            checks: 2,
            sure_enough: 0.85,
            abstain_below: 0.6,
            parallel: 4,
        }
    }
}

impl TeamSettings {
    /// The same with so many new plans.
    #[must_use]
    pub fn with_replans(mut self, replans: u32) -> Self {
        self.replans = replans;
        self
    }

    /// The same with so many calls of a step.
    #[must_use]
    pub fn with_calls_per_step(mut self, calls: usize) -> Self {
        self.calls_per_step = calls;
        self
    }

    /// The same with a failed call made again so often.
    #[must_use]
    pub fn with_retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// The same with other sources sought so often for a finding.
    #[must_use]
    pub fn with_checks(mut self, checks: u32) -> Self {
        self.checks = checks;
        self
    }

    /// The same; the team abstains where its answer is less sure than this.
    #[must_use]
    pub fn abstaining_below(mut self, confidence: f64) -> Self {
        self.abstain_below = confidence;
        self
    }

    /// The same with so much done at the same time.
    #[must_use]
    pub fn with_parallel(mut self, parallel: usize) -> Self {
        self.parallel = parallel.max(1);
        self
    }
}
