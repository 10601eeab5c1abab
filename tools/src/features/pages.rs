//! The head unit's pages and apps.

use serde::{Deserialize, Serialize};

use super::{Lookup, lookup, named};
use crate::data_file::DataError;
use crate::names::NameIndex;
use std::sync::{Arc, LazyLock};

const FILE: &str = "pages.toml";

/// A page or app of the head unit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Page {
    /// Its id.
    pub id: String,
    /// Chinese names, the one to speak first; never empty.
    pub zh: Vec<String>,
    /// English names, the one to speak first; never empty.
    pub en: Vec<String>,
    /// Whether it asks for typing or longer reading, so that it stays shut while the car moves.
    pub needs_typing_or_reading: bool,
}

/// Every page there is.
#[derive(Clone, Debug)]
pub struct PageCatalogue {
    pages: Vec<Page>,
    names: NameIndex<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    page: Vec<Page>,
}

impl PageCatalogue {
    /// The catalogue that ships with the crate.
    ///
    /// # Errors
    /// [`DataError`] where the data file is at fault; the crate's tests hold that it is not.
    pub fn embedded() -> Result<Self, DataError> {
        Self::parse(include_str!("../../data/pages.toml"))
    }

    /// As [`Self::embedded`], read once for the whole process.
    pub(crate) fn shared() -> Result<Arc<Self>, DataError> {
        static SHARED: LazyLock<Result<Arc<PageCatalogue>, DataError>> =
            LazyLock::new(|| PageCatalogue::embedded().map(Arc::new));
        SHARED.clone()
    }

    /// Reads a catalogue in the format of `pages.toml`.
    ///
    /// # Errors
    /// [`DataError`] names the entry and what is wrong with it: a name or id used twice, a list that is empty.
    pub fn parse(text: &str) -> Result<Self, DataError> {
        let File { page: pages } = toml::from_str(text).map_err(|error| DataError::syntax(FILE, &error))?;
        let names = named(FILE, pages.iter().map(|page| (&page.id, &page.zh, &page.en)))?;
        Ok(Self { pages, names })
    }

    /// All pages, sorted by id.
    pub fn pages(&self) -> &[Page] {
        &self.pages
    }

    /// A page by its id.
    pub fn page(&self, id: &str) -> Option<&Page> {
        self.pages.iter().find(|page| page.id == id)
    }

    /// The pages a spoken name fits: exactly, then by a part of the name or with other words about it, then nearly.
    pub fn lookup(&self, said: &str) -> Option<Lookup<'_, Page>> {
        lookup(&self.pages, &self.names, said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Fit;

    #[test]
    fn pages_are_found_by_what_people_say() {
        let pages = PageCatalogue::embedded().unwrap();
        for (said, id) in [
            ("桌面", "home"),
            ("the settings page", "settings"),
            ("tire pressure", "tire_pressure"),
            ("360全景", "camera_360"),
            ("胎压监测的页面", "tire_pressure"),
            ("web browser", "browser"),
            ("应用商电", "app_store"),
            ("energy consumpton", "energy"),
        ] {
            let found = pages.lookup(said).unwrap_or_else(|| panic!("{said}"));
            assert_eq!(found.entries[0].id, id, "{said}");
        }
        assert!(pages.lookup("洗碗机").is_none());
    }

    #[test]
    fn the_catalogue_is_large_sorted_and_its_names_lead_back() {
        let pages = PageCatalogue::embedded().unwrap();
        assert!(pages.pages().len() >= 60);
        assert!(pages.pages().is_sorted_by_key(|page| &page.id));
        for page in pages.pages() {
            for name in page.zh.iter().chain(&page.en) {
                let found = pages.lookup(name).unwrap();
                assert_eq!((found.fit, found.entries), (Fit::Exact, vec![page]), "{name}");
            }
        }
        for (id, expected) in [
            ("browser", true),
            ("settings", true),
            ("navigation", false),
            ("camera_360", false),
        ] {
            assert_eq!(pages.page(id).unwrap().needs_typing_or_reading, expected, "{id}");
        }
    }

    #[test]
    fn a_name_of_two_pages_is_refused() {
        let page = |id: &str| {
            format!("[[page]]\nid = \"{id}\"\nzh = [\"甲\"]\nen = [\"{id}\"]\nneeds_typing_or_reading = true\n")
        };
        assert!(PageCatalogue::parse(&page("a")).is_ok());
        let error = PageCatalogue::parse(&(page("a") + &page("b"))).unwrap_err();
        assert_eq!(error.to_string(), "pages.toml, b: \"甲\" is taken already by \"a\"");
    }
}
