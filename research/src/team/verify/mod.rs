//! Verification: what code can tell of a finding, what other sources say of it, and what that makes of it.

mod agent;
mod inspect;
mod measure;
mod moment;
mod verdict;

pub(crate) use agent::{Judgement, Seek, VerificationAgent};
pub(crate) use inspect::{Fault, contradicts, inspect};
pub use verdict::Verdict;
pub(crate) use verdict::{Basis, Correction, Stance, Verification, Witness, weigh};

use measure::agree;
