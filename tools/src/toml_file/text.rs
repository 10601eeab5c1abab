//! The text of a file that a maker names.

use super::diagnostic::{Code, Diagnostic, Diagnostics, Place};
use std::path::Path;

/// The text of the file at `path`, whatever it is written in.
///
/// # Errors
/// [`Code::Unreadable`].
pub fn read_text(path: &Path) -> Result<String, Diagnostics> {
    std::fs::read_to_string(path).map_err(|error| {
        let place = Place::whole(path.display().to_string());
        let message = format!("the file cannot be read: {error}");
        Diagnostic::new(place, "", Code::Unreadable, message, "check the path").into()
    })
}
