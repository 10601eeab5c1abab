//! Why a file was not read or written.

use incar_core::{ErrorKind, Lang, ToolError};
use std::io;

/// Why a file was not read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The path is none of a file below the folder: absolute, with `..`, hidden, or no path at all.
    #[error("the path leads out of the folder or is none")]
    Path,
    /// There is no such file.
    #[error("there is no such file")]
    NotFound,
    /// What is there is no plain file: a folder, a link, a device, a pipe.
    #[error("that is no plain file")]
    NotPlain,
    /// It is longer than is read or written.
    #[error("longer than {limit} bytes")]
    TooLarge {
        /// How much is read and written, in bytes.
        limit: u64,
    },
    /// It is no text in UTF-8.
    #[error("no UTF-8 text: wrong in line {line}")]
    NotText {
        /// The first line that is none.
        line: usize,
    },
    /// The disk, or a permission.
    #[error("the file cannot be reached: {0}")]
    Io(io::Error),
}

impl FileError {
    /// An error of the system, as what it means here.
    pub(crate) fn of(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::NotFound,
            io::ErrorKind::NotADirectory | io::ErrorKind::IsADirectory => Self::NotPlain,
            // A path that the system finds to lead out of the folder.
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidFilename => Self::Path,
            _ => Self::Io(error),
        }
    }

    pub(crate) fn spoken(&self, lang: Lang) -> ToolError {
        let (kind, zh, en) = match self {
            Self::Path => (
                ErrorKind::Denied,
                "只能读写指定文件夹里的文件。",
                "I can only reach files inside the folder.",
            ),
            Self::NotFound => (ErrorKind::NotFound, "没有这个文件。", "There is no such file."),
            Self::NotPlain => (ErrorKind::Denied, "这不是普通文件。", "That is not a plain file."),
            Self::TooLarge { .. } => (ErrorKind::OutOfRange, "文件太大了。", "That is too large."),
            Self::NotText { .. } => (
                ErrorKind::Unsupported,
                "这不是文本文件，我读不了。",
                "That is not a text file, so I can't read it.",
            ),
            Self::Io(_) => (
                ErrorKind::ToolFailed,
                "文件读写出错了。",
                "Something went wrong with the file.",
            ),
        };
        ToolError::new(kind, lang.pick(zh, en))
    }
}
