//! The folder.

use crate::error::FileError;
use crate::path::FilePath;
use cap_fs_ext::{DirExt, FollowSymlinks, MetadataExt, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, OpenOptions};
use cap_tempfile::TempFile;
use std::io::{self, Read, Write};
use std::path::Path;

/// How much of a file is read and written unless set, in bytes.
const LIMIT: u64 = 1 << 20;

/// A folder whose text files can be read and written; nothing outside it can.
#[derive(Debug)]
pub struct Folder {
    dir: Dir,
    limit: u64,
}

/// What writing a file did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    /// There is a new file.
    Created,
    /// A file has other contents than before.
    Replaced,
}

impl Folder {
    /// The folder at `path`, as the host writes it. It must be there.
    ///
    /// # Errors
    /// Where it is not, or cannot be opened.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        Ok(Self {
            dir: Dir::open_ambient_dir(path, ambient_authority())?,
            limit: LIMIT,
        })
    }

    /// The same folder, files of at most so many bytes read and written; 1 MiB unless set.
    #[must_use]
    pub fn with_limit(mut self, bytes: u64) -> Self {
        self.limit = bytes;
        self
    }

    /// The text of a file.
    pub(crate) fn read(&self, path: &FilePath) -> Result<String, FileError> {
        let dir = self.below(&path.folders, Missing::IsAnError)?;
        // Opening a device may do something, so what is there is looked at before it is opened; and again after, since
        // it may have changed in between. A pipe without a writer must not be waited for.
        plain(&dir.symlink_metadata(&path.name).map_err(FileError::of)?)?;
        let mut options = OpenOptions::new();
        options.read(true).follow(FollowSymlinks::No).nonblock(true);
        let file = dir.open_with(&path.name, &options).map_err(FileError::of)?;
        plain(&file.metadata().map_err(FileError::of)?)?;
        let mut bytes = Vec::new();
        file.take(self.limit + 1)
            .read_to_end(&mut bytes)
            .map_err(FileError::of)?;
        self.fits(bytes.len())?;
        String::from_utf8(bytes).map_err(|error| {
            let sound = error.as_bytes().iter().take(error.utf8_error().valid_up_to());
            FileError::NotText {
                line: 1 + sound.filter(|byte| **byte == b'\n').count(),
            }
        })
    }

    /// Writes a file, whole or not at all: its text stands in a file without a name first, and takes the old one's place
    /// in one step. Folders on the way are made.
    pub(crate) fn write(&self, path: &FilePath, text: &str) -> Result<Written, FileError> {
        self.fits(text.len())?;
        let dir = self.below(&path.folders, Missing::IsMade)?;
        let written = match dir.symlink_metadata(&path.name) {
            Ok(there) => plain(&there).map(|()| Written::Replaced)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Written::Created,
            Err(error) => return Err(FileError::of(error)),
        };
        let write = || {
            let mut file = TempFile::new(&dir)?;
            file.write_all(text.as_bytes())?;
            file.as_file().sync_all()?;
            file.replace(&path.name)?;
            // The name is on the disk when the folder is.
            dir.open(".")?.sync_all()
        };
        write().map_err(FileError::of)?;
        Ok(written)
    }

    fn fits(&self, bytes: usize) -> Result<(), FileError> {
        match bytes as u64 <= self.limit {
            true => Ok(()),
            false => Err(FileError::TooLarge { limit: self.limit }),
        }
    }

    /// The folder at the end of a way, no step of which is a link.
    fn below(&self, folders: &[String], missing: Missing) -> Result<Dir, FileError> {
        let mut dir = self.dir.try_clone().map_err(FileError::Io)?;
        for name in folders {
            if missing == Missing::IsMade
                && let Err(error) = dir.create_dir(name)
                && error.kind() != io::ErrorKind::AlreadyExists
            {
                return Err(FileError::of(error));
            }
            if !dir.symlink_metadata(name).map_err(FileError::of)?.is_dir() {
                return Err(FileError::NotPlain);
            }
            dir = dir.open_dir_nofollow(name).map_err(FileError::of)?;
        }
        Ok(dir)
    }
}

/// What becomes of a folder that is not there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Missing {
    IsAnError,
    IsMade,
}

/// Whether something is a file, and has no other name: that one might stand outside the folder.
fn plain(metadata: &Metadata) -> Result<(), FileError> {
    match metadata.is_file() && metadata.nlink() <= 1 {
        true => Ok(()),
        false => Err(FileError::NotPlain),
    }
}
