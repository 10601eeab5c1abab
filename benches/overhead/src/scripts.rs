//! What is said, and what the service makes of it.

/// How the service answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    /// One JSON object.
    Plain,
    /// Server-sent events.
    Stream,
}

impl Transport {
    pub(crate) fn named(name: &str) -> Option<Self> {
        match name {
            "plain" => Some(Self::Plain),
            "stream" => Some(Self::Stream),
            _ => None,
        }
    }
}

/// A conversation: what is said, and the replies to it. Before its last reply the service looks these places up.
#[derive(Debug)]
pub(crate) struct Script {
    name: &'static str,
    pub(crate) turns: &'static [(&'static str, &'static str)],
    pub(crate) looked_up: &'static [&'static str],
}

const SCRIPTS: [Script; 3] = [
    Script {
        name: "single",
        turns: &[("take me to the old lighthouse", "Off to the old lighthouse.")],
        looked_up: &["old lighthouse"],
    },
    Script {
        name: "clarify",
        turns: &[
            ("I would like to go somewhere", "Which place shall it be?"),
            ("the old lighthouse", "Off to the old lighthouse."),
        ],
        looked_up: &["old lighthouse"],
    },
    Script {
        name: "loop5",
        turns: &[("a round trip of four lighthouses", "Your round trip is planned.")],
        looked_up: &["north light", "east light", "south light", "west light"],
    },
];

impl Script {
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        SCRIPTS.iter().find(|script| script.name == name)
    }

    /// The script that begins with these words.
    pub(crate) fn opened_by(said: &str) -> Option<&'static Self> {
        SCRIPTS.iter().find(|script| script.opening() == said)
    }

    pub(crate) fn opening(&self) -> &'static str {
        self.turns.first().map_or("", |(said, _)| said)
    }
}

pub(crate) const TOOL: &str = "find_place";
pub(crate) const TOOL_ABOUT: &str = "Find a place by its name";
pub(crate) const TOOL_QUERY_ABOUT: &str = "The name of the place.";

/// What the tool finds.
pub(crate) fn found(query: &str) -> String {
    format!(r#"{{"name":"{query}","latitude":48.4747,"longitude":-5.0964}}"#)
}
