//! What of a job outlives the process: that there is one, and what it found until that is told.

use super::Jobs;
use incar_core::{Holder, Job, Owner, Record, ResearchFindings, ResearchTask, Seat, Speaker, StoreError, json_fault};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Where jobs are written down.
const SHELF: &str = "research";

/// A job as it is written down.
#[derive(Debug, Serialize, Deserialize)]
struct Saved {
    task: ResearchTask,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    findings: Option<ResearchFindings>,
}

impl Jobs {
    /// Writes a job down. Where that fails the job goes on: what is lost is that a later process knows of it.
    pub(super) async fn save(&self, task: &ResearchTask, findings: Option<&ResearchFindings>) {
        let Some(records) = &self.records else { return };
        let saved = Saved {
            task: task.clone(),
            findings: findings.cloned(),
        };
        let written = match serde_json::to_value(saved) {
            Ok(value) => {
                let record = Record::new(task.id.as_str(), value, self.clock.now());
                records.put(&holder(&task.speaker.owner()), SHELF, record).await
            }
            Err(error) => Err(StoreError::Backend(error.to_string())),
        };
        if let Err(error) = written {
            tracing::error!(%error, "a job could not be written down");
        }
    }

    /// A job is over, and what there is to tell of it is told.
    pub(super) async fn unsave(&self, owner: &Owner, id: &str) {
        let Some(records) = &self.records else { return };
        if let Err(error) = records.delete(&holder(owner), SHELF, id).await {
            tracing::error!(%error, "a job that is over could not be deleted");
        }
    }

    pub(super) async fn unsave_all(&self, owner: &Owner) -> Result<(), StoreError> {
        let Some(records) = &self.records else { return Ok(()) };
        let holder = holder(owner);
        for record in records.list(&holder, SHELF).await? {
            records.delete(&holder, SHELF, &record.key).await?;
        }
        Ok(())
    }

    /// Takes up what a process left in `car` that died: what it had found is told, what can go on does, and the rest is
    /// told to be lost.
    pub(crate) async fn resume(self: &Arc<Self>, car: &str) -> Result<Vec<Job>, StoreError> {
        let Some(records) = &self.records else {
            return Ok(Vec::new());
        };
        let mut jobs = Vec::new();
        for seat in Seat::ALL {
            let owner = Speaker::new(car, seat).owner();
            for record in records.list(&holder(&owner), SHELF).await? {
                if self.table().get_mut(&record.key).is_some() {
                    continue;
                }
                let Saved { task, findings } = match serde_json::from_value(record.value) {
                    Ok(saved) => saved,
                    Err(error) => {
                        tracing::error!(error = json_fault(&error), "a job that was written down cannot be read");
                        continue;
                    }
                };
                let job = match findings {
                    Some(findings) => self.found_before(task, findings),
                    None => self.resumed(task),
                };
                if job.state == incar_core::JobState::Lost {
                    self.unsave(&owner, &job.id).await;
                }
                jobs.push(job);
            }
        }
        Ok(jobs)
    }
}

/// A job belongs to the seat, as the notice of it does.
fn holder(owner: &Owner) -> Holder {
    Holder::Seat(owner.clone())
}
