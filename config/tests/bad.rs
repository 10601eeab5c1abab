//! Every file under `bad/` is refused with exactly the errors that it says.
//!
//! A line `#! text` is an error: it begins with `:line` where it is the file's, and with a variable's name where it is
//! that one's; `?` before it: the error only begins so. A line `#$ NAME=value` sets an environment variable.

use incar_config::{Config, Environment};
use std::path::Path;

#[test]
fn every_bad_file_gets_the_errors_that_it_says() {
    let folder = Path::new("tests/bad");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    assert!(files.len() >= 20);
    let mut failed = Vec::new();
    for path in files {
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
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
        if wanted.len() != found.lines().count() || !wanted.iter().zip(found.lines()).all(fits) {
            failed.push(format!(
                "{name}\n  wanted {}\n  found  {}",
                wanted.join("\n         "),
                found.replace('\n', "\n         ")
            ));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
