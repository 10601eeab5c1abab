//! The names of places, for whoever reads what the driver says.

use super::favorite::Favorite;
use super::finder::Finder;
use crate::places::{Category, Gazetteer};
use incar_core::{KnownName, Lang, NameMatch, NameSource};
use std::sync::Arc;

/// So many names are given.
const MOST_NAMES: usize = 3;

/// The places of a [`Gazetteer`] as a source of names. Looks names up and compares none, so that a name that is not
/// there costs microseconds: slips of spelling and parts of names are left to the search of the tool that runs.
#[derive(Debug, Clone, Copy)]
pub struct PlaceNames(&'static Gazetteer);

impl PlaceNames {
    /// The names of a gazetteer.
    pub fn new(gazetteer: &'static Gazetteer) -> Self {
        Self(gazetteer)
    }
}

impl NameSource for PlaceNames {
    fn look_up(&self, heard: &str, _: Lang) -> Vec<KnownName> {
        let heard = heard.trim();
        let is_favorite = !matches!(Favorite::of_words(heard), Favorite::Named(_));
        // What is known in the driver's own words stays as it was said: the tool finds the same place.
        if is_favorite || Category::named(heard).is_some() || self.0.has_name(heard) {
            return vec![KnownName {
                name: heard.to_owned(),
                matched: NameMatch::Exact,
            }];
        }
        let sounding = self.0.names_sounding_like(heard).into_iter().take(MOST_NAMES);
        sounding
            .map(|name| KnownName {
                name: name.to_owned(),
                matched: NameMatch::Sound,
            })
            .collect()
    }
}

impl Finder {
    /// The names of places, for an argument that is one.
    pub(super) fn names(&self) -> Arc<dyn NameSource> {
        Arc::new(PlaceNames::new(Gazetteer::embedded()))
    }
}
