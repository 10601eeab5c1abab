//! Draws rows of a turn below each other, to scale.

use std::time::{Duration, Instant};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Columns of the labels, and of the times behind the bars.
const KIND: usize = 11;
const NAME: usize = 24;
const TIME: usize = 13;

/// One thing that happened.
#[derive(Debug)]
pub(crate) struct Row {
    kind: String,
    name: String,
    began: Instant,
    /// `None`: it took no time.
    ended: Option<Instant>,
    /// How long nothing came of it.
    silent: Duration,
}

impl Row {
    /// Something that took its time.
    pub(crate) fn span(kind: &str, name: &str, began: Instant, ended: Instant) -> Self {
        Self {
            kind: kind.to_owned(),
            name: name.to_owned(),
            began,
            ended: Some(ended),
            silent: Duration::ZERO,
        }
    }

    /// Something that happened then.
    pub(crate) fn moment(kind: &str, name: &str, at: Instant) -> Self {
        Self {
            ended: None,
            ..Self::span(kind, name, at, at)
        }
    }

    /// The same, of which nothing came for so many seconds.
    pub(crate) fn silent_for(mut self, seconds: f64) -> Self {
        self.silent = Duration::try_from_secs_f64(seconds).unwrap_or_default();
        self
    }
}

/// How it is drawn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Waterfall {
    columns: usize,
    is_coloured: bool,
}

impl Waterfall {
    /// To the terminal's width, between 80 and 120 columns.
    pub(crate) fn for_terminal() -> Self {
        use std::io::IsTerminal;
        let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
        Self {
            columns: columns.unwrap_or(96).clamp(80, 120),
            is_coloured: std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        }
    }

    /// The rows in the order in which they began.
    pub(crate) fn draw(self, started: Instant, mut rows: Vec<Row>) -> String {
        rows.sort_by_key(|row| row.began);
        let end = rows
            .iter()
            .map(|row| row.ended.unwrap_or(row.began))
            .max()
            .unwrap_or(started);
        let whole = end.duration_since(started).max(Duration::from_micros(1));
        let width = self.columns - KIND - NAME - TIME;
        let column = |at: Instant| {
            let share = at.saturating_duration_since(started).as_secs_f64() / whole.as_secs_f64();
            ((share * width as f64) as usize).min(width - 1)
        };
        let mut drawn = String::new();
        for row in &rows {
            let from = column(row.began);
            let (bar, time) = match row.ended {
                None => (
                    self.paint("33", "◆"),
                    format!("at {}", shown(row.began.saturating_duration_since(started))),
                ),
                Some(ended) => {
                    let to = column(ended).max(from) + 1;
                    let spoke = column(row.began + row.silent).clamp(from, to);
                    let (silent, busy) = ("░".repeat(spoke - from), "█".repeat(to - spoke));
                    (
                        self.paint(colour(&row.kind), &(silent + &busy)),
                        shown(ended.duration_since(row.began)),
                    )
                }
            };
            let length = row.ended.map_or(1, |ended| column(ended).max(from) + 1 - from);
            let gap = " ".repeat(width - from - length);
            drawn += &format!(
                "{}{}{}{bar}{gap}{time:>TIME$}\n",
                padded(&row.kind, KIND),
                padded(&row.name, NAME),
                " ".repeat(from)
            );
        }
        drawn
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.is_coloured {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

fn colour(kind: &str) -> &'static str {
    match kind.split_whitespace().next() {
        Some("turn") => "2",
        Some("round") => "36",
        _ => "32",
    }
}

fn shown(time: Duration) -> String {
    match time.as_micros() {
        micros @ 0..1_000 => format!("{micros} µs"),
        micros @ 1_000..1_000_000 => format!("{:.1} ms", micros as f64 / 1e3),
        micros => format!("{:.2} s", micros as f64 / 1e6),
    }
}

/// `text` in exactly so many columns, with a blank at its end: a Chinese character takes two.
fn padded(text: &str, columns: usize) -> String {
    let mut kept = String::new();
    let room = columns - 1;
    let is_cut = text.width() > room;
    for c in text.chars() {
        if is_cut && kept.width() + c.width().unwrap_or(0) > room - 1 {
            kept.push('…');
            break;
        }
        kept.push(c);
    }
    let blanks = columns.saturating_sub(kept.width());
    kept + &" ".repeat(blanks)
}
