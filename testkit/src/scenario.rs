//! Scenario files: dialogues with what must come of them. A new case is a new file, no Rust.
//!
//! ```toml
//! about = "no window was named"
//! modes = ["brain", "script"]
//!
//! [[step]]
//! say = "打开车窗"
//! model = [{ calls = [{ ask_user = { question = "请问是哪个车窗？", tool = "control_window", slot = "window" } }] }]
//! expect = { status = "WAITING_INPUT", calls = [], pending = "control_window" }
//!
//! [[step]]
//! say = "主驾驶"
//! model = [{ calls = [{ control_window = { window = "driver", action = "open" } }] }, "主驾驶车窗打开了。"]
//! expect = { status = "COMPLETED", calls = [{ control_window = { window = "driver", action = "open" } }] }
//!
//! [[step]]
//! advance = 10
//! expect = { state = { "Vehicle.Cabin.Door.Row1.DriverSide.Window.Position" = 100 } }
//! ```

use crate::model::ScriptedReply;
use crate::research::ResearchStep;
use incar_core::{AgentStatus, ErrorKind, ExpectsReply, FinishReason, JobState, Seat};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A scenario.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Scenario {
    /// What it shows.
    pub about: String,
    /// Who thinks: each mode named is a run of its own.
    pub modes: Vec<Mode>,
    /// What happens, in order.
    #[serde(rename = "step")]
    pub steps: Vec<Step>,
}

/// Who thinks in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Mode {
    /// The embedded brain.
    Brain,
    /// A model that follows the steps' scripts.
    Script,
}

/// One thing that happens, and what must come of it.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Step {
    /// Signals to set before.
    pub set: BTreeMap<String, Value>,
    /// Seconds to let pass before.
    pub advance: u64,
    /// The number from which somebody calls before something is said; unanswered it rings for half a minute.
    pub ring: Option<String>,
    /// What the background research does before something is said, where the stage has a scripted one.
    pub research: Vec<ResearchStep>,
    /// What is said.
    pub say: Option<String>,
    /// From where. By default the driver's seat.
    pub seat: Option<Seat>,
    /// The language tag; by default what the text is in.
    pub locale: Option<String>,
    /// A session id to name; `"last"` is that of the last response.
    pub session: Option<String>,
    /// The model's replies in script mode.
    pub model: Vec<ScriptedReply>,
    /// What must come of it.
    pub expect: Expect,
}

/// What must come of a step. What is not named is not judged.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Expect {
    /// The status.
    pub status: Option<AgentStatus>,
    /// The calls that worked, in order, each `{ tool = { arguments } }`. Calls that only read may
    /// come beside them.
    pub calls: Option<Vec<Map<String, Value>>>,
    /// Tools whose call was refused or failed.
    pub refused: Option<Vec<String>>,
    /// Tools that a policy added.
    pub added: Option<Vec<String>>,
    /// The tool that waits for an answer.
    pub pending: Option<String>,
    /// The arguments still missing.
    pub missing: Option<Vec<String>>,
    /// Arguments that the waiting tool has already.
    pub pending_arguments: Option<Map<String, Value>>,
    /// Whether what waits is a yes.
    pub confirm: Option<bool>,
    /// The call that "yes" would make: `{ tool = { arguments } }`; an empty table: none.
    pub offer: Option<Map<String, Value>>,
    /// One of these stands in the message.
    pub message_has: Vec<String>,
    /// None of these stands in the message.
    pub message_lacks: Vec<String>,
    /// The message, letter by letter.
    pub message: Option<String>,
    /// The prompt, letter by letter.
    pub prompt: Option<String>,
    /// The agent.
    pub agent: Option<String>,
    /// Why the turn ended.
    pub finish: Option<FinishReason>,
    /// Whether a reply is wanted.
    pub expects_reply: Option<ExpectsReply>,
    /// How often the model was asked.
    pub rounds: Option<u32>,
    /// What guards decided, in order, each `"guard: decision"`.
    pub guards: Option<Vec<String>>,
    /// The error.
    pub error: Option<ErrorKind>,
    /// What is to be said unasked since this was last expected: a part of each, in order. It counts as heard.
    pub notices: Option<Vec<String>>,
    /// A part of what is shown of each of them, in order; an empty text: nothing but what is said.
    pub notices_show: Option<Vec<String>>,
    /// How the background work stands that the turn was about.
    pub job: Option<JobState>,
    /// All of these stand in what is shown of the reply.
    pub display_has: Vec<String>,
    /// Signals after the step.
    pub state: BTreeMap<String, Value>,
    /// Script mode: all of these stand in the last request's messages.
    pub model_saw: Vec<String>,
    /// Script mode: whether the last request offered tools.
    pub model_had_tools: Option<bool>,
}

/// Why a scenario file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// The file cannot be opened.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file is no scenario.
    #[error("{path}: {source}")]
    Format {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: Box<toml::de::Error>,
    },
}

impl Scenario {
    /// Reads one file.
    ///
    /// # Errors
    /// [`LoadError`], which names the file and the line.
    pub fn read(path: &Path) -> Result<Self, LoadError> {
        let text = std::fs::read_to_string(path).map_err(|source| LoadError::Io {
            path: path.into(),
            source,
        })?;
        toml::from_str(&text).map_err(|source| LoadError::Format {
            path: path.into(),
            source: Box::new(source),
        })
    }

    /// Reads all `.toml` files below `folder`, by path.
    ///
    /// # Errors
    /// [`LoadError`] for the first file that cannot be read.
    pub fn read_all(folder: &Path) -> Result<Vec<(PathBuf, Self)>, LoadError> {
        let io = |source| LoadError::Io {
            path: folder.into(),
            source,
        };
        let mut paths = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(io)? {
            paths.push(entry.map_err(io)?.path());
        }
        paths.sort();
        let mut scenarios = Vec::new();
        for path in paths {
            if path.is_dir() {
                scenarios.extend(Self::read_all(&path)?);
            } else if path.extension().is_some_and(|extension| extension == "toml") {
                let scenario = Self::read(&path)?;
                scenarios.push((path, scenario));
            }
        }
        Ok(scenarios)
    }
}
