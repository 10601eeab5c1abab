//! What is spoken in the car and leaves it only as a handle: somebody's phone number.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// A private text and the handle that stands for it wherever a model reads.
///
/// A tool gives it with its result ([`ToolOutput::private`](crate::ToolOutput::private)), which has the
/// handle in its value and may have the text in its sentence. A reply that has the handle is spoken with
/// the text; one that has the text is kept with the handle.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Private {
    /// Stands for it: opaque, and found in no other text.
    pub handle: String,
    /// What only the driver and the host are told.
    pub text: String,
}

impl Private {
    /// `handle` stands for `text`.
    pub fn new(handle: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            handle: handle.into(),
            text: text.into(),
        }
    }
}

/// `text` as it is spoken.
pub(crate) fn reveal<'a>(text: &str, all: impl Iterator<Item = &'a Private>) -> String {
    replace(text, all.map(|one| (one.handle.as_str(), one.text.as_str())))
}

/// `text` as it is kept.
pub(crate) fn conceal<'a>(text: &str, all: impl Iterator<Item = &'a Private>) -> String {
    replace(text, all.map(|one| (one.text.as_str(), one.handle.as_str())))
}

fn replace<'a>(text: &str, all: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut text = Cow::Borrowed(text);
    for (from, to) in all {
        if !from.is_empty() && text.contains(from) {
            text = text.replace(from, to).into();
        }
    }
    text.into_owned()
}
