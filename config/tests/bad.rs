//! Every file under `bad/` is refused with exactly the errors that it says; those in its folders, by a build with that
//! feature, and those in `without/` by one that does not have it.
//!
//! A line `#! text` is an error: it begins with `:line` where it is the file's, and with a variable's name where it is
//! that one's; `?` before it: the error only begins so. A line `#$ NAME=value` sets an environment variable.
#![allow(clippy::unwrap_used, reason = "a test fails loudly")]

use incar_config::{Config, Environment};
use std::path::Path;

/// Reads the files of a folder; their count is known, so that none is forgotten.
fn check(folder: &str, at_least: usize) {
    let folder = Path::new("tests/bad").join(folder);
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    files.sort();
    assert!(files.len() >= at_least, "{}: {}", folder.display(), files.len());
    let failed: Vec<String> = files.iter().filter_map(|path| fault(&folder, path)).collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// What is told of a file otherwise than it says.
fn fault(folder: &Path, path: &Path) -> Option<String> {
    let name = path.file_name().unwrap().to_str().unwrap();
    let text = std::fs::read_to_string(path).unwrap();
    let lines = |mark: &'static str| text.lines().filter_map(move |line| line.strip_prefix(mark));
    let environment: Environment = lines("#$ ").map(|line| line.split_once('=').unwrap()).collect();
    let found = match Config::from_toml(name, &text, folder, &environment) {
        Ok(_) => "nothing".to_owned(),
        Err(wrong) => wrong.to_string(),
    };
    assert!(!found.contains("must-not-be-shown"), "{name} shows a secret: {found}");
    let wanted: Vec<&str> = lines("#! ").collect();
    let fits = |(wanted, found): (&&str, &str)| match wanted.strip_prefix('?') {
        Some(start) => found.strip_prefix(name).unwrap_or(found).starts_with(start),
        None => *wanted == found || found.strip_prefix(name) == Some(*wanted),
    };
    let all = wanted.len() == found.lines().count() && wanted.iter().zip(found.lines()).all(fits);
    (!all).then(|| {
        format!(
            "{name}\n  wanted {}\n  found  {}",
            wanted.join("\n         "),
            found.replace('\n', "\n         ")
        )
    })
}

#[test]
fn every_bad_file_gets_the_errors_that_it_says() {
    check("", 44);
}

#[test]
#[cfg(feature = "web")]
fn what_is_wrong_with_the_web_is_told() {
    check("web", 18);
}

#[test]
#[cfg(feature = "mcp")]
fn what_is_wrong_with_mcp_servers_is_told() {
    check("mcp", 20);
}

#[test]
#[cfg(all(feature = "research", feature = "web", feature = "mcp"))]
fn what_is_wrong_with_research_is_told() {
    check("research", 10);
}

#[test]
#[cfg(not(any(feature = "web", feature = "mcp", feature = "research")))]
fn a_section_whose_feature_is_not_there_is_told() {
    check("without", 4);
}
