//! Names of runs and of their files: safe as file names whatever the question was.

use incar_core::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::{Mutex, PoisonError};

/// The longest name of a run, in bytes; the names of its files are longer.
const LONGEST_RUN: usize = 80;
/// The longest name of a file, in bytes.
const LONGEST_FILE: usize = 160;

/// Whether a text can be the name of a file anywhere: letters, digits, `-`, `_` and `.`, not hidden.
fn is_safe(name: &str, longest: usize) -> bool {
    (1..=longest).contains(&name.len())
        && !name.starts_with('.')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
}

/// A text that can be no name of a run or a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no name: use some letters, digits, `-`, `_` and `.`, not too many, not beginning with `.`")]
pub struct NameError(String);

/// A type for one kind of name.
macro_rules! name {
    ($(#[$about:meta])* $name:ident, $longest:expr) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The one of that name.
            ///
            /// # Errors
            /// [`NameError`] for what could be no file's name: a path, something hidden, empty or too long.
            pub fn new(name: impl Into<String>) -> Result<Self, NameError> {
                let name = name.into();
                match is_safe(&name, $longest) {
                    true => Ok(Self(name)),
                    false => Err(NameError(name)),
                }
            }

            /// The name.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl TryFrom<String> for $name {
            type Error = NameError;

            fn try_from(name: String) -> Result<Self, NameError> {
                Self::new(name)
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                name.0
            }
        }
    };
}

name! {
    /// The name of a run.
    RunId, LONGEST_RUN
}

name! {
    /// The name of a file that a run writes.
    FileName, LONGEST_FILE
}

impl RunId {
    /// A name for a run of `question` that begins now; `copy` tells runs of one moment apart.
    pub(crate) fn of(question: &str, now: Timestamp, copy: u32) -> Self {
        // FNV-1a: the same in every version, which the standard library's hash is not.
        let hash = question.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
            (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
        });
        let suffix = if copy == 0 { String::new() } else { format!("-{copy}") };
        Self(format!("run-{}-{hash:08x}{suffix}", now.as_millis()))
    }

    /// A file of this run.
    pub(crate) fn file(&self, rest: &str) -> FileName {
        FileName(format!("{}_{rest}", self.0))
    }
}

/// The names that runs of this moment were given: they may not be written down yet, and no other run may have them.
#[derive(Debug, Default)]
pub(crate) struct GivenNames(Mutex<(Timestamp, Vec<RunId>)>);

impl GivenNames {
    /// Gives `id` to a run that begins now; whether it was free.
    pub(crate) fn give(&self, id: &RunId, now: Timestamp) -> bool {
        let mut given = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (moment, ids) = &mut *given;
        // A name tells its moment: those of another cannot be the same.
        if *moment != now {
            *moment = now;
            ids.clear();
        }
        let is_free = !ids.contains(id);
        if is_free {
            ids.push(id.clone());
        }
        is_free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_are_names() {
        for (name, fits) in [
            ("run-1", true),
            ("trip_2026.md", true),
            ("", false),
            (".hidden", false),
            ("..", false),
            ("a/b", false),
            ("a\\b", false),
            ("a b", false),
            ("a\0", false),
            ("西湖", false),
            (&"a".repeat(161), false),
        ] {
            assert_eq!(RunId::new(name).is_ok(), fits, "{name:?}");
            assert_eq!(FileName::new(name).is_ok(), fits, "{name:?}");
        }
    }

    #[test]
    fn runs_are_told_apart_by_question_moment_and_count() {
        let at = Timestamp::from_millis;
        let first = RunId::of("../../etc/passwd", at(5), 0);
        assert_eq!(RunId::new(first.as_str()), Ok(first.clone()));
        let others = [
            RunId::of("else", at(5), 0),
            RunId::of("../../etc/passwd", at(6), 0),
            RunId::of("../../etc/passwd", at(5), 1),
        ];
        assert!(!others.contains(&first), "{others:?}");
    }

    #[test]
    fn a_name_is_given_once() {
        let (given, id) = (GivenNames::default(), |copy| {
            RunId::of("x", Timestamp::from_millis(5), copy)
        });
        let now = Timestamp::from_millis(5);
        assert!(given.give(&id(0), now));
        assert!(!given.give(&id(0), now));
        assert!(given.give(&id(1), now));
    }
}
