//! The policies: those that ship, and this maker's own.

use incar::tools::policy::{Facts, Policies, PolicyError};
use incar::tools::vehicle::Vehicle;
use incar::{PolicyDecision, PolicyGate, PolicyQuery};
use std::sync::Arc;

/// Two sets of policies over one car. Each call is put to both, so that neither can lift what the other forbids.
#[derive(Debug)]
pub(crate) struct HousePolicies {
    shipped: Policies,
    own: Policies,
}

impl HousePolicies {
    /// # Errors
    /// [`PolicyError`] names the row at fault: a host that cannot read its policies must not start.
    pub(crate) fn of(vehicle: Arc<dyn Vehicle>) -> Result<Self, PolicyError> {
        let facts = Facts::of(vehicle);
        Ok(Self {
            shipped: Policies::shipped(facts.clone())?,
            own: Policies::from_toml(include_str!("policies.toml"), facts)?,
        })
    }
}

impl PolicyGate for HousePolicies {
    fn decide(&self, call: &PolicyQuery<'_>) -> Vec<PolicyDecision> {
        let mut decisions = self.shipped.decide(call);
        decisions.extend(self.own.decide(call));
        decisions
    }
}
