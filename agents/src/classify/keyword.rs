//! The first rule there was: a question mark or a question word.

use incar_core::{Judgement, ReplyClass, ReplyClassifier, ReplyContext};

/// The words that the rule takes for a question.
const WORDS: [&str; 12] = [
    "请问",
    "请告诉",
    "请说",
    "请提供",
    "什么",
    "哪里",
    "哪个",
    "多少",
    "怎么",
    "如何",
    "是否",
    "确认",
];

/// Waits whenever a reply holds a question mark or one of twelve question words, wherever it
/// stands. It knows neither offers nor courtesies; kept as the baseline that [`TextRule`] is
/// measured against, and for hosts that were tuned to it.
///
/// [`TextRule`]: super::TextRule
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct SeedKeywordRule;

impl SeedKeywordRule {
    /// The rule.
    pub fn new() -> Self {
        Self
    }
}

impl ReplyClassifier for SeedKeywordRule {
    fn classify(&self, reply: &ReplyContext<'_>) -> Judgement {
        let asks = reply.text.contains(['?', '？']) || WORDS.iter().any(|word| reply.text.contains(word));
        Judgement {
            class: if asks { ReplyClass::Required } else { ReplyClass::None },
            confidence: 0.5,
        }
    }
}
