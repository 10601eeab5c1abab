//! Values that change (songs, contacts, places) and values that need not be said.

use crate::lang::Lang;
use crate::speaker::Speaker;
use serde_json::{Map, Value};
use std::fmt::Debug;

/// How a name was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameMatch {
    /// It sounds like it only.
    Sound,
    /// Part of the name, or a near spelling.
    Partial,
    /// One of its names, letter by letter.
    Exact,
}

/// A name that a source knows.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownName {
    /// The name to put into the argument.
    pub name: String,
    /// How it was found.
    pub matched: NameMatch,
}

/// Where the names that an argument takes come from: the service behind the tool knows.
pub trait NameSource: Send + Sync + Debug {
    /// The names that `heard` may mean, best first, few.
    fn look_up(&self, heard: &str, lang: Lang) -> Vec<KnownName>;
}

/// Fills arguments that were not said, from the tool's default or the state of the car ("close the window" with one open). It never overwrites what was said.
pub trait Completion: Send + Sync + Debug {
    /// Adds to `arguments` what is decided without asking; leaves the rest missing.
    fn complete(&self, arguments: &mut Map<String, Value>, speaker: &Speaker);
}
