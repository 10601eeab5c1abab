//! The policies: those that ship, and this maker's own laid over them.

use incar::tools::policy::{Facts, Policies, PolicyLayers};
use incar::tools::toml_file::Diagnostics;
use incar::tools::vehicle::Vehicle;
use std::sync::Arc;

/// # Errors
/// File, line and fix of all that is wrong: a host that cannot read its policies must not start.
pub(crate) fn of(vehicle: Arc<dyn Vehicle>) -> Result<Policies, Diagnostics> {
    PolicyLayers::shipped()
        .over("policies.toml", include_str!("policies.toml"))
        .load(Facts::of(vehicle))
}
