//! The words by which speech names the tools, read once from the files in `words/`.

use incar_core::words::ToolWords;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// One file for each category; in each, one table for each tool.
const FILES: [&str; 8] = [
    include_str!("../words/car_control.toml"),
    include_str!("../words/navigation.toml"),
    include_str!("../words/music.toml"),
    include_str!("../words/phone.toml"),
    include_str!("../words/weather.toml"),
    include_str!("../words/knowledge.toml"),
    include_str!("../words/preferences.toml"),
    include_str!("../words/booking.toml"),
];

type Words = HashMap<String, Arc<ToolWords>>;

/// The words of the tool with that name; none for an unknown one.
pub(crate) fn of(tool: &str) -> Arc<ToolWords> {
    static WORDS: OnceLock<Words> = OnceLock::new();
    let words = WORDS.get_or_init(|| {
        // A test reads every file, so that none is left out here.
        FILES.iter().filter_map(|file| read(file).ok()).flatten().collect()
    });
    words.get(tool).cloned().unwrap_or_default()
}

fn read(file: &str) -> Result<Words, toml::de::Error> {
    toml::from_str(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_reads_and_no_tool_stands_in_two() {
        let mut seen = std::collections::HashSet::new();
        for file in FILES {
            for tool in read(file).unwrap().into_keys() {
                assert!(seen.insert(tool.clone()), "{tool} stands twice");
            }
        }
        assert!(of("control_window").ask.contains_key("window"));
        assert_eq!(of("no_such_tool"), Arc::default());
    }
}
