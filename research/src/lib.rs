//! Agents that answer hard questions over many rounds: they plan, search, verify and write reports, on the same
//! messages, tools and models as the rest of incar.

mod answer;
mod ask;
mod budget;
mod calls;
mod data;
mod deep;
mod error;
#[cfg(feature = "http")]
pub mod http;
mod id;
mod in_car;
mod json;
mod lines;
mod profile;
mod progress;
mod prompts;
mod react;
mod record;
mod request;
mod researcher;
mod resources;
mod rounds;
mod run;
mod service;
mod sources;
mod storage;
mod team;
mod telemetry;
#[cfg(test)]
mod testing;
mod writing;

pub use answer::{AnswerKind, normalize};
pub use ask::AskError;
pub use budget::{Budget, Left, Spent};
pub use error::{LONGEST_QUESTION, ResearchError};
pub use id::{FileName, NameError, RunId};
pub use in_car::InCar;
pub use lines::answer_line;
pub use profile::ModelProfile;
pub use progress::{PlanStep, Progress, ProgressListener, ProgressSender, StepState};
pub use react::ReactLimits;
pub use record::{Method, RunRecord, ToolUse, Verified};
pub use request::{ResearchAnswer, ResearchRequest, ResearchService};
pub use researcher::Researcher;
pub use resources::{Resources, ToolFault};
pub use sources::{Cited, Source, Sources};
pub use storage::{FolderStorage, MemoryStorage, Storage, StorageError};
pub use team::{LongTermMemory, Plan, PlanFault, Step, StepId, StepReport, TeamSettings, Verdict};
