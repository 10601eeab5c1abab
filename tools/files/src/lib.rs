//! Text files of one folder: `view_text_file` and `write_text_file`, and no way out of it.
//!
//! A [`Folder`] is opened once; whatever is asked for is looked up below it, component by component, by the system's own
//! means (`cap-std`), so that neither `..`, an absolute path nor a link leads elsewhere, also not one that is put there
//! in the middle of a look-up. Links of any kind, devices, pipes and hidden files are refused.
//!
//! ```
//! use incar_files::{Folder, tools};
//!
//! let place = tempfile::tempdir()?;
//! let tools = tools(Folder::open(place.path())?);
//! assert_eq!(tools.len(), 2);
//! # Ok::<(), std::io::Error>(())
//! ```

mod error;
mod folder;
mod path;
#[cfg(test)]
mod tests;
mod view;
mod write;

pub use error::FileError;
pub use folder::Folder;

use incar_core::words::ToolWords;
use incar_core::{Bilingual, Effect, Erased, ErrorKind, Tool, ToolCategory, ToolContext, ToolError, ToolSpec};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

const TIMEOUT: Duration = Duration::from_secs(10);

/// The tools over this folder.
pub fn tools(folder: Folder) -> Vec<Arc<dyn Tool>> {
    let folder = Arc::new(folder);
    vec![
        Arc::new(Erased::new(view::ViewTextFile(folder.clone()))),
        Arc::new(Erased::new(write::WriteTextFile(folder))),
    ]
}

/// A spec of this crate, with the tool's words. Files hold what was read elsewhere.
fn spec(name: &'static str, effect: Effect, zh: &str, en: &str) -> ToolSpec {
    static WORDS: OnceLock<HashMap<String, Arc<ToolWords>>> = OnceLock::new();
    // A test holds that the file can be read.
    let words = WORDS.get_or_init(|| toml::from_str(include_str!("../words.toml")).unwrap_or_default());
    ToolSpec::new(name, ToolCategory::KNOWLEDGE, effect, Bilingual::new(zh, en))
        .with_timeout(TIMEOUT)
        .with_words(words.get(name).cloned().unwrap_or_default())
        .untrusted()
}

/// Works on the folder where waiting for a disk holds nobody else up.
async fn on_disk<T: Send + 'static>(
    cx: ToolContext<'_>,
    work: impl FnOnce() -> Result<T, FileError> + Send + 'static,
) -> Result<T, ToolError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done.map_err(|error| error.spoken(cx.lang)),
        Err(error) => Err(ToolError::new(ErrorKind::Internal, error.to_string())),
    }
}
