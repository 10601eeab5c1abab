//! A file that its user alone may read.

use super::schema::OpenError;
use std::fs::{File, OpenOptions};
use std::path::Path;

/// Opens the file for reading and writing, or makes it. What others may read is taken from them; a
/// link is refused: whoever may place one could have the store written elsewhere.
pub(super) fn open_private(path: &Path) -> Result<File, OpenError> {
    if std::fs::symlink_metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(OpenError::NotAFile);
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path).map_err(OpenError::io)?;
    protect(&file, path)?;
    Ok(file)
}

#[cfg(unix)]
fn protect(file: &File, path: &Path) -> Result<(), OpenError> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let opened = file.metadata().map_err(OpenError::io)?;
    // What stands at the path must be what was opened: a link may have come in between.
    let named = std::fs::symlink_metadata(path).map_err(OpenError::io)?;
    if !named.is_file() || (named.dev(), named.ino()) != (opened.dev(), opened.ino()) {
        return Err(OpenError::NotAFile);
    }
    if opened.permissions().mode() & 0o177 != 0 {
        file.set_permissions(PermissionsExt::from_mode(0o600))
            .map_err(OpenError::io)?;
    }
    Ok(())
}

#[cfg(not(unix))]
fn protect(_: &File, _: &Path) -> Result<(), OpenError> {
    Ok(())
}
