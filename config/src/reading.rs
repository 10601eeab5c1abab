//! What the sections are read with.

use crate::environment::Environment;
use incar_tools::toml_file::{Code, Item, Section};
use std::path::{Path, PathBuf};

/// What the sections are read with.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading<'a> {
    /// Where the file's relative paths begin.
    pub(crate) folder: &'a Path,
    pub(crate) environment: &'a Environment,
}

impl Reading<'_> {
    /// The path at `key`, from the file's folder; from the working directory where a variable says it.
    pub(crate) fn path(&self, section: &Section<'_>, key: &'static str) -> Option<PathBuf> {
        let said_by_variable = section
            .node(key)
            .is_some_and(|node| matches!(node.item(), Item::Variable(_)));
        let path = section.text(key)?;
        Some(if said_by_variable {
            path.into()
        } else {
            self.folder.join(path)
        })
    }

    /// The path at `key` of a file that must be there.
    pub(crate) fn file(&self, section: &Section<'_>, key: &'static str) -> Option<PathBuf> {
        let path = self.path(section, key)?;
        if path.is_file() {
            return Some(path);
        }
        let message = format!("there is no file `{}`", path.display());
        let fix = "check the path; a relative one begins at the configuration's folder";
        section.fault(key, Code::Unreadable, message, fix);
        None
    }
}

/// Tells that `who` has no use for keys that are there.
pub(crate) fn unused(section: &Section<'_>, keys: &[&'static str], who: &str, fix: &str) {
    for key in keys.iter().filter(|key| section.has(key)) {
        section.fault(key, Code::Conflict, format!("{who} has no use for it"), fix);
    }
}

/// A number of things within `range`.
#[cfg(any(feature = "web", feature = "mcp", feature = "research"))]
pub(crate) fn size(section: &Section<'_>, key: &'static str, range: std::ops::RangeInclusive<u32>) -> Option<usize> {
    section
        .integer(key, range)
        .and_then(|number| usize::try_from(number).ok())
}
