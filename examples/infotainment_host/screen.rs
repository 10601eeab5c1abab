//! A fake screen: a task that prints what a dashboard would show, in 80 columns.
//!
//! It is fed through a channel, so that drawing never holds up a turn, and what was sent before the end is drawn before
//! the process leaves.

use incar::{AgentResponse, Seat, TurnEvent};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

const COLUMNS: usize = 80;
/// The column in which texts start.
const MARGIN: usize = 9;

/// Something to show.
#[derive(Debug)]
pub(crate) enum Shown {
    /// The microphone of a seat heard something.
    Heard(Seat, String),
    /// Something happened in a turn.
    Turn(TurnEvent),
    /// The journal was written.
    Journal(String),
    /// The host has something to say.
    Host(String),
    /// A remark of the script.
    Remark(String),
}

/// Where to send what is to be shown.
#[derive(Debug, Clone)]
pub(crate) struct Screen(mpsc::UnboundedSender<Shown>);

impl Screen {
    /// Switches the screen on. Its task ends when the last handle is gone and everything is drawn.
    pub(crate) fn start() -> (Self, JoinHandle<()>) {
        let (sender, mut shown) = mpsc::unbounded_channel();
        let drawing = tokio::spawn(async move {
            while let Some(next) = shown.recv().await {
                for line in lines(&next) {
                    println!("{line}");
                }
            }
        });
        (Self(sender), drawing)
    }

    /// A screen whose pictures go to `sender`, for tests to look at.
    #[cfg(test)]
    pub(crate) fn sending_to(sender: mpsc::UnboundedSender<Shown>) -> Self {
        Self(sender)
    }

    pub(crate) fn show(&self, shown: Shown) {
        // A screen that is gone is no reason to fail.
        let _ = self.0.send(shown);
    }

    pub(crate) fn host(&self, text: impl Into<String>) {
        self.show(Shown::Host(text.into()));
    }
}

fn lines(shown: &Shown) -> Vec<String> {
    match shown {
        Shown::Heard(seat, text) => {
            let mut lines = vec![String::new()];
            lines.extend(block("listen", &format!("[{seat}] {text}")));
            lines
        }
        Shown::Remark(remark) => {
            let mut lines = vec![String::new()];
            lines.extend(block("#", remark));
            lines
        }
        Shown::Journal(line) => block("journal", line),
        Shown::Host(line) => block("host", line),
        Shown::Turn(event) => match event {
            TurnEvent::Round { number: 1 } => block("think", "..."),
            TurnEvent::ToolStarted { name, arguments, .. } => block("tool", &format!("{name} {arguments}")),
            TurnEvent::Bound { reason } => block("think", &format!("stopped: {reason:?}")),
            TurnEvent::Done { response } => spoken(response),
            // `Delta` is for a voice that starts before the sentence ends, `Question` for a bubble on the map: this
            // screen shows whole sentences, and they come with `Done`.
            _ => Vec::new(),
        },
    }
}

fn spoken(response: &AgentResponse) -> Vec<String> {
    let mut lines = block("speak", &response.message);
    let decisions = response.data.decisions.iter();
    let decided: Vec<String> = decisions
        .map(|made| format!("{} by {}", made.decision, made.id))
        .collect();
    let status = format!("{} ({})", response.status.as_str(), response.agent);
    let facts: Vec<String> = std::iter::once(status).chain(decided).collect();
    lines.extend(block("", &facts.join("; ")));
    lines
}

/// A text under a heading at its left, broken where the line is full. Chinese characters take two columns.
fn block(heading: &str, text: &str) -> Vec<String> {
    let mut lines = vec![format!("{heading:<MARGIN$}")];
    for word in text.split_inclusive([' ', ',', '，', '。']) {
        let mut room = COLUMNS.saturating_sub(lines.last().map_or(0, |line| line.width()));
        if word.trim_end().width() > room {
            lines.push(" ".repeat(MARGIN));
            room = COLUMNS - MARGIN;
        }
        for c in word.chars() {
            let width = c.width().unwrap_or(0);
            if width > room && c != ' ' {
                lines.push(" ".repeat(MARGIN));
                room = COLUMNS - MARGIN;
            }
            room = room.saturating_sub(width);
            if let Some(line) = lines.last_mut() {
                line.push(c);
            }
        }
    }
    lines.iter().map(|line| line.trim_end().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_wider_than_the_screen_and_nothing_is_lost() {
        for text in [
            "short".to_owned(),
            "字".repeat(100),
            "word ".repeat(60),
            format!("{}\u{3002}", "x".repeat(200)),
            r#"{"key":"value",}"#.repeat(12),
        ] {
            let lines = block("speak", &text);
            assert!(lines.iter().all(|line| line.width() <= COLUMNS), "{lines:#?}");
            let kept: String = lines.concat().replace("speak", "").replace(' ', "");
            assert_eq!(kept, text.replace(' ', ""));
        }
    }
}
