//! Paths of files below a folder.

use crate::error::FileError;

/// No path is deeper or longer than this.
const DEEPEST: usize = 8;
const LONGEST: usize = 200;

/// A file's path below the folder: the folders on the way, and its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FilePath {
    pub(crate) folders: Vec<String>,
    pub(crate) name: String,
}

impl FilePath {
    /// Reads a path as it is said, `notes/lakes.txt`.
    ///
    /// # Errors
    /// [`FileError::Path`] for one that is absolute, has `.` or `..` in it, names what is hidden, or is none.
    pub(crate) fn parse(text: &str) -> Result<Self, FileError> {
        let text = text.trim();
        let mut folders: Vec<String> = text.split('/').map(str::to_owned).collect();
        let usable = |name: &String| {
            !name.is_empty()
                && name.len() <= LONGEST
                && !name.starts_with('.')
                && name.trim() == name
                && !name.contains(|c: char| c.is_control() || c == '\\')
        };
        match folders.pop() {
            Some(name) if usable(&name) && folders.len() < DEEPEST && folders.iter().all(usable) => {
                Ok(Self { folders, name })
            }
            _ => Err(FileError::Path),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_paths_below_the_folder_are_paths() {
        for (text, folders, name) in [
            ("notes.txt", vec![], "notes.txt"),
            (" 笔记/西湖.md ", vec!["笔记"], "西湖.md"),
            ("a/b/c d", vec!["a", "b"], "c d"),
        ] {
            let path = FilePath::parse(text).unwrap();
            assert_eq!(
                (path.folders, path.name),
                (folders.into_iter().map(str::to_owned).collect(), name.to_owned())
            );
        }
        let deep = "a/".repeat(9) + "b";
        let long = "a".repeat(201);
        for text in [
            "",
            " ",
            "/",
            ".",
            "..",
            "/etc/passwd",
            "../x",
            "a/../../x",
            "a/..",
            "a/./b",
            "a//b",
            "a/",
            "./a",
            ".hidden",
            "a/.git/config",
            "a\0b",
            "a\nb",
            "..\\x",
            "C:\\x",
            "\\\\host\\x",
            "a/ b",
            &deep,
            &long,
        ] {
            assert!(matches!(FilePath::parse(text), Err(FileError::Path)), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn no_path_climbs(text in "[a-z./\\\\ ]{0,12}") {
            if let Ok(path) = FilePath::parse(&text) {
                for name in path.folders.iter().chain([&path.name]) {
                    prop_assert!(!name.starts_with('.') && !name.contains(['/', '\\']) && !name.is_empty());
                }
            }
        }
    }
}
