//! What can be preferred, as names that speech may hold.

use super::catalogue::PreferenceCatalogue;
use crate::names::Fit;
use incar_core::{KnownName, Lang, NameMatch, NameSource};
use std::sync::Arc;

/// The subjects of the catalogue.
#[derive(Debug)]
pub(super) struct Subjects(pub(super) Arc<PreferenceCatalogue>);

impl NameSource for Subjects {
    fn look_up(&self, heard: &str, lang: Lang) -> Vec<KnownName> {
        let Some((subject, fit)) = self.0.named(heard) else {
            return Vec::new();
        };
        let (name, matched) = match fit {
            // As said: it is one of its names.
            Fit::Exact | Fit::Alias => (heard.trim().to_owned(), NameMatch::Exact),
            Fit::Part | Fit::Spelling => (subject.name(lang).to_owned(), NameMatch::Partial),
            Fit::Sound => (subject.name(lang).to_owned(), NameMatch::Sound),
        };
        vec![KnownName { name, matched }]
    }
}
