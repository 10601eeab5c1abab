//! What a driver prefers once and for all: told by voice, kept in a [`RecordStore`], consulted by the
//! assistant before it asks.

mod catalogue;
mod delete;
mod list;
mod names;
mod set;
#[cfg(test)]
mod tests;

use crate::DataError;
use catalogue::PreferenceCatalogue;
use incar_core::{
    Bilingual, Effect, Erased, ErrorKind, Holder, Lang, PREFERENCES_SHELF, Preference, Record, RecordStore, StoreError,
    Timestamp, Tool, ToolCategory, ToolError, ToolSpec,
};
use std::fmt;
use std::sync::Arc;

/// The preferences of all speakers, as they are kept.
///
/// Its tools are [`tools`]; a host's settings page uses it directly.
#[derive(Clone)]
pub struct PreferenceBook {
    records: Arc<dyn RecordStore>,
    catalogue: Arc<PreferenceCatalogue>,
}

impl fmt::Debug for PreferenceBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreferenceBook")
            .field("records", &self.records)
            .finish_non_exhaustive()
    }
}

impl PreferenceBook {
    /// The preferences kept in `records`, which the assistant must be given too
    /// (`AssistantBuilder::with_records`).
    ///
    /// # Errors
    /// [`DataError`] where the crate's data file is at fault; the crate's tests hold that it is not.
    pub fn new(records: Arc<dyn RecordStore>) -> Result<Self, DataError> {
        Ok(Self {
            records,
            catalogue: Arc::new(PreferenceCatalogue::embedded()?),
        })
    }

    /// All preferences of a holder, oldest first.
    ///
    /// # Errors
    /// [`StoreError::Backend`].
    pub async fn list(&self, holder: &Holder) -> Result<Vec<Preference>, StoreError> {
        let all = self.records.list(holder, PREFERENCES_SHELF).await?;
        Ok(all.into_iter().filter_map(Preference::from_record).collect())
    }

    /// Deletes one; `None` where there is none.
    ///
    /// # Errors
    /// [`StoreError::Backend`].
    pub async fn delete(&self, holder: &Holder, key: &str) -> Result<Option<Preference>, StoreError> {
        let record = self.records.delete(holder, PREFERENCES_SHELF, key).await?;
        Ok(record.and_then(Preference::from_record))
    }

    /// Keeps one, in place of the one with its key.
    ///
    /// # Errors
    /// [`StoreError::Backend`].
    pub async fn put(&self, holder: &Holder, preference: &Preference, now: Timestamp) -> Result<(), StoreError> {
        let value = serde_json::to_value(preference).map_err(|error| StoreError::Backend(error.to_string()))?;
        let record = Record::new(&*preference.key, value, now);
        self.records.put(holder, PREFERENCES_SHELF, record).await
    }

    /// What to call the subject of a preference.
    fn name<'a>(&'a self, key: &'a str, lang: Lang) -> &'a str {
        self.catalogue.get(key).map_or(key, |subject| subject.name(lang))
    }

    /// What to say of a preference's value.
    fn spoken<'a>(&'a self, preference: &'a Preference, lang: Lang) -> &'a str {
        let subject = self.catalogue.get(&preference.key);
        subject.map_or(&preference.said, |subject| subject.spoken(preference, lang))
    }

    /// The key under which `said` is kept: a subject's id, or the words themselves.
    fn key(&self, said: &str) -> String {
        self.catalogue
            .find(said)
            .map_or_else(|| said.trim().to_owned(), |subject| subject.id.clone())
    }
}

/// `set_preference`, `list_preferences` and `delete_preference`.
pub fn tools(book: &PreferenceBook) -> Vec<Arc<dyn Tool>> {
    vec![
        Arc::new(Erased::new(set::SetPreference(book.clone()))),
        Arc::new(Erased::new(list::ListPreferences(book.clone()))),
        Arc::new(Erased::new(delete::DeletePreference(book.clone()))),
    ]
}

fn spec(name: &'static str, effect: Effect, zh: &str, en: &str) -> ToolSpec {
    ToolSpec::new(name, ToolCategory::PREFERENCES, effect, Bilingual::new(zh, en)).with_words(crate::words::of(name))
}

fn store_failed(lang: Lang) -> ToolError {
    let message = lang.pick(
        "抱歉，偏好设置暂时读不到。",
        "Sorry, I can't reach your preferences right now.",
    );
    ToolError::new(ErrorKind::Store, message)
}
