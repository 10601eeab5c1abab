//! How many tokens a request will have: estimated, then corrected by what the model reports.

use crate::lang::is_han;
use crate::message::Message;
use crate::model::Usage;
use serde::{Deserialize, Serialize};

/// Tokens that `text` has, about: 0.6 for a Chinese character, 0.3 for any other (DeepSeek's
/// published rule of thumb, "Token & Token Usage" in its API documentation).
pub fn estimate_tokens(text: &str) -> u64 {
    if text.is_ascii() {
        return (text.len() as u64 * 3).div_ceil(10);
    }
    let (mut han, mut other) = (0u64, 0u64);
    for c in text.chars() {
        if is_han(c) || matches!(c, '\u{3000}'..='\u{30ff}' | '\u{ac00}'..='\u{d7a3}' | '\u{ff00}'..='\u{ffef}') {
            han += 1;
        } else {
            other += 1;
        }
    }
    (han * 6 + other * 3).div_ceil(10)
}

/// What a message costs beside its text (role and separators).
const PER_MESSAGE: u64 = 4;

pub(crate) fn estimate_message(message: &Message) -> u64 {
    let text = estimate_tokens(message.content());
    let calls = match message {
        Message::Assistant(reply) => reply
            .tool_calls
            .iter()
            .map(|call| PER_MESSAGE + estimate_tokens(&call.name) + estimate_tokens(&call.arguments))
            .sum(),
        _ => 0,
    };
    PER_MESSAGE + text + calls
}

/// The running size of the next request.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub(crate) struct TokenMeter {
    /// Tokens of what was sent or counted so far.
    known: u64,
    /// Estimated tokens of what came since.
    since: u64,
    /// Reported over estimated, as last seen.
    ratio: f32,
}

impl TokenMeter {
    /// `overhead`: the system prompt and the tools.
    pub(crate) fn new(overhead: u64) -> Self {
        Self {
            known: 0,
            since: overhead,
            ratio: 1.0,
        }
    }

    pub(crate) fn add(&mut self, message: &Message) {
        self.since = self.since.saturating_add(estimate_message(message));
    }

    /// Tokens of the next request.
    pub(crate) fn input(&self) -> u64 {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "an estimate, clamped below"
        )]
        let since = (self.since as f32 * self.ratio) as u64;
        self.known.saturating_add(since)
    }

    /// The model said what the request had.
    pub(crate) fn reported(&mut self, usage: Usage) {
        let estimated = self.input();
        if usage.input_tokens == 0 || estimated == 0 {
            return;
        }
        #[expect(clippy::cast_precision_loss, reason = "an estimate")]
        let seen = usage.input_tokens as f32 / estimated as f32;
        self.ratio = (self.ratio * seen).clamp(0.25, 4.0);
        self.known = usage.input_tokens;
        self.since = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chinese_character_weighs_twice_a_latin_letter() {
        assert_eq!(estimate_tokens("打开主驾驶的车窗吧好吗"), 7);
        assert_eq!(estimate_tokens("abcdefghij"), 3);
        assert_eq!(estimate_tokens(""), 0);
    }

    #[test]
    fn what_the_model_reports_replaces_the_estimate_and_scales_what_follows() {
        let mut meter = TokenMeter::new(100);
        meter.reported(Usage::new(200, 5));
        assert_eq!(meter.input(), 200);
        meter.add(&Message::user("a".repeat(320)));
        assert_eq!(meter.input(), 200 + 2 * 100);
    }

    #[test]
    fn a_service_that_reports_nothing_changes_nothing() {
        let mut meter = TokenMeter::new(100);
        meter.reported(Usage::default());
        assert_eq!(meter.input(), 100);
    }
}
