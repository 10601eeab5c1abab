//! Effects: what was about to be done, and what came of it.

use super::settings::millis;
use super::{RedisStore, scripts, strange};
use crate::keys;
use async_trait::async_trait;
use incar_core::{Conclusion, Intent, Journal, JournalEntry, JournalError, Outcome, Owner};
use std::fmt::Display;

fn failed(error: impl Display) -> JournalError {
    JournalError(error.to_string())
}

impl RedisStore {
    /// Says how long the owner's name is, so that owner and key cannot run into each other.
    fn entry_prefix(&self, owner: &Owner) -> String {
        let owner_key = keys::of_owner(owner);
        format!("{}:effect:{}:{owner_key}:", self.settings.prefix, owner_key.len())
    }
}

#[async_trait]
impl Journal for RedisStore {
    async fn intend(&self, intent: Intent) -> Result<(), JournalError> {
        let written = serde_json::to_string(&intent).map_err(failed)?;
        let answer: Result<Vec<String>, _> = self
            .invoke(
                scripts::INTEND
                    .key(self.entry_prefix(&intent.owner) + &intent.key)
                    .key(self.key("effects", &intent.owner))
                    .arg(&intent.key)
                    .arg(written)
                    .arg(millis(self.settings.journal_age)),
            )
            .await;
        answer.map(drop).map_err(failed)
    }

    async fn conclude(&self, owner: &Owner, key: &str, conclusion: Conclusion) -> Result<(), JournalError> {
        let answer: Vec<String> = self
            .invoke(
                scripts::CONCLUDE
                    .key(self.entry_prefix(owner) + key)
                    .arg(serde_json::to_string(&conclusion.outcome).map_err(failed)?)
                    .arg(conclusion.result)
                    .arg(serde_json::to_string(&Outcome::Unknown).map_err(failed)?),
            )
            .await
            .map_err(failed)?;
        match answer.first().map(String::as_str) {
            Some("ok") => Ok(()),
            Some("taken") => Err(failed(format_args!("`{key}` is concluded already"))),
            Some("unknown") => Err(failed(format_args!("there is no intent `{key}`"))),
            other => Err(failed(strange(other.unwrap_or_default()))),
        }
    }

    async fn find(&self, owner: &Owner, key: &str) -> Result<Option<JournalEntry>, JournalError> {
        let answer: Vec<String> = self
            .invoke(&scripts::FIND.key(self.entry_prefix(owner) + key))
            .await
            .map_err(failed)?;
        let (intent, conclusion) = match answer.as_slice() {
            [] => return Ok(None),
            [intent] => (intent, None),
            [intent, outcome, result] => {
                let outcome = serde_json::from_str(outcome).map_err(failed)?;
                (intent, Some(Conclusion::new(outcome, result.as_str())))
            }
            _ => return Err(failed(strange("an entry of another shape"))),
        };
        let intent = serde_json::from_str(intent).map_err(failed)?;
        Ok(Some(JournalEntry::new(intent, conclusion)))
    }

    async fn forget(&self, owner: &Owner) -> Result<(), JournalError> {
        let answer: Result<Vec<String>, _> = self
            .invoke(
                scripts::FORGET_ENTRIES
                    .key(self.key("effects", owner))
                    .arg(self.entry_prefix(owner)),
            )
            .await;
        answer.map(drop).map_err(failed)
    }
}
