//! How things look in a terminal: 80 columns, Chinese characters counted as two, nothing said by
//! colour alone.

use incar::{AgentResponse, BargeIn, Notice, Outcome, Pending, StoreError};
use serde_json::Value;
use std::collections::BTreeMap;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

const COLUMNS: usize = 80;

/// What the terminal can show.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    pub(crate) colour: bool,
    /// Symbols beyond ASCII.
    pub(crate) symbols: bool,
}

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        if self.colour {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    pub(crate) fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn mark(self, outcome: Outcome) -> &'static str {
        match (outcome, self.symbols) {
            (Outcome::Ok, true) => "✓",
            (Outcome::Ok, false) => "ok",
            (Outcome::Error, true) => "✗",
            (Outcome::Error, false) => "failed",
            (Outcome::Denied, true) => "⊘ refused",
            (Outcome::Denied, false) => "refused",
            (Outcome::Cancelled, true) => "∅ cancelled",
            (Outcome::Cancelled, false) => "cancelled",
            (Outcome::Unknown, true) => "? unknown",
            (Outcome::Unknown, false) => "unknown",
        }
    }

    fn arrow(self) -> &'static str {
        if self.symbols { "→" } else { "->" }
    }
}

/// What the car says unasked, and to whom.
pub(crate) fn notice(style: Style, notice: &Notice) -> String {
    let first = format!("car> ({}) ", notice.speaker.seat);
    let shown = notice.display.as_ref().unwrap_or(&notice.text);
    let mut lines = wrap(shown, &first, "     ");
    if let Some(line) = lines.first_mut() {
        *line = line.replacen("car>", &style.bold("car>"), 1);
    }
    lines.join("\n")
}

/// The reply: what is written rather than what is spoken.
pub(crate) fn message(style: Style, response: &AgentResponse) -> String {
    let text = response.display.as_ref().unwrap_or(&response.message);
    let mut lines = wrap(text, "car> ", "     ");
    if let Some(first) = lines.first_mut() {
        *first = first.replacen("car>", &style.bold("car>"), 1);
    }
    lines.join("\n")
}

/// What came of talking over a reply.
pub(crate) fn talked_over(style: Style, over: &Result<BargeIn, StoreError>) -> String {
    let told = match over {
        Ok(BargeIn::Stopped) => "talked over: the turn stops, what was heard is kept".to_owned(),
        Ok(BargeIn::CutShort) => "talked over: what was heard of the reply is kept".to_owned(),
        Ok(_) => "talked over: there was nothing left to say".to_owned(),
        Err(error) => format!("talked over, but: {error}"),
    };
    faint_block(style, &format!("({told})")).join("\n")
}

/// What stands beside the reply: the status, the calls and what they changed.
pub(crate) fn facts(style: Style, response: &AgentResponse, changes: &[(String, Value, Value)]) -> String {
    let mut facts = vec![response.status.as_str().to_owned(), response.agent.clone()];
    match &response.data.pending {
        Some(Pending::Missing {
            tool, missing, choices, ..
        }) => {
            facts.push(format!("{tool} waits for {}", missing.join(", ")));
            if !choices.is_empty() {
                facts.push(format!("one of: {}", choices.join(" / ")));
            }
        }
        Some(Pending::Confirm { confirm }) => {
            facts.push(format!("{} {} waits for a yes", confirm.tool, confirm.arguments))
        }
        _ => {}
    }
    if let Some(error) = &response.error {
        facts.push(error.kind.to_string());
    }
    let mut lines = faint_block(style, &format!("[{}]", facts.join("; ")));
    for call in &response.data.tool_results {
        let by = if call.by == "request" {
            String::new()
        } else {
            format!(" ({})", call.by)
        };
        lines.extend(faint_block(
            style,
            &format!("{} {} {}{by}", style.mark(call.outcome), call.name, call.arguments),
        ));
    }
    for (signal, before, after) in changes {
        lines.extend(faint_block(
            style,
            &format!("  {signal}: {before} {} {after}", style.arrow()),
        ));
    }
    lines.join("\n")
}

fn faint_block(style: Style, text: &str) -> Vec<String> {
    wrap(text, "     ", "       ")
        .into_iter()
        .map(|line| style.faint(&line))
        .collect()
}

/// What is different between two states.
pub(crate) fn changes(
    before: &BTreeMap<String, Value>,
    after: &BTreeMap<String, Value>,
) -> Vec<(String, Value, Value)> {
    after
        .iter()
        .filter_map(|(signal, now)| {
            let then = before.get(signal).cloned().unwrap_or(Value::Null);
            (then != *now).then(|| (signal.clone(), then, now.clone()))
        })
        .collect()
}

/// Breaks text into lines of at most 80 columns, between words or Chinese characters.
pub(crate) fn wrap(text: &str, first: &str, rest: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let head = if lines.is_empty() { first } else { rest };
        let mut line = head.to_owned();
        let mut fresh = true;
        for piece in pieces(paragraph) {
            if !fresh && line.width() + piece.trim_end().width() > COLUMNS {
                lines.push(line.trim_end().to_owned());
                line = rest.to_owned();
            }
            line.push_str(&piece);
            fresh = false;
        }
        lines.push(line.trim_end().to_owned());
    }
    if lines.is_empty() {
        lines.push(first.trim_end().to_owned());
    }
    lines
}

/// Words with the space after them; a wide character is a piece of its own; what is too long for a
/// line is cut.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut open = false;
    for c in text.chars() {
        let wide = c.width().unwrap_or(0) > 1;
        let long = pieces.last().is_some_and(|piece| piece.width() >= COLUMNS - 10);
        match pieces.last_mut() {
            Some(piece) if open && !wide && !long => piece.push(c),
            _ => pieces.push(c.into()),
        }
        open = !wide && c != ' ';
    }
    pieces
}
