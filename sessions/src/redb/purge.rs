//! What is too old goes.

use super::schema::{IDS, JOURNAL, SESSIONS, STATES};
use super::sessions::Head;
use super::{DurableSettings, Inner};
use ::redb::{ReadableTable, WriteTransaction};
use incar_core::{Stage, StoreError, Timestamp};
use std::sync::atomic::Ordering;
use std::time::Duration;

const EVERY: Duration = Duration::from_secs(60 * 60);

impl Inner {
    pub(super) fn purge(&self, now: Timestamp) -> Result<(), StoreError> {
        self.purged.store(now.as_millis(), Ordering::Relaxed);
        self.write(|transaction| Ok(Ok(purge(transaction, &self.settings, now)?)))
    }

    /// Purges where that is due. Should it fail, the next time will do: whoever came for something
    /// else does not suffer.
    pub(super) fn purge_at_times(&self, now: Timestamp) {
        let last = Timestamp::from_millis(self.purged.load(Ordering::Relaxed));
        if now.since(last) >= EVERY {
            // Told by the caller's own work, if the file is at fault.
            let _ = self.purge(now);
        }
    }
}

/// What was said in an expired session goes at once; that it was there stays until its speaker was
/// told, or for the tombstones' age.
pub(super) fn purge(
    transaction: &WriteTransaction,
    settings: &DurableSettings,
    now: Timestamp,
) -> Result<(), ::redb::Error> {
    let mut heads = transaction.open_table(SESSIONS)?;
    let mut ids = transaction.open_table(IDS)?;
    let mut states = transaction.open_table(STATES)?;
    let mut expired = Vec::new();
    for row in heads.iter()? {
        let (key, head) = row?;
        let head = Head::read(head.value());
        if head.expires_at <= now && !head.is_held(now, settings.claim_age) {
            let (owner, number) = key.value();
            expired.push((owner.to_owned(), number, head));
        }
    }
    for (owner, number, head) in expired {
        let forgotten = head.expires_at.plus(settings.tombstone_age) <= now;
        if forgotten || head.stage == Stage::Waiting {
            states.remove((&*owner, number))?;
        }
        if forgotten {
            heads.remove((&*owner, number))?;
            ids.remove((&*owner, &*head.id))?;
        }
    }
    let oldest = now.as_millis().saturating_sub(millis(settings.journal_age));
    let mut journal = transaction.open_table(JOURNAL)?;
    journal.retain(|_, (at, ..)| at >= oldest)?;
    Ok(())
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
