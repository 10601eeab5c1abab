//! Effects: what was about to be done, and what came of it.

use super::DurableStore;
use super::schema::{JOURNAL, JournalRow};
use crate::keys;
use ::redb::ReadableTable;
use async_trait::async_trait;
use incar_core::{Conclusion, Intent, Journal, JournalEntry, JournalError, Owner, StoreError, json_fault};

type Row<'a> = <JournalRow as ::redb::Value>::SelfType<'a>;

fn entry((_, intent, outcome, result): Row<'_>) -> Result<JournalEntry, serde_json::Error> {
    let conclusion = match outcome {
        "" => None,
        outcome => Some(Conclusion::new(serde_json::from_str(outcome)?, result)),
    };
    Ok(JournalEntry::new(serde_json::from_str(intent)?, conclusion))
}

fn failed(error: impl std::fmt::Display) -> JournalError {
    JournalError(error.to_string())
}

fn unreadable(error: serde_json::Error) -> StoreError {
    StoreError::Backend(format!("a journal entry cannot be read: {}", json_fault(&error)))
}

#[async_trait]
impl Journal for DurableStore {
    async fn intend(&self, intent: Intent) -> Result<(), JournalError> {
        let written = serde_json::to_string(&intent).map_err(failed)?;
        self.run(move |inner| {
            inner.purge_at_times(intent.at);
            let owner = keys::of_owner(&intent.owner);
            inner.write(|transaction| {
                let mut journal = transaction.open_table(JOURNAL)?;
                journal.insert((&*owner, &*intent.key), (intent.at.as_millis(), &*written, "", ""))?;
                Ok(Ok(()))
            })
        })
        .await
        .map_err(failed)
    }

    async fn conclude(&self, owner: &Owner, key: &str, conclusion: Conclusion) -> Result<(), JournalError> {
        let outcome = serde_json::to_string(&conclusion.outcome).map_err(failed)?;
        let (owner, key) = (keys::of_owner(owner), key.to_owned());
        self.run(move |inner| {
            inner.write(|transaction| {
                let mut journal = transaction.open_table(JOURNAL)?;
                let found = journal
                    .get((&*owner, &*key))?
                    .map(|row| (row.value().0, row.value().1.to_owned(), entry(row.value())));
                let told = |problem: &str| Ok(Err(StoreError::Backend(format!("{problem} `{key}`"))));
                match found {
                    None => told("there is no intent"),
                    Some((.., Ok(entry))) if !entry.in_doubt() => told("concluded already:"),
                    Some((at, intent, _)) => {
                        journal.insert((&*owner, &*key), (at, &*intent, &*outcome, &*conclusion.result))?;
                        Ok(Ok(()))
                    }
                }
            })
        })
        .await
        .map_err(failed)
    }

    async fn find(&self, owner: &Owner, key: &str) -> Result<Option<JournalEntry>, JournalError> {
        let (owner, key) = (keys::of_owner(owner), key.to_owned());
        self.run(move |inner| {
            inner.read(|transaction| {
                let journal = transaction.open_table(JOURNAL)?;
                let row = journal.get((&*owner, &*key))?;
                Ok(row.map(|row| entry(row.value())).transpose().map_err(unreadable))
            })
        })
        .await
        .map_err(failed)
    }

    async fn forget(&self, owner: &Owner) -> Result<(), JournalError> {
        let owner = keys::of_owner(owner);
        self.run(move |inner| {
            inner.write(|transaction| {
                let mut journal = transaction.open_table(JOURNAL)?;
                journal.retain_in((&*owner, "").., |(of, _), _| of != owner)?;
                Ok(Ok(()))
            })
        })
        .await
        .map_err(failed)
    }
}
