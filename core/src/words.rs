//! The words by which speech names a tool: what the embedded brain reads.

use crate::lang::Bilingual;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The words of one tool. All parts are optional: a tool without words gets what its schema gives.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ToolWords {
    /// The question for each argument that may have to be asked for.
    #[serde(default)]
    pub ask: BTreeMap<String, Bilingual>,
}
