//! What a model's reply expects of the driver, judged by its words.
//!
//! [`TextRule`] is the default; [`SeedKeywordRule`] is the baseline, a question mark or a
//! question word. Both are [`ReplyClassifier`](incar_core::ReplyClassifier)s: the last
//! evidence that a turn has, after the control tool `ask_user` and what the turn machine knows.
//!
//! How `TextRule` reads a reply, a file a step: `plain` masks quotations and drops mark-up,
//! `sentence` splits it and reads cues off the phrase tables (`lexicon_en`, `lexicon_zh`), `act`
//! says what a sentence does, `weigh` whether a yes/no question must be answered, and `text_rule`
//! lets the weightiest sentence decide.

mod act;
mod cue;
mod keyword;
mod lexicon;
mod lexicon_en;
mod lexicon_zh;
mod plain;
mod sentence;
mod text_rule;
mod weigh;

#[cfg(test)]
mod tests;

pub use keyword::SeedKeywordRule;
pub use text_rule::TextRule;
