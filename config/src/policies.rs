//! `[policies]`: what is allowed, and to whom.

use crate::reading::Reading;
use incar_tools::policy::{Facts, Permissions, PolicyLayers};
use incar_tools::toml_file::{Diagnostics, Section, read_text};
use std::path::PathBuf;

/// Which policies hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct PolicyFiles {
    /// Whether those that ship with incar do.
    pub shipped: Shipped,
    /// A maker's own, loaded over them.
    pub file: Option<PathBuf>,
    /// What which seat may do.
    pub permissions: Option<PathBuf>,
}

/// Whether the policies that ship with incar hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shipped {
    /// They do.
    #[default]
    Loaded,
    /// They do not: the maker's file is all there is.
    LeftOut,
}

pub(crate) fn read(section: Section<'_>, reading: Reading<'_>) -> PolicyFiles {
    let files = PolicyFiles {
        shipped: match section.flag("shipped") {
            Some(false) => Shipped::LeftOut,
            Some(true) | None => Shipped::Loaded,
        },
        file: reading.file(&section, "file"),
        permissions: reading.file(&section, "permissions"),
    };
    section.finish();
    files
}

impl PolicyFiles {
    /// The maker's file over `layers`.
    pub(crate) fn over(&self, layers: PolicyLayers) -> Result<PolicyLayers, Diagnostics> {
        Ok(match &self.file {
            Some(path) => layers.over(path.display().to_string(), read_text(path)?),
            None => layers,
        })
    }

    pub(crate) fn permissions(&self, facts: &Facts) -> Result<Permissions, Diagnostics> {
        match &self.permissions {
            Some(path) => Permissions::from_toml(&path.display().to_string(), &read_text(path)?, facts.clone()),
            None => Ok(Permissions::none(facts.clone())),
        }
    }
}
