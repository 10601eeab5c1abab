//! A run's progress on the terminal.

use crate::out::note;
use incar::Outcome;
use incar::research::{Left, PlanStep, Progress, ProgressListener, StepState};
use std::io::Write;

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// Lines, and below them one that is written over: what is done now, and what is left.
    Live,
    /// Lines alone.
    Lines,
    /// Lines of ASCII marks.
    Plain,
}

/// Shows what a run tells, on standard error.
#[derive(Debug)]
pub(crate) struct View {
    look: Look,
    step: String,
    spent: String,
}

impl View {
    pub(crate) fn new(look: Look) -> Self {
        Self {
            look,
            step: String::new(),
            spent: String::new(),
        }
    }

    /// Shows a run until it ends.
    pub(crate) async fn show<T>(mut self, mut listener: ProgressListener, run: impl Future<Output = T>) -> T {
        tokio::pin!(run);
        let came = loop {
            tokio::select! {
                biased;
                event = listener.next() => if let Some(event) = event { self.tell(&event) },
                came = &mut run => break came,
            }
        };
        while let Some(event) = listener.try_next() {
            self.tell(&event);
        }
        if !self.spent.is_empty() {
            self.line(&self.spent);
        }
        came
    }

    fn tell(&mut self, event: &Progress) {
        let mark = |symbol, plain| if self.look == Look::Plain { plain } else { symbol };
        match event {
            Progress::Started { id, question, resumed } => {
                let how = if *resumed { " (resumed)" } else { "" };
                self.line(&format!("{} {question}\n  {id}{how}", mark("❯", ">")));
            }
            Progress::Planned {
                objective,
                depth,
                steps,
            } => {
                self.line(&format!("{} {depth}: {objective}", mark("▤", "plan")));
                for step in steps {
                    self.line(&format!("    {} {}", self.tick(step), step.text));
                }
            }
            Progress::Round { number } => self.step = format!("round {number}"),
            Progress::Working { step } => self.step.clone_from(step),
            Progress::Called { tool, about } => self.step = format!("{tool} {about}"),
            Progress::Answered { tool, outcome } => {
                let tick = match outcome {
                    Outcome::Ok => mark("✓", "ok"),
                    _ => mark("✗", outcome.as_str()),
                };
                self.line(&format!("  {tick} {tool}"));
            }
            Progress::Found { sources } => {
                for source in sources {
                    self.line(&format!("    [{}] {} {}", source.number, source.title, source.url));
                }
            }
            Progress::Spent { usage, left } => {
                self.spent = format!("{} tokens; left: {}", usage.total(), in_words(left))
            }
            Progress::Wrote { file } => self.line(&format!("  {} {file}", mark("✎", "wrote"))),
            Progress::Finished { reason } => {
                let reason = serde_json::to_value(reason).unwrap_or_default();
                self.line(&format!("{} {}", mark("■", "end"), reason.as_str().unwrap_or_default()));
            }
            Progress::Missed { events } => self.line(&format!("  ({events} events were missed)")),
            _ => {}
        }
        self.status();
    }

    fn tick(&self, step: &PlanStep) -> &'static str {
        let (symbol, plain) = match step.state {
            StepState::Done => ("☑", "[x]"),
            StepState::Running => ("▶", "[>]"),
            StepState::Failed => ("☒", "[!]"),
            _ => ("☐", "[ ]"),
        };
        if self.look == Look::Plain { plain } else { symbol }
    }

    /// A line above the one that is written over.
    fn line(&self, text: &str) {
        let clear = if self.look == Look::Live { "\r\u{1b}[2K" } else { "" };
        note(format_args!("{clear}{text}"));
    }

    fn status(&self) {
        if self.look == Look::Live {
            let begin: String = self.step.chars().take(30).collect();
            // Progress that cannot be shown holds nothing up.
            let _unshown = write!(std::io::stderr(), "\r\u{1b}[2K  … {begin} · {}", self.spent);
        }
    }
}

fn in_words(left: &Left) -> String {
    let seconds = left.time.as_secs();
    format!(
        "{} rounds, {} calls, {} tokens, {}:{:02}",
        left.rounds,
        left.calls,
        left.tokens,
        seconds / 60,
        seconds % 60
    )
}
