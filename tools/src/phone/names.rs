//! The names of the phone book, for whoever reads speech.

use super::PhoneService;
use crate::contacts::Callee;
use crate::names::Fit;
use incar_core::{KnownName, Lang, NameMatch, NameSource};
use std::sync::Arc;

/// So many names are given for one.
const MOST_NAMES: usize = 5;

/// People and services by name.
#[derive(Debug)]
pub(super) struct ContactNames(pub(super) Arc<dyn PhoneService>);

impl NameSource for ContactNames {
    fn look_up(&self, heard: &str, lang: Lang) -> Vec<KnownName> {
        let book = self.0.book();
        let (fit, names): (Fit, Vec<String>) = match book.lookup(heard) {
            Some(Callee::People { fit, contacts }) => {
                (fit, contacts.iter().map(|contact| contact.name.clone()).collect())
            }
            Some(Callee::Services { fit, services }) => {
                let name = |names: &[String], number: &str| names.first().map_or(number.to_owned(), String::clone);
                let named = |service: &&crate::contacts::ServiceNumber| {
                    name(lang.pick(&service.zh, &service.en), &service.number)
                };
                (fit, services.iter().map(named).collect())
            }
            None => return Vec::new(),
        };
        let matched = match fit {
            // The driver's own word for somebody stays: 老婆, "mom".
            Fit::Exact | Fit::Alias => {
                let name = heard.trim().to_owned();
                return vec![KnownName {
                    name,
                    matched: NameMatch::Exact,
                }];
            }
            Fit::Part | Fit::Spelling => NameMatch::Partial,
            Fit::Sound => NameMatch::Sound,
        };
        let mut known: Vec<KnownName> = Vec::new();
        for name in names {
            if known.iter().all(|other| other.name != name) {
                known.push(KnownName { name, matched });
            }
        }
        known.truncate(MOST_NAMES);
        known
    }
}
